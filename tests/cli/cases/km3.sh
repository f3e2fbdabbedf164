# The worked example both ways, options of KM3 and of other targets, check, dump and diff.
. "$CLI/lib.sh"
cp "$SOURCE/tests/conformance/km3/good/example.km3" a.km3
"$GOMKIT" convert a.km3 -o b.km3 -q
cmp a.km3 b.km3
"$GOMKIT" check a.km3 --canonical
"$GOMKIT" convert a.km3 -o c.gom --json > c.json
json c.json 'd["files"][0]["from"], d["files"][0]["counts"]["triangles"], d["files"][0]["counts"]["bones"], d["lost"]'
"$GOMKIT" convert a.km3 -o in.km3 --km3-normals inward --scale 0.5 -q
"$GOMKIT" dump in.km3 --part 'unit[0].norms[0]' | cut -c62- | tr -s ' '
"$GOMKIT" dump in.km3 --part 'unit[1].t' | cut -c62- | tr -s ' '
"$GOMKIT" convert c.gom -o rigid.km3 --km3-weights off --km3-quads -q
"$GOMKIT" dump rigid.km3 --part 'unit[0].vid' | cut -c62- | tr -s ' '
"$GOMKIT" dump rigid.km3 | grep 'verts\[' | grep -vc ' 1  *KM3-WEIGHT' || true
exits 0 "$GOMKIT" diff c.gom b.km3
exits 1 "$GOMKIT" diff c.gom rigid.km3
exits 4 "$GOMKIT" convert a.km3 -o d.gom --km3-normals inward
exits 4 "$GOMKIT" convert c.gom -o d.gom --km3-quads
exits 4 "$GOMKIT" convert c.gom -o d.gom --km3-weights on
exits 4 "$GOMKIT" convert c.gom -o d.gom --scale 1
exits 4 "$GOMKIT" convert c.gom -o d.km3 --bake-static
exits 4 "$GOMKIT" convert c.gom -o d.km3 --tangents none
exits 2 "$GOMKIT" convert c.gom -o d.km3 --scale 0
exits 2 "$GOMKIT" convert c.gom -o d.km3 --scale 1,5
exits 2 "$GOMKIT" convert c.gom -o d.km3 --km3-normals up
exits 6 "$GOMKIT" check "$SOURCE/tests/conformance/km3/bad/limit_units.km3" > out.txt
cp "$SOURCE/tests/conformance/km3/bad/index_vid.km3" "$SOURCE/tests/conformance/km3/bad/weight_above.km3" .
exits 1 "$GOMKIT" check index_vid.km3
exits 1 "$GOMKIT" convert weight_above.km3 -o d.km3 --strict
exits 0 "$GOMKIT" convert weight_above.km3 -o d.km3 --lenient -q
cmp d.km3 "$SOURCE/tests/conformance/km3/good/two.km3"
# Known by its contents, without a name.
cp a.km3 nameless
"$GOMKIT" info nameless | head -n 2 | tail -n 1
