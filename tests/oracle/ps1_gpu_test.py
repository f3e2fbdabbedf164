#!/usr/bin/env python3
"""The C++ GPU against ps1_gpu.py, on random polygons of all kinds, to the pixel.

    ps1_gpu_test.py DRIVER [SECONDS]      (default 10)

A round begins with random memory, of which the left half is drawn to and the right half holds textures and palettes; its polygons are small and large, degenerate, equal in
corners, at the edges of the drawing area, and too large. After each round all of memory is compared.
"""
import random
import struct
import subprocess
import sys
import time

import numpy as np

import ps1_gpu

POLYGONS = 60


def position(r, kind):
    if kind == "far":
        return r.randrange(2048), r.randrange(2048)
    size = {"tiny": 8, "small": 60, "large": 500}[kind]
    return r.randrange(-4, size), r.randrange(-4, min(size, 300))


def polygon(r):
    command = 0x20 | r.randrange(32)
    kind = r.choice(("tiny", "tiny", "small", "small", "small", "large", "far"))
    ox, oy = (r.randrange(450), r.randrange(480)) if kind in ("tiny", "small") else (0, 0)
    corners = 4 if command & 8 else 3
    points = [position(r, kind) for _ in range(corners)]
    if r.random() < 0.2:      # a flat side, an upright side, or two equal corners
        i, j = r.sample(range(corners), 2)
        points[i] = r.choice(((points[i][0], points[j][1]), (points[j][0], points[i][1]), points[j]))
    colours = [r.choice((r.getrandbits(24), 0x808080, 0, 0xFFFFFF)) for _ in range(corners)]
    depth = r.randrange(4)
    page = r.randrange(8, (16, 15, 13, 13)[depth]) | r.randrange(2) << 4 | r.randrange(4) << 5 | depth << 7   # within the right half
    clut = r.randrange(32, 48) | r.randrange(512) << 6
    words = []
    for i, (x, y) in enumerate(points):
        if i == 0 or command & 0x10:
            words.append(colours[i] | (command << 24 if i == 0 else r.getrandbits(8) << 24))
        words.append((x + ox & 0xFFFF) | (y + oy & 0xFFFF) << 16)
        if command & 4:
            words.append(r.getrandbits(16) | (clut if i == 0 else page if i == 1 else r.getrandbits(16)) << 16)
    return words


def state(r):
    area = (0, 0, 511, 511) if r.random() < 0.5 else (r.randrange(200), r.randrange(200), r.randrange(200, 512), r.randrange(200, 512))
    window = (0, 0, 0, 0) if r.random() < 0.6 else tuple(r.randrange(32) for _ in range(4))
    offset = (0, 0) if r.random() < 0.5 else (r.randrange(-100, 100), r.randrange(-100, 100))
    return (*area, *offset, r.randrange(2), window, r.randrange(4) << 5)


def main():
    driver = sys.argv[1]
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10.0
    r, numbers = random.Random(5), np.random.default_rng(5)
    end = time.monotonic() + seconds
    polygons = pixels = rounds = 0
    commands = set()
    while time.monotonic() < end or len(commands) < 32:
        memory = numbers.integers(0, 65536, (ps1_gpu.HEIGHT, ps1_gpu.WIDTH), dtype=np.int64)
        memory[numbers.random(memory.shape) < 0.1] = 0
        request = [memory.astype("<u2").tobytes()]
        gpu = ps1_gpu.Gpu(memory)
        before = memory.copy()
        for _ in range(POLYGONS):
            s, words = state(r), polygon(r)
            commands.add(words[0] >> 24)
            packed = s[7][0] | s[7][1] << 5 | s[7][2] << 10 | s[7][3] << 15
            request.append(struct.pack("<7i3I%dI" % len(words), *s[:7], packed, s[8], len(words), *words))
            gpu.draw(ps1_gpu.State(*s), words)
        answer = subprocess.run([driver], input=struct.pack("<I", POLYGONS) + b"".join(request), stdout=subprocess.PIPE, check=True).stdout
        found = np.frombuffer(answer, "<u2").reshape(memory.shape)
        if not np.array_equal(found, memory):
            y, x = np.argwhere(found != memory)[0]
            sys.exit("round %d: pixel %d, %d is %04X in C++, %04X in Python (%d differ)" % (rounds, x, y, found[y, x], memory[y, x], (found != memory).sum()))
        polygons += POLYGONS
        pixels += int((before != memory).sum())
        rounds += 1
    if pixels < polygons * 20:
        sys.exit("only %d pixels changed" % pixels)
    print("%d polygons of %d commands, %d pixels changed: equal" % (polygons, len(commands), pixels))


if __name__ == "__main__":
    main()
