# The input is never replaced, whatever it is called.
. "$CLI/lib.sh"
cp "$GOM" a.gom
cp a.gom original
ln -s a.gom soft.gom
ln a.gom hard.gom
mkdir d
ln -s ../a.gom d/a.gom
exits 5 "$GOMKIT" convert a.gom
exits 5 "$GOMKIT" a.gom
exits 5 "$GOMKIT" convert a.gom -o a.gom
exits 5 "$GOMKIT" convert a.gom -o ./a.gom
exits 5 "$GOMKIT" convert a.gom -o soft.gom
exits 5 "$GOMKIT" convert a.gom -o hard.gom
exits 5 "$GOMKIT" convert soft.gom -o a.gom
exits 5 "$GOMKIT" convert a.gom -o d
cmp a.gom original
left
