"""Directives, embeds and media lines, and what begins with a mark of its own.

A ``[`` begins a directive or an embed if its reader says so and nothing hides
it. A line that begins with ``MEDIA:`` stays text; what it names is told when
the text has ended, with spans into text that was shown.
"""

from __future__ import annotations

import re
from typing import Final

from vitrail.core.parse.blocks import Blocks
from vitrail.core.parse.directives import (
    BlockCloses,
    BracketTag,
    DirectiveFacts,
    EmbedFacts,
    MediaLine,
    SilenceToken,
)
from vitrail.core.parse.internal import Family
from vitrail.core.parse.line_blocks import LineOpener
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.text import Marks
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.events import DirectiveFound, EmbedFound, Event, Suppressed

__all__ = ["Brackets"]

_LINE_TO_TAG: Final = re.compile(r"[^<\[\n\r]*+(?:\[(?![\[eE])[^<\[\n\r]*+)*+")
"""A line up to its end, or to what may be a tag."""


class Brackets(Blocks):
    """The states that read what begins with another mark than ``<``."""

    __slots__ = (
        "_block_closes",
        "_bracket",
        "_line_opener",
        "_media",
        "_media_at",
        "_media_faults",
        "_media_found",
        "_media_half",
        "_read_to",
        "_silence",
    )

    def __init__(self, parser_limits: ParserLimits, marks: Marks) -> None:
        super().__init__(parser_limits, marks)
        self._bracket: BracketTag | None = None
        self._block_closes = BlockCloses()
        self._read_to = 0  # place up to which the candidate's reader has read
        self._line_opener: LineOpener | None = None
        self._media: MediaLine | None = None
        self._media_at = 0  # place where its line begins
        self._media_half = False  # it ends with what may be half of a tag's mark
        self._media_found: list[Event] = []
        self._media_faults: list[tuple[tuple[Diagnostic, ...], int]] = []
        self._silence: SilenceToken | None = None

    def _quick_pattern(self) -> re.Pattern[str] | None:
        return None if self._media is not None else super()._quick_pattern()

    # --- marks -----------------------------------------------------------------------

    def _passes_other(self, buf: str, at: int) -> int:
        """Let a mark that is no ``<`` be text if it is seen at once to begin nothing.

        Returns the characters passed, none of them in front of a line; -1: it may
        begin something.
        """
        mark = buf[at]
        if mark == "[":
            is_literal = self._is_literal(self._base + at)
            second = "" if is_literal else buf[at + 1 : at + 2]
            if is_literal or (second and second not in "[eE"):
                self._looked += len(second)
                self._markdown.pass_mark(mark)
                return 1
        elif mark in "Mm" and not self._may_be_media(self._base + at):
            self._markdown.pass_mark(mark)
            return 0
        return -1

    def _is_literal(self, place: int) -> bool:
        """Whether a bracket at this place is in text that was read in vain before.

        For a whole tag; for a close tag, where it would be held or was read for a tag.
        """
        if place < self._literal_to:
            return True
        return self._was_sought(place) and (
            place < max(self._tags_read_to, self._dead_to)
            or self._markdown.may_hide(runs=True)
        )

    def _was_sought(self, place: int) -> bool:
        is_internal = place < self._search.at
        return is_internal or self._block_closes.next_unknown(place) != place

    def _may_be_media(self, place: int) -> bool:
        """Whether a media line may begin here: nothing may hide it.

        Nor was the text behind it read already, in vain, for something in front of it.
        """
        read_to = max(
            self._held_to, self._fitted_to, self._search.at, self._tags_read_to
        )
        return (
            place >= read_to
            and self._block_closes.next_unknown(place) == place
            and not self._markdown.may_hide(runs=True)
        )

    def _open_internal(self, family: Family) -> None:
        self._media = None
        super()._open_internal(family)

    def _new_bracket(self) -> BracketTag:
        """Return the reader of a candidate at `_start`.

        Text that was read for the end of an internal tag, or of an open tag, is not read
        for that of an embed too.
        """
        return BracketTag(
            place=self._start,
            closes=self._block_closes,
            blocks=self._start >= max(self._search.at, self._tags_read_to),
        )

    def _begin_other(self, mark: str) -> None:
        self._start = self._read_to = self._base + self._at
        if mark == "[":
            self._bracket = self._new_bracket()
            self._state = self._read_bracket
        elif mark in "Mm":
            self._media, self._media_half = MediaLine(), False
            self._media_at = self._start
            self._markdown.pass_mark(mark)
        else:
            self._line_opener = LineOpener(
                mark,
                max_chars=self._limits.open_tag_chars,
                max_attributes=self._limits.attributes,
            )
            self._state = self._read_line_opener

    # --- directives and embeds -----------------------------------------------------------

    def _read_bracket(self) -> bool:
        bracket = self._bracket
        assert bracket is not None  # noqa: S101 - set with the state
        looked = bracket.looked
        to = bracket.read(
            self._buf, self._read_to - self._base, len(self._buf), final=self._final
        )
        self._looked += bracket.looked - looked
        self._read_to = self._base + to
        match bracket.verdict:
            case None:
                return False
            case "text" if self._buf.startswith("[[[", self._at):
                self._begin_next_bracket()
            case "text":
                if not self._markdown.may_hide(runs=True):
                    self._tell_faults(bracket.diagnostics, self._start)
                self._pass_opener()
            case "tag":
                self._tag_end = self._base + bracket.end
                self._hold(self._take_bracket, fit=None, runs=True)
        return True

    def _begin_next_bracket(self) -> None:
        """Let the first of three brackets be text; the two behind it are known."""
        self._markdown.pass_mark("[")
        self._markdown.begins_paragraph = False
        self._at += 1
        self._start += 1
        self._tell_text(self._at)
        self._bracket = self._new_bracket()
        to = self._bracket.read(self._buf, self._at, self._at + 2, final=False)
        self._read_to = self._base + to

    def _take_bracket(self) -> None:
        bracket = self._bracket
        assert bracket is not None  # noqa: S101 - set with the state
        is_first = self._markdown.begins_paragraph and not self._was_watched
        span = (self._start, self._tag_end)
        self._take_tag(self._tag_end)
        self._tell_faults(bracket.diagnostics, self._start)
        self._events.append(_event_of(bracket.found(), span))
        self._bracket = None
        if self._was_watched:
            self._begin_text()
            return
        self._touches = self._tag_end
        if is_first:
            self._markdown.restart_line()
        self._state = self._read_text

    # --- colons and fences ---------------------------------------------------------------

    def _read_line_opener(self) -> bool:
        opener = self._line_opener
        assert opener is not None  # noqa: S101 - set with the state
        looked = opener.looked
        opener.read(self._buf, self._read_to - self._base, final=self._final)
        self._looked += opener.looked - looked
        self._read_to = self._base + len(self._buf)
        if opener.verdict is None:
            return False
        if opener.verdict == "text":
            for fault in opener.faults:
                self._diagnose(
                    fault.code, "warning", (self._start, self._start + 3), fault.message
                )
            self._pass_line()
        else:
            span = (self._start, self._start + opener.chars)
            self._tell_left_out(opener.left_out, span)
            self._start_artifact(opener.attributes, span, finder=opener.finder())
        return True

    def _pass_line(self) -> None:
        self._markdown.pass_mark(self._buf[self._at])
        self._state = self._read_text

    # --- media lines -----------------------------------------------------------------------

    def _read_media(self, text: str, *, final: bool = False) -> None:
        media = self._media
        assert media is not None  # noqa: S101 - called while there is one
        found = _LINE_TO_TAG.match(text)
        to = found.end() if found else 0
        self._looked += to
        is_half, self._media_half = self._media_half, text.endswith("[")
        if text[to : to + 1] in ("<", "[") or (is_half and text[:1] in ("[", "e", "E")):
            self._media = None  # a line with a tag in it names no media
            return
        looked = media.looked
        media.read(text, 0, to, final=final or to < len(text))
        self._looked += media.looked - looked
        if media.verdict is None:
            return
        facts = media.found()
        for piece in facts.pieces if facts else ():
            if piece.kind != "text":
                span = (self._media_at + piece.span[0], self._media_at + piece.span[1])
                self._media_found.append(DirectiveFound("media", piece.value, span))
        self._media_faults.append((media.diagnostics, self._media_at))
        self._media = None

    def _tell_media(self) -> None:
        """Tell, at the end of the text, what its media lines named."""
        if self._media is not None:
            self._read_media("", final=True)
        self._events += self._media_found
        for diagnostics, place in self._media_faults:
            self._tell_faults(diagnostics, place)
        self._media_found, self._media_faults = [], []

    # --- silence ---------------------------------------------------------------------------

    def _read_silence(self) -> bool:
        """Read the beginning of the message, which may be the silence token."""
        silence = self._silence
        assert silence is not None  # noqa: S101 - set with the state
        looked = silence.looked
        to = silence.read(
            self._buf, self._read_to - self._base, len(self._buf), final=self._final
        )
        self._looked += silence.looked - looked
        self._read_to = self._base + to
        if silence.verdict is None:
            return False
        if silence.verdict == "tag":
            span = (self._base, self._base + silence.end)
            self._take_tag(span[1])
            found = silence.found()
            if found is not None and found.is_silent:
                self._events.append(DirectiveFound("silent", None, span))
            else:
                self._events.append(Suppressed("silent", span[1] - span[0], span))
        self._silence = None
        self._state = self._read_text
        return True


def _event_of(
    found: DirectiveFacts | EmbedFacts | None, span: tuple[int, int]
) -> Event:
    match found:
        case EmbedFacts():
            return EmbedFound(found.ref, found.url, found.title, found.height, span)
        case DirectiveFacts():
            return DirectiveFound(found.name, found.value, span)
        case None:
            return DirectiveFound("reply_to", None, span)
