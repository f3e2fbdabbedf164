#!/usr/bin/env python3
"""Poses of converted corpus files against frames that other programs computed.

usage: poses.py GOMKIT CORPUS [--c-program PROGRAM] [--only SUBSTRING] [--verbose]

Converts every FBX that has a trusted reference, poses the result with `gomkit pose` (the run-time library) and compares as
corpus/fbx/README.md says. Each pose is also made another way:
- tests/oracle/gom.py, written from the specification alone, in double precision: equal within 1e-6 of the largest number;
- from the text form, from a mesh-only GOM with the clips in an MTA, and through the C interface: equal bits.
Prints "N passed, N failed" and each miss.
"""
import contextlib
import json
import os
import re
import sys
import tempfile

import numpy as np

from common import finish, parse, read_table
from common import run_well as run

import gom


# Vertices of the truth files that a game model cannot show, by mesh name and index.
NOT_COMPARED = {
    # Belongs to no polygon.
    "c_two_meshes_shapes.fbx": lambda mesh, i: mesh == "Coat" and i == 339,
    # "each 50th vertex has none" (no weight): Blender leaves those where they are, GOM-WEIGHT-2 binds them to the first bone.
    "h_many_weights.fbx": lambda mesh, i: i % 50 == 7,
}


def nearest(a, b):
    """Largest distance from a point of a to its nearest of b."""
    worst = 0.0
    b2 = (b * b).sum(axis=1)
    step = max(1, 20_000_000 // max(1, len(b)))
    for i in range(0, len(a), step):
        block = a[i:i + step]
        d = (block * block).sum(axis=1)[:, None] - 2 * block @ b.T + b2[None, :]
        near = b[d.argmin(axis=1)]
        worst = max(worst, float(np.sqrt(((block - near) ** 2).sum(axis=1)).max()))
    return worst


def read_obj(path):
    points, used, names = [], [], set()
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            if line.startswith("v "):
                points.append([float(x) for x in line.split()[1:4]])
            elif line.startswith("o "):
                names.add(line[2:].strip())
            elif line.startswith("f "):
                for corner in line.split()[1:]:
                    i = int(corner.split("/")[0])
                    used.append(i - 1 if i > 0 else len(points) + i)
    points = np.array(points)
    return points[np.unique(used)], names


AXIS = {"X": 0, "Y": 1, "Z": 2}


def axis(points, name):
    return (-1 if name[0] == "-" else 1) * points[:, AXIS[name[1]]]


def obj_to_model(points, space, axes, unit):
    r, u, f = axes
    sign = 1.0
    if space.startswith("right-handed Y-up"):
        r, u, f = "+X", "+Y", "+Z"
        unit = 0.01 if "cm" in space else 1.0
    elif space.startswith("file axes, cm"):
        unit = 0.01
    elif space.startswith("left-handed"):
        sign = -1.0
    if r == "?":
        r, u, f = "+X", "+Y", "+Z"
    return unit * np.stack([-axis(points, r), axis(points, u), sign * axis(points, f)], axis=1), unit


class Pose:
    """What `gomkit pose --json` says: parts as (name, positions, normals), bones as an array of matrices."""

    def __init__(self, text):
        data = json.loads(text)
        self.parts = [(p["name"], np.array(p["positions"]).reshape(-1, 3), np.array(p["normals"]).reshape(-1, 3)) for p in data["parts"]]
        self.paths = [b["path"] for b in data["bones"]]
        self.bones = np.array([b["model"] for b in data["bones"]]).reshape(-1, 4, 4)

    def bits(self):
        return b"".join(a.astype("<f4").tobytes() for _, p, n in self.parts for a in (p, n)) + self.bones.astype("<f4").tobytes()


class Converted:
    """One file of the corpus: converted, and what is known about how its poses agree with other ways to make them."""

    def __init__(self, program, c_program, fbx, base):
        self.program, self.c_program = program, c_program
        self.gom, self.text, self.meshes, self.motion = base + ".gom", base + ".gomt", base + ".mesh.gom", base + ".mta"
        run(program, "convert", fbx, "-o", self.gom, "-q")
        run(program, "convert", self.gom, "-o", self.text, "-q")
        self.info = json.loads(run(program, "info", fbx, "--json"))
        self.model = gom.load(self.gom)
        if self.model.clips:
            run(program, "convert", fbx, "--save", "mesh", "-o", self.meshes, "-q")
            if self.model.parents:
                run(program, "convert", fbx, "-o", self.motion, "-q")
        self.oracle_worst, self.unequal, self.poses = 0.0, set(), 0

    def pose(self, clip, time):
        arguments = [] if clip is None else ["--clip", clip["name"], "--time", repr(float(np.float32(time)))]
        pose = Pose(run(self.program, "pose", self.gom, "--json", *arguments))
        self.poses += 1
        bits = pose.bits()
        if Pose(run(self.program, "pose", self.text, "--json", *arguments)).bits() != bits:
            self.unequal.add("text")
        if clip is not None and self.model.parents and not clip["weights"]:  # a motion has no blend shapes
            if Pose(run(self.program, "pose", self.meshes, self.motion, "--json", *arguments)).bits() != bits:
                self.unequal.add("mta")
        if self.c_program and run(self.c_program, self.gom, *([] if clip is None else [clip["name"], repr(float(np.float32(time)))])) != bits:
            self.unequal.add("c")
        expected = self.model.posed(clip, time) + [self.model.bone_models(clip, time)]
        for got, want in zip([p for _, p, _ in pose.parts] + [pose.bones], expected):
            if len(got):  # relative to the largest number, since the results are float32
                self.oracle_worst = max(self.oracle_worst, float(np.abs(got - want).max()) / max(1.0, float(np.abs(want).max())))
        return pose


class Converter:
    def __init__(self, program, c_program, scratch):
        self.program, self.c_program, self.scratch, self.cache = program, c_program, scratch, {}

    def __call__(self, fbx):
        if fbx not in self.cache:
            self.cache[fbx] = Converted(self.program, self.c_program, fbx, os.path.join(self.scratch, str(len(self.cache))))
        return self.cache[fbx]


def find_clip(model, info, stack, time):
    """The clip of a stack and the time in it; None for the bind pose."""
    names = [c["name"] for c in info["clips"]]
    if stack == "-":
        name = names[0]
    else:
        matches = [n for n in names if n == stack or n.split("|")[-1] == stack]
        if not matches:
            raise RuntimeError("no clip '%s' in %s" % (stack, names))
        name = matches[0]
    start = [c for c in info["clips"] if c["name"] == name][0]["sourceStart"]
    return model.clip(name), time - start


def named_parts(pose, names):
    """A reference may show some of a file's meshes only; then the parts of those names, else all parts."""
    chosen = [p for name, p, _ in pose.parts if name in names]
    return np.concatenate(chosen if chosen and names <= {name for name, _, _ in pose.parts} else [p for _, p, _ in pose.parts])


class References:
    """The table of references, and what each shows in the space of a Model."""

    def __init__(self, corpus):
        self.corpus = corpus
        self.manifest = {r["file"]: r for r in read_table(corpus, "fbx", "manifest.tsv")}
        self.rows = read_table(corpus, "fbx-ref", "references.tsv")

    def expected(self, row):
        """Points, names of the objects, and how far a pose may be off."""
        m = self.manifest[row["file"]]
        points, names = read_obj(os.path.join(self.corpus, "fbx-ref", row["obj"]))
        points, scale = obj_to_model(points, row["obj_space"], m["axes_right_up_front"].split(), float(m["unit_m"]))
        floor = 0.0 if row["err_floor_lbs4_trs"] == "-" else float(row["err_floor_lbs4_trs"])
        return points, names, max(float(row["tolerance"]), 1.2 * floor) * scale

    def fbx(self, row):
        return os.path.join(self.corpus, "fbx", row["file"])


def off(expected, got):
    return max(nearest(expected, got), nearest(got, expected))


def pose_by_clip(references, convert, row):
    file = convert(references.fbx(row))
    clip, time = (None, 0.0) if row["time_s"] == "-" else find_clip(file.model, file.info, row["stack"], float(row["time_s"]))
    return file.pose(clip, time)


def pose_by_still(references, program, scratch, row):
    still = os.path.join(scratch, "still.gom")
    arguments = [] if row["stack"] == "-" else ["--clip", row["stack"]]
    run(program, "convert", references.fbx(row), "--time", row["time_s"], "-o", still, "-q", *arguments)
    return Pose(run(program, "pose", still, "--json"))


def check_references(references, only, report, is_shown, pose):
    for row in references.rows:
        if row["issue"] != "2" or row["trusted"] == "no" or not is_shown(row) or only not in row["file"] + " " + row["obj"]:
            continue
        label = row["file"] + " " + row["obj"]
        try:
            expected, names, bound = references.expected(row)
            report(label, off(expected, named_parts(pose(row), names)), bound)
        except Exception as e:  # a miss like any other: it must be counted
            report(label + ": " + str(e), float("inf"), 0)


# References of a later piece of work ("issue" 3) that clips show: blend shapes.
SHAPES = {"ufbx/blender_331_static_blend_shape_7400_binary.fbx", "ufbx/maya_blend_inbetween_7500_binary.fbx"}


def in_pose_object(path, pose, model, unit):
    """Points of a model whose bones stand as a Pose object of its ASCII FBX file, with axes +X +Y +Z, has them."""
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read()
    names = dict(re.findall(r'Model: (\d+), "Model::([^"]*)"', text))
    body = re.search(r'Pose: \d+, "Pose::%s".*?\n\t}' % re.escape(pose), text, re.S).group(0)
    change = np.diag([-unit, unit, unit, 1.0])
    stands = {names[node]: np.linalg.inv(change) @ np.array(a.split(","), dtype=float).reshape(4, 4) @ change
              for node, a in re.findall(r"Node: (\d+)\s+Matrix: \*16 {\s*a: ([^}]*)}", body) if node in names}
    return np.concatenate(model.posed(models=np.array([stands[name] for name in model.bone_names])))


def check_later_references(references, program, convert, scratch, only, report):
    """Shapes by clips; caches and extrapolation by stills; rest poses by `pose --rest`; skins as Pose objects have the bones, which a
    conversion does not read."""
    for row in references.rows:
        if row["issue"] != "3" or only not in row["file"] + " " + row["obj"]:
            continue
        label = row["file"] + " " + row["obj"]
        try:
            expected, names, bound = references.expected(row)
            if row["file"] in SHAPES:
                got = named_parts(pose_by_clip(references, convert, row), names)
            elif row["kind"] == "frame":
                got = named_parts(pose_by_still(references, program, scratch, row), names)
            elif row["kind"] == "rest":
                got = named_parts(Pose(run(program, "pose", references.fbx(row), "--rest", "--json")), names)
            else:
                unit = float(references.manifest[row["file"]]["unit_m"])
                got = in_pose_object(references.fbx(row), row["kind"].removeprefix("pose "), convert(references.fbx(row)).model, unit)
            report(label, off(expected, got), bound)
        except Exception as e:
            report(label + ": " + str(e), float("inf"), 0)


# References that show a surface made of what the file holds: how to make it.
SURFACES = {"ufbx/blender_293_ngon_subsurf_7400_binary.fbx": ["--subdivide", "1"], "ufbx/maya_nurbs_low_sphere_7500_ascii.fbx": []}


def check_surfaces(references, program, scratch, only, report):
    for row in references.rows:
        if row["file"] not in SURFACES or row["trusted"] != "subdivided" or only not in row["file"]:
            continue
        base = os.path.join(scratch, "surface.gom")
        run(program, "convert", references.fbx(row), "-o", base, "-q", *SURFACES[row["file"]])
        expected, _, bound = references.expected(row)
        report(row["file"] + " surface", off(expected, named_parts(Pose(run(program, "pose", base, "--json")), set())), bound)


def check_blender(corpus, convert, only, report):
    for row in read_table(corpus, "blender", "manifest.tsv"):
        if not row["trusted"].startswith("yes") or only not in row["file"]:
            continue
        fbx = os.path.join(corpus, "blender", row["file"])
        try:
            with open(os.path.join(corpus, "blender", row["truth"]), encoding="utf-8") as f:
                truth = json.load(f)
            file = convert(fbx)
            model, info = file.model, file.info
            unit = truth["metres_per_unit"]
            stride = truth["vertex_stride"]
            floor = 0.0 if row["err_floor_lbs4_m"] in ("-", "") else float(row["err_floor_lbs4_m"])
            bound = max(1e-4, 1.2 * floor)

            def to_model(flat):
                v = np.array(flat, dtype=float).reshape(-1, 3)
                return unit * np.stack([-v[:, 0], v[:, 2], -v[:, 1]], axis=1)

            def compare(label, frame, clip, time):
                meshes = {**frame.get("meshes_no_shape_keys", {}), **frame.get("meshes", {})}
                excluded = NOT_COMPARED.get(row["file"])
                if excluded:
                    meshes = {n: [x for i in range(0, len(v), 3) if not excluded(n, i // 3) for x in v[i:i + 3]] for n, v in meshes.items()}
                pose = file.pose(clip, time)
                if meshes:
                    expected = np.concatenate([to_model(v) for v in meshes.values()])
                    got = named_parts(pose, set(meshes))
                    error = nearest(expected, got)
                    if stride == 1 and row["file"] != "h_many_weights.fbx":
                        error = max(error, nearest(got, expected))
                    report(label, error, bound)
                bones = {n: m for armature in frame.get("bones", {}).values() for n, m in armature.items()}
                if bones and clip is not None:
                    origins = {}
                    for i, name in enumerate(model.bone_names):
                        origins.setdefault(name, []).append(pose.bones[i][3, :3])
                    worst = 0.0
                    for name, matrix in bones.items():
                        if name in origins:
                            target = to_model([matrix[3], matrix[7], matrix[11]])[0]
                            worst = max(worst, min(float(np.linalg.norm(target - o)) for o in origins[name]))
                    if "bone scale not inherited" not in row["note"]:
                        report(label + " bones", worst, bound)

            for stack in truth["stacks"]:
                clip, _ = find_clip(model, info, stack["name"], 0.0)
                for frame in stack["frames"]:
                    compare("%s %s %g" % (row["file"], stack["name"], frame["time"]), frame, clip, frame["time"])
            if not truth["stacks"] and "rest" in truth:
                compare(row["file"] + " rest", truth["rest"], None, 0.0)
        except Exception as e:
            report(row["file"] + ": " + str(e), float("inf"), 0)


def check_other_ways(convert, c_program, report):
    for fbx, file in convert.cache.items():
        report(os.path.basename(fbx) + " oracle", file.oracle_worst, 1e-6)
        for way in ("text", "mta") + (("c",) if c_program else ()):
            report("%s %d poses by %s, bits" % (os.path.basename(fbx), file.poses, way), 1.0 if way in file.unequal else 0.0, 0.0)


def main():
    args = parse(["--c-program", "--only"], ["--verbose"])
    counts = {"passed": 0, "failed": 0}
    worst = [0.0, ""]

    def report(label, error, bound):
        ok = error <= bound
        counts["passed" if ok else "failed"] += 1
        if bound and error / bound > worst[0]:
            worst[0], worst[1] = error / bound, label
        if not ok or args.verbose:
            print("%s %-90s error %.3g bound %.3g" % ("ok  " if ok else "MISS", label, error, bound))

    @contextlib.contextmanager
    def group(name):
        before = dict(counts)
        yield
        print("%s: %d passed, %d failed" % (name, counts["passed"] - before["passed"], counts["failed"] - before["failed"]))

    with tempfile.TemporaryDirectory() as scratch:
        convert = Converter(args.program, args.c_program, scratch)
        references = References(args.corpus)
        with group("reference frames by clips"):
            check_references(references, args.only, report, lambda row: True, lambda row: pose_by_clip(references, convert, row))
        with group("reference frames by stills"):
            check_references(references, args.only, report, lambda row: row["kind"] == "frame",
                             lambda row: pose_by_still(references, args.program, scratch, row))
        with group("surfaces"):
            check_surfaces(references, args.program, scratch, args.only, report)
        with group("references of blend shapes, caches and rests"):
            check_later_references(references, args.program, convert, scratch, args.only, report)
        with group("blender poses"):
            check_blender(args.corpus, convert, args.only, report)
        with group("other ways to the same pose"):
            check_other_ways(convert, args.c_program, report)
    print("nearest to its bound: %.2f of it, %s" % tuple(worst))
    return finish(counts["passed"], counts["failed"])


if __name__ == "__main__":
    sys.exit(main())
