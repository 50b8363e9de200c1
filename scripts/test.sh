#!/usr/bin/env bash
# Set up everything, then run every test that is not soak: the web packages' own, then Python's,
# the gates and the browser among them. Arguments go to pytest.
set -euo pipefail
cd "$(dirname "$0")/.."

budget_s=600 limit_s=900 # the time the tests should take on two cores, and may take at most

bash scripts/setup.sh dev
[ -t 1 ] || export NO_COLOR=1
SECONDS=0
status=0
(cd web && node node_modules/vitest/vitest.mjs run --silent=passed-only </dev/null) || status=1
# Two browsers at most: one for each worker, and two cores are what the budget is made for.
timeout --signal=INT --kill-after=30 "$limit_s" \
  .venv/bin/pytest -n 2 --dist loadgroup "$@" </dev/null || status=$?

if [ "$SECONDS" -gt "$limit_s" ]; then
  echo "test: took $SECONDS s; the tests may take $limit_s s at most" >&2
  [ "$status" -ne 0 ] || status=1
elif [ "$SECONDS" -gt "$budget_s" ]; then
  echo "test: took $SECONDS s, more than the budget of $budget_s s; see the slowest tests above" >&2
fi
exit "$status"
