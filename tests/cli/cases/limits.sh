# A file that is larger than a limit is refused before anything of it is read.
. "$CLI/lib.sh"
truncate -s 300M big.gom
exits 6 "$GOMKIT" info big.gom --limits small
exits 6 "$GOMKIT" convert big.gom -o out.gom --limits small
exits 6 "$GOMKIT" check big.gom --limits small
left
