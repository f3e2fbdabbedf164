. "$CLI/lib.sh"
cp "$CLI/data/plain.fbx" .
exits 4 "$GOMKIT" signature plain.fbx
"$GOMKIT" info plain.fbx --json > i.json
json i.json 'd["skeleton"], d["textures"], d["format"], d["version"], d["source"]["exporter"]'
json i.json 'd["bounds"]["max"], d["source"]["unitMeters"], d["meshes"][0]["material"], d["meshes"][0]["bones"]'
