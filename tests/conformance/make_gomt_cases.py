#!/usr/bin/env python3
"""Writes tests/conformance/gomt: texts that keep or break each rule of docs/spec/gomt.md and morph.md, and beside each the findings it must give.

  good/  valid texts; the findings of the report (canonical ones only, none where the text is canonical) and the binary twin
  bad/   the findings of the report, and no others
  old/   the earlier generation (GOMT-OLD-1): the warnings of lenient reading, the finding of strict reading, the binary twin

In the texts of this file the sign § marks the places of the findings, in order, and is left out of the files.
usage: make_gomt_cases.py [OUTPUT_FOLDER]      (default: the gomt folder beside this file)
A rerun gives the same bytes; a test compares.
"""
import json
import os
import sys

import gomt_builder
from gom_builder import IDENTITY, Doc, assemble, empty, f32, full, material, shapes, translation, vertex

SEVERITY = {"E": "error", "W": "warning", "C": "canonical"}
cases = []
LAYOUT = ("C", "GOMT_LAYOUT", "")


def full63():
    d = full()
    d.flags = 63
    return d


FULL = gomt_builder.text(full63())
V = "{ p = [-1, 2, 0], n = [0, 0, -1], t = [1, 0, 0, -1], uv = [0, 0], bi = [1, 0, 0, 0], bw = [0.75, 0.25, 0, 0] }"
assert FULL.count(V) == 1


def sub(*pairs, base=FULL):
    """The base with texts replaced, each of which occurs once in it."""
    out = base
    for old, new in pairs:
        assert out.count(old) == 1, (out.count(old), old)
        out = out.replace(old, new)
    return out


def vertex_sub(old, new):
    assert V.count(old) == 1, old
    return sub((V, V.replace(old, new)))


def case(folder, name, text, findings=(), doc=None, **more):
    cases.append((folder, name, text, list(findings), doc, more))


def bad(name, text, *findings):
    case("bad", name, text, findings)


def good(name, text, doc=None, *findings):
    case("good", name, text, findings, doc or full63())


def E(issue, path=""):
    return ("E", issue, path)


# --- good ---------------------------------------------------------------------------------------------------------------------

good("full", FULL)
good("empty", gomt_builder.text(empty()), empty())


def no_skeleton():
    d = full()
    d.bones, d.clips, d.parts = [], [], d.parts[1:]
    d.materials[0]["maps"] = ["", "d\"q.png", "", "e.png"]
    d.version = ""
    return d


good("no_skeleton", gomt_builder.text(no_skeleton()), no_skeleton())


def flagged():
    d = full()
    d.clips[1].update(flags=3, root=0)
    d.clips[1]["tracks"][0]["tr"][-1] = (1.5, [0, 0, 0])
    d.clips[1]["tracks"] = d.clips[1]["tracks"][:1]
    d.clips[0].update(flags=2)
    return d


good("flags", gomt_builder.text(flagged()), flagged())


def floats():
    d = full()
    values = [1e-5, 1.5e-6, 123456790.0, 1e9, 9.9999e8, 3.4028234663852886e38, gomt_builder.from_bits(1), 1e-45 * 7, 0.1, 1 / 3, 16777216.0, 16777215.0,
              2.0 ** 30, 1.17549435e-38, 8388608.5, 9.5367431640625e-07, 5e-324, 1e10, 123456.79, 0.00012345679, 33554432.0, 4.2e15]
    for i, v in enumerate(d.parts[1]["vertices"]):
        v["uv"] = [f32(values[2 * i]), f32(values[2 * i + 1])]
    d.materials[1]["kd"] = [f32(x) for x in values[6:9]]
    d.materials[1]["ks"] = [f32(x) for x in values[9:12]]
    d.materials[1]["ke"] = [f32(x) for x in values[12:15]]
    d.materials[0]["kd"] = [f32(x) for x in values[15:18]]
    d.materials[0]["ks"] = [f32(x) for x in values[18:21]]
    d.materials[0]["shininess"] = f32(values[21])
    return d


good("floats", gomt_builder.text(floats()), floats())


def names():
    d = empty()
    d.bones = [{"parent": p, "name": n, "path": path, "bind": list(IDENTITY)} for p, n, path in (
        (-1, "50%/left", "50%25%2Fleft"), (-1, 'a"b\\c', 'a"b\\c'), (-1, "骨\U0001F9B4", "骨\U0001F9B4"))]
    return d


good("names", gomt_builder.text(names()), names())
SHAPES = gomt_builder.text(shapes())
good("shapes", SHAPES, shapes())
CHANNELS = SHAPES[SHAPES.index("MorphChannels"):SHAPES.index("Meshes")]
good("shapes_channels_last", SHAPES.replace(CHANNELS + "Meshes", "M§eshes").replace("End = true", CHANNELS + "End = true"), shapes(), LAYOUT)
good("shapes_empty_fields", sub(("    flags = [],\n    tracks = []\n", "    flags = [],\n    tracks = []§,\n    morphTracks = []\n")), None, LAYOUT)
for name, old, new, issue, path in (
        ("channel_twice", 'name = "Smile"', 'name = §"Blink"', "GOM_MORPH_CHANNEL_ORDER", "MorphChannels[1].name"),
        ("channel_without_name", 'name = "Blink"', 'name = §""', "GOM_NAME_MISSING", "MorphChannels[0].name"),
        ("weight_order", "shapes = [0.5, 1]", "shapes = [0.5, §0.25]", "GOM_MORPH_SHAPE_WEIGHT", "MorphChannels[0].shapes[1]"),
        ("weight_zero", "shapes = [0.5, 1]", "shapes = [§0, 1]", "GOM_MORPH_SHAPE_WEIGHT", "MorphChannels[0].shapes[0]"),
        ("default_overflow", "defaultWeight = 0.25", "defaultWeight = §1e39", "GOMT_OVERFLOW", "MorphChannels[1].defaultWeight"),
        ("default_string", "defaultWeight = 0.25", 'defaultWeight = §"0"', "GOMT_VALUE", "MorphChannels[1].defaultWeight"),
        ("vertex_beyond", "{ v = 3, p", "{ v = §4, p", "GOM_MORPH_VERTEX", "Meshes[0].morphs[1].offsets[1].v"),
        ("vertex_twice", "{ v = 3, p", "{ v = §1, p", "GOM_MORPH_VERTEX", "Meshes[0].morphs[1].offsets[1].v"),
        ("vertex_negative", "{ v = 3, p", "{ v = §-1, p", "GOMT_INTEGER", "Meshes[0].morphs[1].offsets[1].v"),
        ("key_late", "{ time = 1.5, value = 0 }", "{ time = §2, value = 0 }", "GOM_KEY_TIME", "Animations[1].morphTracks[0].keys[2].time"),
        ("key_array", "{ time = 1.5, value = 0 }", "{ time = 1.5, value = §[0] }", "GOMT_VALUE", "Animations[1].morphTracks[0].keys[2].value"),
        ("key_missing", "{ time = 1.5, value = 0 }", "§{ time = 1.5 }", "GOMT_FIELD_MISSING", "Animations[1].morphTracks[0].keys[2]")):
    bad("shapes_" + name, sub((old, new), base=SHAPES), E(issue, path))
good("clip_without_skeleton", gomt_builder.text((lambda d: (d.clips.append({"name": "Nothing", "duration": 2, "tracks": []}), d)[1])(empty())),
     (lambda d: (d.clips.append({"name": "Nothing", "duration": 2, "tracks": []}), d)[1])(empty()))

# Valid, but not what a writer gives: the first difference is reported. covers GOMT-LEX-5
good("crlf", FULL.replace("\n", "\r\n").replace("GOMT0001\r", "GOMT0001§\r"), None, LAYOUT)
good("no_last_newline", FULL[:-1] + "§", None, LAYOUT)
good("comments", sub(("Header = {", '§// a comment, with = { and " in it\nHeader // another\n = //\n{')), None, LAYOUT)
good("comment_at_end", FULL + "§// without a newline", None, LAYOUT)
good("comment_odd_characters", FULL + "§// \x01 \u00a0 \x7f\n", None, LAYOUT)
good("white_space", sub(("validationFlags = 63", "validationFlags§=\t\r\n 63")), None, LAYOUT)
good("separators", sub(("]\nMeshes", "];\nMeshes"), ("}\nSkeleton", "}§ ,\nSkeleton")), None, LAYOUT)
good("one_line", 'GOMT0001\nHeader§={sourceHash="%s",converterVersion="conformance 1",validationFlags=0}MaterialSlots=[{name="DefaultMaterial",phong={kd=[1,1,1],'
     'ks=[0.04,0.04,0.04],ke=[0,0,0],shininess=32,opacity=1}}]End=true' % ("0" * 64), empty(), LAYOUT)
good("trailing_commas", sub(("validationFlags = 63\n", "validationFlags = 63§,\n"), ("      0, 1, 2,\n      0, 2, 3\n", "      0, 1, 2,\n      0, 2, 3,\n")), None, LAYOUT)


def entry(name):
    start = FULL.index("\n%s = " % name) + 1
    end = FULL.index("\n]\n" if FULL[start + len(name) + 3] == "[" else "\n}\n", start) + 3
    return FULL[start:end]


good("entries_in_another_order", "GOMT0001\n§" + entry("Animations") + entry("Meshes") + entry("MaterialSlots") + entry("Skeleton") + entry("Header") + "End = true\n",
     None, LAYOUT)
good("fields_in_another_order", sub((V, "{ §bw = [0.75, 0.25, 0, 0], bi = [1, 0, 0, 0], uv = [0, 0], t = [1, 0, 0, -1], n = [0, 0, -1], p = [-1, 2, 0] }")), None, LAYOUT)
ROWS = "      [1, 0, 0, 0],\n      [0, 1, 0, 0],\n      [0, 0, 1, 0],\n      [0, 3, 0, 1]\n"
good("matrix_of_16_numbers", sub((ROWS, "      §1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 3, 0, 1\n")), None, LAYOUT)
DEFAULTS = ", bi = [0, 0, 0, 0], bw = [1, 0, 0, 0]"
good("defaults_left_out", sub((",\n    inverseBind = []", ""), ("opacity = 0.75 },\n    maps = {}\n", "opacity = 0.75 }§\n"),
                              ("    duration = 0,\n    rootBoneIndex = -1,\n    flags = [],\n", "    duration = 0,\n")).replace(DEFAULTS, ""), None, LAYOUT)
good("header_left_out", "GOMT0001\n§MaterialSlots = §[]End = true", (lambda d: (setattr(d, "version", ""), setattr(d, "flags", 63), d)[2])(empty()), LAYOUT,
     ("C", "GOM_MATERIAL_NONE", "MaterialSlots"))
good("flags_as_number", sub(("    name = \"Idle\",\n    duration = 0,\n    rootBoneIndex = -1,\n    flags = []", "    name = \"Idle\",\n    duration = 0,\n    rootBoneIndex = -1,\n    flags = §0")),
     None, LAYOUT)
good("hash_in_capitals", sub((bytes(range(32)).hex(), "000102030405060708090§" + bytes(range(32)).hex().upper()[21:])), None, LAYOUT)
good("escapes", sub(('"Body"', '"§\\u0042o\\u0064y"'), ('"tex/body.png"', '"tex\\/body.png"')), None, LAYOUT)
good("escaped_surrogates", sub(('"骨\U0001F9B4",\n      path', '"§\\u9aa8\\ud83e\\uDDB4",\n      path'), base=gomt_builder.text(names())), names(), LAYOUT)
good("empty_is_none", sub(("maps = {}", 'maps = {§ diffuse = "", normal = "" }')), None, LAYOUT)


def once():
    d = full63()
    d.parts[1]["vertices"][0]["uv"] = [gomt_builder.from_bits(0x3F800001), gomt_builder.from_bits(0x3F800001)]
    return d


# A detour through double gives the neighbour for the first; the second has more digits than decide anything. covers GOMT-FLOAT-1
good("floats_round_once", sub(("uv = [0.5, 0]", "uv = [1.0000001§7881393432617187499999999, 1.%s1e0]" % ("00000005960464477539062500" + "0" * 900))), once(), LAYOUT)
good("floats_other_forms", sub(("ks = [0.04, 0.04, 0.04], ke = [0, 0, 0], shininess = 32, opacity = 0.75",
                                "ks = [§4e-2, 4.0E-02, 0.4e-1], ke = [0e5, 0.000, 1e-60], shininess = 3.2e+1, opacity = 0.0000000075E8")), None, LAYOUT)
good("floats_far_exponents", sub(("shininess = 32, opacity = 0.75", "shininess = §0.%s32e302, opacity = 75%se-302" % ("0" * 300, "0" * 300))), None, LAYOUT)


def unsorted():
    """The full model with bones, slots, tracks and clips in another order."""
    t = FULL
    bones = entry("Skeleton")
    root = bones[bones.index("    {\n      parent = -1"):bones.index(",\n    {\n      parent = 0")]
    tip = bones[bones.index("    {\n      parent = 0"):bones.rindex("\n  ]")]
    t = t.replace(root + ",\n" + tip, tip.replace("parent = 0", "parent = 1") + ",\n" + root)
    slots = entry("MaterialSlots")
    first = slots[slots.index("  {"):slots.index(",\n  {\n    name = \"Cloth\"")]
    second = slots[slots.index("  {\n    name = \"Cloth\""):slots.rindex("\n]")]
    t = t.replace(first + ",\n" + second, second + ",\n" + first)
    for a, b in (("materialIndex = 0, indexStart = 0", "materialIndex = #1, indexStart = 0"), ("materialIndex = 1, indexStart = 3", "materialIndex = #0, indexStart = 3"),
                 ("materialIndex = 1, indexStart = 0", "materialIndex = #0, indexStart = 0")):
        assert t.count(a) == 1
        t = t.replace(a, b)
    t = t.replace("#", "")
    for a, b in (("bi = [1, 0, 0, 0], bw = [0.75", "bi = [0, 1, 1, 1], bw = [0.75"), ("bi = [0, 1, 0, 0], bw = [0.5", "bi = [1, 0, 1, 1], bw = [0.5")):
        assert t.count(a) == 1
        t = t.replace(a, b)
    # Every influence of weight 1 is on the root, whose position is 1 now.
    start, end = t.index("name = \"Quad\""), t.index("name = \"Sign\"")
    t = t[:start] + t[start:end].replace("bi = [0, 0, 0, 0], bw = [1, 0, 0, 0]", "bi = [1, 1, 1, 1], bw = [1, 0, 0, 0]") + t[end:]
    one, two = "      [\n        [1, 0, 0, 0],\n        [0, 1, 0, 0],\n        [0, 0, 1, 0],\n        [0, 0, 0, 1]\n      ]", "      [\n        [1, 0, 0, 0],\n        [0, 1, 0, 0],\n        [0, 0, 1, 0],\n        [0, -1, 0, 1]\n      ]"
    assert t.count(one + ",\n" + two) == 1
    t = t.replace(one + ",\n" + two, two + ",\n" + one)
    clips = entry("Animations")
    idle = clips[clips.index("  {"):clips.index(",\n  {\n    name = \"Wave\"")]
    wave = clips[clips.index("  {\n    name = \"Wave\""):clips.rindex("\n]")]
    t = t.replace(idle + ",\n" + wave, wave + ",\n" + idle)
    return t.replace("boneIndex = 0", "boneIndex = X").replace("boneIndex = 1", "boneIndex = 0").replace("boneIndex = X", "boneIndex = 1")


UNSORTED = unsorted()
# covers GOMT-FIELD-6
good("listed_in_another_order", sub(("parent = 1,", "parent = §1,"), ('  {\n    name = "Body"', '  §{\n    name = "Body"'),
                                    ("materialIndex = 0, indexStart = 3", "materialIndex = §0, indexStart = 3"), ('"Idle"', '§"Idle"'), base=UNSORTED), None,
     LAYOUT, ("C", "GOM_MATERIAL_ORDER", "MaterialSlots[1]"), ("C", "GOM_SUBMESH_ORDER", "Meshes[0].submeshes[1].materialIndex"),
     ("C", "GOM_CLIP_ORDER", "Animations[1].name"))

# --- lexical structure ----------------------------------------------------------------------------------------------------------

bad("lex1_bom", b"\xef\xbb\xbf" + FULL.encode(), E("GOMT_BOM") + (1, 1))
for label, raw in (("bad_byte", b"\xff"), ("cut", b"\xe9\xaa"), ("overlong", b"\xc0\xaf"), ("surrogate", b"\xed\xa0\x80"), ("too_large", b"\xf4\x90\x80\x80")):
    at = FULL.index('"Body"') + 3
    offset = {"cut": 0, "surrogate": 0}.get(label, 0)
    line = FULL.count("\n", 0, at) + 1
    bad("lex1_" + label, FULL[:at].encode() + raw + FULL[at:].encode(), E("GOMT_UTF8") + (line, at - FULL.rindex("\n", 0, at) + offset))
bad("lex1_in_comment", FULL.encode() + "// é骨".encode() + b"\x80\n", E("GOMT_UTF8") + (FULL.count("\n") + 1, 6))
for magic in ("GOMB0001", "MTAB0001", "MTAT0001", "GOMT0002", "gomt0001", "GOMT001\n"):
    bad("lex2_" + magic.lower().strip(), "§" + FULL.replace("GOMT0001", magic), E("GOMT_MAGIC"))
bad("lex2_nothing", "§", E("GOMT_MAGIC"))
bad("lex2_half", "§GOMT", E("GOMT_MAGIC"))
bad("lex2_no_line_end", "GOMT0001§", E("GOMT_MAGIC"))
bad("lex2_space_behind", FULL.replace("GOMT0001", "GOMT0001§ "), E("GOMT_MAGIC"))
bad("lex2_comment_behind", FULL.replace("GOMT0001", "GOMT0001§// text"), E("GOMT_MAGIC"))
bad("lex2_only_cr", FULL.replace("GOMT0001\n", "GOMT0001§\r"), E("GOMT_MAGIC"))
bad("lex2_line_before", "§\n" + FULL, E("GOMT_MAGIC"))


def syntax(name, text, path=""):
    bad("lex3_" + name, text, E("GOMT_SYNTAX", path))


syntax("no_comma", sub(('"conformance 1",\n', '"conformance 1"\n'), ("validationFlags", "§validationFlags")), "Header")
syntax("two_commas", sub(('"conformance 1",', '"conformance 1",§,')), "Header")
syntax("comma_first", sub(("Header = {", "Header = {§,")), "Header")
syntax("semicolon_in_table", sub(('"conformance 1",', '"conformance 1"§;')), "Header")
syntax("no_equals", sub(("validationFlags = 63", "validationFlags §63")), "Header")
syntax("colon", sub(("validationFlags = 63", "validationFlags §: 63")), "Header")
syntax("no_value", sub(("validationFlags = 63\n", "validationFlags = \n§")), "Header.validationFlags")
syntax("quoted_name", sub(("validationFlags", '§"validationFlags"')), "Header")
syntax("name_with_digit_first", sub(("validationFlags = 63", "validationFlags = 63,\n§1st = 2")), "Header")
syntax("wrong_closer", sub(("uv = [0, 0], bi = [1,", "uv = [0, 0§}, bi = [1,")), "Meshes[0].vertices[0].uv[1]")
syntax("array_without_comma", sub(("      0, 1, 2,\n      0, 2, 3\n", "      0, 1, 2\n      §0, 2, 3\n")), "Meshes[0].indices[2]")
syntax("array_comma_first", sub(("      0, 1, 2,\n      0, 2, 3\n", "      §, 0, 1, 2,\n      0, 2, 3\n")), "Meshes[0].indices[0]")
for label, number in (("leading_zero", "01"), ("leading_zeros", "-00.5"), ("no_fraction", "1."), ("plus", "+1"), ("point_first", ".5"), ("no_exponent", "1e"),
                      ("no_exponent_digits", "1e+"), ("hex", "0x10"), ("two_points", "1.2.3"), ("suffix", "1f"), ("minus_only", "-"), ("nan", "nan"), ("infinity", "Infinity"),
                      ("minus_infinity", "-inf"), ("group", "1_000")):
    syntax("number_" + label, vertex_sub("p = [-1, 2, 0]", "p = [-1, §%s, 0]" % number), "Meshes[0].vertices[0].p[1]")
syntax("hash_comment", sub(("Skeleton = {", "§# text\nSkeleton = {")))
syntax("star_comment", sub(("Skeleton = {", "§/* text */\nSkeleton = {")))
syntax("single_quotes", sub(('"Body"', "§'Body'")), "MaterialSlots[0].name")
syntax("no_break_space", sub(("Skeleton = {", "§\u00a0Skeleton = {")))
syntax("control_character", sub(("Skeleton = {", "§\x01Skeleton = {")))
syntax("two_separators", sub(("}\nSkeleton", "},\n§,Skeleton")))
syntax("separator_behind_end", FULL[:-1] + "§;\n")
syntax("separator_first", sub(("Header = {", "§;Header = {")))
syntax("value_behind_end", FULL + "§5")
syntax("bad_escape", sub(('"Body"', '"Bo\\§xdy"')), "MaterialSlots[0].name")
syntax("bad_hex", sub(('"Body"', '"Bo\\u00§g1dy"')), "MaterialSlots[0].name")
syntax("string_without_end", FULL[:FULL.index('"Body"')] + '§"Body', "MaterialSlots[0].name")
syntax("cut_in_escape", FULL[:FULL.index('"Body"')] + '"Bo\\§', "MaterialSlots[0].name")
syntax("cut_in_table", FULL[:FULL.index("Skeleton")].rstrip("}\n") + "\n§", "Header")
syntax("cut_in_array", FULL[:FULL.index("      0, 2, 3\n")] + "§", "Meshes[0].indices[3]")
syntax("cut_in_entry", FULL[:FULL.index("Skeleton")] + "Skeleton §")
syntax("cut_in_end", FULL[:-len("true\n")] + "§tr", "End")

for label, raw in (("control", "\x01"), ("tab", "\t"), ("newline", "\n"), ("carriage_return", "\r\n"), ("delete", "\x7f"), ("nul", "\x00")):
    bad("lex4_raw_" + label, sub(('"Body"', '"Bo§%sdy"' % raw)), E("GOMT_STRING", "MaterialSlots[0].name"))
for label, escape in (("b", "\\b"), ("f", "\\f"), ("n", "\\n"), ("r", "\\r"), ("t", "\\t"), ("u0000", "\\u0000"), ("u001f", "\\u001F"), ("u007f", "\\u007f"),
                      ("high_alone", "\\ud800"), ("low_alone", "\\udc00"), ("high_twice", "\\ud800\\ud800"), ("low_first", "\\udc00\\ud800"), ("high_then_letter", "\\ud83dx"),
                      ("high_then_other", "\\ud83d\\n")):
    bad("lex4_escape_" + label, sub(('"Body"', '"Bo§%sdy"' % escape)), E("GOMT_STRING", "MaterialSlots[0].name"))
bad("conv_str2_bom", sub(('"Body"', '§"\ufeffBody"')), E("GOM_STRING_BOM", "MaterialSlots[0].name"))
bad("conv_str2_escaped_bom", sub(('"Body"', '§"\\ufeffBody"')), E("GOM_STRING_BOM", "MaterialSlots[0].name"))
# covers GOMT-LEX-6, GOMT-LEX-7
bad("lex6_columns_are_code_points", sub(('name = "Body"', 'name = "骨é\U0001F9B4", \t§odd = 1')), E("GOMT_NAME_UNKNOWN", "MaterialSlots[0].odd"))
bad("lex6_crlf", sub(("validationFlags = 63", "validationFlags = §6.3")).replace("\n", "\r\n"), E("GOMT_INTEGER", "Header.validationFlags"))
bad("lex7_nesting_32", sub(("validationFlags = 63", "validationFlags = 63, §deep = " + "[" * 31 + "]" * 31)), E("GOMT_NAME_UNKNOWN", "Header.deep"))
bad("lex7_nesting_33", sub(("validationFlags = 63", "validationFlags = 63, §deep = " + "[" * 31 + "§[" + "]" * 32)), E("GOMT_NAME_UNKNOWN", "Header.deep"),
    E("GOM_LIMIT", "Header.deep"))
bad("lex7_nesting_10000", sub(("validationFlags = 63", "validationFlags = 63, §deep = " + "{a=[" * 15 + "{a=§[" + "{a=[" * 5000)), E("GOMT_NAME_UNKNOWN", "Header.deep"),
    E("GOM_LIMIT", "Header.deep"))

# --- entries and fields -----------------------------------------------------------------------------------------------------------

bad("entry1_twice", sub(("End = true", "§Header = {}\nEnd = true")), E("GOMT_ENTRY_TWICE", "Header"))
bad("entry1_end_missing", FULL[:FULL.index("End")] + "§", E("GOMT_END"))
bad("entry1_end_missing_empty", "GOMT0001\n§", E("GOMT_END"))
bad("entry1_end_first", "GOMT0001\nEnd = true\n§" + FULL[9:], E("GOMT_END"))
bad("entry1_end_twice", FULL + "§End = true\n", E("GOMT_END"))
bad("entry2_true_elsewhere", sub(("validationFlags = 63", "validationFlags = §true")), E("GOMT_TRUE", "Header.validationFlags"))
bad("entry2_true_in_array", vertex_sub("p = [-1, 2, 0]", "p = [-1, §true, 0]"), E("GOMT_TRUE", "Meshes[0].vertices[0].p[1]"))
bad("entry2_true_for_entry", "GOMT0001\nMeshes = §true\nEnd = true\n", E("GOMT_TRUE", "Meshes"))
for label, value in (("number", "1"), ("string", '"true"'), ("array", "[]")):
    bad("entry2_end_" + label, sub(("End = true", "End = §" + value)), E("GOMT_TRUE", "End"))
bad("entry2_end_name", sub(("End = true", "End = §trueish")), E("GOMT_SYNTAX", "End"))
bad("entry2_end_false", sub(("End = true", "End = §false")), E("GOMT_SYNTAX", "End"))
bad("entry3_no_slots", sub((entry("MaterialSlots"), ""), ("{ materialIndex = 0, indexStart = 0", "§{ materialIndex = 0, indexStart = 0")), E("GOMT_NO_SLOTS", "Meshes[0].submeshes[0]"))

bad("field1_unknown_entry", sub(("End = true", "§Morphs = []\nEnd = true")), E("GOMT_NAME_UNKNOWN", "Morphs"))
bad("field1_entry_in_lower_case", sub(("Header = {", "§header = {")), E("GOMT_NAME_UNKNOWN", "header"))
for label, place, path in (("header", "validationFlags = 63", "Header"), ("skeleton", "boneCount = 2", "Skeleton"), ("bone", "parent = -1", "Skeleton.bones[0]"),
                           ("slot", 'name = "Body"', "MaterialSlots[0]"), ("phong", "opacity = 0.75", "MaterialSlots[1].phong"),
                           ("maps", 'diffuse = "tex/body.png"', "MaterialSlots[0].maps"), ("mesh", 'name = "Sign"', "Meshes[1]"),
                           ("submesh", "materialIndex = 0", "Meshes[0].submeshes[0]"), ("clip", 'name = "Wave"', "Animations[1]"),
                           ("track", "boneIndex = 1", "Animations[1].tracks[1]"), ("key", "time = 0.25", "Animations[1].tracks[1].scKeys[0]")):
    bad("field1_unknown_in_" + label, sub((place, place + ", §extra = { a = [1, \"x\", true, {}] }")), E("GOMT_NAME_UNKNOWN", path + ".extra"))
    name = place.split(" ")[0]
    bad("field1_twice_in_" + label, sub((place, place + ", §" + place)), E("GOMT_FIELD_TWICE", path + "." + name))
bad("field1_unknown_in_vertex", vertex_sub("bw =", "§weights = 1, bw ="), E("GOMT_NAME_UNKNOWN", "Meshes[0].vertices[0].weights"))
bad("field1_twice_in_vertex", vertex_sub("bw =", "§p = [0, 0, 0], bw ="), E("GOMT_FIELD_TWICE", "Meshes[0].vertices[0].p"))
bad("field1_several", sub(("validationFlags = 63", "validationFlags = 63, §b = 1, §a = 2"), ("opacity = 0.75", "opacity = §\"x\""), (V, "§{ p = [0, 0, 0], §q = 1 }")),
    E("GOMT_NAME_UNKNOWN", "Header.b"), E("GOMT_NAME_UNKNOWN", "Header.a"), E("GOMT_VALUE", "MaterialSlots[1].phong.opacity"),
    [E("GOMT_FIELD_MISSING", "Meshes[0].vertices[0]")] * 3, E("GOMT_NAME_UNKNOWN", "Meshes[0].vertices[0].q"))
for name in ("p", "n", "t", "uv"):
    cut = {"p": "p = [-1, 2, 0], ", "n": "n = [0, 0, -1], ", "t": "t = [1, 0, 0, -1], ", "uv": "uv = [0, 0], "}[name]
    bad("field1_vertex_without_" + name, sub((V, "§" + V.replace(cut, ""))), E("GOMT_FIELD_MISSING", "Meshes[0].vertices[0]"))
BONE = entry("Skeleton")[entry("Skeleton").index("    {\n      parent = 0"):entry("Skeleton").rindex("\n  ]")]
for name, cut in (("parent", "      parent = 0,\n"), ("name", '      name = "Tip",\n'), ("path", '      path = "Root/Tip",\n'), ("bindLocal", BONE[BONE.index(",\n      bindLocal"):BONE.rindex("\n    }")])):
    bad("field1_bone_without_" + name, sub((BONE, BONE.replace(cut, "").replace("    {", "    §{"))), E("GOMT_FIELD_MISSING", "Skeleton.bones[1]"))
bad("field1_no_bone_count", sub(("  boneCount = 2,\n", ""), ("Skeleton = {", "Skeleton = §{")), E("GOMT_FIELD_MISSING", "Skeleton"))
bad("field1_no_bones", "GOMT0001\nSkeleton = §{ boneCount = 1 }\nEnd = true\n", E("GOMT_FIELD_MISSING", "Skeleton"))
PHONG = "{ kd = [0.5, 0.25, 0.125], ks = [0.04, 0.04, 0.04], ke = [0, 0, 0], shininess = 32, opacity = 0.75 }"
for name, cut in (("kd", "kd = [0.5, 0.25, 0.125], "), ("ks", "ks = [0.04, 0.04, 0.04], "), ("ke", "ke = [0, 0, 0], "), ("shininess", "shininess = 32, "), ("opacity", ", opacity = 0.75")):
    bad("field1_phong_without_" + name, sub((PHONG, "§" + PHONG.replace(cut, ""))), E("GOMT_FIELD_MISSING", "MaterialSlots[1].phong"))
bad("field1_slot_without_phong", sub(('  {\n    name = "Cloth",\n    phong = %s,\n' % PHONG, '  §{\n    name = "Cloth",\n')), E("GOMT_FIELD_MISSING", "MaterialSlots[1]"))
SIGN = entry("Meshes")[entry("Meshes").index('  {\n    name = "Sign"'):entry("Meshes").rindex("\n]")]
for name, begin, end in (("vertices", "    vertices", "    indices"), ("indices", "    indices", "    submeshes"), ("submeshes", "    submeshes", "    inverseBind")):
    cut = SIGN[SIGN.index(begin):SIGN.index(end)]
    bad("field1_mesh_without_" + name, sub((SIGN, "  §" + SIGN.replace(cut, "")[2:])), E("GOMT_FIELD_MISSING", "Meshes[1]"))
for name, cut in (("materialIndex", "materialIndex = 0, "), ("indexStart", "indexStart = 0, "), ("indexCount", ", indexCount = 3")):
    sm = "{ materialIndex = 0, indexStart = 0, indexCount = 3 }"
    bad("field1_submesh_without_" + name, sub((sm, "§" + sm.replace(cut, ""))), E("GOMT_FIELD_MISSING", "Meshes[0].submeshes[0]"))
for name, cut in (("name", '    name = "Idle",\n'), ("duration", "    duration = 0,\n"), ("tracks", ",\n    tracks = []")):
    idle = entry("Animations")[entry("Animations").index("  {"):entry("Animations").index(",\n  {\n    name = \"Wave\"")]
    bad("field1_clip_without_" + name, sub((idle, "  §" + idle.replace(cut, "")[2:])), E("GOMT_FIELD_MISSING", "Animations[0]"))
bad("field1_track_without_bone", sub(("      {\n        boneIndex = 1,\n", "      §{\n")), E("GOMT_FIELD_MISSING", "Animations[1].tracks[1]"))
bad("field1_key_without_time", sub(("{ time = 0.25, value = [1, 1, 1] }", "§{ value = [1, 1, 1] }")), E("GOMT_FIELD_MISSING", "Animations[1].tracks[1].scKeys[0]"))
bad("field1_key_without_value", sub(("{ time = 0.25, value = [1, 1, 1] }", "§{ time = 0.25 }")), E("GOMT_FIELD_MISSING", "Animations[1].tracks[1].scKeys[0]"))


def value(name, text, path):
    bad("field2_" + name, text, E("GOMT_VALUE", path))


value("header_is_array", "GOMT0001\nHeader = §[]\nEnd = true\n", "Header")
value("meshes_is_table", "GOMT0001\nMeshes = §{}\nEnd = true\n", "Meshes")
value("mesh_is_number", "GOMT0001\nMeshes = [§5]\nEnd = true\n", "Meshes[0]")
value("slots_is_string", 'GOMT0001\nMaterialSlots = §"x"\nEnd = true\n', "MaterialSlots")
value("hash_short", sub((bytes(range(32)).hex(), bytes(range(31)).hex() + "1"), ('sourceHash = "', 'sourceHash = §"')), "Header.sourceHash")
value("hash_empty", sub((bytes(range(32)).hex(), ""), ('sourceHash = "', 'sourceHash = §"')), "Header.sourceHash")
value("hash_not_hex", sub((bytes(range(32)).hex(), "g" + bytes(range(32)).hex()[1:]), ('sourceHash = "', 'sourceHash = §"')), "Header.sourceHash")
value("hash_number", sub(('"%s"' % bytes(range(32)).hex(), "§12")), "Header.sourceHash")
value("version_number", sub(('"conformance 1"', "§1")), "Header.converterVersion")
value("integer_string", sub(("validationFlags = 63", 'validationFlags = §"63"')), "Header.validationFlags")
value("float_string", sub(("opacity = 0.75", 'opacity = §"0.75"')), "MaterialSlots[1].phong.opacity")
value("float_array", sub(("opacity = 0.75", "opacity = §[0.75]")), "MaterialSlots[1].phong.opacity")
value("name_array", sub(('"Body"', '§["Body"]')), "MaterialSlots[0].name")
value("p_2", vertex_sub("p = [-1, 2, 0]", "p = §[-1, 2]"), "Meshes[0].vertices[0].p")
value("p_0", vertex_sub("p = [-1, 2, 0]", "p = §[]"), "Meshes[0].vertices[0].p")
value("p_4", vertex_sub("p = [-1, 2, 0]", "p = [-1, 2, 0, §4]"), "Meshes[0].vertices[0].p")
value("p_nested", vertex_sub("p = [-1, 2, 0]", "p = [§[-1, 2, 0]]"), "Meshes[0].vertices[0].p[0]")
value("n_2", vertex_sub("n = [0, 0, -1]", "n = §[0, -1]"), "Meshes[0].vertices[0].n")
value("t_3", vertex_sub("t = [1, 0, 0, -1]", "t = §[1, 0, 0]"), "Meshes[0].vertices[0].t")
value("uv_3", vertex_sub("uv = [0, 0]", "uv = [0, 0, §0]"), "Meshes[0].vertices[0].uv")
value("bi_3", vertex_sub("bi = [1, 0, 0, 0]", "bi = §[1, 0, 0]"), "Meshes[0].vertices[0].bi")
value("bw_5", vertex_sub("bw = [0.75, 0.25, 0, 0]", "bw = [0.75, 0.25, 0, 0, §0]"), "Meshes[0].vertices[0].bw")
value("vertex_array", sub((V, "§[-1, 2, 0]")), "Meshes[0].vertices[0]")
GBTM = "meshBindGeoToModel = [\n" + ROWS + "    ]"
value("matrix_3_rows", sub((GBTM, "meshBindGeoToModel = §[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]")), "Meshes[1].meshBindGeoToModel")
value("matrix_5_rows", sub((GBTM, GBTM.replace("    ]", "    , §[0, 0, 0, 0]]"))), "Meshes[1].meshBindGeoToModel")
value("matrix_row_of_3", sub((ROWS, ROWS.replace("[0, 1, 0, 0]", "§[0, 1, 0]"))), "Meshes[1].meshBindGeoToModel[1]")
value("matrix_row_of_5", sub((ROWS, ROWS.replace("[0, 1, 0, 0]", "[0, 1, 0, 0, §0]"))), "Meshes[1].meshBindGeoToModel[1]")
value("matrix_15", sub((GBTM, "meshBindGeoToModel = §[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 3, 0]")), "Meshes[1].meshBindGeoToModel")
value("matrix_17", sub((GBTM, "meshBindGeoToModel = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 3, 0, 1, §1]")), "Meshes[1].meshBindGeoToModel")
value("matrix_mixed", sub((ROWS, ROWS.replace("[0, 1, 0, 0]", "§0, 1, 0, 0"))), "Meshes[1].meshBindGeoToModel[1]")
value("matrix_mixed_other", sub((GBTM, "meshBindGeoToModel = [1, 0, 0, 0, §[0, 1, 0, 0], 0, 0, 1, 0, 0, 3, 0, 1]")), "Meshes[1].meshBindGeoToModel[4]")
value("matrix_string_in_row", sub((ROWS, ROWS.replace("[0, 1, 0, 0]", '[0, §"1", 0, 0]'))), "Meshes[1].meshBindGeoToModel[1][1]")
value("quaternion_3", sub(("{ time = 0, value = [0, 0, 0, 1] }", "{ time = 0, value = §[0, 0, 1] }")), "Animations[1].tracks[1].rotKeys[0].value")
value("translation_4", sub(("{ time = 0.5, value = [0, 0.25, 0] }", "{ time = 0.5, value = [0, 0.25, 0, §1] }")), "Animations[1].tracks[0].trKeys[1].value")
value("flags_string", sub((IDLE := 'name = "Idle",\n    duration = 0,\n    rootBoneIndex = -1,\n    flags = []', IDLE.replace("[]", '§"Loop"'))), "Animations[0].flags")
value("flags_numbers", sub((IDLE, IDLE.replace("[]", "[§1]"))), "Animations[0].flags[0]")


def integer(name, text, path):
    bad("field3_" + name, text, E("GOMT_INTEGER", path))


for label, number in (("point", "63.0"), ("exponent", "63e0"), ("too_large", "4294967296"), ("negative", "-1"), ("20_digits", "12345678901234567890"), ("30_digits", "9" * 30)):
    integer("u32_" + label, sub(("validationFlags = 63", "validationFlags = §" + number)), "Header.validationFlags")
for label, number in (("too_large", "65536"), ("negative", "-1"), ("point", "1.0")):
    integer("bi_" + label, vertex_sub("bi = [1, 0, 0, 0]", "bi = [1, §%s, 0, 0]" % number), "Meshes[0].vertices[0].bi[1]")
for label, number in (("too_large", "2147483648"), ("too_small", "-2147483649"), ("point", "-1.0")):
    integer("parent_" + label, sub(("parent = -1", "parent = §" + number)), "Skeleton.bones[0].parent")
integer("index_negative", sub(("      0, 1, 2,\n      0, 2, 3\n", "      0, 1, 2,\n      0, §-2, 3\n")), "Meshes[0].indices[4]")
integer("index_too_large", sub(("      0, 1, 2,\n      0, 2, 3\n", "      0, 1, 2,\n      0, §4294967296, 3\n")), "Meshes[0].indices[4]")
integer("material_too_large", sub(("materialIndex = 0, ", "materialIndex = §2147483648, ")), "Meshes[0].submeshes[0].materialIndex")
integer("bone_index_negative", sub(("boneIndex = 1", "boneIndex = §-1")), "Animations[1].tracks[1].boneIndex")
bad("field4_bone_count", sub(("boneCount = 2", "boneCount = §3")), E("GOMT_BONE_COUNT", "Skeleton.boneCount"))
bad("field4_bone_count_behind", sub(("  boneCount = 2,\n", ""), ("  ]\n}\nMaterialSlots", "  ], boneCount = §1\n}\nMaterialSlots")), E("GOMT_BONE_COUNT", "Skeleton.boneCount"))
bad("field7_unknown", sub((IDLE, IDLE.replace("[]", '["Loop", §"loop"]'))), E("GOMT_FLAG_NAME", "Animations[0].flags[1]"))
bad("field7_twice", sub((IDLE, IDLE.replace("[]", '["Loop", §"Loop"]'))), E("GOMT_FLAG_NAME", "Animations[0].flags[1]"))
for label, number in (("1e39", "1e39"), ("negative", "-1e39"), ("just", "3.4028236e38"), ("half", "340282356779733661637539395458142568448"), ("1e999999999999", "1e999999999999"),
                      ("many_digits", "1" * 500)):
    bad("float1_" + label, vertex_sub("p = [-1, 2, 0]", "p = [-1, §%s, 0]" % number), E("GOMT_OVERFLOW", "Meshes[0].vertices[0].p[1]"))

# --- contents: the rules of gom.md at their places in the text --------------------------------------------------------------------


def content(name, text, *findings):
    bad("gom_" + name, text, *findings)


content("skel2_no_bones", "GOMT0001\nSkeleton = { boneCount = 0, bones = §[] }\nEnd = true\n", E("GOM_NO_BONES", "Skeleton"))
for label, parent in (("range", "2"), ("itself", "1"), ("below", "-2")):
    content("skel3_" + label, sub(("parent = 0", "parent = §" + parent)), E("GOM_BONE_PARENT", "Skeleton.bones[1].parent"))
content("skel3_cycle", sub(("parent = -1", "parent = §1")), E("GOM_BONE_PARENT", "Skeleton.bones[0].parent"))
content("skel4_path", sub(('"Root/Tip"', '§"Root/Tup"')), E("GOM_BONE_PATH", "Skeleton.bones[1].path"))
content("skel4_no_parent", sub(("parent = 0", "parent = -1"), ('"Root/Tip"', '§"Root/Tip"')), E("GOM_BONE_PATH", "Skeleton.bones[1].path"))
content("skel5_path_twice", sub(("parent = 0", "parent = -1"), ('name = "Tip"', 'name = "Root"'), ('"Root/Tip"', '§"Root"')), E("GOM_BONE_PATH_TWICE", "Skeleton.bones[1].path"))
content("str0_5_bone_name", sub(('name = "Tip"', 'name = §""')), E("GOM_NAME_MISSING", "Skeleton.bones[1].name"))
content("str0_5_bone_path", sub(('"Root/Tip"', '§""')), E("GOM_NAME_MISSING", "Skeleton.bones[1].path"))
content("str0_5_clip_name", sub(('"Idle"', '§""')), E("GOM_NAME_MISSING", "Animations[0].name"))
TIP = "        [0, 1, 0, 1]\n"
content("skel7_singular", sub((BONE, BONE.replace("bindLocal = [", "bindLocal = §[").replace("[0, 1, 0, 0]", "[0, 0, 0, 0]"))), E("GOM_BONE_SINGULAR", "Skeleton.bones[1].bindLocal"))
content("mat3_bind", sub((BONE, BONE.replace("[0, 1, 0, 0]", "[0, 1, 0, §0.5]"))), E("GOM_MATRIX_COLUMN", "Skeleton.bones[1].bindLocal[7]"))
content("mat3_placement", sub((ROWS, ROWS.replace("[0, 3, 0, 1]", "[0, 3, 0, §2]"))), E("GOM_MATRIX_COLUMN", "Meshes[1].meshBindGeoToModel[15]"))
content("mat3_placement_flat", sub((GBTM, "meshBindGeoToModel = [1, 0, 0, 0, 0, 1, 0, §1, 0, 0, 1, 0, 0, 3, 0, 1]")), E("GOM_MATRIX_COLUMN", "Meshes[1].meshBindGeoToModel[7]"))
content("mat3_inverse_bind", sub(("        [0, -1, 0, 1]\n", "        [0, -1, 0, §1.5]\n")), E("GOM_MATRIX_COLUMN", "Meshes[0].inverseBind[1][15]"))
content("msh0_3_no_vertex", "GOMT0001\nMaterialSlots = [{ phong = { kd = [1, 1, 1], ks = [0, 0, 0], ke = [0, 0, 0], shininess = 1, opacity = 1 } }]\n"
        "Meshes = [{ vertices = §[], indices = §[], submeshes = [] }]\nEnd = true\n",
        E("GOM_PART_EMPTY", "Meshes[0].vertices"), E("GOM_PART_INDEX_COUNT", "Meshes[0].indices"))
content("msh0_4_indices", sub(("      0, 1, 2,\n      0, 2, 3\n", "      0, 1, 2,\n      0, 2\n"), ("    indices = [\n      0, 1, 2,", "    indices = §[\n      0, 1, 2,"),
                              ("indexStart = 3, indexCount = 3", "indexStart = 3, indexCount = §2"), ("validationFlags = 63", "validationFlags = 0")),
        E("GOM_PART_INDEX_COUNT", "Meshes[0].indices"), E("GOM_SUBMESH_COUNT", "Meshes[0].submeshes[1].indexCount"))
INVERSE = entry("Meshes")[entry("Meshes").index("    inverseBind = [\n"):entry("Meshes").index("    ]\n  },\n  {\n    name = \"Sign\"")]
content("msh0_5_matrices", sub((INVERSE, INVERSE[:INVERSE.index("      ],\n")].replace("= [", "= §[", 1) + "      ]\n")), E("GOM_PART_BONE_COUNT", "Meshes[0].inverseBind"))
content("msh0_5_no_skeleton", sub((entry("Skeleton"), ""), (entry("Animations"), ""), (INVERSE, INVERSE.replace("= [", "= §[", 1))), E("GOM_PART_BONE_COUNT", "Meshes[0].inverseBind"))
NOFLAGS = ("validationFlags = 63", "validationFlags = 0")
content("vb0_4_bone", sub((V, V.replace("bi = [1, 0, 0, 0]", "bi = [1, §2, 0, 0]")), NOFLAGS), E("GOM_VERTEX_BONE", "Meshes[0].vertices[0].bi[1]"))
content("ib0_3_index", sub(("      0, 1, 2,\n      0, 2, 3\n", "      0, 1, 2,\n      0, §4, 3\n"), NOFLAGS), E("GOM_INDEX_RANGE", "Meshes[0].indices[4]"))
SUBMESHES = ("    submeshes = [\n      { materialIndex = 0", "    submeshes = §[\n      { materialIndex = 0")
content("sub0_2_start", sub(("indexStart = 3", "indexStart = §0"), SUBMESHES, NOFLAGS), E("GOM_SUBMESH_COVER", "Meshes[0].submeshes"),
        E("GOM_SUBMESH_COVER", "Meshes[0].submeshes[1].indexStart"))
content("sub0_2_end", sub(("      { materialIndex = 0, indexStart = 0, indexCount = 3 },\n      { materialIndex = 1, indexStart = 3, indexCount = 3 }\n", "      { materialIndex = 0, indexStart = 0, indexCount = 3 }\n"),
                          ("    submeshes = [\n      { materialIndex = 0", "    submeshes = §[\n      { materialIndex = 0"), NOFLAGS), E("GOM_SUBMESH_COVER", "Meshes[0].submeshes"))
content("sub0_3_count", sub(("indexStart = 3, indexCount = 3", "indexStart = 3, indexCount = §0"), SUBMESHES, NOFLAGS), E("GOM_SUBMESH_COVER", "Meshes[0].submeshes"),
        E("GOM_SUBMESH_COUNT", "Meshes[0].submeshes[1].indexCount"))
content("sub0_4_material", sub(("materialIndex = 1, indexStart = 3", "materialIndex = §2, indexStart = 3"), NOFLAGS),
        E("GOM_SUBMESH_MATERIAL", "Meshes[0].submeshes[1].materialIndex"))
content("sub0_4_negative", sub(("materialIndex = 0, ", "materialIndex = §-1, "), NOFLAGS), E("GOM_SUBMESH_MATERIAL", "Meshes[0].submeshes[0].materialIndex"))
content("sub0_4_no_slot", sub((entry("MaterialSlots"), "MaterialSlots = §[]\n"), ("materialIndex = 0, indexStart = 0", "materialIndex = §0, indexStart = 0"),
                              ("materialIndex = 1, indexStart = 3", "materialIndex = §1, indexStart = 3"), ("materialIndex = 1, indexStart = 0", "materialIndex = §1, indexStart = 0"), NOFLAGS),
        ("C", "GOM_MATERIAL_NONE", "MaterialSlots"), E("GOM_SUBMESH_MATERIAL", "Meshes[0].submeshes[0].materialIndex"),
        E("GOM_SUBMESH_MATERIAL", "Meshes[0].submeshes[1].materialIndex"), E("GOM_SUBMESH_MATERIAL", "Meshes[1].submeshes[0].materialIndex"))
content("weight3_sum", sub((V, V.replace("0.75, 0.25", "0.75, 0.125").replace("bw = [", "bw = §[")), NOFLAGS), E("GOM_WEIGHT_SUM", "Meshes[0].vertices[0].bw"))
content("weight4_negative", sub((V, V.replace("0.75, 0.25, 0, 0", "1.25, §-0.25, 0, 0").replace("bw = [", "bw = §[")), NOFLAGS),
        ("C", "GOM_WEIGHT_ORDER", "Meshes[0].vertices[0].bw"), E("GOM_WEIGHT_NEGATIVE", "Meshes[0].vertices[0].bw[1]"))
content("anim3_name_twice", sub(('"Wave"', '§"Idle"')), E("GOM_CLIP_NAME_TWICE", "Animations[1].name"))
content("clp0_2_duration", sub((IDLE, IDLE.replace("duration = 0", "duration = §-0.5"))), E("GOM_CLIP_DURATION", "Animations[0].duration"))
content("clp0_3_root", sub((IDLE, IDLE.replace("-1", "§2"))), E("GOM_ROOT_BONE", "Animations[0].rootBoneIndex"))
content("clp0_3_root_negative", sub((IDLE, IDLE.replace("-1", "§-2"))), E("GOM_ROOT_BONE", "Animations[0].rootBoneIndex"))
content("clp0_6_bone", sub(("boneIndex = 1", "boneIndex = §2")), E("GOM_TRACK_BONE", "Animations[1].tracks[1].boneIndex"))
content("clp0_7_twice", sub(("boneIndex = 1", "boneIndex = §0")), E("GOM_TRACK_TWICE", "Animations[1].tracks[1].boneIndex"))
content("clp0_8_late", sub(("time = 0.25", "time = §1.75")), E("GOM_KEY_TIME", "Animations[1].tracks[1].scKeys[0].time"))
content("clp0_8_negative", sub(("time = 0.25", "time = §-0.25")), E("GOM_KEY_TIME", "Animations[1].tracks[1].scKeys[0].time"))
content("clp0_8_equal", sub(("{ time = 0.5, value = [0, 0.25, 0] }", "{ time = §0, value = [0, 0.25, 0] }")), E("GOM_KEY_TIME", "Animations[1].tracks[0].trKeys[1].time"))
content("quat2_zero", sub(("{ time = 0, value = [0, 0, 0, 1] }", "{ time = 0, value = §[0, 0, 0, 0] }")), E("GOM_QUATERNION_ZERO", "Animations[1].tracks[1].rotKeys[0].value"))
content("limit_bones", sub(("boneCount = 2", "boneCount = §4097")), E("GOM_LIMIT", "Skeleton.boneCount"))
CLIPS = ",".join('{name="c%04d",duration=0,tracks=[]}' % i for i in range(1024))
content("limit_clips", 'GOMT0001\nAnimations=[%s,§{name="x",duration=0,tracks=[]}]End=true' % CLIPS, E("GOM_LIMIT", "Animations[1024]"))
content("flag1_false", sub(("validationFlags = 63", "validationFlags = §63"), ("bw = [0.5, 0.5, 0, 0]", "bw = §[0.25, 0.75, 0, 0]")),
        E("GOM_FLAG_FALSE", "Header.validationFlags"), ("C", "GOM_WEIGHT_ORDER", "Meshes[0].vertices[1].bw"))
content("several", sub(("      0, 1, 2,\n      0, 2, 3\n", "      0, 1, §9,\n      0, §4, 3\n"), ("indexStart = 3", "indexStart = §0"), ("time = 0.25", "time = §9"), SUBMESHES,
                       NOFLAGS),
        E("GOM_INDEX_RANGE", "Meshes[0].indices[2]"), E("GOM_INDEX_RANGE", "Meshes[0].indices[4]"), E("GOM_SUBMESH_COVER", "Meshes[0].submeshes"),
        E("GOM_SUBMESH_COVER", "Meshes[0].submeshes[1].indexStart"), E("GOM_KEY_TIME", "Animations[1].tracks[1].scKeys[0].time"))


# Findings of a text whose bones, slots and clips are listed in another order, and so found at other places.
ORDERS = (('  {\n    name = "Body"', '  §{\n    name = "Body"'), ("materialIndex = 0, indexStart = 3", "materialIndex = §0, indexStart = 3"), ('"Idle"', '§"Idle"'))
SLOT, SUBMESH, CLIP = (("C", "GOM_MATERIAL_ORDER", "MaterialSlots[1]"), ("C", "GOM_SUBMESH_ORDER", "Meshes[0].submeshes[1].materialIndex"),
                       ("C", "GOM_CLIP_ORDER", "Animations[1].name"))
START = 'name = "Tip",\n      path = "Root/Tip",\n      bindLocal = [\n        [1, 0, 0, '
content("listed_bind", sub((START + "0]", START + "§3]"), *ORDERS, base=UNSORTED), E("GOM_MATRIX_COLUMN", "Skeleton.bones[0].bindLocal[3]"), SLOT, SUBMESH, CLIP)
content("listed_inverse_bind", sub(("        [0, -1, 0, 1]\n", "        [0, -1, 0, §1.5]\n"), *ORDERS, base=UNSORTED), SLOT, SUBMESH,
        E("GOM_MATRIX_COLUMN", "Meshes[0].inverseBind[0][15]"), CLIP)

# --- warnings and canonical findings ----------------------------------------------------------------------------------------------

bad("warn_normal", vertex_sub("n = [0, 0, -1]", "n = §[0, 0, -2]"), ("W", "GOM_NORMAL_LENGTH", "Meshes[0].vertices[0].n"))
bad("warn_tangent_sign", vertex_sub("t = [1, 0, 0, -1]", "t = [1, 0, 0, §0.5]"), ("W", "GOM_TANGENT_SIGN", "Meshes[0].vertices[0].t[3]"))
bad("warn_map_path", sub(('"tex/body.png"', '§"../body.png"')), ("W", "GOM_MAP_PATH", "MaterialSlots[0].maps.diffuse"))
bad("warn_opacity", sub(("opacity = 0.75", "opacity = §1.5")), ("W", "GOM_MATERIAL_RANGE", "MaterialSlots[1].phong.opacity"))
bad("warn_flags_number", sub((IDLE, IDLE.replace("[]", "§4"))), [("W", "GOM_CLIP_FLAGS", "Animations[0].flags"), LAYOUT])
bad("warn_validation_flags", sub(("validationFlags = 63", "validationFlags = §127")), [("W", "GOM_FLAG_UNKNOWN", "Header.validationFlags"), LAYOUT])
bad("canonical_negative_zero", vertex_sub("p = [-1, 2, 0]", "p = [-1, 2, §-0]"), [("C", "GOM_NEGATIVE_ZERO", "Meshes[0].vertices[0].p[2]"), LAYOUT])
bad("canonical_quaternion_sign", sub(("{ time = 0, value = [0, 0, 0, 1] }", "{ time = 0, value = §[0, 0, 0, §-1] }")), ("C", "GOM_QUATERNION_SIGN", "Animations[1].tracks[1].rotKeys[0].value"), LAYOUT)
bad("canonical_empty_track", sub((IDLE + ",\n    tracks = []", IDLE + ",\n    tracks = [§{ boneIndex = 0 }]")),
    [LAYOUT, ("C", "GOM_TRACK_EMPTY", "Animations[0].tracks[0]")])
bad("canonical_identity_placement", sub((ROWS, ROWS.replace("[0, 3, 0, 1]", "[0, 0, 0, 1]")), ("    meshBindGeoToModel = [", "    §meshBindGeoToModel = §[")), LAYOUT,
    ("C", "GOM_PLACEMENT_IDENTITY", "Meshes[1].meshBindGeoToModel"))

# --- the earlier generation -------------------------------------------------------------------------------------------------------


def joint():
    d = full()
    d.flags = 63
    d.clips[1]["tracks"] = [{"bone": b, "tr": [(t, [0, t, 0]) for t in (0, 0.5, 1.5)], "rot": [(t, [0, 0, 0, 1]) for t in (0, 0.5, 1.5)],
                             "sc": [(t, [1, 1, 1 + t]) for t in (0, 0.5, 1.5)]} for b in (0, 1)]
    return d


JOINT = gomt_builder.text(joint())
TRACKS = JOINT[JOINT.rindex("    tracks = ["):JOINT.rindex("  }\n]\nEnd")]
OLD_TRACKS = "    tracks = [%s]\n" % ", ".join("{ bone = %d, keys = [%s] }" % (b, ", ".join(
    "{ time = %s, tr = [0, %s, 0], rot = [0, 0, 0, 1], sc = [1, 1, %s] }" % (t, t, 1 + t) for t in (0, 0.5, 1.5))) for b in (0, 1))


def old(name, text, doc, warnings, *findings):
    case("old", name, text, findings, doc, warnings=warnings)


def default_slots():
    d = full63()
    d.materials = [material("DefaultMaterial")]
    d.parts[0]["submeshes"] = [(0, 0, 6)]
    d.parts[1]["submeshes"] = [(0, 0, 3)]
    return d


def without(text, *names):
    for n in names:
        text = text.replace(entry(n) if n != "End" else "End = true\n", "")
    return text


old("no_magic", "§" + FULL[9:], full63(), ["GOMT_OLD_MAGIC"], E("GOMT_MAGIC"))
old("no_magic_comment", "§// a comment\n  " + FULL[9:], full63(), ["GOMT_OLD_MAGIC"], E("GOMT_MAGIC"))
old("no_magic_no_end", "§" + without(FULL, "End")[9:], full63(), ["GOMT_OLD_MAGIC", "GOMT_OLD_NO_END"], E("GOMT_MAGIC"))
old("tracks", JOINT.replace(TRACKS, OLD_TRACKS.replace("{ bone = 0, keys", "§{ §bone = 0, §keys").replace("{ bone = 1, keys", "§{ §bone = 1, §keys")), joint(),
    ["GOMT_OLD_KEYS"], *[E(issue, "Animations[1].tracks[%d]%s" % (t, field)) for t in (0, 1) for issue, field in (
        ("GOMT_FIELD_MISSING", ""), ("GOMT_NAME_UNKNOWN", ".bone"), ("GOMT_NAME_UNKNOWN", ".keys"))])
old("no_materials", without(FULL, "MaterialSlots").replace("{ materialIndex = 0, indexStart = 0", "§{ materialIndex = 0, indexStart = 0"), default_slots(), ["GOMT_OLD_NO_MATERIALS"],
    E("GOMT_NO_SLOTS", "Meshes[0].submeshes[0]"))
everything = joint()
everything.materials = default_slots().materials
everything.parts = default_slots().parts
old("everything", "§" + without(JOINT, "MaterialSlots", "End")[9:].replace(TRACKS, OLD_TRACKS), everything,
    ["GOMT_OLD_MAGIC", "GOMT_OLD_KEYS", "GOMT_OLD_NO_MATERIALS", "GOMT_OLD_NO_END"], E("GOMT_MAGIC"))
# With the magic line a text is of this generation, and a missing End means that it was cut off.
bad("old1_end_missing_with_magic", FULL[:FULL.index("End")] + "§", E("GOMT_END"))
bad("old1_mixed_track", sub(("boneIndex = 1,", "boneIndex = 1, §keys = [],")), E("GOMT_NAME_UNKNOWN", "Animations[1].tracks[1].keys"))


# ------------------------------------------------------------------------------------------------------------------------------

def places(text):
    """The text without its marks, and the line and column (code points, from 1) of each."""
    pieces = text.split("§")
    out, so_far = [], pieces[0]
    for piece in pieces[1:]:
        out.append((so_far.count("\n") + 1, len(so_far) - (so_far.rfind("\n") + 1) + 1))
        so_far += piece
    return so_far, out


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "gomt")
    seen = set()
    for folder, name, text, findings, doc, more in cases:
        assert (folder, name) not in seen, name
        seen.add((folder, name))
        issues = []
        if isinstance(text, bytes):
            data = text
            for severity, issue, path, line, column in findings:
                issues.append({"id": issue, "severity": SEVERITY[severity], "path": path, "line": line, "column": column})
        else:
            plain, at = places(text)
            data = plain.encode("utf-8")
            assert len(at) == len(findings), (name, at, findings)
            for place, group in zip(at, findings):
                for severity, issue, path in group if isinstance(group, list) else [group]:
                    issues.append({"id": issue, "severity": SEVERITY[severity], "path": path, "line": place[0], "column": place[1]})
        loads = not any(i["severity"] == "error" and i["id"] != "GOM_FLAG_FALSE" for i in issues)
        report = {"loads": loads, "issues": issues}
        if folder == "old":
            report["warnings"] = more["warnings"]
        os.makedirs(os.path.join(out, folder), exist_ok=True)
        base = os.path.join(out, folder, name)
        with open(base + ".gomt", "wb") as f:
            f.write(data)
        if doc is not None:
            with open(base + ".gom", "wb") as f:
                f.write(bytes(assemble(doc, doc.chunks()).data))
        with open(base + ".report.json", "w", encoding="utf-8", newline="\n") as f:
            json.dump(report, f, indent=1, ensure_ascii=True)
            f.write("\n")
    print("%d files" % len(cases))


if __name__ == "__main__":
    main()
