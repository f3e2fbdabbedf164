#!/usr/bin/env python3
"""Runs cases of the command line's tests.

    run.py --program PATH [--source FOLDER] CASE.sh...

A case is a shell script that runs in an empty scratch folder of its own, with $GOMKIT (the program) and $SOURCE (the source tree). Beside it
lie its expectations: NAME.stdout.exact or NAME.stdout.glob, the same with stderr, and NAME.exit (0 without one). A stream without a file
must stay empty. In a glob file every line is a pattern (*, ?, [x]) for one line, and a line of three dots stands for any number of lines.
A case that cannot run here prints "SKIP: reason" as its last line of stdout and exits with 77. Exit codes: 0 passed, 1 failed, 77 all skipped.
"""

import argparse
import fnmatch
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent


def matches(patterns, lines):
    """Whether the lines match the patterns; "..." matches any number of lines."""
    if not patterns:
        return not lines
    if patterns[0] == "...":
        return any(matches(patterns[1:], lines[i:]) for i in range(len(lines) + 1))
    return bool(lines) and fnmatch.fnmatchcase(lines[0], patterns[0]) and matches(patterns[1:], lines[1:])


def stream_fault(case, stream, data):
    """None, or what is wrong with what the case printed on a stream."""
    exact = case.with_name(f"{case.stem}.{stream}.exact")
    glob = case.with_name(f"{case.stem}.{stream}.glob")
    if exact.exists():
        wanted = exact.read_bytes()
        return None if data == wanted else f"{stream} is\n{show(data)}expected\n{show(wanted)}"
    text = data.decode("utf-8", "backslashreplace")
    if glob.exists():
        wanted = glob.read_text(encoding="utf-8")
        good = matches(wanted.splitlines(), text.splitlines()) and (not text or text.endswith("\n"))
        return None if good else f"{stream} is\n{show(data)}expected to match\n{show(wanted.encode())}"
    return None if not data else f"{stream} should be empty, but is\n{show(data)}"


def show(data):
    return "".join(f"    | {line}\n" for line in data.decode("utf-8", "backslashreplace").splitlines()) or "    (empty)\n"


def environment(program, source, scratch):
    keep = {k: v for k, v in os.environ.items() if k in ("PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")}
    keep.update(GOMKIT=str(program), SOURCE=str(source), CLI=str(ROOT), PYTHON=sys.executable, HOME=str(scratch), LC_ALL="C", TZ="UTC")
    return keep


def run_case(case, program, source):
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="gomkit-cli-"))
    try:
        # A script started in the background of a shell has SIGINT ignored; the cases want the usual behaviour.
        done = subprocess.run(["sh", "-eu", str(case)], cwd=scratch, env=environment(program, source, scratch), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), check=False)
    except subprocess.TimeoutExpired:
        return "failed", "took longer than 120 s"
    finally:
        subprocess.run(["chmod", "-R", "u+rwX", str(scratch)], check=False)
        shutil.rmtree(scratch, ignore_errors=True)
    if done.returncode == 77:
        return "skipped", done.stdout.decode("utf-8", "replace").strip().splitlines()[-1] if done.stdout else "no reason given"
    exit_file = case.with_suffix(".exit")
    wanted = int(exit_file.read_text()) if exit_file.exists() else 0
    faults = [] if done.returncode == wanted else [f"exit code {done.returncode}, expected {wanted}"]
    faults += [fault for stream, data in (("stdout", done.stdout), ("stderr", done.stderr)) if (fault := stream_fault(case, stream, data))]
    if faults and done.stderr and not any(f.startswith("stderr") for f in faults):
        faults.append("stderr was\n" + show(done.stderr))
    return ("failed", "\n".join(faults)) if faults else ("passed", "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True, type=pathlib.Path)
    parser.add_argument("--source", type=pathlib.Path, default=ROOT.parent.parent)
    parser.add_argument("cases", nargs="*", type=pathlib.Path, help="default: all")
    arguments = parser.parse_args()
    results = []
    for case in arguments.cases or sorted((ROOT / "cases").glob("*.sh")):
        result, text = run_case(case.resolve(), arguments.program.resolve(), arguments.source.resolve())
        results.append(result)
        print(f"{result}: {case.stem}" + (f"\n{text}" if text else ""))
    if "failed" in results:
        return 1
    return 77 if results and all(r == "skipped" for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
