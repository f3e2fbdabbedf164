#!/usr/bin/env python3
"""The page of `--autorig-body lathe` against what PS1M-LATHE-3 and PS1M-LATHE-4 say of a figure of round tubes: its picture has the angle around a tube in red and blue and the height
in green, so that each texel of a body's rectangle tells which place it shows.

    ps1_atlas_test.py GOMKIT ROOT
"""
import math
import pathlib
import subprocess
import sys
import tempfile

import ps1_tim
import ps1_tim_test

SIDES, ROWS = 48, 6
# Middle, lowest, highest, radius, in metres of a figure 1 m high, and the body's rectangle on the page. Of forearms hands stay: those have none here.
TUBES = ((0, 0.48, 0.56, 0.08, (0, 0, 128, 64)), (0, 0.61, 0.75, 0.08, (0, 64, 128, 64)), (0, 0.79, 1, 0.07, None),
         (0.15, 0.59, 0.73, 0.02, (128, 0, 64, 64)), (-0.15, 0.59, 0.73, 0.02, (192, 0, 64, 64)), (0.15, 0.40, 0.57, 0.02, None), (-0.15, 0.40, 0.57, 0.02, None),
         (0.06, 0.25, 0.46, 0.03, (0, 128, 64, 64)), (-0.06, 0.25, 0.46, 0.03, (64, 128, 64, 64)), (0.06, 0, 0.22, 0.03, (0, 192, 64, 64)), (-0.06, 0, 0.22, 0.03, (64, 192, 64, 64)))
HANDS_OR_ARMS = ((128, 64, 64, 64), (192, 64, 64, 64))
SKIN, UNDERWEAR, UNTOUCHED = (236, 196, 160), (245, 245, 250), (90, 90, 90)


def wave(turn):
    turn %= 1
    return 255 * (2 * turn if turn < 0.5 else 2 - 2 * turn)


def colour(turn, height):
    return wave(turn), 255 * height, wave(turn - 0.25)


def figure():
    points, coordinates, faces = [], [], []
    for x, low, high, radius, _ in TUBES:
        first, first_of_page = len(points), len(coordinates)
        for row in range(ROWS + 1):
            for side in range(SIDES + 1):
                angle = 2 * math.pi * side / SIDES
                coordinates.append("vt %.9g %.9g" % (side / SIDES, row / ROWS))
                if side < SIDES:
                    points.append("v %.9g %.9g %.9g" % (x + radius * math.cos(angle), low + (high - low) * row / ROWS, radius * math.sin(angle)))
        for row in range(ROWS):
            for side in range(SIDES):
                corners = ((row, side), (row + 1, side), (row + 1, side + 1), (row, side + 1))
                faces.append("f " + " ".join("%d/%d" % (first + r * SIDES + s % SIDES + 1, first_of_page + r * (SIDES + 1) + s + 1) for r, s in corners))
    return "\n".join(["mtllib m.mtl", *points, *coordinates, "usemtl m", *faces]) + "\n"


def five_bits(rgb):
    return [int(c) >> 3 for c in rgb]


def inside(rectangle, u, v):
    left, top, width, height = rectangle
    return left <= u < left + width and top <= v < top + height


def expected(u, v):
    """A colour of 8 bits a channel; None: not told here."""
    if inside((128, 128, 64, 16), u, v):
        return SKIN
    if inside((192, 128, 64, 16), u, v):
        return UNDERWEAR
    for *_, rectangle in TUBES:
        if rectangle and inside(rectangle, u, v):
            left, top, width, height = rectangle
            return colour((u - left) / (width - 1), 1 - (v - top) / (height - 1))
    return None if any(inside(r, u, v) for r in HANDS_OR_ARMS) else UNTOUCHED


def main():
    gomkit = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "m.obj").write_text(figure(), encoding="ascii")
        (folder / "m.mtl").write_text("newmtl m\nmap_Kd turns.png\n", encoding="ascii")
        rows = [[(*(round(c) for c in colour((x + 0.5) / 256, 1 - (y + 0.5) / 256)), 255) for x in range(256)] for y in range(256)]
        (folder / "turns.png").write_bytes(ps1_tim_test.png(256, 256, rows))
        subprocess.run([gomkit, "convert", folder / "m.obj", "-o", folder / "tubes.ps1m", "-q", "--autorig", "--autorig-body", "lathe", "--ps1-seams", "keep", "--ps1-tim", "16"], check=True)
        _, _, (_, _, width, height, texels) = ps1_tim.read((folder / "tubes_body.tim").read_bytes())
    assert (width, height) == (256, 256)
    compared = 0
    for v in range(256):
        for u in range(256):
            wanted = expected(u, v)
            if wanted is not None:
                found = ps1_tim.channels(texels[256 * v + u])
                exact = wanted in (SKIN, UNDERWEAR, UNTOUCHED)
                assert all(abs(a - b) <= (0 if exact else 1) for a, b in zip(found, five_bits(wanted))), "texel %d,%d is %s, not %s" % (u, v, found, five_bits(wanted))
                compared += 1
    print("%d texels show what they should" % compared)


if __name__ == "__main__":
    main()
