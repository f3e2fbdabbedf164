#!/usr/bin/env python3
"""`gomkit preview` against ps1_preview.py, to the pixel: a walking figure, and made models with bones, clips, textures of each depth, views, sizes and sheets.

    ps1_preview_test.py GOMKIT ROOT [SECONDS]      (default 10)
"""
import math
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import numpy as np

import ps1_character
import ps1_preview
import ps1m


def read_png(data):
    """Pixels [height, width, 3] of an RGB PNG whose rows have no filter, as ours have."""
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IHDR":
            size = struct.unpack_from(">II5B", data, at + 8)
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    width, height, bits, colour, _, _, interlace = size
    assert (bits, colour, interlace) == (8, 2, 0)
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def tim(r, numbers, slot):
    depth = r.randrange(3 if slot < 2 else 2)
    width = (64, 128, 256)[depth]
    x, y = [(640, 0), (640, 256), (896, 0)][slot]
    out = struct.pack("<II", 0x10, depth | (8 if depth < 2 else 0))
    if depth < 2:
        colours = (16, 256)[depth]
        out += struct.pack("<I4H", 12 + 2 * colours, 0, 500 + slot, colours, 1) + numbers.integers(0, 65536, colours, dtype=np.uint16).tobytes()
    texels = numbers.integers(0, 65536, width * 256, dtype=np.uint16)
    return out + struct.pack("<I4H", 12 + 2 * len(texels), x, y, width, 256) + texels.tobytes()


def unit(r, size=4096):
    v = [r.gauss(0, 1) for _ in range(3)]
    n = math.sqrt(sum(c * c for c in v))
    return tuple(round(c / n * size) for c in v)


def model(r, maker):
    """A chain of bones, each with a blob of triangles; a few odd ones among them."""
    m = maker.Model()
    count = r.randint(1, 8)
    scale = r.choice((60, 300, 300, 2000, 12000))
    m.vertices, m.triangles, m.bones, m.ntrans = [], [], [], 0
    for b in range(count):
        vertices, triangles = r.randint(3, 14), r.randint(5, 40)
        first = len(m.vertices)
        for _ in range(vertices):
            m.vertices.append((*(r.randint(-scale, scale) for _ in range(3)), b, *unit(r), r.randrange(256), r.randrange(256)))
        start = len(m.triangles)
        for _ in range(triangles):
            corners = tuple(r.randrange(max(0, first - 3), len(m.vertices)) for _ in range(3))
            m.triangles.append((*corners, b, r.randrange(3), *unit(r), r.randrange(2)))
        moves = r.random() < 0.3
        m.bones.append((-1 if b == 0 else r.randint(0, b - 1), int(moves), m.ntrans if moves else 255, first, vertices, start, triangles,
                        *(r.randint(-scale, scale) for _ in range(3))))
        m.ntrans += moves

    def quaternion():
        q = [r.gauss(0, 0.4), r.gauss(0, 0.4), r.gauss(0, 0.4), 1]
        n = math.sqrt(sum(c * c for c in q))
        return tuple(round(c / n * 4096) for c in q)
    m.clips = [(name, r.choice((15, 15, 7, 60, 0)), [([quaternion() for _ in range(count)], [tuple(r.randint(-scale, scale) for _ in range(3)) for _ in range(m.ntrans)])
                                                    for _ in range(r.randint(1, 5))]) for name in ("a", "b")]
    return m


def main():
    gomkit, root = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 10.0
    sys.path.insert(0, root + "/tests/conformance")
    import make_ps1m_cases as maker
    character, _ = ps1_character.make(maker)
    r, numbers = random.Random(3), np.random.default_rng(3)
    end = time.monotonic() + seconds
    pictures = 0
    filled = []
    refused = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        while time.monotonic() < end or pictures < 10:
            data = character if r.random() < 0.1 else bytes(maker.File(model(r, maker)).data)
            (folder / "model.bin").write_bytes(data)
            p = ps1m.Ps1m(data)
            clip, flat = r.randrange(len(p.clips)), r.random() < 0.3
            width, height = r.choice(((320, 240), (320, 240), (64, 64), (200, 333), (640, 480), (17, 33)))
            yaw, pitch = r.choice((0, 90, -45, r.uniform(-360, 360))), r.choice((None, 0, 17.5, r.uniform(-90, 90)))
            command = [gomkit, "preview", "model.bin", "-o", "out.png", "-q", "--clip", p.clips[clip][0], "--size", "%dx%d" % (width, height), "--yaw", repr(yaw)]
            textures = [tim(r, numbers, slot) for slot in range(r.randint(0, 3))]
            for slot, content in enumerate(textures):
                (folder / ("%d.tim" % slot)).write_bytes(content)
                command += ["--texture", "%d.tim" % slot]
            command += [] if pitch is None else ["--pitch", repr(pitch)]
            command += ["--flat"] if flat else []
            sheet = r.random() < 0.2
            if sheet:
                shown = ps1_preview.sheet_times(p.clips[clip], r.randint(1, 5))
                command += ["--contact-sheet", str(len(shown))]
            else:
                shown = [r.randrange(200)]
                command += ["--time", repr(shown[0] / 60)]
            turn = [math.floor(a / 360 % 1 * 4096 + 0.5) for a in (yaw, pitch or 0)]
            camera = ps1_preview.Camera(p, clip, 200 if pitch is None else turn[1], turn[0], width, height)
            run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if 4 * camera.h < width // 2:
                if run.returncode != 4 or "too large" not in run.stderr:
                    sys.exit("too large a model was drawn: %s; model %s" % (" ".join(command), data.hex()))
                refused += 1
                continue
            if run.returncode != 0:
                sys.exit("%s: %s; model %s" % (" ".join(command), run.stderr, data.hex()))
            found = read_png((folder / "out.png").read_bytes())
            columns = next(n for n in range(1, 9) if n * n >= len(shown))
            expected = np.zeros((-(-len(shown) // columns) * height, columns * width), dtype=np.int64)
            for i, number in enumerate(shown):
                picture = ps1_preview.draw(p, clip, number, camera, textures, flat)
                expected[i // columns * height:, i % columns * width:][:height, :width] = picture
                filled.append((picture != picture[0, 0]).mean())
            five = np.stack([expected >> 5 * c & 31 for c in range(3)], axis=2)
            wanted = five << 3 | five >> 2
            if found.shape != wanted.shape or not np.array_equal(found, wanted):
                where = np.argwhere((found != wanted).any(axis=2))[0] if found.shape == wanted.shape else found.shape
                sys.exit("picture %d differs at %s (row, column): %s; model %s" % (pictures, where, " ".join(command), data.hex()))
            pictures += len(shown)
    if sum(filled) / len(filled) < 0.03:
        sys.exit("the pictures show next to nothing: %.3f" % (sum(filled) / len(filled)))
    print("%d pictures, %.0f %% of their pixels drawn: equal; %d models too large" % (pictures, 100 * sum(filled) / len(filled), refused))


if __name__ == "__main__":
    main()
