#!/usr/bin/env bash
# setup.sh: silent and without network when nothing is to do, clear when something is missing. usage: setup_test.sh SOURCE_DIR
set -euo pipefail
source=$1
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
failures=0
fail() { echo "FAILED: $*"; failures=$((failures + 1)); }

# Nothing to do. Without network where this user may make a name space without one.
alone=()
if unshare -n true 2>/dev/null; then alone=(unshare -n); fi
if ! "${alone[@]}" "$source/setup.sh" program >"$scratch/out" 2>&1; then
    fail "setup.sh with nothing to do: $(cat "$scratch/out")"
elif [ -s "$scratch/out" ]; then
    fail "setup.sh with nothing to do says: $(cat "$scratch/out")"
fi

# A machine made of few commands: each case says what it has.
machine() { # machine COMMAND...: folder "bin" holds exactly these and what any script needs
    rm -rf -- "$scratch/bin" "$scratch/tree"
    mkdir -p "$scratch/bin" "$scratch/tree" "$scratch/home"
    cp -r "$source/setup.sh" "$source/packages.txt" "$scratch/tree"
    mkdir "$scratch/tree/third_party"
    cp "$source"/third_party/{Cargo.toml,Cargo.lock,lib.rs} "$scratch/tree/third_party"
    local command
    for command in bash sed readlink dirname cat mktemp tail env rm "$@"; do
        if [ ! -e "$scratch/bin/$command" ]; then ln -s "$(command -v "$command")" "$scratch/bin/$command"; fi
    done
}
fake() { printf '#!%s\n%s\n' "$(command -v bash)" "$2" >"$scratch/bin/$1"; chmod +x "$scratch/bin/$1"; }
expect() { # expect TITLE EXIT_CODE TEXT [argument]
    local code=0
    env -i PATH="$scratch/bin" HOME="$scratch/home" "$scratch/tree/setup.sh" "${4:-program}" >"$scratch/out" 2>&1 </dev/null || code=$?
    if [ "$code" -ne "$2" ] || { [ -n "$3" ] && ! grep -qF -- "$3" "$scratch/out"; } || { [ -z "$3" ] && [ -s "$scratch/out" ]; }; then fail "$1: exit $code, said: $(cat "$scratch/out")"; fi
}
crate=$(sed -nE 's/^ufbx-source = "([0-9.]+)".*/\1/p' "$source/third_party/Cargo.toml")
# A cargo whose metadata name a folder with ufbx of the version given.
fake_cargo() {
    mkdir -p "$scratch/crates/ufbx-1/ufbx"
    echo "#define UFBX_HEADER_VERSION ufbx_pack_version(${1//./, })" >"$scratch/crates/ufbx-1/ufbx/ufbx.h"
    echo "#define UFBX_SOURCE_VERSION ufbx_pack_version(${1//./, })" >"$scratch/crates/ufbx-1/ufbx/ufbx.c"
    fake cargo "case \$1 in --version) echo 'cargo 1.65.0' ;; metadata) [ -n \"\$CARGO_UNSTABLE_SPARSE_REGISTRY\" ] || exit 1
        echo '{\"manifest_path\":\"$scratch/crates/ufbx-1/Cargo.toml\"}' ;; *) exit 1 ;; esac"
}
nothing_installed='exit 1'
all_installed='shift 2; for p in "$@"; do printf "%s=installed " "$p"; done'

machine; fake id 'echo 1000'; fake dpkg-query "$nothing_installed"; fake apt-get 'exit 0'
expect "no root, no sudo" 1 "neither root nor sudo is here; as root run: apt-get install g++ cmake"
machine; fake id 'echo 1000'; fake dpkg-query "$nothing_installed"; fake apt-get 'exit 0'; fake sudo 'exit 1'
expect "sudo wants a password" 1 "sudo wants a password"
machine; fake id 'echo 0'; fake dpkg-query "$nothing_installed"
expect "no apt-get" 1 "apt-get not found; these packages are missing: g++"
machine; fake id 'echo 0'; fake dpkg-query "$nothing_installed"; fake apt-get 'echo "E: Unable to locate package"; exit 100'
expect "apt-get fails" 1 "Unable to locate package"
machine; fake id 'echo 0'; fake dpkg-query "$all_installed"; fake cargo 'case $1 in --version) echo "cargo 1.95.0" ;; *) echo "no route"; exit 1 ;; esac'
expect "no registry" 1 "no route"
machine; fake id 'echo 0'; fake dpkg-query "$all_installed"; fake_cargo 0.22.0
expect "another ufbx" 1 "is version '0.22.0', third_party/Cargo.toml says '$crate'"
machine; fake id 'echo 0'; fake dpkg-query "$all_installed"; fake_cargo "$crate"
expect "all is here" 0 ""
machine; fake id 'echo 0'; fake dpkg-query "$all_installed"
expect "wrong argument" 1 "unknown argument 'nonsense'" nonsense
# Only what is missing is asked for, with cargo left out where there is one, and after a failed update the installation is still tried.
machine; fake id 'echo 0'; fake_cargo "$crate"
fake dpkg-query 'shift 2; for p in "$@"; do [ "$p" = cmake ] || [ "$p" = cargo ] || printf "%s=installed " "$p"; done'
fake apt-get "echo \"\$*\" >>$scratch/asked; case \"\$*\" in *update*) exit 1 ;; esac"
expect "one package is missing" 0 "installing 1 packages: cmake"
grep -q -- "--no-install-recommends cmake\$" "$scratch/asked" || fail "apt-get was asked for: $(cat "$scratch/asked")"

echo "$failures failures"
[ "$failures" -eq 0 ]
