#!/usr/bin/env python3
"""`convert --autorig` against ps1_autorig.py: bones of all vertices, their places, skeleton, clips and inverse kinematics table, on random figures and on the sample
without its skin.

    ps1_autorig_test.py GOMKIT ROOT [FIGURES]      (default 24)

The figures are tubes with wild radii, some of whose points lie on the borders of bands, so that the vote has work; they are written as OBJ and the result is read by ps1m.py.
"""
import math
import pathlib
import random
import subprocess
import sys
import tempfile

import gom
import ps1_autorig as biped
import ps1m
import unrigged

#        low end, high end (parts of the height), radius
TUBES = [((.06, 0, 0), (.07, .50, 0), .04), ((-.06, 0, 0), (-.07, .50, 0), .04), ((0, .44, 0), (0, .80, 0), .085), ((0, .76, 0), (0, 1, 0), .075),
         ((.20, .36, 0), (.12, .76, 0), .03), ((-.20, .36, 0), (-.12, .76, 0), .03)]
BORDERS = (.24, .30, .47, .58, .60, .74 + .02, .78)


def figure(r):
    """(points, triangles)"""
    h = r.uniform(.4, 3)
    floor = r.choice((0, 0, r.uniform(-1, 1)))
    points, triangles = [], []
    for low, high, radius in TUBES:
        rows, segments = r.randint(3, 12), r.randint(4, 9)
        first = len(points)
        for row in range(rows + 1):
            part = row / rows
            for k in range(segments):
                at = [a + (b - a) * part for a, b in zip(low, high)]
                wide = radius * r.uniform(.8, 1.25)
                angle = 2 * math.pi * k / segments
                y = at[1] if row in (0, rows) else min(max(at[1] + r.uniform(-.02, .02), 0), 1)
                y = r.choice(BORDERS) if abs(y - .5) < .3 and r.random() < .1 else y
                x = at[0] + wide * math.cos(angle)
                if low[0] * high[0] > 0 and low[1] == 0:
                    x = math.copysign(max(abs(x), .005), low[0])       # legs do not cross the middle
                points.append((x * h, y * h + floor, wide * math.sin(angle) * h))
        for row in range(rows):
            for k in range(segments):
                a, b = first + row * segments + k, first + row * segments + (k + 1) % segments
                triangles += [(a, a + segments, b), (b, a + segments, b + segments)]
    return points, triangles


def text_of(points, triangles):
    lines = ["v %.9g %.9g %.9g" % p for p in points] + ["f %d %d %d" % tuple(i + 1 for i in t) for t in triangles]
    return "\n".join(lines) + "\n"


def q16(v):
    return ps1m.clamp16(round(v))


def in_file(v):
    return tuple(q16(c * 4096) for c in (v[0], -v[1], -v[2]))


def differences(path, text, triangles, compat):
    """(what differs, points, points that the vote changed); the file's own numbers count, not those it was made of"""
    points = [tuple(float(c) for c in line.split()[1:4]) for line in text.splitlines() if line.startswith("v ")]
    floor = 0 if compat else min(p[1] for p in points)
    h = max(p[1] for p in points) - floor
    bones, changed = biped.assign([(x, y - floor, z) for x, y, z in points], triangles, h)
    wrong = []
    joints = [(j[0] * h, j[1] * h + floor, j[2] * h) for _, _, j in biped.BONES]
    p = ps1m.Ps1m(path.read_bytes())
    found = {(v[3], v[0:3]) for v in p.vertices}
    expected = {(b, in_file([a - c for a, c in zip(at, joints[b])])) for at, b in zip(points, bones)}
    if found != expected:
        wrong.append("vertices: %s" % sorted(found ^ expected)[:4])
    for b, (name, parent, _) in enumerate(biped.BONES):
        move = in_file(joints[b] if parent < 0 else [a - c for a, c in zip(joints[b], joints[parent])])
        if p.bones[b][0] != parent or p.bones[b][7:10] != move or p.bones[b][1] != (b == 0):
            wrong.append("bone %s: %s" % (name, p.bones[b]))
    if len(p.bones) != 11 or [(c[0], c[1]) for c in p.clips] != [(name, 15) for name, _ in biped.CLIPS]:
        wrong.append("bones or clips: %d, %s" % (len(p.bones), [c[:2] for c in p.clips]))
    for (name, length), (_, _, frames) in zip(biped.CLIPS, p.clips):
        if len(frames) != round(length * 15) + 1:
            wrong.append("%s has %d frames" % (name, len(frames)))
        for f, (rotations, moves) in enumerate(frames):
            turns, rise = biped.pose(name, f / 15)
            turns["root"] = biped.about(1, -156.96009619851012) if compat and name == "punch" else (0, 0, 0, 1)
            for b, q in enumerate(rotations):
                x, y, z, w = turns.get(biped.BONES[b][0], (0, 0, 0, 1))
                near = [max(abs(a - c) for a, c in zip(q, [s * e * 4096 for e in (x, -y, -z, w)])) for s in (1, -1)]
                if min(near) > .501:
                    wrong.append("%s, frame %d, bone %d: %s" % (name, f, b, q))
            if moves != [in_file((0, joints[0][1] + rise * h, 0))]:
                wrong.append("%s, frame %d: %s" % (name, f, moves))
    arm, leg = q16((.58 * h - .42 * h) * 4096), q16(.24 * h * 4096)
    chains = [(3, 4, -1, 0, arm, 0, 0, 0, 4096), (5, 6, -1, 0, arm, 0, 0, 0, 4096), (7, 8, -1, 0, leg, 0, 0, 0, -4096), (9, 10, -1, 0, leg, 0, 0, 0, -4096)]
    if p.ik != ((0, 2, 0, 0, -4096), chains):
        wrong.append("inverse kinematics: %s" % (p.ik,))
    return wrong, len(points), changed


def main():
    gomkit, root = sys.argv[1:3]
    figures = int(sys.argv[3]) if len(sys.argv) > 3 else 24
    r = random.Random(6)
    total = moved = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def run(*words):
            subprocess.run([gomkit, *map(str, words)], check=True, stdout=subprocess.DEVNULL)

        run("convert", pathlib.Path(root) / "samples/models/hero.fbx", "-o", folder / "hero.gom", "-q")
        text, _, triangles = unrigged.obj_of(gom.load(str(folder / "hero.gom")))
        cases = [("the sample", text, triangles)]
        for i in range(figures):
            points, triangles = figure(r)
            cases.append(("figure %d" % i, text_of(points, triangles), triangles))
        for name, text, triangles in cases:
            source, target = folder / "figure.obj", folder / "figure.ps1m"
            source.write_text(text, encoding="ascii")
            for compat in (False, True) if name == "the sample" else (False,):
                run("convert", source, "-o", target, "-q", "--autorig", *(["--ps1-compat"] if compat else []))
                run("check", target)
                wrong, points, changed = differences(target, text, triangles, compat)
                if wrong:
                    sys.exit("%s%s: %s" % (name, ", compatible" if compat else "", "\n  ".join(wrong[:8])))
                total, moved = total + points, moved + changed
            if name == "the sample":
                print("the sample: %d points, %d of them changed by the vote" % (points, changed))
    if moved < figures:
        sys.exit("the vote changed only %d points" % moved)
    print("%d figures, %d points, %d changed by the vote: equal" % (len(cases), total, moved))


if __name__ == "__main__":
    main()
