. "$CLI/lib.sh"
mkdir 'in x' out
cp "$GOM" 'in x/a#1.gom'
"$GOMKIT" convert 'in x/a#1.gom' -o out --depfile out/d -q
cat out/d
exits 2 "$GOMKIT" convert 'in x/a#1.gom' -o out --depfile 'in x/a#1.gom'
exits 2 "$GOMKIT" convert 'in x/a#1.gom' -o out --depfile 'out/a#1.gom'
exits 3 "$GOMKIT" convert none.gom -o out --depfile none.d 2> /dev/null
exits 5 "$GOMKIT" convert 'in x/a#1.gom' -o out --depfile none/d -q
printf 'before ' > log
"$GOMKIT" convert 'in x/a#1.gom' -o out --depfile /dev/stdout -q >> log
cat log
rm log
exits 2 "$GOMKIT" convert 'in x/a#1.gom' -o out --depfile /dev/stdout --json > /dev/null
left
