#!/usr/bin/env bash
# Build dist/vitrail-VERSION-py3-none-any.whl, the workspace's bundle inside: installing it needs
# no Node. The tools come from the lock, so nothing is fetched to build it.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup_python.sh dev
bash scripts/setup_web.sh bundle
rm -rf dist
.venv/bin/uv build --quiet --wheel --no-build-isolation --offline --python .venv/bin/python --out-dir dist
ls dist/*.whl
