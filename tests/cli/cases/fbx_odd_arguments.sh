# Arguments that could be taken for something else.
. "$CLI/lib.sh"
mkdir out
cp "$CLI/data/plain.fbx" ./-x.fbx
cp ./-x.fbx '[a,b]'
cp ./-x.fbx '[c]'
exits 0 "$GOMKIT" -- -x.fbx > line.txt 2> err.txt
cut -d: -f1 line.txt
exits 0 "$GOMKIT" convert --bake-static '[a,b]' -o out > line.txt 2> err.txt
cut -d: -f1 line.txt
exits 0 "$GOMKIT" convert -v '[a,b]' '[c]' -o out > line.txt 2> err.txt
cut -d: -f1 line.txt
exits 0 "$GOMKIT" convert -qo '[o].gom' -- '[a,b]' 2> err.txt
exits 0 "$GOMKIT" convert -o '[p].gom' '[c]' -q
rm err.txt line.txt
left
