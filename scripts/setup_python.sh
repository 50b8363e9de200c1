#!/usr/bin/env bash
# setup_python.sh run|dev: the virtual environment, from the hashed locks, and Vitrail in it.
# `run` installs what serving needs; `dev` adds what tests, gates and benches need.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/stamps.sh

kind=${1:?expected run or dev}
case $kind in
  run) lock=requirements.lock ;;
  dev) lock=requirements-dev.lock ;;
  *) stop "expected run or dev, got '$kind'" ;;
esac

# The folder is part of the digest: a moved environment points at where it was.
wanted=$(printf '%s %s' "$PWD" "$(digest_of requirements-build.lock "$lock" pyproject.toml)")
is_ready() { is_stamped "python-$kind" "$wanted" && .venv/bin/python -c '' 2>/dev/null; }
is_ready && exit 0
under_lock
is_ready && exit 0

# An environment of another folder, or whose Python is gone, or too old, starts anew.
made_for=$(cat .setup/python-venv 2>/dev/null || true)
if ! { [ "$made_for" = "$PWD" ] &&
  .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; }; then
  python=$(bash scripts/find_python.sh)
  say "making .venv with $("$python" --version 2>&1)"
  rm -rf .venv .setup/python-*
  if "$python" -c 'import ensurepip' 2>/dev/null; then
    "$python" -m venv .venv
  else # Debian's pip without ensurepip can still install into another environment
    "$python" -m venv --without-pip .venv
    "$python" -m pip --python .venv/bin/python install --quiet pip
  fi
  stamp python-venv "$PWD"
fi

export PIP_DISABLE_PIP_VERSION_CHECK=1 UV_NO_PROGRESS=1
installer=$(digest_of requirements-build.lock)
if ! is_stamped python-build "$installer"; then
  say "installing the installer"
  .venv/bin/python -m pip install --quiet --require-hashes -r requirements-build.lock
  stamp python-build "$installer"
fi
say "installing the packages of $lock"
export VIRTUAL_ENV="$PWD/.venv"
.venv/bin/uv pip install --quiet --require-hashes -r "$lock"
.venv/bin/uv pip install --quiet --no-deps --no-build-isolation -e .
stamp "python-$kind" "$wanted"
