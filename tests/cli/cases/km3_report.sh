# What a model loses on its way to KM3, in words and in numbers.
. "$CLI/lib.sh"
cp "$GOM" a.gom
"$GOMKIT" convert a.gom --to km3 --json > c.json
json c.json '[i["id"] for i in d["issues"] if i["id"].startswith("KM3_")]'
json c.json 'sorted([i["arguments"] for i in d["issues"] if i["id"] == "KM3_FIT"][0])'
json c.json 'd["lost"]'
"$GOMKIT" convert a.gom --to km3 --explain | tail -n 8
"$GOMKIT" convert a.gom -o b.km3 -v 2>&1 | grep -c 'info KM3_FIT: moved: most '
