#!/usr/bin/env bash
# The same poses, palettes, skins and blend shapes from every compiler, optimisation level and build: compiles pose_hash.cpp with the run-time's
# sources in each configuration and compares what it prints with pose_hash.txt. A configuration that this machine cannot build is
# skipped, and said to be.
# usage: pose_matrix.sh SCRATCH_FOLDER [--all]      without --all: the four that differ most
set -euo pipefail
scratch=${1:?usage: pose_matrix.sh SCRATCH_FOLDER [--all]}
runtime=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
mkdir -p -- "$scratch"
common=(-std=c++20 -ffp-contract=off -fno-rtti -I"$runtime/include")
launcher=()
if command -v ccache >/dev/null; then launcher=(ccache); fi
clang=$(command -v clang++ || command -v clang++-14 || echo clang++)
configurations=(
    "g++ -O3 -mavx2 -mfma"
    "g++ -O0 -DGOMKIT_RUNTIME_NO_SIMD"
    "g++ -O2 -m32 -msse2 -mfpmath=sse"
    "$clang -O3"
)
if [ "${2:-}" = --all ]; then
    configurations+=(
        "g++ -O0"
        "g++ -O2"
        "g++ -O3"
        "g++ -O2 -DGOMKIT_RUNTIME_NO_AVX2"
        "g++ -O3 -DGOMKIT_RUNTIME_NO_SIMD"
        "g++ -O0 -m32 -msse2 -mfpmath=sse -DGOMKIT_RUNTIME_NO_SIMD"
        "$clang -O0"
        "$clang -O3 -DGOMKIT_RUNTIME_NO_SIMD"
        "$clang -O2 -m32 -msse2 -mfpmath=sse"
    )
fi
sources=()
for name in file_verifier file_view math model_view morph_job palette_job sample_job scan sha256 simd_path skin_job status verify; do
    sources+=("$runtime/src/$name.cpp")
done
sources+=("$runtime/test/pose_hash.cpp")

printf 'int main() { return 0; }\n' >"$scratch/trial.cpp"
read -r wanted <"$runtime/test/pose_hash.txt"
compared=0
failed=0
for configuration in "${configurations[@]}"; do
    read -r -a command <<<"$configuration"
    if [[ $configuration == *-mavx2* ]] && ! grep -qsw avx2 /proc/cpuinfo; then
        echo "skipped: $configuration (this CPU has no AVX2)"
        continue
    fi
    if ! "${command[@]}" "$scratch/trial.cpp" -o "$scratch/trial" 2>/dev/null || ! "$scratch/trial"; then
        echo "skipped: $configuration (this compiler cannot build or run it)"
        continue
    fi
    folder=$scratch/$(printf '%s' "$configuration" | tr -c 'A-Za-z0-9' '_')
    mkdir -p -- "$folder"
    while IFS= read -r source; do
        "${launcher[@]}" "${command[@]}" "${common[@]}" -c "$source" -o "$folder/$(basename -- "$source" .cpp).o" &
        while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || failed=1; done
    done < <(printf '%s\n' "${sources[@]}")
    wait
    "${command[@]}" "$folder"/*.o -o "$folder/pose_hash"
    if ! hash=$("$folder/pose_hash"); then
        echo "FAILED: $configuration"
        failed=1
        continue
    fi
    echo "$hash $configuration"
    compared=$((compared + 1))
    if [ "$hash" != "$wanted" ]; then
        echo "FAILED: $configuration differs from pose_hash.txt"
        failed=1
    fi
done
if [ "$compared" -eq 0 ]; then
    echo "FAILED: nothing was compared"
    failed=1
fi
exit "$failed"
