# Outputs that cannot be written: exit 5, a message, nothing left behind, no device replaced.
. "$CLI/lib.sh"
cp "$PLAIN" a.gom
mkdir folder
exits 5 "$GOMKIT" convert a.gom -o none/b.gom
exits 5 "$GOMKIT" convert a.gom -o none/
exits 5 "$GOMKIT" convert a.gom --to gom -o /dev/full
exits 5 "$GOMKIT" convert a.gom -o /proc/gomkit-test.gom
exits 0 "$GOMKIT" convert a.gom --to gom -o /dev/null -q
test -c /dev/null && test -c /dev/full
long=$(printf '%0260d' 0).gom
exits 5 "$GOMKIT" convert a.gom -o "$long"
left
