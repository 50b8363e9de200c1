#!/usr/bin/env bash
# System packages that the tests need and `make run` does not: a Chromium to drive and fonts for
# the scripts it shows. Installs them where it may (root or sudo without a password, on Debian or
# Ubuntu); elsewhere it says what is missing and goes on, and the tests that need it fail in words.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/stamps.sh

fonts=(fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji)

has_chromium() {
  [ -n "${VITRAIL_CHROMIUM:-}" ] && return 0
  for name in chromium chromium-browser google-chrome; do
    command -v "$name" >/dev/null && return 0
  done
  return 1
}
is_installed() { dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'; }

missing=()
has_chromium || missing+=(chromium)
if command -v dpkg-query >/dev/null; then
  for font in "${fonts[@]}"; do is_installed "$font" || missing+=("$font"); done
fi
# The tests' own environment, where only the system's bare Python is there.
bash scripts/find_python.sh >/dev/null 2>&1 || missing+=(python3-venv)
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root=(sudo -n)
  else
    as_root=(no)
  fi
fi
if ! command -v apt-get >/dev/null || [ "${as_root[*]:-}" = no ]; then
  say "missing system packages: ${missing[*]}"
  say "install them as an administrator: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
  exit 0
fi

under_lock
say "installing system packages: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
apt() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@" </dev/null >&2; }
apt update || say "the package lists could not be renewed; trying with those that are here"
# Ubuntu has it by its older name only.
if [ "${missing[0]}" = chromium ] && ! apt-cache show chromium >/dev/null 2>&1; then
  missing[0]=chromium-browser
fi
apt install -y --no-install-recommends "${missing[@]}" ||
  say "some system packages could not be installed: ${missing[*]}"
