# Names inside the file and names of the file: each kind through convert, info and the messages.
. "$CLI/lib.sh"
name_of() { exits 0 "$GOMKIT" info "$@" --json -q > i.json; json i.json 'ascii(d["meshes"][0]["name"]), sorted({i["id"] for i in d["issues"] if "TEXT" in i["id"]})'; }

"$PYTHON" - "$CLI/data/plain.fbx" <<'PY'
import sys
data = open(sys.argv[1], "rb").read()
def put(name, text):
    open(name, "wb").write(data.replace(b"Model::Tri", b"Model::" + text))
put("utf8.fbx", "モデル".encode("utf-8"))
put("sjis.fbx", "表ソ".encode("cp932"))
put("broken.fbx", b"a\xff")
put("latin.fbx", b"K\xf6rper")
put("colons.fbx", b"a::b")
put("slash.fbx", b"a/b%c\\d")
put("long.fbx", b"n" * 65536)
PY
name_of utf8.fbx
name_of sjis.fbx
name_of broken.fbx
name_of latin.fbx --encoding cp1252
name_of sjis.fbx --encoding utf8
name_of colons.fbx
name_of slash.fbx
exits 0 "$GOMKIT" info long.fbx --json -q > i.json
json i.json 'len(d["meshes"][0]["name"])'

# What says itself how it is encoded does not take the option.
exits 4 "$GOMKIT" info "$GOM" --encoding cp932
exits 4 "$GOMKIT" check "$GOM" --encoding cp932
exits 2 "$GOMKIT" info utf8.fbx --encoding ebcdic

# File and folder names.
bad=$(printf 'b\377d')
for name in 'モデル' '100%' 'a\b' '😀' "$bad" 'a::b' "$("$PYTHON" -c 'print("n" * 240)')"; do
    mkdir "./$name"
    cp "$CLI/data/plain.fbx" "./$name/$name.fbx"
    exits 0 "$GOMKIT" convert -q "./$name/$name.fbx"
    exits 0 "$GOMKIT" check "./$name/$name.gom" > out.txt
    rm -r "./$name"
done
