"""What the scripts of this folder have in common."""
import argparse
import os
import subprocess
import sys
import tempfile

# The readers of tests/oracle (gom, mta, ...).
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "oracle"))


def skip(why):
    print("SKIP: " + why)
    sys.exit(77)


def parse(options=(), flags=()):
    """The arguments GOMKIT CORPUS, options that take a text and flags that take none. Without a corpus the test is skipped."""
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("corpus")
    for name in options:
        parser.add_argument(name, default="")
    for name in flags:
        parser.add_argument(name, action="store_true")
    args = parser.parse_args()
    if not os.path.isdir(args.corpus):
        skip("no corpus at " + args.corpus)
    return args


def read(path):
    with open(path, "rb") as f:
        return f.read()


def read_table(*path):
    with open(os.path.join(*path), encoding="utf-8") as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    return [dict(zip(rows[0], r)) for r in rows[1:]]


def fbx_files(corpus):
    """(kind, path) of all of fbx/ and blender/: "load", "reject" and what else the manifest calls them."""
    files = [(row["ufbx_result"].split(":")[0], os.path.join(corpus, "fbx", row["file"])) for row in read_table(corpus, "fbx", "manifest.tsv")]
    blender = os.path.join(corpus, "blender")
    return files + [("load", os.path.join(blender, f)) for f in sorted(os.listdir(blender)) if f.endswith(".fbx")]


def trusted_blender_files(corpus):
    return [os.path.join(corpus, "blender", row["file"]) for row in read_table(corpus, "blender", "manifest.tsv") if row["trusted"].startswith("yes")]


def run(*command, timeout=120):
    return subprocess.run(command, capture_output=True, timeout=timeout)


def run_well(*command):
    """What it says; RuntimeError where its exit code is not 0."""
    result = run(*command)
    if result.returncode != 0:
        said = (result.stderr + result.stdout).decode("utf-8", "replace").strip()
        raise RuntimeError("%s: exit %d: %s" % (" ".join(command[1:5]), result.returncode, said[:400]))
    return result.stdout


def each(files, label, problem):
    """Calls problem(file, scratch folder) for each file, which says what is wrong or None. Prints that and returns (passed, failed)."""
    passed = failed = 0
    for file in files:
        with tempfile.TemporaryDirectory() as scratch:
            try:
                miss = problem(file, scratch)
            except (AssertionError, RuntimeError) as e:
                miss = str(e) or repr(e)
            except subprocess.TimeoutExpired as e:
                miss = "took over %d s" % e.timeout
        passed += miss is None
        failed += miss is not None
        if miss is not None:
            print("MISS %s: %s" % (label(file), miss))
    return passed, failed


def finish(passed, failed):
    """The exit code of a test."""
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0
