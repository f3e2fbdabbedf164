# What convert does with clips: keep, cut, loop, split, reduce, root motion, motions of other files; and what is refused.
. "$CLI/lib.sh"
cp "$SOURCE/samples/models/hero.fbx" "$SOURCE/samples/models/hero.png" .
clips() { "$GOMKIT" info "$1" --json > info.json && json info.json '[(c["name"], round(c["duration"], 4)) for c in d["clips"]]'; }
"$GOMKIT" convert hero.fbx --clip 'w*' -o walk.gom -q && clips walk.gom
"$GOMKIT" convert hero.fbx --clip-range 'half=walk:0..0.5' --clip-range 'step=walk:3f..9f' -o cut.gom -q && clips cut.gom
"$GOMKIT" convert hero.fbx --trim 'w*:3f..9f' --clip walk -o trim.gom -q && clips trim.gom
"$GOMKIT" convert hero.fbx --trim '*' --trim walk:0.1..0.3 --explain | grep trim
"$GOMKIT" convert hero.fbx --clip walk --save anim -q && clips hero.mta
"$GOMKIT" convert hero.fbx --split-clips -o each.mta
"$GOMKIT" convert hero.fbx --save mesh -o mesh.gom -q && clips mesh.gom
test "$("$GOMKIT" signature mesh.gom)" = "$("$GOMKIT" signature hero.mta)"
"$GOMKIT" convert mesh.gom --add-clips hero.mta each.idle.mta -o again.gom -q && clips again.gom
"$GOMKIT" convert hero.fbx --add-clips hero.fbx -o twice.gom -q 2> err.txt || true
grep -q "hero.fbx" err.txt
"$GOMKIT" convert hero.fbx --skeleton mesh.gom -o mapped.mta -q
"$GOMKIT" convert hero.fbx -o direct.mta -q
"$GOMKIT" diff mapped.mta direct.mta
"$GOMKIT" convert hero.fbx --reduce -o small.gom | sed -e 's/ -> [0-9]*, at most [0-9.]* mm off at .*/ -> fewer/' -e '1d'
"$GOMKIT" convert hero.fbx --reduce 0 -o all.gom -q
"$GOMKIT" convert hero.fbx -o plain.gom -q
cmp all.gom plain.gom
"$GOMKIT" convert hero.fbx --root-motion in-place --root-motion-out root.json -o place.gom -q
json root.json 'd["rootMotion"], [(c["name"], c["bone"], c["samples"][0]) for c in d["clips"]]'
"$GOMKIT" convert hero.fbx --root-motion in-place --root-motion-out root.csv -o place.gom -q
head -n 1 root.csv
"$GOMKIT" convert hero.fbx --fps 60 --explain | grep -c . > /dev/null
"$GOMKIT" convert hero.fbx --depfile d.txt --skeleton mesh.gom -o dep.mta -q && cat d.txt
exits 2 "$GOMKIT" convert hero.fbx --clip nothing -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --clip-range a=walk:0..9 -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --clip-range walk -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --trim walk:0.5..9 -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --trim walk:5f.. -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --trim walk --time 0 -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --split-clips -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --skeleton mesh.gom -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --save mesh --reduce -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --root-motion-out r.json -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --root Hips -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --root-motion flag --root Tail -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --fps 0 -o x.gom 2>> refused.txt
exits 4 "$GOMKIT" convert mesh.gom --fps 30 -o x.gom 2>> refused.txt
exits 4 "$GOMKIT" convert hero.mta --reduce -o x.mta 2>> refused.txt
exits 4 "$GOMKIT" convert hero.mta -o x.gom 2>> refused.txt
exits 5 "$GOMKIT" convert hero.fbx --skeleton mesh.gom -o mesh.gom --to mta 2>> refused.txt
exits 3 "$GOMKIT" convert hero.fbx --add-clips nowhere.fbx -o x.gom 2>> refused.txt
test ! -e x.gom
cat refused.txt
# Files that are read are not replaced by files beside the output.
cp hero.fbx in.json && cp hero.mta clips.mta
for command in "convert in.json -o y.gom --root-motion in-place --root-motion-out in.json" \
    "convert mesh.gom --add-clips clips.mta -o y.gom --root-motion in-place --root-motion-out clips.mta.json --depfile clips.mta" \
    "convert hero.fbx --skeleton mesh.gom -o y.mta --depfile mesh.gom" \
    "pose in.json --clip walk -o in.json" "convert hero.fbx --split-clips --explain -o y.gom"; do
    code=0
    # shellcheck disable=SC2086
    "$GOMKIT" $command > /dev/null 2>&1 || code=$?
    echo "$code"
done
cmp in.json hero.fbx && cmp clips.mta hero.mta && test ! -e y.gom
"$GOMKIT" convert hero.fbx --save anim -o anim.gom --warnings-as-errors -q
"$GOMKIT" pose hero.fbx --rest --json > rest.json && json rest.json 'd["clip"]'
