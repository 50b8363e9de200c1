#!/usr/bin/env bash
# Set up what serving needs, then serve the workspace. Arguments go to `vitrail serve`.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh run
exec .venv/bin/vitrail serve "$@"
