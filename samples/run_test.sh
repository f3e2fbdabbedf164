#!/usr/bin/env bash
# The sample programs over the sample character: run_test.sh GOMKIT LOAD_AND_SKIN CROSSFADE MODELS
set -euo pipefail
gomkit=$1 load_and_skin=$2 crossfade=$3 models=$4
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
cd -- "$scratch"
fail() { echo "FAILED: $*"; cat -- *.txt; exit 1; }
expect() { grep -qE -- "$1" "$2" || fail "no line like '$1' in $2"; }
exit_is() { local code=0; "${@:2}" >out.txt 2>err.txt || code=$?; [ "$code" = "$1" ] || fail "exit code $code, not $1: ${*:2}"; }

"$gomkit" convert "$models/hero.fbx" -o hero.gom >convert.txt

exit_is 0 "$load_and_skin" hero.gom
expect '^22 bones, 1 parts, 1 materials, 2 clips$' out.txt
# At bind: feet on the ground, 1.74 m to the tips of the ears, arms to both sides alike.
expect '^Hero: [0-9]+ vertices, x -0\.565 to 0\.565, y 0\.000 to 1\.737, z ' out.txt
exit_is 0 "$load_and_skin" hero.gom walk 0.3
expect '^Hero: [0-9]+ vertices, x -0\.4[0-9]{2} to 0\.4[0-9]{2}, y -?0\.00[0-9] to 1\.7[0-9]{2}, z ' out.txt
exit_is 1 "$load_and_skin" hero.gom swim 0
expect "no clip 'swim'" err.txt
exit_is 1 "$load_and_skin" "$models/hero.fbx"
expect 'neither a GOM nor an MTA' err.txt
exit_is 1 "$load_and_skin" gone.gom
exit_is 2 "$load_and_skin"

exit_is 0 "$crossfade" hero.gom idle walk
[ "$(wc -l <out.txt)" = 21 ] || fail "crossfade prints $(wc -l <out.txt) lines, not 21"
expect '^0\.9 s  idle at 0\.900 s, weight 1\.00: Hips at ' out.txt
expect '^1\.0 s  walk at 0\.000 s, weight 0\.00: Hips at ' out.txt
expect '^1\.3 s  walk at 0\.300 s, weight 0\.60: Hips at ' out.txt
expect '^2\.0 s  walk at (0\.000|1\.000) s, weight 1\.00: Hips at ' out.txt
exit_is 1 "$crossfade" hero.gom idle swim
expect "no clip 'swim'" err.txt
exit_is 1 "$crossfade" hero.gom idle walk hero.gom
expect 'is a model' err.txt
exit_is 2 "$crossfade" hero.gom idle
