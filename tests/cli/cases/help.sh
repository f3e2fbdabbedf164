# Help goes to stdout and is no error, with and without --help.
"$GOMKIT" > alone.txt
"$GOMKIT" --help > help.txt
"$GOMKIT" -h > h.txt
cmp alone.txt help.txt
cmp h.txt help.txt
head -n 5 help.txt
for command in convert check info dump diff pose preview signature formats rules; do
    "$GOMKIT" "$command" --help > "$command.txt"
    grep -q "^Usage: gomkit $command " "$command.txt"
    grep -q "^Examples:" "$command.txt"
    grep -q "^  $command  " help.txt
done
# Nothing that is not there yet is promised.
if grep -iE "[^e]view |todo" ./*.txt; then exit 1; fi
