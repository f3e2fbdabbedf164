# Several models with pictures of one name: the first one has it, whatever the jobs; and nothing of the run is overwritten.
. "$CLI/lib.sh"
mkdir a b
cp "$CLI/data/plain.fbx" a/a.fbx
cp "$CLI/data/plain.fbx" b/b.fbx
mkdir a/tex b/tex
echo one > a/tex/skin.png
echo two > b/tex/skin.png
for jobs in 1 2 8; do
    rm -rf out && mkdir out
    exits 5 "$GOMKIT" convert a/a.fbx b/b.fbx -o out --textures copy --jobs $jobs -q 2> err.txt
    cat err.txt out/tex/skin.png
    ls out
done
# The dependency file is never put over a picture, an input or an output, however it is named.
rm -rf out && mkdir out
ln -s ../a/a.fbx out/soft
ln a/a.fbx out/hard
for d in out/soft out/hard a/../a/a.fbx out/../out/a.gom; do
    exits 2 "$GOMKIT" convert a/a.fbx -o out --depfile $d -q 2> err.txt
done
cmp a/a.fbx "$CLI/data/plain.fbx"
exits 5 "$GOMKIT" convert a/a.fbx -o out --textures copy --depfile ./out/tex/skin.png -q 2> err.txt
cat err.txt
exits 5 "$GOMKIT" convert a/a.fbx -o out --textures copy --depfile a/tex/skin.png -q 2> err.txt
cat err.txt
exits 5 "$GOMKIT" convert a/a.fbx -o out --depfile a/tex/../tex/skin.png -q 2> err.txt
cat err.txt a/tex/skin.png out/tex/skin.png
# A picture outside the source's folder only where --texture-path allows.
sed 's,tex.skin.png,..\\out.png,g' a/a.fbx > a/c.fbx
echo outside > out.png
exits 0 "$GOMKIT" convert a/c.fbx -o b --textures copy > line.txt 2> err.txt
cut -d: -f2,3 err.txt
exits 0 "$GOMKIT" convert a/c.fbx -o b --textures copy --texture-path . > line.txt 2> err.txt
cut -d: -f2,3 err.txt
cat b/out.png
