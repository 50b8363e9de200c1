"""What parsing costs, against a floor that does the same without thinking.

Strategy: the floor makes the same events and finds every ``<``, backtick and
line break by `str.find`. Parser and floor run side by side, in pairs, in one
process, in processor time; the figure is the median of the pairs' ratios, so a
slow or busy machine slows both. Growth is the exponent between two sizes of the same text; memory is the
peak above the input. Exits 1 when a budget is broken.

    python -m bench.parse [--quick]
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import math
import random
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

if not __package__:  # run by path
    sys.path.insert(0, str(Path(__file__).parents[1]))

import msgspec

from tests.support.texts import (
    generated_replies,
    hostile_dialect_texts,
    hostile_texts,
)
from vitrail.core.parse import StreamParser
from vitrail.protocol.events import ArtifactChunk

__all__ = ["main"]

CHUNKS = (1, 4, 16, 256)
FRIENDLY_RATIO = 6.0
HOSTILE_RATIO = 12.0
GROWTH_EXPONENT = 1.15
GROWTH_NOISE = 0.05
PEAK_BYTES = 2_500_000
"""What the parser keeps does not grow with the text: little but for a copy of an unclosed
fence, which `MAX_RECOVERABLE_CHARS` bounds."""

DIALECT_PEAK_BYTES = 6_000_000
"""Of dialects with forms and internal tags: a form's body, what it says, and text that waits
for a close tag."""
LOOKS = 4.0
DENSE_S = 1.0
"""A megabyte with 15 000 backticks and as many ``<``, in 20 000 pieces."""

HOSTILE = (
    "unclosed fence",
    "open backtick",
    "angles",
    "endless open tag",
    "openers",
)
"""Those with a budget. The rest of `hostile_texts` has to grow linearly, in bounded memory."""
FURTHER_CHUNK = 16


@dataclass(frozen=True)
class Corpus:
    name: str
    text: str
    hostile: bool
    dialect: str = "tag"


# --- texts -----------------------------------------------------------------


def _repeat(text: str, chars: int) -> str:
    return (text * (chars // len(text) + 1))[:chars]


def _prose(chars: int) -> str:
    paragraph = (
        "The page shows a calm list of results, and every chart follows one rule, so\n"
        "that nobody waits for long. Use `flex` where a row may wrap; a < b stays text.\n"
        "\n"
        "- Colours stay close to what was asked, with more room and less noise.\n"
        "- Type is larger where it matters, and the contrast is better than before.\n"
        "\n"
        "## What comes next\n"
        "\n"
        "One more paragraph of the usual length that says what was done and why it was\n"
        "done, without any code in it, as most of a reply is.\n"
        "\n"
        "```js\nconst shown = items.filter((item) => item.rank < 10);\n```\n"
        "\n"
    )
    return _repeat(paragraph, chars)


def _body(chars: int) -> str:
    line = '<li class="item"><a href="#x">An item of the list, with words</a></li>\n'
    tag = '<artifact identifier="page" type="text/html" title="Page">\n'
    return tag + _repeat(line, chars - len(tag))


def _small(chars: int) -> str:
    return _repeat("".join(generated_replies(40, seed=1)), chars)


def _chinese(chars: int) -> str:
    paragraph = (
        "这份报告说明了数据的来源与处理方法，页面采用了简洁的布局，颜色保持一致。\n"
        "图表清晰可读；`代码` 用等宽字体，表格对齐，标题简短。\n\n"
        "接下来的一步是把所有页面放在同一个项目里，并检查每一个链接是否可用。\n\n"
    )
    return _repeat(paragraph, chars)


def friendly(chars: int) -> list[Corpus]:
    return [
        Corpus("prose", _prose(chars), hostile=False),
        Corpus("one big artifact", _body(chars), hostile=False),
        Corpus("many artifacts", _small(chars), hostile=False),
        Corpus("Chinese", _chinese(chars), hostile=False),
    ]


def hostile(chars: int) -> list[Corpus]:
    texts = hostile_texts(chars)
    texts["angles"] = texts["angles"][: min(chars, 100_000)]
    texts["openers"] = "<artifact " * min(5_000, chars // 10)
    return [Corpus(name, texts[name], hostile=True) for name in HOSTILE]


# --- floor and parser ----------------------------------------------------------


def _pieces(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


_Recipe = list[list[tuple[type, tuple[object, ...]]]]


def recipe(pieces: Iterable[str]) -> _Recipe:
    """Return how to make each piece's events again: classes and their arguments."""
    parser = StreamParser(dialect="tag")
    batches = [*map(parser.feed, pieces), parser.close()]
    return [
        [(type(event), msgspec.structs.astuple(event)) for event in batch]
        for batch in batches
    ]


def floor(pieces: Sequence[str], made: _Recipe) -> int:
    """Make the same events and find the same marks, without deciding anything."""
    digest = hashlib.sha256()
    count = 0
    for at, piece in enumerate(pieces):
        for mark in ("<", "`", "\n"):
            place = piece.find(mark)
            while place >= 0:
                count += 1
                place = piece.find(mark, place + 1)
        events = []
        for kind, arguments in made[at]:
            events.append(kind(*arguments))
            if kind is ArtifactChunk:
                digest.update(piece.encode())
        count += len(events)
    return count


def parse(pieces: Iterable[str], dialect: str = "tag") -> int:
    parser = StreamParser(dialect=dialect)
    count = 0
    for piece in pieces:
        count += len(parser.feed(piece))
    return count + len(parser.close())


def _time(work: Callable[[], int]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def ratio(corpus: Corpus, size: int, pairs: int) -> tuple[float, float]:
    """Return the median ratio to the floor, and millions of characters a second."""
    pieces = _pieces(corpus.text, size)
    made = recipe(pieces)
    ratios, best = [], math.inf
    gc.disable()
    try:
        for _ in range(pairs):
            base = _time(lambda: floor(pieces, made))
            own = _time(lambda: parse(pieces))
            ratios.append(own / base)
            best = min(best, own)
    finally:
        gc.enable()
    return statistics.median(ratios), len(corpus.text) / best / 1e6


def exponent(small: Corpus, large: Corpus, size: int, runs: int) -> float:
    """Return the growth exponent of the time between two sizes of one text."""
    times = [
        min(
            _time(partial(parse, _pieces(c.text, size), c.dialect)) for _ in range(runs)
        )
        for c in (small, large)
    ]
    return math.log(times[1] / times[0]) / math.log(len(large.text) / len(small.text))


def peak(corpus: Corpus, size: int) -> int:
    """Return the most bytes the parser held at once, above the text itself."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        parser = StreamParser(dialect=corpus.dialect)
        for at in range(0, len(corpus.text), size):
            parser.feed(corpus.text[at : at + size])
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


# --- the table --------------------------------------------------------------------


def _ratios(corpora: Sequence[Corpus], pairs: int) -> list[str]:
    broken = []
    for corpus in corpora:
        budget = HOSTILE_RATIO if corpus.hostile else FRIENDLY_RATIO
        cells = []
        for size in CHUNKS:
            times, rate = ratio(corpus, size, pairs)
            over = times > budget
            if over:
                broken.append(
                    f"{corpus.name}, chunks of {size}: {times:.1f} > {budget}"
                )
            cells.append(f"{times:6.2f}{'!' if over else ' '}{rate:7.1f}")
        print(f"{corpus.name:28}" + " │ ".join(cells), flush=True)
    return broken


def _rates(corpora: Sequence[Corpus]) -> None:
    for corpus in corpora:
        times, rate = ratio(corpus, FURTHER_CHUNK, 1)
        print(f"{corpus.name:28}{times:6.2f} {rate:7.1f}", flush=True)


def _growth(pairs: Sequence[tuple[Corpus, Corpus]], runs: int) -> list[str]:
    broken = []
    for small, large in pairs:
        found = exponent(small, large, 256, runs)
        held = peak(large, 256)
        over = found > GROWTH_EXPONENT + GROWTH_NOISE
        heavy = held > (PEAK_BYTES if large.dialect == "tag" else DIALECT_PEAK_BYTES)
        print(
            f"{large.name:28}{found:6.2f}{'!' if over else ' '}"
            f"{held / 1000:12.0f} kB{'!' if heavy else ' '}",
            flush=True,
        )
        if over:
            broken.append(f"{large.name}: growth exponent {found:.2f}")
        if heavy:
            broken.append(f"{large.name}: {held} bytes held")
    return broken


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--quick", action="store_true", help="smaller texts, fewer runs"
    )
    quick = options.parse_args(arguments).quick
    chars, pairs = (100_000, 7) if quick else (250_000, 9)
    many = len(HOSTILE) if quick else None

    print(f"{'ratio to the floor':28}" + " │ ".join(f"{s:>6}  Mchar/s" for s in CHUNKS))
    broken = _ratios([*friendly(chars), *hostile(chars)], pairs)
    if not quick:
        print(f"\nfurther hostile texts, chunks of {FURTHER_CHUNK}")
        _rates(_uncapped(60_000)[len(HOSTILE) :])

    # longer than anything the parser holds, so that both are read at one pace
    small, large = (150_000, 600_000) if quick else (250_000, 4_000_000)
    print(f"\n{'growth':28}exponent  peak memory")
    grown = zip(
        [*friendly(small), *_uncapped(small)[:many]],
        [*friendly(large), *_uncapped(large)[:many]],
        strict=True,
    )
    broken += _growth(list(grown), 1 if quick else 2)

    broken += _dialects(small, large, 1 if quick else 2)
    broken += _dense()

    for line in broken:
        print(f"over budget: {line}", file=sys.stderr)
    return 1 if broken else 0


def _dialects(small: int, large: int, runs: int) -> list[str]:
    """Measure each dialect on its own worst texts: growth, memory, and looks a character."""
    print(f"\n{'dialects':28}exponent  peak memory")
    pairs = [
        tuple(
            Corpus(name, text, hostile=True, dialect=dialect)
            for dialect, text in (
                hostile_dialect_texts(small)[name],
                hostile_dialect_texts(large)[name],
            )
        )
        for name in hostile_dialect_texts(8)
    ]
    broken = _growth([(a, b) for a, b in pairs], runs)
    for corpus, _ in pairs:
        parser = StreamParser(dialect=corpus.dialect)
        for piece in _pieces(corpus.text, 4):
            parser.feed(piece)
        parser.close()
        looks = parser.looked_at / len(corpus.text)
        if looks > LOOKS + 0.01:
            broken.append(f"{corpus.name}: {looks:.2f} looks a character")
    return broken


def _dense() -> list[str]:
    """Parse a megabyte that is dense with marks in small pieces, with every dialect."""
    rng = random.Random(1)
    chars = list(_repeat("lorem ipsum dolor sit amet ", 1_000_000))
    for mark in "`<" * 15_000:
        chars[rng.randrange(len(chars))] = mark
    pieces = _pieces("".join(chars), 50)
    broken = []
    for dialect in ("tag", "auto"):
        seconds = min(_time(partial(parse, pieces, dialect)) for _ in range(3))
        print(f"dense with marks, {dialect:10}{seconds:6.2f} s")
        if seconds > DENSE_S:
            broken.append(f"dense with marks, {dialect}: {seconds:.2f} s")
    return broken


def _uncapped(chars: int) -> list[Corpus]:
    texts = hostile_texts(chars)
    names = [*HOSTILE, *(name for name in texts if name not in HOSTILE)]
    return [Corpus(name, texts[name], hostile=True) for name in names]


if __name__ == "__main__":
    sys.exit(main())
