#!/usr/bin/env bash
# Run every bench, or the named ones (`scripts/bench.sh parse`). Ratios are measured side by side
# in one process, so that they mean something on any machine.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup_python.sh dev
if [ $# -eq 0 ]; then
  set -- $(cd bench && ls -- [a-z]*.py | sed 's/\.py$//')
fi
for name in "$@"; do
  echo "== bench/$name.py"
  .venv/bin/python "bench/$name.py" </dev/null
done
