#!/usr/bin/env python3
"""run.py must fail, and name the condition, for programs whose output depends on it. Each fake program below has one such fault."""
import os
import pathlib
import subprocess
import sys
import tempfile

RUN = pathlib.Path(__file__).with_name("run.py")
FAKE = """#!{python}
import locale, math, os, sys
locale.setlocale(locale.LC_ALL, "")
if sys.argv[1] == "convert":
    open(sys.argv[4], "w").write(str({fault}))
"""
FAULTS = {
    "none": ("1", None),
    "reads the locale": ("locale.localeconv()['decimal_point']", "locale with decimal comma"),
    "reads the time zone": ("os.environ.get('TZ')", "time zone"),
    "writes its current folder": ("os.path.basename(os.getcwd()) == 'another'", "another current folder"),
    "writes the output path": ("sys.argv[4]", "another output folder"),
    "depends on the number of threads": ("'4' in sys.argv", "--jobs 4"),
    "uses libm": ("sum(hash(math.sin(i * 0.37)) for i in range(20000))", "cpu without FMA"),
    "differs between runs": ("os.urandom(8).hex()", "once more"),
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "a.fbx"
        source.write_bytes(b"not read")
        for title, (fault, condition) in FAULTS.items():
            fake = pathlib.Path(folder) / "fake"
            fake.write_text(FAKE.format(python=sys.executable, fault=fault))
            fake.chmod(0o755)
            done = subprocess.run([sys.executable, RUN, "--program", f"fake={fake}", "--files", source], capture_output=True, text=True)
            if condition and condition.startswith("cpu") and "not made: cpu" in done.stdout:
                continue
            expected = 1 if condition else 0
            if done.returncode != expected or (condition and f", {condition}" not in done.stdout):
                sys.exit(f"FAILED: a program that {title}: exit {done.returncode}, expected {expected} and '{condition}'\n{done.stdout}{done.stderr}")
            print(f"ok: {title}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
