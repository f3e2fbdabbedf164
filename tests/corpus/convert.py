#!/usr/bin/env python3
"""Every file of the FBX corpus through the program.

usage: convert.py GOMKIT CORPUS [--only SUBSTRING]

Rows the manifest calls `load`, and all of blender/, must convert, and their output must pass `check` (and be written again, byte
for byte, by a GOM to GOM conversion). Rows it calls `reject` must be refused within 10 seconds with exit code 1 or 4 (6 for a limit), one message that
names the file and a cause, and nothing left behind. Prints each miss and "N passed, N failed".
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time


def read_table(path):
    with open(path, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    return [dict(zip(rows[0], r)) for r in rows[1:]]


def run(*command):
    start = time.monotonic()
    result = subprocess.run(command, capture_output=True, timeout=60)
    return result, time.monotonic() - start


def convert_problem(program, fbx, scratch):
    out = os.path.join(scratch, "out.gom")
    result, _ = run(program, "convert", fbx, "-o", out, "-q")
    if result.returncode != 0:
        return "convert: exit %d: %s" % (result.returncode, result.stderr.decode("utf-8", "replace").strip()[:400])
    check, _ = run(program, "check", out)
    if check.returncode != 0:
        return "check: exit %d: %s" % (check.returncode, check.stdout.decode("utf-8", "replace").strip()[:400])
    again = os.path.join(scratch, "again.gom")
    result, _ = run(program, "convert", out, "-o", again, "-q")
    if result.returncode != 0:
        return "gom to gom: exit %d: %s" % (result.returncode, result.stderr.decode("utf-8", "replace").strip()[:400])
    with open(out, "rb") as a, open(again, "rb") as b:
        first, second = bytearray(a.read()), bytearray(b.read())
    # sourceHash is that of the file named on the command line, so it is the one thing that may differ.
    first[24:56] = second[24:56] = bytes(32)
    if first != second:
        at = next(i for i, (x, y) in enumerate(zip(first, second)) if x != y) if len(first) == len(second) else -1
        return "gom to gom changes bytes (sizes %d, %d, first at %d)" % (len(first), len(second), at)
    return None


def reject_problem(program, fbx, scratch):
    out = os.path.join(scratch, "out.gom")
    result, seconds = run(program, "convert", fbx, "-o", out)
    message = result.stderr.decode("utf-8", "replace")
    errors = [line for line in message.splitlines() if ": error " in line]
    if result.returncode not in (1, 4, 6):
        return "exit %d: %s" % (result.returncode, message.strip()[:300])
    if len(errors) != 1 or not errors[0].startswith(fbx) or len(errors[0]) < len(fbx) + 20:
        return "message: " + message.strip()[:300]
    if seconds > 10:
        return "took %.1f s" % seconds
    if os.listdir(scratch):
        return "left behind: %s" % os.listdir(scratch)
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("corpus")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    if not os.path.isdir(args.corpus):
        print("SKIP: no corpus at " + args.corpus)
        return 77
    jobs = []
    for row in read_table(os.path.join(args.corpus, "fbx", "manifest.tsv")):
        jobs.append((row["ufbx_result"].split(":")[0], os.path.join(args.corpus, "fbx", row["file"])))
    blender = os.path.join(args.corpus, "blender")
    jobs += [("load", os.path.join(blender, f)) for f in sorted(os.listdir(blender)) if f.endswith(".fbx")]
    counts = {}
    failed = 0
    for kind, fbx in jobs:
        if args.only not in fbx:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            try:
                problem = (convert_problem if kind == "load" else reject_problem)(args.program, fbx, scratch)
            except subprocess.TimeoutExpired:
                problem = "took over 60 s"
        passed, total = counts.get(kind, (0, 0))
        counts[kind] = (passed + (problem is None), total + 1)
        if problem:
            failed += 1
            print("MISS %s: %s" % (os.path.relpath(fbx, args.corpus), problem))
    for kind, (passed, total) in sorted(counts.items()):
        print("%s: %d of %d" % (kind, passed, total))
    print("%d passed, %d failed" % (sum(p for p, _ in counts.values()), failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
