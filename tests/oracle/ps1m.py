"""A reader of PS1M files and the console's pose arithmetic, written from docs/spec/ps1m.md and gte.md alone. Python's whole numbers do not wrap, so every
wrap that the page names stands here by itself. Files are taken as valid.
"""
import math
import struct


def s(v, bits):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def clamp16(v):
    return max(-32768, min(32767, v))


def quotient(a, b):
    """C division."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


class Ps1m:
    def __init__(self, data):
        nv, nt, nb, na, self.slots, ne = struct.unpack_from("<6H", data, 4)
        ov, ot, ob, oa, oi, oe = struct.unpack_from("<6I", data, 16)
        oq, nq = (0, 0) if ov == 40 else struct.unpack_from("<IH", data, 40)
        self.vertices = [struct.unpack_from("<3hBx3hBB", data, ov + 16 * i) for i in range(nv)]
        self.triangles = [struct.unpack_from("<3HBB3hB", data, ot + 16 * i) for i in range(nt)]
        self.bones = [struct.unpack_from("<bBBx4H3h", data, ob + 18 * i) for i in range(nb)]
        self.clips = []
        for i in range(na):
            name, count, fps, at = struct.unpack_from("<16sHHI", data, oa + 24 * i)
            frames = []
            for f in range(count):
                start = at + f * 8 * (nb + self.slots)
                rows = [struct.unpack_from("<4h", data, start + 8 * k) for k in range(nb + self.slots)]
                frames.append((rows[:nb], [r[:3] for r in rows[nb:]]))
            self.clips.append((name.split(b"\0")[0].decode("latin-1"), fps, frames))
        self.edges = [struct.unpack_from("<2H", data, oe + 4 * i) for i in range(ne)]
        self.quads = [struct.unpack_from("<6H", data, oq + 12 * i) for i in range(nq)]
        self.ik = None
        if oi:
            head = struct.unpack_from("<bbxx3h", data, oi)
            self.ik = head, [struct.unpack_from("<3bx6h", data, oi + 12 + 16 * i) for i in range(4)]

    def local(self, clip, frame, t):
        frames = self.clips[clip][2]
        q0s, t0s = frames[frame]
        q1s, t1s = frames[(frame + 1) % len(frames)]
        out = []
        for b, bone in enumerate(self.bones):
            move = bone[7:10]
            if bone[1] & 1:
                move = [a + (((c - a) * t) >> 8) for a, c in zip(t0s[bone[2]], t1s[bone[2]])]
            out.append((rotation(q0s[b], q1s[b], t), list(move)))
        return out

    def world(self, local):
        out = []
        for bone, own in zip(self.bones, local):
            out.append(own if bone[0] < 0 else compose(out[bone[0]], own))
        return out

    def reach(self, local, world, target):
        """Every chain of the table for one target, then the rest of the skeleton anew."""
        world = list(world)
        changed = set()
        for chain in self.ik[1] if self.ik else []:
            if chain[0] >= 0:
                solve(chain, target, world, changed)
        dirty = set(changed)
        for b, bone in enumerate(self.bones):
            if b not in changed and bone[0] in dirty:
                world[b] = compose(world[bone[0]], local[b])
                dirty.add(b)
        return world


def rotation(q0, q1, t):
    if s(sum(a * b for a, b in zip(q0, q1)), 32) < 0:
        q1 = [-c for c in q1]
    q = [a + (((b - a) * t) >> 8) for a, b in zip(q0, q1)]
    n = max(1, math.isqrt(sum(c * c for c in q) & 0xFFFFFFFF))
    x, y, z, w = (quotient(c << 12, n) for c in q)

    def p(a, b):
        return (a * b) >> 12

    rows = [[4096 - 2 * (p(y, y) + p(z, z)), 2 * (p(x, y) - p(w, z)), 2 * (p(x, z) + p(w, y))],
            [2 * (p(x, y) + p(w, z)), 4096 - 2 * (p(x, x) + p(z, z)), 2 * (p(y, z) - p(w, x))],
            [2 * (p(x, z) - p(w, y)), 2 * (p(y, z) + p(w, x)), 4096 - 2 * (p(x, x) + p(y, y))]]
    return [[s(e, 16) for e in row] for row in rows]


def multiply(a, b):
    return [[clamp16(sum(a[i][k] * b[k][j] for k in range(3)) >> 12) for j in range(3)] for i in range(3)]


def apply(m, v):
    v = [s(c, 16) for c in v]
    return [clamp16(sum(m[i][k] * v[k] for k in range(3)) >> 12) for i in range(3)]


def add(a, b):
    return [s(x + y, 32) for x, y in zip(a, b)]


def sub(a, b):
    return [s(x - y, 32) for x, y in zip(a, b)]


def compose(parent, own):
    return multiply(parent[0], own[0]), add(apply(parent[0], own[1]), parent[1])


def scale(a, k):
    return [s((c * k) >> 12, 32) for c in a]


def dot(a, b):
    return s(sum(x * y for x, y in zip(a, b)), 64)


def length(a):
    return math.isqrt(dot(a, a) & 0xFFFFFFFF)


def cross(a, b):
    return [s(s(a[i] * b[j] - a[j] * b[i], 64) >> 12, 32) for i, j in ((1, 2), (2, 0), (0, 1))]


def unit(a):
    n = length(a)
    if n == 0:
        return [0, 0, 0]
    return [s(quotient(c << 12, n), 32) for c in a]


def between(a, b):
    c = s(dot(a, b) >> 12, 32)
    if c <= -4090:
        p = unit(cross(a, [4096, 0, 0] if abs(a[0]) < 2000 else [0, 4096, 0]))
        return [[clamp16(((2 * p[i] * p[j]) >> 12) - (4096 if i == j else 0)) for j in range(3)] for i in range(3)]
    x, y, z = cross(a, b)
    k = quotient(16777216, 4096 + c)
    m = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
    return [[clamp16((4096 if i == j else 0) + m[i][j] + (((sum(m[i][n] * m[n][j] for n in range(3)) >> 12) * k) >> 12)) for j in range(3)] for i in range(3)]


def turn(placement, r, pivot):
    return multiply(r, placement[0]), add(pivot, apply(r, sub(placement[1], pivot)))


def solve(chain, target, world, changed):
    up, low, end = chain[:3]
    local, pole = chain[3:6], chain[6:9]
    a, b = world[up][1], world[low][1]
    c = add(apply(world[low][0], local), b)
    l1, l2 = length(sub(b, a)), length(sub(c, b))
    if l1 == 0 or l2 == 0:
        return
    at = sub(target, a)
    d = length(at)
    if d < 1:
        at, d = [0, 4096, 0], 4096
    for reached in (min(d, l1 + l2 - 4), None):
        new = reached if reached is not None else max(d, abs(l1 - l2) + 4)
        if new != d:
            if d < 1:
                return
            at, d = [s(quotient(x * new, d), 32) for x in at], new
    goal = add(a, at)
    cosine = max(-4096, min(4096, quotient((l1 * l1 + d * d - l2 * l2) << 12, 2 * l1 * d)))
    sine = math.isqrt(4096 * 4096 - cosine * cosine)
    u = unit(at)
    v = sub(pole, scale(u, dot(pole, u) >> 12))
    if length(v) < 200:
        v = cross(u, [0, 4096, 0] if abs(u[1]) < 2000 else [4096, 0, 0])
    v = unit(v)
    bend = add(a, scale(add(scale(u, cosine), scale(v, sine)), l1))
    r1 = between(unit(sub(b, a)), unit(sub(bend, a)))
    world[up] = turn(world[up], r1, a)
    world[low] = turn(world[low], r1, a)
    c1 = add(apply(world[low][0], local), world[low][1])
    r2 = between(unit(sub(c1, bend)), unit(sub(goal, bend)))
    world[low] = turn(world[low], r2, bend)
    changed.update((up, low))
    if end >= 0:
        world[end] = turn(turn(world[end], r1, a), r2, bend)
        changed.add(end)
