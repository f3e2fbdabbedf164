. "$CLI/lib.sh"
cp "$CLI/data/plain.fbx" a.fbx
"$GOMKIT" convert a.fbx --explain --tangents none
"$GOMKIT" convert a.fbx --explain --json > e.json
json e.json 'd["ok"], d["files"][0]["output"], [s["name"] for s in d["files"][0]["steps"]][-1]'
exits 3 "$GOMKIT" convert none.fbx --explain 2> /dev/null
rm e.json
left
