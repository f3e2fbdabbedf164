# Blend shapes: what info lists, what a GOM keeps, and what becomes of them where there are none.
. "$CLI/lib.sh"
cp "$CLI/data/shapes.fbx" a.fbx
"$GOMKIT" info a.fbx | grep -i 'shape\|weight'
"$GOMKIT" info a.fbx --json > i.json
json i.json 'd["meshes"][0]["blendShapes"]'
json i.json 'd["clips"][0]["blendShapeTracks"]'
"$GOMKIT" check a.fbx
"$GOMKIT" convert a.fbx -o a.gom -q
"$GOMKIT" diff a.fbx a.gom
"$GOMKIT" convert a.fbx -o a.km3 2>&1 | grep -o '[0-9]* blend shapes'
"$GOMKIT" convert a.fbx --save anim -o anim.gom 2>&1 | grep -o 'CLIP_SHAPES_LOST'
sed 's/a: 5,0,0,0,50,0/a: 5,0,0,0,60,0/; s/a: 0,100$/a: 0,90/' a.fbx > b.fbx
exits 1 "$GOMKIT" diff a.fbx b.fbx
