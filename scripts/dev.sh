#!/usr/bin/env bash
# Serve for someone who changes the code: the server starts again when Python changes, and vite
# serves the workspace's sources. Arguments go to `vitrail serve`.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup.sh dev
# People come by vite's port, and the preview allows the page of that origin around it.
export VITRAIL_PUBLIC_URL=${VITRAIL_PUBLIC_URL:-http://127.0.0.1:7719}
export VITRAIL_PREVIEW_URL=${VITRAIL_PREVIEW_URL:-http://localhost:7718}
trap 'kill $(jobs -p) 2>/dev/null' EXIT
(cd web && exec node node_modules/vite/bin/vite.js --config app/vite.config.ts) &
.venv/bin/watchfiles --filter python "$(printf '%q ' .venv/bin/vitrail serve "$@")" src/vitrail
