# Motions and models whose clips or signatures differ.
. "$CLI/lib.sh"
good=$SOURCE/tests/conformance/mta/good
cp "$good/full.mta" full.mta
cp "$good/joint_keys.mta" joint.mta
cp "$SOURCE/tests/conformance/gom/good/full.gom" full.gom
cp "$good/signature_of_any_bits.mta" other.mta
exits 1 "$GOMKIT" diff full.mta joint.mta
exits 1 "$GOMKIT" diff full.gom joint.mta
exits 1 "$GOMKIT" diff other.mta full.gom
exits 0 "$GOMKIT" diff full.gom full.mta
