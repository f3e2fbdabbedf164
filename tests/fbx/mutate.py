#!/usr/bin/env python3
"""Breaks the program in one line for each recipe of docs/formats/fbx-recipes.md and checks that its tests notice.

usage: mutate.py BUILD [--only RECIPE]...

Works on the source tree that this file lies in, so give it a copy: a line is changed, the tests are built in BUILD and run, and
the line is put back. Rows of mutations.tsv: recipe, test program, gtest filter, file, text, what it becomes. Exits with 1 when a
mutation stays unnoticed.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def outcome(build, program, tests):
    made = subprocess.run(["cmake", "--build", build, "--target", program], capture_output=True, text=True)
    if made.returncode != 0:
        return "does not compile\n" + made.stdout[-2000:]
    ran = subprocess.run([str(pathlib.Path(build) / "bin" / program), "--gtest_filter=" + tests, "--gtest_brief=1"], capture_output=True, text=True)
    if "Running 0 tests" in ran.stdout or " 0 tests " in ran.stdout:
        return "no such test"
    return "passed" if ran.returncode == 0 else "noticed"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--only", action="append", default=[])
    args = parser.parse_args()
    bad = 0
    rows = [line.split("\t") for line in (HERE / "mutations.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    for recipe, program, tests, file, old, new in rows:
        if args.only and recipe not in args.only:
            continue
        path = ROOT / file
        source = path.read_text(encoding="utf-8")
        if source.count(old) != 1:
            result = f"the text occurs {source.count(old)} times"
        else:
            path.write_text(source.replace(old, new), encoding="utf-8")
            try:
                result = outcome(args.build, program, tests)
            finally:
                path.write_text(source, encoding="utf-8")
        bad += result != "noticed"
        print(f"{recipe}: {result}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
