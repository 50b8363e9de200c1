#!/usr/bin/env bash
# Write the four hashed locks again from pyproject.toml: what runs Vitrail, what its tests and
# gates need on top, what its fuzz target needs, and what installs them. Only a person who changes a dependency runs this.
set -euo pipefail
cd "$(dirname "$0")/.."

uv=.venv/bin/uv
options=(--quiet --universal --generate-hashes --python-version 3.11
  --no-annotate --no-header --no-emit-index-url)

"$uv" pip compile "${options[@]}" --group dev pyproject.toml -o requirements-dev.lock
# The running lock takes the versions of the larger one, so that tests try what people get.
"$uv" pip compile "${options[@]}" -c requirements-dev.lock pyproject.toml -o requirements.lock
"$uv" pip compile "${options[@]}" --group fuzz -o requirements-fuzz.lock
"$uv" pip compile "${options[@]}" --group build -o requirements-build.lock
