#!/usr/bin/env python3
"""Binary and text reproduce each other for every file of the FBX corpus (GOMT-TWIN-1).

usage: twins.py GOMKIT CORPUS [--only SUBSTRING]

Every FBX that loads becomes a .gom; that .gom becomes a text, the text a .gom again, and the text a text: the bytes stay. The text passes
`check --canonical`. Texts up to 1 MB are read by tests/oracle/gomt.py too, and give what tests/oracle/gom.py reads in the binary twin.
Prints each miss and "N passed, N failed".
"""
# covers GOMT-TWIN-1, GOMT-CANON-1
import os
import sys

from common import each, fbx_files, finish, parse, read, run_well

import gom
import gomt

SAMPLE_BYTES = 1_000_000


def problem(program, fbx, scratch, sampled):
    binary, text, again, text_again = (os.path.join(scratch, n) for n in ("a.gom", "a.gomt", "b.gom", "b.gomt"))
    for source, target in ((fbx, binary), (binary, text), (text, again), (text, text_again)):
        run_well(program, "convert", source, "-o", target, "-q")
    if not run_well(program, "check", "--canonical", text).endswith(b" 0 not canonical\n"):
        return "the text is not canonical"
    if read(binary) != read(again):
        return "text to gom changes bytes"
    if read(text) != read(text_again):
        return "text to text changes bytes"
    if os.path.getsize(text) <= SAMPLE_BYTES:
        sampled.append(fbx)
        lines = gomt.compare(gom.load(binary), gomt.load(text))
        if lines:
            return "the text says something else: " + "; ".join(lines[:3])
    return None


def main():
    args = parse(["--only"])
    sampled = []
    files = [fbx for kind, fbx in fbx_files(args.corpus) if kind == "load" and args.only in fbx]
    passed, failed = each(files, lambda fbx: os.path.relpath(fbx, args.corpus), lambda fbx, scratch: problem(args.program, fbx, scratch, sampled))
    print("%d read by the independent reader" % len(sampled))
    return finish(passed, failed)


if __name__ == "__main__":
    sys.exit(main())
