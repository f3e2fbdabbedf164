#!/usr/bin/env python3
"""Poses of the C++ code against ps1m.py, on random skeletons.

    ps1m_test.py DRIVER ROOT [SECONDS]      (default 10)

Half of the skeletons are like a game's (unit quaternions, bones of some hundred units), half have any 16-bit numbers, so that every wrap and limit takes part.
"""
import random
import struct
import subprocess
import sys
import time

import ps1m


def quaternion(r, wild):
    if wild:
        return tuple(r.randint(-32768, 32767) for _ in range(4))
    q = [r.gauss(0, 1) for _ in range(4)]
    n = sum(c * c for c in q) ** 0.5
    return tuple(round(c / n * 4096) for c in q)


def vector(r, wild, size):
    return tuple(r.randint(-32768, 32767) if wild else r.randint(-size, size) for _ in range(3))


def model(r, maker, wild):
    m = maker.Model()
    n = r.randint(3, 12)
    m.vertices, m.triangles = [], []
    m.bones, m.ntrans = [], 0
    for b in range(n):
        moves = r.random() < 0.3
        parent = b - 1 if r.random() < 0.6 else r.randint(-1, b - 1)
        m.bones.append((parent, int(moves), m.ntrans if moves else 255, 0, 0, 0, 0, *vector(r, wild, 1000)))
        m.ntrans += moves
    m.clips = [("a", 15, [([quaternion(r, wild) for _ in range(n)], [vector(r, wild, 1000) for _ in range(m.ntrans)]) for _ in range(r.randint(1, 3))])]
    chains = []
    for _ in range(4):
        upper = r.randint(0, n - 2)
        chains.append((upper, r.randint(upper + 1, n - 1), r.randint(-1, n - 1), *vector(r, wild, 900), *vector(r, wild, 4096)) if r.random() < 0.6 else maker.NO_CHAIN)
    m.ik = (0, -1, (0, 0, -4096), chains) if r.random() < 0.8 else None
    return m


def main():
    driver, root = sys.argv[1:3]
    seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 10.0
    sys.path.insert(0, root + "/tests/conformance")
    import make_ps1m_cases as maker
    r = random.Random(11)
    end = time.monotonic() + seconds
    total = reached = 0
    while time.monotonic() < end or total == 0:
        requests, expected = [], []
        for k in range(200):
            wild = k % 2 == 1
            data = bytes(maker.File(model(r, maker, wild)).data)
            p = ps1m.Ps1m(data)
            frame, t = r.randrange(len(p.clips[0][2])), r.choice((0, 64, 255, r.randint(0, 255)))
            target = [r.randint(-(1 << 31), (1 << 31) - 1) if wild else r.randint(-2500, 2500) for _ in range(3)]
            requests.append(struct.pack("<4I3i", len(data), 0, frame, t, *target) + data)
            local = p.local(0, frame, t)
            world = p.world(local)
            after = p.reach(local, world, target)
            reached += after != world
            expected.append((1, [e for pose in (world, after) for m, move in pose for e in [x for row in m for x in row] + list(move)]))
        answer = subprocess.run([driver], input=b"".join(requests), stdout=subprocess.PIPE, check=True).stdout
        words = struct.unpack("<%di" % (len(answer) // 4), answer)
        at = 0
        for i, (ok, numbers) in enumerate(expected):
            found = words[at:at + 1 + len(numbers)]
            if found != (ok, *numbers):
                where = next((k for k, (a, b) in enumerate(zip(found[1:], numbers)) if a != b), -1)
                sys.exit("case %d: word %d of %d differs; request %s" % (total + i, where, len(numbers), requests[i].hex()))
            at += 1 + len(numbers)
        total += len(expected)
    if reached * 3 < total:
        sys.exit("only %d of %d poses were changed by a chain" % (reached, total))
    print("%d skeletons, %d with chains that moved: equal" % (total, reached))


if __name__ == "__main__":
    main()
