"""Writes the canonical text of a gom_builder.Doc from docs/spec/gomt.md, section 3, alone: nothing here is shared with the C++ code."""
import struct
from fractions import Fraction


def f32_bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def from_bits(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


def round_f32(x):
    """The float32 nearest to a Fraction, ties to even, without a double in between; None when it rounds to infinity."""
    if x == 0:
        return 0.0
    if x < 0:
        y = round_f32(-x)
        return None if y is None else -y
    e = max(-149, x.numerator.bit_length() - x.denominator.bit_length() - 25)
    while x / Fraction(2) ** e >= 2 ** 24:
        e += 1
    q = x / Fraction(2) ** e
    n = q.numerator // q.denominator
    rest = q - n
    if rest > Fraction(1, 2) or (rest == Fraction(1, 2) and n % 2 == 1):
        n += 1
    value = n * Fraction(2) ** e
    return None if value >= Fraction(2) ** 128 else float(value)


def float_text(value):
    """GOMT-CANON-9: try 1 digit, 2 digits, ... and all numbers of that many digits near the value."""
    if value == 0:
        return "0"
    sign, x = ("-", -value) if value < 0 else ("", value)
    exact = Fraction(x)
    e = int(("%.17e" % x).split("e")[1])
    e += (exact >= Fraction(10) ** (e + 1)) - (exact < Fraction(10) ** e)
    for digits in range(1, 12):
        unit = Fraction(10) ** (e - digits + 1)
        n = exact / unit
        n = n.numerator // n.denominator
        good = [m for m in (n - 1, n, n + 1, n + 2) if m > 0 and round_f32(m * unit) == x]
        if good:
            m = min(good, key=lambda m: (abs(m * unit - exact), m % 2))
            text = str(m)
            exponent = e - digits + 1 + len(text) - 1
            text = text.rstrip("0") or "0"
            break
    if -5 <= exponent <= 8:
        if exponent < 0:
            return sign + "0." + "0" * (-exponent - 1) + text
        text = text.ljust(exponent + 1, "0")
        whole, fraction = text[:exponent + 1], text[exponent + 1:]
        return sign + whole + ("." + fraction if fraction else "")
    return sign + text[0] + ("." + text[1:] if text[1:] else "") + "e%d" % exponent


def quoted(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'


def numbers(values):
    return "[" + ", ".join(float_text(struct.unpack("<f", struct.pack("<f", v))[0]) for v in values) + "]"


class Block(list):
    """Elements of a block, as text; nested blocks are written at their own indent."""

    def __init__(self, brackets, elements):
        super().__init__(elements)
        self.brackets = brackets


def table(*fields):
    """A block table of (name, value); value None leaves the field out."""
    return Block("{}", [(n, v) for n, v in fields if v is not None])


def array(elements):
    return Block("[]", list(elements))


def matrix(m):
    return array([numbers(m[4 * r:4 * r + 4]) for r in range(4)])


def layout(value, indent=""):
    if not isinstance(value, Block):
        return value
    if not value:
        return value.brackets
    inner = indent + "  "
    lines = []
    for element in value:
        if isinstance(element, tuple):
            lines.append("%s%s = %s" % (inner, element[0], layout(element[1], inner)))
        else:
            lines.append(inner + layout(element, inner))
    return value.brackets[0] + "\n" + ",\n".join(lines) + "\n" + indent + value.brackets[1]


def keys(rows):
    return array(["{ time = %s, value = %s }" % (numbers([t])[1:-1], numbers(v)) for t, v in rows])


def text(doc):
    entries = [("Header", table(("sourceHash", quoted(doc.source_hash.hex())), ("converterVersion", quoted(doc.version) if doc.version else None),
                                ("validationFlags", str(doc.flags))))]
    if doc.bones:
        entries.append(("Skeleton", table(("boneCount", str(len(doc.bones))), ("bones", array(
            [table(("parent", str(b["parent"])), ("name", quoted(b["name"])), ("path", quoted(b["path"])), ("bindLocal", matrix(b["bind"])))
             for b in doc.bones])))))
    slots = []
    for m in doc.materials:
        maps = ["%s = %s" % (n, quoted(p)) for n, p in zip(("diffuse", "normal", "specular", "emissive"), m["maps"]) if p]
        slots.append(table(
            ("name", quoted(m["name"]) if m["name"] else None),
            ("phong", "{ kd = %s, ks = %s, ke = %s, shininess = %s, opacity = %s }" % (
                numbers(m["kd"]), numbers(m["ks"]), numbers(m["ke"]), numbers([m["shininess"]])[1:-1], numbers([m["opacity"]])[1:-1])),
            ("maps", "{ %s }" % ", ".join(maps) if maps else "{}")))
    entries.append(("MaterialSlots", array(slots)))
    if doc.channels:
        entries.append(("MorphChannels", array(["{ name = %s, defaultWeight = %s, shapes = %s }" % (
            quoted(c["name"]), numbers([c["default"]])[1:-1], numbers(c["shapes"])) for c in doc.channels])))
    if doc.parts:
        entries.append(("Meshes", array([part(p) for p in doc.parts])))
    if doc.clips:
        entries.append(("Animations", array([clip(c) for c in doc.clips])))
    return "GOMT0001\n" + "".join("%s = %s\n" % (n, layout(v)) for n, v in entries) + "End = true\n"


def part(p):
    vertices = ["{ p = %s, n = %s, t = %s, uv = %s, bi = [%s], bw = %s }" % (
        numbers(v["p"]), numbers(v["n"]), numbers(v["t"]), numbers(v["uv"]), ", ".join(map(str, v["bi"])), numbers(v["bw"])) for v in p["vertices"]]
    triangles = [", ".join(map(str, p["indices"][i:i + 3])) for i in range(0, len(p["indices"]), 3)]
    return table(("name", quoted(p["name"]) if p["name"] else None), ("meshBindGeoToModel", matrix(p["gbtm"]) if p.get("gbtm") else None),
                 ("vertices", array(vertices)), ("indices", array(triangles)),
                 ("submeshes", array(["{ materialIndex = %d, indexStart = %d, indexCount = %d }" % s for s in p["submeshes"]])),
                 ("inverseBind", array([matrix(m) for m in p["inverse_bind"]])),
                 ("morphs", array([morph(m) for m in p["morphs"]]) if p.get("morphs") else None))


def morph(m):
    return table(("channel", str(m["channel"])), ("shape", str(m["shape"])),
                 ("offsets", array(["{ v = %d, p = %s, n = %s }" % (v, numbers(p), numbers(n)) for v, p, n in m["moves"]])))


def clip(c):
    flags = [n for bit, n in ((1, '"HasRootMotion"'), (2, '"Loop"')) if c.get("flags", 0) & bit]
    tracks = [table(("boneIndex", str(t["bone"])), ("trKeys", keys(t.get("tr", []))), ("rotKeys", keys(t.get("rot", []))),
                    ("scKeys", keys(t.get("sc", [])))) for t in c["tracks"]]
    return table(("name", quoted(c["name"])), ("duration", numbers([c["duration"]])[1:-1]), ("rootBoneIndex", str(c.get("root", -1))),
                 ("flags", "[" + ", ".join(flags) + "]"), ("tracks", array(tracks)), ("morphTracks", weights(c["weights"]) if c.get("weights") else None))


def weights(tracks):
    return array([table(("channel", str(channel)), ("keys", array(["{ time = %s, value = %s }" % (numbers([t])[1:-1], numbers([v])[1:-1]) for t, v in keys])))
                  for channel, keys in tracks])
