#!/usr/bin/env bash
# Runs every libFuzzer target for some seconds and prints executions. usage: tools/run_fuzz.sh [-s SECONDS] [TARGET...]
# New inputs go to build/fuzz/corpus/<target>, crashes to build/fuzz/crashes/<target>; a crash makes the exit code 1.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
seconds=60
while getopts s: option; do
    case $option in
        s) seconds=$OPTARG ;;
        *) echo "usage: tools/run_fuzz.sh [-s SECONDS] [TARGET...]" >&2; exit 2 ;;
    esac
done
shift $((OPTIND - 1))
case $seconds in '' | *[!0-9]*) echo "run_fuzz.sh: '$seconds' is no number of seconds" >&2; exit 2 ;; esac

"$root/setup.sh"
build=$root/build/fuzz
(cd -- "$root" && cmake --preset fuzz >/dev/null)
targets=("$@")
if [ "${#targets[@]}" -eq 0 ]; then
    mapfile -t targets < <(ninja -C "$build" -t targets all | sed -nE 's/^(fuzz_[a-z0-9_]+): phony.*/\1/p' | sort)
    [ "${#targets[@]}" -gt 0 ] || { echo "run_fuzz.sh: there is no fuzz target" >&2; exit 1; }
fi
targets=("${targets[@]/#fuzz_/}")
cmake --build "$build" -j "$(nproc)" --target "${targets[@]/#/fuzz_}"

failed=0
printf '%-28s %14s %10s %8s %s\n' target executions per_second coverage result
for target in "${targets[@]}"; do
    target=fuzz_${target#fuzz_}
    program=$build/bin/$target
    [ -x "$program" ] || { echo "run_fuzz.sh: no target $target" >&2; exit 2; }
    corpus=$build/corpus/$target crashes=$build/crashes/$target
    mkdir -p -- "$corpus" "$crashes"
    folders=("$corpus")
    case $target in
        fuzz_gomt) files=gomt ;;
        fuzz_km3) files=km3 ;;
        fuzz_ps1m | fuzz_ps1_preview) files=ps1m ;;
        fuzz_mta | fuzz_motion) files=mta ;;
        fuzz_fbx | fuzz_image | fuzz_mv1_*) files=none ;;
        *) files=gom ;;
    esac
    for folder in "$root/tests/fuzz/seeds/${target#fuzz_}" "$root/tests/fuzz/crashes/${target#fuzz_}" "$root/tests/conformance/$files/good" \
                  "$root/tests/conformance/$files"; do
        if [ -d "$folder" ]; then folders+=("$folder"); fi
    done
    options=(-max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 -artifact_prefix="$crashes/" -print_final_stats=1 -use_value_profile=1)
    case $files in   # files of a megabyte among the seeds test a count only
        km3 | ps1m) options+=(-max_len=8192) ;;
    esac
    dictionary=$root/tests/fuzz/dict/${target#fuzz_}.dict
    [ -f "$dictionary" ] || dictionary=$root/tests/fuzz/dict/$files.dict
    if [ -f "$dictionary" ]; then options+=(-dict="$dictionary"); fi
    log=$build/$target.log
    result=ok
    "$program" "${options[@]}" "${folders[@]}" >"$log" 2>&1 || { result="CRASH, see $log"; failed=1; }
    executions=$(sed -nE 's/^stat::number_of_executed_units: +([0-9]+)/\1/p' "$log")
    rate=$(sed -nE 's/^stat::average_exec_per_sec: +([0-9]+)/\1/p' "$log")
    coverage=$(sed -nE 's/.* cov: ([0-9]+).*/\1/p' "$log" | tail -n 1)
    printf '%-28s %14s %10s %8s %s\n' "$target" "${executions:-?}" "${rate:-?}" "${coverage:-?}" "$result"
done
exit "$failed"
