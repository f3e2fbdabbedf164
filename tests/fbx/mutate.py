#!/usr/bin/env python3
"""Breaks the program in one line for each recipe of docs/formats/fbx-recipes.md and checks that its tests notice.

usage: mutate.py BUILD [--only RECIPE]...
       mutate.py --check

Works on the source tree that this file lies in, so give it a copy: a line is changed, the tests are built in BUILD and run, and
the line is put back. Rows of mutations.tsv: recipe, test program, gtest filter, file, text, what it becomes. Exits with 1 when a
mutation stays unnoticed. --check changes nothing: it says which rows do not fit the source or are not on the page.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs/formats/fbx-recipes.md"


def outcome(build, program, tests):
    made = subprocess.run(["cmake", "--build", build, "--target", program], capture_output=True, text=True)
    if made.returncode != 0:
        return "does not compile\n" + made.stdout[-2000:]
    ran = subprocess.run([str(pathlib.Path(build) / "bin" / program), "--gtest_filter=" + tests, "--gtest_brief=1"], capture_output=True, text=True)
    if "Running 0 tests" in ran.stdout or " 0 tests " in ran.stdout:
        return "no such test"
    return "passed" if ran.returncode == 0 else "noticed"


def problem_of(row, page):
    _, _, _, file, old, new = row
    count = (ROOT / file).read_text(encoding="utf-8").count(old)
    if count != 1:
        return f"the text occurs {count} times in {file}"
    shown = [f"`{text}`".replace("|", "\\|") for text in (old, new) if text]
    return None if all(text in page for text in shown) else PAGE.name + " says otherwise"


def check(rows):
    page = PAGE.read_text(encoding="utf-8")
    bad = [(row[0], problem_of(row, page)) for row in rows]
    bad = [entry for entry in bad if entry[1]]
    for recipe, problem in bad:
        print(f"{recipe}: {problem}")
    print(f"{len(rows)} mutations, {len(bad)} do not fit")
    return 1 if bad or not rows else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", nargs="?")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    args = parser.parse_args()
    rows = [line.split("\t") for line in (HERE / "mutations.tsv").read_text(encoding="utf-8").splitlines()[1:]]
    if args.check:
        return check(rows)
    if args.build is None:
        parser.error("a build folder is needed")
    bad = 0
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
