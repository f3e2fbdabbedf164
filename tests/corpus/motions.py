#!/usr/bin/env python3
"""Every file of the FBX corpus as a motion.

usage: motions.py GOMKIT CORPUS [--only SUBSTRING]

A file with bones must convert to an MTA that `check --canonical` finds nothing about, whose clips are byte for byte those of the GOM
made of the same file, and whose signature is that of `gomkit signature` and of the GOM's skeleton (tests/oracle/mta.py). The motion
made of the GOM, and the one written again from the motion, must be the same bytes. A file without bones must be refused with exit code 4.
Prints each miss and "N passed, N failed".
"""
import os
import struct
import sys

from common import each, fbx_files, finish, parse, read, run

import gom
import mta


def clip_chunks(file):
    """Name and payload of each CLP0; the payload's first word is the name's number, which depends on the file's other strings."""
    out = []
    for c in gom.walk(file.data, 512, len(file.data)):
        if c.fourcc == "CLP0":
            (name,) = struct.unpack_from("<I", file.data, c.payload[0])
            out.append((file.strings[name], file.data[c.payload[0] + 4:c.payload[1]]))
    return out


def problem(program, fbx, scratch, counts):
    path = {name: os.path.join(scratch, name) for name in ("a.gom", "a.mta", "of_gom.mta", "again.mta")}
    result = run(program, "convert", fbx, "-o", path["a.gom"], "-q")
    if result.returncode != 0:
        return "gom: exit %d" % result.returncode
    model = gom.load(path["a.gom"])
    result = run(program, "convert", fbx, "-o", path["a.mta"])
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
    check = run(program, "check", path["a.mta"], "--canonical")
    if check.returncode != 0 or b"0 errors, 0 warnings, 0 not canonical" not in check.stdout:
        return "check: %s" % check.stdout.decode("utf-8", "replace").strip()[:300]
    if clip_chunks(motion) != clip_chunks(model):
        return "clips differ from those of the GOM"
    result = run(program, "signature", fbx, "-q")
    if not (motion.skeleton_signature.hex() == result.stdout.decode().strip() == mta.signature(model).hex()):
        return "signature"
    if motion.source_hash != model.source_hash or motion.fourccs != ["STR0", "ANIM"] + ["CLP0"] * len(motion.clips) + ["CTBL"]:
        return "header or chunks: %s" % motion.fourccs
    for source, target in (("a.gom", "of_gom.mta"), ("a.mta", "again.mta")):
        result = run(program, "convert", path[source], "-o", path[target], "-q")
        if result.returncode != 0 or read(path[target]) != motion.data:
            return "%s -> %s: exit %d, or other bytes" % (source, target, result.returncode)
    model.clips = []
    return None if motion.fits(model) else "does not fit its own model"


def main():
    args = parse(["--only"])
    counts = {"with clips": 0, "without clips": 0, "without bones": 0, "clips": 0}
    files = [fbx for kind, fbx in fbx_files(args.corpus) if kind == "load" and args.only in fbx]
    passed, failed = each(files, lambda fbx: os.path.relpath(fbx, args.corpus), lambda fbx, scratch: problem(args.program, fbx, scratch, counts))
    print(", ".join("%d %s" % (n, what) for what, n in counts.items()))
    return finish(passed, failed)


if __name__ == "__main__":
    sys.exit(main())
