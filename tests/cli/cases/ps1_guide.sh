# The commands of docs/guide/ps1.md, in its order, on the sample.
. "$CLI/lib.sh"
cp "$SOURCE/samples/models/hero.fbx" "$SOURCE/samples/models/hero.png" .
sed -n '/^```sh$/,/^```$/{/^```/d;p;}' "$SOURCE/docs/guide/ps1.md" > commands.sh
grep -c '^gomkit ' commands.sh
gomkit() { "$GOMKIT" "$@"; }
. ./commands.sh > out.txt 2> err.txt
grep -q ' 22 bones, 2 clips' out.txt
grep -v ' warning CONV_LOST: ' err.txt || true
"$GOMKIT" check hero.ps1m
if cmp -s hero_ps1.png step.png; then echo "two commands, one picture"; fi
rm commands.sh out.txt err.txt
left
