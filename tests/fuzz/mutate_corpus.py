"""Change the inputs that `fuzz_parser` has collected, and ask the same laws of each.

    python tests/fuzz/mutate_corpus.py CORPUS [--runs N] [--seed N]

The parser is not instrumented, so this is six times as fast, and finds no new states:
it tries what the collected ones have between them. A broken law ends the run and
leaves the input in CORPUS; with ``--seed`` and ``--runs`` a run is had again.
"""

from __future__ import annotations

import argparse
import random
import sys
import types
from collections.abc import Callable
from contextlib import nullcontext
from hashlib import sha256
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

_MAX_BYTES = 160


def _target() -> Callable[[bytes], None]:
    """Return the fuzz target as it is without a fuzzer."""
    bare = types.ModuleType("atheris")
    vars(bare)["instrument_imports"] = lambda **_: nullcontext()
    sys.modules["atheris"] = bare
    from tests.fuzz.fuzz_parser import one_input  # noqa: PLC0415 - behind the stand-in

    return one_input


def _changed(rng: random.Random, corpus: list[bytes]) -> bytes:
    """Return an input that was changed in one to four places."""
    data = bytearray(rng.choice(corpus))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(data) + 1)
        to = min(len(data), at + rng.randint(1, 8))
        match rng.randrange(6):
            case 0:
                del data[at:to]
            case 1:
                data[at:at] = data[at:to] * rng.randint(1, 4)
            case 2:
                data[at:at] = rng.randbytes(rng.randint(1, 3))
            case 3:
                data[at:to] = rng.randbytes(to - at)
            case 4:
                other = rng.choice(corpus)
                first = rng.randrange(len(other) + 1)
                data[at:to] = other[first : first + rng.randint(1, 24)]
            case _:
                other = rng.choice(corpus)
                data[at:] = other[rng.randrange(len(other) + 1) :]
    return bytes(data[:_MAX_BYTES])


def main() -> int:
    """Run; 1 if a law was broken."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("corpus", type=Path)
    options.add_argument("--runs", type=int, default=4_000_000)
    options.add_argument("--seed", type=int, default=0)
    chosen = options.parse_args()
    one_input = _target()
    corpus = [path.read_bytes() for path in sorted(chosen.corpus.iterdir())]
    if not corpus:
        options.error(f"{chosen.corpus} is empty; run fuzz_parser.py with it first")
    rng = random.Random(chosen.seed)
    for run in range(1, chosen.runs + 1):
        data = _changed(rng, corpus)
        try:
            one_input(data)
        except Exception as fault:  # noqa: BLE001 - whatever it raises is a finding
            name = f"found-{sha256(data).hexdigest()[:16]}"
            (chosen.corpus / name).write_bytes(data)
            sys.stderr.write(f"run {run}, kept as {name}: {fault!r}\n")
            return 1
        if run % 100_000 == 0:
            sys.stderr.write(f"{run} inputs, no law broken\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
