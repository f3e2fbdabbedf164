# OBJ with its library and pictures beside it: by the rules for pictures, never at an absolute path.
. "$CLI/lib.sh"
mkdir -p m/tex far
cat > m/a.obj <<'OBJ'
mtllib a.mtl
o Plate
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
usemtl Skin
f 1/1 2/2 3/3 4/4
OBJ
printf 'newmtl Skin\nKd 0.5 0.25 1\nmap_Kd tex\\skin.png\n' > m/a.mtl
printf x > m/tex/skin.png
exits 0 "$GOMKIT" convert m/a.obj --depfile d.txt
sed 's/ /\n/g' d.txt | grep -c 'm/a.mtl'
exits 0 "$GOMKIT" check m/a.gom
exits 0 "$GOMKIT" diff m/a.obj m/a.gom
exits 0 "$GOMKIT" info m/a.obj --json > i.json
json i.json 'd["format"], d["source"]["unitMeters"], d["source"]["axes"], d["bounds"], d["meshes"], d["textures"], d["materials"][0]["diffuse"]'
# The library in another folder, found by --texture-path; one at an absolute path is never opened there.
mv m/a.mtl far/
exits 0 "$GOMKIT" convert -q m/a.obj --warnings-as-errors --texture-path far
exits 1 "$GOMKIT" convert m/a.obj --warnings-as-errors
sed "s|^mtllib .*|mtllib $PWD/far/a.mtl|" m/a.obj > m/abs.obj
exits 1 "$GOMKIT" convert m/abs.obj --warnings-as-errors 2> err.txt
grep -c OBJ_MTL_MISSING err.txt
sed 's|^mtllib .*|mtllib ../far/a.mtl|' m/a.obj > m/up.obj
exits 1 "$GOMKIT" convert m/up.obj --warnings-as-errors 2> err.txt
grep -c OBJ_MTL_MISSING err.txt
# By content, whatever its name is; broken ones with line and column.
cp m/a.obj m/model.txt
exits 0 "$GOMKIT" convert -q m/model.txt -o t.gom
sed 's|^f .*|f 1/1 2/2 9/3|' m/a.obj > m/bad.obj
exits 1 "$GOMKIT" convert m/bad.obj
printf 'L\1\2\0\0' > m/code.obj
exits 1 "$GOMKIT" convert m/code.obj
exits 4 "$GOMKIT" check m/a.obj
"$GOMKIT" formats | grep OBJ
"$GOMKIT" pose m/a.obj -o p.obj
exits 0 "$GOMKIT" convert -q p.obj -o again.gom
