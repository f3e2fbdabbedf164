. "$CLI/lib.sh"
cp "$GOM" a.gom
"$GOMKIT" dump a.gom > all.txt
head -n 1 all.txt
"$GOMKIT" dump a.gom --part STR0 > part.txt
test "$(wc -l < part.txt)" -lt "$(wc -l < all.txt)"
grep -q '^........  53 54 52 30 .*STR0' part.txt
exits 1 "$GOMKIT" dump a.gom --part NONE > none.txt 2> err.txt || true
# Whoever reads a pipe may stop early.
"$GOMKIT" dump a.gom | head -n 1 > first.txt
test "$(wc -l < first.txt)" = 1
# A damaged file: as far as it goes, and exit 1.
head -c 700 a.gom > cut.gom
exits 1 "$GOMKIT" dump cut.gom > cut.txt
grep -q 'stopped here' cut.txt
