# A canonical GOM converts to the same bytes; what cannot be done to final vertices is refused.
. "$CLI/lib.sh"
cp "$GOM" a.gom
"$GOMKIT" convert a.gom -o b.gom -q
"$GOMKIT" convert b.gom -o c.gom -q
cmp b.gom c.gom
"$GOMKIT" diff a.gom b.gom
"$GOMKIT" check b.gom
test "$("$GOMKIT" signature a.gom)" = "$("$GOMKIT" signature b.gom)"
