# A motion file through every command that reads one.
. "$CLI/lib.sh"
cp "$GOM" a.gom
"$GOMKIT" convert a.gom -o a.mta
"$GOMKIT" convert a.mta -o again.mta -q
cmp a.mta again.mta
"$GOMKIT" convert a.gom --to mta -o by_id.bin -q
cmp a.mta by_id.bin
"$GOMKIT" check a.mta --canonical
test "$("$GOMKIT" signature a.mta)" = "$("$GOMKIT" signature a.gom)"
"$GOMKIT" info a.mta | sed 's/[0-9a-f]\{64\}/SIGNATURE/'
"$GOMKIT" info a.mta --json > i.json
json i.json 'd["format"], d["version"], d["meshes"], d["materials"], d["textures"], d["skeleton"]["bones"], d["bounds"], d["lost"]'
json i.json 'len(d["skeleton"]["signature"]), [(c["name"], c["tracks"]) for c in d["clips"]]'
"$GOMKIT" diff a.gom a.mta
"$GOMKIT" dump a.mta --part header > dump.txt
grep -q '^0000004c .*header.skeletonSig  *[0-9a-f]\{64\}  *MTA-SIG-1$' dump.txt
"$GOMKIT" convert a.gom -o j.mta --json > j.json
json j.json 'd["files"][0]["to"], d["files"][0]["counts"]["clips"], d["files"][0]["counts"]["bones"], [i["id"] for i in d["issues"]], d["lost"]'
"$GOMKIT" convert a.gom -o a.mta --explain
"$GOMKIT" formats --json > f.json
json f.json '[(f["read"], f["write"], f["check"], f["dump"], f["extensions"]) for f in d["formats"] if f["id"] == "mta"]'
# What a file is decides, not what it is called.
cp a.gom model.mta
cp a.mta motion.gom
"$GOMKIT" check model.mta motion.gom --json > c.json
json c.json '[f["format"] for f in d["files"]]'
