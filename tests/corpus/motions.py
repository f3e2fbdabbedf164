#!/usr/bin/env python3
"""Every file of the FBX corpus as a motion.

usage: motions.py GOMKIT CORPUS [--only SUBSTRING]

A file with bones must convert to an MTA that `check --canonical` finds nothing about, whose clips are byte for byte those of the GOM
made of the same file, and whose signature is that of `gomkit signature` and of the GOM's skeleton (tests/oracle/mta.py). The motion
made of the GOM, and the one written again from the motion, must be the same bytes. A file without bones must be refused with exit code 4.
Prints each miss and "N passed, N failed".
"""
import argparse
import os
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import gom  # noqa: E402
import mta  # noqa: E402
from convert import read_table, run  # noqa: E402


def clip_chunks(file):
    """Name and payload of each CLP0; the payload's first word is the name's number, which depends on the file's other strings."""
    out = []
    for c in gom.walk(file.data, 512, len(file.data)):
        if c.fourcc == "CLP0":
            (name,) = struct.unpack_from("<I", file.data, c.payload[0])
            out.append((file.strings[name], file.data[c.payload[0] + 4:c.payload[1]]))
    return out


def read(path):
    with open(path, "rb") as f:
        return f.read()


def problem(program, fbx, scratch, counts):
    path = {name: os.path.join(scratch, name) for name in ("a.gom", "a.mta", "of_gom.mta", "again.mta")}
    result, _ = run(program, "convert", fbx, "-o", path["a.gom"], "-q")
    if result.returncode != 0:
        return "gom: exit %d" % result.returncode
    model = gom.load(path["a.gom"])
    result, _ = run(program, "convert", fbx, "-o", path["a.mta"])
    message = result.stderr.decode("utf-8", "replace")
    if not model.paths:
        counts["without bones"] += 1
        if result.returncode != 4 or "no skeleton" not in message or os.path.exists(path["a.mta"]):
            return "no bones, but exit %d: %s" % (result.returncode, message.strip()[:300])
        return None
    if result.returncode != 0:
        return "mta: exit %d: %s" % (result.returncode, message.strip()[:300])
    for line in message.splitlines():
        if " IO_TEXTURE" in line or " MESH_" in line:
            return "speaks of what it does not write: " + line[:200]
    motion = mta.load(path["a.mta"])
    if ("CONV_EMPTY_MOTION" in message) != (not motion.clips):
        return "%d clips, message: %s" % (len(motion.clips), message[:200])
    counts["with clips" if motion.clips else "without clips"] += 1
    counts["clips"] += len(motion.clips)
    check, _ = run(program, "check", path["a.mta"], "--canonical")
    if check.returncode != 0 or b"0 errors, 0 warnings, 0 not canonical" not in check.stdout:
        return "check: %s" % check.stdout.decode("utf-8", "replace").strip()[:300]
    if clip_chunks(motion) != clip_chunks(model):
        return "clips differ from those of the GOM"
    result, _ = run(program, "signature", fbx, "-q")
    if not (motion.skeleton_signature.hex() == result.stdout.decode().strip() == mta.signature(model).hex()):
        return "signature"
    if motion.source_hash != model.source_hash or motion.fourccs != ["STR0", "ANIM"] + ["CLP0"] * len(motion.clips) + ["CTBL"]:
        return "header or chunks: %s" % motion.fourccs
    for source, target in (("a.gom", "of_gom.mta"), ("a.mta", "again.mta")):
        result, _ = run(program, "convert", path[source], "-o", path[target], "-q")
        if result.returncode != 0 or read(path[target]) != motion.data:
            return "%s -> %s: exit %d, or other bytes" % (source, target, result.returncode)
    model.clips = []
    return None if motion.fits(model) else "does not fit its own model"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("corpus")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    if not os.path.isdir(args.corpus):
        print("SKIP: no corpus at " + args.corpus)
        return 77
    files = [os.path.join(args.corpus, "fbx", row["file"]) for row in read_table(os.path.join(args.corpus, "fbx", "manifest.tsv"))
             if row["ufbx_result"].split(":")[0] == "load"]
    blender = os.path.join(args.corpus, "blender")
    files += [os.path.join(blender, f) for f in sorted(os.listdir(blender)) if f.endswith(".fbx")]
    counts = {"with clips": 0, "without clips": 0, "without bones": 0, "clips": 0}
    passed = failed = 0
    for fbx in files:
        if args.only not in fbx:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            try:
                miss = problem(args.program, fbx, scratch, counts)
            except subprocess.TimeoutExpired:
                miss = "took over 60 s"
        passed += miss is None
        failed += miss is not None
        if miss:
            print("MISS %s: %s" % (os.path.relpath(fbx, args.corpus), miss))
    print(", ".join("%d %s" % (n, what) for what, n in counts.items()))
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
