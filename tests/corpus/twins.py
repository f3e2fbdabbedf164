#!/usr/bin/env python3
"""Binary and text reproduce each other for every file of the FBX corpus (GOMT-TWIN-1).

usage: twins.py GOMKIT CORPUS [--only SUBSTRING]

Every FBX that loads becomes a .gom; that .gom becomes a text, the text a .gom again, and the text a text: the bytes stay. The text passes
`check --canonical`. Texts up to 1 MB are read by tests/oracle/gomt.py too, and give what tests/oracle/gom.py reads in the binary twin.
Prints each miss and "N passed, N failed".
"""
# covers GOMT-TWIN-1, GOMT-CANON-1
import argparse
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))
import gom  # noqa: E402
import gomt  # noqa: E402

SAMPLE_BYTES = 1_000_000


def read_table(path):
    with open(path, encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    return [dict(zip(rows[0], r)) for r in rows[1:]]


def run(what, *command):
    result = subprocess.run(command, capture_output=True, timeout=120)
    if result.returncode != 0:
        raise RuntimeError("%s: exit %d: %s" % (what, result.returncode, (result.stderr + result.stdout).decode("utf-8", "replace").strip()[:400]))
    return result.stdout.decode("utf-8", "replace")


def read(path):
    with open(path, "rb") as f:
        return f.read()


def problem(program, fbx, scratch, sampled):
    binary, text, again, text_again = (os.path.join(scratch, n) for n in ("a.gom", "a.gomt", "b.gom", "b.gomt"))
    try:
        run("fbx to gom", program, "convert", fbx, "-o", binary, "-q")
        run("gom to text", program, "convert", binary, "-o", text, "-q")
        run("text to gom", program, "convert", text, "-o", again, "-q")
        run("text to text", program, "convert", text, "-o", text_again, "-q")
        if not run("check", program, "check", "--canonical", text).endswith(" 0 not canonical\n"):
            return "the text is not canonical"
    except (RuntimeError, subprocess.TimeoutExpired) as e:
        return str(e)
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
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("corpus")
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    if not os.path.isdir(args.corpus):
        print("SKIP: no corpus at " + args.corpus)
        return 77
    rows = read_table(os.path.join(args.corpus, "fbx", "manifest.tsv"))
    jobs = [os.path.join(args.corpus, "fbx", r["file"]) for r in rows if r["ufbx_result"].startswith("load")]
    blender = os.path.join(args.corpus, "blender")
    jobs += [os.path.join(blender, f) for f in sorted(os.listdir(blender)) if f.endswith(".fbx")]
    passed, failed, sampled = 0, 0, []
    for fbx in jobs:
        if args.only not in fbx:
            continue
        with tempfile.TemporaryDirectory() as scratch:
            miss = problem(args.program, fbx, scratch, sampled)
        if miss:
            failed += 1
            print("MISS %s: %s" % (os.path.relpath(fbx, args.corpus), miss))
        else:
            passed += 1
    print("%d passed, %d failed; %d read by the independent reader" % (passed, failed, len(sampled)))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
