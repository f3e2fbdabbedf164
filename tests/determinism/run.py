#!/usr/bin/env python3
"""Byte matrix: the same input must give the same bytes, whatever built the program and wherever it runs.

Converts a list of files with every given program under every condition below and compares SHA-256 of the .gom, and (with and without the test
locale) of what `info --json` and `dump` say about it, with one reference (first program, no condition). A difference is a failure that names file, program and condition.

    run.py --program release=build/release/bin/gomkit --program gcc-O0=... [--count 20] [--files FILE...] [--all-files]

The first program runs under all conditions, the others plain and with CPU features masked. Files: samples/models and tests/data of this tree,
and a choice from $GOMKIT_CORPUS (absent: said loudly; the run goes on with our own files). A condition that the machine cannot make
(a CPU without FMA has nothing to mask) is reported as not made; that is a failure for those that every Debian machine can make.
"""
import argparse
import concurrent.futures
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]

# What the choice is for: skinned, animated, heavy, odd axes and units, instances, n-gons, negative scale, morphs, Japanese names, ASCII.
CHOICE = """
blender/e_heavy.fbx
blender/a_biped.fbx
blender/a_biped_leafbones_roll.fbx
blender/b_axes_2.fbx
blender/b_unit_cm.fbx
blender/c_two_meshes_shapes.fbx
blender/d_japanese.fbx
blender/f_static_negative.fbx
blender/h_many_weights.fbx
blender/i_bone_scale.fbx
blender/j_euler_spin.fbx
blender/l_object_motion.fbx
blender/m_odd_ranges.fbx
""".split()

MASKS = {
    "cpu without FMA, AVX2": "glibc.cpu.hwcaps=-FMA,-AVX2",
    "cpu without FMA, AVX, SSE4.1": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2,-AVX,-AVX512F,-SSE4_1",
}
SINES = "import math; print(sum(hash(math.sin(i * 0.37) + math.pow(i + 0.1, 0.3)) % 1000003 for i in range(20000)))"


def plain_environment():
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "LANG", "TZ", "GLIBC_TUNABLES", "LOCPATH"))}
    environment["LC_ALL"] = "C.UTF-8"
    return environment


def make_locale(scratch):
    """Makes de_DE.UTF-8 (decimal comma) in the scratch folder and proves that a process really gets it."""
    folder = scratch / "locale"
    folder.mkdir()
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")], capture_output=True, text=True)
    extra = {"LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}
    probe = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.localeconv()['decimal_point'])"
    said = subprocess.run([sys.executable, "-c", probe], env=plain_environment() | extra, capture_output=True, text=True).stdout.strip()
    if said != ",":
        sys.exit(f"FAILED: the test locale could not be made (decimal point '{said}'): {made.stderr.strip()}")
    return extra


def mask_works(tunables):
    """True when the mask changes libm's results, i.e. the condition is a real one on this CPU."""
    results = [subprocess.run([sys.executable, "-c", SINES], env=plain_environment() | extra, capture_output=True, text=True).stdout
               for extra in ({}, {"GLIBC_TUNABLES": tunables})]
    return results[0] != results[1]


def conditions(scratch, has_fma):
    made = [("once more", {}, {"texts": True}), ("--jobs 1", {}, {"jobs": 1}), ("--jobs 4", {}, {"jobs": 4, "texts": True}),
            ("locale with decimal comma", make_locale(scratch), {"texts": True}),
            ("time zone", {"TZ": "Asia/Tokyo"}, {}), ("home and user", {"HOME": "/nonexistent", "USER": "somebody"}, {}),
            ("another output folder", {}, {"folder": "elsewhere/日本 語"}), ("another current folder", {}, {"absolute": True})]
    for name, tunables in MASKS.items():
        if mask_works(tunables):
            made.append((name, {"GLIBC_TUNABLES": tunables}, {"mask": True, "texts": True}))
        elif has_fma:
            sys.exit(f"FAILED: GLIBC_TUNABLES={tunables} changes nothing here although the CPU has FMA")
        else:
            print(f"not made: {name}: this CPU has no FMA to mask")
    return made


def one_run(program, source, scratch, extra, how):
    """Hash of everything one conversion makes, or its exit code."""
    work = pathlib.Path(tempfile.mkdtemp(dir=scratch))
    try:
        folder = work / how.get("folder", "out")
        folder.mkdir(parents=True)
        # The same relative name everywhere: source names are relative as given, and the current folder is a condition.
        shutil.copyfile(source, work / source.name)
        environment = plain_environment() | extra
        output = folder / "out.gom"
        command = [program, "convert", source.name, "-o", str(output if how.get("absolute") else output.relative_to(work))]
        current = work
        if how.get("absolute"):
            current = work / "another"
            current.mkdir()
            command[2] = os.path.join("..", source.name)
        if "jobs" in how:
            command += ["--jobs", str(how["jobs"])]
        done = subprocess.run(command, cwd=current, env=environment, capture_output=True, timeout=300)
        if done.returncode != 0:
            return f"exit {done.returncode}", done.stderr.decode(errors="replace").strip()[-300:]
        # Files are compared whole; the two texts are asked for beside the file, so that no path differs in them.
        parts = [hashlib.sha256(output.read_bytes()).hexdigest()]
        for verb in (["info", "--json", "out.gom"], ["dump", "out.gom"]) if how.get("texts") else ():
            text = subprocess.run([program, *verb], cwd=folder, env=environment, capture_output=True, timeout=300)
            parts.append(f"{text.returncode}:{hashlib.sha256(text.stdout).hexdigest()}")
        # What else is made of it: text, the pose, and motions through every pass (a file without clips is refused, everywhere alike).
        source_name = os.path.relpath(work / source.name, folder)
        for name, *verb in (("out.gomt", "convert", "out.gom", "-q"), ("bind.json", "pose", "out.gom"),
                            ("out.km3", "convert", "out.gom", "-q"), ("out.ps1m", "convert", "out.gom", "--fit", "-q"), ("out.png", "preview", "out.ps1m", "-q"), ("out.mv1", "convert", source_name, "-q"), ("few.mta", "convert", source_name, "--reduce", "1", "-q"),
                            ("half.mta", "convert", source_name, "--fps", "12", "--root-motion", "in-place", "-q"),
                            ("mapped.mta", "convert", source_name, "--skeleton", "out.gom", "-q")) if how.get("texts") else ():
            made = subprocess.run([program, *verb, "-o", name], cwd=folder, env=environment, capture_output=True, timeout=300)
            content = (folder / name).read_bytes() if (folder / name).is_file() else b""
            parts.append(f"{made.returncode}:{hashlib.sha256(content).hexdigest()}")
        return " ".join(parts), ""
    finally:
        shutil.rmtree(work, ignore_errors=True)


def choose(count, all_files):
    own = sorted(path for folder in ("samples/models", "tests/data") for path in (ROOT / folder).rglob("*.fbx"))
    corpus = os.environ.get("GOMKIT_CORPUS") or str(ROOT.parent / "shared" / "corpus")
    if not pathlib.Path(corpus).is_dir():
        print("SKIPPED: corpus files ($GOMKIT_CORPUS is not there)")
        return own, False
    everything = sorted(path for path in pathlib.Path(corpus).rglob("*") if path.suffix.lower() == ".fbx")
    if all_files:
        return own + everything, True
    chosen = [pathlib.Path(corpus) / name for name in CHOICE if (pathlib.Path(corpus) / name).is_file()][:count]
    # The rest evenly over what other exporters wrote, biggest third first: they have skins and clips.
    others = sorted((path for path in everything if "blender" not in path.relative_to(corpus).parts[:1]), key=lambda p: (-p.stat().st_size, str(p)))
    others = others[:max(1, len(others) // 3)]
    missing = count - len(chosen)
    if missing > 0 and others:
        step = max(1, len(others) // missing)
        chosen += others[::step][:missing]
    return own + chosen, True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", action="append", required=True, metavar="NAME=PATH")
    parser.add_argument("--count", type=int, default=20, help="corpus files")
    parser.add_argument("--files", nargs="*", type=pathlib.Path, help="these files instead")
    parser.add_argument("--all-files", action="store_true", help="the whole corpus")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    programs = []
    for item in arguments.program:
        name, _, path = item.partition("=")
        programs.append((name, str(pathlib.Path(path).resolve())))
        if not os.access(programs[-1][1], os.X_OK):
            sys.exit(f"FAILED: no program at {path}")

    files = arguments.files
    if files:
        files = [path.resolve() for path in files]
    else:
        files, _ = choose(arguments.count, arguments.all_files)
    if not files:
        print("SKIPPED: no FBX file here to convert")
        return 77

    has_fma = any(" fma " in line + " " for line in open("/proc/cpuinfo") if line.startswith("flags")) if os.path.exists("/proc/cpuinfo") else False
    failures, table, converted, runs = [], {}, 0, 0
    with tempfile.TemporaryDirectory(prefix="gomkit-determinism-") as folder, \
            concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        scratch = pathlib.Path(folder)
        made = conditions(scratch, has_fma)
        work = []
        for source in files:
            for index, (name, program) in enumerate(programs):
                work.append((source, name, "plain", pool.submit(one_run, program, source, scratch, {}, {"texts": True})))
                for condition, extra, how in made:
                    if index == 0 or "mask" in how:
                        work.append((source, name, condition, pool.submit(one_run, program, source, scratch, extra, how)))
        for source, name, condition, future in work:
            try:
                found, said = future.result()
            except subprocess.TimeoutExpired:
                found, said = "timeout", ""
            runs += 1
            if found.startswith("exit"):
                found = found.replace(" ", "-")
            if source not in table:
                table[source] = (found, f"{name}, {condition}")
                converted += not found.startswith(("exit", "timeout"))
                if found.startswith(("timeout", "exit--")):
                    failures.append(f"{source}: {found}: {said}")
            elif found != table[source][0] and (" " in found or found != table[source][0].split()[0]):
                failures.append(f"{source}: [{name}, {condition}] gives {found}, [{table[source][1]}] gave {table[source][0]} {said}")

    for source, (found, _) in table.items():
        print(f"{found.split()[0][:16]:16}  {source.name}")
    print(f"{len(files)} files ({converted} convertible), {len(programs)} programs, {len(made)} conditions, {runs} runs, {len(failures)} differences")
    if not converted:
        failures.append("no file could be converted, so nothing was compared")
    for failure in failures:
        print("FAILED:", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
