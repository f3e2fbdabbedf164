#!/usr/bin/env bash
# gomkit.sh as a newcomer uses it: from another folder, with relative arguments; nothing printed of its own, quick when nothing changed, the
# program's exit code. Needs the release build (test.sh --all makes it). usage: first_use.sh SOURCE_DIR
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
fail() { echo "FAILED: $*"; exit 1; }

mkdir -p "$scratch/a folder"
cp "$source/samples/models/hero.fbx" "$scratch/a folder/in.fbx"
cd "$scratch/a folder"
ln -s "$source/gomkit.sh" ../link.sh
"$source/gomkit.sh" convert in.fbx -o out.gom 2>err || fail "convert: $(cat err)"
[ -s out.gom ] || fail "no output"
if grep -q 'gomkit.sh:' err; then fail "it talks although the program is built: $(cat err)"; fi
../link.sh convert in.fbx -o again.gom || fail "through a symbolic link"
cmp out.gom again.gom
code=0
"$source/gomkit.sh" convert absent.fbx -o x.gom 2>/dev/null || code=$?
[ "$code" -eq 3 ] || fail "an absent input gives exit code $code, not the program's 3"

best=999999
for _ in 1 2 3 4 5; do
    start=$(date +%s%N)
    "$source/gomkit.sh" --version >/dev/null
    took=$((($(date +%s%N) - start) / 1000000))
    if [ "$took" -lt "$best" ]; then best=$took; fi
done
echo "gomkit.sh --version: $best ms"
[ "$best" -lt 500 ] || fail "starting takes $best ms"
