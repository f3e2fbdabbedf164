# Findings and a count on stdout; 0 clean, 1 with an error, 3 when a file cannot be read.
. "$CLI/lib.sh"
cp "$GOM" good.gom
exits 0 "$GOMKIT" check good.gom
head -c 700 good.gom > cut.gom
exits 1 "$GOMKIT" check cut.gom good.gom > out.txt
grep -q '^cut.gom: error GOM_' out.txt
tail -n 1 out.txt | grep -qE '^2 files checked: [1-9][0-9]* errors?, [0-9]+ warnings?$'
exits 3 "$GOMKIT" check good.gom missing.gom
exits 1 "$GOMKIT" check cut.gom --json > c.json
json c.json 'd["ok"], d["exitCode"], d["files"][0]["format"], d["files"][0]["errors"] > 0, d["issues"][0]["severity"], d["issues"][0]["file"]'
exits 0 "$GOMKIT" check good.gom --canonical > canonical.txt
tail -n 1 canonical.txt | grep -qE '^1 file checked: 0 errors, 0 warnings, [0-9]+ not canonical$'
exits 1 "$GOMKIT" check cut.gom --max-issues 0 > none.txt 2> note.txt
