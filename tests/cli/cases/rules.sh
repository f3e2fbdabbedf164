. "$CLI/lib.sh"
"$GOMKIT" rules IO_TEXTURE_MISSING
"$GOMKIT" rules > all.txt
"$GOMKIT" rules --json > r.json
test "$(wc -l < all.txt)" = "$(json r.json 'len(d["rules"])')"
json r.json 'len({r["id"] for r in d["rules"]}) == len(d["rules"]), [r["id"] for r in d["rules"]] == sorted(r["id"] for r in d["rules"])'
json r.json '{r["severity"] for r in d["rules"]} <= {"error", "warning", "info", "canonical"}'
"$GOMKIT" rules IO_TEXTURE_MISSING --json > one.json
json one.json '[r["id"] for r in d["rules"]]'
