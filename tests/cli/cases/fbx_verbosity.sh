# -q prints errors only, -v notes too.
. "$CLI/lib.sh"
cp "$CLI/data/plain.fbx" a.fbx
exits 0 "$GOMKIT" convert a.fbx -q
mkdir TEX
echo x > TEX/SKIN.PNG
exits 0 "$GOMKIT" convert a.fbx > line.txt
exits 0 "$GOMKIT" convert a.fbx -v > line.txt
exits 0 "$GOMKIT" convert a.fbx --max-issues 0 > line.txt
rm -r TEX
exits 0 "$GOMKIT" convert a.fbx --max-issues 0 > line.txt
exits 1 "$GOMKIT" convert a.fbx --max-issues 0 --warnings-as-errors -q
exits 1 "$GOMKIT" convert a.fbx --warnings-as-errors --json > refused.json
json refused.json '[(e["name"], e["file"]) for e in d["errors"]]'
exits 2 "$GOMKIT" convert a.fbx --reduce-radius 0.2
