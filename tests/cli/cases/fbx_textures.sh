# keep, copy and collect; missing pictures; --texture-path; nothing is replaced that is not ours.
. "$CLI/lib.sh"
mkdir in out far
cp "$CLI/data/plain.fbx" in/a.fbx
maps() { "$GOMKIT" info "$1" --json > info.json; json info.json '[t["path"] for t in d["textures"]]'; rm info.json; }
exits 0 "$GOMKIT" convert in/a.fbx -o out -q 2> err.txt
exits 0 "$GOMKIT" convert in/a.fbx -o out > /dev/null
cp out/a.gom missing.gom
maps out/a.gom
exits 1 "$GOMKIT" convert in/a.fbx -o none.gom --warnings-as-errors > /dev/null
echo picture > far/skin.png
exits 0 "$GOMKIT" convert in/a.fbx -o out --texture-path far --warnings-as-errors -q
cmp out/a.gom missing.gom
exits 0 "$GOMKIT" convert in/a.fbx -o out --texture-path far --textures copy
maps out/a.gom
cmp far/skin.png out/tex/skin.png
echo other > out/tex/skin.png
exits 5 "$GOMKIT" convert in/a.fbx -o out/b.gom --texture-path far --textures copy
test ! -e out/b.gom
exits 0 "$GOMKIT" convert in/a.fbx -o out/c.gom --texture-path far --textures collect --depfile out/c.d
maps out/c.gom
cat out/c.d
"$GOMKIT" check out/c.gom
left
