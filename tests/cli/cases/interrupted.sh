# Ctrl-C while the input is being waited for: exit 130, nothing written.
. "$CLI/lib.sh"
mkfifo pipe.gom
"$PYTHON" - <<'PY'
import os, signal, subprocess, time
for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
    p = subprocess.Popen([os.environ["GOMKIT"], "convert", "pipe.gom", "-o", "out.gom"], stderr=subprocess.PIPE)
    writer = os.open("pipe.gom", os.O_WRONLY)  # returns when the program has opened it
    p.send_signal(number)
    print(p.wait(20) == code, p.stderr.read().decode().strip())
    os.close(writer)
PY
left
