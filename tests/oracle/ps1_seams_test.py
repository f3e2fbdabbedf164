#!/usr/bin/env python3
"""Seams of `convert --autorig --ps1-seams` against ps1m.py and ps1_autorig.py, on the mannequin of the samples.

    ps1_seams_test.py GOMKIT ROOT

Its bones have no rotation at bind, so that places at bind can be had from the file alone. The file's own vertices, posed with the console's arithmetic, have to open where and as far as the
report says; whole numbers account for the rest.
"""
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import ps1m
import ps1_autorig as biped

NEAR = 6     # units: three roundings of a place at either end


def convert(gomkit, source, target, *options):
    done = subprocess.run([gomkit, "convert", source, "-o", target, "--autorig", "--json", *options], check=True, stdout=subprocess.PIPE)
    return ps1m.Ps1m(target.read_bytes()), json.loads(done.stdout)["issues"]


def joints(p):
    out = []
    for bone in p.bones:
        out.append(np.array(bone[7:10]) + (out[bone[0]] if bone[0] >= 0 else 0))
    return np.array(out)


def at_bind(p):
    return joints(p)[[v[3] for v in p.vertices]] + np.array([v[:3] for v in p.vertices])


def posed(p, clip, frame):
    world = p.world(p.local(clip, frame, 0))
    bones = [v[3] for v in p.vertices]
    m, t = (np.array([w[k] for w in world], dtype=np.int64) for k in (0, 1))
    v = np.array([x[:3] for x in p.vertices], dtype=np.int64)
    return np.clip(np.einsum("nij,nj->ni", m[bones], v) >> 12, -32768, 32767) + t[bones]


def corners(triangle):
    return triangle[0:3]


def spanning(p):
    return [t for t in p.triangles if len({p.vertices[v][3] for v in corners(t)}) > 1]


def area(p):
    places = at_bind(p).astype(float)
    a, b, c = (places[[corners(t)[k] for t in p.triangles]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def copies(p):
    """Pairs of vertices of different bones at one place."""
    places = at_bind(p)
    groups = collections.defaultdict(list)
    for v, place in enumerate(places):
        groups[tuple(place // 4)].append(v)
    out = set()
    for cell, own in groups.items():
        for step in np.ndindex(3, 3, 3):
            for a in own:
                for b in groups.get(tuple(c + s - 1 for c, s in zip(cell, step)), ()):
                    if a != b and p.vertices[a][3] != p.vertices[b][3] and np.abs(places[a] - places[b]).max() <= 1:
                        out.add((min(a, b), max(a, b)))
    return sorted(out)


def edges(p):
    out = set()
    for t in p.triangles:
        for k in range(3):
            a, b = corners(t)[k], corners(t)[(k + 1) % 3]
            if p.vertices[a][3] != p.vertices[b][3]:
                out.add((min(a, b), max(a, b)))
    return sorted(out)


def growth(p, pairs, clip, frame):
    a, b = (np.array([pair[k] for pair in pairs]) for k in (0, 1))
    bind, now = at_bind(p), posed(p, clip, frame)
    return np.linalg.norm((now[a] - now[b]).astype(float), axis=1) - np.linalg.norm((bind[a] - bind[b]).astype(float), axis=1)


def wrong_reports(p, issues, name, pairs):
    """What a report of seams says of each clip, against all frames."""
    wrong = []
    said = {i["arguments"]["clip"]: i["arguments"] for i in issues if i["id"] == name}
    for c, (clip, _, frames) in enumerate(p.clips):
        if not pairs:
            continue
        per_frame = [growth(p, pairs, c, f) for f in range(len(frames))]
        most = max(float(g.max()) for g in per_frame)
        found = said.pop(clip, None)
        if found is None:
            if most > NEAR:
                wrong.append("%s: %s opens by %g units and is not told" % (name, clip, most))
            continue
        told = float(found["distance"]) / 1000 * 4096
        if abs(told - most) > NEAR:
            wrong.append("%s: %s opens by %g units, %g are told" % (name, clip, most, told))
        there = per_frame[int(found["frame"])]
        bones = {found["bone"], found["other"]}
        named = [g for (a, b), g in zip(pairs, there) if {biped.BONES[p.vertices[v][3]][0] for v in (a, b)} == bones]
        if not named or abs(max(named) - told) > NEAR:
            wrong.append("%s: %s, frame %s between %s: %s" % (name, clip, found["frame"], bones, named and max(named)))
    return wrong + ["%s: %s is told, nothing opens" % (name, clip) for clip in said]


def main():
    gomkit, root = sys.argv[1:3]
    source = pathlib.Path(root) / "samples/models/mannequin.obj"
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        kept, issues = convert(gomkit, source, folder / "keep.ps1m")
        if not spanning(kept):
            wrong.append("the sample has no triangle between bones: it tests nothing")
        wrong += wrong_reports(kept, issues, "PS1_SEAM_STRETCH", edges(kept))
        h = joints(kept)[0][1] / -.47
        for seams in ("cut", "split"):
            p, issues = convert(gomkit, source, folder / (seams + ".ps1m"), "--ps1-seams", seams)
            if spanning(p):
                wrong.append("%s: %d triangles lie between bones" % (seams, len(spanning(p))))
            if abs(area(p) / area(kept) - 1) > 1e-3:
                wrong.append("%s: the surface has %g, kept %g" % (seams, area(p), area(kept)))
            pairs = copies(p)
            wrong += wrong_reports(p, issues, "PS1_SEAM_GAP", pairs)
            wrong += ["%s: a stretched edge is told" % seams for i in issues if i["id"] == "PS1_SEAM_STRETCH"]
            places = at_bind(p)
            for t in p.triangles:
                x, y, z = places[list(corners(t))].mean(axis=0)
                if biped.bone_at(x, -y, h) != t[3] and min(abs(-y / h - f) for f in (.24, .30, .47, .58, .60, .76, .78)) > .002 and min(abs(abs(x) / h - f) for f in (0, .09, .125)) > .002:
                    wrong.append("%s: a triangle around (%g, %g) has bone %d" % (seams, x / h, -y / h, t[3]))
                if seams == "cut":
                    low, high = (-places[list(corners(t))][:, 1].max() / h, -places[list(corners(t))][:, 1].min() / h)
                    wrong += ["cut: a triangle crosses %g: %g to %g" % (f, low, high) for f in (.24, .47, .58, .60, .78) if low < f - .001 and high > f + .001]
            print("%s: %d triangles, %d pairs of copies" % (seams, len(p.triangles), len(pairs)))
    for line in wrong[:20]:
        print("FAILED:", line)
    print("%d faults" % len(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
