. "$CLI/lib.sh"
cp "$GOM" a.gom
exits 4 "$GOMKIT" convert a.gom -o b.gom --tangents generate
exits 4 "$GOMKIT" convert a.gom -o b.gom --normals generate
exits 4 "$GOMKIT" convert a.gom -o b.gom --bake-static
left
