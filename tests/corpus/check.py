#!/usr/bin/env python3
"""`check` over every FBX of the corpus: no crash, quick, and the same findings as the table beside this script.

usage: check.py GOMKIT CORPUS [--update]

fbx_check.tsv has one row a file and id: file, id, count; a file without findings has one row with "-". With --update it is written
anew. A file may take 10 seconds, all of them together 120.
"""
import collections
import json
import os
import sys
import time

from common import parse, run

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fbx_check.tsv")


def findings(program, path):
    start = time.monotonic()
    result = run(program, "check", path, "--json")
    seconds = time.monotonic() - start
    if result.returncode not in (0, 1, 6):
        return None, "exit %d: %s" % (result.returncode, result.stderr.decode("utf-8", "replace")[:300])
    if seconds > 10:
        return None, "took %.1f s" % seconds
    counts = collections.Counter()
    for issue in json.loads(result.stdout.decode("utf-8"))["issues"]:
        counts[issue["id"]] += issue["count"]
        if issue["id"] != "FBX_UNREADABLE" and not issue["text"]:
            return None, "a finding without a text"
    return counts, None


def main():
    args = parse(flags=["--update"])
    files = []
    for folder, folders, names in os.walk(args.corpus):
        folders.sort()
        files += [os.path.join(folder, n) for n in sorted(names) if n.endswith(".fbx")]
    rows, failed, start = [], 0, time.monotonic()
    for path in files:
        name = os.path.relpath(path, args.corpus)
        counts, problem = findings(args.program, path)
        if problem:
            failed += 1
            print("MISS %s: %s" % (name, problem))
            continue
        rows += ["%s\t%s\t%d" % (name, k, counts[k]) for k in sorted(counts)] or ["%s\t-\t0" % name]
    seconds = time.monotonic() - start
    text = "".join(r + "\n" for r in rows)
    if args.update:
        with open(TABLE, "w", encoding="utf-8") as f:
            f.write(text)
    with open(TABLE, encoding="utf-8") as f:
        wanted = f.read().splitlines()
    for line in sorted(set(rows) ^ set(wanted)):
        failed += 1
        print("MISS %s %s" % ("new" if line in rows else "gone", line))
    if seconds > 120:
        failed += 1
        print("MISS all together took %.1f s" % seconds)
    print("%d files, %.1f s, %d failed" % (len(files), seconds, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
