#!/usr/bin/env bash
# Serve for someone who changes the code: the server starts again when Python changes, and vite
# serves the workspace's sources. Arguments go to `vitrail serve`.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh dev
trap 'kill $(jobs -p) 2>/dev/null' EXIT
(cd web && exec node node_modules/vite/bin/vite.js --config app/vite.config.ts) &
.venv/bin/watchfiles --filter python "$(printf '%q ' .venv/bin/vitrail serve "$@")" src/vitrail
