# PS1M: the worked example both ways, its options, those of other targets, what overflows, check, dump, diff, pose and info.
. "$CLI/lib.sh"
cp "$SOURCE/tests/conformance/ps1m/good/example_ik.ps1m" a.ps1m
"$GOMKIT" convert a.ps1m -o b.ps1m -q
cmp a.ps1m b.ps1m
"$GOMKIT" check a.ps1m --canonical
"$GOMKIT" convert a.ps1m -o c.gom --json > c.json
json c.json 'd["files"][0]["from"], d["files"][0]["counts"]["triangles"], d["files"][0]["counts"]["bones"], d["files"][0]["counts"]["clips"], d["lost"]'
"$GOMKIT" check c.gom
# Back from the GOM: all but what only a PS1M has.
"$GOMKIT" convert c.gom -o d.ps1m -q
exits 0 "$GOMKIT" diff a.ps1m d.ps1m
"$GOMKIT" dump d.ps1m --part 'vertex[2].position' | cut -c62- | tr -s ' '
"$GOMKIT" convert c.gom -o e.ps1m --scale 0.5 --ps1-fps 30 -q
"$GOMKIT" dump e.ps1m --part 'vertex[2].position' | cut -c62- | tr -s ' '
"$GOMKIT" dump e.ps1m --part 'clip[0].nframes' | cut -c62- | tr -s ' '
"$GOMKIT" convert c.gom -o f.ps1m --ps1-max-bones 1 --json > f.json
json f.json '[i["text"] for i in d["issues"] if i["id"] == "PS1_COLLAPSED"]'
exits 4 "$GOMKIT" convert c.gom -o g.ps1m --scale 100
"$GOMKIT" convert c.gom -o g.ps1m --scale 100 --fit --json > g.json
json g.json '[i["text"] for i in d["issues"] if i["id"] in ("PS1_FITTED", "PS1_BUDGET")]'
exits 4 "$GOMKIT" convert a.ps1m -o d.gom --fit
exits 4 "$GOMKIT" convert a.ps1m -o d.gom --ps1-compat
exits 4 "$GOMKIT" convert c.gom -o h.ps1m --tangents none
exits 2 "$GOMKIT" convert c.gom -o h.ps1m --ps1-max-bones 65
exits 2 "$GOMKIT" convert c.gom -o h.ps1m --ps1-fps 0.5
exits 2 "$GOMKIT" convert c.gom -o h.ps1m --ps1-triangles 8193
exits 2 "$GOMKIT" convert c.gom -o h.ps1m --ps1-root-motion flag
cp "$SOURCE/tests/conformance/ps1m/bad/"*bone*range*.ps1m bad.ps1m 2>/dev/null || true
# Known by its magic, whatever it is called.
cp a.ps1m model.bin
"$GOMKIT" info model.bin | head -n 2 | tail -n 1
"$GOMKIT" pose model.bin --clip nod --time 0.0666667 --json > pose.json
json pose.json '[[round(c, 3) for c in p] for p in d["parts"][0]["positions"]]'
"$GOMKIT" convert c.gom -o x.ps1m --ps1-triangles 1 --explain
