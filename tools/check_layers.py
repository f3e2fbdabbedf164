#!/usr/bin/env python3
"""Checks every #include in runtime/, libs/ and apps/ (and private includes in bench/, samples/) against the layers of the project.

    tools/check_layers.py [--root FOLDER]      prints "file:line: RULE: text" for each violation; exit 1 when there is one

Rules:
  LAYER      runtime < core < model < pass < codec < formats < kit < apps; formats never include each other
  RUNTIME    the run-time library includes only its allow-list
  PUBLIC     a public header includes only the standard library and gomkit's public headers (exception: tl/expected.hpp in core/error.hpp)
  PRIVATE    libs/x/src and runtime/src belong to x (its tests may include them; what tests of all share is in tests/support)
  UNKNOWN    a header that is neither the standard's, the system's, ours, nor one of the dependencies in THIRD_PARTY below
  TESTONLY   test and benchmark libraries only in test/ and bench/ folders
  COMPILER   what g++ 12 or clang 14 cannot compile (std::format, std::expected, std::views, std::source_location)
  MATHS      inexact functions of the C library; runtime/math.hpp has exact ones (docs/decisions/0003-exact-maths.md)
  OUTPUT     only apps/ may print or end the process
  LINK       DEPS in a libs/*/CMakeLists.txt obey LAYER too
"""
import argparse
import pathlib
import re
import sys

FORMATS = ["fbx", "gom", "mv1", "ps1", "km3", "gltf"]
BELOW_FORMATS = {"runtime", "core", "model", "pass", "codec"}
ALLOWED = {
    "runtime": set(),
    "core": {"runtime"},
    "model": {"runtime", "core"},
    "pass": {"runtime", "core", "model"},
    "codec": {"runtime", "core", "model", "pass"},
    "image": {"runtime", "core"},
    "raster": {"runtime", "core", "model", "image"},
    "kit": BELOW_FORMATS | set(FORMATS) | {"image", "raster"},
    "apps": {"runtime", "core", "model", "pass", "codec", "image", "raster", "kit"},
} | {name: set(BELOW_FORMATS) for name in FORMATS}

RUNTIME_STD = {"cstdint", "cstddef", "cstring", "cmath", "span", "array", "bit", "limits", "algorithm", "string_view", "type_traits", "utility"}
RUNTIME_C = {"stddef.h", "stdint.h"}  # in the public C headers (.h) only
RUNTIME_SIMD = {"cpuid.h", "intrin.h", "immintrin.h", "emmintrin.h", "xmmintrin.h", "arm_neon.h"}  # in runtime/src/simd.hpp only

STD = set("""algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits clocale cmath
compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype
deque exception execution filesystem forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator latch
limits list locale map memory memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator
semaphore set shared_mutex span sstream stack stdexcept stop_token streambuf string string_view strstream syncstream system_error thread tuple
type_traits typeindex typeinfo unordered_map unordered_set utility valarray variant vector version""".split())
SYSTEM = set("""cerrno errno.h fcntl.h iconv.h io.h langinfo.h limits.h locale.h math.h process.h pwd.h shellapi.h signal.h stddef.h stdint.h
malloc.h pthread.h sched.h dirent.h stdio.h stdlib.h string.h sys/ioctl.h sys/mman.h sys/resource.h sys/stat.h sys/types.h sys/uio.h sys/wait.h termios.h time.h unistd.h wchar.h windows.h""".split())
THIRD_PARTY = ("tl/", "fmt/", "tbb/", "oneapi/tbb", "CLI/", "nlohmann/", "ufbx.h", "mikktspace.h", "gomkit_mikktspace", "meshoptimizer.h", "png.h", "zlib.h",
               "jpeglib.h", "jerror.h", "stb/stb_image.h")
TEST_ONLY = ("gtest/", "gmock/", "benchmark/", "rapidcheck", "assimp/", "gomkit_test/")

BANNED = re.compile(r"std::(format|vformat|expected|unexpected|views|source_location)\b|#\s*include\s*<(format|expected|print|source_location|stacktrace)>")
MATHS_STD = re.compile(r"(?:std::)(sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|exp|exp2|expm1|log|log2|log10|log1p|pow|cbrt|hypot|erf|tgamma|lgamma)[fl]?\b")
OUTPUT = re.compile(r"std::(cout|cerr|clog|wcout|wcerr)\b|(?<![\w.>])(?:std::)?(printf|puts|putchar|exit|quick_exit|_Exit)\s*\(|\b(argv)\b|#\s*include\s*<(iostream)>")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def strip_comments(text):
    """Comments and string contents become spaces; line numbers stay. Include lines keep their quotes."""
    def blank(match):
        piece = match.group(0)
        if piece.startswith("/"):
            return re.sub(r"[^\n]", " ", piece)
        return piece[0] + re.sub(r"[^\n]", " ", piece[1:-1]) + piece[-1]
    lines = []
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.S)
    keep = {}
    for number, line in enumerate(text.split("\n")):
        match = INCLUDE.match(line)
        if match:
            keep[number] = match
    stripped = pattern.sub(blank, text).split("\n")
    for number, line in enumerate(stripped):
        lines.append((number + 1, line, keep.get(number) if re.match(r"^\s*#\s*include", line) else None))
    return lines


class Checker:
    def __init__(self, root):
        self.root = root
        self.found = []
        self.files = 0

    def say(self, path, line, rule, text):
        self.found.append(f"{path.relative_to(self.root)}:{line}: {rule}: {text}")

    def owner(self, path):
        """(library, part) of a file: part is include, src, test or bench; apps have the library 'apps'."""
        parts = path.relative_to(self.root).parts
        if parts[0] == "runtime":
            return "runtime", parts[1] if len(parts) > 2 else "src"
        if parts[0] == "libs":
            return parts[1], parts[2] if len(parts) > 3 else "src"
        return ("apps", "test" if "test" in parts[1:-1] else "src") if parts[0] == "apps" else (parts[0], "src")

    def check_file(self, path):
        self.files += 1
        library, part = self.owner(path)
        if library not in ALLOWED and library not in ("bench", "samples"):
            self.say(path, 1, "LAYER", f"'{library}' is no library of the project's layers; add it to tools/check_layers.py and to a decision page")
            return
        testing = part in ("test", "bench") or library in ("bench", "samples")
        for number, line, include in strip_comments(path.read_text(encoding="utf-8")):
            if include:
                self.check_include(path, number, library, part, testing, include.group(1), include.group(2))
            if testing:
                continue
            if match := BANNED.search(line):
                self.say(path, number, "COMPILER", f"'{match.group(0).strip()}' does not compile with both g++ 12 and clang 14")
            if match := MATHS_STD.search(line) or (None if re.search(r"\b(exact|runtime|detail|grt)\b", line) else self.plain_maths(path, line)):
                self.say(path, number, "MATHS", f"'{match.group(0).strip()}' is inexact and differs between CPUs; use gomkit::runtime::exact")
            if library != "apps" and (match := OUTPUT.search(line)):
                self.say(path, number, "OUTPUT", f"'{match.group(0).strip()}': only apps/ print, end the process or read arguments")

    @staticmethod
    def plain_maths(path, line):
        """Unqualified calls such as sin(x); declarations and calls of our own functions of that name are in math.hpp and math.cpp."""
        return None if path.stem in ("math", "ufbx_math", "mikktspace_math") else re.search(
            r"(?<![\w:.>~])(?:::)?(sinf?|cosf?|tanf?|asinf?|acosf?|atanf?|atan2f?|expf?|powf?|cbrtf?|hypotf?)\s*\(", line)

    def check_include(self, path, number, library, part, testing, quote, name):
        if quote == "<":
            name = name.strip()
        ours = re.match(r"gomkit/([^/]+)/", name)
        if ours:
            target = ours.group(1)
            if target not in ALLOWED:
                self.say(path, number, "LAYER", f"<{name}>: there is no library '{target}'")
            elif library in ALLOWED and target != library and target not in ALLOWED[library]:
                kind = "formats never include each other" if library in FORMATS and target in FORMATS else f"{library} may not use {target}"
                self.say(path, number, "LAYER", f"<{name}>: {kind}")
            if not self.public_file(target, name):
                self.say(path, number, "UNKNOWN", f"<{name}>: no such public header")
            return
        if name.startswith(TEST_ONLY):
            if not testing:
                self.say(path, number, "TESTONLY", f"<{name}> outside test/ and bench/")
            return
        if quote == '"':
            self.check_quoted(path, number, library, part, name)
            return
        if library == "runtime" and not testing:
            if name in RUNTIME_STD or (name in RUNTIME_SIMD and path.name == "simd.hpp" and part == "src"):
                return
            if name in RUNTIME_C and path.suffix == ".h" and part == "include":
                return
            self.say(path, number, "RUNTIME", f"<{name}> is not on the run-time's list: {' '.join(sorted(RUNTIME_STD))}")
            return
        if name in STD:
            return
        if part == "include":
            relative = path.relative_to(self.root).as_posix()
            if not (name == "tl/expected.hpp" and relative == "libs/core/include/gomkit/core/error.hpp"):
                self.say(path, number, "PUBLIC", f"<{name}> in a public header")
            return
        if name in SYSTEM or name.startswith(THIRD_PARTY):
            return
        self.say(path, number, "UNKNOWN", f"<{name}> is no known dependency")

    def public_file(self, target, name):
        base = self.root / "runtime/include" if target == "runtime" else self.root / "libs" / target / "include"
        return (base / name).is_file()

    def check_quoted(self, path, number, library, part, name):
        """"x.hpp" must be a private file of the same library (or of the same program)."""
        if part == "include":
            self.say(path, number, "PUBLIC", f'"{name}" in a public header; use <gomkit/...>')
            return
        base = {"runtime": self.root / "runtime", "apps": self.root / "apps"}.get(library, self.root / "libs" / library)
        places = [path.parent / name]
        if library in ALLOWED:
            places += [base / "src" / name, base / "test" / name, base / name]
        if library == "apps":
            program = self.root.joinpath(*path.relative_to(self.root).parts[:2])
            places += [program / name, program / "src" / name]
        for place in places:
            if place.is_file():
                real = place.resolve()
                owner = self.owner(real) if real.is_relative_to(self.root) else ("outside", "")
                if owner[0] != library:
                    self.say(path, number, "PRIVATE", f'"{name}" is private to {owner[0]}')
                elif owner[1] == "test" and part == "src" and library != "apps":
                    self.say(path, number, "PRIVATE", f'"{name}" is a file of the tests')
                return
        if name.startswith(("ufbx", "mikktspace")) and part == "src":
            return
        if part == "test" and (self.root / "tests" / "support" / name).is_file():
            return
        others = [other for other in (self.root / "libs").glob(f"*/src/{name}") if other.is_file()]
        if others:
            self.say(path, number, "PRIVATE", f'"{name}" is private to {self.owner(others[0])[0]}')
        else:
            self.say(path, number, "UNKNOWN", f'"{name}" is no file of {library}')

    def check_links(self, path):
        text = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
        for call in re.finditer(r"gomkit_library\s*\(([^)]*)\)", text):
            words = call.group(1).split()
            library = words[words.index("NAME") + 1] if "NAME" in words else ""
            uses = set()
            section = ""
            for word in words:
                if word in ("NAME", "SOURCES", "HEADERS", "DEPS", "PRIVATE_DEPS"):
                    section = word
                elif section == "DEPS":
                    uses.add(word)
                elif section == "PRIVATE_DEPS" and word.startswith("gomkit::"):
                    uses.add(word.removeprefix("gomkit::"))
            for target in sorted(uses - ALLOWED.get(library, set()) - {library}):
                self.say(path, text[:call.start()].count("\n") + 1, "LINK", f"{library} may not link {target}")

    def run(self):
        for folder in ("runtime", "libs", "apps", "bench", "samples"):
            for path in sorted((self.root / folder).rglob("*")):
                if path.suffix in (".hpp", ".cpp", ".h", ".c", ".inl", ".def") and path.is_file():
                    if folder == "samples":
                        continue  # text for users; tests/consumer compiles it
                    self.check_file(path)
        for path in sorted((self.root / "libs").glob("*/CMakeLists.txt")):
            self.check_links(path)
        return self.found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parents[1])
    checker = Checker(parser.parse_args().root.resolve())
    for line in checker.run():
        print(line)
    print(f"{checker.files} files, {len(checker.found)} violations")
    if not checker.files:
        print("no file was checked")
        return 1
    return 1 if checker.found else 0


if __name__ == "__main__":
    sys.exit(main())
