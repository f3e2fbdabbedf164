#!/usr/bin/env bash
# Installs the Debian packages of packages.txt that are missing and fetches the pinned sources of third_party/Cargo.lock.
# Nothing to do: no output, no network. Usage: ./setup.sh [program|tests]; "program" leaves out what only the tests need.
set -euo pipefail
root=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
HOME=${HOME:-/nonexistent}

say() { printf 'setup.sh: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

case "${1:-tests}" in
    program) wanted='program' ;;
    tests) wanted='program|tests' ;;
    *) die "unknown argument '$1'; usage: ./setup.sh [program|tests]" ;;
esac

# The cargo that CMake will find too (cmake/CargoSources.cmake): a toolchain of the user's before Debian's.
find_cargo() {
    local candidate
    for candidate in "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" "$(command -v cargo || true)"; do
        if [ -x "$candidate" ] && "$candidate" --version >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
}

# --- packages -------------------------------------------------------------------------------------------------------------------
mapfile -t packages < <(sed -nE "s/^([a-z0-9][a-z0-9.+-]*)[[:space:]]+# ($wanted):.*/\1/p" "$root/packages.txt")
[ "${#packages[@]}" -gt 0 ] || die "packages.txt names no package"

missing=()
if command -v dpkg-query >/dev/null; then
    installed=" $(dpkg-query -W -f='${Package}=${db:Status-Status} ' "${packages[@]}" 2>/dev/null || true)"
    for package in "${packages[@]}"; do
        case "$installed" in
            *" $package=installed "*) ;;
            *) if [ "$package" != cargo ] || [ -z "$(find_cargo)" ]; then missing+=("$package"); fi ;;
        esac
    done
else
    say "not a Debian system: packages are left to you; packages.txt lists what is needed"
fi

if [ "${#missing[@]}" -gt 0 ]; then
    command -v apt-get >/dev/null || die "apt-get not found; these packages are missing: ${missing[*]}"
    as_root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null ||
            die "packages are missing and neither root nor sudo is here; as root run: apt-get install ${missing[*]}"
        as_root=(sudo)
        if [ ! -t 0 ] && ! sudo -n true 2>/dev/null; then
            die "packages are missing and sudo wants a password; run in a terminal: sudo apt-get install ${missing[*]}"
        fi
    fi
    say "installing ${#missing[@]} packages: ${missing[*]}"
    log=$(mktemp)
    trap 'rm -f -- "$log"' EXIT
    apt() {
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" >>"$log" 2>&1
    }
    # The package lists of this machine may be absent or old: fetch them first, and let the installation say whether that matters.
    apt update || say "apt-get update failed; trying with the package lists that are here"
    if ! apt install --no-install-recommends "${missing[@]}"; then
        tail -n 25 "$log" >&2
        die "apt-get install failed (above); gomkit is built on Debian 12, whose package names packages.txt holds"
    fi
fi

# --- pinned sources -------------------------------------------------------------------------------------------------------------
cargo=$(find_cargo)
[ -n "$cargo" ] || die "cargo not found; it fetches the sources pinned in third_party/Cargo.lock"

# Cargo before 1.68 (Debian 12 has 1.65) reaches the registry's index over plain HTTPS only with this unstable setting.
version=$("$cargo" --version | sed -E 's/^cargo ([0-9]+)\.([0-9]+)\..*/\1 \2/')
read -r major minor <<<"$version"
environment=(env)
if [ "$major" -eq 1 ] && [ "$minor" -lt 68 ]; then
    environment=(env RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_SPARSE_REGISTRY=true)
fi
# Under "sudo ./setup.sh" the sources belong to who will build, not to root.
if [ "$(id -u)" -eq 0 ] && [ -n "${SUDO_USER:-}" ] && [ "${SUDO_USER}" != root ]; then
    environment=(sudo -u "$SUDO_USER" -H "${environment[@]}")
fi
run_cargo() { "${environment[@]}" "$cargo" "$@" --locked --manifest-path "$root/third_party/Cargo.toml"; }

metadata() { run_cargo metadata --offline --format-version 1 2>/dev/null; }
if ! json=$(metadata); then
    say "fetching the sources pinned in third_party/Cargo.lock"
    if ! error=$(run_cargo fetch 2>&1); then
        printf '%s\n' "$error" >&2
        die "cargo fetch failed (above); it needs the registry once, later runs need no network"
    fi
    json=$(metadata) || die "cargo fetched the sources but cannot find them offline"
fi

# Cargo checked the packages against Cargo.lock; check too that the C sources are the release that NOTICES.md and --version name.
manifest=$(sed -E 's/.*"manifest_path":"([^"]*\/ufbx-[^"\/]*)\/Cargo\.toml".*/\1/' <<<"$json")
expected=$(sed -nE 's/^ufbx-source = "([0-9.]+)".*/\1/p' "$root/third_party/Cargo.toml")
for file in ufbx.h:UFBX_HEADER_VERSION ufbx.c:UFBX_SOURCE_VERSION; do
    found=$(sed -nE "s/^#define ${file#*:} ufbx_pack_version\(([0-9]+), ([0-9]+), ([0-9]+)\).*/\1.\2.\3/p" "$manifest/ufbx/${file%:*}")
    [ "$found" = "$expected" ] || die "$manifest/ufbx/${file%:*} is version '${found:-unknown}', third_party/Cargo.toml says '$expected'"
done
