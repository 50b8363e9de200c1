"""Feed the parser with whatever a fuzzer finds, and hold it to its laws.

    python tests/fuzz/fuzz_parser.py [-runs=N] [-seed=N] [other options of libFuzzer]

An input's first byte chooses the dialect, the next three where the text is cut;
the rest is text: each byte below 128 a character, the others pieces that reach
the parser's states. A crash, a hang (``-timeout``) or a broken law ends the run
and leaves the input in a file.
"""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parents[2]))

with atheris.instrument_imports(include=["vitrail.core"]):
    from vitrail.core.parse import StreamParser, join_events
    from vitrail.core.parse.dialects import DIALECTS
    from vitrail.protocol.events import Event

from tests.support.parse_laws import (
    LOOKS_MORE,
    LOOKS_PER_CHAR,
    PIECES,
    assert_event_laws,
)

_DIALECTS = sorted(DIALECTS)
_OWN = 128
"""Bytes from here on are pieces."""
_MAX_CHARS = 4000


def text_of(data: bytes) -> str:
    """Return the text that these bytes stand for."""
    pieces = len(PIECES)
    text = "".join(
        chr(byte) if byte < _OWN else PIECES[(byte - _OWN) % pieces] for byte in data
    )
    return text[:_MAX_CHARS]


def _parse(dialect: str, text: str, cuts: list[int]) -> tuple[list[Event], int]:
    parser = StreamParser(dialect=dialect)
    events = []
    at = 0
    for cut in [*sorted(cuts), len(text)]:
        events += parser.feed(text[at:cut])
        at = cut
    events += parser.close()
    return join_events(events), parser.looked_at


def one_input(data: bytes) -> None:
    """Parse one input whole and cut, and compare."""
    if len(data) < 5:
        return
    dialect = _DIALECTS[data[0] % len(_DIALECTS)]
    text = text_of(data[4:])
    whole, looked = _parse(dialect, text, [])
    cuts = [place * len(text) // 255 for place in data[1:4]]
    parts, looked_in_parts = _parse(dialect, text, cuts)
    assert parts == whole, (dialect, text, cuts)
    most = LOOKS_PER_CHAR[dialect] * len(text) + LOOKS_MORE
    assert max(looked, looked_in_parts) <= most, (dialect, text, looked)
    assert_event_laws(whole, text, dialect)


def main() -> None:
    """Run until the number of runs is reached or a law breaks."""
    atheris.Setup(sys.argv, one_input)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
