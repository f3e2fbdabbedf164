#!/usr/bin/env bash
# The ways to use the libraries from another project, each in a scratch folder. usage: run.sh SOURCE_DIR WAY [CXX]
set -euo pipefail
source=$1 way=$2 export_cxx=${3:-c++}
here=$source/tests/consumer
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
command -v "$export_cxx" >/dev/null || { echo "FAILED: no compiler $export_cxx"; exit 1; }
# The other project's own compiler, not what the outer build says.
unset CFLAGS CXXFLAGS CC CXX
quiet() { "$@" >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo "FAILED: $*"; exit 1; }; }
must_fail() { if "$@" >"$scratch/log" 2>&1; then echo "FAILED: this should not have worked: $*"; exit 1; fi; }
project() { # project NAME BODY: a consumer's CMakeLists.txt
    mkdir -p "$scratch/$1"
    printf 'cmake_minimum_required(VERSION 3.22)\nproject(%s LANGUAGES C CXX)\n%s\n' "$1" "$2" >"$scratch/$1/CMakeLists.txt"
}
# The C compiler that belongs to the C++ one: g++-12 and gcc-12, clang++ and clang.
export_cc=$(sed -E 's/clang\+\+/clang/; s/(^|[-/])g\+\+/\1gcc/; s/(^|[-/])c\+\+/\1cc/' <<<"$export_cxx")
configure() { quiet cmake -G Ninja -DCMAKE_CXX_COMPILER="$export_cxx" -DCMAKE_BUILD_TYPE=Release "$@"; }

case $way in
runtime_alone)
    # The run-time by itself, without the project above it, by a project that has neither exceptions nor RTTI.
    cp -r "$source/runtime" "$scratch/runtime"
    configure -S "$scratch/runtime" -B "$scratch/build" -DCMAKE_CXX_FLAGS="-fno-exceptions -fno-rtti -Werror" -DGOMKIT_RUNTIME_TESTS=OFF
    quiet cmake --build "$scratch/build"
    flags=(-std=c++20 -fno-exceptions -fno-rtti -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I "$scratch/runtime/include")
    count=0
    for header in "$scratch"/runtime/include/gomkit/runtime/*.hpp; do
        printf '#include <gomkit/runtime/%s>\n#include <gomkit/runtime/%s>\n' "${header##*/}" "${header##*/}" >"$scratch/one.cpp"
        quiet "$export_cxx" "${flags[@]}" -fsyntax-only "$scratch/one.cpp"
        count=$((count + 1))
    done
    [ "$count" -gt 0 ]
    quiet "$export_cxx" "${flags[@]}" "$here/src/use_runtime.cpp" "$scratch/build/libgomkit_runtime.a" -o "$scratch/use"
    "$scratch/use"
    # And by a project in C, whose linker knows no C++ library.
    cflags=(-std=c99 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Wconversion -Wshadow -Werror -I "$scratch/runtime/include")
    for header in "$scratch"/runtime/include/gomkit/runtime/*.h; do
        printf '#include <gomkit/runtime/%s>\n#include <gomkit/runtime/%s>\ntypedef int nothing_else;\n' "${header##*/}" "${header##*/}" >"$scratch/one.c"
        quiet "$export_cc" "${cflags[@]}" -fsyntax-only "$scratch/one.c"
        quiet "$export_cxx" "${flags[@]}" -x c++ -fsyntax-only "$scratch/one.c"
        count=$((count + 1))
    done
    quiet "$export_cc" "${cflags[@]}" "$here/src/use_runtime.c" "$scratch/build/libgomkit_runtime.a" -lm -o "$scratch/use_c"
    "$scratch/use_c"
    # No heap, no exceptions, no I/O, no locale: nothing of that kind may be among what the library asks the linker for.
    wrong=$(nm -u "$scratch/build/libgomkit_runtime.a" |
        grep -wE '(_Zn[wa]|malloc|calloc|realloc|free|__cxa_throw|__cxa_begin_catch|fopen|printf|puts|fwrite|exit|setlocale|strtod|sinf?|cosf?|acosf?|powf?|atan2f?|expf?|logf?|_Zn[wa].*)' || true)
    [ -z "$wrong" ] || { echo "FAILED: the run-time library needs: $wrong"; exit 1; }
    echo "$count headers compile alone with $export_cxx"
    ;;
runtime_32bit)
    # 32-bit x86 with SSE maths: it builds, and poses have the bits they have in 64-bit programs.
    flags=(-std=c++20 -O2 -ffp-contract=off -Wall -Wextra -Werror)
    printf '#include <cstdio>\nint main() { std::puts("32"); }\n' >"$scratch/can.cpp"
    "$export_cxx" -m32 "$scratch/can.cpp" -o "$scratch/can" >"$scratch/log" 2>&1 && "$scratch/can" >"$scratch/log" 2>&1 ||
        { echo "SKIPPED: $export_cxx makes no 32-bit programs here (g++-multilib)"; exit 77; }
    for bits in 32 64; do
        machine="-m64"
        [ "$bits" = 64 ] || machine="-m32 -msse2 -mfpmath=sse"
        configure -S "$source/runtime" -B "$scratch/build$bits" -DCMAKE_CXX_FLAGS="$machine -fno-exceptions -fno-rtti -Werror" -DGOMKIT_RUNTIME_TESTS=OFF
        quiet cmake --build "$scratch/build$bits"
        for name in use_runtime player_hash pose_hash; do
            program=$here/src/$name.cpp
            [ -f "$program" ] || program=$source/runtime/test/$name.cpp
            # shellcheck disable=SC2086
            quiet "$export_cxx" $machine "${flags[@]}" -I "$source/runtime/include" "$program" "$scratch/build$bits/libgomkit_runtime.a" \
                  -o "$scratch/$name$bits"
            "$scratch/$name$bits" >"$scratch/$name$bits.txt"
        done
    done
    for name in player_hash pose_hash; do
        cmp "$scratch/${name}32.txt" "$scratch/${name}64.txt" || { echo "FAILED: $name: poses differ between 32 and 64 bits"; exit 1; }
    done
    ;;
add_subdirectory)
    project outer "set(CMAKE_CXX_STANDARD 20)
add_subdirectory($source gomkit EXCLUDE_FROM_ALL)
add_executable(use_runtime $here/src/use_runtime.cpp)
target_link_libraries(use_runtime PRIVATE gomkit::runtime)
add_executable(use_core $here/src/use_core.cpp)
target_link_libraries(use_core PRIVATE gomkit::core)
if(TARGET gomkit_cli OR BUILD_TESTING OR CMAKE_CXX_COMPILER_LAUNCHER OR CMAKE_RUNTIME_OUTPUT_DIRECTORY)
  message(FATAL_ERROR \"gomkit brought its program, tests or settings into the outer project\")
endif()"
    configure -S "$scratch/outer" -B "$scratch/build"
    quiet cmake --build "$scratch/build"
    "$scratch/build/use_runtime"
    "$scratch/build/use_core"
    ;;
find_package)
    # The run-time may need no other package, and the installed tree may be moved.
    configure -S "$source" -B "$scratch/gomkit" -DGOMKIT_RUNTIME_ONLY=ON -DCMAKE_DISABLE_FIND_PACKAGE_TBB=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON \
              -DCMAKE_DISABLE_FIND_PACKAGE_tl-expected=ON -DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON
    quiet cmake --build "$scratch/gomkit"
    quiet cmake --install "$scratch/gomkit" --prefix "$scratch/first"
    mv "$scratch/first" "$scratch/installed"
    if grep -rl --include='*.cmake' -e "$scratch" -e "$source" "$scratch/installed"; then echo "FAILED: a path of this machine was installed"; exit 1; fi
    version=$(sed -nE 's/.*kVersion = "([0-9.]+)".*/\1/p' "$source/libs/core/include/gomkit/core/version.hpp")
    project outer "find_package(gomkit ${version%.*} REQUIRED COMPONENTS runtime)
if(NOT gomkit_VERSION STREQUAL \"$version\")
  message(FATAL_ERROR \"version is '\${gomkit_VERSION}'\")
endif()
add_executable(use_runtime $here/src/use_runtime.cpp)
target_link_libraries(use_runtime PRIVATE gomkit::runtime)"
    configure -S "$scratch/outer" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/installed"
    quiet cmake --build "$scratch/build"
    "$scratch/build/use_runtime"
    project wants_more "find_package(gomkit REQUIRED COMPONENTS runtime viewer)"
    must_fail cmake -G Ninja -S "$scratch/wants_more" -B "$scratch/build2" -DCMAKE_PREFIX_PATH="$scratch/installed"
    grep -q "no component 'viewer'" "$scratch/log" || { cat "$scratch/log"; echo "FAILED: the message does not name the component"; exit 1; }
    project wants_newer "find_package(gomkit 99 REQUIRED COMPONENTS runtime)"
    must_fail cmake -G Ninja -S "$scratch/wants_newer" -B "$scratch/build3" -DCMAKE_PREFIX_PATH="$scratch/installed"
    ;;
*) echo "unknown way '$way'"; exit 2 ;;
esac
echo "$way: ok ($export_cxx)"
