#!/usr/bin/env python3
"""Writes tests/conformance/ps1m: files that keep or break each rule of docs/spec/ps1m.md, and beside each the findings it must give.

The bytes are put together from the page with struct alone, no code of the project takes part. A report says whether a reader takes the
file ("reads") and lists the checker's findings: id, severity, part, byte.

usage: make_ps1m_cases.py [OUTPUT_FOLDER]      (default: the ps1m folder beside this file)
"""
import json
import struct
import sys
from pathlib import Path

CHECKERS = {"PS1_BONES", "PS1_VERTICES", "PS1_TEXTURE", "PS1_ORDER", "PS1_BONE_RANGE"}
WARNINGS = {"PS1_SLOT_ORDER", "PS1_CLIP_NAME", "PS1_FPS", "PS1_ROTATION", "PS1_SATURATED", "PS1_RESERVED"}
NO_CHAIN = (-1, -1, -1, 0, 0, 0, 0, 0, 0)


class Model:
    """Contents as plain lists; ranges and slots as given, so that cases can be wrong on purpose."""

    def __init__(self):
        self.vertices = [(-512, 0, 0, 0, 0, 0, -4096, 0, 255), (512, 0, 0, 0, 0, 0, -4096, 255, 255),
                         (-384, -768, 0, 1, 0, 0, -4096, 0, 128), (384, -768, 0, 1, 0, 0, -4096, 255, 128)]
        self.triangles = [(0, 3, 1, 0, 0, 0, 0, -4096, 0), (0, 2, 3, 1, 0, 0, 0, -4096, 1)]
        self.bones = [(-1, 1, 0, 0, 2, 0, 1, 0, -2048, 0), (0, 0, 255, 2, 2, 1, 1, 0, -1024, 0)]
        self.ntrans = 1
        self.clips = [("nod", 15, [([(0, 0, 0, 4096), (0, 0, 0, 4096)], [(0, -2048, 0)]), ([(0, 0, 0, 4096), (0, 0, 1060, 3956)], [(0, -2000, 0)])])]
        self.ik = None
        self.edges = []
        self.quads = []

    def with_ik(self):
        self.ik = (0, -1, (0, 0, -4096), [(0, 1, -1, 0, -768, 0, 0, 0, 4096), NO_CHAIN, NO_CHAIN, NO_CHAIN])
        self.edges = [(0, 2), (2, 3), (3, 1), (1, 0)]
        self.quads = [(2, 3, 1, 0, 0, 1)]
        return self


class File:
    """Bytes, and where each named part begins."""

    def __init__(self, m, header=48):
        self.at = {}
        parts = [(name, len(items) * size) for name, items, size in (
            ("vertices", m.vertices, 16), ("triangles", m.triangles, 16), ("bones", m.bones, 18))]
        at = header
        for name, size in parts:
            self.at[name] = at
            at += (size + 3) // 4 * 4
        self.at["clips"] = at
        at += 24 * len(m.clips)
        starts = []
        for i, (_, _, frames) in enumerate(m.clips):
            starts.append(at)
            self.at["frames%d" % i] = at
            at += len(frames) * 8 * (len(m.bones) + m.ntrans)
        for name, count, size in (("ik", 1 if m.ik else 0, 76), ("edges", len(m.edges), 4), ("quads", len(m.quads), 12)):
            self.at[name] = at if count else 0
            at += count * size
        d = bytearray(at)
        struct.pack_into("<4s6H6I", d, 0, b"PS1M", len(m.vertices), len(m.triangles), len(m.bones), len(m.clips), m.ntrans, len(m.edges),
                         *(self.at[k] for k in ("vertices", "triangles", "bones", "clips", "ik", "edges")))
        if header == 48:
            struct.pack_into("<IHH", d, 40, self.at["quads"], len(m.quads), 0)
        for i, v in enumerate(m.vertices):
            struct.pack_into("<3hBB3hBB", d, self.at["vertices"] + 16 * i, *v[0:4], 0, *v[4:9])
        for i, t in enumerate(m.triangles):
            struct.pack_into("<3HBB3hBB", d, self.at["triangles"] + 16 * i, *t[0:9], 0)
        for i, b in enumerate(m.bones):
            struct.pack_into("<bBBB4H3h", d, self.at["bones"] + 18 * i, *b[0:3], 0, *b[3:10])
        for i, (name, fps, frames) in enumerate(m.clips):
            struct.pack_into("<16sHHI", d, self.at["clips"] + 24 * i, name.encode("latin-1"), len(frames), fps, starts[i])
            p = starts[i]
            for rotations, translations in frames:
                for q in rotations:
                    struct.pack_into("<4h", d, p, *q)
                    p += 8
                for t in translations:
                    struct.pack_into("<4h", d, p, *t, 0)
                    p += 8
        if m.ik:
            hip, head, forward, chains = m.ik
            struct.pack_into("<bbH3hH", d, self.at["ik"], hip, head, 0, *forward, 0)
            for i, c in enumerate(chains):
                struct.pack_into("<bbbB6h", d, self.at["ik"] + 12 + 16 * i, *c[0:3], 0, *c[3:9])
        for i, e in enumerate(m.edges):
            struct.pack_into("<2H", d, self.at["edges"] + 4 * i, *e)
        for i, q in enumerate(m.quads):
            struct.pack_into("<6H", d, self.at["quads"] + 12 * i, *q)
        self.data = d

    def put(self, where, kind, *values):
        struct.pack_into("<" + kind, self.data, where, *values)
        return self


def model(ik=False, **changes):
    m = Model()
    if ik:
        m.with_ik()
    for name, value in changes.items():
        setattr(m, name, value)
    return m


def many(vertices=0, triangles=0, bones=0):
    """The example with that many elements, in order."""
    m = Model()
    m.vertices += [m.vertices[3]] * max(0, vertices - 4)
    m.triangles += [m.triangles[1]] * max(0, triangles - 2)
    m.bones[1] = (0, 0, 255, 2, len(m.vertices) - 2, 1, len(m.triangles) - 1, 0, -1024, 0)
    m.bones += [(0, 0, 255, 0, 0, 0, 0, 0, 0, 0)] * max(0, bones - 2)
    m.clips = [(n, f, [(r + [(0, 0, 0, 4096)] * (len(m.bones) - 2), t) for r, t in frames]) for n, f, frames in m.clips]
    return m


CASES = []


def good(name, m, canonical=True, header=48):
    CASES.append(("good", name, File(m, header), [], canonical))


def bad(name, m, findings, *patches):
    """patches: (where, kind, values...); `where` is a byte or a function of the file. findings: (id, part, byte or function)."""
    f = File(m)
    for where, kind, *values in patches:
        f.put(where(f) if callable(where) else where, kind, *(v(f) if callable(v) else v for v in values))
    CASES.append(("bad", name, f, [(i, p, b(f) if callable(b) else b) for i, p, b in findings], False))


def cut(name, size, findings):
    f = File(Model())
    f.data = f.data[:size]
    CASES.append(("bad", name, f, findings, False))


def at(part, offset=0):
    return lambda f: f.at[part] + offset


good("example", model())
good("example_ik", model(ik=True))
good("no_mesh", model(vertices=[], triangles=[], bones=[(-1, 1, 0, 0, 0, 0, 0, 0, -2048, 0), (0, 0, 255, 0, 0, 0, 0, 0, -1024, 0)]))
good("three_bones", many(bones=3))
good("most_bones", many(bones=64))
good("most_vertices", many(vertices=8192))
good("most_triangles", many(triangles=8192))
good("longest_name", model(clips=[("fifteen letters", 15, Model().clips[0][2])]))
good("two_clips", model(clips=Model().clips + [("still", 30, Model().clips[0][2][:1])]))
good("two_roots", model(bones=[Model().bones[0], (-1, 0, 255, 2, 2, 1, 1, 0, -3072, 0)]))
good("ik_everything", model(ik=(1, 1, (0, 0, 4096), [(0, 1, 1, 1, 2, 3, 0, 0, 4096)] * 4)))
good("second_generation", model(edges=[(0, 2), (2, 3)]), False, 40)
good("first_generation", model(), False, 40)

cut("short_nothing", 0, [("PS1_SHORT", "header", 0)])
cut("short_39", 39, [("PS1_SHORT", "header", 39)])
cut("short_47", 47, [("PS1_SHORT", "header", 47)])
cut("cut_by_one", 251, [("PS1_RANGE", "clip[0].frames", 180 + 20)])
cut("cut_in_vertices", 100, [("PS1_RANGE", "vertices", 16), ("PS1_RANGE", "triangles", 20), ("PS1_RANGE", "bones", 24), ("PS1_RANGE", "clips", 28)])
bad("magic", model(), [("PS1_MAGIC", "header.magic", 0)], (0, "4s", b"PS1N"))
bad("pad", model(), [("PS1_RESERVED", "header.pad", 46)], (46, "H", 1))
bad("range_in_header", model(), [("PS1_RANGE", "vertices", 16)], (16, "I", 44))
bad("range_far", model(), [("PS1_RANGE", "bones", 24)], (24, "I", 0xFFFFFFFC))
bad("range_ik", model(), [("PS1_RANGE", "ik", 32)], (32, "I", 180))
bad("range_edges", model(), [("PS1_RANGE", "edges", 36)], (14, "H", 1))
bad("range_quads", model(), [("PS1_RANGE", "quads", 40)], (40, "I", 244), (44, "H", 1))
bad("range_hostile_count", model(), [("PS1_VERTICES", "header", 4), ("PS1_RANGE", "vertices", 16)], (4, "H", 0xFFFF))
bad("range_frames", model(), [("PS1_RANGE", "clip[0].frames", at("clips", 20))], (at("clips", 16), "H", 0xFFFF))
bad("align", many(bones=3), [("PS1_ALIGN", "bones", 24)], (24, "I", 146), (146, "bBBB4H3h", *(-1, 1, 0, 0, 0, 2, 0, 1, 0, -2048, 0)),
    (164, "bBBB4H3h", *(0, 0, 255, 0, 2, 2, 1, 1, 0, -1024, 0)), (182, "bBBB4H3h", *(0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0)))
bad("overlap", model(), [("PS1_OVERLAP", "triangles", 20)], (20, "I", 96))
bad("overlap_clips", model(clips=Model().clips * 2), [("PS1_OVERLAP", "clip[1].frames", at("clips", 24 + 20))], (at("clips", 24 + 20), "I", at("frames0")))
bad("count_bones", model(), [("PS1_COUNT", "header", 8)], (8, "H", 0))
bad("count_clips", model(), [("PS1_COUNT", "header", 10)], (10, "H", 0))
bad("count_frames", model(), [("PS1_COUNT", "clip[0]", at("clips", 16))], (at("clips", 16), "H", 0))
bad("limit_bones", many(bones=65), [("PS1_BONES", "header", 8)])
bad("limit_vertices", many(vertices=8193), [("PS1_VERTICES", "header", 4)])
bad("limit_triangles", many(triangles=8193), [("PS1_VERTICES", "header", 6)])
bad("texture", model(), [("PS1_TEXTURE", "triangle[1].tex", at("triangles", 16 + 7))], (at("triangles", 16 + 7), "B", 3))
bad("index_vertex_bone", model(), [("PS1_INDEX", "vertex[3].bone", at("vertices", 48 + 6)), ("PS1_BONE_RANGE", "bone[1]", at("bones", 18 + 4))],
    (at("vertices", 48 + 6), "B", 2))
bad("index_triangle_bone", model(), [("PS1_INDEX", "triangle[1].bone", at("triangles", 16 + 6)), ("PS1_BONE_RANGE", "bone[1]", at("bones", 18 + 8))],
    (at("triangles", 16 + 6), "B", 255))
bad("index_triangle", model(), [("PS1_INDEX", "triangle[0]", at("triangles", 4))], (at("triangles", 4), "H", 4))
bad("index_edge", model(ik=True), [("PS1_INDEX", "edge[2]", at("edges", 10))], (at("edges", 10), "H", 4))
bad("index_quad_corner", model(ik=True), [("PS1_INDEX", "quad[0]", at("quads", 6))], (at("quads", 6), "H", 0xFFFF))
bad("index_quad_triangle", model(ik=True), [("PS1_INDEX", "quad[0]", at("quads", 10))], (at("quads", 10), "H", 2))
bad("parent_self", model(), [("PS1_PARENT", "bone[1].parent", at("bones", 18))], (at("bones", 18), "b", 1))
bad("parent_later", model(), [("PS1_PARENT", "bone[0].parent", at("bones"))], (at("bones"), "b", 1))
bad("parent_negative", model(), [("PS1_PARENT", "bone[1].parent", at("bones", 18))], (at("bones", 18), "b", -2))
bad("slot", model(), [("PS1_SLOT", "bone[0].trans_slot", at("bones", 2))], (at("bones", 2), "B", 1))
bad("slot_unused", model(), [("PS1_SLOT_ORDER", "header.ntrans", 12)], (at("bones", 1), "BB", 0, 255))
bad("slot_without_flag", model(), [("PS1_SLOT_ORDER", "bone[1].trans_slot", at("bones", 18 + 2))], (at("bones", 18 + 2), "B", 0))
bad("order_vertices", model(), [("PS1_ORDER", "vertex[1].bone", at("vertices", 16 + 6))], (at("vertices", 6), "B", 1))
bad("order_triangles", model(), [("PS1_ORDER", "triangle[1].bone", at("triangles", 16 + 6))], (at("triangles", 6), "B", 1), (at("triangles", 16 + 6), "B", 0))
bad("range_of_vertices", model(), [("PS1_BONE_RANGE", "bone[0]", at("bones", 4))], (at("bones", 6), "H", 3))
bad("range_of_triangles", model(), [("PS1_BONE_RANGE", "bone[1]", at("bones", 18 + 8))], (at("bones", 18 + 8), "H", 0))
bad("range_of_nothing", many(bones=3), [("PS1_BONE_RANGE", "bone[2]", at("bones", 36 + 4))], (at("bones", 36 + 4), "H", 4))
bad("name_empty", model(), [("PS1_CLIP_NAME", "clip[0].name", at("clips"))], (at("clips"), "16s", b""))
bad("name_no_end", model(), [("PS1_CLIP_NAME", "clip[0].name", at("clips"))], (at("clips"), "16s", b"sixteen letters."))
bad("name_latin1", model(), [("PS1_CLIP_NAME", "clip[0].name", at("clips"))], (at("clips"), "16s", b"n\xf6d"))
bad("name_behind", model(), [("PS1_CLIP_NAME", "clip[0].name", at("clips"))], (at("clips"), "16s", b"nod\0x"))
bad("fps", model(), [("PS1_FPS", "clip[0].fps", at("clips", 18))], (at("clips", 18), "H", 0))
bad("rotation_zero", model(), [("PS1_ROTATION", "clip[0].frame[1].rotation[0]", at("frames0", 24))], (at("frames0", 24), "4h", 0, 0, 0, 0))
bad("rotation_long", model(), [("PS1_ROTATION", "clip[0].frame[0].rotation[1]", at("frames0", 8))], (at("frames0", 8), "4h", *[-32768] * 4))
bad("rotation_by_five", model(), [("PS1_ROTATION", "clip[0].frame[0].rotation[0]", at("frames0"))], (at("frames0"), "4h", 0, 0, 0, 4101))
good("rotation_by_four", model(clips=[("nod", 15, [([(0, 0, 0, 4092), (0, 0, 0, 4100)], [(0, 0, 0)])])]))
bad("saturated", model(), [("PS1_SATURATED", "vertex[2]", at("vertices", 32 + 2))], (at("vertices", 32 + 2), "h", -32768))
bad("flags_of_bone", model(), [("PS1_RESERVED", "bone[1].flags", at("bones", 18 + 1))], (at("bones", 18 + 1), "B", 0x82))
bad("flags_of_triangle", model(), [("PS1_RESERVED", "triangle[0].flags", at("triangles", 14))], (at("triangles", 14), "B", 2))
bad("padding_everywhere", model(ik=True), [
    ("PS1_RESERVED", "vertex[0]", at("vertices", 7)), ("PS1_RESERVED", "triangle[0]", at("triangles", 15)), ("PS1_RESERVED", "bone[0]", at("bones", 3)),
    ("PS1_RESERVED", "clip[0].frame[0].translation[0]", at("frames0", 22)), ("PS1_RESERVED", "ik", at("ik", 2)), ("PS1_RESERVED", "ik", at("ik", 10)),
    ("PS1_RESERVED", "ik.chain[3]", at("ik", 12 + 48 + 3))],
    (at("vertices", 7), "B", 1), (at("triangles", 15), "B", 1), (at("bones", 3), "B", 1), (at("frames0", 22), "H", 1), (at("ik", 2), "H", 1), (at("ik", 10), "H", 1),
    (at("ik", 12 + 48 + 3), "B", 1))
bad("ik_hip", model(ik=True), [("PS1_IK", "ik.hip", at("ik"))], (at("ik"), "b", -1))
bad("ik_head", model(ik=True), [("PS1_IK", "ik.head", at("ik", 1))], (at("ik", 1), "b", 2))
bad("ik_half_a_chain", model(ik=True), [("PS1_IK", "ik.chain[1].lower", at("ik", 12 + 16 + 1))], (at("ik", 12 + 16), "b", 0))
bad("ik_end_alone", model(ik=True), [("PS1_IK", "ik.chain[2].upper", at("ik", 12 + 32)), ("PS1_IK", "ik.chain[2].lower", at("ik", 12 + 32 + 1))], (at("ik", 12 + 32 + 2), "b", 1))
bad("ik_end", model(ik=True), [("PS1_IK", "ik.chain[0].end", at("ik", 12 + 2))], (at("ik", 12 + 2), "b", 100))


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent / "ps1m"
    for folder, name, f, findings, canonical in CASES:
        path = root / folder / (name + ".ps1m")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(f.data)
        report = {
            "reads": all(i in WARNINGS or i in CHECKERS for i, _, _ in findings),
            "canonical": canonical,
            "issues": [{"id": i, "severity": "warning" if i in WARNINGS else "error", "part": p, "byte": b} for i, p, b in findings],
        }
        path.with_suffix(".report.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print("%d files" % len(CASES))


if __name__ == "__main__":
    main()
