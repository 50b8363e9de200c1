"""A climb to texts that cost many looks: a head, a motif said again and again, a tail.

Random texts seldom cost more than they may; what does is found by changing a text and
keeping what costs no less.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from tests.support.parse_laws import PIECES
from vitrail.core.parse import StreamParser

__all__ = ["Motif", "climb", "looks"]

_MOST_PIECES = 7
_CHARS = 400


@dataclass(frozen=True)
class Motif:
    """The pieces of one text."""

    head: tuple[str, ...]
    again: tuple[str, ...]
    tail: tuple[str, ...]

    def text(self) -> str:
        """Return the text, its motif said so often that the text is long."""
        again = "".join(self.again)
        times = max(1, _CHARS // len(again)) if again else 0
        return "".join(self.head) + again * times + "".join(self.tail)


def looks(dialect: str, text: str) -> int:
    """Return how many characters are looked at for a text."""
    parser = StreamParser(dialect=dialect)
    parser.feed(text)
    parser.close()
    return parser.looked_at


def climb(dialect: str, rng: random.Random, steps: int) -> Iterator[str]:
    """Yield texts, each of which costs as many looks a character as the one before."""
    motif = Motif(_some(rng, 0, 2), _some(rng, 1, 4), _some(rng, 0, 1))
    most = 0.0
    for _ in range(steps):
        changed = _changed(rng, motif)
        text = changed.text()
        cost = looks(dialect, text) / max(1, len(text))
        if cost >= most:
            motif, most = changed, cost
            yield text


def _some(rng: random.Random, least: int, most: int) -> tuple[str, ...]:
    return tuple(rng.choices(PIECES, k=rng.randint(least, most)))


def _changed(rng: random.Random, motif: Motif) -> Motif:
    parts = [list(motif.head), list(motif.again), list(motif.tail)]
    for _ in range(rng.randint(1, 2)):
        part = parts[rng.choice([0, 1, 1, 1, 2])]
        kind = rng.randrange(4)
        if kind == 0 or not part:
            part.insert(rng.randint(0, len(part)), rng.choice(PIECES))
        elif kind == 1:
            part.pop(rng.randrange(len(part)))
        elif kind == 2:
            part[rng.randrange(len(part))] = rng.choice(PIECES)
        else:
            part.insert(rng.randrange(len(part)), rng.choice(part))
        del part[_MOST_PIECES:]
    return Motif(*map(tuple, parts))
