. "$CLI/lib.sh"
"$GOMKIT" --version
"$GOMKIT" --version --json > v.json
json v.json 'd["ok"], sorted(d)'
# The printed versions are the pinned ones.
json v.json 'd["mikktspace"]' > mikktspace.txt
grep -A1 '"mikktspace-sys"' "$SOURCE/third_party/Cargo.lock" | grep -q "\"$(cat mikktspace.txt)\"" || grep -q external mikktspace.txt
