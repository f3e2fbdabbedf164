#!/usr/bin/env python3
"""Every .mv1 of the corpus through the program, against tests/oracle/mv1.py, which is written from the format page alone.

usage: mv1.py GOMKIT CORPUS [--only SUBSTRING] [--verbose]

For each file: `check` finds nothing; names, counts, materials and texture paths of `info` are the oracle's; `convert` to GOM passes
`check`; and the converted model, posed by tests/oracle/gom.py, stands where the .mv1 stands when it is evaluated from its own data,
at several times of every clip (and at bind), within 1e-4 of the model's size. Prints the largest difference of each and "N passed,
N failed".
"""
# covers MV1-SPACE-1, MV1-SPACE-2, MV1-SPACE-3, MV1-SPACE-4, MV1-SPACE-5, MV1-POSE-1, MV1-POSE-2, MV1-POSE-3, MV1-POSE-4
# covers MV1-CLIP-1, MV1-CLIP-2, MV1-CLIP-3, MV1-CLIP-4, MV1-CLIP-5, MV1-CLIP-6, MV1-CLIP-7
import argparse
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import numpy as np  # noqa: E402

import gom  # noqa: E402
import mv1  # noqa: E402

UNIT = 0.01
FPS = 30.0
BOUND = 1e-4


def run(*command):
    return subprocess.run(command, capture_output=True, timeout=120)


def to_model(points):
    return points * np.array([-UNIT, UNIT, -UNIT])


def by_part(source, out, pieces):
    """The corners of the oracle in the order of the GOM's: per part (a frame), by slot, else as they come."""
    slots = []
    for m in source.materials:
        maps = [source.textures[layer[0]].path if layer and layer[0] >= 0 else "" for layer in (m.layers[0], m.layers[2], m.layers[1])]
        want = np.concatenate([m.diffuse[:3], m.specular[:3], m.emissive[:3], [m.power, m.diffuse[3]]]).astype(np.float32)
        found = [i for i, s in enumerate(out.materials) if (s["name"] or "") == m.name and
                 np.allclose(want, np.array([*s["kd"], *s["ks"], *s["ke"], s["shininess"], s["opacity"]])) and
                 [os.path.basename(p or "") for p in s["maps"][:3]] == [os.path.basename(p.replace("\\", "/")) for p in maps]]
        slots.append(found[0] if found else None)
    parts = {}
    for name, mesh, corners in pieces:
        parts.setdefault(name, []).append((slots[mesh.material], corners))
    result = []
    for part in out.parts:
        rows = sorted(enumerate(parts[part["name"]]), key=lambda r: (r[1][0], r[0]))
        result.append(np.vstack([corners for _, (_, corners) in rows]))
    return result


def difference(source, out, clip, time, bind=False):
    expected = by_part(source, out, source.posed(clip, time, most=4, bind=bind))
    name = source.clips[clip].name if clip is not None else None
    found = out.posed(out.clip(name) if name is not None else None, time / FPS)
    worst = 0.0
    for part, points, want in zip(out.parts, found, expected):
        got = points[part["indices"]]
        assert got.shape == want.shape, "part %s has %s corners, expected %s" % (part["name"], got.shape, want.shape)
        worst = max(worst, float(np.abs(got - to_model(want)).max()))
    return worst


def bone_difference(source, out, clip, time):
    """Where there is no mesh: the origins of the frames."""
    found = out.bone_models(out.clip(source.clips[clip].name), time / FPS)
    world = source.worlds(clip, time)
    by_path = {p: i for i, p in enumerate(out.paths)}
    worst = 0.0
    for i, f in enumerate(source.frames):
        path, at = [], i
        while at is not None:
            path.append(source.frames[at].name.replace("%", "%25").replace("/", "%2F"))
            at = source.frames[at].parent
        model = found[by_path["/".join(reversed(path))]]
        worst = max(worst, float(np.abs(model[3, :3] - to_model(world[i][3, :3])).max()))
    return worst


def size_of(source):
    points = np.vstack([p for _, _, p in source.posed(bind=True)] or [np.array([w[3, :3] for w in source.worlds()])])
    return max(float(np.linalg.norm(np.ptp(points, axis=0))) * UNIT, 1e-6)


def problems(program, path, scratch, verbose):
    source = mv1.load(path)
    result = run(program, "check", path)
    if result.returncode != 0 or not result.stdout.decode().startswith("1 file checked: 0 errors, 0 warnings"):
        yield "check: " + result.stdout.decode("utf-8", "replace")[:300]
    info = json.loads(run(program, "info", path, "--json").stdout)
    materials = [m["name"] for m in info["materials"]]
    if materials != [m.name for m in source.materials]:
        yield "materials: %s" % materials
    lived = [c for c in source.clips if c.max_time >= 0 or c.anims]
    if [c["name"] for c in info["clips"]] != [c.name for c in lived]:
        yield "clips: %s" % info["clips"]
    for a, b in zip(info["clips"], lived):
        if abs(a["duration"] - max(b.max_time, 0) / FPS) > 1e-9:
            yield "clip %s lasts %s" % (a["name"], a["duration"])
    if sum(m["triangles"] for m in info["meshes"]) != sum(len(t.triangles) for t in source.lists):
        yield "triangles"
    if source.skin_bones or source.anims or not source.meshes:
        def plain(name):   # equal brothers are numbered
            return re.sub("~[0-9]+$", "", name)
        want = sorted(plain(f.name) for f in source.frames)
        if sorted(plain(b["path"].split("/")[-1].replace("%2F", "/").replace("%25", "%")) for b in info["skeleton"]["bones"]) != want:
            yield "frames are not the bones"
    out_path = os.path.join(scratch, "out.gom")
    result = run(program, "convert", path, "-o", out_path)
    if result.returncode != 0:
        yield "convert: " + result.stderr.decode("utf-8", "replace")[:300]
        return
    result = run(program, "check", out_path)
    if result.returncode != 0:
        yield "check of the GOM: " + result.stdout.decode("utf-8", "replace")[:300]
    out = gom.load(out_path)
    size = size_of(source)
    worst = {}
    if source.meshes:
        worst["bind"] = difference(source, out, None, 0.0, bind=True)
    for c, clip in enumerate(source.clips):
        if clip not in lived or clip.name not in [x["name"] for x in out.clips]:
            continue
        end = max(float(clip.max_time), 0.0)
        times = sorted({0.0, end * 0.999, *(np.floor(end * k / 5) for k in range(5)), *(end * (k + 0.37) / 6 for k in range(6))})
        for t in times:
            worst[clip.name] = max(worst.get(clip.name, 0.0),
                                   difference(source, out, c, t) if source.meshes else bone_difference(source, out, c, t))
    keys = sum(len(k[0]) for c in out.clips for track in c["tracks"].values() for k in track)
    print("%-32s %4d clips %7d keys in the .mv1, %7d in the GOM; largest difference / size: %.2g" %
          (os.path.basename(path), len(out.clips), sum(len(k.times) for k in source.key_sets), keys,
           max(worst.values(), default=0.0) / size))
    for name, off in worst.items():
        if verbose:
            print("    %-30s %.3g" % (name, off / size))
        if not off <= BOUND * size:
            yield "%s is off by %.3g of the size" % (name, off / size)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("corpus")
    parser.add_argument("--only", default="")
    parser.add_argument("--verbose", action="store_true")
    arguments = parser.parse_args()
    files = sorted(f for f in glob.glob(os.path.join(arguments.corpus, "mv1", "*.mv1")) if arguments.only in f)
    if not files:
        print("no corpus at %s" % arguments.corpus)
        sys.exit(77)
    failed = 0
    for path in files:
        with tempfile.TemporaryDirectory() as scratch:
            found = list(problems(arguments.program, path, scratch, arguments.verbose))
        failed += bool(found)
        for p in found:
            print("%s: %s" % (os.path.basename(path), p))
    print("%d passed, %d failed" % (len(files) - failed, failed))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
