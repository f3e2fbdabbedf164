#!/usr/bin/env python3
"""Every OBJ of the corpus: converts, its output passes `check`, and its bounds and triangle count are those of a reader of a few lines.

usage: obj.py GOMKIT CORPUS
"""
import glob
import json
import os
import sys

from common import each, finish, parse, run, run_well, skip


def read_obj(path):
    """Bounds of the points that faces use (x mirrored), and how many triangles the faces make."""
    points, used, triangles = [], set(), 0
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            words = line.split("#")[0].split()
            if words[:1] == ["v"]:
                points.append([float(w) for w in words[1:4]])
            elif words[:1] == ["f"]:
                index = [int(w.split("/")[0]) for w in words[1:]]
                if len(index) >= 3:
                    used.update(i - 1 if i > 0 else len(points) + i for i in index)
                    triangles += len(index) - 2
    corners = [[-points[i][0], points[i][1], points[i][2]] for i in used]
    if not corners:
        return None, None, triangles
    return [min(c[k] for c in corners) for k in range(3)], [max(c[k] for c in corners) for k in range(3)], triangles


def problem(program, path, scratch):
    out = os.path.join(scratch, "out.gom")
    run_well(program, "convert", path, "-o", out, "-q")
    run_well(program, "check", out)
    info = json.loads(run(program, "info", path, "--json").stdout)
    low, high, triangles = read_obj(path)
    found = sum(m["triangles"] for m in info["meshes"])
    if found != triangles:
        return "%d triangles, expected %d" % (found, triangles)
    for name, wanted in (("min", low), ("max", high)):
        got = info["bounds"][name] if info["bounds"] else None
        if (got is None) != (wanted is None):
            return "bounds %s, expected %s" % (got, wanted)
        if got and any(abs(a - b) > 1e-6 * max(1, abs(b)) for a, b in zip(got, wanted)):
            return "bounds %s %s, expected %s" % (name, got, wanted)
    return None


def main():
    args = parse()
    files = sorted(glob.glob(os.path.join(args.corpus, "**", "*.obj"), recursive=True))
    if not files:
        skip("no OBJ below " + args.corpus)
    return finish(*each(files, lambda path: os.path.relpath(path, args.corpus), lambda path, scratch: problem(args.program, path, scratch)))


if __name__ == "__main__":
    sys.exit(main())
