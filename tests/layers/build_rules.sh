#!/usr/bin/env bash
# The build's own checks must fail when they should: a public header that does not stand alone, and flags that change the bytes.
# usage: build_rules.sh SOURCE_DIR headers|flags
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT

case $2 in
headers)
    mkdir -p "$scratch/lib/include/gomkit/x" "$scratch/lib/src"
    cat >"$scratch/CMakeLists.txt" <<CMAKE
cmake_minimum_required(VERSION 3.25)
project(planted LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(GOMKIT_WERROR ON)
set(GOMKIT_BUILD_TESTS ON)
include($source/cmake/Warnings.cmake)
include($source/cmake/GomkitLibrary.cmake)
add_subdirectory(lib)
CMAKE
    echo 'gomkit_library(NAME x SOURCES src/x.cpp HEADERS include/gomkit/x/x.hpp)' >"$scratch/lib/CMakeLists.txt"
    # The source includes what the header forgot, as it happens in real life: only the header's own object can notice.
    printf '#include <string>\n#include <gomkit/x/x.hpp>\n' >"$scratch/lib/src/x.cpp"
    header=$scratch/lib/include/gomkit/x/x.hpp
    # Cleaned first: a header written in the same tick as its object would look unchanged.
    build() { cmake --build "$scratch/build" --clean-first >"$scratch/log" 2>&1; }

    printf '#pragma once\n#include <string>\nstd::string x();\n' >"$header"
    cmake -S "$scratch" -B "$scratch/build" -G Ninja >/dev/null
    build || { cat "$scratch/log"; echo "FAILED: a good header does not build"; exit 1; }
    printf '#pragma once\nstd::string x();\n' >"$header"
    if build; then echo "FAILED: a header without its includes builds"; exit 1; fi
    grep -q 'gomkit_x_headers' "$scratch/log" || { cat "$scratch/log"; echo "FAILED: it was not the header's own object that failed"; exit 1; }
    printf '#include <string>\nstruct X {};\nstd::string x();\n' >"$header"
    if build; then echo "FAILED: a header without an include guard builds"; exit 1; fi
    printf '#pragma once\ninline int x(unsigned long y) { return y; }\n' >"$header"
    if build; then echo "FAILED: a header with a warning builds"; exit 1; fi
    echo "a header without includes, without guard, or with a warning stops the build"
    ;;
flags)
    # Only Determinism.cmake decides, so it is asked alone; the last case asks the whole project.
    printf 'cmake_minimum_required(VERSION 3.25)\nproject(planted LANGUAGES C CXX)\ninclude(%s/cmake/Determinism.cmake)\n' "$source" >"$scratch/CMakeLists.txt"
    configure() { cmake -S "$scratch" -B "$scratch/build" -G Ninja "$@" >"$scratch/log" 2>&1; }
    configure || { cat "$scratch/log"; echo "FAILED: plain flags do not configure"; exit 1; }
    configure -DCMAKE_CXX_FLAGS="-O2 -march=x86-64-v2" || { cat "$scratch/log"; echo "FAILED: harmless flags do not configure"; exit 1; }
    for flags in -DCMAKE_CXX_FLAGS=-ffast-math -DCMAKE_C_FLAGS=-ffast-math -DCMAKE_CXX_FLAGS=-Ofast -DCMAKE_CXX_FLAGS=-march=native \
                 -DCMAKE_CXX_FLAGS=-ffp-contract=fast -DCMAKE_CXX_FLAGS=-funsafe-math-optimizations -DCMAKE_CXX_FLAGS_RELEASE=-ffast-math \
                 "-DCMAKE_BUILD_TYPE=Odd;-DCMAKE_CXX_FLAGS_ODD=-ffast-math"; do
        rm -rf "$scratch/build"
        IFS=';' read -ra arguments <<<"$flags"
        if configure "${arguments[@]}"; then echo "FAILED: '$flags' configures"; exit 1; fi
        grep -q 'makes the output depend' "$scratch/log" || { cat "$scratch/log"; echo "FAILED: '$flags' fails for another reason"; exit 1; }
    done
    rm -rf "$scratch/build"
    if cmake -S "$source" -B "$scratch/build" -G Ninja -DCMAKE_CXX_FLAGS=-ffast-math >"$scratch/log" 2>&1; then
        echo "FAILED: the project configures with -ffast-math"; exit 1
    fi
    grep -q "'-ffast-math' makes the output depend" "$scratch/log" || { cat "$scratch/log"; exit 1; }
    echo "flags that change the bytes stop the configuration"
    ;;
*) echo "unknown part '$2'"; exit 2 ;;
esac
