#!/usr/bin/env python3
"""Writes tests/conformance/km3: files that keep or break each rule of docs/spec/km3.md, and beside each the findings it must give.

  good/     canonical, no finding at all
  bad/      the findings of the report and no others; whether a lenient and a strict reader take the file; "twin" names the good file that
            a lenient reader makes of it, where there is one

usage: make_km3_cases.py [OUTPUT_FOLDER]      (default: the km3 folder beside this file)
A rerun gives the same bytes; a test compares.
"""
import copy
import json
import os
import struct
import sys

SEVERITY = {"E": "error", "W": "warning"}
DAGGER = {"KM3_ORDER", "KM3_WEIGHT", "KM3_ALIGN", "KM3_OVERLAP", "KM3_ORPHAN", "KM3_NAME"}
FIELDS = {"type": 0, "n_prims": 4, "box": 8, "t": 32, "parent": 44, "extend": 48, "n_verts": 52, "verts": 56, "vid": 60, "n_norms": 64, "norms": 68,
          "nid": 72, "uvs": 76, "tex_name": 80, "rgbs": 84}
ARRAYS = {"verts": 16, "vid": 8, "norms": 16, "nid": 8, "uvs": 32, "tex_name": 4}
NAN = struct.unpack("<f", b"\0\0\xc0\x7f")[0]
INF = float("inf")
cases = []


class Unit:
    def __init__(self, t=(0, 0, 0), parent=-1, extend=-1, type=1):
        self.t, self.parent, self.extend, self.type = t, parent, extend, type
        self.verts, self.vid, self.norms, self.nid, self.uvs, self.tex = [], [], [], [], [], []

    def triangle(self, weights=(1, 1, 1), at=(0, 0, 0), texture="skin.png", normal=(0, 0, 1)):
        first = len(self.verts)
        for (x, y), w in zip(((-50, 0), (0, 80), (50, 0)), weights):
            self.verts.append((at[0] + x, at[1] + y, at[2], w))
        self.norms.append(normal + (weights[0],))
        n = len(self.norms) - 1
        self.vid.append([first, first + 1, first + 2, first + 2])
        self.nid.append([n] * 4)
        self.uvs.append([0, 1, 0.5, 0, 1, 1, 1, 1])
        self.tex.append(texture)
        return self

    def quad(self, weights=(1, 1, 1, 1), texture="body.png"):
        first = len(self.verts)
        for (x, y), w in zip(((-50, 0), (-50, 100), (50, 100), (50, 0)), weights):
            self.verts.append((x, y, 0, w))
        self.norms.append((0, 0, 1, 1))
        self.vid.append([first, first + 1, first + 2, first + 3])
        self.nid.append([len(self.norms) - 1] * 4)
        self.uvs.append([0, 1, 0, 0, 1, 0, 1, 1])
        self.tex.append(texture)
        return self


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


class File:
    """The canonical bytes of units, and where everything lies: at("unit[1].verts[2].w"), at("unit[0].parent"), ..."""

    def __init__(self, units, models):
        self.units = units
        out = bytearray(32 + 88 * len(units))
        self.offsets = {"header": 0, "header.n_models": 0, "header.n_x_models": 4, "header.box": 8}
        origins = []
        for i, u in enumerate(units):
            above = origins[u.parent] if u.parent >= 0 and u.parent < i else (0, 0, 0)
            origins.append(tuple(a + f32(b) for a, b in zip(above, u.t)))
        for i, u in enumerate(units):        # extension units hold their base's t and parent, so the same sum holds for them
            record = 32 + 88 * i
            self.offsets["unit[%d]" % i] = record
            for name, offset in FIELDS.items():
                self.offsets["unit[%d].%s" % (i, name)] = record + offset
            struct.pack_into("<II", out, record, u.type, len(u.vid))
            struct.pack_into("<6f", out, record + 8, *self.box([v[:3] for v in u.verts]))
            struct.pack_into("<3fii", out, record + 32, *u.t, u.parent, u.extend)
            struct.pack_into("<I", out, record + 52, len(u.verts))
            struct.pack_into("<I", out, record + 64, len(u.norms))
        points = [tuple(o + f32(c) for o, c in zip(origins[i], v)) for i, u in enumerate(units) for v in u.verts]
        struct.pack_into("<II6f", out, 0, models, len(units), *self.box(points))

        def place(i, name, rows, form):
            if not rows:
                return
            out.extend(bytes(-len(out) % 16))
            struct.pack_into("<I", out, 32 + 88 * i + FIELDS[name], len(out))
            for k, row in enumerate(rows):
                label = "unit[%d].%s[%d]" % (i, name, k)
                self.offsets[label] = len(out)
                for n in range(len(row)):
                    self.offsets["%s.%d" % (label, n)] = len(out) + n * struct.calcsize("<" + form[-1])
                if name == "verts":
                    self.offsets[label + ".w"] = len(out) + 12
                out.extend(struct.pack("<" + form, *row))

        for i, u in enumerate(units):
            place(i, "verts", u.verts, "4f")
            place(i, "vid", u.vid, "HHHH")
        for i, u in enumerate(units):
            place(i, "norms", u.norms, "4f")
            place(i, "nid", u.nid, "HHHH")
        for i, u in enumerate(units):
            place(i, "uvs", u.uvs, "8f")
        size = len(out)
        for i, u in enumerate(units):
            if u.tex:
                size += -size % 16 + 4 * len(u.tex)
        size += -size % 16
        pool = {}
        for i, u in enumerate(units):
            for name in u.tex:
                if name is not None and name not in pool:
                    pool[name] = size
                    size += len(name.encode("latin-1")) + 1
        for i, u in enumerate(units):
            place(i, "tex_name", [(0 if n is None else pool[n],) for n in u.tex], "I")
        out.extend(bytes(-len(out) % 16))
        for name, offset in pool.items():
            assert len(out) == offset
            self.offsets["name:" + name] = offset
            out.extend(name.encode("latin-1") + b"\0")
        out.extend(bytes(-len(out) % 16))
        self.data = out

    @staticmethod
    def box(points):
        if not points:
            return (0,) * 6
        return tuple(min(p[c] for p in points) for c in range(3)) + tuple(max(p[c] for p in points) for c in range(3))

    def at(self, label):
        return label if isinstance(label, int) else self.offsets[label]

    def put(self, label, form, *values):
        struct.pack_into("<" + form, self.data, self.at(label), *values)


def two():
    """A root and its child, blended: the page's example in other numbers."""
    return [Unit().quad(), Unit((0, 100, 0), 0, type=0x401).triangle((0, 1, 0.25), texture="arm.png")]


def chain():
    """Two ordinary units; unit 1 goes on in 2, that in 3."""
    a, b = Unit().quad(), Unit((0, 100, 0), 0, 2).triangle((0, 1, 0.5))
    c = Unit((0, 100, 0), 0, 3, 0x3).triangle((0, 1, 0.5), (0, 0, 20))
    d = Unit((0, 100, 0), 0, -1, 0x5).triangle((0, 1, 0.5), (0, 0, 40), None)
    return [a, b, c, d]


def case(folder, name, units, models=None, change=None, expect=(), after=None, twin=None):
    """change(units) before the file is made, after(file) patches it. expect: (severity, id, part, byte label)."""
    cases.append((folder, name, units, models, change, expect, after, twin))


def good(name, units, models=None, **more):
    case("good", name, units, models, **more)


def bad(name, expect, units=None, models=None, **more):
    case("bad", name, units if units is not None else two(), models, expect=expect, **more)


def one(severity, issue, part, byte=None):
    return [(severity, issue, part, part if byte is None else byte)]


def patch(label, form, *values):
    return lambda f: f.put(label, form, *values)


def both(*steps):
    def run(f):
        for step in steps:
            step(f)
    return run


# --- good ---------------------------------------------------------------------------------------------------------------------

example = [Unit().quad(texture="body_a"), Unit((0, 100, 0), 0, type=0x401).triangle((0, 1, 0.25), texture="arm_l")]
example[1].norms = [(0, 0, 1, 1)]
good("example", example)
good("empty", [])
good("two", two())
good("chain", chain(), 2)
good("one_without_geometry", [Unit((1, 2, 3))])
good("roots", [Unit().quad(), Unit((10, 0, 0)).triangle(), Unit((0, 5, 0), 1).triangle((0.5, 1, 0))])
good("type_flags", [Unit(type=0xF07).triangle()])
good("untextured", [Unit().triangle(texture=None).triangle(texture="a.png").triangle(texture=None)])
good("shared_names", [Unit().triangle(texture="a.png").triangle(texture="b.png").triangle(texture="a.png")])
good("inward", [Unit().triangle(normal=(0, 0, -1)).triangle(at=(0, 0, 9), normal=(0, 0, -1))])
good("negative_zero", [Unit((-0.0, 0, 0)).triangle(at=(0, -0.0, 0))])
good("longest_name", [Unit().triangle(texture="n" * 255)])
good("most_printable", [Unit().triangle(texture=" ~!\"#'/\\")])
good("degenerate", [Unit().quad()], change=lambda u: u[0].vid.__setitem__(0, [0, 1, 1, 2]))
good("zero_normal", [Unit().triangle(normal=(0, 0, 0))])
good("vertices_only", [Unit().triangle()], change=lambda u: [setattr(u[0], k, []) for k in ("vid", "norms", "nid", "uvs", "tex")])
good("bent_quad", [Unit().quad()], change=lambda u: u[0].verts.__setitem__(2, (50, 100, 30, 1)))

# --- errors -------------------------------------------------------------------------------------------------------------------


def cut(size):
    return lambda f: f.data.__delitem__(slice(size, None))


bad("short_nothing", one("E", "KM3_SHORT", "header", 0), after=cut(0))
bad("short_header", one("E", "KM3_SHORT", "header", 31), after=cut(31))
bad("short_records", one("E", "KM3_SHORT", "header.n_x_models"), after=cut(32 + 88 + 87))
bad("short_hostile_count", one("E", "KM3_SHORT", "header.n_x_models"), after=patch("header.n_x_models", "I", 0xFFFFFFFF))
bad("count_too_many", one("E", "KM3_COUNT", "header.n_models"), after=patch("header.n_models", "I", 3))
bad("count_orphans", one("E", "KM3_COUNT", "header.n_models"), after=patch("header.n_models", "I", 0))
bad("limit_units", one("E", "KM3_LIMIT", "header.n_x_models"), [Unit() for _ in range(4097)])
bad("limit_vertices", one("E", "KM3_LIMIT", "unit[0].n_verts"), after=patch("unit[0].n_verts", "I", 65537))
bad("limit_normals", one("E", "KM3_LIMIT", "unit[1].n_norms"), after=patch("unit[1].n_norms", "I", 0x80000000))
bad("limit_vertex_sum", one("E", "KM3_LIMIT", "header"), [Unit() for _ in range(153)],
    after=lambda f: [f.put("unit[%d].n_verts" % i, "I", 65536) for i in range(153)])
bad("limit_corner_sum", one("E", "KM3_LIMIT", "header"), after=both(patch("unit[0].n_prims", "I", 4_000_000), patch("unit[1].n_prims", "I", 3_500_001)))
bad("float_box", one("E", "KM3_FLOAT", "header.box", 28), after=patch(28, "f", INF))
bad("float_unit_box", one("E", "KM3_FLOAT", "unit[1].box", 32 + 88 + 8), after=patch("unit[1].box", "f", NAN))
bad("float_origin", one("E", "KM3_FLOAT", "unit[0].t", 32 + 32 + 4), after=patch(32 + 32 + 4, "f", -INF))
bad("float_vertex", one("E", "KM3_FLOAT", "unit[1].verts[2]", "unit[1].verts[2].1"), after=patch("unit[1].verts[2].1", "f", NAN))
bad("float_weight", one("E", "KM3_FLOAT", "unit[1].verts[0]", "unit[1].verts[0].w"), after=patch("unit[1].verts[0].w", "f", NAN))
bad("float_normal", one("E", "KM3_FLOAT", "unit[0].norms[0]", "unit[0].norms[0].0"), after=patch("unit[0].norms[0].0", "f", INF))
bad("float_uv", one("E", "KM3_FLOAT", "unit[0].uvs[0]", "unit[0].uvs[0].7"), after=patch("unit[0].uvs[0].7", "f", INF))
bad("float_rest", one("E", "KM3_FLOAT", "unit[1].t"), after=both(patch("unit[0].t", "f", 3e38), patch("unit[1].t", "f", 3e38)))
bad("range_verts_in_records", one("E", "KM3_RANGE", "unit[0].verts"), after=patch("unit[0].verts", "I", 16))
bad("range_verts_past_end", one("E", "KM3_RANGE", "unit[1].verts"), after=lambda f: f.put("unit[1].verts", "I", len(f.data) - 32))
bad("range_vid_far", one("E", "KM3_RANGE", "unit[0].vid"), after=patch("unit[0].vid", "I", 0xFFFFFFF8))
bad("range_nid", one("E", "KM3_RANGE", "unit[0].nid"), after=lambda f: f.put("unit[0].nid", "I", len(f.data)))
bad("range_norms", one("E", "KM3_RANGE", "unit[0].norms"), after=patch("unit[0].norms", "I", 32 + 88))
bad("range_uvs", one("E", "KM3_RANGE", "unit[1].uvs"), after=patch("unit[1].uvs", "I", 4))
bad("range_tex_name", one("E", "KM3_RANGE", "unit[1].tex_name"), after=patch("unit[1].tex_name", "I", 0x7FFFFFFC))
bad("range_by_one", one("E", "KM3_RANGE", "unit[0].tex_name"), [Unit().triangle(texture=None)],
    after=lambda f: f.data.__delitem__(slice(f.at("unit[0].tex_name[0]") + 3, None)))
bad("range_name_in_records", one("E", "KM3_RANGE", "unit[0].tex_name[0]"), after=patch("unit[0].tex_name[0]", "I", 32))
bad("range_name_past_end", one("E", "KM3_RANGE", "unit[0].tex_name[0]"), after=lambda f: f.put("unit[0].tex_name[0]", "I", len(f.data)))
bad("null_verts", one("E", "KM3_NULL", "unit[0].verts"), after=patch("unit[0].verts", "I", 0))
bad("null_no_vertices", one("E", "KM3_NULL", "unit[0].verts"), after=patch("unit[0].n_verts", "I", 0))
bad("null_vid", one("E", "KM3_NULL", "unit[1].vid"), after=patch("unit[1].vid", "I", 0))
bad("index_vid", one("E", "KM3_INDEX", "unit[0].vid[0]", "unit[0].vid[0].2"), after=patch("unit[0].vid[0].2", "H", 4))
bad("index_vid_repeated", one("E", "KM3_INDEX", "unit[1].vid[0]", "unit[1].vid[0].3"), after=patch("unit[1].vid[0].3", "H", 3))
bad("index_nid", one("E", "KM3_INDEX", "unit[1].nid[0]", "unit[1].nid[0].0"), after=patch("unit[1].nid[0].0", "H", 1))
bad("index_nid_repeated", one("E", "KM3_INDEX", "unit[1].nid[0]", "unit[1].nid[0].3"), after=patch("unit[1].nid[0].3", "H", 65535))
bad("string_too_long", one("E", "KM3_STRING", "unit[0].tex_name[0]", "name:" + "n" * 255), [Unit().triangle(texture="n" * 255)],
    after=lambda f: f.put(f.at("name:" + "n" * 255) + 255, "B", 0x6E))
bad("string_no_end", one("E", "KM3_STRING", "unit[0].tex_name[0]", "name:123456789012345"), [Unit().triangle(texture="123456789012345")],
    after=lambda f: f.put(f.at("name:123456789012345") + 15, "B", 0x6E))
bad("parent_range", one("E", "KM3_PARENT", "unit[1].parent"), after=patch("unit[1].parent", "i", 2))
bad("parent_negative", one("E", "KM3_PARENT", "unit[0].parent"), after=patch("unit[0].parent", "i", -2))
bad("parent_is_extension", one("E", "KM3_PARENT", "unit[1].parent") + one("W", "KM3_EXTFRAME", "unit[2].parent") + one("W", "KM3_EXTFRAME", "unit[3].parent"),
    chain(), 2, after=patch("unit[1].parent", "i", 2))
bad("parent_of_extension", one("E", "KM3_PARENT", "unit[3].parent"), chain(), 2, after=patch("unit[3].parent", "i", 2))
bad("cycle_self", one("E", "KM3_CYCLE", "unit[1].parent") + one("W", "KM3_ORDER", "unit[1].parent"), after=patch("unit[1].parent", "i", 1))
bad("cycle_two", one("E", "KM3_CYCLE", "unit[0].parent") + one("W", "KM3_ORDER", "unit[0].parent"), after=patch("unit[0].parent", "i", 1))
bad("extend_ordinary", one("E", "KM3_EXTEND", "unit[0].extend"), after=patch("unit[0].extend", "i", 1))
bad("extend_range", one("E", "KM3_EXTEND", "unit[0].extend"), after=patch("unit[0].extend", "i", 2))
bad("extend_negative", one("E", "KM3_EXTEND", "unit[0].extend"), after=patch("unit[0].extend", "i", -2))
bad("extend_twice", one("E", "KM3_EXTEND", "unit[1].extend"), chain(), 2, after=patch("unit[0].extend", "i", 2))
bad("extend_circle", one("E", "KM3_EXTEND", "unit[3].extend"), chain(), 2, after=patch("unit[3].extend", "i", 2))

# --- warnings -----------------------------------------------------------------------------------------------------------------


def swapped():
    a, b = two()
    a.parent, b.parent = 1, -1
    a.t, b.t = b.t, a.t
    a.verts, b.verts, a.vid, b.vid, a.norms, b.norms, a.nid, b.nid, a.uvs, b.uvs, a.tex, b.tex, a.type, b.type = \
        b.verts, a.verts, b.vid, a.vid, b.norms, a.norms, b.nid, a.nid, b.uvs, a.uvs, b.tex, a.tex, b.type, a.type
    return [a, b]


bad("order", one("W", "KM3_ORDER", "unit[0].parent"), swapped(), twin="two")
bad("weight_above", one("W", "KM3_WEIGHT", "unit[1].verts[1].w"), after=patch("unit[1].verts[1].w", "f", 1.5), twin="two")
bad("weight_below", one("W", "KM3_WEIGHT", "unit[1].verts[0].w"), after=patch("unit[1].verts[0].w", "f", -1), twin="two")
bad("weight_of_root", one("W", "KM3_WEIGHT", "unit[0].verts[3].w"), after=patch("unit[0].verts[3].w", "f", 3), twin="two")


def moved_array(unit, name, to, size):
    """Copies an array to `to` bytes behind the end, rounded to 16, and lets the record point there."""
    def run(f):
        source = struct.unpack_from("<I", f.data, f.at("unit[%d].%s" % (unit, name)))[0]
        start = len(f.data) + to
        f.data.extend(bytes(to) + f.data[source:source + size] + bytes(16 - to))
        f.put("unit[%d].%s" % (unit, name), "I", start)
    return run


bad("align_verts", one("W", "KM3_ALIGN", "unit[0].verts"), after=moved_array(0, "verts", 2, 64), twin="two")
bad("align_vid", one("W", "KM3_ALIGN", "unit[0].vid"), after=moved_array(0, "vid", 1, 8), twin="two")
bad("align_tex_name", one("W", "KM3_ALIGN", "unit[1].tex_name"), after=moved_array(1, "tex_name", 2, 4), twin="two")
bad("aligned_otherwise", [], after=both(moved_array(0, "verts", 4, 64), moved_array(0, "vid", 2, 8)), twin="two")
bad("overlap", one("W", "KM3_OVERLAP", "unit[1].verts"), after=lambda f: f.put("unit[1].verts", "I", f.at("unit[0].verts[1]")))
bad("overlap_inside", one("W", "KM3_OVERLAP", "unit[0].vid") + one("W", "KM3_OVERLAP", "unit[1].nid"),
    after=lambda f: (f.put("unit[0].vid", "I", f.at("unit[0].verts[2]")), f.put("unit[0].verts[2]", "HHHH", 0, 1, 2, 3),
                     f.put("unit[1].nid", "I", f.at("unit[0].verts[0]") + 4)))
bad("alias_norms", one("W", "KM3_ALIAS", "unit[1].norms"), after=lambda f: f.put("unit[1].norms", "I", f.at("unit[0].norms[0]")))
bad("alias_kinds", one("W", "KM3_ALIAS", "unit[1].nid"), [Unit().quad(), Unit((0, 1, 0), 0).triangle()],
    after=lambda f: f.put("unit[1].nid", "I", f.at("unit[0].nid[0]")))


def orphan():
    units = chain()
    units[2].extend = -1
    return units


def without_last():
    units = chain()
    units.pop()
    units[2].extend = -1
    return units


good("chain_of_one", without_last(), 2)
bad("orphan", one("W", "KM3_ORPHAN", "unit[3]"), orphan(), 2, twin="chain_of_one")
bad("orphans_in_a_circle", one("W", "KM3_ORPHAN", "unit[2]") + one("W", "KM3_ORPHAN", "unit[3]"), chain(), 2,
    after=both(patch("unit[1].extend", "i", -1), patch("unit[3].extend", "i", 2)))
bad("name_latin1", one("W", "KM3_NAME", "unit[0].tex_name[0]", "name:caf\xe9"), [Unit().triangle(texture="caf\xe9")])
bad("name_control", one("W", "KM3_NAME", "unit[0].tex_name[0]", "name:a\x1fb"), [Unit().triangle(texture="a\x1fb")])
bad("name_empty", one("W", "KM3_NAME", "unit[0].tex_name[0]", "name:"), [Unit().triangle(texture="")], twin="untextured_one")
good("untextured_one", [Unit().triangle(texture=None)])


def large(verts, norms):
    u = Unit().triangle()
    u.verts += [(1, 2, 3, 1)] * (verts - len(u.verts))
    u.norms += [(0, 0, 1, 1)] * (norms - len(u.norms))
    return [u]


bad("60000_vertices", one("W", "KM3_60000", "unit[0]", "unit[0].n_verts"), large(60001, 1))
bad("60000_normals", one("W", "KM3_60000", "unit[0]", "unit[0].n_norms"), large(3, 65536))
bad("type_unknown", one("W", "KM3_TYPE", "unit[0].type"), after=patch("unit[0].type", "I", 0x3001))
bad("type_high", one("W", "KM3_TYPE", "unit[0].type"), after=patch("unit[0].type", "I", 0x80000001))
bad("flat", one("W", "KM3_FLAT", "unit[1].type"), after=patch("unit[1].type", "I", 0x400), twin="two")
bad("rootw", one("W", "KM3_ROOTW", "unit[0].verts[1].w"), after=patch("unit[0].verts[1].w", "f", 0.5), twin="two")
bad("rootw_of_extension", one("W", "KM3_ROOTW", "unit[1].verts[0].w"), [Unit(extend=1).triangle(), Unit().triangle((0.5, 1, 1))], 1)
bad("extframe_t", one("W", "KM3_EXTFRAME", "unit[2].t", "unit[2].t"), chain(), 2, after=patch("unit[2].t", "f", 7), twin="chain")
bad("extframe_parent", one("W", "KM3_EXTFRAME", "unit[3].parent"), chain(), 2, after=patch("unit[3].parent", "i", -1), twin="chain")
bad("nid_missing", one("W", "KM3_NID", "unit[1].norms"), after=patch("unit[1].nid", "I", 0))
bad("norms_missing", one("W", "KM3_NID", "unit[1].norms"), after=patch("unit[1].norms", "I", 0))
bad("norms_none", one("W", "KM3_NID", "unit[0].norms"), change=lambda u: (u[0].norms.clear(), u[0].nid.clear()))
bad("nid_not_repeated", one("W", "KM3_NID", "unit[0].nid[1]", "unit[0].nid[1].3"), [Unit().triangle().triangle(at=(0, 0, 9))],
    after=patch("unit[0].nid[1].3", "H", 0))
bad("rgb", one("W", "KM3_RGB", "unit[1].rgbs"), after=patch("unit[1].rgbs", "I", 0x7FFFFFFF), twin="two")

# Valid, no finding, and not what a writer makes.
bad("uvs_missing", [], change=lambda u: u[0].uvs.clear())
bad("tex_name_missing", [], change=lambda u: u[0].tex.clear())
bad("fourth_uv", [], after=patch("unit[1].uvs[0].6", "ff", 7, 8), twin="two")
bad("unused_offsets", [], [Unit((1, 2, 3))], after=lambda f: [f.put("unit[0]." + k, "I", 0xFFFFFFFF) for k in ("verts", "vid", "norms", "nid", "uvs", "tex_name")],
    twin="one_without_geometry")
bad("long_normal", [], after=patch("unit[0].norms[0].2", "f", 8), twin="two")
bad("wrong_boxes", [], after=both(patch("header.box", "f", -1000), patch("unit[0].box", "f", 12)), twin="two")
bad("trailing", [], after=lambda f: f.data.extend(bytes(16)), twin="two")
bad("everything_at_once", one("W", "KM3_RGB", "unit[0].rgbs") + one("W", "KM3_FLAT", "unit[0].type") + one("W", "KM3_ROOTW", "unit[0].verts[0].w") +
    one("W", "KM3_WEIGHT", "unit[1].verts[1].w"),
    after=both(patch("unit[0].rgbs", "I", 5), patch("unit[0].type", "I", 0), patch("unit[0].verts[0].w", "f", 0), patch("unit[1].verts[1].w", "f", 9)), twin="two")


# ------------------------------------------------------------------------------------------------------------------------------

def main():
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(os.path.abspath(__file__)), "km3")
    names = set()
    for folder, name, units, models, change, expect, after, twin in cases:
        assert (folder, name) not in names, name
        names.add((folder, name))
        units = copy.deepcopy(units)
        if change:
            change(units)
        f = File(units, len(units) if models is None else models)
        if after:
            after(f)
        issues = [{"id": i, "severity": SEVERITY[s], "part": part, "byte": f.at(byte)} for s, i, part, byte in expect]
        lenient = not any(s == "E" for s, *_ in expect)
        report = {"lenient": lenient, "strict": lenient and not any(i in DAGGER for _, i, *_ in expect), "issues": issues}
        if twin:
            report["twin"] = "good/%s.km3" % twin
        os.makedirs(os.path.join(out, folder), exist_ok=True)
        with open(os.path.join(out, folder, name + ".km3"), "wb") as file:
            file.write(bytes(f.data))
        with open(os.path.join(out, folder, name + ".report.json"), "w", encoding="utf-8", newline="\n") as file:
            json.dump(report, file, indent=1, ensure_ascii=True)
            file.write("\n")
    print("%d files" % len(cases))


if __name__ == "__main__":
    main()
