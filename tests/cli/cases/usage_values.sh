# Values that cannot be meant, and what is said about them.
. "$CLI/lib.sh"
cp "$PLAIN" a.gom
exits 2 "$GOMKIT" convert a.gom -o ''
exits 2 "$GOMKIT" convert a.gom -o b.gom --to ''
exits 2 "$GOMKIT" convert a.gom -o b.gom --depfile ''
exits 2 "$GOMKIT" convert a.gom -o b.gom --texture-path ''
exits 2 "$GOMKIT" info a.gom --texture-path ''
exits 3 "$GOMKIT" convert a.gom -o b.gom --texture-path nowhere
exits 3 "$GOMKIT" info a.gom --texture-path a.gom
exits 2 "$GOMKIT" convert a.gom -o
exits 2 "$GOMKIT" info a.gom --max-issues -1
exits 2 "$GOMKIT" check a.gom --max-issues 99999999999999999999
exits 3 "$GOMKIT" convert ''
exits 2 "$GOMKIT" help
exits 2 "$GOMKIT" -q a.gom
exits 3 "$GOMKIT" convert -- --quiet
exits 3 "$GOMKIT" -
exits 5 "$GOMKIT" convert a.gom -o a.gom/b.gom
exits 5 "$GOMKIT" convert a.gom -o "$(printf '%0300d' 0).gom"
left
