#!/usr/bin/env python3
"""Writes math_table.inc: arguments, and reference values of the elementary functions from mpmath at 1200 bits and more.

Usage: python3 make_math_table.py [count] > math_table.inc      (needs mpmath; same output on every run)

A row is {function, x, y, hi, lo}: bit patterns of doubles; the true value is hi + lo to about 106 bits.
"""
import random
import struct
import sys

from mpmath import mp, mpf
import mpmath

mp.prec = 2400
COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 70
rng = random.Random(20260318)


def bits(d):
    return struct.unpack("<Q", struct.pack("<d", d))[0]


def from_bits(b):
    return struct.unpack("<d", struct.pack("<Q", b))[0]


def neighbours(x, n=2):
    b = bits(abs(x))
    return [(-1 if x < 0 else 1) * from_bits(b + k) for k in range(-n, n + 1) if 0 <= b + k < 0x7FF0000000000000]


def to_double(v):
    """Correctly rounded, subnormals included (mpmath's float() rounds twice there)."""
    if v == 0:
        return 0.0
    sign = -1.0 if v < 0 else 1.0
    a = abs(v)
    e = mpmath.frexp(a)[1] - 53
    e = max(e, -1074)
    q = mpmath.nint(mpmath.ldexp(a, -e))  # ties to even
    m = int(q)
    if m >= 2 ** 53:
        m //= 2
        e += 1
    if m and m.bit_length() + e > 1024:
        return sign * float("inf")
    return sign * mpmath.ldexp(mpf(m), e).__float__() if m else sign * 0.0


def emit(name, x, y, value):
    hi = to_double(value)
    if hi in (float("inf"), float("-inf")):
        lo = 0.0
    else:
        lo = float(value - mpf(hi))
    print("{Fn::%s, 0x%016X, 0x%016X, 0x%016X, 0x%016X}," % (name, bits(x), bits(y), bits(hi), bits(lo)))


def uniform(a, b, n=COUNT):
    return [rng.uniform(a, b) for _ in range(n)]


def spread(lo_exp, hi_exp, n=COUNT, signed=True):
    out = []
    for _ in range(n):
        v = mpmath.ldexp(1 + mpf(rng.getrandbits(52)) / 2 ** 52, rng.randint(lo_exp, hi_exp))
        out.append(float(v) * (rng.choice([1, -1]) if signed else 1))
    return out


TINY = [5e-324, 1e-310, 2.2250738585072014e-308, 1e-200, 1e-20, 2.0 ** -29, 2.0 ** -28, 2.0 ** -27, 2.0 ** -26]

trig = uniform(-7, 7) + uniform(-2000, 2000, COUNT // 2) + spread(-40, 19, COUNT // 2) + spread(20, 1023, COUNT)
for k in [1, 2, 3, 4, 5, 6, 7, 8, 11, 22, 44, 355, 710, 1000, 65536, 333333, 667543, 667544, 1000000, 10 ** 9, 10 ** 15]:
    trig += neighbours(float(mpmath.pi / 2 * k), 1)
    trig += [float(mpmath.pi / 4 * k)]
trig += [0.7853981633974483, 0.7853981633974484, 2.0 ** 20, from_bits(bits(2.0 ** 20) + 1), 2.0 ** 20 - 0.3]
# The double nearest to a multiple of pi/2, relative to its size, and other known hard ones.
trig += [mpmath.ldexp(mpf(6381956970095103), 797).__float__(), mpmath.ldexp(mpf(5319372648326541), 255 - 52).__float__(),
         1.7976931348623157e308, 1e22, 1e300, 2.0 ** 1000, 2.0 ** 53, 2.0 ** 64]
trig += TINY + [-t for t in TINY]
for x in trig:
    emit("Sin", x, 0.0, mpmath.sin(mpf(x)))
for x in trig:
    emit("Cos", x, 0.0, mpmath.cos(mpf(x)))
for x in trig:
    emit("Tan", x, 0.0, mpmath.tan(mpf(x)))

unit = uniform(-1, 1, 2 * COUNT) + spread(-40, -1) + TINY + [-t for t in TINY]
for c in [0.5, 0.7071067811865476, 0.25, 0.0625, 0.03125, 0.09375]:
    unit += neighbours(c, 1) + neighbours(-c, 1)
unit += [1 - 2.0 ** -k for k in range(1, 54)] + [-(1 - 2.0 ** -k) for k in range(1, 54)] + [1.0, -1.0]
for x in unit:
    emit("Asin", x, 0.0, mpmath.asin(mpf(x)))
for x in unit:
    if x != 1.0:
        emit("Acos", x, 0.0, mpmath.acos(mpf(x)))

for x in uniform(-4, 4, 2 * COUNT) + spread(-40, 60) + spread(-300, 1023, COUNT // 4) + TINY + [(k + 0.5) / 16 for k in range(20)] + [1.0, -1.0, 1.7976931348623157e308]:
    emit("Atan", x, 0.0, mpmath.atan(mpf(x)))

pairs = list(zip(uniform(-10, 10, 2 * COUNT), uniform(-10, 10, 2 * COUNT))) + list(zip(spread(-30, 30), spread(-30, 30)))
pairs += list(zip(spread(-1074 + 52, 1023), spread(-1074 + 52, 1023)))
pairs += [(5e-324, 5e-324), (5e-324, -1e-323), (1e-310, 2e-309), (1e308, 1.7e308), (1.7e308, -1e308), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0),
          (1e-300, -1.0), (1.0, 1e300), (1e-300, 1e10), (5e-324, 1.7e308), (1e-20, -1.0), (2.0 ** -60, -1.0), (1.0, -2.0 ** -70)]
for y, x in pairs:
    emit("Atan2", y, x, mpmath.atan2(mpf(y), mpf(x)))

for x in uniform(-20, 20) + uniform(-745, 709.78) + spread(-60, 4) + [709.782712893384, -708.3964185322641, -708.4, -744.4400719213812, -745.1332191019411, -745.13] + uniform(-745.2, -707, COUNT // 2) + TINY:
    emit("Exp", x, 0.0, mpmath.exp(mpf(x)))

logs = spread(-1022, 1023, signed=False) + uniform(0.5, 2) + [1 + 2.0 ** -k for k in range(1, 53)] + [1 - 2.0 ** -k for k in range(1, 54)]
logs += [5e-324, 1e-310, 1.7976931348623157e308, 2.0, 10.0, 1.4142135623730951, 0.7071067811865476, 2.718281828459045] + neighbours(1.4142135623730951)
for x in logs:
    if x != 1.0:
        emit("Log", x, 0.0, mpmath.log(mpf(x)))

powers = list(zip(spread(-10, 10, signed=False), uniform(-30, 30))) + list(zip(uniform(0.5, 2), uniform(-700, 700)))
powers += list(zip(uniform(0, 1), [1 / 2.2] * COUNT)) + list(zip(uniform(0, 1), [2.2] * (COUNT // 2)))
powers += [(float(b), float(n)) for b in [2, 3, 5, 7, 10, -2, -3, 1.5] for n in [-5, -2, -1, 1, 2, 3, 4, 7, 10, 20]]
powers += [(2.0, float(n)) for n in [-1074, -1073, -1023, -1022, -1021, 1023]] + [(10.0, 308.0), (10.0, -308.0), (10.0, -323.0), (0.1, 3.0)]
powers += [(1 + 2.0 ** -52, 2.0 ** 60), (1 - 2.0 ** -53, 2.0 ** 61), (1 + 2.0 ** -52, 3e18), (1 - 2.0 ** -53, -6e18), (5e-324, 0.5), (5e-324, -0.9), (1.7976931348623157e308, 0.999),
           (2.0, 1e-300), (2.0, 2.0 ** -60), (-2.0, 1023.0), (-8.0, -355.0)]
powers += list(zip([2.0] * (COUNT // 4), uniform(-1074, -1020, COUNT // 4)))
powers += list(zip(spread(-3, 3, signed=False), [float(rng.randint(-200, 200)) for _ in range(COUNT)]))
for b, e in powers:
    if b == 1.0 or e == 0.0:
        continue
    p = mpmath.log(abs(mpf(b))) * mpf(e)
    if abs(p) > 2000:
        continue
    v = mpmath.exp(p)
    if b < 0 and int(e) % 2:
        v = -v
    emit("Pow", b, e, v)
