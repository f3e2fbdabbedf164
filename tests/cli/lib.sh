# Sourced by cases: . "$CLI/lib.sh"

# exits CODE COMMAND...: runs the command and says so when it exits with something else.
exits() {
    wanted=$1
    shift
    got=0
    "$@" || got=$?
    test "$got" = "$wanted" || echo "exit code $got, expected $wanted: $*"
}

# json FILE EXPRESSION: the file is one JSON document of valid UTF-8; prints the value of a Python expression over it, as `d`.
json() {
    "$PYTHON" -c 'import json, sys; d = json.loads(open(sys.argv[1], "rb").read().decode("utf-8")); print(eval(sys.argv[2]))' "$1" "$2"
}

# left: what lies in the scratch folder, hidden files too.
left() {
    find . -mindepth 1 | LC_ALL=C sort
}

# Small valid GOMs: with a skeleton, clips and a picture that is not there; with a mesh only.
GOM=$SOURCE/tests/conformance/gom/good/clip0_loop_closed.gom
PLAIN=$SOURCE/tests/conformance/gom/good/default_material.gom
