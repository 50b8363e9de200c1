"""Three texts become one: what a person made of a base, and what a model did.

Strategy: the texts are cut into tokens, a page into those of its markup and
the lines of its text, anything else into lines. Each side is compared with the
base; changes of both sides that meet are one place, all others stand alone. A
place that one side changed takes that side; one that both changed alike takes
either; one that they changed in two ways is a clash: the result keeps ours
there, and the clash has all three texts whole. Two changes that only touch
meet too, unless they are apart by the edge of a tag: a heading's class and its
words are two things, two lines of a style are one.

Markup that repeats (``</div>``, blank lines) between changes on both of its
sides is a chance likeness and no seam. And a merged page whose tags no longer
pair, though those of both sides did, is no merge: everything from the first
change to the last is one clash then.

Where the three texts differ in their kind of line break, and in nothing but
that kind, lines are compared without it and the result has the kind that was
chosen last, ours before theirs.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, TypeAlias

from vitrail.core.commit.sequences import Run, changes_of, common_runs, slide_changes
from vitrail.core.commit.sharing import common_spans, split_lines
from vitrail.core.document.tokens import html_tokens
from vitrail.protocol.diagnostics import Span
from vitrail.protocol.manifest import Kind

__all__ = [
    "Clash",
    "MergePart",
    "MergeResult",
    "PartSource",
    "Vanished",
    "merge",
    "put_back",
    "resolve",
    "vanished",
]

PartSource: TypeAlias = Literal["same", "ours", "theirs", "both", "clash"]

_PAGE_KINDS: Final = frozenset({"html", "deck", "svg"})
_UNPAIRED: Final = frozenset(
    {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta"}
    | {"source", "track", "wbr"}
    | {"html", "head", "body", "li", "dt", "dd", "p", "rt", "rp", "optgroup", "option"}
    | {"colgroup", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"}
)
"""Elements that have no end tag or may go without (HTML standard, "optional tags")."""
_CHANCE_ROUNDS: Final = 4
"""What is no seam makes the changes around it longer, so it is looked at again."""
_LEAST_COMMON: Final = 0.5
"""Share of a passage that must be in the new text for its words to be put back one by one;
below it, the passage is put back whole."""
_MAX_MOVED: Final = 100
"""Passages that may turn out to have moved; each look costs the length of the new text."""
_LEAST_MOVED: Final = 12
"""Letters and digits that a passage needs to be known again elsewhere."""


@dataclass(frozen=True, slots=True)
class Clash:
    """A range that both sides changed, each in its own way, with its place in each text.

    A record keeps the texts of it and the place in the file: `records.MergeClash`.

    Its texts have the line breaks of the result, so that each fits into it.
    """

    base: str
    """What the model was shown there; may be empty."""
    ours: str
    """What the file has there: what the result keeps."""
    theirs: str
    """What the model wants there."""
    span: Span
    """Where `ours` stands in the result, code points."""
    base_span: Span
    ours_span: Span
    theirs_span: Span


@dataclass(frozen=True, slots=True)
class MergePart:
    """One piece of the result, and where it comes from."""

    source: PartSource
    """Who changed it: nobody, one side, both alike, or both in two ways."""
    span: Span
    """In the result; empty where text was removed. Code points, as all of these."""
    base_span: Span
    ours_span: Span
    theirs_span: Span


@dataclass(frozen=True, slots=True)
class MergeResult:
    """A merged text, and how it came to be."""

    text: str
    clashes: tuple[Clash, ...]
    """In order. Empty: the text is whole and nobody has to decide."""
    parts: tuple[MergePart, ...]
    """In order; their spans partition the result, and the base, ours and theirs."""
    truncated: bool
    """Whether a bound of work was met: right, but places may be larger than they need be."""


@dataclass(frozen=True, slots=True)
class Vanished:
    """A passage that a person typed, and that the new text no longer has."""

    text: str
    """What to put back: the passage with what changed around it in the same words."""
    span: Span
    """Where it stood in the old text, code points."""
    at: Span
    """What stands in its place in the new text; may be empty."""
    now: str
    """The new text's own words there."""


def merge(base: str, ours: str, theirs: str, *, kind: Kind) -> MergeResult:
    """Return what both sides made of the base; where they clash, ours, and that clash.

    Of a page the tokens are merged, of any other kind the lines.

    >>> page = "<h1>{}</h1><p>{}</p>"
    >>> base, ours, theirs = (page.format(*t) for t in (("a", "b"), ("x", "b"), ("a", "y")))
    >>> merge(base, ours, theirs, kind="html").text
    '<h1>x</h1><p>y</p>'
    """
    ending = _chosen_ending(base, ours, theirs)
    cut = [_cut(text, kind, ending) for text in (base, ours, theirs)]
    merger = _Merger(cut[0], cut[1], cut[2])
    result = merger.merged()
    if kind in _PAGE_KINDS and not _pairs_as_before(result, ours, theirs):
        result = merger.merged(is_one=True)
    return result


def resolve(result: MergeResult, chosen: Mapping[int, str]) -> str:
    """Return the merged text with these texts in place of clashes, by their number.

    >>> result = merge("a", "b", "c", kind="code-snippet")
    >>> resolve(result, {0: result.clashes[0].theirs})
    'c'

    Raises:
        ValueError: There is no clash of that number.
    """
    for number in chosen:
        if not 0 <= number < len(result.clashes):
            raise ValueError(
                f"expected a clash from 0 to {len(result.clashes) - 1}, got {number}"
            )
    pieces: list[str] = []
    at = 0
    for number, clash in enumerate(result.clashes):
        start, end = clash.span
        pieces += [result.text[at:start], chosen.get(number, result.text[start:end])]
        at = end
    return "".join([*pieces, result.text[at:]])


# --- tokens ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Cut:
    """A text in tokens."""

    keys: tuple[str, ...]
    """The tokens, with the line breaks that the result is to have."""
    places: tuple[int, ...]
    """Where each begins in the text as it is, and where the last one ends."""
    markup: tuple[bool, ...]
    """Whether each is a tag or a comment."""


def _cut(text: str, kind: Kind, ending: str | None) -> _Cut:
    if kind in _PAGE_KINDS:
        pieces = _page_tokens(text)
    else:
        pieces = [(line, False) for line in split_lines(text)]
    tokens = [piece for piece, _ in pieces]
    keys = tokens if ending is None else [_with_ending(t, ending) for t in tokens]
    return _Cut(
        tuple(keys),
        tuple(accumulate(map(len, tokens), initial=0)),
        tuple(is_markup for _, is_markup in pieces),
    )


def _page_tokens(html: str) -> list[tuple[str, bool]]:
    """Return the tokens of a page: markup as it is, text by its lines."""
    found: list[tuple[str, bool]] = []
    for token in html_tokens(html):
        source = html[token.start : token.end]
        if token.kind != "text":
            found.append((source, True))
        elif source.isspace():
            found.append((source, False))
        else:
            found += [(line, False) for line in split_lines(source)]
    return found


def _with_ending(text: str, ending: str) -> str:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain if ending == "\n" else plain.replace("\n", ending)


def _chosen_ending(base: str, ours: str, theirs: str) -> str | None:
    """Return the line break that the result has; None: each line keeps its own."""
    kinds = [_endings(text) for text in (base, ours, theirs)]
    is_mixed = any(len(kind) > 1 for kind in kinds)
    if is_mixed or len(frozenset().union(*kinds)) <= 1:
        return None
    of_base, of_ours, of_theirs = ("".join(kind) for kind in kinds)
    if of_ours and of_ours != of_base:
        return of_ours
    return of_theirs or of_ours or of_base


def _endings(text: str) -> frozenset[str]:
    pairs = text.count("\r\n")
    found = {"\r\n": pairs, "\n": text.count("\n") - pairs}
    found["\r"] = text.count("\r") - pairs
    return frozenset(ending for ending, count in found.items() if count)


# --- changes -----------------------------------------------------------------------

_Change: TypeAlias = tuple[int, int, int, int]
"""Half-open ranges of tokens: of the base, then of the side."""


def _changes(base: _Cut, side: _Cut) -> tuple[tuple[_Change, ...], bool]:
    """Return what a side changed, and whether no bound was met."""
    common = common_runs(base.keys, side.keys)
    runs = slide_changes(common.runs, base.keys, side.keys, _rank)
    kept = _seams(runs, base.keys, len(side.keys))
    return changes_of(kept, len(base.keys), len(side.keys)), common.is_least


def _rank(side: Sequence[Hashable], start: int, end: int) -> int:
    """Prefer a change that is whole: it begins with an opening and ends with its closing."""
    first, last = str(side[start]), str(side[end - 1])
    opens = first.startswith("<") and not first.startswith("</")
    closes = last.startswith("</") or last.isspace()
    return 2 * opens + closes


def _seams(runs: Sequence[Run], base: Sequence[str], side_length: int) -> Sequence[Run]:
    """Leave out runs that say nothing and are no longer than the changes on both sides."""
    for _ in range(_CHANCE_ROUNDS):
        kept: list[Run] = []
        base_end = side_end = 0
        for at, run in enumerate(runs):
            after = runs[at + 1] if at + 1 < len(runs) else None
            next_base, next_side = (
                (after.old, after.new) if after else (len(base), side_length)
            )
            room = min(
                max(run.old - base_end, run.new - side_end),
                max(next_base - run.old - run.length, next_side - run.new - run.length),
            )
            tokens = base[run.old : run.old + min(run.length, room + 1)]
            if run.length > room or any(map(_tells, tokens)):
                kept.append(run)
                base_end, side_end = run.old + run.length, run.new + run.length
        if len(kept) == len(runs):
            break
        runs = kept
    return runs


def _tells(token: str) -> bool:
    """Return whether a token says which of many it is: by its words or its attributes."""
    if token.startswith("<"):
        return "=" in token
    return any(map(str.isalnum, token))


# --- merging -----------------------------------------------------------------------


class _Merger:
    """Three cut texts and the changes of both sides."""

    def __init__(self, base: _Cut, ours: _Cut, theirs: _Cut) -> None:
        self._cuts = (base, ours, theirs)
        our_changes, ours_is_least = _changes(base, ours)
        their_changes, theirs_is_least = _changes(base, theirs)
        self._sides = (our_changes, their_changes)
        self._truncated = not (ours_is_least and theirs_is_least)

    def merged(self, *, is_one: bool = False) -> MergeResult:
        """Return the result; ``is_one``: all that changed is one place."""
        writer = _Writer(self._cuts)
        starts = (0, 0, 0)
        for ends in self._places(is_one=is_one):
            same = ends[0] - starts[0]
            before = (ends[0], starts[1] + same, starts[2] + same)
            writer.write(starts, before)
            after = ends[1], ends[2], ends[3]
            writer.write(before, after)
            starts = after
        writer.write(starts, tuple(len(cut.keys) for cut in self._cuts))
        return writer.result(truncated=self._truncated)

    def _places(self, *, is_one: bool) -> list[tuple[int, int, int, int]]:
        """Return the places that changed: where each begins in the base, and its three ends."""
        tagged = sorted(
            (change, side) for side in (0, 1) for change in self._sides[side]
        )
        places: list[tuple[int, int, int, int]] = []
        by = [0, 0]  # how much longer each side is than the base, so far
        start = end = -1
        last: tuple[_Change, int] | None = None
        for change, side in tagged:
            if last is None or not (is_one or self._meet(end, last, change, side)):
                if last is not None:
                    places.append((start, end, end + by[0], end + by[1]))
                start = end = change[0]
            end = max(end, change[1])
            by[side] = change[3] - change[1]
            if last is None or change[1] >= last[0][1]:
                last = change, side
        if last is not None:
            places.append((start, end, end + by[0], end + by[1]))
        return places

    def _meet(
        self, end: int, last: tuple[_Change, int], change: _Change, side: int
    ) -> bool:
        """Return whether a change belongs to the place that ends at ``end``."""
        if change[0] != end:
            return change[0] < end
        before, last_side = last
        if side == last_side:
            return False
        if change[0] == change[1] or before[0] == before[1]:
            return True  # what stands in between two texts, and one of them changed
        markup = self._cuts[0].markup
        return not (markup[end - 1] or markup[end])


_Ends: TypeAlias = tuple[int, ...]
"""A place in tokens of the base, of ours and of theirs."""


class _Writer:
    """Puts a result together, piece by piece."""

    def __init__(self, cuts: tuple[_Cut, _Cut, _Cut]) -> None:
        self._cuts = cuts
        self._pieces: list[str] = []
        self._length = 0
        self._parts: list[MergePart] = []
        self._clashes: list[Clash] = []

    def write(self, starts: _Ends, ends: _Ends) -> None:
        """Decide about one piece of all three texts and write it."""
        if starts == ends:
            return
        # by text: a tag that an open style swallows is cut in another way, and the same
        base, ours, theirs = (
            "".join(cut.keys[start:end])
            for cut, start, end in zip(self._cuts, starts, ends, strict=True)
        )
        source = _source(base, ours, theirs)
        text = theirs if source == "theirs" else ours
        span = self._length, self._length + len(text)
        base_span, ours_span, theirs_span = (
            (cut.places[start], cut.places[end])
            for cut, start, end in zip(self._cuts, starts, ends, strict=True)
        )
        self._parts.append(MergePart(source, span, base_span, ours_span, theirs_span))
        if source == "clash":
            texts = base, text, theirs
            self._clashes.append(Clash(*texts, span, base_span, ours_span, theirs_span))
        self._pieces.append(text)
        self._length += len(text)

    def result(self, *, truncated: bool) -> MergeResult:
        return MergeResult(
            "".join(self._pieces),
            tuple(self._clashes),
            tuple(self._parts),
            truncated,
        )


def _source(base: str, ours: str, theirs: str) -> PartSource:
    if ours == theirs:
        return "same" if ours == base else "both"
    if ours == base:
        return "theirs"
    return "ours" if theirs == base else "clash"


def _pairs_as_before(result: MergeResult, ours: str, theirs: str) -> bool:
    """Return whether the result's tags pair, or those of a side did not either.

    So they have to whichever side its clashes are decided for.
    """
    other = resolve(result, {n: c.theirs for n, c in enumerate(result.clashes)})
    made = {result.text, other} - {ours, theirs}
    return all(map(_pairs, made)) or not (_pairs(ours) and _pairs(theirs))


def _pairs(html: str) -> bool:
    """Return whether each element that needs its end tag has it, in order."""
    opened: list[str] = []
    for token in html_tokens(html):
        tag = token.tag
        if tag in _UNPAIRED:
            continue
        if token.kind == "start" and not token.is_self_closing:
            opened.append(tag)
        elif token.kind == "end" and (not opened or opened.pop() != tag):
            return False
    return not opened


# --- what a person typed -------------------------------------------------------------


def vanished(
    old: str, new: str, typed: Sequence[Span], *, kind: Kind
) -> tuple[Vanished, ...]:
    """Return what of the typed spans of ``old`` is not in ``new``, a text made of it.

    ``typed`` are code points of the old text, sorted and apart, as blame gives
    them of a person's revisions. A passage that stands elsewhere in the new text
    has moved and is not named. In order; the places in the new text are apart.

    >>> vanished("<h1>Mine</h1>", "<h1>Old</h1>", [(4, 8)], kind="html")
    (Vanished(text='Mine', span=(4, 8), at=(4, 7), now='Old'),)
    """
    old_cut, new_cut = (_cut(text, kind, None) for text in (old, new))
    changes, _ = _changes(old_cut, new_cut)
    found: list[Vanished] = []
    moved_left = _MAX_MOVED
    first = 0
    for old_start, old_end, new_start, new_end in changes:
        span = old_cut.places[old_start], old_cut.places[old_end]
        at = new_cut.places[new_start], new_cut.places[new_end]
        while first < len(typed) and typed[first][1] <= span[0]:
            first += 1
        touched = _touched(typed, first, span)
        if not touched:
            continue
        moved_left -= 1
        if moved_left >= 0 and _has_moved(old, new, touched):
            continue
        found += _replaced(old, new, span, at, touched)
    return tuple(found)


def put_back(new: str, passages: Sequence[Vanished]) -> str:
    """Return the new text with these passages in place of what replaced them.

    Raises:
        ValueError: Two of them overlap, or the text is not the one they are of.
    """
    pieces: list[str] = []
    at = 0
    for passage in sorted(passages, key=lambda passage: passage.at):
        start, end = passage.at
        if start < at or new[start:end] != passage.now:
            raise ValueError(f"expected {passage.now!r} at {start} of the new text")
        pieces += [new[at:start], passage.text]
        at = end
    return "".join([*pieces, new[at:]])


def _touched(typed: Sequence[Span], first: int, span: Span) -> list[Span]:
    """Return the parts of the typed spans, from the first on, that lie in a span."""
    found: list[Span] = []
    while first < len(typed) and typed[first][0] < span[1]:
        start, end = typed[first]
        if start < span[1] and end > span[0]:
            found.append((max(start, span[0]), min(end, span[1])))
        first += 1
    return found


def _has_moved(old: str, new: str, touched: Sequence[Span]) -> bool:
    """Return whether the changed range's typed text stands elsewhere in the new text."""
    passage = old[touched[0][0] : touched[-1][1]].strip()
    if sum(map(str.isalnum, passage)) < _LEAST_MOVED:
        return False
    return new.count(passage) >= old.count(passage)


def _replaced(
    old: str, new: str, span: Span, at: Span, touched: Sequence[Span]
) -> list[Vanished]:
    """Return what to put back of one changed range: its words, or all of it."""
    before, after = old[slice(*span)], new[slice(*at)]
    shared, _ = common_spans(before, after)
    if sum(length for _, _, length in shared) < _LEAST_COMMON * len(before):
        shared = ()
    found: list[Vanished] = []
    old_at = new_at = first = 0
    for old_start, new_start, length in (*shared, (len(before), len(after), 0)):
        own = span[0] + old_at, span[0] + old_start
        while first < len(touched) and touched[first][1] <= own[0]:
            first += 1
        is_text = bool(old[slice(*own)].strip())
        if is_text and _touched(touched, first, own):
            place = at[0] + new_at, at[0] + new_start
            found.append(Vanished(old[slice(*own)], own, place, new[slice(*place)]))
        old_at, new_at = old_start + length, new_start + length
    return found
