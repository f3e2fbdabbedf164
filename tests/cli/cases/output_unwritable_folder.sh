. "$CLI/lib.sh"
if test "$(id -u)" = 0; then
    if ! command -v setpriv > /dev/null; then
        echo "SKIP: root may write everywhere"
        exit 77
    fi
    chmod 755 .
    run() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
    if ! run test -x "$GOMKIT" 2> /dev/null || ! run test -r "$PLAIN"; then
        echo "SKIP: root may write everywhere, and others cannot reach the program"
        exit 77
    fi
else
    run() { "$@"; }
fi
cp "$PLAIN" a.gom
mkdir closed
echo old > closed/a.gom
chmod 555 closed
exits 5 run "$GOMKIT" convert a.gom -o closed/b.gom
exits 5 run "$GOMKIT" convert a.gom -o closed/a.gom
cat closed/a.gom
left
