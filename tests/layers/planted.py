#!/usr/bin/env python3
"""check_layers.py must pass on the tree and fail for each planted violation, naming its file and rule."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(os.environ.get("GOMKIT_SOURCE_DIR") or pathlib.Path(__file__).resolve().parents[2])

# (file, text put in front of it; a new file where it does not exist, rule expected, part of the message)
PLANTED = [
    ("runtime/src/planted.cpp", "#include <gomkit/core/error.hpp>\n", "LAYER", "runtime may not use core"),
    ("libs/core/src/planted.cpp", "#include <gomkit/model/model.hpp>\n", "LAYER", "core may not use model"),
    ("libs/model/src/planted.cpp", "#include <gomkit/pass/render_mesh.hpp>\n", "LAYER", "model may not use pass"),
    ("libs/pass/src/planted.cpp", "#include <gomkit/codec/codec.hpp>\n", "LAYER", "pass may not use codec"),
    ("libs/codec/src/planted.cpp", "#include <gomkit/gom/gom.hpp>\n", "LAYER", "codec may not use gom"),
    ("libs/fbx/src/planted.cpp", "#include <gomkit/gom/gom.hpp>\n", "LAYER", "formats never include each other"),
    ("libs/gom/src/planted.cpp", "#include <gomkit/kit/convert.hpp>\n", "LAYER", "gom may not use kit"),
    ("libs/gom/src/planted.cpp", "#include <gomkit/nowhere/x.hpp>\n", "LAYER", "no library 'nowhere'"),
    ("libs/strange/src/planted.cpp", "#include <vector>\n", "LAYER", "no library of the project's layers"),
    ("apps/gomkit/planted.cpp", "#include <gomkit/gom/gom.hpp>\n", "LAYER", "apps may not use gom"),
    ("runtime/src/planted.cpp", "#include <vector>\n", "RUNTIME", "<vector>"),
    ("runtime/src/planted.cpp", "#include <immintrin.h>\n", "RUNTIME", "<immintrin.h>"),
    ("runtime/include/gomkit/runtime/planted.hpp", "#include <string>\n", "RUNTIME", "<string>"),
    ("runtime/include/gomkit/runtime/planted.hpp", "#include <stdint.h>\n", "RUNTIME", "<stdint.h>"),
    ("runtime/include/gomkit/runtime/planted.h", "#include <stdlib.h>\n", "RUNTIME", "<stdlib.h>"),
    ("libs/core/include/gomkit/core/planted.hpp", "#include <fmt/format.h>\n", "PUBLIC", "<fmt/format.h>"),
    ("libs/core/include/gomkit/core/planted.hpp", "#include <tl/expected.hpp>\n", "PUBLIC", "<tl/expected.hpp>"),
    ("libs/fbx/include/gomkit/fbx/planted.hpp", "#include <ufbx.h>\n", "PUBLIC", "<ufbx.h>"),
    ("libs/gom/include/gomkit/gom/planted.hpp", '#include "document.hpp"\n', "PUBLIC", '"document.hpp"'),
    ("libs/kit/src/planted.cpp", '#include "document.hpp"\n', "PRIVATE", "private to"),
    ("libs/kit/src/planted.cpp", '#include "../../gom/src/document.hpp"\n', "PRIVATE", "private to gom"),
    ("libs/kit/test/planted.cpp", '#include "../../gom/src/document.hpp"\n', "PRIVATE", "private to gom"),
    ("apps/gomkit/planted.cpp", '#include "../../libs/gom/src/document.hpp"\n', "PRIVATE", "private to gom"),
    ("libs/core/src/planted.cpp", "#include <boost/any.hpp>\n", "UNKNOWN", "no known dependency"),
    ("libs/core/src/planted.cpp", "#include <gomkit/core/gone.hpp>\n", "UNKNOWN", "no such public header"),
    ("libs/core/src/planted.cpp", '#include "gone.hpp"\n', "UNKNOWN", "no file of core"),
    ("libs/core/src/planted.cpp", "#include <gtest/gtest.h>\n", "TESTONLY", "<gtest/gtest.h>"),
    ("libs/core/src/planted.cpp", 'auto a() { return std::format("x"); }\n', "COMPILER", "std::format"),
    ("libs/core/src/planted.cpp", "#include <expected>\n", "COMPILER", "expected"),
    ("libs/pass/src/planted.cpp", "auto a = std::views::all;\n", "COMPILER", "std::views"),
    ("libs/pass/src/planted.cpp", "double a(double x) { return std::sin(x); }\n", "MATHS", "std::sin"),
    ("libs/pass/src/planted.cpp", "double a(double x) { return powf(x, 2); }\n", "MATHS", "powf"),
    ("runtime/src/planted.cpp", "double a(double x) { return std::atan2(x, 2); }\n", "MATHS", "std::atan2"),
    ("libs/kit/src/planted.cpp", 'void a() { std::printf("x"); }\n', "OUTPUT", "printf"),
    ("libs/gom/src/planted.cpp", "void a() { std::cerr << 1; }\n", "OUTPUT", "std::cerr"),
    ("libs/gom/src/planted.cpp", "void a() { std::exit(1); }\n", "OUTPUT", "exit"),
    ("libs/pass/CMakeLists.txt", "gomkit_library(NAME pass SOURCES a.cpp DEPS model kit)\n", "LINK", "pass may not link kit"),
    ("libs/fbx/CMakeLists.txt", "gomkit_library(NAME fbx SOURCES a.cpp PRIVATE_DEPS gomkit::gom)\n", "LINK", "fbx may not link gom"),
]
# Looks like a violation and is none.
HARMLESS = [
    ("libs/core/src/planted.cpp", "// #include <boost/any.hpp>\n/* std::format\n#include <gtest/gtest.h>\n*/\n"),
    ("libs/core/src/planted.cpp", 'const char* a = "std::cout << std::sin(x) printf(";\n'),
    ("runtime/include/gomkit/runtime/planted.h", "#include <stddef.h>\n#include <stdint.h>\n"),
    ("libs/core/src/planted.cpp", "#include <fmt/format.h>\n#include <unistd.h>\n"),
    ("libs/gom/test/planted.cpp", '#include "../src/document.hpp"\n#include <gtest/gtest.h>\nint a() { return (int)std::sin(1); }\n'),
    ("apps/gomkit/planted.cpp", 'void a() { std::printf("x"); std::exit(1); }\n'),
]


def check(tree):
    done = subprocess.run([sys.executable, ROOT / "tools/check_layers.py", "--root", tree], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for part in ("runtime", "libs", "apps", "bench", "tests/support"):
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, tree / part, ignore=shutil.ignore_patterns("build"))
        code, before = check(tree)
        if code != 0:
            print(before)
            sys.exit("FAILED: the tree itself has violations (above); nothing was planted")
        for name, text, *expected in PLANTED + HARMLESS:
            path = tree / name
            old = path.read_bytes() if path.exists() else None
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() + (old or b""))
            code, said = check(tree)
            lines = [line for line in said.splitlines() if line.startswith(name)]
            if expected:
                good = code == 1 and any(f": {expected[0]}: " in line and expected[1] in line for line in lines)
            else:
                good = code == 0 and not lines
            if not good:
                failures += 1
                print(f"FAILED: {name}: {text!r}: expected {expected or 'no violation'}, got exit {code}\n{said}")
            if old is None:
                path.unlink()
            else:
                path.write_bytes(old)
    print(f"{len(PLANTED)} planted violations, {len(HARMLESS)} harmless texts, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
