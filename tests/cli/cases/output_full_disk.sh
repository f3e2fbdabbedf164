# A disk that fills up while the output is written: the old output stays, nothing is left behind.
. "$CLI/lib.sh"
mkdir disk
if ! mount -t tmpfs -o size=64k tmpfs disk 2> /dev/null; then
    echo "SKIP: mounting a small disk needs root"
    exit 77
fi
trap 'umount disk' EXIT
cp "$PLAIN" a.gom
echo old > disk/a.gom
head -c 200000 /dev/zero > disk/filler 2> /dev/null || true
exits 5 "$GOMKIT" convert a.gom -o disk/b.gom
exits 5 "$GOMKIT" convert a.gom -o disk/a.gom
cat disk/a.gom
rm disk/filler
exits 0 "$GOMKIT" convert a.gom -o disk/a.gom -q
cmp "$PLAIN" disk/a.gom || "$GOMKIT" diff "$PLAIN" disk/a.gom -q
left
