#!/usr/bin/env bash
# Every gate, a line each. Arguments name the gates to run; none means all.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup_python.sh dev
bash scripts/setup_web.sh packages
exec .venv/bin/python -m scripts.check "$@"
