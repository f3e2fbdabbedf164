#!/usr/bin/env python3
"""Files that break readers by their size: no stack overflow, and time and memory near those of ufbx alone.

usage: stress.py GOMKIT STRESS_FILES UFBX_ALONE [--quick]

Makes its files in a scratch folder. `convert` must succeed on the first three with a stack of 1 MiB, take at most 3 times as long as ufbx alone and
2.5 times its peak memory (medians of three runs); what is below 64 MiB or half a second is not compared. `check` and `info` must end,
and the two files of nested elements must be refused. --quick: without the comparison.
"""
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

FILES = ["materials.fbx", "deep.fbx", "big.fbx"]
MAX_TIME, MAX_MEMORY = 3.0, 2.5


def small_stack():
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 20, 1 << 20))


def run(*command):
    """(exit code, user and system seconds, peak MiB, stderr)"""
    with tempfile.TemporaryFile() as err, open(os.devnull, "wb") as null:
        process = subprocess.Popen(command, stdout=null, stderr=err, preexec_fn=small_stack)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return process.returncode, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, err.read().decode("utf-8", "replace")


def main():
    program, maker, alone = sys.argv[1:4]
    quick = "--quick" in sys.argv
    failed = 0

    def expect(good, text):
        nonlocal failed
        failed += not good
        print(("ok    " if good else "MISS  ") + text)

    with tempfile.TemporaryDirectory() as scratch:
        start = time.monotonic()
        subprocess.run([maker, scratch], check=True)
        out = os.path.join(scratch, "out.gom")
        print("files made in %.1f s: %s" % (time.monotonic() - start, ", ".join(
            "%s %.1f MB" % (f, os.path.getsize(os.path.join(scratch, f)) / 1e6) for f in FILES)))
        for name in FILES:
            path = os.path.join(scratch, name)
            runs = 1 if quick else 3
            ours = [run(program, "convert", "-q", "--jobs", "1", path, "-o", out) for _ in range(runs)]
            expect(all(r[0] == 0 for r in ours), "%s converts: %s" % (name, ours[0][3].strip()[:200]))
            expect(run(program, "check", out)[0] == 0, "%s: the output is valid" % name)
            for command in (["check", path], ["info", path], ["info", path, "--elements", "--props", "--json"]):
                code, seconds, peak, text = run(program, *command)
                expect(code == 0, "%s %s: exit %d, %.2f s, %.0f MiB %s" % (name, " ".join(c for c in command if c != path), code, seconds, peak, text[:200]))
            if quick:
                continue
            theirs = [run(alone, path) for _ in range(runs)]
            expect(all(r[0] == 0 for r in theirs), "ufbx reads " + name)
            seconds, peak = (statistics.median(r[k] for r in ours) for k in (1, 2))
            base_seconds, base_peak = (statistics.median(r[k] for r in theirs) for k in (1, 2))
            expect(seconds < 0.5 or seconds <= MAX_TIME * base_seconds,
                   "%s: %.2f s, ufbx alone %.2f s, ratio %.2f" % (name, seconds, base_seconds, seconds / base_seconds))
            expect(peak < 64 or peak <= MAX_MEMORY * base_peak,
                   "%s: %.0f MiB, ufbx alone %.0f MiB, ratio %.2f" % (name, peak, base_peak, peak / base_peak))
        for name in ("nested_text.fbx", "nested_binary.fbx"):
            path = os.path.join(scratch, name)
            for command in (["convert", path, "-o", out], ["check", path], ["info", path, "--elements"]):
                code, seconds, peak, text = run(program, *command)
                expect(code in (1, 6) and seconds < 10, "%s %s is refused: exit %d, %.2f s, %.0f MiB" % (name, command[0], code, seconds, peak))
    print("%d failed" % failed)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
