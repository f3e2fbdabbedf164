# Missing files, folders and files of no known format, for every command that reads one.
. "$CLI/lib.sh"
mkdir folder
printf 'hello' > text.xyz
: > empty.xyz
cp "$GOM" good.gom
for command in convert check info dump signature; do
    exits 3 "$GOMKIT" $command missing.gom 2> err.txt
    grep -q '^missing.gom: error CannotOpen: ' err.txt
    exits 3 "$GOMKIT" $command folder 2> err.txt
    grep -q '^folder: error CannotOpen: is a folder' err.txt
    for file in text.xyz empty.xyz; do
        exits 1 "$GOMKIT" $command $file 2> err.txt
        grep -q "^$file: error NotThisFormat: .*GOM" err.txt
    done
done > out.txt
exits 3 "$GOMKIT" diff good.gom missing.gom 2> err.txt
exits 3 "$GOMKIT" diff good.gom text.xyz 2> err.txt
grep -q '^text.xyz: error NotThisFormat' err.txt
exits 3 "$GOMKIT" convert '' 2> err.txt
exits 1 "$GOMKIT" info text.xyz --json > i.json
json i.json 'd["ok"], d["exitCode"], d["errors"][0]["file"], d["errors"][0]["name"]'
exits 3 "$GOMKIT" signature missing.gom --json > s.json
json s.json 'd["exitCode"], d["signature"]'
rm err.txt i.json s.json out.txt
left
