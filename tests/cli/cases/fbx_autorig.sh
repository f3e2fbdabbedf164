# --autorig: a figure without bones gets those of a biped; what has bones, is no biped, or is no PS1M is refused.
. "$CLI/lib.sh"
cp "$SOURCE/samples/models/mannequin.obj" .
"$GOMKIT" convert mannequin.obj -o m.ps1m --autorig --json > m.json
json m.json '[i["text"] for i in d["issues"] if i["id"] == "PS1_AUTORIG"]'
json m.json 'd["lost"]'
"$GOMKIT" check m.ps1m --canonical
for part in 'bone[4]' 'vertex[0]'; do "$GOMKIT" dump m.ps1m --part "$part" | cut -c61- | tr -s ' '; done
"$GOMKIT" info m.ps1m | grep -E '^(clips|bones|  *(idle|walk|run|wave|punch))'
# It plays: two moments of the walk are not the same picture.
"$GOMKIT" preview m.ps1m -o a.png --clip walk --time 0.25 -q
"$GOMKIT" preview m.ps1m -o b.png --clip walk --time 0.75 -q
cmp -s a.png b.png || echo "it walks"
exits 2 "$GOMKIT" convert "$SOURCE/samples/models/hero.fbx" -o x.ps1m --autorig
exits 2 "$GOMKIT" convert m.ps1m -o x.ps1m --autorig
exits 2 "$GOMKIT" convert mannequin.obj -o x.ps1m --autorig --ps1-max-bones 10
exits 4 "$GOMKIT" convert mannequin.obj -o x.gom --autorig
printf 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n' > wall.obj
exits 4 "$GOMKIT" convert wall.obj -o x.ps1m --autorig
printf 'v 0 0 0\n' > empty.obj
exits 4 "$GOMKIT" convert empty.obj -o x.ps1m --autorig
sed '2s/.*/v nan 0 0/' mannequin.obj > nan.obj
exits 1 "$GOMKIT" convert nan.obj -o x.ps1m --autorig
ls
"$GOMKIT" convert mannequin.obj -o x.ps1m --autorig --explain
