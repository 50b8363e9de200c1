#!/usr/bin/env bash
# Let a fuzzer look for texts that break a law of the parser: 5 million of them, or as many as
# `-runs=` says; every further option is libFuzzer's. What it finds is written to .setup/fuzz/.
# Then change what reached new states, and was kept in .setup/fuzz/corpus/, in 4 million ways.
set -euo pipefail
cd "$(dirname "$0")/.."
bash scripts/setup_python.sh dev
.venv/bin/uv pip install --quiet --require-hashes -r requirements-fuzz.lock
corpus=.setup/fuzz/corpus
mkdir -p "$corpus"
.venv/bin/python tests/fuzz/fuzz_parser.py "$corpus" -runs=5000000 -max_len=48 -timeout=10 \
  -artifact_prefix=.setup/fuzz/ "$@"
.venv/bin/python tests/fuzz/mutate_corpus.py "$corpus"
