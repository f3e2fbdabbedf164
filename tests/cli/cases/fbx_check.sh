# The linter from the command line: findings on stdout with kind, name and element number; pictures; JSON; exit codes.
. "$CLI/lib.sh"
cp "$CLI/data/plain.fbx" a.fbx
exits 0 "$GOMKIT" check a.fbx
mkdir -p tex far
printf x > far/skin.png
exits 0 "$GOMKIT" check a.fbx --texture-path far
exits 1 "$GOMKIT" check a.fbx --warnings-as-errors > out.txt
exits 0 "$GOMKIT" check a.fbx --json > c.json
json c.json 'd["issues"][0]["id"], d["issues"][0]["part"], d["issues"][0]["arguments"], d["files"][0]["format"]'
head -c 1500 a.fbx > cut.fbx
exits 1 "$GOMKIT" check cut.fbx
exits 3 "$GOMKIT" check a.fbx --texture-path nowhere
exits 3 "$GOMKIT" check a.fbx --texture-path nowhere --json > c.json
json c.json 'd["ok"], d["errors"][0]["name"], d["files"]'
exits 0 "$GOMKIT" rules FBX_POSE_DIFFERS
