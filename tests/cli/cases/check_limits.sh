# What is beyond a limit is not known to be wrong: 6, unless something else is.
. "$CLI/lib.sh"
bad=$SOURCE/tests/conformance/gom/bad
exits 6 "$GOMKIT" check "$bad/limit1_keys.gom" > out.txt
exits 6 "$GOMKIT" check "$GOM" "$bad/limit1_keys.gom" > out.txt
exits 6 "$GOMKIT" check "$bad/limit1_keys.gom" --json > c.json
json c.json 'd["exitCode"], d["files"][0]["exitCode"], d["ok"]'
head -c 700 "$GOM" > cut.gom
exits 1 "$GOMKIT" check cut.gom > out.txt
