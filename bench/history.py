"""What a diff, a blame and a merge of a megabyte cost, against reading it once.

Strategy: the floor cuts the texts into words and marks and looks each of them
up, which a comparison by words has to do. Each job and its floor run side by side, in pairs, in
one process, in processor time; the figure is the median of the pairs' ratios,
so a slow or busy machine slows both. Growth is the exponent between two sizes
of one case, the same two in a quick run: below a quarter of a megabyte some work has not
met its bound yet. Exits 1 when a budget is broken.

    python -m bench.history [--quick]
"""

from __future__ import annotations

import argparse
import gc
import math
import random
import re
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

if not __package__:  # run by path
    sys.path.insert(0, str(Path(__file__).parents[1]))

from vitrail.core.commit.blame import blame
from vitrail.core.commit.diff import diff_lines
from vitrail.core.commit.merge import merge

__all__ = ["main"]

CHARS = 1_000_000
FRIENDLY_RATIO = 10.0
HOSTILE_RATIO = 25.0
"""Random lines out of twenty cost most: every window has to be searched."""
GROWTH_EXPONENT = 1.5
"""Work that grows with the square has 2. Most jobs are near 1; the quickest are a few
milliseconds of copying, which a text that leaves the processor's cache slows."""


@dataclass(frozen=True)
class Case:
    name: str
    base: str
    ours: str
    theirs: str
    hostile: bool = False


def _page(chars: int, seed: int = 0) -> list[str]:
    chance = random.Random(seed)
    words = ["calm", "list", "of", "results", "where", "every", "chart", "waits"]
    rows: list[str] = []
    size = 0
    while size < chars:
        text = " ".join(chance.choices(words, k=9))
        row = f'<li class="item" id="i{len(rows)}"><a href="#x">{text}</a></li>\n'
        rows.append(row)
        size += len(row)
    return rows


def _edited(rows: Sequence[str], every: int, word: str, start: int) -> str:
    return "".join(
        row.replace("<a ", f"<a title={word} ").replace("</a>", f" {word}</a>")
        if at % every == start
        else row
        for at, row in enumerate(rows)
    )


def _random(chars: int, seed: int, kinds: int) -> str:
    chance = random.Random(seed)
    return "".join(f"line {chance.randrange(kinds)}\n" for _ in range(chars // 8))


def cases(chars: int) -> list[Case]:
    rows = _page(chars)
    base = "".join(rows)
    line = base.replace("\n", "")
    count = chars // 8
    mixed = [
        "".join(f"{side}\n{at:5}\n" for at in range(count)) for side in ("a", "b", "c")
    ]
    apart = ["".join(f"{side}{at:6}\n" for at in range(count)) for side in "abc"]
    chance = [_random(chars, seed, 20) for seed in range(3)]
    return [
        Case(
            "a few edits",
            base,
            _edited(rows, 997, "our", 3),
            _edited(rows, 991, "their", 5),
        ),
        Case(
            "every tenth row",
            base,
            _edited(rows, 10, "our", 3),
            _edited(rows, 10, "their", 7),
        ),
        Case("one line", line, line.replace("i77", "x"), line.replace("i99", "y")),
        Case("written anew", base, "".join(_page(chars, 1)), "".join(_page(chars, 2))),
        Case(
            "equal lines",
            "x\n" * (count * 4),
            "x\n" * (count * 4 + 9),
            "x\n" * (count * 4 - 9),
            hostile=True,
        ),
        Case("different lines", apart[0], apart[1], apart[2], hostile=True),
        Case("interleaved", mixed[0], mixed[1], mixed[2], hostile=True),
        Case("random lines", chance[0], chance[1], chance[2], hostile=True),
    ]


_TOKEN = re.compile(r"\w+|\s+|.")


def floor(*texts: str) -> int:
    """Cut texts into words and marks, and look each of them up."""
    seen: dict[str, int] = {}
    found = 0
    for text in texts:
        for token in _TOKEN.findall(text):
            found += seen.setdefault(token, len(seen))
    return found


Job = Callable[[Case], object]
JOBS: dict[str, tuple[Job, int]] = {
    "diff": (lambda case: diff_lines(case.base, case.ours), 2),
    "blame": (lambda case: blame([("1", case.base), ("2", case.ours)]), 2),
    "merge, tokens": (
        lambda case: merge(case.base, case.ours, case.theirs, kind="html"),
        3,
    ),
    "merge, lines": (
        lambda case: merge(case.base, case.ours, case.theirs, kind="code-snippet"),
        3,
    ),
}
"""Each job, and how many of a case's texts it reads."""


def _seconds(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return time.thread_time() - start


def ratio(case: Case, job: Job, texts: int, pairs: int) -> tuple[float, float]:
    """Return the median ratio to the floor, and the best seconds."""
    read = (case.base, case.ours, case.theirs)[:texts]
    ratios, best = [], math.inf
    gc.disable()
    try:
        for _ in range(pairs):
            base = _seconds(lambda: floor(*read))
            own = _seconds(lambda: job(case))
            ratios.append(own / base)
            best = min(best, own)
    finally:
        gc.enable()
    return statistics.median(ratios), best


def main(arguments: Sequence[str] | None = None) -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--quick", action="store_true", help="smaller texts, fewer runs"
    )
    quick = options.parse_args(arguments).quick
    chars, pairs = (CHARS // 4, 3) if quick else (CHARS, 5)
    broken: list[str] = []
    print(f"{'ratio to the floor':20}" + " │ ".join(f"{name:>14}" for name in JOBS))
    for case in cases(chars):
        budget = HOSTILE_RATIO if case.hostile else FRIENDLY_RATIO
        cells = []
        for name, (job, texts) in JOBS.items():
            times, best = ratio(case, job, texts, pairs)
            over = times > budget
            if over:
                broken.append(f"{case.name}, {name}: {times:.1f} > {budget}")
            cells.append(f"{times:6.1f}{'!' if over else ' '}{best:5.2f} s")
        print(f"{case.name:20}" + " │ ".join(cells), flush=True)

    print(f"\n{'growth':20}" + " │ ".join(f"{name:>14}" for name in JOBS))
    for small, large in zip(cases(CHARS // 4), cases(CHARS), strict=True):
        cells = []
        for name, (job, _) in JOBS.items():
            found = _exponent(small, large, job, 1 if quick else 3)
            over = found > GROWTH_EXPONENT
            if over:
                broken.append(f"{large.name}, {name}: growth exponent {found:.2f}")
            cells.append(f"{found:13.2f}{'!' if over else ' '}")
        print(f"{large.name:20}" + " │ ".join(cells), flush=True)
    for line in broken:
        print(f"over budget: {line}", file=sys.stderr)
    return 1 if broken else 0


def _exponent(small: Case, large: Case, job: Job, runs: int) -> float:
    times = [
        min(_seconds(partial(job, case)) for _ in range(runs))
        for case in (small, large)
    ]
    return math.log(times[1] / times[0]) / math.log(len(large.base) / len(small.base))


if __name__ == "__main__":
    sys.exit(main())
