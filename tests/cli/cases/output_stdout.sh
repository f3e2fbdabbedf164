# -o /dev/stdout: stdout is the model and nothing else, whatever stdout is.
. "$CLI/lib.sh"
cp "$PLAIN" a.gom
exits 0 "$GOMKIT" convert a.gom -o b.gom -q
exits 0 "$GOMKIT" convert a.gom -o /dev/stdout > file
cmp b.gom file
"$GOMKIT" convert a.gom -o /dev/stdout -q | cmp b.gom -
"$GOMKIT" convert a.gom --to gom -o /dev/fd/1 -q | cmp b.gom -
# It is written through the descriptor, not renamed over the file's name.
printf 'before ' > both
{ "$GOMKIT" convert a.gom -o /dev/stdout -q; printf ' after'; } >> both
{ printf 'before '; cat b.gom; printf ' after'; } | cmp - both
exits 0 "$GOMKIT" convert a.gom -o named.gom -q > named.gom
cmp b.gom named.gom
exits 2 "$GOMKIT" convert a.gom -o /dev/stdout --json > j.json
json j.json 'd["errors"][0]["name"]'
exits 2 "$GOMKIT" convert a.gom -o /dev/stdout --depfile d
exits 2 "$GOMKIT" convert a.gom -o /dev/stdout --textures copy
exits 2 "$GOMKIT" convert a.gom --to gom -o /dev/null --textures collect
exits 5 "$GOMKIT" convert a.gom --to gom -o /dev/stdout > /dev/full
exits 2 "$GOMKIT" /dev/stdin < a.gom
exits 2 "$GOMKIT" /dev/null
exits 0 "$GOMKIT" convert /dev/stdin -o c.gom -q < a.gom
cmp b.gom c.gom
left
