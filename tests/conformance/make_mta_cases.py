#!/usr/bin/env python3
"""Writes tests/conformance/mta: motion files that keep or break each rule of docs/spec/mta.md and those of gom.md that hold for them
too, and beside each the findings it must give. Folders and options are those of make_gom_cases.py.

usage: make_mta_cases.py [OUTPUT_FOLDER]      (default: the mta folder beside this file)
A rerun gives the same bytes; a test compares.
"""
import struct

import make_gom_cases as gom
from gom_builder import NONE, full, motion
from make_gom_cases import INF, NAN, again, case, cut_clip, find, insert, no_table, one, rotations, swap, without

cases = gom.cases
cases.clear()
WAVE = "CLP0[1]"


def bad(name, doc=None, **kwargs):
    case("bad", name, doc or motion(), **kwargs)


def good(name, doc=None, **kwargs):
    case("good", name, doc or motion(), **kwargs)


# --- good ---------------------------------------------------------------------------------------------------------------------

good("full")
good("no_version", change=lambda d: setattr(d, "version", ""))


def no_clips(d):
    d.clips = []


good("chunk4_no_clips", change=no_clips)                                                        # MTA-CHUNK-4


def nothing(d):
    d.clips, d.version = [], ""


good("chunk4_no_clips_no_strings", change=nothing)


def last_bones(d):
    """Without the model nothing but the limit is known; the limit itself is no index."""
    d.clips[1].update(root=4095)
    d.clips[1]["tracks"][1]["bone"] = 4095


good("bone1_below_the_limit", change=last_bones)
good("root_motion_of_any_bone", change=lambda d: d.clips[1].update(flags=1, root=1))            # whether it has a parent is not known
good("loop_closed", change=lambda d: d.clips[1].update(flags=2, tracks=[{"bone": 3, "tr": [(0, [0, 0, 0]), (1, [1, 0, 0]), (1.5, [0, 0, 0])]}]))
good("many_clips", change=lambda d: setattr(d, "clips", [{"name": "c%03d" % i, "duration": i, "tracks": []} for i in range(200)]))
good("unicode_names", change=lambda d: setattr(d, "clips", [{"name": n, "duration": 0, "tracks": []} for n in ("Arm", "arm", "é", "骨")]))
good("signature_of_any_bits", change=lambda d: setattr(d, "signature", bytes([255] * 32)))

# --- header -------------------------------------------------------------------------------------------------------------------

bad("gom_hdr1_cut_header", raw=lambda b: b[:300], expect=[("E", "GOM_TOO_SHORT", "header", 0)])
bad("gom_hdr1_magic_only", raw=lambda b: b[:8], expect=[("E", "GOM_TOO_SHORT", "header", 0)])
for magic in ("GOMB0001", "GOMT0001", "MTAB0002", "mtab0001"):
    bad("hdr1_magic_" + magic.replace("mta", "lower_mta").lower(), patch=[("header.magic", "8s", magic.encode())], expect=one("E", "MTA_MAGIC", "header.magic"))
bad("hdr1_model", full(), expect=one("E", "MTA_MAGIC", "header.magic"))
bad("hdr2_text", patch=[("header.magic", "8s", b"MTAT0001")], expect=one("E", "MTA_TEXT_FORM", "header.magic"))
bad("hdr2_short_text", raw=lambda b: b"MTAT0001\nEnd = true\n", expect=[("E", "MTA_TEXT_FORM", "header.magic", 0)])
bad("hdr3_flags", patch=[("header.validationFlags", "I", 1)], expect=one("W", "MTA_FLAGS", "header.validationFlags"))
bad("hdr3_undefined_flags", patch=[("header.validationFlags", "I", 1 << 31)], expect=one("W", "MTA_FLAGS", "header.validationFlags"))
bad("gom_hdr3_header_size", patch=[("header.headerSize", "I", 0)], expect=one("E", "GOM_HEADER_SIZE", "header.headerSize"))
bad("gom_hdr4_version", patch=[("header.formatVersion", "I", 2)], expect=one("E", "GOM_VERSION", "header.formatVersion"))
bad("gom_hdr5_coordinates", patch=[("header.coordinateSystem", "I", 2)], expect=one("E", "GOM_COORDINATE_SYSTEM", "header.coordinateSystem"))
bad("gom_hdr6_matrices", patch=[("header.matrixConvention", "I", 0)], expect=one("E", "GOM_MATRIX_CONVENTION", "header.matrixConvention"))
for name, at in (("first", 108), ("last", 511)):
    bad("gom_hdr7_reserved_" + name, patch=[(at, "B", 7)], expect=[("W", "GOM_HEADER_RESERVED", "header.reserved", at)])

# --- limits -------------------------------------------------------------------------------------------------------------------

for name, label, value in (("strings", "STR0.count", 1_000_001), ("clips", "ANIM.clipCount", 1_025), ("tracks", WAVE + ".trackCount", 8_193)):
    bad("gom_limit1_" + name, patch=[(label, "I", value)], expect=one("E", "GOM_LIMIT", label))
bad("gom_limit1_keys", patch=[(WAVE + ".track[1].rotKeyCount", "I", 1_000_000)], expect=one("E", "GOM_LIMIT", WAVE + ".track[1]"))

# --- chunks -------------------------------------------------------------------------------------------------------------------

bad("gom_chunk2_lower_case", patch=[("ANIM", "4s", b"aNIM")], expect=[("E", "GOM_FOURCC", "chunk[1]", "ANIM")])
bad("gom_chunk2_with_space", patch=[("ANIM", "4s", b"VB0 ")], expect=[("E", "GOM_FOURCC", "chunk[1]", "ANIM")])
bad("gom_chunk3_past_file", patch=[("CTBL#size", "I", 0xFFFFFFF0)], expect=[("E", "GOM_CHUNK_BOUNDS", "CTBL", "CTBL#size")])
bad("gom_chunk4_trailing", raw=lambda b: b + b"\0abc", expect=[("E", "GOM_TRAILING_BYTES", "", ("end", -4))])
bad("gom_chunk5_trailing_zeros", raw=lambda b: b + bytes(15), expect=[("W", "GOM_TRAILING_ZEROS", "", ("end", -15))])
bad("gom_chunk6_padding", patch=[(("ANIM#end", 1), "B", 255)], expect=[("W", "GOM_PADDING_NOT_ZERO", "ANIM", ("ANIM#end", 1))])
bad("gom_chunk7_padding_missing", change=no_table, chunks=lambda c: setattr(c[-1], "pad", False),
    expect=[("W", "GOM_PADDING_MISSING", "CLP0", "end"), ("C", "GOM_TABLE_PLACE", "CTBL", "end")])
for label in ("STR0", "ANIM", WAVE):
    bad("gom_chunk8_version_" + label[:4].lower(), patch=[(label + "#version", "I", 2)], expect=[("E", "GOM_CHUNK_VERSION", label, label + "#version")])
bad("gom_chunk9_flags", patch=[(WAVE + "#flags", "I", 4)], expect=[("W", "GOM_CHUNK_FLAGS", WAVE, WAVE + "#flags")])
for name in ("STR0", "ANIM"):
    bad("gom_chunk11_%s_twice" % name.lower(), chunks=again(name), expect=[("E", "GOM_CHUNK_TWICE", name, name + "*")])
bad("chunk1_no_str0", chunks=without("STR0"), expect=[("E", "MTA_CHUNK_MISSING", "STR0", "end")])
bad("chunk1_no_anim", change=no_clips, chunks=without("ANIM"), expect=[("E", "MTA_CHUNK_MISSING", "ANIM", "end")])
bad("chunk1_no_anim_but_clips", chunks=without("ANIM"),
    expect=[("E", "MTA_CHUNK_MISSING", "ANIM", "end"), ("E", "GOM_CLIP_COUNT", "ANIM.clipCount", "end")])
bad("chunk1_nothing", change=lambda d: setattr(d, "table", "none"), chunks=lambda c: c.clear(), patch=[("header.converterVersionStrId", "I", NONE)],
    expect=[("E", "MTA_CHUNK_MISSING", "STR0", "end"), ("E", "MTA_CHUNK_MISSING", "ANIM", "end"), ("C", "GOM_TABLE_PLACE", "CTBL", "end")])
for name in ("MATL", "SKEL", "MSH0", "VB0", "IB0", "SUB0", "IBND", "BND0", "GBTM"):
    bad("chunk2_" + name.lower(), chunks=insert(2, name, name), expect=one("E", "MTA_CHUNK_FOREIGN", name))
bad("chunk2_of_another_version", chunks=insert(4, "SKEL", "SKEL", 0), patch=[("SKEL#version", "I", 9), ("SKEL#flags", "I", 1)],
    expect=one("E", "MTA_CHUNK_FOREIGN", "SKEL"))
bad("chunk2_twice", chunks=lambda c: (insert(2, "MATL", "MATL")(c), insert(2, "SKEL", "SKEL")(c)),
    expect=one("E", "MTA_CHUNK_FOREIGN", "MATL") + one("E", "MTA_CHUNK_FOREIGN", "SKEL"))
bad("gom_chunk14_longer", chunks=gom.longer("ANIM", None), expect=[("E", "GOM_CHUNK_SIZE", "ANIM", "ANIM#size")])
bad("gom_chunk14_shorter", chunks=gom.shorter("ANIM", None), expect=[("E", "GOM_CHUNK_SIZE", "ANIM", "ANIM#size")])
bad("chunk3_anim_first", chunks=swap(0, 1), expect=one("C", "MTA_CHUNK_ORDER", "STR0"))
bad("chunk3_anim_last", chunks=lambda c: c.append(c.pop(1)), expect=one("C", "MTA_CHUNK_ORDER", "ANIM"))
bad("gom_order1_unknown_chunk", chunks=insert(2, "XTRA", "XTRA"), expect=one("C", "GOM_CHUNK_UNKNOWN", "XTRA"))

# --- chunk table --------------------------------------------------------------------------------------------------------------

bad("gom_table2_fourcc", patch=[("CTBL.entry[1].fourcc", "4s", b"MATL")], expect=one("E", "GOM_TABLE_DISAGREES", "CTBL.entry[1].fourcc"))
bad("gom_table2_count", patch=[("header.chunkTableCount", "I", 3)], expect=2 * one("E", "GOM_TABLE_DISAGREES", "header.chunkTableCount"))
bad("gom_table3_past_file", patch=[("header.chunkTableOffset", "Q", 0xFFFFFFFFFFFFFFF0)], expect=one("E", "GOM_TABLE_BOUNDS", "header.chunkTableOffset"))
bad("gom_table4_count_without_table", patch=[("header.chunkTableOffset", "Q", 0)],
    expect=[("E", "GOM_TABLE_COUNT", "header.chunkTableCount", "header.chunkTableCount"), ("W", "GOM_TABLE_UNUSED", "CTBL", "CTBL")])
bad("gom_table5_unused", patch=[("header.chunkTableOffset", "Q", 0), ("header.chunkTableCount", "I", 0)], expect=one("W", "GOM_TABLE_UNUSED", "CTBL"))
bad("gom_table6_bare", change=lambda d: setattr(d, "table", "bare"),
    expect=[("W", "GOM_TABLE_BARE", "header.chunkTableOffset", "header.chunkTableOffset"), ("C", "GOM_TABLE_PLACE", "CTBL", "table")])
bad("gom_table7_before_chunks", change=lambda d: setattr(d, "table", "none"), chunks=lambda c: c.clear(), raw=lambda b: b + bytes(16),
    patch=[("header.chunkTableOffset", "Q", 528), ("header.converterVersionStrId", "I", NONE)],
    expect=[("W", "GOM_TABLE_BARE", "header.chunkTableOffset", "header.chunkTableOffset"), ("E", "GOM_FOURCC", "chunk[0]", 512),
            ("E", "GOM_TABLE_BEFORE_CHUNKS", "header.chunkTableOffset", "header.chunkTableOffset")])
bad("gom_table8_none", change=lambda d: setattr(d, "table", "none"), expect=[("C", "GOM_TABLE_PLACE", "CTBL", "end")])

# --- strings ------------------------------------------------------------------------------------------------------------------

LAST = len(motion().strings()) - 1
bad("gom_str0_1_count", patch=[("STR0.count", "I", 1000)], expect=[("E", "GOM_STRING_TABLE_SIZE", "STR0", "STR0#size")])
bad("gom_str0_2_offset", patch=[("STR0.offset[1]", "I", 0xFFFFFFFF)], expect=one("E", "GOM_STRING_OFFSET", "STR0.offset[1]"))
bad("gom_str0_3_no_nul", patch=[(("STR0#end", -1), "B", 0x78)], expect=one("E", "GOM_STRING_UNTERMINATED", "STR0.string[%d]" % LAST))
for name, label in (("version", "header.converterVersionStrId"), ("clip", "CLP0[0].nameId")):
    bad("gom_str0_4_id_" + name, patch=[(label, "I", 99)], expect=one("E", "GOM_STRING_ID", label))
bad("gom_str0_5_no_clip_name", patch=[("CLP0[0].nameId", "I", NONE)], expect=one("E", "GOM_NAME_MISSING", "CLP0[0].nameId"))
bad("gom_str0_7_unsorted", change=lambda d: setattr(d, "string_order", lambda s: sorted(s)[1::-1] + sorted(s)[2:]),
    expect=[("C", "GOM_STRING_ORDER", "STR0.string[1]", "STR0.offset[1]")])
bad("gom_str0_8_bone_name", change=lambda d: d.extra_strings.append("Root"), expect=[("C", "GOM_STRING_UNUSED", "STR0.string[1]", "STR0.offset[1]")])
bad("gom_str0_9_tail", chunks=lambda c: find(c, "STR0").data.extend(b"gap\0"), expect=[("C", "GOM_STRING_PACKING", "STR0.data", ("STR0#end", -4))])
for rule, data, issue, at in (("conv_str1", b"z\xff", "GOM_STRING_UTF8", 1), ("conv_str2", b"\xef\xbb\xbfz", "GOM_STRING_BOM", 0),
                              ("conv_str3", b"z\n", "GOM_STRING_CONTROL", 1)):
    bad(rule + "_text", change=lambda d, data=data: d.extra_strings.append(data),
        expect=[("E", issue, "STR0.string[%d]" % (LAST + 1), ("STR0.string[%d]" % (LAST + 1), at))])

# --- clips --------------------------------------------------------------------------------------------------------------------

bad("gom_anim2_more", patch=[("ANIM.clipCount", "I", 3)], expect=one("E", "GOM_CLIP_COUNT", "ANIM.clipCount"))
bad("gom_anim2_fewer", patch=[("ANIM.clipCount", "I", 0)], expect=one("E", "GOM_CLIP_COUNT", "ANIM.clipCount"))
bad("gom_anim3_twice", change=lambda d: d.clips[0].update(name="Wave"), expect=one("E", "GOM_CLIP_NAME_TWICE", "CLP0[1].nameId"))
bad("gom_anim4_order", change=lambda d: d.clips.reverse(), expect=one("C", "GOM_CLIP_ORDER", "CLP0[1].nameId"))
bad("gom_clp0_1_head", chunks=cut_clip(20), expect=[("E", "GOM_CLIP_SIZE", WAVE, WAVE + "#size")])
bad("gom_clp0_1_more_tracks", patch=[(WAVE + ".trackCount", "I", 3)], expect=[("E", "GOM_CLIP_SIZE", WAVE + ".track[2]", WAVE + "#end")])
bad("gom_clp0_1_surplus", chunks=lambda c: find(c, WAVE).data.extend(bytes(4)), expect=[("E", "GOM_CLIP_SIZE", WAVE, WAVE + "#size")])
bad("gom_clp0_2_duration", patch=[("CLP0[0].duration", "f", -1)], expect=one("E", "GOM_CLIP_DURATION", "CLP0[0].duration"))
for name, value in (("limit", 4096), ("large", 0x7FFFFFFF), ("below", -2)):
    bad("bone1_root_" + name, patch=[(WAVE + ".rootBoneIndex", "i", value)], expect=one("E", "MTA_ROOT_BONE", WAVE + ".rootBoneIndex"))
for name, value in (("limit", 4096), ("large", 0xFFFFFFFF)):
    bad("bone1_track_" + name, patch=[(WAVE + ".track[1].boneIndex", "I", value)], expect=one("E", "MTA_TRACK_BONE", WAVE + ".track[1].boneIndex"))
bad("gom_clp0_4_mode", patch=[(WAVE + ".interpMode", "I", 0)], expect=one("E", "GOM_INTERPOLATION", WAVE + ".interpMode"))
bad("gom_clp0_5_flags", patch=[(WAVE + ".flags", "I", 4)], expect=one("W", "GOM_CLIP_FLAGS", WAVE + ".flags"))
bad("gom_clp0_7_twice", patch=[(WAVE + ".track[1].boneIndex", "I", 0)], expect=one("E", "GOM_TRACK_TWICE", WAVE + ".track[1].boneIndex"))
KEY = WAVE + ".track[0].trKey"
bad("gom_clp0_8_equal_times", patch=[(KEY + "[1].time", "f", 0)], expect=one("E", "GOM_KEY_TIME", KEY + "[1].time"))
bad("gom_clp0_8_late", patch=[(KEY + "[2].time", "f", 1.5000001)], expect=one("E", "GOM_KEY_TIME", KEY + "[2].time"))
bad("gom_clp0_9_loop", patch=[(WAVE + ".flags", "I", 2), (KEY + "[2].value[0]", "f", 1)],
    expect=[("W", "GOM_LOOP_OPEN", KEY + "[2].value", KEY + "[2].value"),
            ("W", "GOM_LOOP_OPEN", WAVE + ".track[1].rotKey[1].value", WAVE + ".track[1].rotKey[1].value")])
bad("gom_clp0_10_no_bone", patch=[(WAVE + ".flags", "I", 1)], expect=one("W", "GOM_ROOT_MOTION", WAVE + ".rootBoneIndex"))
bad("gom_clp0_11_order", change=lambda d: d.clips[1]["tracks"].reverse(), expect=one("C", "GOM_TRACK_ORDER", WAVE + ".track[1].boneIndex"))
bad("gom_clp0_12_empty", change=lambda d: d.clips[1].update(tracks=[{"bone": 1}]), expect=one("C", "GOM_TRACK_EMPTY", WAVE + ".track[0]"))
ROT = WAVE + ".track[0].rotKey"
bad("gom_clp0_13_inexact", change=rotations((0, 0, 0, 1.00001)), expect=one("C", "GOM_QUATERNION_INEXACT", ROT + "[0].value"))
bad("gom_clp0_14_sign", change=rotations((0, 0, 0, 1), (0, 0, 0, -1)), expect=one("C", "GOM_QUATERNION_SIGN", ROT + "[1].value"))
bad("conv_quat2_zero", change=rotations((0, 0, 0, 0)), expect=one("E", "GOM_QUATERNION_ZERO", ROT + "[0].value"))
bad("conv_quat3_length", change=rotations((0, 0, 0, 1.0002)), expect=one("W", "GOM_QUATERNION_LENGTH", ROT + "[0].value"))
for name, label in (("duration", WAVE + ".duration"), ("time", KEY + "[1].time"), ("translation", KEY + "[1].value[2]"),
                    ("rotation", WAVE + ".track[1].rotKey[1].value[0]"), ("scale", WAVE + ".track[1].scKey[0].value[1]")):
    for word, value in (("nan", NAN), ("inf", INF)):
        bad("conv_num2_%s_%s" % (name, word), patch=[(label, "f", value)], expect=one("E", "GOM_NOT_FINITE", label))
bad("conv_num3_negative_zero", patch=[(KEY + "[0].value[0]", "f", -0.0)], expect=one("C", "GOM_NEGATIVE_ZERO", KEY + "[0].value[0]"))

# --- the earlier generation -----------------------------------------------------------------------------------------------------


def lenient(name, warnings, contents, doc=None, **kwargs):
    strict = kwargs.pop("strict", "refused")
    case("lenient", name, doc or motion(), expect=[], warnings=warnings, contents=contents, strict=strict, **kwargs)


lenient("old2_table_offset", ["GOM_OLD_TABLE"], "good/full.mta", raw=gom.old_header)


def old_strings(chunks):
    c = find(chunks, "STR0")
    strings = motion().strings()
    data, head, at = b"".join(strings), struct.pack("<I", len(strings)), 0
    for s in strings:
        head += struct.pack("<I", at)
        at += len(s)
    c.data, c.labels = bytearray(head + struct.pack("<I", len(data)) + data), {}


lenient("old4_strings", ["GOM_OLD_STRINGS"], "good/full.mta", chunks=old_strings)
lenient("old10_nested_clips", ["GOM_OLD_NESTED_CLIPS"], "good/full.mta", chunks=gom.nested(False))
lenient("old10_nested_clips_aligned", ["GOM_OLD_NESTED_CLIPS"], "good/full.mta", chunks=gom.nested(True))


def joint_keys():
    d = motion()
    d.clips = gom.joint_keys().clips
    return d


good("joint_keys", joint_keys())
lenient("old11_joint_keys", ["GOM_OLD_KEYS"], "good/joint_keys.mta", joint_keys(), chunks=gom.old_keys)


def everything(chunks):
    old_strings(chunks)
    gom.old_keys(chunks)
    gom.nested(False)(chunks)


lenient("old_all_at_once", ["GOM_OLD_TABLE", "GOM_OLD_STRINGS", "GOM_OLD_NESTED_CLIPS", "GOM_OLD_KEYS"], "good/joint_keys.mta", joint_keys(),
        chunks=everything, raw=gom.old_header)
lenient("gom_ext3_unknown_chunk", ["GOM_CHUNK_DROPPED"], "good/full.mta", strict="accepted", chunks=insert(2, "XTRA", "XTRA"))

if __name__ == "__main__":
    gom.main("mta")
