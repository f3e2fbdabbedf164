# TIM files beside a PS1M: from pictures of all kinds, all or nothing, and what is refused; their bytes are compared in tests/oracle.
. "$CLI/lib.sh"
printf 'mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 0\nvt 0 1\nusemtl a\nf 1/1 2/2 3/3\nusemtl b\nf 1/1 3/2 4/3\n' > m.obj
printf 'newmtl a\nmap_Kd art/skin.tga\nnewmtl b\nmap_Kd hair.bmp\n' > m.mtl
mkdir art game
printf '\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\30\0\20\40\100' > art/skin.tga
printf 'BM\72\0\0\0\0\0\0\0\66\0\0\0\50\0\0\0\1\0\0\0\1\0\0\0\1\0\30\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0' > hair.bmp
"$GOMKIT" convert m.obj -o game/m.ps1m --ps1-tim 8 --json --depfile m.d > m.json
json m.json '[i["text"] for i in d["issues"] if i["id"] == "PS1_TIM"], d["files"][0]["pictures"], [l["kind"] for l in d["lost"]]'
cat m.d
wc -c < game/skin.tim
od -A n -t x1 -N 36 game/skin.tim
"$GOMKIT" preview game/m.ps1m --texture game/skin.tim --texture game/hair.tim -o m.png -q
"$GOMKIT" preview game/m.ps1m --texture art/skin.tga --texture hair.bmp -o same.png -q
cmp m.png same.png
# Other bits take the older TIM's place without a word; what is no TIM keeps it, and nothing is written.
"$GOMKIT" convert m.obj -o game/m.ps1m --ps1-tim 4 --vram 704,256 --clut 16,240 --ps1-tim-dither --json > again.json
json again.json 'sorted({i["id"] for i in d["issues"] if i["severity"] == "warning"}), d["files"][0]["pictures"]'
wc -c < game/skin.tim
od -A n -t x1 -N 16 game/hair.tim
rm game/m.ps1m game/skin.tim
echo 'my notes' > game/hair.tim
exits 5 "$GOMKIT" convert m.obj -o game/m.ps1m --ps1-tim 8 -q
cat game/hair.tim
exits 2 "$GOMKIT" convert m.obj -o /dev/stdout --to ps1m --ps1-tim 8 > nothing
exits 2 "$GOMKIT" convert m.obj -o x.ps1m --vram 640,0
exits 2 "$GOMKIT" convert m.obj -o x.ps1m --ps1-tim 16 --clut 640,256
exits 2 "$GOMKIT" convert m.obj -o x.ps1m --ps1-tim 8 --vram 650,0
exits 2 "$GOMKIT" convert m.obj -o x.ps1m --ps1-tim 8 --clut 0,0
exits 2 "$GOMKIT" convert m.obj -o x.ps1m --ps1-tim 2
exits 4 "$GOMKIT" convert m.obj -o x.gom --ps1-tim 8
exits 4 "$GOMKIT" convert m.obj -o x.ps1m --ps1-tim 16 --vram 768,256 -q
printf 'cut' > art/skin.tga
exits 1 "$GOMKIT" convert m.obj -o x.ps1m --ps1-tim 8 -q
rm art/skin.tga
exits 3 "$GOMKIT" convert m.obj -o x.ps1m --ps1-tim 8 -q
cp "$SOURCE/tests/conformance/ps1m/good/example.ps1m" a.ps1m
"$GOMKIT" convert a.ps1m -o x.ps1m --ps1-tim 8
"$GOMKIT" convert m.obj -o y.ps1m --ps1-tim 16 --explain | grep tim
left
