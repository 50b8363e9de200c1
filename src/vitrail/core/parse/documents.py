"""Whole HTML documents that a model wrote as plain text instead of as an artifact.

Strategy: text is shown as it comes, and what may be a document is copied along
the way, by facts that the parser meets anyway: each ``<`` where the Markdown
reader stops, the fences it opens and closes, what is taken out. A document
begins at ``<html`` or ``<!doctype html``, on its own or as the first thing in a
fence that says ``html``; it is whole if it ends with ``</html>`` where the fence
closes, where an artifact begins, or where the text ends. So only its two ends
are looked at, never its middle.

Three things are told at the end of the text (spec/open-design-1 §6): the
document in front of an artifact that holds only a remark; a reply that is one
document; the one document in a fence, in a reply without artifacts.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from vitrail.core.parse.body import Body
from vitrail.core.parse.open_tags import common_chars
from vitrail.core.text import TAG_SPACE
from vitrail.limits import MIN_HTML_CHARS
from vitrail.protocol.diagnostics import Span
from vitrail.protocol.events import ArtifactStart, Recovery

__all__ = ["NOTED", "Document", "Documents"]

NOTED: Final = frozenset("!hH/")
"""Behind a ``<`` these are worth a note."""

_BLANK: Final = "".join(sorted(TAG_SPACE))
_WORDS: Final = ("<!doctype", "<html", "</html")
_WORD_CHARS: Final = 24
"""What tells a document's beginning: the longest word, white space and a name."""
_RECENT_CHARS: Final = 256
"""Of the text in front of a document, what is kept to find its fence's first line."""
_MAX_BEFORE_REMARKS: Final = 64
"""Documents in front of remarks in one message; a reply has one or two."""
_BLOCK: Final = 512
"""Pieces joined at once, since a short one costs several times its characters."""

_DOCTYPE: Final = re.compile(r"<!doctype[ \t\n\r\f]++html[\s>]", re.IGNORECASE)
_HTML: Final = re.compile(r"<html[\s>/]", re.IGNORECASE)
_HTML_END: Final = re.compile(r"</html[\s>]", re.IGNORECASE)
_END: Final = re.compile(r"</html[ \t\n\r\f]*+>\Z", re.IGNORECASE)
_END_CHARS: Final = 24
"""Of a document's end, what is looked at."""
_FENCE_LINE: Final = re.compile(
    r"[ \t]*+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]++)*+(?P<marks>`{3,}+|~{3,}+)"
    r"[ \t]*+html(?=[\s{,:;]|\Z)",
    re.IGNORECASE,
)
_PAGE_TYPES: Final = frozenset(["", "text/html", "html", "application/xhtml+xml"])
_PAGE_ENDINGS: Final = (".html", ".htm")
_PAGE_STARTS: Final = ("<!doctype html", "<html", "<!--", "<?xml")

_IN_LINE, _DOCTYPE_IN_LINE, _AT_LINE, _IN_FENCE, _FENCE_END, _FENCE_LEFT = range(6)
"""How sure it is that a document begins; a surer place replaces a less sure one.
The last two are where a fence ends."""


@dataclass(frozen=True, slots=True)
class Document:
    """A whole document in text that has been shown."""

    text: str
    tag: Span
    """What stands for its open tag: its fence's first line, or nothing."""
    end_tag: Span
    """What stands for its close tag: its fence's last line, or nothing."""
    how: Recovery
    attributes: dict[str, str]

    @property
    def span(self) -> Span:
        """What of the message it takes, the lines of its fence included."""
        return self.tag[0], self.end_tag[1]


@dataclass(slots=True)
class _Copy:
    """A document that may be one, as far as it has been told."""

    start: int
    rank: int
    has_html: bool
    """Whether its ``<html`` has come."""
    marks: int = -1
    """Where the marks of its fence are, of one in a fence."""
    is_closed: bool = False
    """Whether an ``</html`` has come."""
    blocks: list[str] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)
    chars: int = 0

    def add(self, text: str) -> None:
        """Take the next piece."""
        self.chars += len(text)
        self.pieces.append(text)
        if len(self.pieces) >= _BLOCK:
            self.blocks.append("".join(self.pieces))
            self.pieces.clear()

    def text(self) -> str:
        """Return all of it."""
        return "".join([*self.blocks, *self.pieces])


@dataclass(frozen=True, slots=True)
class _Note:
    """A ``<`` that may begin or end a document, or the end of a fence."""

    place: int
    rank: int
    marks: int = -1


@dataclass(frozen=True, slots=True)
class _Found:
    """A whole document, and what stands around it."""

    text: str
    start: int
    marks: int
    fence_end: int

    def document(self, how: Recovery, attributes: dict[str, str]) -> Document:
        end = self.start + len(self.text)
        tag = (self.start if self.marks < 0 else self.marks, self.start)
        end_tag = (end, end if self.marks < 0 else self.fence_end)
        return Document(self.text, tag, end_tag, how, attributes)


class Documents:
    """Follow the text of one message; places count from its beginning."""

    def __init__(self, *, max_chars: int) -> None:
        self._max_chars = max_chars
        self._kept = 0  # characters of documents that stand before a remark
        # the last pieces told since something was taken out, of a character at least
        self._recent: deque[str] = deque(maxlen=_RECENT_CHARS)
        self._is_idle = False  # there is nothing to do but to remember
        self._notes: list[_Note] = []
        self._noted = -1  # the last place noted
        self._copy: _Copy | None = None
        self._first = -1  # place of the first character that is not blank
        self._before: _Found | None = None  # one with only white space behind it
        self._told = 0  # place behind the last character told
        self.fence = 0
        """Ordinal of the fence whose text may be a document, or 0."""
        self._seen_fence = 0  # ordinal of the last fence that was looked into
        self._in_fences = 0  # whole documents in fences
        self._in_fence: _Found | None = None  # the first of them
        self._before_remarks: list[Document] = []
        self.looked = 0
        """Characters looked at, ever."""
        self.dropped: int | None = None
        """Where the last document began that grew too long to be kept."""

    # --- as the text comes -------------------------------------------------------

    def note(self, place: int, *, begins_line: bool) -> None:
        """Take note of a ``<``; which one begins a document is told by what follows."""
        if place > self._noted:
            self._noted = place
            self._is_idle = False
            rank = _AT_LINE if begins_line else _IN_LINE
            self._notes.append(_Note(place, rank))

    def open_fence(self, place: int, ordinal: int, mark: tuple[str, int]) -> None:
        """Take note of a ``<`` that begins a line in the fence of that ordinal.

        All text in front of it has been told. Only the first one counts.
        """
        if ordinal == self._seen_fence or place <= self._noted:
            return
        self._seen_fence = ordinal
        marks = self._html_fence(place, mark)
        if marks >= 0:
            self._noted = place
            self.fence = ordinal
            self._is_idle = False
            self._notes.append(_Note(place, _IN_FENCE, marks))

    def close_fence(self, place: int, *, by_its_marks: bool) -> None:
        """Take note that the `fence` is over: at the end of its last line, or here."""
        self.fence = 0
        self._is_idle = False
        rank = _FENCE_END if by_its_marks else _FENCE_LEFT
        self._notes.append(_Note(place, rank))

    def add(self, text: str, place: int) -> None:
        """Take text that was told, and the place where it begins."""
        self._told = place + len(text)
        if self._is_idle:
            self._recent.append(text[-_RECENT_CHARS:])
            return
        if self._first < 0 and (blanks := self._blanks(text)) < len(text):
            self._first = place + blanks
        if self._before is not None and self._blanks(text) < len(text):
            self._before = None
        if self._notes:
            self._read_notes(text, whole=False)
        else:
            if self._copy is not None:
                self._extend(text)
            self._recent.append(text[-_RECENT_CHARS:])
        self._is_idle = (
            self._first >= 0
            and self._before is None
            and self._copy is None
            and not self._notes
        )

    def cut(self) -> None:
        """Take note that something is taken out of the text here."""
        if not (self._recent or self._notes or self._copy is not None):
            return
        if self._is_idle:
            self._recent.clear()
            return
        self._read_notes("", whole=True)
        copy, self._copy = self._copy, None
        if copy is not None and copy.marks < 0:
            self._before = self._whole(copy.text(), copy, copy.start) or self._before
        self._recent.clear()
        self._is_idle = False

    # --- artifacts -------------------------------------------------------------------

    def end_artifact(self, start: ArtifactStart, body: Body) -> None:
        """Take note that an artifact ended.

        What stands in front of it is what stood there when it began.
        """
        found, self._before = self._before, None
        if found is None or not _is_remark(start, body):
            return
        is_full = len(self._before_remarks) >= _MAX_BEFORE_REMARKS
        if is_full or self._kept + len(found.text) > self._max_chars:
            self.dropped = found.start
            return
        self._kept += len(found.text)
        attributes = {**start.attributes, "type": start.artifact_type or "text/html"}
        self._before_remarks.append(
            found.document("document-before-remark", attributes)
        )

    # --- at the end of the text --------------------------------------------------------

    def find(self, *, artifacts: int) -> Sequence[Document]:
        """Return the documents that the whole text tells, in their order.

        ``artifacts`` were found in it.
        """
        if artifacts:
            return self._before_remarks
        found, how = self._only()
        if found is None:
            return ()
        named = {"identifier": "response", "type": "text/html", "title": "Response"}
        return (found.document(how, named),)

    def _only(self) -> tuple[_Found | None, Recovery]:
        self._read_notes("", whole=True)
        copy = self._copy
        if copy is not None and copy.marks >= 0:
            self._copy = None
            self._end_fence(copy, self._told)
        self.cut()
        found = self._before
        if found is not None and found.start == self._first:
            return found, "bare-document"
        return (self._in_fence if self._in_fences == 1 else None), "fenced-document"

    # --- notes -------------------------------------------------------------------------

    def _read_notes(self, text: str, *, whole: bool) -> None:
        """Decide about the notes of which enough has been told, or all there is.

        ``text`` is what was told last; the copy does not have it yet.
        """
        recent = "".join(self._recent) + text
        base = self._told - len(recent)
        before = self._copy
        notes, self._notes = self._notes, []
        for at, note in enumerate(notes):
            needed = 0 if note.rank > _IN_FENCE else _WORD_CHARS
            if note.place + needed > self._told and not whole:
                self._notes = notes[at:]
                break
            behind = recent[note.place - base :]
            copy = self._copy
            if needed:
                self._read_word(note, behind[:_WORD_CHARS], recent, base)
            elif copy is not None and copy.marks >= 0:
                self._copy = None
                if note.rank == _FENCE_END:
                    if copy is before:
                        copy.add(text)
                    else:
                        copy.add(recent[copy.start - base :])
                    self._end_fence(copy, note.place)
        copy = self._copy
        if copy is not None:
            self._extend(text if copy is before else recent[copy.start - base :])
        self._recent.clear()
        self._recent.append(recent[-_RECENT_CHARS:])

    def _read_word(self, note: _Note, head: str, recent: str, base: int) -> None:
        """Begin, or close, a document at this ``<``, if that is what the words say."""
        same = max(common_chars(word, head.lower(), 0) for word in _WORDS)
        # The "<" and what is next to it were looked at before the note was taken.
        self.looked += max(min(same, len(head) - 1) - 1, 0)
        copy = self._copy
        if copy is not None and copy.marks >= 0:
            return
        if _HTML_END.match(head):
            if copy is not None:
                copy.is_closed = True
            return
        is_doctype = _DOCTYPE.match(head) is not None
        if not is_doctype and not _HTML.match(head):
            return
        rank = note.rank + (note.rank == _IN_LINE and is_doctype)
        if copy is not None and not copy.is_closed:
            if copy.has_html and rank <= copy.rank:
                return
            if not (copy.has_html or is_doctype) and self._follows_doctype(
                copy, note.place, recent, base
            ):
                copy.has_html = True
                return
        self._copy = _Copy(note.place, rank, not is_doctype, note.marks)

    def _follows_doctype(self, copy: _Copy, place: int, recent: str, base: int) -> bool:
        """Whether only white space stands between a doctype and the ``<html`` here."""
        if place - copy.start > _RECENT_CHARS:
            return False
        text = copy.text()
        text += recent[copy.start + len(text) - base :][:_RECENT_CHARS]
        between = text[: place - copy.start]
        self.looked += len(between)
        return not between.partition(">")[2].strip(_BLANK)

    def _end_fence(self, copy: _Copy, place: int) -> None:
        """Judge what a fence held that ended at this place."""
        text = copy.text()
        found = self._whole(text[: place - copy.start], copy, place)
        if found is None:
            return
        self._in_fences += 1
        if self._in_fences == 1:
            self._in_fence = found
        behind = text[place - copy.start :]
        if self._blanks(behind) == len(behind):
            self._before = found

    # --- small parts -------------------------------------------------------------------

    def _blanks(self, text: str) -> int:
        """Return with how many blank characters a text begins."""
        count = len(text) - len(text.lstrip(_BLANK))
        self.looked += min(count + 1, len(text))
        return count

    def _extend(self, text: str) -> None:
        copy = self._copy
        if copy is None:
            return
        copy.add(text)
        if copy.chars > self._max_chars:
            self.dropped = copy.start
            self._copy = None

    def _html_fence(self, place: int, mark: tuple[str, int]) -> int:
        """Return where the marks are of a fence that says ``html``, if this is one.

        It is if its first line, with nothing but blank lines between, is in front.
        """
        recent = "".join(self._recent)[-_RECENT_CHARS:]
        lines = recent.rstrip(_BLANK)
        start = max(lines.rfind("\n"), lines.rfind("\r")) + 1
        self.looked += len(recent) - start
        found = _FENCE_LINE.match(lines, start)
        if found is None or found["marks"] != mark[0] * mark[1]:
            return -1
        return place - len(recent) + found.start("marks")

    def _whole(self, text: str, copy: _Copy, end: int) -> _Found | None:
        """Return the document if the text is one from its beginning to its end."""
        body = text.rstrip(_BLANK)
        self.looked += len(text) - len(body)
        if copy.marks >= 0 and body.endswith(("`", "~")):
            unmarked = body.rstrip(body[-1]).rstrip(_BLANK)
            self.looked += len(body) - len(unmarked)
            body = unmarked
        self.looked += min(_END_CHARS, len(body))
        if len(body) < MIN_HTML_CHARS or not _END.search(body[-_END_CHARS:]):
            return None
        return _Found(body, copy.start, copy.marks, end)


def _is_remark(start: ArtifactStart, body: Body) -> bool:
    """Whether a page's body is something that is said about a page."""
    name = start.identifier.strip().lower()
    ending = name.rpartition("/")[2].rpartition(".")
    is_named = bool(ending[0]) and not name.endswith(_PAGE_ENDINGS)
    kind = start.artifact_type.partition(";")[0].strip().lower()
    if is_named or kind not in _PAGE_TYPES:
        return False
    text = body.head.lstrip(_BLANK)
    is_all = body.length == len(body.head)
    if not text:
        return is_all
    if not text[:16].lower().startswith(_PAGE_STARTS):
        return True
    return is_all and len(text.rstrip(_BLANK)) < MIN_HTML_CHARS
