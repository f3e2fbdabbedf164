# A DxLib model through every command that reads one; our own file, with one of everything.
. "$CLI/lib.sh"
cp "$SOURCE/tests/fuzz/seeds/mv1_decode/sample.mv1" m.mv1
exits 0 "$GOMKIT" check m.mv1 --canonical
exits 0 "$GOMKIT" convert m.mv1 -o m.gom
exits 0 "$GOMKIT" check m.gom
"$GOMKIT" info m.mv1 --json > i.json
json i.json 'd["format"], d["version"], [b["path"] for b in d["skeleton"]["bones"]], [(c["name"], c["duration"]) for c in d["clips"]]'
json i.json 'sorted((l["kind"], l["count"]) for l in d["lost"])'
"$GOMKIT" dump m.mv1 --part 'frame[1].Name'
exits 2 "$GOMKIT" dump m.mv1 --part nothing 2> err.txt || true
# It is read only.
exits 4 "$GOMKIT" convert m.gom --to mv1 -o x.mv1 2> err.txt
grep -c 'cannot be written' err.txt
# Cut off, and not one at all.
head -c 500 m.mv1 > cut.mv1
exits 1 "$GOMKIT" convert cut.mv1 -o cut.gom 2> err.txt
grep -c '^cut.mv1: error Truncated' err.txt
exits 1 "$GOMKIT" check cut.mv1 > out.txt
grep -c '^cut.mv1: error MV1_DXA' out.txt
left
