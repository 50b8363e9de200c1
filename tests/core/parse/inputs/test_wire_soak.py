"""Streams spoilt in every way: they close, lose no place, cost no more, and no cut changes them."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from tests.core.parse.inputs.streams import STREAMS
from tests.core.parse.inputs.test_wire_laws import (
    LOOKS_MORE,
    LOOKS_PER_CHAR,
    check,
    places_add_up,
    read,
)

BITS = (
    *(b'"', b"\\", b"\\u", b"\\ud83e", b"{", b"}", b"[", b"]", b",", b":", b"\0"),
    *(b"\n", b"\r", b"\r\n", b"data: ", b"\xff", b"\xef\xbb\xbf", b"null", b"1"),
    *(b"\\\\n", b'\\"', b"<artifact identifier='x' type='text/html'>", b"</artifact>"),
)
DIALECTS = sorted(STREAMS)


def spoilt(data: bytes, rng: random.Random) -> bytes:
    """Return the stream with some of it gone, doubled, put in or in another order."""
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(4):
            case 0:
                data = data[:at] + data[at + rng.choice([1, 2, 5, 50, 400]) :]
            case 1:
                data = data[:at] + rng.choice(BITS) + data[at:]
            case 2:
                there = rng.randrange(len(data) + 1)
                again = data[there : there + rng.choice([3, 40, 400])]
                data = data[:at] + again + data[at:]
            case _:
                lines = data.split(b"\n")
                one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
                lines[one], lines[other] = lines[other], lines[one]
                data = b"\n".join(lines)
    return data


def hold(dialect: str, data: bytes, rng: random.Random) -> None:
    """Hold one stream to the laws."""
    parser, whole = read(dialect, data)
    check(whole)
    if not any(getattr(event, "recovered", None) for event in whole):
        places_add_up(whole)
    assert parser.looked_at <= LOOKS_PER_CHAR * len(data) + LOOKS_MORE
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(rng.randrange(8)))
    pieces = [data[a:b] for a, b in pairwise([0, *cuts, len(data)])]
    assert read(dialect, *pieces)[1] == whole


@pytest.mark.parametrize("seed", range(40))
def test_spoilt_streams_keep_the_laws(seed):
    rng = random.Random(seed)
    dialect = DIALECTS[seed % len(DIALECTS)]
    hold(dialect, spoilt(STREAMS[dialect].encode(), rng), rng)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(100, 200))
def test_many_spoilt_streams_keep_the_laws(seed):
    rng = random.Random(seed)
    for _ in range(200):
        dialect = rng.choice(DIALECTS)
        stream = rng.choice([dialect, dialect, dialect, rng.choice(DIALECTS)])
        hold(dialect, spoilt(STREAMS[stream].encode(), rng), rng)
