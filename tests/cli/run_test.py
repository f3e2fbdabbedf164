#!/usr/bin/env python3
"""Tests of run.py: a runner that cannot fail proves nothing."""

import pathlib
import subprocess
import sys
import tempfile

RUN = pathlib.Path(__file__).resolve().parent / "run.py"

# name, script, expectation files, result
CASES = [
    ("silent", "true", {}, "passed"),
    ("code", "exit 3", {".exit": "3\n"}, "passed"),
    ("wrong_code", "exit 3", {}, "failed"),
    ("code_missing", "true", {".exit": "1"}, "failed"),
    ("noise", "echo x", {}, "failed"),
    ("noise_on_stderr", "echo x >&2", {}, "failed"),
    ("exact", "printf 'a\\nb\\n'", {".stdout.exact": "a\nb\n"}, "passed"),
    ("not_exact", "printf 'a\\nb'", {".stdout.exact": "a\nb\n"}, "failed"),
    ("glob", "printf 'a12b\\n'", {".stdout.glob": "a*b\n"}, "passed"),
    ("glob_line_missing", "printf 'a\\n'", {".stdout.glob": "a\nb\n"}, "failed"),
    ("glob_line_more", "printf 'a\\nb\\n'", {".stdout.glob": "a\n"}, "failed"),
    ("glob_dots", "printf 'a\\nx\\ny\\nb\\n'", {".stdout.glob": "a\n...\nb\n"}, "passed"),
    ("glob_dots_none", "printf 'a\\nb\\n'", {".stdout.glob": "a\n...\nb\n"}, "passed"),
    ("glob_dots_wrong", "printf 'a\\nx\\n'", {".stdout.glob": "a\n...\nb\n"}, "failed"),
    ("stderr", "echo e >&2; exit 1", {".stderr.exact": "e\n", ".exit": "1"}, "passed"),
    ("skips", "echo SKIP: no reason; exit 77", {}, "skipped"),
    ("stops_at_errors", "false; true", {}, "failed"),
    ("scratch_is_empty", "ls -A", {}, "passed"),
    ("has_program", 'test -n "$GOMKIT" && test -d "$SOURCE"', {}, "passed"),
]


def main():
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, script, files, wanted in CASES:
            case = pathlib.Path(folder) / f"{name}.sh"
            case.write_text(script + "\n", encoding="utf-8")
            for suffix, text in files.items():
                case.with_name(name + suffix).write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, str(RUN), "--program", "/bin/true", str(case)], capture_output=True, text=True, check=False)
            got = done.stdout.split(":")[0]
            codes = {"passed": 0, "failed": 1, "skipped": 77}
            if got != wanted or done.returncode != codes[wanted]:
                wrong += 1
                print(f"{name}: {got} ({done.returncode}), expected {wanted}\n{done.stdout}{done.stderr}")
    print(f"{len(CASES) - wrong} of {len(CASES)} as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
