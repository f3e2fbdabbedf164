#!/usr/bin/env python3
"""Every file of the FBX corpus through the program.

usage: convert.py GOMKIT CORPUS [--only SUBSTRING]

Rows the manifest calls `load`, and all of blender/, must convert, and their output must pass `check` (and be written again, byte
for byte, by a GOM to GOM conversion). Rows it calls `reject` must be refused within 10 seconds with exit code 1 or 4 (6 for a limit), one message that
names the file and a cause, and nothing left behind. Prints each miss and "N passed, N failed".
"""
import collections
import os
import sys
import time

from common import each, fbx_files, finish, parse, read, run


def convert_problem(program, fbx, scratch):
    out = os.path.join(scratch, "out.gom")
    result = run(program, "convert", fbx, "-o", out, "-q")
    if result.returncode != 0:
        return "convert: exit %d: %s" % (result.returncode, result.stderr.decode("utf-8", "replace").strip()[:400])
    check = run(program, "check", out)
    if check.returncode != 0:
        return "check: exit %d: %s" % (check.returncode, check.stdout.decode("utf-8", "replace").strip()[:400])
    again = os.path.join(scratch, "again.gom")
    result = run(program, "convert", out, "-o", again, "-q")
    if result.returncode != 0:
        return "gom to gom: exit %d: %s" % (result.returncode, result.stderr.decode("utf-8", "replace").strip()[:400])
    first, second = read(out), read(again)
    if first != second:
        at = next(i for i, (x, y) in enumerate(zip(first, second)) if x != y) if len(first) == len(second) else -1
        return "gom to gom changes bytes (sizes %d, %d, first at %d)" % (len(first), len(second), at)
    return None


def reject_problem(program, fbx, scratch):
    out = os.path.join(scratch, "out.gom")
    start = time.monotonic()
    result = run(program, "convert", fbx, "-o", out)
    seconds = time.monotonic() - start
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
    args = parse(["--only"])
    jobs = [job for job in fbx_files(args.corpus) if args.only in job[1]]
    good = collections.Counter()

    def problem(job, scratch):
        kind, fbx = job
        found = (convert_problem if kind == "load" else reject_problem)(args.program, fbx, scratch)
        good[kind] += found is None
        return found

    passed, failed = each(jobs, lambda job: os.path.relpath(job[1], args.corpus), problem)
    for kind, total in sorted(collections.Counter(kind for kind, _ in jobs).items()):
        print("%s: %d of %d" % (kind, good[kind], total))
    return finish(passed, failed)


if __name__ == "__main__":
    sys.exit(main())
