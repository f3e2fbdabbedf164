# A result that cannot be printed is an error.
. "$CLI/lib.sh"
cp "$GOM" a.gom
exits 5 "$GOMKIT" info a.gom > /dev/full
exits 5 "$GOMKIT" --help > /dev/full
exits 5 "$GOMKIT" rules >&-
# Closed streams do not let output files get their numbers.
exits 5 "$GOMKIT" convert a.gom -o b.gom >&- 2>&- <&-
"$GOMKIT" check b.gom
