# Where no thread can be had the program works without the one that waits for signals.
. "$CLI/lib.sh"
# LeakSanitizer needs a thread of its own.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
cp "$PLAIN" a.gom
cp "$PLAIN" b.gom
mkdir out
chmod 777 . out
"$PYTHON" - > result.txt <<'PY'
import os, resource, subprocess
def limit():
    if os.getuid() == 0:
        os.setgid(54321)
        os.setuid(54321)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
try:
    for command in (["check", "a.gom"], ["convert", "a.gom", "b.gom", "-o", "out", "--jobs", "4", "-q"]):
        p = subprocess.run([os.environ["GOMKIT"], *command], capture_output=True, preexec_fn=limit)
        print(p.returncode, (p.stdout + p.stderr).decode().strip())
except (subprocess.SubprocessError, OSError):
    print("cannot run")
PY
if grep -q 'cannot run' result.txt; then
    echo "SKIP: another user cannot run the program here"
    exit 77
fi
cat result.txt
