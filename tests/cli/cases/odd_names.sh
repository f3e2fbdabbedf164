# Names of every kind go through as they are, on the disk and in messages.
. "$CLI/lib.sh"
mkdir 'o ut'
bad=$(printf 'b\377d')
for name in 'モデル' 'a b' '😀' '-dash' '--json' "it's" '$x;y' '[a,b]' "$bad"; do
    cp "$PLAIN" "./$name.gom"
    exits 0 "$GOMKIT" convert -o 'o ut' -- "$name.gom" > line.txt
    cmp "./$name.gom" "o ut/$name.gom" || "$GOMKIT" diff "./$name.gom" "o ut/$name.gom" -q > /dev/null
    cut -d: -f1 line.txt
done
cp "$PLAIN" './[a,b]'
exits 0 "$GOMKIT" check '[a,b]' ./--json.gom
exits 0 "$GOMKIT" info "$bad.gom" --json > i.json
json i.json 'd["ok"]'
exits 3 "$GOMKIT" convert "no$bad" --json > e.json
json e.json 'ascii(d["errors"][0]["file"]), d["errors"][0]["text"].startswith("nob\\xffd: ")'
exits 3 "$GOMKIT" info "$(printf 'a\033[31m\nb.gom')"
