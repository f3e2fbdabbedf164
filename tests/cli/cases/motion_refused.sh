# What cannot be made of a motion, or into one.
. "$CLI/lib.sh"
cp "$GOM" a.gom
cp "$PLAIN" plain.gom
"$GOMKIT" convert a.gom -o a.mta -q
exits 4 "$GOMKIT" convert a.mta -o b.gom
exits 4 "$GOMKIT" convert plain.gom -o plain.mta
for option in "--normals generate" "--tangents none" --bake-static "--textures copy" "--textures collect"; do
    exits 4 "$GOMKIT" convert a.gom -o b.mta $option
done
printf 'MTAT0001\nEnd = true\n' > text.mta
exits 4 "$GOMKIT" info text.mta
exits 1 "$GOMKIT" check text.mta
head -c 600 a.mta > cut.mta
exits 1 "$GOMKIT" info cut.mta
printf 'nothing of the kind' > junk.mta
exits 1 "$GOMKIT" check junk.mta
left
