# What is read of a scene and believed of its file: unit, axes, visibility, levels of detail; refused where there is no scene.
. "$CLI/lib.sh"
cp "$SOURCE/samples/models/hero.fbx" "$SOURCE/samples/models/hero.png" .
bounds() { "$GOMKIT" info "$1" --json > info.json && json info.json '[[round(x, 3) for x in d["bounds"][k]] for k in ("min", "max")]'; }
"$GOMKIT" convert hero.fbx -o plain.gom -q
"$GOMKIT" info hero.fbx --json > source.json
unit=$(json source.json 'd["source"]["unitMeters"]')
json source.json 'd["source"]["axes"]'
"$GOMKIT" convert hero.fbx --unit-override "$unit" --up Y --front Z --hidden keep -o same.gom -q
cmp plain.gom same.gom
bounds plain.gom > plain.txt
"$GOMKIT" convert hero.fbx --unit-override "$("$PYTHON" -c "print($unit * 2)")" -o twice.gom -q
bounds twice.gom > twice.txt
"$PYTHON" -c "a, b = (eval(open(n).read()) for n in ('plain.txt', 'twice.txt')); print(all(abs(2 * x - y) < 0.002 for p, q in zip(a, b) for x, y in zip(p, q)))"
"$GOMKIT" convert hero.fbx --up Z -o fallen.gom -q
bounds fallen.gom > fallen.txt
"$PYTHON" -c "a, b = (eval(open(n).read()) for n in ('plain.txt', 'fallen.txt')); print(abs((a[1][1] - a[0][1]) - (b[1][2] - b[0][2])) < 0.002)"
for gom in twice fallen; do "$GOMKIT" check $gom.gom | tail -n 1; done
"$GOMKIT" convert hero.fbx --space geometry -o geometry.gom -q
cmp plain.gom geometry.gom
"$GOMKIT" convert hero.fbx --space transforms -o transforms.gom -q
"$GOMKIT" check transforms.gom | tail -n 1
"$GOMKIT" pose transforms.gom --clip walk --time 0.2 -o transforms.obj -q
"$GOMKIT" convert hero.fbx --explain --space transforms | sed -n 3p
exits 2 "$GOMKIT" convert hero.fbx --space transforms --up Z -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --space root -o x.gom 2>> refused.txt
exits 4 "$GOMKIT" convert plain.gom --space transforms -o x.gom 2>> refused.txt
"$GOMKIT" convert hero.fbx --hidden skip --lod all --subdivide 2 -o all.gom -q
cmp plain.gom all.gom
"$GOMKIT" convert hero.fbx --explain --unit-override 0.01 --up -Z --front X --hidden skip --lod 2 --subdivide 1 | sed -n 2,7p
"$GOMKIT" convert hero.fbx --time 0.2 --clip walk --explain | sed -n 3p
"$GOMKIT" convert hero.fbx --time 0.2 --clip walk -o still.gom -q
"$GOMKIT" info still.gom --json > still.json
json still.json 'len(d["clips"])'
"$GOMKIT" pose still.gom -o still.obj -q
"$GOMKIT" pose plain.gom --clip walk --time 0.2 -o walk.obj -q
"$PYTHON" - <<'END'
axes = [list(zip(*[[float(x) for x in line.split()[1:]] for line in open(name) if line.startswith('v ')])) for name in ('walk.obj', 'still.obj', 'transforms.obj')]
print(all(abs(pick(axes[0][i]) - pick(a[i])) < 1e-5 for a in axes[1:] for i in range(3) for pick in (min, max)))
END
exits 2 "$GOMKIT" convert hero.fbx --time soon -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --time 0 --clip Swim -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --time 0 --clip walk --clip idle -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --time 0 --loop walk -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --time 0 --save anim -o x.mta 2>> refused.txt
exits 4 "$GOMKIT" convert plain.gom --time 1 -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --up Y --front -Y -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --up up -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --unit-override 0 -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --lod finest -o x.gom 2>> refused.txt
exits 2 "$GOMKIT" convert hero.fbx --subdivide 7 -o x.gom 2>> refused.txt
exits 4 "$GOMKIT" convert plain.gom --subdivide 1 -o x.gom 2>> refused.txt
exits 4 "$GOMKIT" convert plain.gom --lod 0 -o x.gom 2>> refused.txt
exits 4 "$GOMKIT" convert plain.gom --hidden skip -o x.gom 2>> refused.txt
exits 4 "$GOMKIT" convert plain.gom --unit-override 1 -o x.gom 2>> refused.txt
test ! -e x.gom
cat refused.txt
