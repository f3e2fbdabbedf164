# FBX to GOM: beside the input, to a file, without a verb; the same bytes each time.
. "$CLI/lib.sh"
cp "$SOURCE/samples/models/hero.fbx" "$SOURCE/samples/models/hero.png" .
"$GOMKIT" hero.fbx
"$GOMKIT" convert hero.fbx -o other.gom -q --jobs 1
mkdir elsewhere
cp hero.fbx elsewhere/renamed.fbx
"$GOMKIT" convert elsewhere/renamed.fbx -q --jobs 3 2> /dev/null
cmp hero.gom other.gom
cmp hero.gom elsewhere/renamed.gom
exits 0 "$GOMKIT" check hero.gom
exits 0 "$GOMKIT" diff hero.fbx hero.gom
exits 0 "$GOMKIT" check hero.fbx > out.txt
exits 4 "$GOMKIT" convert hero.gom -o back.fbx 2> err.txt
exits 4 "$GOMKIT" dump hero.fbx 2> err.txt
test "$("$GOMKIT" signature hero.fbx -q)" = "$("$GOMKIT" signature hero.gom)"
"$GOMKIT" convert hero.fbx -o j.gom --json > c.json
json c.json 'd["ok"], d["files"][0]["counts"]["bones"] > 0, d["files"][0]["counts"]["clips"], d["files"][0]["from"], d["files"][0]["to"]'
head -c 10000 hero.fbx > cut.fbx
exits 1 "$GOMKIT" convert cut.fbx 2> err.txt
test ! -e cut.gom
