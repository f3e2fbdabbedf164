"""A reader of GOM texts, written from docs/spec/gomt.md alone (nothing of the C++ code is used). It gives the object that gom.py gives for
the binary twin; compare() tells where two such objects differ.

It trusts its input: validity is the checkers' business. Only texts of the current generation are read.
"""
import re
import struct
from fractions import Fraction

import numpy as np

TOKEN = re.compile(r'[ \t\r\n]+|//[^\n]*|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|'
                   r'(?P<string>"(?:[^"\\]|\\.)*")|(?P<sign>[{}\[\]=,;])')
ESCAPE = re.compile(r'\\u([0-9A-Fa-f]{4})|\\(.)')


def round_once(text):
    """GOMT-FLOAT-1, exactly: where the double nearest to the text lies in the middle of two floats, the text itself decides."""
    d = float(text)
    f = np.float32(d)
    if float(f) == d or float(np.abs(f)) > 3e38:
        return f
    other = np.nextafter(f, np.float32(np.inf if d > float(f) else -np.inf), dtype=np.float32)
    if abs(d - float(f)) != abs(d - float(other)):
        return f
    exact = Fraction(text)
    middle = Fraction(d)
    if exact == middle:
        return f    # numpy has rounded to even
    low, high = (f, other) if f < other else (other, f)
    return high if exact > middle else low


def unescape(token):
    pieces = ESCAPE.sub(lambda m: chr(int(m[1], 16)) if m[1] else m[2], token[1:-1])
    return pieces.encode("utf-16", "surrogatepass").decode("utf-16")


class Parser:
    def __init__(self, text):
        assert text.startswith(("GOMT0001\n", "GOMT0001\r\n")), text[:10]
        self.tokens, at = [], 8
        while at < len(text):
            m = TOKEN.match(text, at)
            assert m, text[at:at + 20]
            at = m.end()
            if m.lastgroup:
                self.tokens.append((m.lastgroup, m[m.lastgroup]))
        self.at = 0

    def next(self, *expected):
        token = self.tokens[self.at]
        assert not expected or token[1] in expected, (token, expected)
        self.at += 1
        return token

    def is_next(self, sign):
        return self.at < len(self.tokens) and self.tokens[self.at] == ("sign", sign)

    def document(self):
        entries = {}
        while self.at < len(self.tokens):
            name = self.next()[1]
            self.next("=")
            assert name not in entries, name
            entries[name] = self.value()
            if self.is_next(",") or self.is_next(";"):
                self.next()
        assert list(entries)[-1] == "End" and entries.pop("End") is True
        return entries

    def value(self):
        kind, token = self.next()
        if kind == "number":
            return token
        if kind == "string":
            return unescape(token)
        if kind == "name":
            assert token == "true"
            return True
        close, table = ("}", {}) if token == "{" else ("]", [])
        while not self.is_next(close):
            if token == "{":
                name = self.next()[1]
                self.next("=")
                assert name not in table, name
                table[name] = self.value()
            else:
                table.append(self.value())
            if not self.is_next(close):
                self.next(",")
        self.next(close)
        return table


def floats(values):
    return [float(round_once(v)) for v in values]


def matrix(value):
    rows = value if len(value) == 4 else [value[4 * r:4 * r + 4] for r in range(4)]
    m = np.array([floats(r) for r in rows])
    m[:, 3] = [0, 0, 0, 1]
    return m


class Gomt:
    def __init__(self, text):
        entries = Parser(text).document()
        header = entries.get("Header", {})
        self.source_hash = bytes.fromhex(header.get("sourceHash", "0" * 64))
        self.version = header.get("converterVersion") or None
        self.flags = int(header["validationFlags"]) if "validationFlags" in header else None
        bones = entries.get("Skeleton", {}).get("bones", [])
        assert len(bones) == int(entries.get("Skeleton", {}).get("boneCount", 0))
        order = sorted(range(len(bones)), key=lambda i: bones[i]["path"].encode("utf-8"))
        self.place = {old: new for new, old in enumerate(order)}
        self.place[-1] = -1
        self.parents = [self.place[int(bones[i]["parent"])] for i in order]
        self.bone_names = [bones[i]["name"] for i in order]
        self.paths = [bones[i]["path"] for i in order]
        self.bind_local = np.array([matrix(bones[i]["bindLocal"]) for i in order]).reshape(len(bones), 4, 4)
        self._materials(entries.get("MaterialSlots", []))
        self.parts = [self._part(p) for p in entries.get("Meshes", [])]
        self.clips = sorted((self._clip(c) for c in entries.get("Animations", [])), key=lambda c: c["name"].encode("utf-8"))

    def _materials(self, slots):
        rows = []
        for s in slots:
            p, maps = s["phong"], s.get("maps", {})
            rows.append({"name": s.get("name") or None, "kd": tuple(floats(p["kd"])), "ks": tuple(floats(p["ks"])), "ke": tuple(floats(p["ke"])),
                         "shininess": floats([p["shininess"]])[0], "opacity": floats([p["opacity"]])[0],
                         "maps": [maps.get(n) or None for n in ("diffuse", "normal", "specular", "emissive")]})

        def last(text):
            return (text is None, (text or "").encode("utf-8"))

        def key(r):
            return (last(r["name"]), r["kd"], r["ks"], r["ke"], r["shininess"], r["opacity"], [last(m) for m in r["maps"]])
        order = sorted(range(len(rows)), key=lambda i: key(rows[i]))
        self.materials, self.slot = [], {}
        for i in order:
            if not self.materials or self.materials[-1] != rows[i]:
                self.materials.append(rows[i])
            self.slot[i] = len(self.materials) - 1

    def _part(self, p):
        inverse = p.get("inverseBind", [])
        vertices = np.zeros(len(p["vertices"]), np.dtype([("p", "<f4", 3), ("n", "<f4", 3), ("t", "<f4", 4), ("uv", "<f4", 2), ("bi", "<u2", 4), ("bw", "<f4", 4)]))
        for i, v in enumerate(p["vertices"]):
            for field in ("p", "n", "t", "uv"):
                vertices[i][field] = [round_once(x) for x in v[field]]
            vertices[i]["bw"] = [round_once(x) for x in v.get("bw", ("1", "0", "0", "0"))]
            bi = [int(b) for b in v.get("bi", ("0",) * 4)]
            vertices[i]["bi"] = [self.place[b] for b in bi] if inverse else bi
        by_listing = [matrix(m) for m in inverse]
        sorted_matrices = [None] * len(inverse)
        for i, m in enumerate(by_listing):
            sorted_matrices[self.place[i]] = m
        indices = np.array([int(i) for i in p["indices"]], "<u4")
        submeshes, joined = [], []
        for s in sorted(p["submeshes"], key=lambda s: self.slot[int(s["materialIndex"])]):
            slot, start, count = self.slot[int(s["materialIndex"])], int(s["indexStart"]), int(s["indexCount"])
            if submeshes and submeshes[-1][0] == slot:
                submeshes[-1] = (slot, submeshes[-1][1], submeshes[-1][2] + count)
            else:
                submeshes.append((slot, sum(c for _, _, c in submeshes), count))
            joined.append(indices[start:start + count])
        return {"name": p.get("name") or None, "bones": len(inverse), "gbtm": matrix(p["meshBindGeoToModel"]) if "meshBindGeoToModel" in p else np.eye(4),
                "vertices": vertices, "indices": np.concatenate(joined) if joined else indices, "submeshes": submeshes,
                "inverse_bind": np.array(sorted_matrices).reshape(len(inverse), 4, 4)}

    def _clip(self, c):
        flags = c.get("flags", "0")
        if isinstance(flags, list):
            flags = sum({"HasRootMotion": 1, "Loop": 2}[f] for f in flags)
        clip = {"name": c["name"], "duration": floats([c["duration"]])[0], "root": self.place[int(c.get("rootBoneIndex", -1))], "flags": int(flags), "tracks": {}}
        for t in c["tracks"]:
            keys = []
            for name, width in (("trKeys", 3), ("rotKeys", 4), ("scKeys", 3)):
                rows = t.get(name, [])
                keys.append((np.array(floats([k["time"] for k in rows])), np.array([floats(k["value"]) for k in rows]).reshape(len(rows), width)))
            if any(len(times) for times, _ in keys):
                clip["tracks"][self.place[int(t["boneIndex"])]] = keys
        return clip


def bits(array):
    """Of float values, so that comparing is exact."""
    return np.asarray(array, "<f4").tobytes()


def compare(gom, gomt):
    """The differences between the two objects, as lines."""
    out = []

    def same(what, a, b):
        if a != b:
            out.append("%s: %r in binary, %r in text" % (what, a, b))

    same("source hash", gom.source_hash, gomt.source_hash)
    same("version", gom.string(gom.version_id), gomt.version)
    if gomt.flags is not None:
        same("flags", gom.flags, gomt.flags)
    same("parents", gom.parents, gomt.parents)
    same("bone names", gom.bone_names, gomt.bone_names)
    same("paths", gom.paths, gomt.paths)
    same("bind", bits(gom.bind_local), bits(gomt.bind_local))
    same("materials", [dict(m, kd=bits(m["kd"]), ks=bits(m["ks"]), ke=bits(m["ke"])) for m in gom.materials],
         [dict(m, kd=bits(m["kd"]), ks=bits(m["ks"]), ke=bits(m["ke"])) for m in gomt.materials])
    same("number of parts", len(gom.parts), len(gomt.parts))
    for i, (a, b) in enumerate(zip(gom.parts, gomt.parts)):
        for field in ("name", "bones", "submeshes"):
            same("part %d %s" % (i, field), a[field], b[field])
        for field in ("vertices", "indices"):
            same("part %d %s" % (i, field), a[field].tobytes() == b[field].tobytes(), True)
        for field in ("gbtm", "inverse_bind"):
            same("part %d %s" % (i, field), bits(a[field]), bits(b[field]))
    same("clips", [(c["name"], bits([c["duration"]]), c["root"], c["flags"], list(c["tracks"])) for c in gom.clips],
         [(c["name"], bits([c["duration"]]), c["root"], c["flags"], sorted(c["tracks"])) for c in gomt.clips])
    for a, b in zip(gom.clips, gomt.clips):
        for bone in a["tracks"]:
            for k in range(3):
                same("clip %s bone %d channel %d" % (a["name"], bone, k), [bits(x) for x in a["tracks"][bone][k]],
                     [bits(x) for x in b["tracks"].get(bone, [((), ())] * 3)[k]])
    return out


def load(path):
    with open(path, "rb") as f:
        return Gomt(f.read().decode("utf-8"))
