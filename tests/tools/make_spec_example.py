#!/usr/bin/env python3
"""The worked example of docs/spec: one small valid, canonical model as .gom, .mta and .gomt.

Written from the pages alone, with struct and hashlib; it shares nothing with the C++ code. Without options it compares the example files and the
quoted blocks of the pages with what it makes, and exits 1 where they differ; with --write it puts them there.

    make_spec_example.py [--write] [--spec DIR]
"""
import hashlib
import re
import struct
import sys
from pathlib import Path

NONE = 0xFFFFFFFF


# ---- the model --------------------------------------------------------------------------------------------------------------------------

SOURCE = b"abc"  # stands for the bytes of the source file
VERSION = "example 1"
IDENTITY = (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1)


def translation(x, y, z):
    return IDENTITY[:12] + (x, y, z, 1)


BONES = [  # path order: name, path, parent, bindLocal
    ("Root", "Root", -1, IDENTITY),
    ("Tip", "Root/Tip", 0, translation(0, 1, 0)),
]
INVERSE_BIND = [IDENTITY, translation(0, -1, 0)]  # boneModel at bind is the identity and (0, 1, 0)
MATERIAL = dict(name="Skin", kd=(0.8, 0.6, 0.5), ks=(0.04, 0.04, 0.04), ke=(0, 0, 0), shininess=32, opacity=1,
                diffuse="skin.png", normal=None, specular=None, emissive=None)
# A triangle that faces -Z, clockwise seen from there; u along +X, v down.
VERTICES = [  # position, normal, tangent, uv, bones, weights
    ((0, 0, 0), (0, 0, -1), (1, 0, 0, -1), (0, 1), (0, 0, 0, 0), (1, 0, 0, 0)),
    ((0, 2, 0), (0, 0, -1), (1, 0, 0, -1), (0, 0), (1, 0, 0, 0), (0.75, 0.25, 0, 0)),
    ((1, 0, 0), (0, 0, -1), (1, 0, 0, -1), (1, 1), (0, 0, 0, 0), (1, 0, 0, 0)),
]
INDICES = (0, 1, 2)
MESH = "Body"
CLIP = "Wave"
DURATION = 1.0
LOOP = 2
HALF = 0.5 ** 0.5  # sine and cosine of 45 degrees: a quarter turn about Z
TRACK_BONE = 1
TR_KEYS = [(0.0, (0, 1, 0))]
ROT_KEYS = [(0.0, (0, 0, 0, 1)), (0.5, (0, 0, HALF, HALF)), (1.0, (0, 0, 0, 1))]
FLAGS = 0x3F


# ---- numbers ----------------------------------------------------------------------------------------------------------------------------

def f32(x):
    return struct.unpack("<f", struct.pack("<f", x))[0]


def floats(values):
    return struct.pack("<%df" % len(values), *(v + 0.0 for v in values))


def u32(*values):
    return struct.pack("<%dI" % len(values), *values)


def signature():
    h = u32(len(BONES))
    for _, path, parent, _ in BONES:
        h += path.encode() + b"\0" + struct.pack("<i", parent)
    return hashlib.sha256(h).digest()


# ---- binary -----------------------------------------------------------------------------------------------------------------------------

class Bytes:
    """Bytes with a label for each field; `part` groups fields for the page's blocks."""

    def __init__(self):
        self.data = bytearray()
        self.fields = []  # (part, offset, length, label)
        self.part = ""

    def add(self, raw, label):
        self.fields.append((self.part, len(self.data), len(raw), label))
        self.data += raw

    def patch(self, offset, raw):
        self.data[offset:offset + len(raw)] = raw

    def open(self, part, fourcc):
        self.part = part
        start = len(self.data)
        assert start % 16 == 0
        self.add(fourcc, 'fourcc "%s"' % fourcc.decode().replace("\0", "\\0"))
        self.add(u32(0), "size")
        self.add(u32(1), "version")
        self.add(u32(0), "flags")
        return start

    def close(self, start):
        """Stores the size; the padding that follows belongs to the block of the chunk."""
        self.patch(start + 4, u32(len(self.data) - start - 16))
        self.pad()

    def pad(self):
        n = -len(self.data) % 16
        if n:
            self.add(bytes(n), "padding")

    def matrix(self, m, label):
        for r in range(4):
            self.add(floats(m[4 * r:4 * r + 4]), label + " row %d" % r)

    def block(self, part):
        lines = []
        for p, offset, length, label in self.fields:
            if p != part:
                continue
            raw = bytes(self.data[offset:offset + length])
            if length > 32 and not any(raw):
                lines.append("%08X  %-47s  %s" % (offset, "00*%d" % length, label))
                continue
            if label == "size":
                label = "size %d" % struct.unpack("<I", raw)
            for i in range(0, length, 16):
                lines.append(("%08X  %-47s  %s" % (offset + i, raw[i:i + 16].hex(" ").upper(), label if i == 0 else "")).rstrip())
        return "\n".join(lines)


def header(out, motion, version_id):
    out.part = "header"
    out.add(b"MTAB0001" if motion else b"GOMB0001", "magic")
    out.add(u32(512), "headerSize 512")
    out.add(u32(1), "formatVersion")
    out.add(u32(1), "coordinateSystem")
    out.add(u32(1), "matrixConvention")
    out.add(hashlib.sha256(SOURCE).digest(), 'sourceHash (the source being the 3 bytes "abc")')
    out.add(u32(version_id), "converterVersionStrId")
    out.add(u32(0 if motion else FLAGS), "validationFlags" + ("" if motion else ": bits 0 to 5"))
    out.add(bytes(8), "chunkTableOffset")
    out.add(bytes(4), "chunkTableCount")
    if motion:
        out.add(signature(), "skeletonSig")
    out.add(bytes(512 - len(out.data)), "reserved")


def strings(out, texts):
    start = out.open("STR0", b"STR0")
    out.add(u32(len(texts)), "count")
    at = 0
    for i, t in enumerate(texts):
        out.add(u32(at), "offset[%d] = %d" % (i, at))
        at += len(t.encode()) + 1
    for i, t in enumerate(texts):
        out.add(t.encode() + b"\0", 'data: "%s" (id %d)' % (t, i))
    out.close(start)


def clips(out, ids):
    start = out.open("ANIM", b"ANIM")
    out.add(u32(1), "clipCount")
    out.close(start)
    start2 = out.open("CLP0", b"CLP0")
    out.add(u32(ids[CLIP]), 'nameId "%s"' % CLIP)
    out.add(floats([DURATION]), "duration 1")
    out.add(struct.pack("<i", -1), "rootBoneIndex -1")
    out.add(u32(1), "interpMode")
    out.add(u32(LOOP), "flags: Loop")
    out.add(u32(1), "trackCount")
    out.add(u32(TRACK_BONE), "track: boneIndex")
    out.add(u32(len(TR_KEYS)), "trKeyCount")
    out.add(u32(len(ROT_KEYS)), "rotKeyCount")
    out.add(u32(0), "scKeyCount")
    for time, value in TR_KEYS:
        out.add(floats((time,)), "translation key: time %g" % time)
        out.add(floats(value), "value 0 1 0")
    for time, value in ROT_KEYS:
        out.add(floats((time,)), "rotation key: time %g" % time)
        out.add(floats(value), "value %s" % " ".join(number(f32(v)) for v in value))
    out.close(start2)
    return start, start2


def table(out, starts):
    ctbl = out.open("CTBL", b"CTBL")
    for s in starts:
        fourcc, size = struct.unpack_from("<4sI", out.data, s)
        out.add(fourcc, 'entry: fourcc "%s"' % fourcc.decode())
        out.add(u32(size), "size %d" % size)
        out.add(struct.pack("<Q", s), "offset 0x%X" % s)
    out.close(ctbl)
    out.patch(64, struct.pack("<QI", ctbl + 16, len(starts)))


def build_gom():
    out = Bytes()
    texts = {VERSION, MESH, CLIP, MATERIAL["name"], MATERIAL["diffuse"]}
    for name, path, _, _ in BONES:
        texts |= {name, path}
    texts = sorted(texts, key=lambda t: t.encode())
    ids = {t: i for i, t in enumerate(texts)}
    ids[None] = NONE
    header(out, False, ids[VERSION])
    starts = [len(out.data)]
    strings(out, texts)

    m = MATERIAL
    starts.append(out.open("MATL", b"MATL"))
    out.add(u32(1), "count")
    out.add(u32(ids[m["name"]]), 'slot: nameId "%s"' % m["name"])
    out.add(u32(0), "flags")
    for k in ("kd", "ks", "ke"):
        out.add(floats(m[k]), "%s %g %g %g" % ((k,) + m[k]))
    out.add(floats([m["shininess"]]), "shininess %g" % m["shininess"])
    out.add(floats([m["opacity"]]), "opacity %g" % m["opacity"])
    for k in ("diffuse", "normal", "specular", "emissive"):
        out.add(u32(ids[m[k]]), "%sMapId %s" % (k, '"%s"' % m[k] if m[k] else "none"))
    out.close(starts[-1])

    starts.append(out.open("SKEL", b"SKEL"))
    out.add(u32(len(BONES)), "boneCount")
    for i, b in enumerate(BONES):
        out.add(struct.pack("<i", b[2]), "parent[%d] = %d" % (i, b[2]))
    for i, b in enumerate(BONES):
        out.add(u32(ids[b[0]]), 'nameId[%d] "%s"' % (i, b[0]))
    for i, b in enumerate(BONES):
        out.add(u32(ids[b[1]]), 'pathId[%d] "%s"' % (i, b[1]))
    for i, b in enumerate(BONES):
        out.matrix(b[3], "bindLocal[%d]" % i)
    out.close(starts[-1])

    starts.append(out.open("MSH0", b"MSH0"))
    out.add(u32(ids[MESH]), 'meshNameId "%s"' % MESH)
    out.add(u32(1), "vertexFormat")
    out.add(u32(len(VERTICES)), "vertexCount")
    out.add(u32(len(INDICES)), "indexCount")
    out.add(u32(len(BONES)), "boneCount")
    out.add(u32(0), "flags")
    out.add(u32(0, 0), "reserved")
    c = out.open("VB0", b"VB0\0")
    out.add(u32(len(VERTICES)), "vertexCount")
    out.add(u32(72), "stride 72")
    out.add(u32(1), "vertexFormat")
    out.add(u32(0), "reserved")
    for i, (p, n, t, uv, bi, bw) in enumerate(VERTICES):
        out.add(floats(p), "vertex %d: position %g %g %g" % ((i,) + p))
        out.add(floats(n), "normal %g %g %g" % n)
        out.add(floats(t), "tangent %g %g %g %g" % t)
        out.add(floats(uv), "uv0 %g %g" % uv)
        out.add(struct.pack("<4H", *bi), "boneIndex %d %d %d %d" % bi)
        out.add(floats(bw), "boneWeight %g %g %g %g" % bw)
    out.close(c)
    c = out.open("IB0", b"IB0\0")
    out.add(u32(len(INDICES)), "indexCount")
    out.add(u32(4), "indexSizeBytes")
    out.add(u32(0, 0), "reserved")
    out.add(u32(*INDICES), "indices 0 1 2")
    out.close(c)
    c = out.open("SUB0", b"SUB0")
    out.add(u32(1), "count")
    out.add(u32(0), "materialIndex")
    out.add(u32(0), "indexStart")
    out.add(u32(len(INDICES)), "indexCount")
    out.close(c)
    c = out.open("IBND", b"IBND")
    out.add(u32(len(BONES)), "boneCount")
    for i, inverse in enumerate(INVERSE_BIND):
        out.matrix(inverse, "inverseBind[%d]" % i)
    out.close(c)
    c = out.open("BND0", b"BND0")
    low = [min(v[0][k] for v in VERTICES) for k in range(3)]
    high = [max(v[0][k] for v in VERTICES) for k in range(3)]
    centre = [f32((low[k] + high[k]) * 0.5) for k in range(3)]
    far = max(sum((v[0][k] - centre[k]) ** 2 for k in range(3)) ** 0.5 for v in VERTICES)
    radius = f32(far)
    if radius < far:
        radius = struct.unpack("<f", u32(struct.unpack("<I", floats([radius]))[0] + 1))[0]
    out.add(floats(low), "aabbMin %g %g %g" % tuple(low))
    out.add(floats(high), "aabbMax %g %g %g" % tuple(high))
    out.add(floats(centre), "sphereCenter %g %g %g" % tuple(centre))
    out.add(floats([radius]), "sphereRadius %s" % number(radius))
    out.close(c)  # its padding belongs to MSH0's payload
    out.patch(starts[-1] + 4, u32(len(out.data) - starts[-1] - 16))

    starts.extend(clips(out, ids))
    table(out, starts)
    return out


def build_mta():
    out = Bytes()
    texts = sorted([VERSION, CLIP], key=lambda t: t.encode())
    ids = {t: i for i, t in enumerate(texts)}
    header(out, True, ids[VERSION])
    starts = [len(out.data)]
    strings(out, texts)
    starts.extend(clips(out, ids))
    table(out, starts)
    return out


def build_gbtm():
    out = Bytes()
    c = out.open("GBTM", b"GBTM")
    out.matrix(translation(0, 1, 0), "meshBindGeoToModel")
    out.close(c)
    return out


# ---- text -------------------------------------------------------------------------------------------------------------------------------

def number(x):
    """GOMT-CANON-9, good for the values of this example (it tries only the nearest text of each length)."""
    x = f32(x)
    if x == 0:
        return "0"
    for digits in range(1, 10):
        s = "%.*e" % (digits - 1, x)
        if f32(float(s)) == x:
            break
    mantissa, e = s.split("e")
    e = int(e)
    sign = "-" if mantissa[0] == "-" else ""
    d = mantissa.lstrip("-").replace(".", "").rstrip("0")
    if -5 <= e <= 8:
        if e < 0:
            return sign + "0." + "0" * (-e - 1) + d
        d = d.ljust(e + 1, "0")
        return sign + d[:e + 1] + ("." + d[e + 1:] if d[e + 1:] else "")
    return sign + d[0] + ("." + d[1:] if d[1:] else "") + "e%d" % e


def string(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'


def row(values):
    return "[" + ", ".join(number(v) for v in values) + "]"


def integers(values):
    return "[" + ", ".join(str(v) for v in values) + "]"


def block(elements, indent, brackets):
    if not elements:
        return brackets
    pad = " " * (indent + 2)
    return brackets[0] + "\n" + ",\n".join(pad + e for e in elements) + "\n" + " " * indent + brackets[1]


def matrix_text(m, indent):
    return block([row(m[4 * r:4 * r + 4]) for r in range(4)], indent, "[]")


def keys_text(keys, indent):
    return block(["{ time = %s, value = %s }" % (number(t), row(v)) for t, v in keys], indent, "[]")


def build_gomt():
    text = "GOMT0001\n"
    text += "Header = " + block(['sourceHash = "%s"' % hashlib.sha256(SOURCE).hexdigest(), "converterVersion = " + string(VERSION),
                                 "validationFlags = %d" % FLAGS], 0, "{}") + "\n"
    bones = [block(["parent = %d" % p, "name = " + string(n), "path = " + string(path), "bindLocal = " + matrix_text(m, 6)], 4, "{}")
             for n, path, p, m in BONES]
    text += "Skeleton = " + block(["boneCount = %d" % len(BONES), "bones = " + block(bones, 2, "[]")], 0, "{}") + "\n"
    m = MATERIAL
    phong = "phong = { kd = %s, ks = %s, ke = %s, shininess = %s, opacity = %s }" % (
        row(m["kd"]), row(m["ks"]), row(m["ke"]), number(m["shininess"]), number(m["opacity"]))
    maps = ", ".join("%s = %s" % (k, string(m[k])) for k in ("diffuse", "normal", "specular", "emissive") if m[k])
    text += "MaterialSlots = " + block([block(["name = " + string(m["name"]), phong, "maps = { %s }" % maps], 2, "{}")], 0, "[]") + "\n"
    vertices = ["{ p = %s, n = %s, t = %s, uv = %s, bi = %s, bw = %s }" % (row(p), row(n), row(t), row(uv), integers(bi), row(bw))
                for p, n, t, uv, bi, bw in VERTICES]
    mesh = ["name = " + string(MESH), "vertices = " + block(vertices, 4, "[]"), "indices = " + block(["0, 1, 2"], 4, "[]"),
            "submeshes = " + block(["{ materialIndex = 0, indexStart = 0, indexCount = 3 }"], 4, "[]"),
            "inverseBind = " + block([matrix_text(i, 6) for i in INVERSE_BIND], 4, "[]")]
    text += "Meshes = " + block([block(mesh, 2, "{}")], 0, "[]") + "\n"
    track = ["boneIndex = %d" % TRACK_BONE, "trKeys = " + keys_text(TR_KEYS, 8), "rotKeys = " + keys_text(ROT_KEYS, 8), "scKeys = []"]
    clip = ["name = " + string(CLIP), "duration = " + number(DURATION), "rootBoneIndex = -1", 'flags = ["Loop"]',
            "tracks = " + block([block(track, 6, "{}")], 4, "[]")]
    text += "Animations = " + block([block(clip, 2, "{}")], 0, "[]") + "\n"
    return text + "End = true\n"


# ---- files and pages --------------------------------------------------------------------------------------------------------------------

def hex_text(data):
    return "".join(bytes(data[i:i + 16]).hex(" ").upper() + "\n" for i in range(0, len(data), 16))


def fill(page, blocks):
    """The page with each fence after `<!-- KEY -->` holding blocks[KEY], and with the signature."""
    used = set()

    def replace(match):
        used.add(match.group(1))
        return "<!-- %s -->\n```\n%s\n```" % (match.group(1), blocks[match.group(1)])

    page = re.sub(r"<!-- ((?:hex|hex-mta|text): \w+) -->\n```\n(?:.*?\n)??```", replace, page, flags=re.S)
    return re.sub(r"`@SIGNATURE@`", "`%s`" % signature().hex(), page), used


def main(argv):
    write = "--write" in argv
    spec = Path(__file__).resolve().parents[2] / "docs" / "spec"
    if "--spec" in argv:
        spec = Path(argv[argv.index("--spec") + 1])
    gom, mta = build_gom(), build_mta()
    blocks = {"hex: " + p: gom.block(p) for p in ("header", "STR0", "MATL", "SKEL", "MSH0", "VB0", "IB0", "SUB0", "IBND", "BND0", "ANIM", "CLP0", "CTBL")}
    blocks["hex: GBTM"] = build_gbtm().block("GBTM")
    blocks["hex-mta: header"] = mta.block("header")
    blocks["text: gomt"] = build_gomt().rstrip("\n")
    want = {
        spec / "examples" / "minimal.gom.hex": hex_text(gom.data),
        spec / "examples" / "minimal.mta.hex": hex_text(mta.data),
        spec / "examples" / "minimal.gomt": build_gomt(),
    }
    used = set()
    for name in ("gom.md", "mta.md", "gomt.md"):
        page = (spec / name).read_text(encoding="utf-8")
        want[spec / name], u = fill(page, blocks)
        used |= u
    bad = 0
    for key in sorted(set(blocks) - used):
        print("no page has the block '%s'" % key)
        bad = 1
    for path, text in want.items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            print("wrote %s" % path)
        else:
            print("%s differs from what make_spec_example.py makes (--write updates it)" % path)
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
