# FBX to MTA: one note about the rest, no warning about it; the clips are those of the GOM.
. "$CLI/lib.sh"
cp "$SOURCE/samples/models/hero.fbx" .
"$GOMKIT" convert hero.fbx -o hero.mta --warnings-as-errors --verbose
"$GOMKIT" convert hero.fbx -o hero.gom -q
"$GOMKIT" convert hero.gom -o of_gom.mta -q
cmp hero.mta of_gom.mta
"$GOMKIT" diff hero.gom hero.mta
"$GOMKIT" check hero.mta
test "$("$GOMKIT" signature hero.mta)" = "$("$GOMKIT" signature hero.fbx -q)"
cp "$CLI/data/plain.fbx" .
exits 4 "$GOMKIT" convert plain.fbx --to mta
test ! -e plain.mta
