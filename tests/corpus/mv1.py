#!/usr/bin/env python3
"""Every .mv1 of the corpus through the program, against tests/oracle/mv1.py, which is written from the format page alone.

usage: mv1.py GOMKIT CORPUS [--with-fbx] [--only SUBSTRING] [--verbose]

For each file: `check` finds nothing; names, counts, materials and texture paths of `info` are the oracle's; `convert` to GOM passes
`check`; and the converted model, posed by tests/oracle/gom.py, stands where the .mv1 stands when it is evaluated from its own data,
at several times of every clip (and at bind), within 1e-4 of the model's size. Written back unchanged it has the same bytes in its
decoded buffer; made anew (as asking for nearly its own unit makes it) it means the same to `diff`: shapes, materials, toon, physics, lights, user
data, clips. Left out there are tangents, which are not written, and what follows from them, and keys that lie on the line between their neighbours.

Packed (positions, normals, weights and keys in few bits, each alone and all) it stands within the errors that MV1_PACKED tells.

Written: the sample, every trusted file of blender/ and every skinned file of fbx/ becomes an .mv1. `check` finds nothing, two runs
and one job give the same bytes, and posed by the oracle it stands, turned back and in metres, where the GOM of the same file stands:
corner to nearest corner, both ways (one way where points follow no bone), within 1e-4 m. The heaviest takes at most twice the time of
its GOM. Packed, it stands within the errors told. --with-fbx: the program reads FBX, otherwise this part is left out.

Prints the largest difference of each and "N passed, N failed".
"""
# covers MV1-SPACE-1, MV1-SPACE-2, MV1-SPACE-3, MV1-SPACE-4, MV1-SPACE-5, MV1-POSE-1, MV1-POSE-2, MV1-POSE-3, MV1-POSE-4
# covers MV1-CLIP-1, MV1-CLIP-2, MV1-CLIP-3, MV1-CLIP-4, MV1-CLIP-5, MV1-CLIP-6, MV1-CLIP-7
import glob
import json
import os
import re
import sys
import tempfile
import time

import numpy as np

from common import finish, parse, read, read_table, run, skip, trusted_blender_files

import gom
import mv1

UNIT = 0.01
FPS = 30.0
BOUND = 1e-4


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


def anew_problems(program, path, scratch):
    anew = os.path.join(scratch, "anew.mv1")
    result = run(program, "convert", path, "-o", anew, "--out-unit", repr(UNIT * (1 + 1e-9)))
    if result.returncode != 0:
        yield "made anew: " + result.stderr.decode("utf-8", "replace")[:300]
        return
    for kind in re.findall(rb"CONV_LOST: [0-9]+ (.*?) cannot be held", result.stderr):
        if not kind.startswith((b"tangent sets", b"outline marks", b"meshes drawn from both sides")):
            yield "made anew it lacks %s" % kind.decode()
    result = run(program, "check", anew)
    if not result.stdout.decode().startswith("1 file checked: 0 errors, 0 warnings"):
        yield "check of what was made anew: " + result.stdout.decode("utf-8", "replace")[:300]
    # A weight is one of 65535 steps.
    for line in run(program, "diff", path, anew, "--tolerance", "2e-5").stdout.decode("utf-8", "replace").splitlines():
        place = line.split(": ")[0]
        if line != "no differences" and not re.match("[0-9]+ differences?$", line) and not place.endswith((".tangents", ".vertexCount", ".keyCount")):
            yield "made anew: " + line


def depth_of(source):
    depths = []
    for f in source.frames:   # parents first
        depths.append(1 if f.parent is None else depths[f.parent] + 1)
    return max(depths, default=1)


PACKED = {"--mv1-positions": "u16", "--mv1-normals": "s8", "--mv1-weights": "u8", "--mv1-anim": "u16"}


def packed_problems(program, path, source, size, scratch):
    """Each option alone, and all of them."""
    for options in [*([name] for name in PACKED), list(PACKED)]:
        for problem in packed_by(program, path, source, size, scratch, options):
            yield "%s: %s" % (" ".join(options), problem)


def packed_by(program, path, source, size, scratch, options):
    packed = os.path.join(scratch, "packed.mv1")
    result = run(program, "convert", path, "-o", packed, *(word for name in options for word in (name, PACKED[name])), "--json")
    if result.returncode != 0:
        yield "packed: " + result.stderr.decode("utf-8", "replace")[:300]
        return
    told = {what: float(error) for what, error in re.findall(r"([a-z ]+) as [us][0-9]+: [0-9]+ written, the largest error is ([-+.e0-9]+)",
                                                             result.stdout.decode("utf-8", "replace"))}
    result = run(program, "check", packed)
    if not result.stdout.decode().startswith("1 file checked: 0 errors, 0 warnings"):
        yield "check of the packed file: " + result.stdout.decode("utf-8", "replace")[:300]
    if not source.meshes:
        return
    again = mv1.load(packed)
    most = max((len(pairs) for f in source.frames for pairs in f.weights), default=0)   # weights of a point
    for clip in [None, *range(min(len(source.clips), 2))]:
        time_of = 0.37 * max(float(source.clips[clip].max_time), 0.0) if clip is not None else 0.0
        if clip is not None and not source.clips[clip].anims:
            continue
        name = source.clips[clip].name if clip is not None else None
        number = [c.name for c in again.clips].index(name) if clip is not None else None
        want = np.unique(np.vstack([p for _, _, p in source.posed(clip, time_of, bind=clip is None)]), axis=0) * UNIT
        got = np.unique(np.vstack([p for _, _, p in again.posed(number, time_of, bind=clip is None)]), axis=0) * UNIT
        worst = max(nearest(got, want), nearest(want, got))
        # Joints turn and scale what hangs on them, as far away as it may be.
        joints = np.array([w[3, :3] for w in source.worlds(clip, time_of)]) * UNIT
        reach = max(size, float(np.linalg.norm(np.ptp(np.vstack([want, joints]), axis=0))))
        joint = told.get("translations of keys", 0) + reach * (np.radians(told.get("rotations of keys", 0)) + told.get("scales of keys", 0))
        bound = (told.get("positions", 0) + most * reach * told.get("weights", 0) + depth_of(source) * joint +
                 reach * told.get("weights of blend shapes in keys", 0) + BOUND * size)
        if not worst <= bound:
            yield "packed, %s is off by %.3g m; told is %.3g" % (name or "the bind pose", worst, bound)


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
        if clip not in lived:
            continue
        end = max(float(clip.max_time), 0.0)
        times = sorted({0.0, end * 0.999, *(np.floor(end * k / 5) for k in range(5)), *(end * (k + 0.37) / 6 for k in range(6))})
        for t in times:
            worst[clip.name] = max(worst.get(clip.name, 0.0),
                                   difference(source, out, c, t) if source.meshes else bone_difference(source, out, c, t))
    same = os.path.join(scratch, "same.mv1")
    result = run(program, "convert", path, "-o", same)
    if result.returncode != 0 or b"CONV_LOST" in result.stderr or mv1.load(same).b != source.b:
        yield "written back it is another file: " + result.stderr.decode("utf-8", "replace")[:300]
    yield from anew_problems(program, path, scratch)
    yield from packed_problems(program, path, source, size, scratch)
    keys = sum(len(k[0]) for c in out.clips for track in c["tracks"].values() for k in track)
    print("%-32s %4d clips %7d keys in the .mv1, %7d in the GOM; largest difference / size: %.2g" %
          (os.path.basename(path), len(out.clips), sum(len(k.times) for k in source.key_sets), keys,
           max(worst.values(), default=0.0) / size))
    for name, off in worst.items():
        if verbose:
            print("    %-30s %.3g" % (name, off / size))
        if not off <= BOUND * size:
            yield "%s is off by %.3g of the size" % (name, off / size)


def nearest(a, b):
    """Largest distance from a point of a (of many: of some) to its nearest of b."""
    a = a[::max(1, len(a) // 3000)]
    worst, b2 = 0.0, (b * b).sum(axis=1)
    step = max(1, 20_000_000 // max(1, len(b)))
    for i in range(0, len(a), step):
        block = a[i:i + step]
        near = b[((block * block).sum(axis=1)[:, None] - 2 * block @ b.T + b2[None, :]).argmin(axis=1)]
        worst = max(worst, float(np.sqrt(((block - near) ** 2).sum(axis=1)).max()))
    return worst


def corners(written, clip, time, unit, bind, compared):
    """Distinct corners in the model's space."""
    points = np.vstack([p for _, _, p in written.posed(clip, time, most=4, bind=bind)])
    return np.unique(points[compared], axis=0) * np.array([-unit, unit, -unit])


def compared_corners(written):
    """Per corner of posed(), false where the point follows its own frame for want of a bone; a GOM gives it another one."""
    out = []
    for index, f in enumerate(written.frames):
        loose = np.array([bool(pairs) and all(written.skin_bones[f.palette[slot]].driver == index for slot, _ in pairs)
                          for pairs in f.weights] or [False] * len(f.positions), dtype=bool)
        out += [~loose[m.position[t.triangles.reshape(-1)]] for m in written.meshes if m.frame == index for t in m.lists]
    return np.concatenate(out)


def written_problems(program, path, scratch, skinned_only):
    """None when the file is not one to look at."""
    as_gom, as_mv1, again = (os.path.join(scratch, n) for n in ("out.gom", "out.mv1", "again.mv1"))
    start = time.monotonic()
    if run(program, "convert", path, "-o", as_gom, "-q").returncode != 0:
        return ["no GOM"]
    gom_time = time.monotonic() - start
    model = gom.load(as_gom)
    if skinned_only and not any(p["bones"] for p in model.parts):
        return None
    start = time.monotonic()
    result = run(program, "convert", path, "-o", as_mv1, "-q")
    mv1_time = time.monotonic() - start
    if result.returncode != 0:
        return ["convert: " + result.stderr.decode("utf-8", "replace")[:300]]
    result = run(program, "check", as_mv1)
    found = []
    if not result.stdout.decode().startswith("1 file checked: 0 errors, 0 warnings"):
        found.append("check: " + result.stdout.decode("utf-8", "replace")[:300])
    run(program, "convert", path, "-o", again, "-q", "--jobs", "1")
    if read(as_mv1) != read(again):
        found.append("two runs differ")
    unit = json.loads(run(program, "info", path, "--json").stdout)["source"]["unitMeters"] or 1.0
    written = mv1.load(as_mv1)
    if sorted(c.name for c in written.clips) != [c["name"] for c in model.clips]:
        found.append("clips %s, expected %s" % ([c.name for c in written.clips], [c["name"] for c in model.clips]))
        return found
    if not written.meshes:
        return found
    compared = compared_corners(written)
    worst, size = 0.0, 1.0
    points = sum(len(f.positions) for f in written.frames)
    shares = (0.0, 0.31, 0.77) if points < 20000 else (0.31,)
    poses = [(c, share * clip["duration"]) for c, clip in enumerate(model.clips[:6]) for share in shares] or [(None, 0.0)]
    for c, at in poses:
        at = float(np.float32(at))
        want = np.vstack(model.posed(model.clips[c] if c is not None else None, at))
        number = [w.name for w in written.clips].index(model.clips[c]["name"]) if c is not None else None
        got = corners(written, number, at * FPS, unit, c is None, compared)
        size = max(size, float(np.linalg.norm(np.ptp(want, axis=0))))
        worst = max(worst, nearest(got, want), nearest(want, got) if compared.all() else 0.0)
    print("%-44s %2d poses%s; largest difference %.2g m of a size of %.3g m; %.2f s, GOM %.2f s" %
          (os.path.basename(path), len(poses), "" if compared.all() else ", %.1f %% without a bone not compared" % (100 * (1 - compared.mean())),
           worst, size, mv1_time, gom_time))
    if not worst <= BOUND:
        found.append("off by %.3g m" % worst)
    found.extend(packed_by(program, as_mv1, written, size_of(written), scratch, list(PACKED)))
    if gom_time > 0.3 and mv1_time > 2 * gom_time:
        found.append("took %.2f s, the GOM %.2f s" % (mv1_time, gom_time))
    return found


def files_to_write(arguments):
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
    for path in sorted(glob.glob(os.path.join(root, "samples", "models", "*.fbx"))):
        yield path, False
    for path in trusted_blender_files(arguments.corpus):
        yield path, False
    for row in read_table(arguments.corpus, "fbx", "manifest.tsv"):
        if row["ufbx_result"] == "load":
            yield os.path.join(arguments.corpus, "fbx", row["file"]), True


def main():
    arguments = parse(["--only"], ["--verbose", "--with-fbx"])
    folder = os.path.join(arguments.corpus, "mv1")
    if not os.path.isdir(folder):
        skip("no corpus at " + folder)
    files = sorted(f for f in glob.glob(os.path.join(folder, "*.mv1")) if arguments.only in f)
    failed = 0
    for path in files:
        with tempfile.TemporaryDirectory() as scratch:
            found = list(problems(arguments.program, path, scratch, arguments.verbose))
        failed += bool(found)
        for p in found:
            print("%s: %s" % (os.path.basename(path), p))
    passed = len(files) - failed
    for path, skinned_only in files_to_write(arguments) if arguments.with_fbx else []:
        if arguments.only not in path:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            found = written_problems(arguments.program, path, scratch, skinned_only)
        passed += found == []
        failed += bool(found)
        for p in found or []:
            print("%s: %s" % (os.path.basename(path), p))
    return finish(passed, failed)


if __name__ == "__main__":
    sys.exit(main())
