#!/usr/bin/env python3
"""The text form against readers and writers that share nothing with the program.

usage: text_test.py GOMKIT SOURCE_DIR

  - the good conformance texts, read by gomt.py, are what gom.py reads in their binary twins;
  - a model full of random floats is written as the text that gomt_builder.py writes, to the byte (GOMT-CANON-9);
  - random decimals, many next to the middle of two floats, are read as the float32 that exact arithmetic gives (GOMT-FLOAT-1).
"""
import os
import random
import subprocess
import sys
import tempfile
from fractions import Fraction

sys.dont_write_bytecode = True
program, source = sys.argv[1], sys.argv[2]
sys.path[:0] = [os.path.join(source, "tests", "oracle"), os.path.join(source, "tests", "conformance")]
import gom          # noqa: E402
import gom_builder  # noqa: E402
import gomt         # noqa: E402
import gomt_builder  # noqa: E402

failures = []


def convert(a, b):
    result = subprocess.run([program, "convert", a, "-o", b, "-q"], capture_output=True, timeout=120)
    assert result.returncode == 0, result.stderr.decode("utf-8", "replace")


def conformance():
    folder = os.path.join(source, "tests", "conformance", "gomt", "good")
    names = sorted(f[:-5] for f in os.listdir(folder) if f.endswith(".gomt"))
    assert len(names) >= 25
    for name in names:
        text = gomt.load(os.path.join(folder, name + ".gomt"))
        binary = gom.load(os.path.join(folder, name + ".gom"))
        if name == "header_left_out":      # the writer adds a slot (GOM-MATL-8)
            text.materials = binary.materials
        failures.extend("%s: %s" % (name, line) for line in gomt.compare(binary, text))


# covers GOMT-CANON-9, GOMT-FLOAT-1
def floats(folder):
    rng = random.Random(20260318)
    bits = [0x00000001, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x3F800000, 0x4B800000, 0x4B7FFFFF, 0x4CBEBC20, 0x4E6E6B28, 0x3727C5AC, 0x3727C5AB, 0x358637BD]
    bits += [e << 23 for e in range(1, 255)] + [(e << 23) + d for e in range(1, 255) for d in (1, 0x7FFFFF)]
    bits += [rng.getrandbits(32) & 0x7FFFFFFF for _ in range(2500)]
    values = [gomt_builder.from_bits(b) for b in bits if b < 0x7F800000]
    values += [gom_builder.f32(round(rng.uniform(-100, 100), rng.randrange(6))) for _ in range(1500)] + [float(rng.randrange(1 << 26)) for _ in range(500)]
    values = [v for v in values if v != 0] + [-v for v in values[:50]]
    values += [1.0] * (len(values) % 2)
    doc = gom_builder.full()
    doc.parts[1]["vertices"] = [gom_builder.vertex((0, 0, 0), (0, 0)) | {"uv": values[i:i + 2]} for i in range(0, len(values), 2)]
    binary, text, back = (os.path.join(folder, n) for n in ("floats.gom", "floats.gomt", "back.gom"))
    with open(binary, "wb") as f:
        f.write(bytes(gom_builder.assemble(doc, doc.chunks()).data))
    convert(binary, text)
    with open(text, encoding="utf-8") as f:
        found = f.read().splitlines()
    wanted = gomt_builder.text(doc).splitlines()
    wrong = [(a, b) for a, b in zip(found, wanted) if a != b]
    failures.extend("written %s, expected %s" % pair for pair in wrong[:10])
    if len(found) != len(wanted):
        failures.append("%d lines written, %d expected" % (len(found), len(wanted)))
    convert(text, back)
    with open(binary, "rb") as a, open(back, "rb") as b:
        if a.read() != b.read():
            failures.append("the floats come back different")
    print("%d floats written" % len(values))


def decimals(folder):
    rng = random.Random(4)
    texts = []

    def exact(x):
        """The decimal expansion of a binary fraction."""
        shift = max(0, (x.denominator - 1).bit_length())
        digits = str(x.numerator * 5 ** shift * (2 ** shift // x.denominator)).rjust(shift + 1, "0")
        return digits[:len(digits) - shift] + ("." + digits[len(digits) - shift:] if shift else "")

    for _ in range(800):
        b = rng.choice((rng.getrandbits(31), rng.getrandbits(23), 0x3F800000 + rng.getrandbits(20), 0x40000000 + (rng.getrandbits(8) << 15)))
        if b >= 0x7F7FFFFF:
            continue
        low, high = Fraction(gomt_builder.from_bits(b)), Fraction(gomt_builder.from_bits(b + 1))
        middle = exact((low + high) / 2)
        middle += "" if "." in middle else ".0"
        texts += [middle, middle + "0" * rng.randrange(300) + "1", middle.rstrip("0") + "00"]
        if middle.strip("0.") and middle[-1] != "0":
            texts.append(middle[:-1] + str(int(middle[-1]) - 1) + "9" * rng.randrange(1, 300))
    for _ in range(2500):
        texts.append("%s%d%s%s" % (rng.choice(("", "-")), rng.randrange(10 ** rng.randrange(1, 12)), rng.choice(("", "." + str(rng.randrange(10 ** 9)).zfill(9)[:rng.randrange(1, 10)])),
                                   rng.choice(("", "e%d" % rng.randrange(-55, 25), "E+%d" % rng.randrange(20)))))
    texts += ["0." + "0" * n + "1e%d" % (n + 1) for n in (1, 60, 1000, 20000)] + ["1" + "0" * n + "e-%d" % n for n in (1, 60, 1000, 20000)]
    texts += ["1e-46", "7.006492321624085e-46", "7.006492321624086e-46", "2.1e-45", "1e-" + "9" * 30, "0e" + "9" * 30, "1.17549429e-38", "3.402823567797336e38"]
    texts += ["0"] * (len(texts) % 2)
    doc = gom_builder.full()
    head, tail = gomt_builder.text(doc).split("      { p = [0, 1, 0]", 1)
    tail = tail[tail.index("\n    ],\n    indices"):]
    rows = ["      { p = [0, 0, 0], n = [0, 0, -1], t = [1, 0, 0, -1], uv = [%s, %s] }" % tuple(texts[i:i + 2]) for i in range(0, len(texts), 2)]
    text, binary = os.path.join(folder, "decimals.gomt"), os.path.join(folder, "decimals.gom")
    with open(text, "w", encoding="utf-8") as f:
        f.write(head + ",\n".join(rows) + tail)
    convert(text, binary)
    found = gom.load(binary).parts[1]["vertices"]["uv"].reshape(-1)
    wrong = 0
    for t, v in zip(texts, found):
        mantissa, _, e = t.lower().partition("e")
        exponent = max(-100000, min(100000, int(e or 0)))
        wanted = gomt_builder.round_f32(Fraction(mantissa) * Fraction(10) ** exponent) if Fraction(mantissa) else 0.0
        if gomt_builder.f32_bits(float(v)) != gomt_builder.f32_bits(wanted + 0.0):
            wrong += 1
            if wrong <= 10:
                failures.append("read %s as %r, exact %r" % (t[:60], float(v), wanted))
    print("%d decimals read" % len(texts))


def main():
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)
    conformance()
    with tempfile.TemporaryDirectory() as folder:
        floats(folder)
        decimals(folder)
    for line in failures:
        print("FAILED: " + line)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
