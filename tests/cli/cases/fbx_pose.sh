# A model as a game would show it: OBJ and JSON, bind and clip, motions beside the model; what is refused.
. "$CLI/lib.sh"
cp "$SOURCE/samples/models/hero.fbx" "$SOURCE/samples/models/hero.png" .
"$GOMKIT" convert hero.fbx -q
"$GOMKIT" pose hero.gom > bind.obj
head -n 1 bind.obj
grep -c '^v ' bind.obj | grep -q '^4393$'
"$GOMKIT" pose hero.fbx -o same.obj
cmp bind.obj same.obj
"$GOMKIT" pose hero.gom --clip walk --time 0.25 --json > walk.json
json walk.json 'd["ok"], d["clip"], d["time"], len(d["parts"]), len(d["bones"]), d["bones"][0]["path"]'
"$GOMKIT" pose hero.gom --clip walk --time 1.25 -o loop.json
json loop.json 'd["time"]'
"$GOMKIT" convert hero.gom -o hero.gomt -q
"$GOMKIT" pose hero.gomt --clip walk --time 0.25 --json > text.json
cmp walk.json text.json
"$GOMKIT" convert hero.gom --save mesh -o mesh.gom -q
"$GOMKIT" convert hero.gom -o hero.mta -q
"$GOMKIT" pose mesh.gom hero.mta --clip walk --time 0.25 --json > motion.json
cmp walk.json motion.json
"$GOMKIT" pose hero.fbx --rest > rest.obj
exits 4 "$GOMKIT" pose hero.gom --rest 2>> err.txt
exits 2 "$GOMKIT" pose hero.gom --clip jump 2>> err.txt
exits 2 "$GOMKIT" pose hero.gom --time 1 2>> err.txt
exits 4 "$GOMKIT" pose hero.gom hero.mta --clip walk 2>> err.txt
exits 4 "$GOMKIT" pose "$GOM" hero.mta --clip walk 2>> err.txt
exits 4 "$GOMKIT" pose "$GOM" hero.fbx --clip walk 2>> err.txt
exits 2 "$GOMKIT" pose hero.gom -o hero.gom 2>> err.txt
cp hero.mta motion.obj
exits 5 "$GOMKIT" pose mesh.gom motion.obj --clip walk -o motion.obj 2>> err.txt
cmp hero.mta motion.obj
exits 3 "$GOMKIT" pose nothing.gom 2>> err.txt
sed -e "s|$SOURCE/||" err.txt
