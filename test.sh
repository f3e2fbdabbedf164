#!/usr/bin/env bash
# Sets up, builds and tests. ./test.sh is what everybody runs; --all adds what .ci/run does: the sanitizer build and the byte matrix (the
# same files converted by the programs of clang -O3, which is dev, of gcc -O3, which is release, and of gcc -O0; tests labelled "matrix").
# The last line is "N passed, N failed, N skipped".
# Tests on real files use $GOMKIT_CORPUS, default ../shared/corpus beside the source tree, and are skipped where it is absent.
set -uo pipefail
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
cd -- "$root" || exit 1

all=no
case "${1:-}" in
    '') ;;
    --all) all=yes ;;
    *) printf 'usage: ./test.sh [--all]\n' >&2; exit 2 ;;
esac

if [ -z "${GOMKIT_CORPUS:-}" ] && [ -d "$root/../shared/corpus" ]; then
    GOMKIT_CORPUS=$(cd -- "$root/../shared/corpus" && pwd)
fi
if [ -n "${GOMKIT_CORPUS:-}" ]; then export GOMKIT_CORPUS; fi

jobs=$(nproc)
passed=0 failed=0 skipped=0
step() { printf -- '--- %s (%d s)\n' "$*" "$SECONDS"; }

finish() {
    if [ "$passed" -eq 0 ] && [ "$failed" -eq 0 ]; then
        printf 'no test was run\n'
        failed=1
    fi
    if [ "$skipped" -gt 0 ]; then
        printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
    else
        printf '%d passed, %d failed\n' "$passed" "$failed"
    fi
    [ "$failed" -eq 0 ] || exit 1
    exit 0
}

# A step that no test can do without: its failure counts as one failed test and ends the run.
need() {
    local what=$1 log=$root/build/$1.log
    shift
    mkdir -p -- "$root/build"
    if ! "$@" >"$log" 2>&1; then
        grep -nE -A 4 'error|Error|FAILED' "$log" | head -n 60
        tail -n 20 -- "$log"
        printf '%s failed; all of its output: %s\n' "$what" "$log"
        failed=$((failed + 1))
        finish
    fi
}

# count COMMAND...: one test outside ctest.
count() {
    "$@" </dev/null
    case $? in
        0) passed=$((passed + 1)) ;;
        77) skipped=$((skipped + 1)) ;;
        *) failed=$((failed + 1)) ;;
    esac
}

# run_ctest PRESET [ctest arguments]: adds ctest's results to the counts.
run_ctest() {
    local preset=$1 results=$root/build/$1.junit.xml code counts
    shift
    rm -f -- "$results"
    ctest --preset "$preset" --no-tests=error -j "$jobs" --progress --output-junit "$results" "$@" </dev/null
    code=$?
    if counts=$(python3 tools/junit_counts.py "$results"); then
        read -r p f s <<<"$counts"
        passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
        if [ "$code" -ne 0 ] && [ "$f" -eq 0 ]; then failed=$((failed + 1)); fi
    else
        failed=$((failed + 1))
    fi
}

step "set-up"
./setup.sh || { failed=1; finish; }

step "build dev"
need configure-dev cmake --preset dev
need build-dev cmake --build --preset dev -j "$jobs"
step "tests"
if [ "$all" = yes ]; then
    run_ctest dev
else
    run_ctest dev -LE '^matrix$'
fi

if [ "$all" = yes ]; then
    step "build asan"
    need configure-asan cmake --preset asan
    need build-asan cmake --build --preset asan -j "$jobs"
    step "tests under AddressSanitizer and UndefinedBehaviorSanitizer"
    run_ctest asan

    programs=(--program "dev=$root/build/dev/bin/gomkit")
    for preset in release gcc-O0; do
        step "build $preset"
        need "configure-$preset" cmake --preset "$preset"
        need "build-$preset" cmake --build --preset "$preset" -j "$jobs" --target gomkit_cli
        programs+=(--program "$preset=$root/build/$preset/bin/gomkit")
    done
    step "large files"
    need build-stress cmake --build --preset dev -j "$jobs" --target gomkit_stress_files gomkit_ufbx_alone
    count python3 tests/stress/stress.py build/dev/bin/gomkit build/dev/bin/gomkit_stress_files build/dev/bin/gomkit_ufbx_alone
    step "gomkit.sh"
    count tests/docs/first_use.sh "$root"
    step "byte matrix"
    count python3 tests/determinism/run.py "${programs[@]}" --count 20
fi
step "done"
finish
