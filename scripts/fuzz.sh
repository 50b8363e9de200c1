#!/usr/bin/env bash
# Let a fuzzer look for texts that break a law of the parser: 5 million of them, or as many as
# `-runs=` says; every further option is libFuzzer's. What it finds is written to .setup/fuzz/.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup_python.sh dev
.venv/bin/uv pip install --quiet --require-hashes -r requirements-fuzz.lock
mkdir -p .setup/fuzz
exec .venv/bin/python tests/fuzz/fuzz_parser.py -runs=5000000 -max_len=160 -timeout=10 \
  -artifact_prefix=.setup/fuzz/ "$@"
