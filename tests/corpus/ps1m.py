#!/usr/bin/env python3
"""Characters to PS1M, read back by tests/oracle/ps1m.py.

usage: ps1m.py GOMKIT SOURCE [CORPUS] [--only SUBSTRING] [--seams keep|split]

samples/models/hero.fbx, and of the corpus blender/a_*, c_*, d_*, g_model and the skinned files of fbx/. Each is converted; where a limit of the console stands in the way, the error has to name an
option, with which it is tried again. Then
- `check --canonical` has no finding;
- every vertex of the PS1M, posed by the oracle with the console's arithmetic, has a vertex of the direct GOM, posed by the oracle of that, with the same texel, that is in every frame looked at no
  farther away than what PS1_FIT states of rigid skinning and whole numbers together, and unless the mesh was reduced each vertex of the GOM has one of the PS1M so near; the first, a middle and the last
  frame of each of at most six clips are looked at;
- the number of triangles is that of the GOM, or what PS1_DECIMATED says; names of clips follow the page;
- the PS1M converted to a GOM has the same poses within the same distance, and converted to a PS1M the same bytes.
"""
import argparse
import collections
import json
import os
import re
import sys

import numpy as np

from common import each, finish, read, read_table, run

import gom
import ps1m

def convert(program, source, target, *options):
    result = run(program, "convert", source, "-o", target, "--json", *options, timeout=300)
    return result.returncode, json.loads(result.stdout.decode("utf-8"))


def option_named(text):
    """The option that an error's cure names, with a value."""
    if "--fit" in text:
        return ["--fit"]
    if "--ps1-share-slots" in text:
        return ["--ps1-share-slots"]
    if "--ps1-max-bones 64" in text:
        return ["--ps1-max-bones", "64"]
    if "--ps1-triangles" in text:
        return ["--ps1-triangles", "3000"]
    return None


def within_limits(program, source, target, seams):
    """(JSON, options that were needed); a sentence instead of the JSON when no option helps."""
    options = []
    for _ in range(5):
        code, document = convert(program, source, target, "--ps1-root-motion", "keep", "--ps1-seams", seams, *options)
        if code == 0:
            return document, options
        error = document["errors"][0]["text"]
        more = option_named(error)
        if code != 4 or more is None or more[0] in options:
            return "exit %d: %s" % (code, error), options
        options += more
    return "five options were not enough", options


def arguments(document, name):
    found = [i["arguments"] for i in document["issues"] if i["id"] == name]
    return found[0] if found else None


def stored_names(names):
    """PS1M-CONV-9."""
    out = []
    for name in names:
        name = name.replace("preset:biped:", "").replace("AnimStack", "").strip(" :")
        name = "".join(c if " " <= c <= "~" else "?" for c in name)[:15] or "clip"
        unique, n = name, 2
        while unique in out:
            unique, n = name[:15 - len("~%d" % n)] + "~%d" % n, n + 1
        out.append(unique)
    return out


def ps1_points(p, clip, frame, unit):
    world = p.world(p.local(clip, frame, 0))
    m = np.array([w[0] for w in world], dtype=np.int64)
    t = np.array([w[1] for w in world], dtype=np.int64)
    v = np.array([x[:3] for x in p.vertices], dtype=np.int64).reshape(-1, 3)
    b = np.array([x[3] for x in p.vertices], dtype=np.int64)
    turned = np.clip(np.einsum("nij,nj->ni", m[b], v) >> 12, -32768, 32767)
    return -(turned + t[b]) / unit


def texel(t):
    return int(np.clip(np.rint(float(t) * 255), 0, 255))


def gom_texels(g):
    return [(texel(v["uv"][0]), texel(v["uv"][1])) for part in g.parts for v in part["vertices"]]


def farthest(a, a_keys, b, b_keys):
    """a, b: [frame, vertex, 3]. Over all of a the largest of the distances to the nearest b of one texel (ties of rounding: one beside it), where a distance is the
    largest of all frames."""
    buckets = collections.defaultdict(list)
    for i, (u, v) in enumerate(b_keys):
        for key in {(u + x, v + y) for x in (-1, 0, 1) for y in (-1, 0, 1)}:
            buckets[key].append(i)
    worst = 0.0
    for i, key in enumerate(a_keys):
        if not buckets[key]:
            return float("inf")
        off = np.sqrt(((b[:, buckets[key]] - a[:, i:i + 1]) ** 2).sum(axis=2)).max(axis=0)
        worst = max(worst, float(off.min()))
    return worst


def sampled(p, g):
    """(PS1M clip, frame, GOM clip, time) to look at."""
    if not g.clips:
        return [(0, 0, None, 0.0)]
    by_name = {}
    for clip in g.clips:
        by_name.setdefault(stored_names([clip["name"]])[0], []).append(clip)
    out = []
    for c, (name, fps, frames) in enumerate(p.clips):
        same = by_name.get(name, [])
        if len(same) == 1 and len(out) < 18:
            for f in sorted({0, len(frames) // 2, len(frames) - 1}):
                out.append((c, f, same[0], min(f / fps, float(same[0]["duration"]))))
    return out


def poses_of(g, looks):
    return np.array([np.concatenate([np.asarray(part)[:, :3] for part in g.posed(clip, time)] or [np.zeros((0, 3))]) for _, _, clip, time in looks])


def problem_of(program, path, scratch, seams):
    direct, there, back, again = (os.path.join(scratch, n) for n in ("direct.gom", "there.ps1m", "back.gom", "again.ps1m"))
    code, plain = convert(program, path, direct)
    if code != 0:
        return "to GOM: %s" % plain["errors"][0]["text"], None
    document, options = within_limits(program, path, there, seams)
    if isinstance(document, str):
        return document, None
    fit, budget = arguments(document, "PS1_FIT"), arguments(document, "PS1_BUDGET")
    figures = {"options": " ".join(options), **{k: fit[k] for k in ("most", "part", "mean", "fixed", "poses")}, **{k: budget[k] for k in ("vertices", "triangles", "bones")}}
    check = run(program, "check", there, "--canonical", "--json")
    if check.returncode != 0 or json.loads(check.stdout)["issues"]:
        return "check: %s" % check.stdout.decode()[:400], figures
    data = read(there)
    p, g = ps1m.Ps1m(data), gom.load(direct)
    if seams == "split" and any(len({p.vertices[v][3] for v in t[0:3]}) > 1 for t in p.triangles):
        return "a triangle has several bones", figures
    for clip in g.clips:
        clip["weights"] = {}   # a PS1M has no blend shapes, only what they are at rest
    if len(data) != int(budget["total"]) or len(p.vertices) != int(budget["vertices"]):
        return "the budget does not say what the file has: %s" % budget, figures
    names = stored_names([c["name"] for c in plain_clips(program, path)]) or ["static"]
    if [c[0] for c in p.clips] != names:
        return "clips are called %s, expected %s" % ([c[0] for c in p.clips], names), figures
    decimated = arguments(document, "PS1_DECIMATED")
    triangles = sum(len(part["indices"]) // 3 for part in g.parts)
    if len(p.triangles) != (int(decimated["after"]) if decimated else triangles):
        return "%d triangles, the GOM has %d" % (len(p.triangles), triangles), figures
    code, _ = convert(program, there, again)
    if code != 0 or read(again) != data:
        return "PS1M to PS1M changes bytes", figures
    code, _ = convert(program, there, back)
    if code != 0:
        return "the PS1M does not convert to GOM", figures
    fitted = arguments(document, "PS1_FITTED")
    unit = 4096 * (float(fitted["scale"]) if fitted else 1.0)
    looks = sampled(p, g)
    console = np.array([ps1_points(p, c, f, unit) for c, f, _, _ in looks]).reshape(len(looks), -1, 3)
    console_keys = [(v[7], v[8]) for v in p.vertices]
    original, original_keys = poses_of(g, looks), gom_texels(g)
    most, fixed = float(fit["most"]), float(fit["fixed"])
    bound = (most + fixed) * 1.001 + 1e-6 + 1e-6 * float(np.abs(original).max(initial=0))
    reduced = arguments(plain, "MESH_WEIGHTS_REDUCED") is not None
    figures["off"] = "-"
    if not reduced and len(p.vertices):
        off = farthest(console, console_keys, original, original_keys)
        figures["off"] = "%.4g" % off
        if off > bound:
            return "a vertex is off by %g m; rigid skinning %g and whole numbers %g were stated" % (off, most, fixed), figures
        if not decimated:
            off = farthest(original, original_keys, console, console_keys)
            if off > bound:
                return "a vertex of the source is missing by %g m" % off, figures
    # Back: the same unit as the file has, in metres of 4096.
    r = gom.load(back)
    by_name = {c["name"]: c for c in r.clips}
    returned = poses_of(r, [(c, f, by_name[p.clips[c][0]], f / p.clips[c][1]) for c, f, _, _ in looks]) * (4096 / unit)
    off = farthest(console, console_keys, returned, gom_texels(r)) if len(p.vertices) else 0.0
    if off > fixed + 4 / unit:
        return "the PS1M as a GOM is off by %g m; whole numbers %g" % (off, fixed), figures
    return None, figures


def plain_clips(program, path):
    return json.loads(run(program, "info", path, "--json").stdout.decode("utf-8"))["clips"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("source")
    parser.add_argument("corpus", nargs="?")
    parser.add_argument("--only", default="")
    parser.add_argument("--seams", default="keep", choices=("keep", "split"))
    args = parser.parse_args()
    jobs = [os.path.join(args.source, "samples", "models", "hero.fbx")]
    if args.corpus and os.path.isdir(args.corpus):
        blender = os.path.join(args.corpus, "blender")
        jobs += [os.path.join(blender, f) for f in sorted(os.listdir(blender)) if re.fullmatch(r"([acd]_.*|g_model)\.fbx", f)]
        for row in read_table(args.corpus, "fbx", "manifest.tsv"):
            if "skinned" in row["features"].split() and row["ufbx_result"].split(":")[0] == "load":
                jobs.append(os.path.join(args.corpus, "fbx", row["file"]))
    else:
        print("SKIP: no corpus at %s; the sample only" % args.corpus)
    print("%-44s %8s %9s %5s %9s %9s %9s %9s %9s  %s" % ("file", "vertices", "triangles", "bones", "rigid", "part", "mean", "fixed", "off", "options"))

    def trip(path, scratch):
        problem, f = problem_of(args.program, path, scratch, args.seams)
        if f:
            print("%-44s %8s %9s %5s %9s %9s %9s %9s %9s  %s" % (os.path.basename(path)[:44], *(f.get(k, "-") for k in ("vertices", "triangles", "bones", "most", "part", "mean", "fixed", "off", "options"))))
        return problem

    return finish(*each([path for path in jobs if args.only in path], os.path.basename, trip))


if __name__ == "__main__":
    sys.exit(main())
