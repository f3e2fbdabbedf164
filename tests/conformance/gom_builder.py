"""Builds GOM files from docs/spec/gom.md and morph.md, and MTA files from docs/spec/mta.md, alone: nothing here is shared with the C++ code.

A Doc holds the contents. Doc.chunks() gives the chunks of a canonical file, which a case may rearrange; assemble() makes the bytes and
knows where every field landed, by the names that findings use ("MSH0[0].VB0.vertex[2].uv0[1]").
"""
import copy
import hashlib
import math
import struct

NONE = 0xFFFFFFFF
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]


def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def translation(x, y, z):
    return IDENTITY[:12] + [x, y, z, 1]


class Chunk:
    def __init__(self, name, fourcc):
        self.name, self.fourcc = name, fourcc.encode("latin-1").ljust(4, b"\0")
        self.data, self.labels = bytearray(), {}
        self.version, self.flags = 1, 0
        self.children = None        # MSH0 only; they follow self.data
        self.tail = b""             # bytes behind the last child
        self.count_last_padding = True
        self.pad = True

    def mark(self, label):
        self.labels[label] = len(self.data)

    def put(self, form, value, label=None):
        if label is not None:
            self.mark(label)
        values = value if isinstance(value, (list, tuple)) else [value]
        self.data += struct.pack("<%d%s" % (len(values), form), *values)

    def floats(self, values, label):
        for i, v in enumerate(values):
            if len(values) > 1:
                self.put("f", v, "%s[%d]" % (label, i))
            else:
                self.put("f", v, label)
            if i == 0 and len(values) > 1:
                self.labels[label] = self.labels["%s[0]" % label]


class Doc:
    def __init__(self):
        self.flags = 0
        self.source_hash = bytes(32)
        self.version = "conformance 1"
        self.materials, self.bones, self.parts, self.clips = [], [], [], []
        self.channels = []          # of blend shapes
        self.extra_strings = []
        self.table = "chunk"        # "chunk", "bare" or "none"
        self.string_order = sorted
        self.anim_without_clips = False
        self.signature = None       # 32 bytes: an MTA

    def copy(self):
        return copy.deepcopy(self)

    def strings(self):
        found = [self.version] if self.version else []
        for m in self.materials:
            found += [m["name"]] + list(m["maps"])
        for b in self.bones:
            found += [b["name"], b["path"]]
        found += [p["name"] for p in self.parts] + [c["name"] for c in self.clips] + [c["name"] for c in self.channels]
        distinct = {s.encode("utf-8") for s in found if s} | {s if isinstance(s, bytes) else s.encode() for s in self.extra_strings}
        return self.string_order(distinct)

    def id(self, text):
        return self.strings().index(text.encode("utf-8")) if text else NONE

    # Chunks

    def chunks(self):
        out = [self.str0()] if self.signature else [self.str0(), self.matl()]
        if self.bones:
            out.append(self.skel())
        if self.channels:
            out.append(self.mrpc())
        out += [self.msh0(i, p) for i, p in enumerate(self.parts)]
        if self.clips or self.anim_without_clips or self.signature:
            anim = Chunk("ANIM", "ANIM")
            anim.put("I", len(self.clips), "clipCount")
            out.append(anim)
        for i, c in enumerate(self.clips):
            out.append(self.clp0(i, c))
            if c.get("weights"):
                out.append(self.mrpa(i, c))
        return out

    def mrpc(self):
        c = Chunk("MRPC", "MRPC")
        c.put("I", len(self.channels), "channelCount")
        c.put("I", sum(len(x["shapes"]) for x in self.channels), "shapeCount")
        end = 0
        for i, x in enumerate(self.channels):
            end += len(x["shapes"])
            s = "channel[%d]" % i
            c.put("I", self.id(x["name"]), s + ".nameId")
            c.put("f", x["default"], s + ".defaultWeight")
            c.put("I", end, s + ".shapeEnd")
        for i, x in enumerate(self.channels):
            for k, w in enumerate(x["shapes"]):
                c.put("f", w, "channel[%d].shapeWeight[%d]" % (i, k))
        return c

    @staticmethod
    def mrph(i, m):
        c = Chunk("MRPH[%d]" % i, "MRPH")
        c.put("I", m["channel"], "channel")
        c.put("I", m["shape"], "shape")
        c.put("I", len(m["moves"]), "vertexCount")
        c.put("I", 0, "reserved")
        for k, (vertex, _, _) in enumerate(m["moves"]):
            c.put("I", vertex, "vertex[%d]" % k)
        for name, column in (("position", 1), ("normal", 2)):
            for k, move in enumerate(m["moves"]):
                c.floats(move[column], "%s[%d]" % (name, k))
        return c

    @staticmethod
    def mrpa(i, clip):
        c = Chunk("CLP0[%d].MRPA" % i, "MRPA")
        c.put("I", len(clip["weights"]), "trackCount")
        c.put("I", 0, "reserved")
        for t, (channel, keys) in enumerate(clip["weights"]):
            s = "track[%d]" % t
            c.mark(s)
            c.put("I", channel, s + ".channel")
            c.put("I", len(keys), s + ".keyCount")
            for k, (time, value) in enumerate(keys):
                c.put("f", time, "%s.key[%d].time" % (s, k))
                c.put("f", value, "%s.key[%d].value" % (s, k))
        return c

    def str0(self):
        c = Chunk("STR0", "STR0")
        strings = self.strings()
        c.put("I", len(strings), "count")
        at = 0
        for i, s in enumerate(strings):
            c.put("I", at, "offset[%d]" % i)
            at += len(s) + 1
        c.mark("data")
        for i, s in enumerate(strings):
            c.mark("string[%d]" % i)
            c.data += s + b"\0"
        return c

    def matl(self):
        c = Chunk("MATL", "MATL")
        c.put("I", len(self.materials), "count")
        for i, m in enumerate(self.materials):
            s = "slot[%d]" % i
            c.mark(s)
            c.put("I", self.id(m["name"]), s + ".nameId")
            c.put("I", m.get("flags", 0), s + ".flags")
            c.floats(m["kd"], s + ".kd")
            c.floats(m["ks"], s + ".ks")
            c.floats(m["ke"], s + ".ke")
            c.put("f", m["shininess"], s + ".shininess")
            c.put("f", m["opacity"], s + ".opacity")
            for name, path in zip(("diffuse", "normal", "specular", "emissive"), m["maps"]):
                c.put("I", self.id(path), "%s.%sMapId" % (s, name))
        return c

    def skel(self):
        c = Chunk("SKEL", "SKEL")
        c.put("I", len(self.bones), "boneCount")
        for i, b in enumerate(self.bones):
            c.put("i", b["parent"], "parent[%d]" % i)
        for i, b in enumerate(self.bones):
            c.put("I", self.id(b["name"]), "nameId[%d]" % i)
        for i, b in enumerate(self.bones):
            c.put("I", self.id(b["path"]), "pathId[%d]" % i)
        for i, b in enumerate(self.bones):
            c.floats(b["bind"], "bindLocal[%d]" % i)
        return c

    def msh0(self, i, p):
        c = Chunk("MSH0[%d]" % i, "MSH0")
        bones = len(p["inverse_bind"])
        c.put("I", self.id(p["name"]), "meshNameId")
        c.put("I", 1, "vertexFormat")
        c.put("I", len(p["vertices"]), "vertexCount")
        c.put("I", len(p["indices"]), "indexCount")
        c.put("I", bones, "boneCount")
        c.put("I", (1 if p.get("index_bytes", 4) == 2 else 0) | (2 if p.get("gbtm") else 0), "flags")
        c.put("I", 0, "reserved[0]")
        c.put("I", 0, "reserved[1]")
        c.children = [self.vb0(p), self.ib0(p), self.sub0(p), self.ibnd(p)]
        if p.get("bounds", True):
            c.children.append(self.bnd0(p))
        if p.get("gbtm"):
            g = Chunk("GBTM", "GBTM")
            g.floats(p["gbtm"], "m")
            c.children.append(g)
        c.children += [self.mrph(k, m) for k, m in enumerate(p.get("morphs", []))]
        return c

    @staticmethod
    def vb0(p):
        c = Chunk("VB0", "VB0")
        c.put("I", len(p["vertices"]), "vertexCount")
        c.put("I", 72, "stride")
        c.put("I", 1, "vertexFormat")
        c.put("I", 0, "reserved")
        for i, v in enumerate(p["vertices"]):
            s = "vertex[%d]" % i
            c.floats(v["p"], s + ".position")
            c.floats(v["n"], s + ".normal")
            c.floats(v["t"], s + ".tangent")
            c.floats(v["uv"], s + ".uv0")
            c.mark(s + ".boneIndex")
            for k, b in enumerate(v["bi"]):
                c.put("H", b, "%s.boneIndex[%d]" % (s, k))
            c.floats(v["bw"], s + ".boneWeight")
        return c

    @staticmethod
    def ib0(p):
        c = Chunk("IB0", "IB0")
        size = p.get("index_bytes", 4)
        c.put("I", len(p["indices"]), "indexCount")
        c.put("I", size, "indexSizeBytes")
        c.put("I", 0, "reserved[0]")
        c.put("I", 0, "reserved[1]")
        for i, v in enumerate(p["indices"]):
            c.put("I" if size == 4 else "H", v, "index[%d]" % i)
        return c

    @staticmethod
    def sub0(p):
        c = Chunk("SUB0", "SUB0")
        c.put("I", len(p["submeshes"]), "count")
        for i, (material, start, count) in enumerate(p["submeshes"]):
            c.put("i", material, "submesh[%d].materialIndex" % i)
            c.put("I", start, "submesh[%d].indexStart" % i)
            c.put("I", count, "submesh[%d].indexCount" % i)
        return c

    @staticmethod
    def ibnd(p):
        c = Chunk("IBND", "IBND")
        c.put("I", len(p["inverse_bind"]), "boneCount")
        for i, m in enumerate(p["inverse_bind"]):
            c.floats(m, "inverseBind[%d]" % i)
        return c

    @staticmethod
    def bnd0(p):
        c = Chunk("BND0", "BND0")
        low, high, centre, radius = bounds([v["p"] for v in p["vertices"]])
        c.floats(low, "aabbMin")
        c.floats(high, "aabbMax")
        c.floats(centre, "sphereCenter")
        c.put("f", radius, "sphereRadius")
        return c

    def clp0(self, i, clip):
        c = Chunk("CLP0[%d]" % i, "CLP0")
        c.put("I", self.id(clip["name"]), "nameId")
        c.put("f", clip["duration"], "duration")
        c.put("i", clip.get("root", -1), "rootBoneIndex")
        c.put("I", 1, "interpMode")
        c.put("I", clip.get("flags", 0), "flags")
        c.put("I", len(clip["tracks"]), "trackCount")
        for t, track in enumerate(clip["tracks"]):
            s = "track[%d]" % t
            c.mark(s)
            c.put("I", track["bone"], s + ".boneIndex")
            channels = [("tr", track.get("tr", [])), ("rot", track.get("rot", [])), ("sc", track.get("sc", []))]
            for name, keys in channels:
                c.put("I", len(keys), "%s.%sKeyCount" % (s, name))
            for name, keys in channels:
                for k, (time, value) in enumerate(keys):
                    c.put("f", time, "%s.%sKey[%d].time" % (s, name, k))
                    c.floats(value, "%s.%sKey[%d].value" % (s, name, k))
        return c


def bounds(points):
    """GOM-BND0-4."""
    if not points:
        return [0.0] * 3, [0.0] * 3, [0.0] * 3, 0.0
    points = [[f32(x) for x in p] for p in points]
    low = [min(p[k] for p in points) for k in range(3)]
    high = [max(p[k] for p in points) for k in range(3)]
    centre = [f32((a + b) * 0.5) for a, b in zip(low, high)]
    exact = 0.0
    for p in points:
        dx, dy, dz = (p[k] - centre[k] for k in range(3))
        exact = max(exact, math.sqrt(dx * dx + dy * dy + dz * dz))
    radius = f32(exact)
    if radius < exact:
        radius = struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", radius))[0] + 1))[0]
    return low, high, centre, radius


class File:
    def __init__(self, data, at):
        self.data, self.at = data, at

    def patch(self, label, form, value):
        struct.pack_into("<" + form, self.data, self.offset(label), value)

    def offset(self, label):
        if isinstance(label, int):
            return label
        if isinstance(label, tuple):
            return self.offset(label[0]) + label[1]
        if label == "end":
            return len(self.data)
        return self.at[label]


HEADER_FIELDS = {"header.magic": 0, "header.headerSize": 8, "header.formatVersion": 12, "header.coordinateSystem": 16,
                 "header.matrixConvention": 20, "header.sourceHash": 24, "header.converterVersionStrId": 56,
                 "header.validationFlags": 60, "header.chunkTableOffset": 64, "header.chunkTableCount": 72, "header.reserved": 76}


def assemble(doc, chunks):
    data, at, entries = bytearray(512), dict(HEADER_FIELDS), []

    def place(chunk, prefix):
        name = prefix + chunk.name
        start = len(data)
        at[name], at[name + "#size"], at[name + "#version"], at[name + "#flags"] = start, start + 4, start + 8, start + 12
        at[name + "#payload"] = start + 16
        data.extend(chunk.fourcc + struct.pack("<III", 0, chunk.version, chunk.flags) + bytes(chunk.data))
        for label, offset in chunk.labels.items():
            at["%s.%s" % (name, label)] = start + 16 + offset
        if chunk.children is not None:
            for i, child in enumerate(chunk.children):
                last = i + 1 == len(chunk.children)
                place(child, name + ".")
                if not last or chunk.count_last_padding or chunk.tail:
                    data.extend(bytes(-len(data) % 16))
            data.extend(chunk.tail)
        struct.pack_into("<I", data, start + 4, len(data) - start - 16)
        at[name + "#end"] = len(data)
        return start

    def pad(chunk):
        if chunk.pad:
            data.extend(bytes(-len(data) % 16))

    for chunk in chunks:
        if chunk.fourcc == b"CTBL":
            continue
        start = place(chunk, "")
        entries.append((chunk.fourcc, len(data) - start - 16, start))
        pad(chunk)
    table_at = 0
    if doc.table != "none":
        rows = b"".join(fourcc + struct.pack("<IQ", size, offset) for fourcc, size, offset in entries)
        if doc.table == "chunk":
            at["CTBL"], at["CTBL#size"] = len(data), len(data) + 4
            data.extend(b"CTBL" + struct.pack("<III", len(rows), 1, 0))
        table_at = len(data)
        for i in range(len(entries)):
            at["CTBL.entry[%d].fourcc" % i] = table_at + 16 * i
            at["CTBL.entry[%d].size" % i] = table_at + 16 * i + 4
            at["CTBL.entry[%d].offset" % i] = table_at + 16 * i + 8
        data.extend(rows)
    at["table"] = table_at
    if doc.signature:
        data[76:108] = doc.signature
    struct.pack_into("<8s4I32sIIQI", data, 0, b"MTAB0001" if doc.signature else b"GOMB0001", 512, 1, 1, 1, doc.source_hash, doc.id(doc.version), doc.flags, table_at,
                     len(entries) if table_at else 0)
    return File(data, at)


# Contents that the cases start from

def material(name, **changes):
    m = {"name": name, "kd": [1, 1, 1], "ks": [0.04, 0.04, 0.04], "ke": [0, 0, 0], "shininess": 32, "opacity": 1,
         "maps": ["", "", "", ""]}
    m.update(changes)
    return m


def vertex(p, uv, bi=(0, 0, 0, 0), bw=(1, 0, 0, 0)):
    return {"p": list(p), "n": [0, 0, -1], "t": [1, 0, 0, -1], "uv": list(uv), "bi": list(bi), "bw": list(bw)}


def full():
    """Two bones, a skinned quad with two materials, an unskinned triangle with a placement, two clips."""
    d = Doc()
    d.source_hash = bytes(range(32))
    d.materials = [material("Body", maps=["tex/body.png", "", "", ""]), material("Cloth", kd=[0.5, 0.25, 0.125], opacity=0.75)]
    d.bones = [{"parent": -1, "name": "Root", "path": "Root", "bind": list(IDENTITY)},
               {"parent": 0, "name": "Tip", "path": "Root/Tip", "bind": translation(0, 1, 0)}]
    d.parts = [
        {"name": "Quad", "inverse_bind": [list(IDENTITY), translation(0, -1, 0)],
         "vertices": [vertex((-1, 2, 0), (0, 0), (1, 0, 0, 0), (0.75, 0.25, 0, 0)), vertex((1, 2, 0), (1, 0), (0, 1, 0, 0), (0.5, 0.5, 0, 0)),
                      vertex((1, 0, 0), (1, 1)), vertex((-1, 0, 0.5), (0, 1))],
         "indices": [0, 1, 2, 0, 2, 3], "submeshes": [(0, 0, 3), (1, 3, 3)]},
        {"name": "Sign", "inverse_bind": [], "gbtm": translation(0, 3, 0),
         "vertices": [vertex((0, 1, 0), (0.5, 0)), vertex((1, 0, 0), (1, 1)), vertex((-1, 0, 0), (0, 1))],
         "indices": [0, 1, 2], "submeshes": [(1, 0, 3)]}]
    half = f32(math.sqrt(0.5))
    d.clips = [
        {"name": "Idle", "duration": 0, "tracks": []},
        {"name": "Wave", "duration": 1.5, "tracks": [
            {"bone": 0, "tr": [(0, [0, 0, 0]), (0.5, [0, 0.25, 0]), (1.5, [0, 0, 0])]},
            {"bone": 1, "tr": [(0, [0, 1, 0])], "rot": [(0, [0, 0, 0, 1]), (1, [0, 0, half, half])], "sc": [(0.25, [1, 1, 1])]}]}]
    return d


def shapes():
    """full() with two channels of blend shapes: one with an in-between that moves the quad, one that moves both parts; a clip moves both."""
    d = full()
    d.channels = [{"name": "Blink", "default": 0, "shapes": [0.5, 1]}, {"name": "Smile", "default": 0.25, "shapes": [-1, 2]}]
    d.parts[0]["morphs"] = [
        {"channel": 0, "shape": 0, "moves": [(1, [0, 0.5, 0], [0, 0, 0])]},
        {"channel": 0, "shape": 1, "moves": [(1, [0, 1, 0], [0, 0.25, 0.125]), (3, [0.25, 0, 0], [0, 0, 0])]},
        {"channel": 1, "shape": 1, "moves": [(0, [0.5, 0.5, 0], [0, 0, 0.5]), (2, [0, 0, 1], [0, 0, 0])]}]
    d.parts[1]["morphs"] = [{"channel": 1, "shape": 0, "moves": [(2, [-0.75, 0, 0], [0, 0, 0])]}]
    d.clips[1]["weights"] = [(0, [(0, 0), (0.5, 1), (1.5, 0)]), (1, [(0.25, -0.5)])]
    return d


def signature(bones):
    """GOM-SIG-1, of (path, parent) in path order."""
    text = struct.pack("<I", len(bones))
    for path, parent in bones:
        text += path.encode("utf-8") + b"\0" + struct.pack("<i", parent)
    return hashlib.sha256(text).digest()


def motion():
    """The clips of full() as a motion."""
    d = Doc()
    d.source_hash = bytes(range(32))
    d.clips = full().clips
    d.signature = signature([("Root", -1), ("Root/Tip", 0)])
    return d


def empty():
    d = Doc()
    d.materials = [material("DefaultMaterial")]
    return d
