#!/usr/bin/env bash
# Build the bridge and the workspace, and put them where the server hands them out. The packages
# must be installed; `scripts/setup_web.sh bundle` does both, and nothing where nothing changed.
set -euo pipefail
cd "$(dirname "$0")/.."

(cd web && npm run --silent build)

# Each is put beside its place first and then moved in, so that a running server never sees half.
place() { # place SOURCE TARGET
  mkdir -p "$(dirname "$2")"
  rm -rf "$2.new" "$2.old"
  cp -R "$1" "$2.new"
  if [ -e "$2" ]; then mv "$2" "$2.old"; fi
  mv "$2.new" "$2"
  rm -rf "$2.old"
}
place web/app/dist src/vitrail/server/web
place web/packages/bridge/dist/bridge.js src/vitrail/server/static/bridge.js
