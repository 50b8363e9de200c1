#!/usr/bin/env bash
# soak.sh [--share I/N | --share commit/N] [--budget-s SECONDS] [pytest arguments]: the long suites.
# A share is the tests whose name falls to part I of N (from 0); `commit` lets the hash of the
# commit choose it, so that every part is run now and then. No test starts after the budget.
set -euo pipefail
cd "$(dirname "$0")/.."

share=0/1 budget_s=0
while [ $# -gt 0 ]; do
  case $1 in
    --share) share=${2:?expected I/N}; shift 2 ;;
    --budget-s) budget_s=${2:?expected seconds}; shift 2 ;;
    *) break ;;
  esac
done
parts=${share##*/}
if [ "${share%%/*}" = commit ]; then
  commit=$(git rev-parse HEAD 2>/dev/null || echo 0)
  share=$((16#${commit:0:8} % parts))/$parts
fi

bash scripts/setup.sh dev
echo "soak: part $share"
status=0
.venv/bin/pytest -n 2 --dist loadgroup -m soak --timeout 900 --hypothesis-profile=soak \
  --soak-share "$share" --soak-budget-s "$budget_s" "$@" </dev/null || status=$?
if [ "$status" -eq 5 ]; then # pytest's "no tests"
  echo "soak: no test falls to this part"
  status=0
fi
exit "$status"
