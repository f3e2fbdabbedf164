#!/usr/bin/env python3
"""KM3 files against tests/oracle/km3.py, and models through KM3 and back.

usage: km3.py GOMKIT SOURCE [CORPUS] [--only SUBSTRING]

1. Every file of tests/conformance/km3 that a lenient reader takes: converted to GOM, it has the bones, triangles, weights, normals, UVs and materials that the
   oracle reads out of it, and `dump` prints the record fields that the oracle reads.
2. samples/models/hero.fbx, and of the corpus the trusted files of blender/, the skinned ones of fbx/ and all of mv1/: to KM3; the file is clean and canonical, converts to itself, the
   oracle agrees as in 1, `diff` names the documented losses and nothing else, and back in GOM its rest pose is that of the direct conversion within 4 float32 steps of the largest coordinate. The figures of KM3_FIT are
   printed and have to stay below the bounds that docs/formats/km3.md states.
"""
import argparse
import collections
import glob
import json
import os
import re
import sys

import numpy as np

from common import each, finish, read, read_table, run, trusted_blender_files

import gom
import km3


def convert(program, source, target, *options):
    result = run(program, "convert", source, "-o", target, "--json", *options)
    document = json.loads(result.stdout.decode("utf-8"))
    if result.returncode != 0:
        raise AssertionError("convert to %s: exit %d: %s" % (os.path.basename(target), result.returncode, [e["text"] for e in document["errors"]]))
    return document


def material_name(texture, flags):
    if texture is None:
        texture = "untextured"
    return re.sub("[\x00-\x1f\x7f]", "_", texture) + ("#%04x" % flags if flags else "")


def gom_triangles(g):
    """The triangles of a converted KM3 in the oracle's words."""
    numbers = [int(re.fullmatch(r"unit_(\d+)", name)[1]) for name in g.bone_names]
    out = []
    for part in g.parts:
        for material, start, count in part["submeshes"]:
            for t in range(start, start + count, 3):
                corners = []
                for i in part["indices"][t:t + 3]:
                    v = part["vertices"][i]
                    weights = collections.defaultdict(float)
                    for b, w in zip(v["bi"], v["bw"]):
                        if w > 0:
                            weights[numbers[b]] += float(w)
                    corners.append((v["p"].astype(float), v["n"].astype(float), v["uv"].astype(float), dict(weights)))
                out.append(corners + [g.materials[material]["name"]])
    return out


def oracle_problem(program, path, scratch):
    k = km3.load(path)
    target = os.path.join(scratch, "oracle.gom")
    convert(program, path, target)
    g = gom.load(target)
    # Bones: by name.
    if len(g.bone_names) != k.models:
        return "%d bones, the oracle has %d" % (len(g.bone_names), k.models)
    order = {}
    if any(u.parent >= i for i, u in enumerate(k.units[:k.models])):
        # A lenient reader renumbers: parents first, else as they stand.
        def place(i):
            if i not in order:
                if k.units[i].parent >= 0:
                    place(k.units[i].parent)
                order[i] = len(order)
        for i in range(k.models):
            place(i)
    else:
        order = {i: i for i in range(k.models)}
    models = g.bone_models()
    largest = 1e-30
    for i, (parent, origin) in enumerate(k.bones()):
        b = g.bone_names.index("unit_%03d" % order[i])
        named = g.bone_names[g.parents[b]] if g.parents[b] >= 0 else None
        if named != (None if parent < 0 else "unit_%03d" % order[parent]):
            return "bone %d has the parent %s" % (i, named)
        largest = max(largest, float(np.abs(origin).max()))
        if np.abs(models[b][3, :3] - origin).max() > 4e-7 * max(1.0, largest):
            return "bone %d is at %s, the oracle has %s" % (i, models[b][3, :3], origin)
    theirs, ours = k.triangles(), gom_triangles(g)
    if len(theirs) != len(ours):
        return "%d triangles, the oracle has %d" % (len(ours), len(theirs))
    # The order of triangles differs (materials are sorted): each one is looked for where it is.
    buckets = collections.defaultdict(list)
    scale = max([1e-30] + [float(np.abs(c[0]).max()) for t in theirs for c in t[:3]])
    step = scale * 2.0 ** -23

    def bucket(t):
        return tuple(int(np.floor(float(c) / (32 * step))) for c in np.sum([corner[0] for corner in t[:3]], axis=0))
    for t in ours:
        buckets[bucket(t)].append(t)
    for t in theirs:
        name = material_name(*t[3])
        center = bucket(t)
        found = False
        near = [(center[0] + dx, center[1] + dy, center[2] + dz) for dx in (0, -1, 1) for dy in (0, -1, 1) for dz in (0, -1, 1)]
        for key in near:
            candidates = buckets.get(key, [])
            for n, candidate in enumerate(candidates):
                if candidate[3] == name and same_triangle(t, candidate, step, order):
                    del candidates[n]
                    found = True
                    break
            if found:
                break
        if not found:
            return "no triangle like %s" % (t,)
    return None


def same_triangle(a, b, step, order):
    for x, y in zip(a[:3], b[:3]):
        if np.abs(x[0] - y[0]).max() > 4 * step or np.abs(x[2] - y[2]).max() > 0:
            return False
        if np.linalg.norm(x[1]) > 0 and np.abs(x[1] - y[1]).max() > 1e-5:
            return False
        mine = {order[bone]: w for bone, w in x[3].items()}
        if set(mine) != set(y[3]) or any(abs(mine[bone] - y[3][bone]) > 1e-6 for bone in mine):
            return False
    return True


def dump_problem(program, path):
    """Each record field in the dump is the one that the oracle reads."""
    k = km3.load(path)
    result = run(program, "dump", path)
    values = {}
    for line in result.stdout.decode("utf-8").splitlines():
        m = re.match(r"[0-9a-f]{8}  .{0,50}? +((?:header|unit)\S*) +(.*?)(?: {2,}KM3-\S+)?$", line)
        if m:
            values[m[1]] = m[2].strip()
    expected = {"header.n_models": k.models, "header.n_x_models": k.records}
    for i, u in enumerate(k.units):
        expected.update({"unit[%d].%s" % (i, name): value for name, value in (
            ("n_prims", u.n_prims), ("parent", u.parent), ("extend", u.extend), ("n_verts", u.n_verts), ("verts", u.verts_at), ("vid", u.vid_at),
            ("n_norms", u.n_norms), ("norms", u.norms_at), ("nid", u.nid_at), ("uvs", u.uvs_at), ("tex_name", u.tex_at), ("rgbs", u.rgbs))})
        for p, vid in enumerate(u.vid[:50]):
            expected["unit[%d].vid[%d]" % (i, p)] = " ".join(str(int(x)) for x in vid)
    for name, value in expected.items():
        if values.get(name) != str(value):
            return "dump: %s is %s, the oracle reads %s" % (name, values.get(name), value)
    for i, u in enumerate(k.units):
        for v, row in enumerate(u.verts[:50]):
            said = np.array([float(x) for x in values["unit[%d].verts[%d]" % (i, v)].split()], dtype=np.float32)
            if not np.array_equal(said, row):
                return "dump: unit[%d].verts[%d] is %s, the oracle reads %s" % (i, v, said, row)
        said = int(values["unit[%d].type" % i].split()[0], 16)
        if said != u.type:
            return "dump: unit[%d].type is %x, the oracle reads %x" % (i, said, u.type)
    return None


# --- Models through KM3 -------------------------------------------------------------------------------------------------------

def soup(g):
    """Rest positions of all triangles' corners."""
    points = []
    for part, posed in zip(g.parts, g.posed()):
        points.append(posed[part["indices"].astype(np.int64)])
    return np.concatenate(points) if points else np.zeros((0, 3))


def farthest(a, b, cell):
    """True when every point of a has one of b within `cell` in each coordinate."""
    by_cell = collections.defaultdict(list)
    for p in np.unique(b, axis=0):
        by_cell[tuple(np.floor(p / cell).astype(np.int64))].append(p)
    worst = 0.0
    for p in np.unique(a, axis=0):
        c = np.floor(p / cell).astype(np.int64)
        best = None
        for dx in (0, -1, 1):
            for dy in (0, -1, 1):
                for dz in (0, -1, 1):
                    key = (c[0] + dx, c[1] + dy, c[2] + dz)
                    if key in by_cell:
                        d = min(float(np.abs(p - q).max()) for q in by_cell[key])
                        best = d if best is None else min(best, d)
            if best is not None and best <= cell / 8:
                break
        if best is None:
            return float("inf")
        worst = max(worst, best)
    return worst


def bounds(source):
    """Of docs/formats/km3.md: [(pattern, mean moved, share cracked, deform, rms)], the first that fits counts."""
    rows = []
    with open(os.path.join(source, "docs", "formats", "km3.md"), encoding="utf-8") as f:
        for line in f:
            m = re.match(r"\| `([^`]+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|", line)
            if m:
                rows.append((m[1],) + tuple(float(x) for x in m.groups()[1:]))
    return rows


def fits(name, figures, table):
    for pattern, *limit in table:
        if pattern == "all others" or pattern in name:
            return [(what, figures[what], most) for what, most in zip(("mean", "cracked", "deform", "rms"), limit) if figures[what] > most]
    return [("bounds", "none", "in docs/formats/km3.md")]


def diff_problem(program, direct, there, g, r):
    """`diff` names the documented losses, each as often as it happens, and nothing else."""
    result = run(program, "diff", direct, there, "--json")
    found = collections.Counter()
    for d in json.loads(result.stdout)["differences"]:
        kind = re.match(r"[a-z.]+", d["place"])[0]
        found[kind + ": " + d["what"]] += 1
    expected = {"skeleton.bone: only in A": len(g.bone_names), "skeleton.bone: only in B": len(r.bone_names), "mesh: only in A": len(g.parts),
                "mesh: only in B": len(r.parts), "clip: only in A": len(g.clips)}
    # Materials are called after their textures; one that is called so already is the same.
    a, b = {m["name"] for m in g.materials}, {m["name"] for m in r.materials}
    expected["material: only in A"] = len([m for m in g.materials if m["name"] not in b])
    expected["material: only in B"] = len([m for m in r.materials if m["name"] not in a])
    for what, n in expected.items():
        if found.pop(what, 0) != n:
            return "diff does not name %s %d times: %s" % (what, n, result.stdout.decode()[:300])
    return "diff names %s" % dict(found) if found else None


def trip_problem(program, path, scratch, table):
    direct, there, back = (os.path.join(scratch, n) for n in ("direct.gom", "there.km3", "back.gom"))
    convert(program, path, direct)
    document = convert(program, path, there)
    figures = next(i["arguments"] for i in document["issues"] if i["id"] == "KM3_FIT")
    vertices = int(figures["vertices"])
    diagonal = float(figures["deform"]) / float(figures["part"]) if float(figures["part"]) > 0 else 1.0
    f = {"mean": float(figures["mean"]), "cracked": int(figures["cracked"]) / max(1, vertices), "deform": float(figures["part"]),
         "rms": float(figures["rms"]) / diagonal}
    figures["rms_part"] = "%.4g" % f["rms"]
    check = run(program, "check", there, "--canonical", "--json")
    if check.returncode != 0 or json.loads(check.stdout)["issues"]:
        return "check: %s" % check.stdout.decode()[:400], figures
    again = os.path.join(scratch, "again.km3")
    convert(program, there, again)
    if read(there) != read(again):
        return "km3 to km3 changes bytes", figures
    convert(program, there, back)
    g, r = gom.load(direct), gom.load(back)
    a, b = soup(g), soup(r)
    step = 0.0
    if len(a):
        step = float(np.spacing(np.float32(np.abs(a).max())))
        for x, y, way in ((a, b, "there"), (b, a, "back")):
            worst = farthest(x, y, 8 * step)
            if worst > 4 * step:
                return "rest pose, %s: off by %g, %g float steps" % (way, worst, worst / step), figures
    if len(b) > len(a):
        return "%d triangles became %d" % (len(a) // 3, len(b) // 3), figures
    problem = diff_problem(program, direct, there, g, r)
    if problem:
        return problem, figures
    if vertices < 20_000:
        problem = oracle_problem(program, there, scratch) or dump_problem(program, there)
        if problem:
            return problem, figures
    over = fits(os.path.basename(path), f, table)
    if over:
        return "beyond the bounds of docs/formats/km3.md: %s" % over, figures
    return None, figures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("source")
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    conformance = os.path.join(args.source, "tests", "conformance", "km3")
    ours = []
    for path in sorted(glob.glob(os.path.join(conformance, "*", "*.km3"))):
        with open(path[:-4] + ".report.json", encoding="utf-8") as f:
            if args.only in path and os.path.getsize(path) <= 200_000 and json.load(f)["lenient"]:
                ours.append(path)
    passed, failed = each(ours, lambda path: os.path.relpath(path, conformance),
                          lambda path, scratch: oracle_problem(args.program, path, scratch) or dump_problem(args.program, path))
    jobs = [os.path.join(args.source, "samples", "models", "hero.fbx")]
    if args.corpus and os.path.isdir(args.corpus):
        jobs += trusted_blender_files(args.corpus)
        for row in read_table(args.corpus, "fbx", "manifest.tsv"):
            if "skinned" in row["features"].split() and row["ufbx_result"].split(":")[0] == "load":
                jobs.append(os.path.join(args.corpus, "fbx", row["file"]))
        jobs += sorted(glob.glob(os.path.join(args.corpus, "mv1", "*.mv1")))
    else:
        print("SKIP: no corpus at %s; our own files only" % args.corpus)
    table = bounds(args.source)
    print("%-48s %9s %9s %9s %9s %9s %9s" % ("file", "vertices", "moved max", "mean", "cracked", "deform", "RMS"))

    def trip(path, scratch):
        problem, f = trip_problem(args.program, path, scratch, table)
        print("%-48s %9s %9s %9s %9s %9s %9s" % (os.path.basename(path), f["vertices"], f["most"], f["mean"], f["cracked"], f["part"], f["rms_part"]))
        return problem

    more = each([path for path in jobs if args.only in path], os.path.basename, trip)
    return finish(passed + more[0], failed + more[1])


if __name__ == "__main__":
    sys.exit(main())
