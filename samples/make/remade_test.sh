#!/usr/bin/env bash
# The committed sample is what its maker makes: remade_test.sh MAKE_HERO MODELS
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
"$1" "$scratch" >"$scratch/log"
for file in hero.fbx hero.png; do
    cmp -- "$2/$file" "$scratch/$file"
done
