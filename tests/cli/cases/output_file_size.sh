# A limit on the size of files is an error of writing, not the end of the process.
. "$CLI/lib.sh"
cp "$PLAIN" a.gom
"$PYTHON" - <<'PY'
import os, resource, subprocess
p = subprocess.run([os.environ["GOMKIT"], "convert", "a.gom", "-o", "b.gom"], capture_output=True,
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)))
print(p.returncode, p.stderr.decode().strip())
PY
left
