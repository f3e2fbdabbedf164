. "$CLI/lib.sh"
cp "$GOM" a.gom
"$GOMKIT" info a.gom > text.txt
grep -q '^format      gom 1' text.txt
grep -q '^signature   [0-9a-f]\{64\}$' text.txt
"$GOMKIT" info a.gom --json > i.json
json i.json 'sorted(d)'
json i.json 'd["skeleton"]["signature"]' > one.txt
"$GOMKIT" signature a.gom > two.txt
cmp one.txt two.txt
"$GOMKIT" signature a.gom --json > s.json
json s.json 'd["signature"] == open("two.txt").read().strip()'
json i.json 'len(d["clips"]) > 0 and sorted(d["clips"][0])'
# Numbers are rounded for people; a GOM was made by a converter.
grep -q 'specular 0.04 0.04 0.04' text.txt
grep -q '^converter   conformance 1$' text.txt
exits 1 grep -q '^exporter' text.txt
