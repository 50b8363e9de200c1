#!/usr/bin/env bash
# setup.sh run|dev: everything that serving (`run`) or working on Vitrail (`dev`) needs on this
# machine. Each step looks at its stamp first, so that a second call costs nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1:?expected run or dev} in
  run)
    bash scripts/setup_python.sh run
    bash scripts/setup_web.sh bundle
    ;;
  dev)
    bash scripts/setup_system.sh
    bash scripts/setup_python.sh dev
    bash scripts/setup_web.sh bundle
    ;;
esac
