#!/usr/bin/env bash
# Runs gomkit with the arguments given, from any folder. The first use sets up and builds (some minutes); later uses only ask ninja
# whether a source changed (a few hundredths of a second). What set-up and build print goes to build/release/gomkit.sh.log.
set -euo pipefail
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
build=$root/build/release
program=$build/bin/gomkit
log=$build/gomkit.sh.log

say() { printf 'gomkit.sh: %s\n' "$*" >&2; }

fail() {
    say "$1; all of the output: $log"
    grep -m 5 -E '(^|[^a-z])(error|Error|FAILED)' -- "$log" >&2 || tail -n 15 -- "$log" >&2
    exit 7
}

# compile LOG: builds the program. On a terminal ninja's progress is one line that is written over; all else goes to the log.
compile() {
    local line
    ninja -C "$build" gomkit_cli 2>&1 </dev/null | while IFS= read -r line; do
        printf '%s\n' "$line" >>"$1"
        if [ -t 2 ] && [[ $line == \[* ]]; then printf '\rgomkit.sh: building %s ' "${line%%]*}]" >&2; fi
    done
    local status=${PIPESTATUS[0]}
    if [ -t 2 ]; then printf '\r%40s\r' '' >&2; fi
    return "$status"
}

set_up_and_compile() {
    say "setting up and building; this happens once and takes some minutes"
    : >"$log"
    "$root/setup.sh" program 2> >(tee -a -- "$log" >&2) || exit 7
    (cd -- "$root" && cmake --preset release) >>"$log" 2>&1 </dev/null || fail "cmake failed"
    compile "$log" || fail "the build failed"
}

# Where the folder cannot be written (installed by somebody else) the program is run as it is.
if mkdir -p -- "$build" 2>/dev/null && [ -w "$build" ]; then
    exec 9>"$build/.gomkit.sh.lock"
    flock 9
    if [ -f "$build/build.ninja" ] && [ -x "$program" ] && command -v ninja >/dev/null; then
        # Nothing changed: ninja says so and is done. Something did: it builds, and where that fails set-up has its turn.
        : >"$log.now"
        compile "$log.now" || set_up_and_compile
    else
        set_up_and_compile
    fi
    exec 9>&-
elif [ ! -x "$program" ]; then
    say "gomkit is not built yet, and $build cannot be written"
    exit 7
fi
exec "$program" "$@"
