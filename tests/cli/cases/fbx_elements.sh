# What a file is made of, as text and as JSON; the same each time; the ids are those of check.
. "$CLI/lib.sh"
cp "$CLI/data/plain.fbx" a.fbx
exits 0 "$GOMKIT" info a.fbx --elements
exits 0 "$GOMKIT" info a.fbx --elements --props > t.txt
grep -F DiffuseColor t.txt
exits 0 "$GOMKIT" info a.fbx --elements --props --json > e.json
json e.json 'd["ok"], len(d["elements"]), d["elements"][0]["kind"], d["elements"][5]["properties"], d["elements"][5]["connections"]'
hero=$SOURCE/samples/models/hero.fbx
"$GOMKIT" info "$hero" --elements --props --json > e.json
json e.json 'len({e["id"] for e in d["elements"]}) == len(d["elements"]) - 1, all(c["to"] in {e["id"] for e in d["elements"]} for e in d["elements"] for c in e["connections"])'
json e.json '[p for e in d["elements"] if e["kind"] == "animated value" for p in e["properties"]][:1]'
"$GOMKIT" info "$hero" --elements --props > one.txt
"$GOMKIT" info "$hero" --elements --props > two.txt
cmp one.txt two.txt
head -c 1500 a.fbx > cut.fbx
exits 1 "$GOMKIT" info cut.fbx --elements
exits 1 "$GOMKIT" info cut.fbx --elements --json > e.json
json e.json 'd["ok"], d["elements"], d["errors"][0]["name"]'
exits 4 "$GOMKIT" info "$GOM" --elements
exits 2 "$GOMKIT" info a.fbx --props
