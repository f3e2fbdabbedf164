# A usage error is a JSON document too.
. "$CLI/lib.sh"
exits 2 "$GOMKIT" convert --json --nonsense x.fbx > a.json
json a.json 'd["ok"], d["exitCode"], d["errors"][0]["name"], d["errors"][0]["code"]'
exits 2 "$GOMKIT" chekc --json > b.json
json b.json 'd["errors"][0]["what"]'
exits 2 "$GOMKIT" --json > c.json
json c.json 'd["errors"][0]["what"]'
