"""TIM files as docs/spec/ps1-gpu.md, section 7, has them: what a picture becomes, where it lies, and a reader. Written from the page alone."""
import struct

SIDE = 256
BITS = {4: (8, 16, 4), 8: (9, 256, 2), 16: (2, 0, 1)}   # flags, entries, texels a halfword


def read(data):
    """(flags, palette's block, texels' block); a block is (x, y, width, height, halfwords)"""
    magic, flags = struct.unpack_from("<II", data)
    assert magic == 0x10
    at, blocks = 8, []
    for _ in range(2 if flags & 8 else 1):
        size, x, y, width, height = struct.unpack_from("<I4H", data, at)
        assert size == 12 + 2 * width * height
        blocks.append((x, y, width, height, struct.unpack_from("<%dH" % (width * height), data, at + 12)))
        at += size
    assert at == len(data)
    return flags, blocks[0] if flags & 8 else None, blocks[-1]


def texels(width, height, rgba):
    """GPU-PICTURE-1; rgba is a list of rows of (r, g, b, a)."""
    def span(i, side):
        begin = i * side // SIDE
        return range(begin, max(begin + 1, (i + 1) * side // SIDE))
    out = []
    for y in range(SIDE):
        rows = [rgba[j] for j in span(y, height)]
        for x in range(SIDE):
            under = [row[i] for row in rows for i in span(x, width)]
            alpha = sum(p[3] for p in under)
            if alpha < 128 * len(under):
                out.append(0)
                continue
            value = sum((sum(p[c] * p[3] for p in under) // alpha >> 3) << 5 * c for c in range(3))
            out.append(value or 0x8000)
    return out


def channels(pixel):
    return [pixel & 31, pixel >> 5 & 31, pixel >> 10 & 31]


def palette_of(pixels, entries):
    """GPU-PICTURE-2 and GPU-PICTURE-3: (entries that are used, whether the first is transparent)"""
    counts = {}
    for p in pixels:
        counts[p] = counts.get(p, 0) + 1
    clear = counts.pop(0, 0) > 0
    groups = [[(channels(p), n) for p, n in sorted(counts.items())]] if counts else []

    def extent(group):
        sides = [max(c[k] for c, _ in group) - min(c[k] for c, _ in group) for k in range(3)]
        return max(sides), sides.index(max(sides))

    def weight(group):
        return extent(group)[0] * sum(n for _, n in group)
    while groups and len(groups) < entries - clear:
        weights = [weight(g) for g in groups]
        largest = weights.index(max(weights))
        if weights[largest] == 0:
            break
        group = groups[largest]
        axis = extent(group)[1]
        group = sorted(group, key=lambda e: e[0][axis])
        total, reached, cut = sum(n for _, n in group), 0, 0
        while cut + 1 < len(group) and 2 * reached < total:
            reached += group[cut][1]
            cut += 1
        cut = max(cut, 1)
        groups[largest] = group[:cut]
        groups.append(group[cut:])
    out = [0] if clear else []
    for group in groups:
        n = sum(k for _, k in group)
        value = sum(((2 * sum(c[k] * m for c, m in group) + n) // (2 * n)) << 5 * k for k in range(3))
        out.append(value or 0x8000)
    return out, clear


def toward_zero(a, b):
    return a // b if a >= 0 else -(-a // b)


def indices(pixels, entries, clear, dither):
    """GPU-PICTURE-3, or GPU-PICTURE-5"""
    known = {}
    colours = [[16 * c for c in channels(e)] for e in entries]

    def nearest(wanted):
        key = tuple(wanted)
        if key not in known:
            known[key] = min(range(1 if clear else 0, len(colours)), key=lambda i: (sum((a - b) ** 2 for a, b in zip(colours[i], wanted)), i))
        return known[key]
    if not dither:
        return [0 if p == 0 else nearest([16 * c for c in channels(p)]) for p in pixels]
    carried = {}
    out = []
    for i, p in enumerate(pixels):
        if p == 0:
            out.append(0)
            continue
        x, y = i % SIDE, i // SIDE
        wanted = [min(max(16 * c + e, 0), 496) for c, e in zip(channels(p), carried.pop((x, y), (0, 0, 0)))]
        taken = nearest(wanted)
        out.append(taken)
        errors = [a - b for a, b in zip(wanted, colours[taken])]
        shares = [[toward_zero(e * part, 16) for e in errors] for part in (7, 3, 5)]
        shares.append([e - a - b - c for e, a, b, c in zip(errors, *shares)])
        for (dx, dy), share in zip(((1, 0), (-1, 1), (0, 1), (1, 1)), shares):
            if 0 <= x + dx < SIDE:
                at = carried.setdefault((x + dx, y + dy), (0, 0, 0))
                carried[x + dx, y + dy] = tuple(a + b for a, b in zip(at, share))
    return out


def blocks_of(width, height, rgba, bits, dither):
    """(palette's halfwords or None, texels' halfwords)"""
    pixels = texels(width, height, rgba)
    _, entries, side_by_side = BITS[bits]
    if entries == 0:
        return None, tuple(pixels)
    palette, clear = palette_of(pixels, entries)
    index = indices(pixels, palette, clear, dither)
    halfwords = [sum(v << 16 // side_by_side * k for k, v in enumerate(index[i:i + side_by_side])) for i in range(0, len(index), side_by_side)]
    return tuple(palette + [0] * (entries - len(palette))), tuple(halfwords)


def places(bits, vram=(640, 0), clut=None):
    """GPU-TIM-6: ([texels' place or None], [palette's place])"""
    _, entries, side_by_side = BITS[bits]
    width = SIDE // side_by_side
    palettes = [(clut[0], clut[1] + n) for n in range(3)] if clut else [(640, 256), (640, 257), (640, 259)]
    taken = {(x, y) for y in range(240) for x in range(640)}
    if entries:
        taken |= {(x + i, y) for x, y in palettes for i in range(entries)}
    out = []
    for _ in range(3):
        found = None
        for y in (0, 256):
            for x in range(0, 1024 - width + 1, 64):
                if found is None and (y, x) >= (vram[1], vram[0]) and not any((i, j) in taken for i in range(x, x + width) for j in range(y, y + SIDE)):
                    found = (x, y)
        if found:
            taken |= {(i, j) for i in range(found[0], found[0] + width) for j in range(found[1], found[1] + SIDE)}
        out.append(found)
    return out, palettes
