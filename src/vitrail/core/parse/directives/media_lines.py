"""A ``MEDIA:`` line of a final text: the attachments that it names, in order.

Strategy: the line is held up to its end (`MediaLine`), and then read once more
(`split_media`). It is cut into quoted references and words; words go together
while they may be one path with spaces; each is judged by `media_values`. What
is no reference stays text, but for refused paths, which are taken out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from vitrail import limits
from vitrail.core.parse.directives.facts import MediaFacts, MediaPiece, ReadVerdict
from vitrail.core.parse.directives.media_values import (
    begins_root,
    has_extension,
    is_local,
    judge_reference,
)
from vitrail.protocol.diagnostics import Diagnostic, Span

__all__ = ["MediaLine", "split_media"]

_MARK: Final = "media:"
_QUOTES: Final = "\"'`"
_BEFORE: Final = "`\"'[{("
_BEHIND: Final = "`\"'\\})],"
_WORD: Final = re.compile(r"\S++")
_JSON_TAIL: Final = re.compile(r"\.\w{1,10}(\\?\"[\]},:])")
_LINE_CHARS: Final = limits.MAX_HELD_CHARS
"""Longest line that is held; a longer one is text."""


class MediaLine:
    """Read one line that may be a ``MEDIA:`` line, from its beginning or its blanks on.

    The line break is not of it. With ``text``, the reader has read as far as it
    had to; `diagnostics` say why a line that named something is shown.
    """

    __slots__ = (
        "_facts",
        "_matched",
        "_pieces",
        "_read",
        "diagnostics",
        "end",
        "looked",
        "verdict",
    )

    def __init__(self) -> None:
        self._matched = 0  # characters of the mark
        self._read = 0
        self._pieces: list[str] = []
        self._facts: MediaFacts | None = None
        self.verdict: ReadVerdict | None = None
        """None: more text is needed."""
        self.end = 0
        """Of a tag: index of the line's end."""
        self.looked = 0
        """Characters looked at: the mark's, and those of a whole line once more."""
        self.diagnostics: tuple[Diagnostic, ...] = ()
        """What was refused, with spans from the line's beginning on."""

    def read(self, buf: str, i: int, stop: int, *, final: bool) -> int:
        """Read ``buf[i:stop]``, which holds no line break; `final`: the line ends there.

        Returns the index that it got to: `stop`, or that of the verdict.
        """
        start = i
        while i < stop and self.verdict is None and self._matched < len(_MARK):
            self.looked += 1
            self._read_mark(buf[i])
            if self.verdict is None:
                i += 1
                self._read += 1
        if self.verdict is None and i < stop:
            i = self._read_line(i, stop)
        if self.verdict is None:
            self._pieces.append(buf[start:i])
            if final and i >= stop:
                self._judge(i)
        return i

    def found(self) -> MediaFacts | None:
        """Return the pieces of a line that is taken out, wholly or partly."""
        return self._facts if self.verdict == "tag" else None

    def _read_mark(self, ch: str) -> None:
        if ch.isascii() and ch.lower() == _MARK[self._matched]:
            self._matched += 1
        elif self._matched or ch not in " \t" or self._read >= _LINE_CHARS:
            self.verdict = "text"

    def _read_line(self, i: int, stop: int) -> int:
        """Take the rest of the line as far as it is here, and as long as it may be."""
        to = min(stop, i + _LINE_CHARS - self._read + 1)
        self._read += to - i
        if self._read > _LINE_CHARS:
            self.verdict = "text"
            self.diagnostics = (_refused("the line is too long"),)
        return to

    def _judge(self, end: int) -> None:
        """Judge the whole line, which ends at this index."""
        if self._matched < len(_MARK):
            self.verdict = "text"
            return
        self.looked += self._read
        self._facts, self.diagnostics = split_media("".join(self._pieces))
        self.verdict = "text" if self._facts is None else "tag"
        self.end = end


@dataclass(slots=True)
class _Token:
    """A quoted reference, or words that may be one path."""

    start: int
    end: int
    is_quoted: bool = False
    is_local: bool = False
    last: int = -1
    """Start of the last word."""


def split_media(line: str) -> tuple[MediaFacts | None, tuple[Diagnostic, ...]]:
    """Return the pieces of a ``MEDIA:`` line, and what was refused.

    None: nothing is taken out, the line is text. The line has its blanks and
    its mark, and no line break.

    >>> split_media("MEDIA:/tmp/a.png")[0].references
    ('/tmp/a.png',)
    """
    start = line.index(":") + 1
    end = len(line.rstrip())
    start += len(line[start:]) - len(line[start:].lstrip())
    diagnostics: list[Diagnostic] = []
    pieces: list[MediaPiece] = []
    tokens = list(_tokens(line, start, end))
    for token in tokens:
        is_whole = len(tokens) == 1
        piece, why = _judge(line, token, is_whole=is_whole, is_first=not pieces)
        pieces.append(piece)
        if why:
            diagnostics.append(_refused(why, piece.span))
    if all(piece.kind == "text" for piece in pieces):
        return None, tuple(diagnostics)
    return MediaFacts(_tile(pieces, len(line))), tuple(diagnostics)


def _judge(
    line: str, token: _Token, *, is_whole: bool, is_first: bool
) -> tuple[MediaPiece, str]:
    """Return what became of one token, and why it was refused, if it was."""
    span = (token.start, token.end)
    value = line[token.start : token.end]
    if token.is_quoted:
        value = value[1:-1].strip()
        is_plain = True
    else:
        value = _clean(value)
        is_plain = is_first or begins_root(value) or has_extension(value)
    judged = judge_reference(value, is_whole=is_whole)
    if judged.verdict == "media" and not is_plain:
        return MediaPiece("text", None, span), ""
    taken = value if judged.verdict == "media" else None
    return MediaPiece(judged.verdict, taken, span), judged.why


def _clean(word: str) -> str:
    """Strip what a sentence or a serialised value leaves around a reference."""
    tail = _JSON_TAIL.search(word)
    if tail is not None:
        word = word[: tail.start(1)]
    value = word.lstrip(_BEFORE).rstrip(_BEHIND)
    ends_in_host = "://[" in value and "]" not in value and f"{value}]" in word
    return f"{value}]" if ends_in_host else value


def _tile(pieces: list[MediaPiece], end: int) -> tuple[MediaPiece, ...]:
    """Let the pieces cover the line: what lies between goes with what is taken out."""
    tiled: list[MediaPiece] = []
    place = 0
    for at, piece in enumerate(pieces):
        following = pieces[at + 1] if at + 1 < len(pieces) else None
        to = piece.span[1]
        if following is None or (piece.kind != "text" and following.kind == "text"):
            to = end if following is None else following.span[0]
        if tiled and piece.kind == "text" and tiled[-1].kind == "text":
            tiled[-1] = MediaPiece("text", None, (tiled[-1].span[0], to))
        else:
            tiled.append(MediaPiece(piece.kind, piece.value, (place, to)))
        place = to
    return tuple(tiled)


# --- words ---------------------------------------------------------------------


def _tokens(line: str, start: int, end: int) -> Iterator[_Token]:
    """Yield the references that a payload may hold, in order."""
    closers = _closers(line, start, end)
    quoted = line[start : start + 1]
    if end - start >= 2 and quoted in _QUOTES and line[end - 1] == quoted:  # noqa: PLR2004 - two quotes
        parts = _quoted_list(line, start, end, closers)
        yield from parts or [_Token(start, end, is_quoted=True)]
        return
    tail = _JSON_TAIL.search(line, start, end)
    stop = tail.start(1) if tail is not None else end
    pending: _Token | None = None
    for token in _words(line, start, stop, closers):
        if pending is not None and _goes_on(line, pending, token):
            pending.end, pending.last = token.end, token.start
            continue
        if pending is not None:
            yield from _cut_path(line, pending)
        pending = token
    if pending is not None:
        yield from _cut_path(line, pending)


def _closers(line: str, start: int, end: int) -> dict[str, list[int]]:
    """Return the places of quotes that may close, by quote: white space follows."""
    places: dict[str, list[int]] = {quote: [] for quote in _QUOTES}
    for at in range(start, end):
        if line[at] in _QUOTES and (at + 1 == end or line[at + 1].isspace()):
            places[line[at]].append(at)
    return places


def _closer(closers: dict[str, list[int]], quote: str, behind: int) -> int:
    """Return the place of the quote that closes one opened there, or -1."""
    places = closers.get(quote, [])
    at = bisect_left(places, behind + 1)
    return places[at] if at < len(places) else -1


def _quoted_list(
    line: str, start: int, end: int, closers: dict[str, list[int]]
) -> list[_Token] | None:
    """Return the references of a list of quoted ones, or None if it is none."""
    tokens: list[_Token] = []
    at = start
    while at < end:
        close = _closer(closers, line[at], at)
        if close < 0:
            return None
        tokens.append(_Token(at, close + 1, is_quoted=True))
        at = close + 1
        while at < end and line[at].isspace():
            at += 1
    return tokens if len(tokens) > 1 else None


def _words(
    line: str, start: int, end: int, closers: dict[str, list[int]]
) -> Iterator[_Token]:
    at = start
    while (word := _WORD.search(line, at, end)) is not None:
        close = _closer(closers, line[word.start()], word.start())
        if 0 <= close < end:
            yield _Token(word.start(), close + 1, is_quoted=True)
            at = close + 1
        else:
            local = is_local(_clean(word.group()))
            yield _Token(word.start(), word.end(), is_local=local, last=word.start())
            at = word.end()


def _goes_on(line: str, path: _Token, word: _Token) -> bool:
    """Whether this word goes on with the path in front of it."""
    if path.is_quoted or word.is_quoted:
        return False
    after = _clean(line[word.start : word.end])
    if not path.is_local or begins_root(after):
        return False
    ended = has_extension(_clean(line[path.last : path.end]))
    return not ended or judge_reference(after).verdict != "media"


def _cut_path(line: str, token: _Token) -> Iterator[_Token]:
    """Yield a path up to the last word that has an extension, and what is behind it."""
    if token.is_quoted or token.last == token.start:
        yield token
        return
    words = list(_WORD.finditer(line, token.start, token.end))
    count = len(words)
    while count and not has_extension(_clean(words[count - 1].group())):
        count -= 1
    head = _Token(token.start, words[count - 1].end())
    if not count or judge_reference(_clean(line[head.start : head.end])).verdict != (
        "media"
    ):
        yield token
        return
    yield head
    for word in words[count:]:
        yield _Token(word.start(), word.end())


def _refused(why: str, span: Span | None = None) -> Diagnostic:
    return Diagnostic(
        "media-refused",
        "warning",
        f"An attachment is not taken, since {why}.",
        span or (0, len(_MARK)),
    )
