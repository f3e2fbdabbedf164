"""The GPU's polygons, written from docs/spec/ps1-gpu.md alone. A triangle becomes a list of pixels first (numpy arrays), then all of them get their colours at once: textures
must not lie where the triangle draws.
"""
import numpy as np

WIDTH, HEIGHT = 1024, 512
DITHER = np.array([[-4, 0, -3, 1], [2, -2, 3, -1], [-3, 1, -4, 0], [3, -1, 2, -2]])


def signed(v, bits):
    v &= (1 << bits) - 1
    return v - (1 << bits) if v >> (bits - 1) else v


def divide(a, b):
    """Towards zero."""
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def start(x):
    return x * 2**32 + 2**32 - 2**11


def step(dx, dy):
    if dy == 0:
        return 0
    d = dx * 2**32
    if d < 0:
        d -= dy - 1
    elif d > 0:
        d += dy - 1
    return divide(d, dy)


class State:
    def __init__(self, left, top, right, bottom, offset_x, offset_y, dither, window, page):
        self.area = left, top, right, bottom
        self.offset = offset_x, offset_y
        self.dither, self.window, self.page = dither, window, page


def words_of(command):
    corners = 4 if command & 8 else 3
    return (corners if command & 0x10 else 1) + corners * (2 if command & 4 else 1)


class Gpu:
    def __init__(self, memory):
        self.memory = memory          # [HEIGHT, WIDTH] of int64

    def draw(self, state, words):
        command = words[0] >> 24
        gouraud, textured, semi, raw = (bool(command & bit) for bit in (0x10, 4, 2, 1))
        rest, corners, clut = list(words), [], 0
        colour = 0
        for i in range(4 if command & 8 else 3):
            if i == 0 or gouraud:
                colour = rest.pop(0)
            position = rest.pop(0)
            u = v = 0
            if textured:
                word = rest.pop(0)
                u, v = word & 0xFF, word >> 8 & 0xFF
                if i == 0:
                    clut = word >> 16
                if i == 1:
                    state.page = word >> 16
            corners.append((signed(position, 11) + state.offset[0], signed(position >> 16, 11) + state.offset[1],
                            (colour & 0xFF, colour >> 8 & 0xFF, colour >> 16 & 0xFF, u, v)))
        assert not rest
        for three in [corners[:3], corners[1:]][:len(corners) - 2]:
            self.triangle(state, three, gouraud, textured, semi, raw and textured, clut)

    def triangle(self, state, v, gouraud, textured, semi, raw, clut):
        for a in v:
            for b in v:
                if abs(a[0] - b[0]) >= 1024 or abs(a[1] - b[1]) >= 512:
                    return
        if v[1][0] <= v[0][0]:
            core = v[2] if v[2][0] <= v[1][0] else v[1]
        else:
            core = v[2] if v[2][0] < v[0][0] else v[0]
        # A stable sort makes the same three exchanges; the core is followed by its place in the packet, as two corners may be equal.
        order = sorted(range(3), key=lambda i: v[i][1])
        which = order.index([i for i in range(3) if v[i] is core][0])
        v = [v[i] for i in order]
        (x0, y0, a0), (x1, y1, a1), (x2, y2, a2) = v
        den = (x1 - x0) * (y2 - y1) - (x2 - x1) * (y1 - y0)
        if den == 0:
            return
        long, us, ls = step(x2 - x0, y2 - y0), step(x1 - x0, y1 - y0), step(x2 - x1, y2 - y1)
        long_left = x1 > x0 if y1 == y0 else us > long
        xa, ya = (x0, y0) if which == 0 else (x1, y1)
        xb, yb = (x2, y2) if which == 2 else (x1, y1)
        left, top, right, bottom = state.area
        rows = []
        for y in range(y0, y2):
            ends = [start(x0) + (y - y0) * long, start(xa) + (y - ya) * us if y < y1 else start(xb) + (y - yb) * ls]
            low, high = (e >> 32 for e in (ends if long_left else reversed(ends)))
            low, high = max(low, left, 0), min(high, right + 1, WIDTH)
            if low < high and max(top, 0) <= y <= min(bottom, HEIGHT - 1):
                rows.append((y, low, high))
        if not rows:
            return
        xs = np.concatenate([np.arange(low, high) for _, low, high in rows])
        ys = np.concatenate([np.full(high - low, y) for y, low, high in rows])
        values = []
        for c in range(5):
            ddx = divide(((a1[c] - a0[c]) * (y2 - y1) - (a2[c] - a1[c]) * (y1 - y0)) * 4096, den)
            ddy = divide(((x1 - x0) * (a2[c] - a1[c]) - (x2 - x1) * (a1[c] - a0[c])) * 4096, den)
            values.append((core[2][c] * 4096 + 2048 + ddx * (xs - core[0]) + ddy * (ys - core[1])) % 2**20 >> 12)
        self.colour(state, xs, ys, values, gouraud, textured, semi, raw, clut)

    def colour(self, state, xs, ys, values, gouraud, textured, semi, raw, clut):
        if textured:
            texels = self.texels(state, values[3], values[4], clut)
            keep = texels != 0
            xs, ys, texels = xs[keep], ys[keep], texels[keep]
            values = [v[keep] for v in values]
        else:
            texels = np.zeros(len(xs), dtype=np.int64)
        mark = texels & 0x8000
        behind = self.memory[ys, xs]
        blends = (mark != 0) if textured else np.ones(len(xs), dtype=bool)
        mode = state.page >> 5 & 3
        dither = DITHER[ys & 3, xs & 3] if state.dither and (gouraud or textured) else 0
        out = mark
        for c in range(3):
            texel = texels >> 5 * c & 31
            if raw:
                new = texel
            else:
                new = np.clip(((texel * values[c] >> 4 if textured else values[c]) + dither) >> 3, 0, 31)
            if semi:
                old = behind >> 5 * c & 31
                mixed = [(old + new) >> 1, np.minimum(31, old + new), np.maximum(0, old - new), np.minimum(31, old + (new >> 2))][mode]
                new = np.where(blends, mixed, new)
            out = out | new << 5 * c
        self.memory[ys, xs] = out

    def texels(self, state, us, vs, clut):
        mask_u, mask_v, offset_u, offset_v = state.window
        us = (us & ~(mask_u * 8)) | ((offset_u & mask_u) * 8)
        vs = (vs & ~(mask_v * 8)) | ((offset_v & mask_v) * 8)
        x, y = (state.page & 15) * 64, (state.page >> 4 & 1) * 256
        bits = {0: 4, 1: 8}.get(state.page >> 7 & 3, 16)
        each = 16 // bits
        found = self.memory[y + vs, (x + us // each) % WIDTH] >> (us % each) * bits & (1 << bits) - 1
        if bits == 16:
            return found
        return self.memory[(clut >> 6) % HEIGHT, ((clut & 63) * 16 + found) % WIDTH]
