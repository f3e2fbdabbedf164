# Text: there and back gives the same bytes; refusals say line, column, field and cure.
. "$CLI/lib.sh"
cp "$GOM" a.gom
"$GOMKIT" convert a.gom -o a.gomt -q
"$GOMKIT" convert a.gomt -o b.gom -q
"$GOMKIT" convert a.gomt --to gomt -o b.txt -q
cmp a.gom b.gom
cmp a.gomt b.txt
"$GOMKIT" diff a.gom a.gomt
test "$("$GOMKIT" signature a.gom)" = "$("$GOMKIT" signature a.gomt)"
"$GOMKIT" check --canonical a.gomt
"$GOMKIT" info b.txt | sed -n 2p
exits 4 "$GOMKIT" dump a.gomt
sed 's/uv = \[0, 0\]/uv = [0]/' a.gomt > arity.gomt
exits 1 "$GOMKIT" convert arity.gomt -o x.gom
sed 's/boneIndex = 1/boneIndex = 7/' a.gomt > bone.gomt
exits 1 "$GOMKIT" convert bone.gomt -o x.gom
exits 1 "$GOMKIT" check bone.gomt
sed '$d' a.gomt > cut.gomt
exits 1 "$GOMKIT" convert cut.gomt -o x.gom
printf '\357\273\277' | cat - a.gomt > bom.gomt
exits 1 "$GOMKIT" convert bom.gomt -o x.gom
sed '1d' a.gomt > old.gomt
exits 1 "$GOMKIT" convert --strict old.gomt -o x.gom
"$GOMKIT" convert old.gomt -o old.gom -q
cmp a.gom old.gom
printf 'MTAT0001\n' > m.gomt
exits 4 "$GOMKIT" convert m.gomt -o x.gom
"$GOMKIT" check bone.gomt --json > c.json || true
json c.json '[(i["id"], i["line"], i["column"]) for i in d["issues"]]'
left
