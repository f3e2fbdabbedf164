. "$CLI/lib.sh"
cp "$GOM" a.gom
other=
for file in "$SOURCE"/tests/conformance/gom/good/*.gom; do
    if ! "$GOMKIT" diff a.gom "$file" -q > out.txt; then other=$file; break; fi
done
exits 0 "$GOMKIT" diff a.gom a.gom
exits 1 "$GOMKIT" diff a.gom "$other" > out.txt
tail -n 1 out.txt | grep -qE '^[0-9]+ differences?$'
exits 1 "$GOMKIT" diff a.gom "$other" --json > d.json
json d.json 'd["ok"], d["exitCode"], len(d["differences"]) > 0, sorted(d["differences"][0])'
head -c 600 a.gom > cut.gom
exits 3 "$GOMKIT" diff a.gom cut.gom 2> err.txt
grep -q '^cut.gom: error ' err.txt
exits 3 "$GOMKIT" diff cut.gom a.gom --json > e.json
json e.json 'd["exitCode"], d["errors"][0]["file"], d["differences"]'
