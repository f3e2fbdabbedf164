# Pictures of PS1M files, and what is refused; their pixels are compared in tests/oracle.
. "$CLI/lib.sh"
cp "$SOURCE/tests/conformance/ps1m/good/example.ps1m" model.bin
"$GOMKIT" preview model.bin -o a.png --clip nod --time 0.1
"$GOMKIT" preview model.bin -o sheet.png --contact-sheet 5 --size 64x48 --yaw 180
"$GOMKIT" preview model.bin -o b.png --time 0.1 --json > b.json
cmp a.png b.png
json b.json 'd["ok"], d["output"], d["clip"], d["width"], d["height"], len(d["pictures"])'
json b.json '[(p["time"], p["frame"], p["subframe"], p["triangles"], p["drawn"], p["culled"], sum(p["overflows"].values())) for p in d["pictures"]]'
"$GOMKIT" preview model.bin --time 0.1 -o /dev/stdout | cmp - a.png
"$GOMKIT" preview model.bin -o quiet.png -q --flat --pitch 0
exits 2 "$GOMKIT" preview model.bin 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.jpg 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.png --clip jump 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.png --size 320 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.png --size 320x240x 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.png --size 800x600 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.png --time -1 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.png --time 1 --contact-sheet 4 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.png --contact-sheet 0 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.png --yaw nan 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o a.png --contact-sheet 2.5 2>> err.txt
exits 2 "$GOMKIT" preview model.bin -o /dev/stdout --json > usage.json 2>> err.txt
json usage.json 'd["exitCode"], d["errors"][0]["what"]'
exits 4 "$GOMKIT" preview "$PLAIN" -o a.png 2>> err.txt
exits 1 "$GOMKIT" preview a.png -o c.png 2>> err.txt
"$GOMKIT" preview model.bin -o textured.png -q --texture a.png --texture a.png
"$GOMKIT" preview model.bin -o untextured.png -q
exits 1 cmp -s textured.png untextured.png
exits 1 "$GOMKIT" preview model.bin -o c.png --texture model.bin 2>> err.txt
exits 3 "$GOMKIT" preview model.bin -o c.png --texture nothing.tim 2>> err.txt
exits 3 "$GOMKIT" preview nothing.ps1m -o c.png 2>> err.txt
"$PYTHON" -c 'import struct, zlib
def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
grey = zlib.compress(bytes(2101 * 2100))
open("large.png", "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2100, 2100, 8, 0, 0, 0, 0)) + chunk(b"IDAT", grey) + chunk(b"IEND", b""))'
"$GOMKIT" preview model.bin -o c.png -q --texture large.png
rm c.png
exits 6 "$GOMKIT" preview model.bin -o c.png --texture large.png --limits small 2>> err.txt
# What is doubtful about the file is told: an ESC in a clip's name, no rate.
sed 's/nod/n\x1bd/' model.bin > odd.bin
"$GOMKIT" preview odd.bin -o odd.png --size 64x48 2>> err.txt
"$GOMKIT" preview odd.bin -o odd.png --clip n_d --json > odd.json
json odd.json 'd["clip"], [i["id"] for i in d["issues"]]'
"$GOMKIT" convert odd.bin -o odd.gom -q 2>> err.txt
"$GOMKIT" pose odd.bin --json > pose.json
cp model.bin model.png
exits 5 "$GOMKIT" preview model.png -o model.png 2>> err.txt
cmp model.bin model.png
exits 5 "$GOMKIT" preview model.bin -o nowhere/c.png 2>> err.txt
head -c 200 model.bin > cut.bin
exits 1 "$GOMKIT" preview cut.bin -o c.png 2>> err.txt
sed -e "s|$SOURCE/||" -e "s/no known format: expected .*/no known format/" err.txt
left
