. "$CLI/lib.sh"
for file in "$SOURCE"/tests/conformance/gom/*/*.gom; do
    if "$GOMKIT" check "$file" > out.txt && grep -q ', [1-9][0-9]* warning' out.txt; then
        exits 0 "$GOMKIT" check "$file" > /dev/null
        exits 1 "$GOMKIT" check "$file" --warnings-as-errors > /dev/null
        echo found one
        exit 0
    fi
done
echo "SKIP: no valid file with a warning among the conformance files"
exit 77
