#!/usr/bin/env python3
"""The versions that are written down agree: Cargo.lock, Cargo.toml, NOTICES.md, packages.txt, version.hpp and the program itself.

    versions.py pages              what needs no program
    versions.py program PROGRAM    `gomkit --version --json` and `gomkit --version`
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(os.environ.get("GOMKIT_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def locked():
    return dict(re.findall(r'^name = "([^"]+)"\nversion = "([^"]+)"', read("third_party/Cargo.lock"), re.M))


def ufbx_source():
    return re.search(r'^ufbx-source = "([^"]+)"', read("third_party/Cargo.toml"), re.M).group(1)


def pages():
    wrong = []
    lock, notices = read("third_party/Cargo.lock"), read("third_party/NOTICES.md")
    if not re.search(r"^version = 3$", lock, re.M):
        wrong.append("Cargo.lock: cargo 1.65 (Debian 12) reads lock files up to version 3 only")
    for package in re.findall(r"\[\[package\]\]\n(.*?)(?:\n\n|\Z)", lock, re.S):
        name = re.search(r'name = "([^"]+)"', package).group(1)
        if name != "gomkit-third-party" and "checksum = " not in package:
            wrong.append(f"Cargo.lock: {name} has no checksum")
    for name, version in locked().items():
        if name == "gomkit-third-party":
            continue
        if not re.search(rf"crate `{name}`( {re.escape(version)})?", notices) or version not in notices:
            wrong.append(f"NOTICES.md: no row for crate {name} {version}")
    if not re.search(rf"^\| ufbx \| {re.escape(ufbx_source())} \| crate `ufbx` {re.escape(locked()['ufbx'])},", notices, re.M):
        wrong.append(f"NOTICES.md: the row of ufbx does not say {ufbx_source()} from crate {locked()['ufbx']}")
    for package in re.findall(r"^(lib[a-z0-9.+-]*-dev|nlohmann[a-z0-9-]*|python3-[a-z0-9-]+)\s", read("packages.txt"), re.M):
        if f"`{package}`" not in notices and not package.startswith("libclang-rt"):
            wrong.append(f"NOTICES.md: no row for {package} of packages.txt")
    for line in read("packages.txt").splitlines():
        if line and not line.startswith("#") and not re.fullmatch(r"[a-z0-9][a-z0-9.+-]*\s+# (program|tests): \S.*", line):
            wrong.append(f"packages.txt: '{line}' is not 'package  # program|tests: reason'")
    return wrong


def values(node):
    if isinstance(node, dict):
        for key, value in node.items():
            yield key, value
            yield from values(value)
    elif isinstance(node, list):
        for value in node:
            yield from values(value)


def program(path):
    wrong = []
    done = subprocess.run([path, "--version", "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        return [f"--version --json gives exit code {done.returncode}: {done.stderr}"]
    said = {}
    for key, value in values(json.loads(done.stdout)):
        if isinstance(value, (str, int)):
            said.setdefault(key.lower(), []).append(str(value))
    flat = {key: " ".join(value) for key, value in said.items()}
    expected = {"ufbx": ufbx_source(), "mikktspace": locked()["mikktspace-sys"],
                "gomkit": re.search(r'kVersion = "([^"]+)"', read("libs/core/include/gomkit/core/version.hpp")).group(1)}
    text = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
    for name, version in expected.items():
        candidates = [flat.get(name, "")] + ([flat.get("version", "")] if name == "gomkit" else [])
        if version not in candidates:
            wrong.append(f"--version --json says {name} {candidates}, expected '{version}': {done.stdout.strip()}")
        if name == "gomkit" and version not in text:
            wrong.append(f"--version does not name {version}: {text}")
    return wrong


def main():
    wrong = pages() if sys.argv[1] == "pages" else program(sys.argv[2])
    for line in wrong:
        print("FAILED:", line)
    print(f"{len(wrong)} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
