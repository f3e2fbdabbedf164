#!/usr/bin/env python3
"""`convert --ps1-tim` against ps1_tim.py, byte by byte: random pictures of all depths, with and without dithering, at random places; and a preview with the TIMs against one with
the pictures they were made of.

    ps1_tim_test.py GOMKIT ROOT [ROUNDS]      (default 5)
"""
import json
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import zlib

import ps1_tim

OBJ = "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\n"
FACES = ("usemtl a\nf 1/1 2/2 3/3\n", "usemtl b\nf 1/1 3/2 4/3\n", "usemtl c\nf 1/1 4/2 2/3\n")


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, rgba):
    rows = b"".join(b"\0" + b"".join(bytes(p) for p in row) for row in rgba)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def picture(r):
    """(width, height, rows)"""
    width, height = r.choice(((1, 1), (3, 200), (256, 256), (r.randint(1, 40), r.randint(1, 40)), (r.randint(200, 400), r.randint(200, 400))))
    few = [tuple(r.choice((0, 7, 8, 100, 255)) for _ in range(3)) for _ in range(r.randint(1, 20))]
    steps = [[r.uniform(-2, 2) for _ in range(3)] for _ in range(2)]
    kind = r.choice(("few", "smooth", "noise"))
    alphas = r.choice(((255,), (255, 255, 0), (255, 128, 127, 1)))

    def pixel(x, y):
        if kind == "few":
            colour = few[(x // 3 + y // 5) % len(few)]
        elif kind == "smooth":
            colour = tuple(int(128 + steps[0][c] * x + steps[1][c] * y) % 256 for c in range(3))
        else:
            colour = tuple(r.randrange(256) for _ in range(3))
        return *colour, alphas[(x // 7 + y // 9) % len(alphas)]
    return width, height, [[pixel(x, y) for x in range(width)] for y in range(height)]


def run(*arguments):
    return subprocess.run([str(a) for a in arguments], check=True, capture_output=True, text=True).stdout


def one_round(gomkit, folder, r, bits, dither):
    pictures = [picture(r) for _ in range(3)]
    (folder / "m.mtl").write_text("".join(f"newmtl {n}\nmap_Kd {n}.png\n" for n in "abc"))
    (folder / "m.obj").write_text(OBJ + "".join(FACES))
    for name, (width, height, rgba) in zip("abc", pictures):
        (folder / f"{name}.png").write_bytes(png(width, height, rgba))
    vram = r.choice((None, (640, 0), (0, 0), (64, 256)))
    clut = r.choice((None, (0, 240), (768, 509), (16, 253))) if bits < 16 else None
    asked = ["--vram", "%d,%d" % vram] if vram else []
    asked += ["--clut", "%d,%d" % clut] if clut else []
    asked += ["--ps1-tim-dither"] if dither else []
    pages, palettes = ps1_tim.places(bits, vram or (640, 0), clut)
    told = json.loads(run(gomkit, "convert", folder / "m.obj", "-o", folder / "m.ps1m", "--ps1-tim", bits, *asked, "--json"))
    lines = [i["text"] for i in told["issues"] if i["id"] == "PS1_TIM"]
    assert len(lines) == 3, lines
    for slot, name in enumerate("abc"):
        flags, palette, texels = ps1_tim.read((folder / f"{name}.tim").read_bytes())
        wanted_palette, wanted_texels = ps1_tim.blocks_of(*pictures[slot], bits, dither)
        (x, y), (px, py) = pages[slot], palettes[slot]
        assert flags == ps1_tim.BITS[bits][0] and texels[:4] == (x, y, 256 // ps1_tim.BITS[bits][2], 256), (name, flags, texels[:4], pages)
        assert texels[4] == wanted_texels, f"{name}: texels differ"
        depth = (4, 8, 16).index(bits)
        assert "texture page 0x%04X " % (x >> 6 | y >> 8 << 4 | depth << 7) in lines[slot], lines[slot]
        if bits < 16:
            assert palette[:4] == (px, py, len(wanted_palette), 1) and palette[4] == wanted_palette, f"{name}: palettes differ"
            assert "CLUT 0x%04X " % (py << 6 | px >> 4) in lines[slot], lines[slot]


def same_picture(gomkit, folder, r):
    """Where the game has its textures, a preview sees no difference between a picture and its TIM of 8 bits."""
    one_round(gomkit, folder, r, 8, False)
    run(gomkit, "convert", folder / "m.obj", "-o", folder / "m.ps1m", "--ps1-tim", 8, "-q")
    shown = []
    for ending in ("png", "tim"):
        textures = [a for n in "abc" for a in ("--texture", folder / f"{n}.{ending}")]
        run(gomkit, "preview", folder / "m.ps1m", "-o", folder / f"of_{ending}.png", "--yaw", "40", *textures)
        shown.append((folder / f"of_{ending}.png").read_bytes())
    assert shown[0] == shown[1], "the previews differ"


def main():
    gomkit, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[3]) if len(sys.argv) > 3 else 5
    r = random.Random(20261130)
    for n in range(rounds):
        bits, dither = ((4, False), (8, True), (16, False), (4, True), (8, False))[n % 5]
        with tempfile.TemporaryDirectory() as scratch:
            one_round(gomkit, pathlib.Path(scratch), r, bits, dither)
    with tempfile.TemporaryDirectory() as scratch:
        same_picture(gomkit, pathlib.Path(scratch), r)
    print(f"{3 * rounds} TIMs agree byte by byte; a preview shows the same with them as with their pictures")


if __name__ == "__main__":
    main()
