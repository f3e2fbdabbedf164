# Seams between bones, inverse kinematics by names, and bodies of rings, of the samples.
. "$CLI/lib.sh"
cp "$SOURCE/samples/models/hero.fbx" "$SOURCE/samples/models/hero.png" "$SOURCE/samples/models/mannequin.obj" .
"$GOMKIT" convert hero.fbx -o plain.ps1m --json > plain.json
"$GOMKIT" convert hero.fbx -o keep.ps1m --ps1-seams keep -q
cmp plain.ps1m keep.ps1m
json plain.json '[(i["arguments"]["clip"], i["arguments"]["frame"], i["arguments"]["bone"], i["arguments"]["other"]) for i in d["issues"] if i["id"] == "PS1_SEAM_STRETCH"]'
for seams in cut split; do
    "$GOMKIT" convert hero.fbx -o "$seams.ps1m" --ps1-seams "$seams" --json > "$seams.json"
    "$GOMKIT" check "$seams.ps1m" --canonical
    json "$seams.json" '[i["text"] for i in d["issues"] if i["id"] in ("PS1_SEAMS", "PS1_SEAM_STRETCH")]'
    json "$seams.json" '[(i["arguments"]["clip"], i["arguments"]["bone"], i["arguments"]["other"]) for i in d["issues"] if i["id"] == "PS1_SEAM_GAP"]'
done
"$GOMKIT" convert hero.fbx -o ik.ps1m --ps1-ik --json > ik.json
json ik.json '[i["text"] for i in d["issues"] if i["id"] == "PS1_IK_TABLE"]'
"$GOMKIT" check ik.ps1m --canonical
"$GOMKIT" convert mannequin.obj -o lathe.ps1m --autorig --autorig-body lathe --json > lathe.json
json lathe.json '[i["text"] for i in d["issues"] if i["id"] in ("PS1_LATHE", "PS1_LATHE_SKIPPED")]'
"$GOMKIT" check lathe.ps1m --canonical
"$GOMKIT" convert hero.fbx -o x.ps1m --ps1-seams cut --ps1-ik --explain | grep -e seams -e ik
"$GOMKIT" convert mannequin.obj -o x.ps1m --autorig --autorig-body lathe --explain | grep body
"$GOMKIT" convert mannequin.obj -o x.ps1m --autorig --autorig-body lathe --ps1-seams keep --explain | grep -c seams || true
# The bodies' page is a TIM beside the model, which stays the same; what the source's picture is missing for is not written.
mkdir game
"$GOMKIT" convert mannequin.obj -o game/man.ps1m --autorig --autorig-body lathe --ps1-tim 8 --json > man.json
json man.json '[i["text"] for i in d["issues"] if i["id"] == "PS1_TIM"], d["files"][0]["pictures"], [l["kind"] for l in d["lost"]]'
cmp lathe.ps1m game/man.ps1m
"$GOMKIT" preview game/man.ps1m --texture game/man_body.tim -o man.png -q
"$GOMKIT" convert mannequin.obj -o x.ps1m --autorig --autorig-body lathe --ps1-tim 4 --explain | grep '^  tim'
exits 2 "$GOMKIT" convert mannequin.obj -o /dev/stdout --to ps1m --autorig --autorig-body lathe --ps1-tim 8 > nothing
{ printf 'mtllib m.mtl\nusemtl m\n'; cat mannequin.obj; } > painted.obj
printf 'newmtl m\nmap_Kd missing.png\n' > m.mtl
exits 3 "$GOMKIT" convert painted.obj -o game/painted.ps1m --autorig --autorig-body lathe --ps1-tim 8 -q
ls game
exits 2 "$GOMKIT" convert hero.fbx -o x.ps1m --autorig-body lathe
exits 2 "$GOMKIT" convert hero.fbx -o x.ps1m --ps1-seams weld
