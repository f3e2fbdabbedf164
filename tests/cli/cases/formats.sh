. "$CLI/lib.sh"
"$GOMKIT" formats > text.txt
grep -q '^gom  GOM version 1 (.gom)$' text.txt
"$GOMKIT" formats --json > f.json
json f.json '[(f["read"], f["write"], f["check"], f["dump"], f["extensions"]) for f in d["formats"] if f["id"] == "gom"]'
json f.json 'all(f["kept"] and f["lost"] for f in d["formats"])'
