. "$CLI/lib.sh"
exits 2 "$GOMKIT" --nonsense
exits 2 "$GOMKIT" chekc x.gom
exits 2 "$GOMKIT" convert
exits 2 "$GOMKIT" convert a.fbx --tangentz auto
exits 2 "$GOMKIT" convert a.fbx --tangents blue
exits 2 "$GOMKIT" convert a.fbx --jobs 0
exits 2 "$GOMKIT" convert a.fbx --jobs x
exits 2 "$GOMKIT" convert a.fbx --strict --lenient
exits 2 "$GOMKIT" convert a.fbx --to nothing
exits 2 "$GOMKIT" convert a.fbx -o a.nothing
exits 2 "$GOMKIT" info a.gom b.gom
exits 2 "$GOMKIT" diff a.gom
exits 2 "$GOMKIT" diff a.gom b.gom --tolerance -1
exits 2 "$GOMKIT" diff a.gom b.gom --tolerance nan
exits 2 "$GOMKIT" rules GOM_NOTHING_LIKE_IT
exits 2 "$GOMKIT" rules IO_TEXTURE_MISING
left
