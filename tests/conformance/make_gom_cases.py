#!/usr/bin/env python3
"""Writes tests/conformance/gom: files that keep or break each rule of docs/spec/gom.md and morph.md, and beside each the findings it must give.

  good/     no finding at all, not even canonical
  bad/      the findings of the report, and no others (error, warning or canonical)
  lenient/  the earlier generation (gom.md 19): the warnings, and the good file with the same contents

usage: make_gom_cases.py [OUTPUT_FOLDER]      (default: the gom folder beside this file)
A rerun gives the same bytes; a test compares.
"""
import json
import os
import struct
import sys

from gom_builder import IDENTITY, NONE, Chunk, Doc, assemble, empty, f32, full, material, shapes, translation, vertex

NAN = float("nan")
INF = float("inf")
SEVERITY = {"E": "error", "W": "warning", "C": "canonical"}
cases = []


def case(folder, name, doc=None, change=None, chunks=None, patch=(), raw=None, expect=(), **more):
    """doc: contents; change(doc), chunks(list): rearrange them; patch: (label, form, value); raw(bytes) last of all.
    expect: (severity, id, part, byte label) of every finding."""
    cases.append((folder, name, doc or full(), change, chunks, patch, raw, expect, more))


def bad(name, *args, **kwargs):
    case("bad", name, *args, **kwargs)


def good(name, *args, **kwargs):
    case("good", name, *args, **kwargs)


def one(severity, issue, part, byte=None):
    return [(severity, issue, part, part if byte is None else byte)]


def find(chunks, name):
    return next(c for c in chunks if c.name == name)


def child(chunks, part, name):
    return next(c for c in find(chunks, part).children if c.name == name)


def set_all(d, flags):
    d.flags = flags


V0 = "MSH0[0].VB0.vertex[0]"
S0 = "MSH0[1].VB0.vertex[0]"      # of the unskinned part
WAVE = "CLP0[1]"

# --- good ---------------------------------------------------------------------------------------------------------------------

good("full", change=lambda d: set_all(d, 63))
good("empty", empty())
good("no_flags_claimed")
good("no_version", change=lambda d: setattr(d, "version", ""))


def no_skeleton():
    d = full()
    d.bones, d.clips, d.parts = [], [], d.parts[1:]
    d.materials[0]["maps"] = ["", "", "", ""]
    return d


good("no_skeleton", no_skeleton())


def skeleton_only():
    d = empty()
    d.bones = full().bones
    return d


good("skeleton_only", skeleton_only())


def clip_without_skeleton():
    d = empty()
    d.clips = [{"name": "Nothing", "duration": 2, "tracks": []}]
    return d


good("clip_without_skeleton", clip_without_skeleton())


def bones(*rows):
    """(parent, name, path) rows over the full file, all parts unskinned and no clips."""
    d = empty()
    d.bones = [{"parent": p, "name": n, "path": path, "bind": list(IDENTITY)} for p, n, path in rows]
    return d


good("skel_path_order_is_bytewise", bones((-1, "Root", "Root"), (0, "Arm", "Root/Arm"), (0, "Arm-L", "Root/Arm-L"), (2, "Hand", "Root/Arm-L/Hand"),
                                          (1, "Hand", "Root/Arm/Hand")))
good("skel_escaped_names", bones((-1, "50%/left", "50%25%2Fleft"), (-1, "a~2", "a~2"), (-1, "骨", "骨")))
good("skel_sibling_suffixes", bones((-1, "A", "A"), (0, "B", "A/B"), (0, "B", "A/B~2"), (-1, "A~2", "A~2"), (-1, "A", "A~3")))


def weights(d, part, index, bi, bw):
    d.parts[part]["vertices"][index]["bi"], d.parts[part]["vertices"][index]["bw"] = list(bi), list(bw)


good("weight_sum_within_1e6", change=lambda d: weights(d, 0, 0, (1, 0, 0, 0), (0.75, 0.2500009, 0, 0)))
good("clip0_keys_inside_only", change=lambda d: d.clips[1].update(tracks=[{"bone": 1, "tr": [(0.5, [0, 1, 0])]}]))
good("clip0_loop_closed", change=lambda d: d.clips[1].update(flags=2, tracks=[
    {"bone": 0, "tr": [(0, [0, 0, 0]), (1, [1, 0, 0]), (1.5, [0, 0, 0])]},
    {"bone": 1, "rot": [(0, [0, 0, 0, 1]), (0.5, [0, 0, 1, 0]), (1.5, [0, 0, 0, -1])][:2] + [(1.5, [0, 0, 0, 1])]}]))
good("clip0_root_motion", change=lambda d: d.clips[1].update(flags=1, root=0))
good("matl_all_maps", change=lambda d: d.materials[0].update(maps=["d.png", "n/n.png", "s.png", "..e.png"]))
good("bnd0_radius_rounded_up", change=lambda d: [v.update(p=[x * 0.1 for x in v["p"]]) for v in d.parts[0]["vertices"]])
# The order of materials follows their names, which this changes.
def unicode_order(d):
    d.materials[0]["name"] = "体 é"
    d.materials.reverse()
    for p in d.parts:
        p["submeshes"] = [(1 - m, a, b) for m, a, b in p["submeshes"]]
    d.parts[0]["submeshes"] = [(0, 0, 3), (1, 3, 3)]


good("str0_unicode", change=unicode_order)

# --- header -------------------------------------------------------------------------------------------------------------------

bad("hdr1_cut_header", raw=lambda b: b[:100], expect=[("E", "GOM_TOO_SHORT", "header", 0)])
bad("hdr1_nothing", raw=lambda b: b"", expect=[("E", "GOM_TOO_SHORT", "header", 0)])
for magic in ("MTAB0001", "GOMT0001", "MTAT0001", "GOMB0002"):
    bad("hdr2_magic_" + magic.lower(), patch=[("header.magic", "8s", magic.encode())], expect=one("E", "GOM_MAGIC", "header.magic"))
bad("hdr2_short_text", raw=lambda b: b"GOMT0001\nEnd = true\n", expect=[("E", "GOM_MAGIC", "header.magic", 0)])
bad("hdr3_header_size", patch=[("header.headerSize", "I", 256)], expect=one("E", "GOM_HEADER_SIZE", "header.headerSize"))
bad("hdr4_version", patch=[("header.formatVersion", "I", 2)], expect=one("E", "GOM_VERSION", "header.formatVersion"))
bad("hdr5_coordinates", patch=[("header.coordinateSystem", "I", 0)], expect=one("E", "GOM_COORDINATE_SYSTEM", "header.coordinateSystem"))
bad("hdr6_matrices", patch=[("header.matrixConvention", "I", 2)], expect=one("E", "GOM_MATRIX_CONVENTION", "header.matrixConvention"))
bad("hdr7_reserved", patch=[(("header.reserved", 100), "B", 7)],
    expect=[("W", "GOM_HEADER_RESERVED", "header.reserved", ("header.reserved", 100))])

# --- limits: raised before anything else about the item, so that no file has to be that large ------------------------------------

for name, label, value in (("strings", "STR0.count", 1_000_001), ("slots", "MATL.count", 65_536), ("bones", "SKEL.boneCount", 4_097),
                           ("vertices", "MSH0[1].vertexCount", 10_000_001), ("indices", "MSH0[1].indexCount", 30_000_001),
                           ("submeshes", "MSH0[1].SUB0.count", 65_536), ("clips", "ANIM.clipCount", 1_025),
                           ("tracks", WAVE + ".trackCount", 8_193)):
    for suffix, number in (("", value), ("_huge", 0xFFFFFFFF)):
        bad("limit1_%s%s" % (name, suffix), patch=[(label, "I", number)], expect=one("E", "GOM_LIMIT", label))
bad("limit1_keys", patch=[(WAVE + ".track[1].rotKeyCount", "I", 1_000_000)], expect=one("E", "GOM_LIMIT", WAVE + ".track[1]"))

# --- chunks -------------------------------------------------------------------------------------------------------------------

bad("chunk2_lower_case", patch=[("SKEL", "4s", b"sKEL")], expect=[("E", "GOM_FOURCC", "chunk[2]", "SKEL")])
bad("chunk2_nul_inside", patch=[("SKEL", "4s", b"SK\0L")], expect=[("E", "GOM_FOURCC", "chunk[2]", "SKEL")])
bad("chunk2_zeros", patch=[("CTBL", "4s", b"\0\0\0\0")],
    expect=[("W", "GOM_TABLE_BARE", "header.chunkTableOffset", "header.chunkTableOffset"), ("E", "GOM_FOURCC", "chunk[8]", "CTBL")])
bad("chunk2_in_part", patch=[("MSH0[0].VB0", "4s", b"VB0 ")], expect=[("E", "GOM_FOURCC", "MSH0[0].chunk[0]", "MSH0[0].VB0")])
bad("chunk3_past_file", patch=[("CTBL#size", "I", 0xFFFFFFF0)], expect=[("E", "GOM_CHUNK_BOUNDS", "CTBL", "CTBL#size")])
bad("chunk3_past_file_by_one", patch=[("CTBL#size", "I", 16 * 8 + 1)], expect=[("E", "GOM_CHUNK_BOUNDS", "CTBL", "CTBL#size")])
bad("chunk3_past_part", patch=[("MSH0[0].BND0#size", "I", 49)], expect=[("E", "GOM_CHUNK_BOUNDS", "MSH0[0].BND0", "MSH0[0].BND0#size")])
bad("chunk4_trailing", raw=lambda b: b + b"\0\0abc", expect=[("E", "GOM_TRAILING_BYTES", "", ("end", -5))])
bad("chunk5_trailing_zeros", raw=lambda b: b + bytes(5), expect=[("W", "GOM_TRAILING_ZEROS", "", ("end", -5))])


def tail(data):
    def change(chunks):
        find(chunks, "MSH0[1]").tail = data
    return change


bad("chunk4_trailing_in_part", chunks=tail(b"\0\1\0\0"),
    expect=[("E", "GOM_TRAILING_BYTES", "MSH0[1]", ("MSH0[1]#end", -4))])
bad("chunk5_trailing_zeros_in_part", chunks=tail(bytes(4)),
    expect=[("W", "GOM_TRAILING_ZEROS", "MSH0[1]", ("MSH0[1]#end", -4)), ("C", "GOM_PART_PADDING", "MSH0[1]", "MSH0[1]#size")])
bad("chunk6_padding", patch=[(("MATL#end", 1), "B", 255)], expect=[("W", "GOM_PADDING_NOT_ZERO", "MATL", ("MATL#end", 1))])
bad("chunk6_padding_in_part", patch=[("MSH0[0].SUB0#end", "B", 1)], expect=[("W", "GOM_PADDING_NOT_ZERO", "MSH0[0].SUB0", "MSH0[0].SUB0#end")])


def no_table(d):
    d.table = "none"
    d.clips[1]["tracks"][1]["rot"].pop()   # so that the last payload ends between multiples of 16


bad("chunk7_padding_missing", change=no_table, chunks=lambda c: setattr(c[-1], "pad", False),
    expect=[("W", "GOM_PADDING_MISSING", "CLP0", "end"), ("C", "GOM_TABLE_PLACE", "CTBL", "end")])
for name, label in (("STR0", "STR0"), ("SKEL", "SKEL"), ("MSH0", "MSH0[1]"), ("VB0", "MSH0[0].VB0"), ("CLP0", WAVE), ("CTBL", "CTBL")):
    at = label + "#version" if label != "CTBL" else ("CTBL", 8)
    bad("chunk8_version_" + name.lower(), patch=[(at, "I", 2)], expect=[("E", "GOM_CHUNK_VERSION", label, at)])
for name, label in (("MATL", "MATL"), ("IBND", "MSH0[1].IBND")):
    bad("chunk9_flags_" + name.lower(), patch=[(label + "#flags", "I", 4)], expect=[("W", "GOM_CHUNK_FLAGS", label, label + "#flags")])


def again(name):
    def change(chunks):
        at = next(i for i, c in enumerate(chunks) if c.name == name)
        twin = Chunk(name + "*", chunks[at].fourcc.decode())
        twin.data, twin.labels = chunks[at].data, chunks[at].labels
        chunks.insert(at + 1, twin)
    return change


def without(name):
    def change(chunks):
        chunks.remove(find(chunks, name))
    return change


for name in ("STR0", "MATL", "SKEL", "ANIM"):
    bad("chunk11_%s_twice" % name.lower(), chunks=again(name), expect=[("E", "GOM_CHUNK_TWICE", name, name + "*")])
for name in ("STR0", "MATL"):
    bad("chunk12_no_" + name.lower(), chunks=without(name), expect=[("E", "GOM_CHUNK_MISSING", name, "end")])
bad("chunk12_nothing", change=lambda d: setattr(d, "table", "none"), chunks=lambda c: c.clear(), patch=[("header.converterVersionStrId", "I", NONE)],
    expect=[("E", "GOM_CHUNK_MISSING", "STR0", "end"), ("E", "GOM_CHUNK_MISSING", "MATL", "end"), ("C", "GOM_TABLE_PLACE", "CTBL", "end")])


def insert(at, name, fourcc, size=8):
    def change(chunks):
        c = Chunk(name, fourcc)
        c.data = bytearray(b"x" * size)
        chunks.insert(at, c)
    return change


def insert_child(part, at, name, fourcc):
    def change(chunks):
        c = Chunk(name, fourcc)
        c.data = bytearray(b"x" * 8)
        find(chunks, part).children.insert(at, c)
    return change


bad("chunk13_child_outside", chunks=insert(3, "SUB0", "SUB0"), expect=[("E", "GOM_CHUNK_MISPLACED", "SUB0", "SUB0")])
bad("chunk13_skel_in_part", chunks=insert_child("MSH0[0]", 0, "SKEL", "SKEL"), expect=one("E", "GOM_CHUNK_MISPLACED", "MSH0[0].SKEL"))
bad("chunk13_ctbl_in_part", chunks=insert_child("MSH0[0]", 0, "CTBL", "CTBL"), expect=one("E", "GOM_CHUNK_MISPLACED", "MSH0[0].CTBL"))


def longer(part, name):
    def change(chunks):
        c = find(chunks, part) if name is None else child(chunks, part, name)
        c.data += bytes(4)
    return change


def shorter(part, name):
    def change(chunks):
        c = find(chunks, part) if name is None else child(chunks, part, name)
        del c.data[-4:]
    return change


for part, name in (("MATL", None), ("SKEL", None), ("ANIM", None), ("MSH0[0]", "VB0"), ("MSH0[0]", "IB0"), ("MSH0[0]", "SUB0"), ("MSH0[0]", "IBND"),
                   ("MSH0[1]", "GBTM")):
    label = part if name is None else part + "." + name
    for word, change in (("longer", longer), ("shorter", shorter)):
        # covers GOM-MATL-1, GOM-SKEL-1, GOM-VB0-1, GOM-IB0-1, GOM-SUB0-1, GOM-IBND-1, GOM-GBTM-1, GOM-ANIM-1
        bad("chunk14_%s_%s" % ((name or part).lower(), word), chunks=change(part, name), expect=[("E", "GOM_CHUNK_SIZE", label, label + "#size")])


def swap(i, j):
    def change(chunks):
        chunks[i], chunks[j] = chunks[j], chunks[i]
    return change


bad("chunk15_matl_first", chunks=swap(0, 1), expect=one("C", "GOM_CHUNK_ORDER", "STR0"))
bad("chunk15_skel_last", chunks=lambda c: c.append(c.pop(2)), expect=one("C", "GOM_CHUNK_ORDER", "SKEL"))
bad("order1_unknown_chunk", chunks=insert(2, "XTRA", "XTRA"), expect=one("C", "GOM_CHUNK_UNKNOWN", "XTRA"))
bad("order1_unknown_child", chunks=insert_child("MSH0[0]", 2, "UVS1", "UVS1"), expect=one("C", "GOM_CHUNK_UNKNOWN", "MSH0[0].UVS1"))
bad("order1_unknown_beside_vb0", chunks=insert_child("MSH0[0]", 2, "VB00", "VB00"), expect=one("C", "GOM_CHUNK_UNKNOWN", "MSH0[0].VB00"))
bad("order1_unknown_three_letters", chunks=insert(2, "AB1", "AB1", 0), expect=one("C", "GOM_CHUNK_UNKNOWN", "AB1"))

# --- chunk table --------------------------------------------------------------------------------------------------------------

bad("table2_fourcc", patch=[("CTBL.entry[2].fourcc", "4s", b"SKEM")], expect=one("E", "GOM_TABLE_DISAGREES", "CTBL.entry[2].fourcc"))
bad("table2_size", patch=[("CTBL.entry[0].size", "I", 1)], expect=one("E", "GOM_TABLE_DISAGREES", "CTBL.entry[0].size"))
bad("table2_offset", patch=[("CTBL.entry[6].offset", "Q", 1 << 40)], expect=one("E", "GOM_TABLE_DISAGREES", "CTBL.entry[6].offset"))
bad("table2_count", patch=[("header.chunkTableCount", "I", 6)], expect=2 * one("E", "GOM_TABLE_DISAGREES", "header.chunkTableCount"))
bad("table3_below_528", patch=[("header.chunkTableOffset", "Q", 527)], expect=one("E", "GOM_TABLE_BOUNDS", "header.chunkTableOffset"))
bad("table3_past_file", patch=[("header.chunkTableOffset", "Q", 0xFFFFFFFFFFFFFFF0)], expect=one("E", "GOM_TABLE_BOUNDS", "header.chunkTableOffset"))
bad("table3_count_past_file", patch=[("header.chunkTableCount", "I", 9)], expect=one("E", "GOM_TABLE_BOUNDS", "header.chunkTableOffset"))
bad("table3_count_overflows", patch=[("header.chunkTableCount", "I", 0xFFFFFFFF)], expect=one("E", "GOM_TABLE_BOUNDS", "header.chunkTableOffset"))
bad("table4_count_without_table", patch=[("header.chunkTableOffset", "Q", 0)],
    expect=[("E", "GOM_TABLE_COUNT", "header.chunkTableCount", "header.chunkTableCount"), ("W", "GOM_TABLE_UNUSED", "CTBL", "CTBL")])
bad("table5_unused", patch=[("header.chunkTableOffset", "Q", 0), ("header.chunkTableCount", "I", 0)], expect=one("W", "GOM_TABLE_UNUSED", "CTBL"))
bad("table6_bare", change=lambda d: setattr(d, "table", "bare"),
    expect=[("W", "GOM_TABLE_BARE", "header.chunkTableOffset", "header.chunkTableOffset"), ("C", "GOM_TABLE_PLACE", "CTBL", "table")])
bad("table7_before_chunks", change=lambda d: setattr(d, "table", "none"), chunks=lambda c: c.clear(), raw=lambda b: b + bytes(16),
    patch=[("header.chunkTableOffset", "Q", 528), ("header.converterVersionStrId", "I", NONE)],
    expect=[("W", "GOM_TABLE_BARE", "header.chunkTableOffset", "header.chunkTableOffset"), ("E", "GOM_FOURCC", "chunk[0]", 512),
            ("E", "GOM_TABLE_BEFORE_CHUNKS", "header.chunkTableOffset", "header.chunkTableOffset")])
bad("table8_none", change=lambda d: setattr(d, "table", "none"), expect=[("C", "GOM_TABLE_PLACE", "CTBL", "end")])
bad("table8_cut_between_chunks", raw=lambda b: b[:-16],
    expect=[("E", "GOM_TABLE_BOUNDS", "header.chunkTableOffset", "header.chunkTableOffset"), ("E", "GOM_CHUNK_BOUNDS", "CTBL", "CTBL#size")])

# --- strings ------------------------------------------------------------------------------------------------------------------

bad("str0_1_count_past_chunk", patch=[("STR0.count", "I", 1000)], expect=[("E", "GOM_STRING_TABLE_SIZE", "STR0", "STR0#size")])
bad("str0_1_no_count", chunks=lambda c: find(c, "STR0").data.__delitem__(slice(2, None)),
    expect=[("E", "GOM_STRING_TABLE_SIZE", "STR0", "STR0#size")])
bad("str0_2_offset", patch=[("STR0.offset[1]", "I", 0xFFFFFFFF)], expect=one("E", "GOM_STRING_OFFSET", "STR0.offset[1]"))
LAST = len(full().strings()) - 1
bad("str0_3_no_nul", patch=[(("STR0#end", -1), "B", 0x78)], expect=one("E", "GOM_STRING_UNTERMINATED", "STR0.string[%d]" % LAST))
for name, label in (("version", "header.converterVersionStrId"), ("material", "MATL.slot[0].nameId"), ("map", "MATL.slot[1].emissiveMapId"),
                    ("mesh", "MSH0[0].meshNameId"), ("bone", "SKEL.nameId[1]"), ("clip", "CLP0[0].nameId")):
    bad("str0_4_id_" + name, patch=[(label, "I", 99)], expect=one("E", "GOM_STRING_ID", label))
for name, label in (("bone_name", "SKEL.nameId[1]"), ("bone_path", "SKEL.pathId[1]"), ("clip", "CLP0[0].nameId")):
    bad("str0_5_no_" + name, patch=[(label, "I", NONE)], expect=one("E", "GOM_NAME_MISSING", label))
bad("str0_6_empty_is_none", change=lambda d: d.extra_strings.append(""), patch=[("CLP0[0].nameId", "I", 0)],
    expect=one("E", "GOM_NAME_MISSING", "CLP0[0].nameId"))
bad("str0_7_unsorted", change=lambda d: setattr(d, "string_order", lambda s: sorted(s)[1::-1] + sorted(s)[2:]),
    expect=[("C", "GOM_STRING_ORDER", "STR0.string[1]", "STR0.offset[1]")])


ROOT = full().strings().index(b"Root")


def twice(s):
    s = sorted(s)
    return s[:ROOT] + [b"Root"] + s[ROOT:]


bad("str0_7_twice", change=lambda d: setattr(d, "string_order", twice), patch=[("SKEL.pathId[0]", "I", ROOT + 1)],
    expect=[("C", "GOM_STRING_ORDER", "STR0.string[%d]" % (ROOT + 1), "STR0.offset[%d]" % (ROOT + 1))])
bad("str0_8_unused", change=lambda d: d.extra_strings.append("zzz"),
    expect=[("C", "GOM_STRING_UNUSED", "STR0.string[%d]" % (LAST + 1), "STR0.offset[%d]" % (LAST + 1))])
bad("str0_8_empty", change=lambda d: d.extra_strings.append(""), expect=[("C", "GOM_STRING_UNUSED", "STR0.string[0]", "STR0.offset[0]")])


def gap(chunks):
    find(chunks, "STR0").data += b"gap\0"


bad("str0_9_tail", chunks=gap, expect=[("C", "GOM_STRING_PACKING", "STR0.data", ("STR0#end", -4))])


def overlap(chunks):
    """The string Tip is the end of Root/Tip."""
    c = find(chunks, "STR0")
    strings = full().strings()
    path = c.labels["string[%d]" % strings.index(b"Root/Tip")] - c.labels["data"]
    struct.pack_into("<I", c.data, c.labels["offset[%d]" % strings.index(b"Tip")], path + 5)


TIP = full().strings().index(b"Tip")
bad("str0_9_overlap", chunks=overlap, expect=[("C", "GOM_STRING_PACKING", "STR0.offset[%d]" % TIP, "STR0.offset[%d]" % TIP)])
for rule, name, data, issue, at in (("conv_str1", "bad_byte", b"z\xff", "GOM_STRING_UTF8", 1), ("conv_str1", "overlong", b"z\xc0\xaf", "GOM_STRING_UTF8", 1),
                                    ("conv_str1", "surrogate", b"z\xed\xa0\x80", "GOM_STRING_UTF8", 1), ("conv_str1", "cut", b"z\xe4\xbd", "GOM_STRING_UTF8", 1),
                                    ("conv_str1", "too_large", b"z\xf4\x90\x80\x80", "GOM_STRING_UTF8", 1),
                                    ("conv_str2", "bom", b"\xef\xbb\xbfz", "GOM_STRING_BOM", 0),
                                    ("conv_str3", "newline", b"z\n", "GOM_STRING_CONTROL", 1), ("conv_str3", "delete", b"z\x7f", "GOM_STRING_CONTROL", 1)):
    bad("%s_%s" % (rule, name), change=lambda d, data=data: d.extra_strings.append(data),
        expect=[("E", issue, "STR0.string[%d]" % (LAST + 1), ("STR0.string[%d]" % (LAST + 1), at))])

# --- numbers ------------------------------------------------------------------------------------------------------------------

for name, label in (("position", V0 + ".position[1]"), ("normal", V0 + ".normal[0]"), ("tangent", V0 + ".tangent[3]"), ("uv", V0 + ".uv0[1]"),
                    ("weight", V0 + ".boneWeight[3]"), ("unskinned_weight", S0 + ".boneWeight[2]"), ("kd", "MATL.slot[0].kd[2]"),
                    ("shininess", "MATL.slot[1].shininess"), ("opacity", "MATL.slot[1].opacity"), ("bind", "SKEL.bindLocal[1][13]"),
                    ("inverse_bind", "MSH0[0].IBND.inverseBind[1][5]"), ("bounds", "MSH0[0].BND0.aabbMax[2]"), ("radius", "MSH0[0].BND0.sphereRadius"),
                    ("duration", WAVE + ".duration"), ("time", WAVE + ".track[0].trKey[1].time"), ("translation", WAVE + ".track[0].trKey[1].value[2]"),
                    ("rotation", WAVE + ".track[1].rotKey[1].value[0]"), ("scale", WAVE + ".track[1].scKey[0].value[1]")):
    for word, value in (("nan", NAN), ("inf", -INF)):
        bad("conv_num2_%s_%s" % (name, word), patch=[(label, "f", value)], expect=one("E", "GOM_NOT_FINITE", label))
bad("conv_num2_placement", patch=[("MSH0[1].GBTM.m[4]", "f", INF)], expect=[("E", "GOM_NOT_FINITE", "MSH0[1].GBTM[4]", "MSH0[1].GBTM.m[4]")])
for name, label in (("uv", V0 + ".uv0[0]"), ("ke", "MATL.slot[0].ke[1]"), ("bind", "SKEL.bindLocal[0][1]"), ("time", WAVE + ".track[1].rotKey[0].time"),
                    ("value", WAVE + ".track[1].rotKey[1].value[0]"), ("duration", "CLP0[0].duration"), ("bounds", "MSH0[1].BND0.aabbMin[1]"),
                    ("weight", V0 + ".boneWeight[2]"), ("last_column", "SKEL.bindLocal[1][7]")):
    bad("conv_num3_" + name, patch=[(label, "f", -0.0)], expect=one("C", "GOM_NEGATIVE_ZERO", label))
bad("conv_mat3_bind", patch=[("SKEL.bindLocal[0][3]", "f", 0.5)], expect=one("E", "GOM_MATRIX_COLUMN", "SKEL.bindLocal[0][3]"))
bad("conv_mat3_inverse_bind", patch=[("MSH0[0].IBND.inverseBind[1][15]", "f", 1.00001)],
    expect=one("E", "GOM_MATRIX_COLUMN", "MSH0[0].IBND.inverseBind[1][15]"))
bad("conv_mat3_placement", patch=[("MSH0[1].GBTM.m[11]", "f", -2e-6)],
    expect=[("E", "GOM_MATRIX_COLUMN", "MSH0[1].GBTM[11]", "MSH0[1].GBTM.m[11]")])
bad("conv_mat4_inexact", patch=[("SKEL.bindLocal[0][7]", "f", 9e-7)], expect=one("C", "GOM_MATRIX_COLUMN_INEXACT", "SKEL.bindLocal[0][7]"))
bad("conv_mat4_inexact_one", patch=[("MSH0[0].IBND.inverseBind[0][15]", "f", 0.9999995)],
    expect=one("C", "GOM_MATRIX_COLUMN_INEXACT", "MSH0[0].IBND.inverseBind[0][15]"))

# --- materials ----------------------------------------------------------------------------------------------------------------

bad("matl2_flags", patch=[("MATL.slot[0].flags", "I", 1)], expect=one("W", "GOM_MATERIAL_FLAGS", "MATL.slot[0].flags"))
bad("matl3_opacity", patch=[("MATL.slot[0].opacity", "f", 1.5)], expect=one("W", "GOM_MATERIAL_RANGE", "MATL.slot[0].opacity"))
bad("matl3_opacity_below", patch=[("MATL.slot[0].opacity", "f", -0.5)], expect=one("W", "GOM_MATERIAL_RANGE", "MATL.slot[0].opacity"))
bad("matl3_shininess", patch=[("MATL.slot[1].shininess", "f", -1)], expect=one("W", "GOM_MATERIAL_RANGE", "MATL.slot[1].shininess"))
for name, path in (("backslash", "tex\\a.png"), ("drive", "c:a.png"), ("absolute", "/a.png"), ("double_slash", "a//b.png"), ("dot", "./a.png"),
                   ("dots", "a/../b.png"), ("trailing_slash", "a/")):
    bad("matl4_" + name, change=lambda d, path=path: d.materials[0].update(maps=["", path, "", ""]),
        expect=one("W", "GOM_MAP_PATH", "MATL.slot[0].normalMapId"))


def reverse_materials(d):
    d.materials.reverse()


bad("matl6_order", change=reverse_materials, expect=one("C", "GOM_MATERIAL_ORDER", "MATL.slot[1]"))
for name, first, second in (("none_first", material(""), material("A")), ("kd", material("A", kd=[1, 1, 1]), material("A", kd=[1, 0.5, 1])),
                            ("ke", material("A", ke=[0, 0, 1]), material("A", ke=[0, 0, 0.5])),
                            ("shininess", material("A", shininess=64), material("A", shininess=9)),
                            ("map_none_first", material("A"), material("A", maps=["a.png", "", "", ""])),
                            ("map", material("A", maps=["", "", "", "b"]), material("A", maps=["", "", "", "a"]))):
    d = empty()
    d.materials = [first, second]
    bad("matl6_order_" + name, d, expect=one("C", "GOM_MATERIAL_ORDER", "MATL.slot[1]"))
    d = empty()
    d.materials = [second, first]
    good("matl6_order_" + name, d)
d = empty()
d.materials = [material("A"), material("A")]
bad("matl7_twice", d, expect=one("C", "GOM_MATERIAL_TWICE", "MATL.slot[1]"))
d = empty()
d.materials = []
bad("matl8_none", d, expect=[("C", "GOM_MATERIAL_NONE", "MATL.count", "MATL.count")])

# --- skeleton -----------------------------------------------------------------------------------------------------------------


def no_bones(chunks):
    c = Chunk("SKEL", "SKEL")
    c.put("I", 0, "boneCount")
    chunks.insert(2, c)


bad("skel2_no_bones", empty(), chunks=no_bones, expect=one("E", "GOM_NO_BONES", "SKEL.boneCount"))
for name, parent in (("itself", 1), ("later", 2), ("below_none", -2), ("far", 0x7FFFFFFF)):
    bad("skel3_parent_" + name, bones((-1, "A", "A"), (0, "B", "A/B"), (0, "C", "A/C")), patch=[("SKEL.parent[1]", "i", parent)],
        expect=one("E", "GOM_BONE_PARENT", "SKEL.parent[1]"))
for name, rows in (("other_name", ((-1, "A", "A"), (0, "B", "A/C"))), ("no_parent", ((-1, "A", "A"), (0, "B", "B"))),
                   ("parent_only", ((-1, "A", "A"), (0, "B", "A/"))), ("not_escaped", ((-1, "A", "A"), (0, "B/C", "A/B/C"))),
                   ("suffix_1", ((-1, "A", "A"), (0, "B", "A/B~1"))), ("suffix_0", ((-1, "A", "A"), (0, "B", "A/B~0"))),
                   ("suffix_02", ((-1, "A", "A"), (0, "B", "A/B~02"))), ("suffix_empty", ((-1, "A", "A"), (0, "B", "A/B~"))),
                   ("suffix_word", ((-1, "A", "A"), (0, "B", "A/B~x2")))):
    bad("skel4_" + name, bones(*rows), expect=one("E", "GOM_BONE_PATH", "SKEL.pathId[1]"))
bad("skel5_twice", bones((-1, "A", "A"), (0, "B", "A/B"), (0, "B", "A/B")), expect=one("E", "GOM_BONE_PATH_TWICE", "SKEL.pathId[2]"))
bad("skel6_order", bones((-1, "A", "A"), (0, "C", "A/C"), (0, "B", "A/B")), expect=one("E", "GOM_BONE_ORDER", "SKEL.pathId[2]"))
bad("skel6_component_order", bones((-1, "A", "A"), (0, "x", "A/x"), (1, "y", "A/x/y"), (0, "x-", "A/x-")),
    expect=one("E", "GOM_BONE_ORDER", "SKEL.pathId[3]"))
bad("skel7_singular", change=lambda d: d.bones[1].update(bind=[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1]),
    expect=one("E", "GOM_BONE_SINGULAR", "SKEL.bindLocal[1]"))
bad("skel8_suffix", bones((-1, "A", "A"), (-1, "A", "A~3")), expect=one("C", "GOM_BONE_SUFFIX", "SKEL.pathId[1]"))
bad("skel8_no_plain", bones((-1, "A", "A~2"),), expect=one("C", "GOM_BONE_SUFFIX", "SKEL.pathId[0]"))

# --- mesh parts ---------------------------------------------------------------------------------------------------------------


def cut_part(chunks):
    c = find(chunks, "MSH0[1]")
    c.children = None
    del c.data[16:]


bad("msh0_1_size", chunks=cut_part, expect=[("E", "GOM_PART_SIZE", "MSH0[1]", "MSH0[1]#size")])
bad("msh0_2_format", patch=[("MSH0[0].vertexFormat", "I", 2)], expect=one("E", "GOM_VERTEX_FORMAT", "MSH0[0].vertexFormat"))
bad("msh0_3_no_vertex", change=lambda d: d.parts[1].update(vertices=[]), expect=one("E", "GOM_PART_EMPTY", "MSH0[1].vertexCount"))
bad("msh0_4_no_index", change=lambda d: d.parts[1].update(indices=[], submeshes=[]), expect=one("E", "GOM_PART_INDEX_COUNT", "MSH0[1].indexCount"))
bad("msh0_4_not_triangles", change=lambda d: d.parts[1].update(indices=[0, 1, 2, 0], submeshes=[(1, 0, 4)]),
    expect=[("E", "GOM_PART_INDEX_COUNT", "MSH0[1].indexCount", "MSH0[1].indexCount"),
            ("E", "GOM_SUBMESH_COUNT", "MSH0[1].SUB0.submesh[0].indexCount", "MSH0[1].SUB0.submesh[0].indexCount")])
bad("msh0_5_bone_count", change=lambda d: d.parts[1].update(inverse_bind=[list(IDENTITY)]), expect=one("E", "GOM_PART_BONE_COUNT", "MSH0[1].boneCount"))
bad("msh0_5_no_skeleton", no_skeleton(), change=lambda d: d.parts[0].update(inverse_bind=[list(IDENTITY)]),
    expect=one("E", "GOM_PART_BONE_COUNT", "MSH0[0].boneCount"))
bad("msh0_6_flag_16_bit", patch=[("MSH0[0].flags", "I", 1)], expect=one("E", "GOM_PART_FLAGS", "MSH0[0].flags"))
bad("msh0_6_flag_not_16_bit", change=lambda d: d.parts[0].update(index_bytes=2), patch=[("MSH0[0].flags", "I", 0)],
    expect=[("E", "GOM_PART_FLAGS", "MSH0[0].flags", "MSH0[0].flags"),
            ("C", "GOM_INDEX_16BIT", "MSH0[0].IB0.indexSizeBytes", "MSH0[0].IB0.indexSizeBytes")])
bad("msh0_6_flag_placement", patch=[("MSH0[0].flags", "I", 2)], expect=one("E", "GOM_PART_FLAGS", "MSH0[0].flags"))
bad("msh0_6_flag_no_placement", patch=[("MSH0[1].flags", "I", 0)], expect=one("E", "GOM_PART_FLAGS", "MSH0[1].flags"))
bad("msh0_7_flags", patch=[("MSH0[0].flags", "I", 0x80000000)], expect=one("W", "GOM_PART_RESERVED", "MSH0[0].flags"))
bad("msh0_7_reserved", patch=[("MSH0[1].reserved[1]", "I", 1)], expect=one("W", "GOM_PART_RESERVED", "MSH0[1].reserved[1]"))


def without_child(part, name):
    def change(chunks):
        c = find(chunks, part)
        c.children = [x for x in c.children if x.name != name]
    return change


for name in ("VB0", "IB0", "SUB0", "IBND"):
    bad("msh0_8_no_" + name.lower(), chunks=without_child("MSH0[0]", name), expect=one("E", "GOM_CHILD_MISSING", "MSH0[0]"))


def child_again(part, name):
    def change(chunks):
        c = find(chunks, part)
        at = next(i for i, x in enumerate(c.children) if x.name == name)
        twin = Chunk(name + "*", name)
        twin.data, twin.labels = c.children[at].data, {}
        c.children.insert(at + 1, twin)
    return change


for part, name in (("MSH0[0]", "VB0"), ("MSH0[0]", "BND0"), ("MSH0[1]", "GBTM")):
    bad("msh0_9_%s_twice" % name.lower(), chunks=child_again(part, name), expect=[("E", "GOM_CHILD_TWICE", part + "." + name, part + "." + name + "*")])
for label in ("MSH0[0].VB0.vertexCount", "MSH0[0].IB0.indexCount", "MSH0[0].IBND.boneCount", "MSH0[1].IBND.boneCount"):
    for word, value in (("more", 9), ("zero", 0), ("huge", 0xFFFFFFFF)):
        if (label, word) != ("MSH0[1].IBND.boneCount", "zero"):
            bad("msh0_10_%s_%s_%s" % (label.split(".")[1].lower(), label[5], word), patch=[(label, "I", value)], expect=one("E", "GOM_COUNT_DISAGREES", label))


def reorder_children(part, order):
    def change(chunks):
        c = find(chunks, part)
        c.children = [c.children[i] for i in order]
    return change


bad("msh0_11_order", chunks=reorder_children("MSH0[0]", [1, 0, 2, 3, 4]), expect=one("C", "GOM_CHILD_ORDER", "MSH0[0].VB0"))


def tight(part):
    def change(chunks):
        find(chunks, part).count_last_padding = False
    return change


bad("msh0_12_tight", chunks=tight("MSH0[0]"), expect=[("C", "GOM_PART_PADDING", "MSH0[0]", "MSH0[0]#size")])
bad("msh0_13_no_bounds", change=lambda d: d.parts[0].update(bounds=False), expect=one("C", "GOM_BOUNDS_MISSING", "MSH0[0]"))

bad("vb0_2_stride", patch=[("MSH0[0].VB0.stride", "I", 80)], expect=one("E", "GOM_VERTEX_STRIDE", "MSH0[0].VB0.stride"))
bad("vb0_2_format", patch=[("MSH0[0].VB0.vertexFormat", "I", 0)], expect=one("E", "GOM_VERTEX_STRIDE", "MSH0[0].VB0.vertexFormat"))
bad("vb0_3_reserved", patch=[("MSH0[0].VB0.reserved", "I", 5)], expect=one("W", "GOM_VERTEX_RESERVED", "MSH0[0].VB0.reserved"))
bad("vb0_4_bone", patch=[(V0 + ".boneIndex[1]", "H", 2)], expect=one("E", "GOM_VERTEX_BONE", V0 + ".boneIndex[1]"))
bad("vb0_4_bone_of_zero_weight", patch=[(V0 + ".boneIndex[3]", "H", 65535)],
    expect=[("E", "GOM_VERTEX_BONE", V0 + ".boneIndex[3]", V0 + ".boneIndex[3]"), ("C", "GOM_WEIGHT_ORDER", V0 + ".boneWeight", V0 + ".boneWeight")])
bad("vb0_5_unskinned_bone", patch=[(S0 + ".boneIndex[0]", "H", 7)], expect=one("C", "GOM_VERTEX_UNSKINNED", S0 + ".boneIndex"))
bad("vb0_5_unskinned_weight", patch=[(S0 + ".boneWeight[0]", "f", -4)], expect=one("C", "GOM_VERTEX_UNSKINNED", S0 + ".boneIndex"))
bad("conv_tan1_normal", patch=[(V0 + ".normal[2]", "f", -1.0011)], expect=one("W", "GOM_NORMAL_LENGTH", V0 + ".normal"))
bad("conv_tan1_zero_normal", patch=[(V0 + ".normal[2]", "f", 0)], expect=one("W", "GOM_NORMAL_LENGTH", V0 + ".normal"))
bad("conv_tan1_tangent", patch=[(V0 + ".tangent[0]", "f", 0.9989)], expect=one("W", "GOM_NORMAL_LENGTH", V0 + ".tangent"))
bad("conv_tan2_sign", patch=[(V0 + ".tangent[3]", "f", 0.5)], expect=one("W", "GOM_TANGENT_SIGN", V0 + ".tangent[3]"))
bad("conv_tan3_angle", patch=[(V0 + ".tangent[2]", "f", 0.0011)], expect=one("W", "GOM_TANGENT_ANGLE", V0 + ".tangent"))
good("conv_tan1_within", patch=[(V0 + ".normal[2]", "f", -1.00099), (V0 + ".tangent[0]", "f", 0.99901)])
good("conv_tan3_within", patch=[(V0 + ".tangent[2]", "f", 0.00099)])
bad("ib0_2_size", patch=[("MSH0[0].IB0.indexSizeBytes", "I", 3)], expect=one("E", "GOM_INDEX_SIZE", "MSH0[0].IB0.indexSizeBytes"))
bad("ib0_3_range", patch=[("MSH0[0].IB0.index[4]", "I", 4)], expect=one("E", "GOM_INDEX_RANGE", "MSH0[0].IB0.index[4]"))
bad("ib0_3_range_16_bit", change=lambda d: d.parts[0].update(index_bytes=2), patch=[("MSH0[0].IB0.index[4]", "H", 65535)],
    expect=[("C", "GOM_INDEX_16BIT", "MSH0[0].IB0.indexSizeBytes", "MSH0[0].IB0.indexSizeBytes"),
            ("E", "GOM_INDEX_RANGE", "MSH0[0].IB0.index[4]", "MSH0[0].IB0.index[4]")])
bad("ib0_4_16_bit", change=lambda d: d.parts[0].update(index_bytes=2), expect=one("C", "GOM_INDEX_16BIT", "MSH0[0].IB0.indexSizeBytes"))
bad("ib0_5_reserved", patch=[("MSH0[0].IB0.reserved[1]", "I", 1)], expect=one("W", "GOM_INDEX_RESERVED", "MSH0[0].IB0.reserved[1]"))

SUB = "MSH0[0].SUB0"
bad("sub0_2_start", patch=[(SUB + ".submesh[0].indexStart", "I", 3)],
    expect=[("E", "GOM_SUBMESH_COVER", SUB + ".submesh[0].indexStart", SUB + ".submesh[0].indexStart"),
            ("E", "GOM_SUBMESH_COVER", SUB + ".submesh[1].indexStart", SUB + ".submesh[1].indexStart")])
bad("sub0_2_overlap", patch=[(SUB + ".submesh[1].indexStart", "I", 0), (SUB + ".submesh[1].indexCount", "I", 6)],
    expect=one("E", "GOM_SUBMESH_COVER", SUB + ".submesh[1].indexStart"))
bad("sub0_2_gap", change=lambda d: d.parts[0].update(submeshes=[(0, 0, 3)]), expect=[("E", "GOM_SUBMESH_COVER", SUB, SUB + ".count")])
bad("sub0_2_too_long", patch=[(SUB + ".submesh[1].indexCount", "I", 6)], expect=[("E", "GOM_SUBMESH_COVER", SUB, SUB + ".count")])
bad("sub0_2_overflow", patch=[(SUB + ".submesh[1].indexCount", "I", 0xFFFFFFFF)], expect=[("E", "GOM_SUBMESH_COVER", SUB, SUB + ".count")])
bad("sub0_2_none", change=lambda d: d.parts[0].update(submeshes=[]), expect=[("E", "GOM_SUBMESH_COVER", SUB, SUB + ".count")])
bad("sub0_3_empty", change=lambda d: d.parts[0].update(submeshes=[(0, 0, 6), (1, 6, 0)]), expect=one("E", "GOM_SUBMESH_COUNT", SUB + ".submesh[1].indexCount"))
bad("sub0_3_not_triangles", change=lambda d: d.parts[0].update(submeshes=[(0, 0, 2), (1, 2, 4)]),
    expect=[("E", "GOM_SUBMESH_COUNT", SUB + ".submesh[%d].indexCount" % i, SUB + ".submesh[%d].indexCount" % i) for i in (0, 1)])
bad("sub0_4_material", patch=[(SUB + ".submesh[1].materialIndex", "i", 2)], expect=one("E", "GOM_SUBMESH_MATERIAL", SUB + ".submesh[1].materialIndex"))
bad("sub0_4_negative", patch=[(SUB + ".submesh[0].materialIndex", "i", -1)], expect=one("E", "GOM_SUBMESH_MATERIAL", SUB + ".submesh[0].materialIndex"))


def no_slots(d):
    d.materials = []


bad("sub0_4_no_slots", no_skeleton(), change=no_slots,
    expect=[("C", "GOM_MATERIAL_NONE", "MATL.count", "MATL.count"),
            ("E", "GOM_SUBMESH_MATERIAL", SUB + ".submesh[0].materialIndex", SUB + ".submesh[0].materialIndex")])
bad("sub0_5_twice", change=lambda d: d.parts[0].update(submeshes=[(1, 0, 3), (1, 3, 3)]), expect=one("W", "GOM_SUBMESH_TWICE", SUB + ".submesh[1].materialIndex"))
bad("sub0_6_order", change=lambda d: d.parts[0].update(submeshes=[(1, 0, 3), (0, 3, 3)]), expect=one("C", "GOM_SUBMESH_ORDER", SUB + ".submesh[1].materialIndex"))

BND = "MSH0[0].BND0"


def longer_bounds(chunks):
    child(chunks, "MSH0[0]", "BND0").data += struct.pack("<f", NAN)   # ignored, contents included


bad("bnd0_1_size", chunks=longer_bounds, expect=[("W", "GOM_BOUNDS_SIZE", BND, BND + "#size")])
bad("bnd0_1_empty", chunks=lambda c: child(c, "MSH0[0]", "BND0").data.clear(), expect=[("W", "GOM_BOUNDS_SIZE", BND, BND + "#size")])
bad("bnd0_2_box", patch=[(BND + ".aabbMax[2]", "f", 0.25)],
    expect=[("W", "GOM_BOUNDS_BOX", "MSH0[0].VB0.vertex[3].position[2]", "MSH0[0].VB0.vertex[3].position[2]"),
            ("C", "GOM_BOUNDS_INEXACT", BND + ".aabbMax[2]", BND + ".aabbMax[2]")])
bad("bnd0_3_sphere", change=None, patch=[(BND + ".sphereRadius", "f", 1.4317)],
    expect=[("W", "GOM_BOUNDS_SPHERE", "MSH0[0].VB0.vertex[%d].position" % i, "MSH0[0].VB0.vertex[%d].position" % i) for i in range(4)] +
           [("C", "GOM_BOUNDS_INEXACT", BND + ".sphereRadius", BND + ".sphereRadius")])
bad("bnd0_3_negative_radius", patch=[(BND + ".sphereRadius", "f", -9)],
    expect=[("W", "GOM_BOUNDS_SPHERE", "MSH0[0].VB0.vertex[%d].position" % i, "MSH0[0].VB0.vertex[%d].position" % i) for i in range(4)] +
           [("C", "GOM_BOUNDS_INEXACT", BND + ".sphereRadius", BND + ".sphereRadius")])
bad("bnd0_4_larger", patch=[(BND + ".aabbMin[0]", "f", -5), (BND + ".sphereRadius", "f", 9)],
    expect=[("C", "GOM_BOUNDS_INEXACT", BND + f, BND + f) for f in (".aabbMin[0]", ".sphereRadius")])
bad("gbtm2_mirrors", change=lambda d: d.parts[1].update(gbtm=[-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
    expect=[("W", "GOM_PLACEMENT_MIRRORS", "MSH0[1].GBTM", "MSH0[1].GBTM#payload")])
bad("gbtm2_singular", change=lambda d: d.parts[1].update(gbtm=[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    expect=[("W", "GOM_PLACEMENT_MIRRORS", "MSH0[1].GBTM", "MSH0[1].GBTM#payload")])
bad("gbtm3_identity", change=lambda d: d.parts[1].update(gbtm=list(IDENTITY)), expect=[("C", "GOM_PLACEMENT_IDENTITY", "MSH0[1].GBTM", "MSH0[1].GBTM#payload")])

# --- weights ------------------------------------------------------------------------------------------------------------------

W0 = V0 + ".boneWeight"
bad("weight3_sum", change=lambda d: weights(d, 0, 0, (1, 0, 0, 0), (0.75, 0.2502, 0, 0)), expect=one("E", "GOM_WEIGHT_SUM", W0))
bad("weight3_zero", change=lambda d: weights(d, 0, 0, (0, 0, 0, 0), (0, 0, 0, 0)), expect=one("E", "GOM_WEIGHT_SUM", W0))
bad("weight4_negative", change=lambda d: weights(d, 0, 0, (1, 0, 0, 0), (1.25, 0, 0, -0.25)), expect=one("E", "GOM_WEIGHT_NEGATIVE", W0 + "[3]"))
bad("weight5_inexact", change=lambda d: weights(d, 0, 0, (1, 0, 0, 0), (0.75, 0.25001, 0, 0)), expect=one("W", "GOM_WEIGHT_SUM_INEXACT", W0))
bad("weight6_twice", change=lambda d: weights(d, 0, 0, (1, 1, 0, 0), (0.75, 0.25, 0, 0)), expect=one("W", "GOM_WEIGHT_BONE_TWICE", V0 + ".boneIndex[1]"))
bad("weight7_ascending", change=lambda d: weights(d, 0, 0, (1, 0, 0, 0), (0.25, 0.75, 0, 0)), expect=one("C", "GOM_WEIGHT_ORDER", W0))
bad("weight7_tie", change=lambda d: weights(d, 0, 0, (1, 0, 0, 0), (0.5, 0.5, 0, 0)), expect=one("C", "GOM_WEIGHT_ORDER", W0))
bad("weight7_zero_names_bone", change=lambda d: weights(d, 0, 0, (1, 0, 0, 1), (0.75, 0.25, 0, 0)), expect=one("C", "GOM_WEIGHT_ORDER", W0))

# --- clips --------------------------------------------------------------------------------------------------------------------

bad("anim2_more", patch=[("ANIM.clipCount", "I", 3)], expect=one("E", "GOM_CLIP_COUNT", "ANIM.clipCount"))
bad("anim2_fewer", patch=[("ANIM.clipCount", "I", 1)], expect=one("E", "GOM_CLIP_COUNT", "ANIM.clipCount"))
bad("anim2_no_anim", chunks=without("ANIM"), expect=[("E", "GOM_CLIP_COUNT", "ANIM.clipCount", "end")])


def same_names(d):
    d.clips[0]["name"] = "Wave"


bad("anim3_twice", change=same_names, expect=one("E", "GOM_CLIP_NAME_TWICE", "CLP0[1].nameId"))
bad("anim4_order", change=lambda d: d.clips.reverse(), expect=one("C", "GOM_CLIP_ORDER", "CLP0[1].nameId"))


def anim_without_clips():
    d = empty()
    d.anim_without_clips = True
    return d


bad("anim5_empty", anim_without_clips(), expect=[("C", "GOM_ANIM_EMPTY", "ANIM", "ANIM")])


def cut_clip(size):
    def change(chunks):
        del find(chunks, WAVE).data[size:]
    return change


bad("clp0_1_head", chunks=cut_clip(20), expect=[("E", "GOM_CLIP_SIZE", WAVE, WAVE + "#size")])
bad("clp0_1_more_tracks", patch=[(WAVE + ".trackCount", "I", 3)], expect=[("E", "GOM_CLIP_SIZE", WAVE + ".track[2]", WAVE + "#end")])
bad("clp0_1_more_keys", patch=[(WAVE + ".track[1].scKeyCount", "I", 2)], expect=[("E", "GOM_CLIP_SIZE", WAVE + ".track[1]", WAVE + ".track[1]")])
bad("clp0_1_surplus", chunks=lambda c: find(c, WAVE).data.extend(bytes(4)), expect=[("E", "GOM_CLIP_SIZE", WAVE, WAVE + "#size")])
bad("clp0_2_duration", patch=[("CLP0[0].duration", "f", -1)], expect=one("E", "GOM_CLIP_DURATION", "CLP0[0].duration"))
bad("clp0_3_root", patch=[(WAVE + ".rootBoneIndex", "i", 2)], expect=one("E", "GOM_ROOT_BONE", WAVE + ".rootBoneIndex"))
bad("clp0_3_root_negative", patch=[(WAVE + ".rootBoneIndex", "i", -2)], expect=one("E", "GOM_ROOT_BONE", WAVE + ".rootBoneIndex"))
bad("clp0_3_no_skeleton", clip_without_skeleton(), patch=[("CLP0[0].rootBoneIndex", "i", 0)], expect=one("E", "GOM_ROOT_BONE", "CLP0[0].rootBoneIndex"))
bad("clp0_4_mode", patch=[(WAVE + ".interpMode", "I", 2)], expect=one("E", "GOM_INTERPOLATION", WAVE + ".interpMode"))
bad("clp0_5_flags", patch=[(WAVE + ".flags", "I", 4)], expect=one("W", "GOM_CLIP_FLAGS", WAVE + ".flags"))
bad("clp0_6_bone", patch=[(WAVE + ".track[1].boneIndex", "I", 2)], expect=one("E", "GOM_TRACK_BONE", WAVE + ".track[1].boneIndex"))
bad("clp0_6_no_skeleton", clip_without_skeleton(), change=lambda d: d.clips[0].update(tracks=[{"bone": 0, "tr": [(0, [0, 0, 0])]}]),
    expect=one("E", "GOM_TRACK_BONE", "CLP0[0].track[0].boneIndex"))
bad("clp0_7_twice", patch=[(WAVE + ".track[1].boneIndex", "I", 0)], expect=one("E", "GOM_TRACK_TWICE", WAVE + ".track[1].boneIndex"))
KEY = WAVE + ".track[0].trKey"
bad("clp0_8_equal_times", patch=[(KEY + "[1].time", "f", 0)], expect=one("E", "GOM_KEY_TIME", KEY + "[1].time"))
bad("clp0_8_backwards", patch=[(KEY + "[1].time", "f", 1.5), (KEY + "[2].time", "f", 1)], expect=one("E", "GOM_KEY_TIME", KEY + "[2].time"))
bad("clp0_8_negative", patch=[(KEY + "[0].time", "f", -0.5)], expect=one("E", "GOM_KEY_TIME", KEY + "[0].time"))
bad("clp0_8_late", patch=[(WAVE + ".track[1].scKey[0].time", "f", 1.5000001)], expect=one("E", "GOM_KEY_TIME", WAVE + ".track[1].scKey[0].time"))
bad("clp0_9_loop", patch=[(WAVE + ".flags", "I", 2), (KEY + "[2].value[0]", "f", 1)],
    expect=[("W", "GOM_LOOP_OPEN", KEY + "[2].value", KEY + "[2].value"),
            ("W", "GOM_LOOP_OPEN", WAVE + ".track[1].rotKey[1].value", WAVE + ".track[1].rotKey[1].value")])
bad("clp0_10_no_bone", patch=[(WAVE + ".flags", "I", 1)], expect=one("W", "GOM_ROOT_MOTION", WAVE + ".rootBoneIndex"))
bad("clp0_10_with_parent", patch=[(WAVE + ".flags", "I", 1), (WAVE + ".rootBoneIndex", "i", 1)], expect=one("W", "GOM_ROOT_MOTION", WAVE + ".rootBoneIndex"))
bad("clp0_11_order", change=lambda d: d.clips[1]["tracks"].reverse(), expect=one("C", "GOM_TRACK_ORDER", WAVE + ".track[1].boneIndex"))
bad("clp0_12_empty", change=lambda d: d.clips[1].update(tracks=[{"bone": 1}]), expect=one("C", "GOM_TRACK_EMPTY", WAVE + ".track[0]"))


def rotations(*values):
    def change(d):
        d.clips[1]["tracks"] = [{"bone": 1, "rot": [(0.25 * i, list(v)) for i, v in enumerate(values)]}]
    return change


ROT = WAVE + ".track[0].rotKey"
bad("clp0_13_inexact", change=rotations((0, 0, 0, 1.00001)), expect=one("C", "GOM_QUATERNION_INEXACT", ROT + "[0].value"))
good("clp0_13_within", change=rotations((0, 0, 0, 1.0000008)))
bad("clp0_14_first_w", change=rotations((0, 0, 0, -1)), expect=one("C", "GOM_QUATERNION_SIGN", ROT + "[0].value"))
bad("clp0_14_first_x", change=rotations((-1, 0, 0, 0)), expect=one("C", "GOM_QUATERNION_SIGN", ROT + "[0].value"))
bad("clp0_14_second", change=rotations((0, 0, 0, 1), (0, 0, 1, 0), (0, 0, -1, 0)), expect=one("C", "GOM_QUATERNION_SIGN", ROT + "[2].value"))
bad("clp0_14_settled_before", change=rotations((0, 0, 0, -1), (0, 0, 0, 1)), expect=one("C", "GOM_QUATERNION_SIGN", ROT + "[0].value"))
good("clp0_14_dot_zero", change=rotations((0, 0, 0, 1), (0, 0, -1, 0), (0, 0, -1, 0)))
bad("conv_quat2_zero", change=rotations((0, 0, 0, 0)), expect=one("E", "GOM_QUATERNION_ZERO", ROT + "[0].value"))
bad("conv_quat2_tiny", change=rotations((0, 9e-7, 0, 0)), expect=one("E", "GOM_QUATERNION_ZERO", ROT + "[0].value"))
bad("conv_quat3_length", change=rotations((0, 0, 0, 1.0002)), expect=one("W", "GOM_QUATERNION_LENGTH", ROT + "[0].value"))
bad("conv_quat3_short", change=rotations((0, 2e-6, 0, 0)), expect=one("W", "GOM_QUATERNION_LENGTH", ROT + "[0].value"))

# --- validation ---------------------------------------------------------------------------------------------------------------

FLAGS = ("E", "GOM_FLAG_FALSE", "header.validationFlags", "header.validationFlags")


def claims(flags, change=None):
    def apply(d):
        d.flags = flags
        if change:
            change(d)
    return apply


def shifted_bind(d):
    d.parts[0]["inverse_bind"][1] = translation(0, -1.0001, 0)


def nearly_bound(d):
    d.parts[0]["inverse_bind"][1] = translation(0, -1.000009, 0)


bad("flag1_bind", change=claims(1, shifted_bind), expect=[FLAGS])
good("flag1_bind_within", change=claims(1, nearly_bound))
bad("flag1_weights", change=claims(2, lambda d: weights(d, 0, 0, (1, 0, 0, 0), (0.25, 0.75, 0, 0))),
    expect=[FLAGS, ("C", "GOM_WEIGHT_ORDER", W0, W0)])
bad("flag1_weight_sum", change=claims(2, lambda d: weights(d, 0, 0, (1, 0, 0, 0), (0.75, 0.25001, 0, 0))),
    expect=[FLAGS, ("W", "GOM_WEIGHT_SUM_INEXACT", W0, W0)])
bad("flag1_cover", change=claims(4, lambda d: d.parts[0].update(submeshes=[(0, 0, 3)])),
    expect=[FLAGS, ("E", "GOM_SUBMESH_COVER", SUB, SUB + ".count")])
bad("flag1_indices", change=claims(8), patch=[("MSH0[0].IB0.index[4]", "I", 4)],
    expect=[FLAGS, ("E", "GOM_INDEX_RANGE", "MSH0[0].IB0.index[4]", "MSH0[0].IB0.index[4]")])
bad("flag1_bones", change=claims(16), patch=[(V0 + ".boneIndex[1]", "H", 2)],
    expect=[FLAGS, ("E", "GOM_VERTEX_BONE", V0 + ".boneIndex[1]", V0 + ".boneIndex[1]")])
bad("flag1_materials", change=claims(32), patch=[(SUB + ".submesh[1].materialIndex", "i", 2)],
    expect=[FLAGS, ("E", "GOM_SUBMESH_MATERIAL", SUB + ".submesh[1].materialIndex", SUB + ".submesh[1].materialIndex")])
bad("flag2_unknown", change=claims(64), expect=one("W", "GOM_FLAG_UNKNOWN", "header.validationFlags"))
bad("flag3_bind", change=shifted_bind, expect=one("W", "GOM_BIND_POSE", "MSH0[0].IBND.inverseBind[1]"))

# --- the earlier generation -----------------------------------------------------------------------------------------------------


def lenient(name, warnings, contents, doc=None, strict="refused", **kwargs):
    case("lenient", name, doc, expect=[], warnings=warnings, contents=contents, strict=strict, **kwargs)


def old_header(b):
    b = bytearray(b)
    offset, count = struct.unpack_from("<QI", b, 64)
    struct.pack_into("<III", b, 64, offset, count, 0)
    return bytes(b)


lenient("old2_table_offset", ["GOM_OLD_TABLE"], "good/full.gom", raw=old_header, change=lambda d: set_all(d, 63))


def rename(part, name, fourcc):
    def change(chunks):
        child(chunks, part, name).fourcc = fourcc
    return change


for part, name, fourcc in (("MSH0[0]", "VB0", b"VB0 "), ("MSH0[1]", "VB0", b"VB00"), ("MSH0[0]", "IB0", b"IB0 "), ("MSH0[1]", "IB0", b"IB00")):
    lenient("old3_fourcc_" + fourcc.decode().strip().lower() + ("_space" if fourcc.endswith(b" ") else ""), ["GOM_OLD_FOURCC"], "good/full.gom",
            chunks=rename(part, name, fourcc), change=lambda d: set_all(d, 63))


def old_strings(chunks):
    c = find(chunks, "STR0")
    strings = full().strings()
    data = b"".join(strings)
    head, at = struct.pack("<I", len(strings)), 0
    for s in strings:
        head += struct.pack("<I", at)
        at += len(s)
    c.data, c.labels = bytearray(head + struct.pack("<I", len(data)) + data), {}


lenient("old4_strings", ["GOM_OLD_STRINGS"], "good/full.gom", chunks=old_strings, change=lambda d: set_all(d, 63))


def old_strings_nul(chunks):
    c = find(chunks, "STR0")
    data = c.labels["data"]
    c.data[data:data] = struct.pack("<I", len(c.data) - data)
    c.labels = {}


def lower_first(d):
    set_all(d, 63)


lenient("old4_strings_with_nul", ["GOM_OLD_STRINGS"], "good/full.gom", chunks=old_strings_nul, change=lower_first)


def unsorted(d):
    """Tip, then Root: the parent follows its child."""
    set_all(d, 63)
    d.bones = [dict(d.bones[1], parent=1), dict(d.bones[0])]
    p = d.parts[0]
    p["inverse_bind"].reverse()
    for v in p["vertices"]:
        v["bi"] = [1 - b if w else 1 for b, w in zip(v["bi"], v["bw"])]
    for t in d.clips[1]["tracks"]:
        t["bone"] = 1 - t["bone"]
    d.clips[1]["tracks"].reverse()


lenient("old5_unsorted_bones", ["GOM_OLD_BONE_ORDER"], "good/full.gom", change=unsorted)


def default_materials():
    d = no_skeleton()
    d.materials = [material("DefaultMaterial")]
    d.parts[0]["submeshes"] = [(0, 0, 3)]
    return d


good("default_material", default_materials())
lenient("old6_no_materials", ["GOM_OLD_NO_MATERIALS"], "good/default_material.gom", default_materials(), chunks=without("MATL"))


def third_slot(d):
    d.parts[0]["submeshes"] = [(2, 0, 3)]


lenient("old6_no_materials_third_slot", ["GOM_OLD_NO_MATERIALS"], "good/default_material.gom", default_materials(), change=third_slot, chunks=without("MATL"))


def siblings(chunks):
    out = []
    for c in chunks:
        out.append(c)
        if c.children is not None:
            out += c.children
            c.children = None
    chunks[:] = out


lenient("old7_siblings", ["GOM_OLD_SIBLINGS"], "good/full.gom", chunks=siblings, change=lambda d: set_all(d, 63))


def headless(part, name):
    def change(chunks):
        c = child(chunks, part, name)
        del c.data[:16]
        c.labels = {}
    return change


lenient("old8_vb0_without_head", ["GOM_OLD_BUFFERS"], "good/full.gom", chunks=headless("MSH0[0]", "VB0"), change=lambda d: set_all(d, 63))
lenient("old8_ib0_without_head", ["GOM_OLD_BUFFERS"], "good/full.gom", chunks=headless("MSH0[0]", "IB0"), change=lambda d: set_all(d, 63))


def bind_chunk(prefix):
    def change(chunks):
        c = child(chunks, "MSH0[0]", "BND0")
        c.data, c.labels = bytearray(prefix), {}
        for b in full().bones:
            c.data += struct.pack("<16f", *b["bind"])
    return change


# A strict loader ignores a BND0 of that size (GOM-BND0-1).
lenient("old9_bind_chunk", ["GOM_OLD_BIND_CHUNK"], "good/full.gom", chunks=bind_chunk(b""), change=lambda d: set_all(d, 63), strict="accepted")
lenient("old9_bind_chunk_with_count", ["GOM_OLD_BIND_CHUNK"], "good/full.gom", chunks=bind_chunk(struct.pack("<I", 2)), change=lambda d: set_all(d, 63),
        strict="accepted")


def nested(aligned):
    def change(chunks):
        anim = find(chunks, "ANIM")
        clips = [c for c in chunks if c.name.startswith("CLP0")]
        chunks[:] = [c for c in chunks if not c.name.startswith("CLP0")]
        for c in clips:
            if aligned:   # ANIM's payload begins at a multiple of 16 of the file
                anim.data += bytes(-len(anim.data) % 16)
            anim.data += c.fourcc + struct.pack("<III", len(c.data), 1, 0) + c.data
    return change


lenient("old10_nested_clips", ["GOM_OLD_NESTED_CLIPS"], "good/full.gom", chunks=nested(False), change=lambda d: set_all(d, 63))
lenient("old10_nested_clips_aligned", ["GOM_OLD_NESTED_CLIPS"], "good/full.gom", chunks=nested(True), change=lambda d: set_all(d, 63))


def joint_keys():
    d = full()
    d.clips[1].update(flags=2, root=0, tracks=[
        {"bone": 1, "tr": [(0, [0, 1, 0]), (0.5, [0, 2, 0]), (1, [0, 1, 0])], "rot": [(t, [0, 0, 0, 1]) for t in (0, 0.5, 1)],
         "sc": [(t, [1, 1, 1]) for t in (0, 0.5, 1)]}])
    return d


good("joint_keys", joint_keys())


def old_keys(chunks):
    c = find(chunks, WAVE)
    clip = joint_keys().clips[1]
    c.data = bytearray(c.data[:8] + struct.pack("<fiII", 30, clip["root"], clip["flags"], len(clip["tracks"])))
    for t in clip["tracks"]:
        c.data += struct.pack("<iI", t["bone"], len(t["tr"]))
        for (time, tr), (_, rot), (_, sc) in zip(t["tr"], t["rot"], t["sc"]):
            c.data += struct.pack("<11f", time, *tr, *rot, *sc)
    c.labels = {}


lenient("old11_joint_keys", ["GOM_OLD_KEYS"], "good/joint_keys.gom", joint_keys(), chunks=old_keys)


def everything(chunks):
    for part in ("MSH0[0]", "MSH0[1]"):
        for name in ("VB0", "IB0"):
            headless(part, name)(chunks)
        rename(part, "VB0", b"VB0 ")(chunks)
        rename(part, "IB0", b"IB0 ")(chunks)
    bind_chunk(b"")(chunks)
    siblings(chunks)
    old_strings(chunks)
    old_keys(chunks)
    nested(False)(chunks)


lenient("old_all_at_once", ["GOM_OLD_STRINGS", "GOM_OLD_SIBLINGS", "GOM_OLD_FOURCC", "GOM_OLD_BUFFERS", "GOM_OLD_BIND_CHUNK", "GOM_OLD_NESTED_CLIPS",
                            "GOM_OLD_KEYS"], "good/joint_keys.gom", joint_keys(), chunks=everything)
lenient("ext3_unknown_chunks", ["GOM_CHUNK_DROPPED", "GOM_CHUNK_DROPPED"], "good/full.gom", strict="accepted",
        chunks=lambda c: (insert(2, "XTRA", "XTRA")(c), insert_child("MSH0[0]", 2, "UVS1", "UVS1")(c)), change=lambda d: set_all(d, 63))


# --- blend shapes (morph.md) ----------------------------------------------------------------------------------------------------

def shaped(**channel):
    """shapes() with another first channel."""
    d = shapes()
    d.channels[0].update(channel)
    return d


def shapes_alone():
    """A channel that moves nothing, and one unskinned part."""
    d = empty()
    d.parts = [full().parts[1]]
    d.parts[0]["submeshes"] = [(0, 0, 3)]
    d.channels = [{"name": "Nothing", "default": -1.5, "shapes": [1]}]
    return d


def no_parts():
    d = shapes_alone()
    d.parts = []
    return d


def no_channels(chunks):
    c = Chunk("MRPC", "MRPC")
    c.put("I", 0, "channelCount")
    c.put("I", 0, "shapeCount")
    chunks.insert(3, c)


def moved(moves):
    d = shapes()
    d.parts[0]["morphs"][0]["moves"] = moves
    return d


def weighted(tracks):
    d = shapes()
    d.clips[1]["weights"] = tracks
    return d


def empty_mrpa(chunks):
    c = Chunk("CLP0[0].MRPA", "MRPA")
    c.put("I", 0, "trackCount")
    c.put("I", 0, "reserved")
    chunks.insert(next(i for i, x in enumerate(chunks) if x.name == "CLP0[0]") + 1, c)


def behind_anim(chunks):
    c = find(chunks, MRPA)
    chunks.remove(c)
    c.name = "MRPA"
    chunks.insert(next(i for i, x in enumerate(chunks) if x.name == "ANIM") + 1, c)


def inside_part(chunks):
    c = find(chunks, "MRPC")
    chunks.remove(c)
    find(chunks, "MSH0[0]").children.append(c)


def again_chunk(chunks, name):
    c = find(chunks, name)
    twin = Chunk(name + "*", name)
    twin.data = c.data
    return twin


def morphs_first(chunks):
    c = find(chunks, "MSH0[1]")
    c.children.insert(0, c.children.pop())


MRPA = WAVE + ".MRPA"
H = "MSH0[0].MRPH[1]"
good("shapes", shapes())
good("shapes_alone", shapes_alone())
good("shapes_looping", shapes(), change=lambda d: d.clips[1].update(flags=2, tracks=[]))
bad("mrpc1_more_channels", shapes(), patch=[("MRPC.channelCount", "I", 3)], expect=[("E", "GOM_CHUNK_SIZE", "MRPC", "MRPC#size")])
bad("mrpc1_fewer_shapes", shapes(), patch=[("MRPC.shapeCount", "I", 3)], expect=[("E", "GOM_CHUNK_SIZE", "MRPC", "MRPC#size")])
bad("mrpc1_head", shapes_alone(), chunks=lambda c: find(c, "MRPC").data.__delitem__(slice(4, None)), expect=[("E", "GOM_CHUNK_SIZE", "MRPC", "MRPC#size")])
bad("mrpc2_fewer", shapes(), patch=[("MRPC.channel[1].shapeEnd", "I", 3)], expect=one("E", "GOM_MORPH_SHAPES", "MRPC.shapeCount") + one("E", "GOM_MORPH_CHANNEL", "MSH0[0].MRPH[2].shape"))
bad("mrpc3_no_shape", shapes_alone(), change=lambda d: d.channels.append({"name": "Z", "default": 0, "shapes": []}),
    expect=one("E", "GOM_MORPH_NO_SHAPE", "MRPC.channel[1].shapeEnd"))
bad("mrpc4_order", shapes_alone(), change=lambda d: d.channels.append({"name": "A", "default": 0, "shapes": [1]}),
    expect=one("E", "GOM_MORPH_CHANNEL_ORDER", "MRPC.channel[1].nameId"))
bad("mrpc4_twice", shaped(name="Smile"), expect=one("E", "GOM_MORPH_CHANNEL_ORDER", "MRPC.channel[1].nameId"))
bad("mrpc4_no_name", shaped(name=""), expect=one("E", "GOM_NAME_MISSING", "MRPC.channel[0].nameId"))
bad("mrpc4_name_id", shapes(), patch=[("MRPC.channel[0].nameId", "I", 99)], expect=one("E", "GOM_STRING_ID", "MRPC.channel[0].nameId"))
bad("mrpc5_zero", shapes(), patch=[("MRPC.channel[0].shapeWeight[0]", "f", 0)], expect=one("E", "GOM_MORPH_SHAPE_WEIGHT", "MRPC.channel[0].shapeWeight[0]"))
bad("mrpc5_equal", shaped(shapes=[1, 1]), expect=one("E", "GOM_MORPH_SHAPE_WEIGHT", "MRPC.channel[0].shapeWeight[1]"))
bad("mrpc5_infinite", shaped(shapes=[0.5, INF]), expect=one("E", "GOM_NOT_FINITE", "MRPC.channel[0].shapeWeight[1]"))
bad("mrpc5_default_nan", shaped(default=NAN), expect=one("E", "GOM_NOT_FINITE", "MRPC.channel[0].defaultWeight"))
bad("mrpc6_no_channel", chunks=no_channels, expect=one("C", "GOM_MORPH_CHANNELS_EMPTY", "MRPC"))
bad("mrpc6_no_part", no_parts(), expect=one("C", "GOM_MORPH_CHANNELS_EMPTY", "MRPC"))
bad("mrpc6_order", shapes_alone(), chunks=lambda c: c.append(c.pop(2)), expect=one("C", "GOM_CHUNK_ORDER", "MRPC"))
bad("mrpc_inside_part", shapes_alone(), chunks=inside_part, expect=one("E", "GOM_CHUNK_MISPLACED", "MSH0[0].MRPC"))
bad("mrph_at_top", shapes_alone(), chunks=lambda c: c.insert(2, Doc.mrph(0, shapes().parts[0]["morphs"][0])),
    expect=[("E", "GOM_CHUNK_MISPLACED", "MRPH", "MRPH[0]")])
bad("mrpc_version", shapes_alone(), patch=[("MRPC#version", "I", 2)], expect=[("E", "GOM_CHUNK_VERSION", "MRPC", "MRPC#version")])
bad("mrpc_flags", shapes_alone(), patch=[("MRPC#flags", "I", 1)], expect=[("W", "GOM_CHUNK_FLAGS", "MRPC", "MRPC#flags")])
bad("mrpc_twice", shapes_alone(), chunks=lambda c: c.insert(3, again_chunk(c, "MRPC")), expect=[("E", "GOM_CHUNK_TWICE", "MRPC", "MRPC*")])
bad("mrph1_more", shapes(), patch=[(H + ".vertexCount", "I", 3)], expect=[("E", "GOM_CHUNK_SIZE", H, H + "#size")])
bad("mrph1_fewer", shapes(), patch=[(H + ".vertexCount", "I", 1)], expect=[("E", "GOM_CHUNK_SIZE", H, H + "#size")])
bad("mrph2_channel", shapes(), patch=[("MSH0[1].MRPH[0].channel", "I", 2)], expect=one("E", "GOM_MORPH_CHANNEL", "MSH0[1].MRPH[0].channel"))
bad("mrph2_shape", shapes(), patch=[("MSH0[1].MRPH[0].shape", "I", 2)], expect=one("E", "GOM_MORPH_CHANNEL", "MSH0[1].MRPH[0].shape"))
bad("mrph3_twice", shapes(), patch=[(H + ".shape", "I", 0)], expect=one("E", "GOM_MORPH_ORDER", H + ".channel"))
bad("mrph3_order", shapes(), change=lambda d: d.parts[0]["morphs"].reverse(),
    expect=one("E", "GOM_MORPH_ORDER", H + ".channel") + one("E", "GOM_MORPH_ORDER", "MSH0[0].MRPH[2].channel"))
bad("mrph4_beyond", shapes(), patch=[(H + ".vertex[1]", "I", 4)], expect=one("E", "GOM_MORPH_VERTEX", H + ".vertex[1]"))
bad("mrph4_twice", shapes(), patch=[(H + ".vertex[1]", "I", 1)], expect=one("E", "GOM_MORPH_VERTEX", H + ".vertex[1]"))
bad("mrph4_descending", shapes(), patch=[(H + ".vertex[1]", "I", 0)], expect=one("E", "GOM_MORPH_VERTEX", H + ".vertex[1]"))
bad("mrph5_infinite", shapes(), patch=[(H + ".position[1][2]", "f", INF)], expect=one("E", "GOM_NOT_FINITE", H + ".position[1][2]"))
bad("mrph5_nan", shapes(), patch=[(H + ".normal[0][0]", "f", NAN)], expect=one("E", "GOM_NOT_FINITE", H + ".normal[0][0]"))
bad("mrph6_reserved", shapes(), patch=[(H + ".reserved", "I", 1)], expect=one("W", "GOM_MORPH_RESERVED", H + ".reserved"))
bad("mrph7_no_vertex", moved([]), expect=one("C", "GOM_MORPH_EMPTY", "MSH0[0].MRPH[0]"))
bad("mrph7_still", moved([(1, [0, 0, 0], [0, 0, 0]), (2, [1, 0, 0], [0, 0, 0])]), expect=one("C", "GOM_MORPH_EMPTY", "MSH0[0].MRPH[0].vertex[0]"))
bad("mrph7_negative_zero", moved([(1, [0, -0.0, 1], [0, 0, 0])]), expect=one("C", "GOM_NEGATIVE_ZERO", "MSH0[0].MRPH[0].position[0][1]"))
bad("mrph8_order", shapes(), chunks=morphs_first, expect=one("C", "GOM_MORPH_PLACE", "MSH0[1].VB0") + one("C", "GOM_MORPH_PLACE", "MSH0[1].IB0") +
    one("C", "GOM_MORPH_PLACE", "MSH0[1].SUB0") + one("C", "GOM_MORPH_PLACE", "MSH0[1].IBND") + one("C", "GOM_MORPH_PLACE", "MSH0[1].BND0") +
    one("C", "GOM_MORPH_PLACE", "MSH0[1].GBTM"))
bad("mrph_without_mrpc", shapes_alone(), change=lambda d: (d.channels.clear(), d.parts[0].update(morphs=[{"channel": 0, "shape": 0, "moves": [(0, [1, 0, 0], [0, 0, 0])]}])),
    expect=one("E", "GOM_MORPH_CHANNEL", "MSH0[0].MRPH[0].channel"))
bad("mrpa1_behind_anim", shapes(), chunks=behind_anim, expect=one("E", "GOM_MORPH_WITHOUT_CLIP", "MRPA"))
bad("mrpa2_head", shapes(), chunks=lambda c: find(c, MRPA).data.__delitem__(slice(4, None)), expect=[("E", "GOM_CLIP_SIZE", MRPA, MRPA + "#size")])
bad("mrpa2_more_tracks", shapes(), patch=[(MRPA + ".trackCount", "I", 3)], expect=[("E", "GOM_CLIP_SIZE", MRPA + ".track[2]", MRPA + "#end")])
bad("mrpa2_more_keys", shapes(), patch=[(MRPA + ".track[1].keyCount", "I", 2)], expect=[("E", "GOM_CLIP_SIZE", MRPA + ".track[1]", MRPA + ".track[1]")])
bad("mrpa2_surplus", shapes(), chunks=lambda c: find(c, MRPA).data.extend(bytes(4)), expect=[("E", "GOM_CLIP_SIZE", MRPA, MRPA + "#size")])
bad("mrpa3_channel", shapes(), patch=[(MRPA + ".track[1].channel", "I", 2)], expect=one("E", "GOM_MORPH_TRACK_CHANNEL", MRPA + ".track[1].channel"))
bad("mrpa3_twice", shapes(), patch=[(MRPA + ".track[1].channel", "I", 0)], expect=one("E", "GOM_MORPH_TRACK_ORDER", MRPA + ".track[1].channel"))
bad("mrpa3_order", weighted([(1, [(0, 1)]), (0, [(0, 1)])]), expect=one("E", "GOM_MORPH_TRACK_ORDER", MRPA + ".track[1].channel"))
bad("mrpa4_late", shapes(), patch=[(MRPA + ".track[0].key[2].time", "f", 1.75)], expect=one("E", "GOM_KEY_TIME", MRPA + ".track[0].key[2].time"))
bad("mrpa4_negative", shapes(), patch=[(MRPA + ".track[0].key[0].time", "f", -1)], expect=one("E", "GOM_KEY_TIME", MRPA + ".track[0].key[0].time"))
bad("mrpa4_equal", shapes(), patch=[(MRPA + ".track[0].key[1].time", "f", 0)], expect=one("E", "GOM_KEY_TIME", MRPA + ".track[0].key[1].time"))
bad("mrpa4_infinite", shapes(), patch=[(MRPA + ".track[1].key[0].value", "f", INF)], expect=[("E", "GOM_NOT_FINITE", MRPA + ".track[1].key[0].value[0]", MRPA + ".track[1].key[0].value")])
bad("mrpa5_reserved", shapes(), patch=[(MRPA + ".reserved", "I", 1)], expect=one("W", "GOM_MORPH_TRACK_RESERVED", MRPA + ".reserved"))
bad("mrpa6_loop", weighted([(0, [(0, 0), (1, 1)])]), change=lambda d: d.clips[1].update(flags=2, tracks=[]),
    expect=[("W", "GOM_LOOP_OPEN", MRPA + ".track[0].key[1].value", MRPA + ".track[0].key[1].value")])
bad("mrpa7_no_key", weighted([(0, []), (1, [(0, 1)])]), expect=one("C", "GOM_MORPH_TRACK_EMPTY", MRPA + ".track[0]"))
bad("mrpa7_no_track", chunks=empty_mrpa, expect=[("C", "GOM_MORPH_TRACK_EMPTY", "CLP0[0].MRPA", "CLP0[0].MRPA")])


# ------------------------------------------------------------------------------------------------------------------------------

def write(folder, name, extension, data, report):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + "." + extension), "wb") as f:
        f.write(data)
    with open(os.path.join(folder, name + ".report.json"), "w", encoding="utf-8", newline="\n") as f:
        json.dump(report, f, indent=1, ensure_ascii=True)
        f.write("\n")


CHECKER_ONLY = ("GOM_TABLE_DISAGREES", "GOM_FLAG_FALSE")


def main(extension):
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), extension)
    seen = set()
    for folder, name, doc, change, chunks_change, patches, raw, expect, more in cases:
        assert (folder, name) not in seen, name
        seen.add((folder, name))
        doc = doc.copy()
        if change:
            change(doc)
        chunks = doc.chunks()
        if chunks_change:
            chunks_change(chunks)
        file = assemble(doc, chunks)
        for label, form, value in patches:
            file.patch(label, form, value)
        if raw:
            file.data = raw(bytes(file.data))
        issues = [{"id": i, "severity": SEVERITY[s], "part": part, "byte": file.offset(byte)} for s, i, part, byte in expect]
        loads = not any(s == "E" and i not in CHECKER_ONLY for s, i, _, _ in expect)
        if folder == "lenient":
            report = {"strict": more["strict"], "warnings": more["warnings"], "contents": more["contents"]}
        else:
            report = {"loads": loads, "issues": issues}
        write(os.path.join(out, folder), name, extension, bytes(file.data), report)
    print("%d files" % len(cases))


if __name__ == "__main__":
    main("gom")
