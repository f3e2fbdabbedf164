# A DxLib model through every command that reads one; our own file, with one of everything.
. "$CLI/lib.sh"
cp "$SOURCE/tests/fuzz/seeds/mv1_decode/sample.mv1" m.mv1
exits 0 "$GOMKIT" check m.mv1 --canonical
exits 0 "$GOMKIT" convert m.mv1 -o m.gom
exits 0 "$GOMKIT" check m.gom
"$GOMKIT" info m.mv1 --json > i.json
json i.json 'd["format"], d["version"], [b["path"] for b in d["skeleton"]["bones"]], [(c["name"], c["duration"]) for c in d["clips"]]'
json i.json 'sorted((l["kind"], l["count"]) for l in d["lost"])'
"$GOMKIT" dump m.mv1 --part 'frame[1].Name'
exits 2 "$GOMKIT" dump m.mv1 --part nothing 2> err.txt || true
# Written again as it is, and changed: then the file gives back what a model does not hold.
exits 0 "$GOMKIT" convert m.mv1 -o same.mv1 2> err.txt
cmp m.mv1 same.mv1 && grep -c CONV_LOST err.txt || true
exits 0 "$GOMKIT" convert m.mv1 --out-unit 0.01 -o own.mv1 -q
cmp m.mv1 own.mv1
exits 0 "$GOMKIT" convert m.mv1 --facing +z -o turned.mv1 2> err.txt
grep -c CONV_LOST err.txt || true
exits 0 "$GOMKIT" check turned.mv1
"$GOMKIT" dump turned.mv1 --part 'rigid[1].TargetFrame'
exits 0 "$GOMKIT" convert m.mv1 --out-unit 0.01 --emissive-zero -o anew.mv1 2> err.txt
exits 0 "$GOMKIT" diff m.mv1 anew.mv1 2> err.txt
# In few bits, with the largest errors.
exits 0 "$GOMKIT" convert m.mv1 --mv1-positions u16 --mv1-normals s8 --mv1-weights u8 --mv1-anim u16 -o packed.mv1 -v 2> err.txt
grep -o "MV1_PACKED: .*" err.txt
exits 0 "$GOMKIT" check packed.mv1
exits 0 "$GOMKIT" convert m.mv1 --mv1-fps 60 --out-unit metres --facing -z -o other.mv1 2> err.txt
"$GOMKIT" dump other.mv1 --part 'anim[0].MaxTime'
"$GOMKIT" dump other.mv1 --part 'frame[1].Translate'
# DxLib's three ways to save.
exits 0 "$GOMKIT" convert m.mv1 --save anim -o anim.mv1 -q
exits 0 "$GOMKIT" convert m.mv1 --save mesh -o mesh.mv1 -q
for f in m anim mesh; do
  exits 0 "$GOMKIT" check $f.mv1
  "$GOMKIT" info $f.mv1 --json > i.json
  json i.json 'len(d["meshes"]), [c["name"] for c in d["clips"]], [b["path"] for b in d["skeleton"]["bones"]]'
done
# From a GOM and back to one; a clip of another file.
exits 0 "$GOMKIT" convert m.gom --out-unit 0.01 -o back.mv1 -q
exits 0 "$GOMKIT" check back.mv1
exits 1 "$GOMKIT" diff m.mv1 back.mv1 > out.txt 2> err.txt
grep 'light\[Lamp\].Frame\|joint\[J\].RigidBodyA' out.txt
exits 0 "$GOMKIT" convert mesh.mv1 --add-clips anim.mv1 -o joined.mv1 -q
"$GOMKIT" info joined.mv1 --json > i.json
json i.json '[c["name"] for c in d["clips"]]'
# What has no sense.
"$GOMKIT" convert m.gom -o clips.mta -q
exits 4 "$GOMKIT" convert clips.mta -o x.mv1 2> err.txt
grep -c 'has no skeleton of its own' err.txt
exits 0 "$GOMKIT" convert m.mv1 --clip-range Half=Walk:0..0.5 --clip Half -o half.mta -q
exits 4 "$GOMKIT" convert m.mv1 --add-clips half.mta -o x.mv1 2> err.txt
grep -c 'write a .gom with these clips first' err.txt
for option in '--mv1-fps 30' '--facing -z' '--out-unit source'; do
  exits 4 "$GOMKIT" convert m.mv1 $option -o x.gom 2> err.txt
  grep -o -- '--[a-z0-9-]* does not apply' err.txt
done
exits 4 "$GOMKIT" convert m.gom --tangents none -o x.mv1 2> err.txt
exits 2 "$GOMKIT" convert m.mv1 --out-unit 0 -o x.mv1 2> err.txt
exits 2 "$GOMKIT" convert m.mv1 --facing up -o x.mv1 2> err.txt
# Cut off, and not one at all.
head -c 500 m.mv1 > cut.mv1
exits 1 "$GOMKIT" convert cut.mv1 -o cut.gom 2> err.txt
grep -c '^cut.mv1: error Truncated' err.txt
exits 1 "$GOMKIT" check cut.mv1 > out.txt
grep -c '^cut.mv1: error MV1_DXA' out.txt
left
"$GOMKIT" convert m.mv1 -o e.mv1 --explain --mv1-normals s8 | grep packing
