# Several inputs: results in the order of the inputs whatever the jobs; one failure stops none; the highest exit code is reported.
. "$CLI/lib.sh"
mkdir in out
for i in 1 2 3 4 5 6 7 8; do cp "$PLAIN" in/$i.gom; done
head -c 600 in/4.gom > in/4b.gom
exits 0 "$GOMKIT" convert in/1.gom in/2.gom in/3.gom -o out --jobs 1 > one.txt
rm -r out && mkdir out
exits 0 "$GOMKIT" convert in/1.gom in/2.gom in/3.gom -o out/ --jobs 4 > four.txt
cmp one.txt four.txt
cut -d' ' -f1-3 one.txt
exits 3 "$GOMKIT" convert in/5.gom in/4b.gom in/none.gom in/6.gom -o out > out.txt 2> err.txt
cut -d: -f1 err.txt
test -e out/5.gom && test -e out/6.gom && test ! -e out/4b.gom && test ! -e out/none.gom
exits 1 "$GOMKIT" convert in/7.gom in/4b.gom in/8.gom -o out --json > j.json
json j.json '[(f["input"], f["ok"], f["written"], f["exitCode"]) for f in d["files"]], len(d["errors"]), d["exitCode"]'
exits 2 "$GOMKIT" convert in/1.gom in/2.gom -o in/1.gom
exits 2 "$GOMKIT" convert in/1.gom ./in/1.gom -o out
exits 5 "$GOMKIT" convert in/1.gom in/2.gom -o none
ls out
