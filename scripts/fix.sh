#!/usr/bin/env bash
# Mend what the tools can mend by themselves: order, format, generated types.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup_python.sh dev
bash scripts/setup_web.sh packages
.venv/bin/ruff check --fix --quiet || true
.venv/bin/ruff format --quiet
.venv/bin/python scripts/generate_types.py
(cd web && node node_modules/@biomejs/biome/bin/biome check --write .)
