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
exits 1 "$GOMKIT" diff a.ps1m d.ps1m   # a GOM has no double-sided materials
"$GOMKIT" dump d.ps1m --part 'vertex[2].position' | cut -c61- | tr -s ' '
"$GOMKIT" convert c.gom -o e.ps1m --scale 0.5 --ps1-fps 30 -q
"$GOMKIT" dump e.ps1m --part 'vertex[2].position' | cut -c61- | tr -s ' '
"$GOMKIT" dump e.ps1m --part 'clip[0].nframes' | cut -c61- | tr -s ' '
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
# Older generations come out as the newest; what the console has no room for is read, and written only where it fits.
"$GOMKIT" convert "$SOURCE/tests/conformance/ps1m/good/first_generation.ps1m" -o newest.ps1m -q
"$GOMKIT" check newest.ps1m --canonical
cp "$SOURCE/tests/conformance/ps1m/bad/limit_bones.ps1m" "$SOURCE/tests/conformance/ps1m/bad/index_edge.ps1m" .
exits 1 "$GOMKIT" check limit_bones.ps1m
exits 4 "$GOMKIT" convert limit_bones.ps1m -o j.ps1m --ps1-fps 15 --scale 0.9
exits 1 "$GOMKIT" convert index_edge.ps1m -o i.gom
# Known by its magic, whatever it is called.
cp a.ps1m model.bin
"$GOMKIT" info model.bin | head -n 2 | tail -n 1
"$GOMKIT" pose model.bin --clip nod --time 0.0666667 --json > pose.json
json pose.json '[[round(c, 3) for c in p] for p in d["parts"][0]["positions"]]'
"$GOMKIT" convert c.gom -o x.ps1m --ps1-triangles 1 --explain
"$GOMKIT" convert c.gom -o x.ps1m --ps1-compat --ps1-share-slots --explain | grep -e clips -e space -e slots
"$GOMKIT" convert a.ps1m -o x.ps1m --explain | grep meshes
"$GOMKIT" convert a.ps1m -o x.ps1m --scale 0.5 --ps1-triangles 1 --explain | grep -e decimate -e clips -e space
exits 2 "$GOMKIT" convert c.gom -o x.ps1m --fit --ps1-compat
exits 4 "$GOMKIT" convert c.gom -o x.ps1m --scale 0.000001
"$GOMKIT" convert c.gom -o x.ps1m --save anim --json > anim.json
json anim.json '[i["id"] for i in d["issues"] if i["severity"] == "warning"]'
