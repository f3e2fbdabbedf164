#!/usr/bin/env python3
"""Motions mapped onto another model's skeleton, over the corpus's blender/g_* files.

usage: retarget.py GOMKIT CORPUS

--skeleton and --add-clips must put the end bones within 5 % of the model's height of where Blender's own skeleton of the motion has
them; without them a motion of another skeleton is refused, with the bones that differ.
"""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np

from common import finish, parse

MODEL = "g_model"
MOTIONS = ("g_motion_walk", "g_motion_wave", "g_motion_other_skeleton")


def run(*command, code=0):
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == code, "exit %d, not %d: %s\n%s" % (result.returncode, code, " ".join(command), result.stderr)
    return result


def to_model(unit, matrix):
    return unit * np.array([-matrix[3], matrix[11], -matrix[7]])


def ends(bones):
    """Bones without children, by name (the skeletons have each name once)."""
    parents = {b["parent"] for b in bones}
    return {b["path"].split("/")[-1]: np.array(b["model"][12:15]) for i, b in enumerate(bones) if i not in parents}


def main():
    args = parse()
    program, blender = args.program, os.path.join(args.corpus, "blender")
    worst, failed = {}, 0
    with tempfile.TemporaryDirectory() as scratch:
        model = os.path.join(scratch, "model.gom")
        run(program, "convert", os.path.join(blender, MODEL + ".fbx"), "-o", model, "-q")
        bounds = json.loads(run(program, "info", model, "--json").stdout)["bounds"]
        height = bounds["max"][1] - bounds["min"][1]
        for motion in MOTIONS:
            fbx = os.path.join(blender, motion + ".fbx")
            with open(os.path.join(blender, motion + ".json"), encoding="utf-8") as f:
                truth = json.load(f)
            mta, joined = os.path.join(scratch, motion + ".mta"), os.path.join(scratch, motion + ".gom")
            run(program, "convert", fbx, "--skeleton", model, "-o", mta, "-q")
            run(program, "convert", os.path.join(blender, MODEL + ".fbx"), "--add-clips", fbx, "-o", joined, "-q")
            assert run(program, "signature", mta).stdout == run(program, "signature", model).stdout
            if motion == "g_motion_other_skeleton":
                stack = truth["stacks"][0]["name"]
                refusal = run(program, "pose", model, fbx, "--clip", stack, code=4).stderr
                assert "Hook.R" in refusal and "Hand.R" in refusal, refusal
            for stack in truth["stacks"]:
                name = stack["name"].split("|")[-1]
                for frame in stack["frames"]:
                    time = repr(frame["time"])
                    ways = (("--skeleton", [model, mta, "--clip", stack["name"]]), ("--add-clips", [joined, "--clip", name]))
                    for way, arguments in ways:
                        pose = json.loads(run(program, "pose", *arguments, "--time", time, "--json").stdout)
                        bones = {n: m for armature in frame["bones"].values() for n, m in armature.items()}
                        for bone, place in ends(pose["bones"]).items():
                            if bone in bones:
                                share = float(np.linalg.norm(place - to_model(truth["metres_per_unit"], bones[bone]))) / height
                                worst[motion, way] = max(worst.get((motion, way), (0.0, "")), (share, bone))
    for (motion, way), (share, bone) in sorted(worst.items()):
        ok = share <= 0.05
        failed += not ok
        print("%s %s %s: %.3f %% of the height, at %s" % ("ok  " if ok else "MISS", motion, way, 100 * share, bone))
    assert len(worst) == 2 * len(MOTIONS)
    return finish(len(worst) - failed, failed)


if __name__ == "__main__":
    sys.exit(main())
