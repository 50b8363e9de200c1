"""The stream parser: text in pieces of any size to events.

Strategy: one state at a time reads the buffer from `_at`; what has been told
ends at `_told`, and the buffer keeps only what is behind it. A state that needs
more text says so and goes on where it stopped. Whether a place is code is
asked of `Markdown`, which reads all text once; the states for tags and bodies
read what they hold once more, so that no character is looked at more than
three times. Everything decided depends on the text in front of it alone, never
on where a piece ended.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from vitrail import limits
from vitrail.core.parse.body import Body
from vitrail.core.parse.close_tags import CloseFinder, CloseTag, make_finder
from vitrail.core.parse.dialects import RECOVERY, Opener, find_dialect
from vitrail.core.parse.fit import Fit
from vitrail.core.parse.open_tags import OpenTags, TagFault, first_stop, read_attributes
from vitrail.core.parse.recovery import FenceCopy
from vitrail.core.text import TAG_SPACE, Leaf, Markdown, SurrogateJoiner
from vitrail.protocol.diagnostics import Severity
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    DiagnosticFound,
    EndReason,
    Event,
    Reasoning,
    Recovery,
    Suppressed,
    Text,
)

__all__ = ["CloseReason", "ParserLimits", "StreamParser"]

CloseReason: TypeAlias = Literal["unclosed", "stopped", "failed"]
"""Why the text ends here: by itself, by a person's stop, by a failure."""


@dataclass(frozen=True, slots=True)
class ParserLimits:
    """Limits of one parser, all in code points but the counts."""

    open_tag_chars: int = limits.MAX_OPEN_TAG_CHARS
    held_chars: int = limits.MAX_HELD_CHARS
    attributes: int = limits.MAX_ATTRIBUTES_PER_TAG
    artifacts: int = limits.MAX_ARTIFACTS_PER_MESSAGE
    body_chars: int = limits.MAX_BODY_CODE_POINTS
    recoverable_chars: int = limits.MAX_RECOVERABLE_CHARS


_ARTIFACT: Final = "<artifact"
_NO_ANGLE: Final = re.compile(r"[^<]*+")

_SECONDS: Final = frozenset(["a", "t", "T", "/", ""])
"""What an opener's second character may be; nothing: it is still to come."""

_FAULTS: Final[dict[TagFault, str]] = {
    "angle": "another tag begins inside it",
    "blank-line": "a blank line comes before its end",
    "too-long": "it is longer than an open tag may be",
}


@dataclass(slots=True)
class _Artifact:
    """The artifact whose body is being read."""

    ordinal: int
    identifier: str
    finder: CloseFinder
    body: Body


class StreamParser:
    """Parse one message as it comes.

    Feed it pieces of any size; each call returns the events that are certain
    by then. The joined events (`join_events`) do not depend on how the text was
    cut, and those of a beginning are a beginning of those of the whole.

    Lone surrogates in the text become U+FFFD. Raises ``ValueError`` for an
    unknown dialect.

    >>> parser = StreamParser()
    >>> parser.feed("Hi <arti")
    [Text(delta='Hi ')]
    >>> parser.close()
    [Text(delta='<arti')]
    """

    def __init__(
        self, *, dialect: str = "tag", limits: ParserLimits | None = None
    ) -> None:
        self._dialect = find_dialect(dialect)
        self._limits = limits or ParserLimits()
        self._surrogates = SurrogateJoiner()
        self._markdown = Markdown()
        self._copy = FenceCopy(max_chars=self._limits.recoverable_chars)
        self._events: list[Event] = []
        self._buf = ""
        self._base = 0  # place of the buffer's first character in the message
        self._told = 0  # index: everything before it is in an event
        self._at = 0  # index: the state reads on from here
        self._final = False
        self._closed = False
        self._looked = 0
        self._artifacts = 0
        self._state: Callable[[], bool] = self._read_text
        self._quick: re.Pattern[str] | None = None
        # of the state that reads an opener's word
        self._openers: tuple[Opener, ...] = ()
        self._matched = 0
        # of a candidate
        self._tags: OpenTags | None = None
        self._start = 0  # place of the candidate's "<"
        self._tag_end = 0  # place behind its ">"
        self._attributes: dict[str, str] = {}
        self._begins_line = False
        self._fit: Fit | None = None
        self._is_watched = False
        # of a body or a section of reasoning
        self._artifact: _Artifact | None = None
        self._reasoning: CloseTag | None = None
        self._recovered: Recovery | None = None

    # --- what callers use ----------------------------------------------------

    @property
    def looked_at(self) -> int:
        """Characters looked at so far, each as often as it was; an exact count."""
        return self._looked + self._markdown.looked

    @property
    def held(self) -> int:
        """Characters of the text that no event has told yet."""
        return len(self._buf) - self._told

    def feed(self, text: str) -> list[Event]:
        """Take a piece of the text and return the events that are now certain.

        Raises ``ValueError`` after `close`.
        """
        if self._closed:
            raise ValueError("expected no text after close(); make a new StreamParser")
        if not text.isascii() or self._surrogates.is_waiting:
            text = self._surrogates.feed(text)
        if self._quick is not None:
            found = self._quick.match(text)
            if found is not None and found.end() == len(text):
                return self._tell_quickly(text) if text else []
        self._buf = self._buf + text if self._buf else text
        return self._run()

    def close(self, *, reason: CloseReason = "unclosed") -> list[Event]:
        """End the text and return the remaining events; whatever is open is closed.

        A second call returns nothing.
        """
        if self._closed:
            return []
        self._buf += self._surrogates.close()
        self._final = True
        events = self._run()
        self._closed = True
        self._events = events
        self._close_open(reason)
        if reason == "unclosed":
            self._recover()
        self._events = []
        return events

    # --- the loop ------------------------------------------------------------

    def _run(self) -> list[Event]:
        events = self._events = []
        while self._at < len(self._buf) or self._final:
            if not self._state():
                break
        self._trim()
        self._events = []
        return events

    def _trim(self) -> None:
        """Drop what has been told, and see whether the next piece may be quick."""
        told = self._told
        self._quick = None
        if told:
            self._buf = self._buf[told:]
            self._base += told
            self._at -= told
            self._told = 0
            if self._artifact is not None:
                self._artifact.finder.shift(told)
            if self._reasoning is not None:
                self._reasoning.shift(told)
            if self._fit is not None:
                self._fit.shift(told)
        if not self._buf:
            self._quick = self._quick_pattern()

    def _quick_pattern(self) -> re.Pattern[str] | None:
        """Return what matches as much of a piece as holds nothing to stop at."""
        if self._artifact is not None or self._reasoning is not None:
            return _NO_ANGLE
        if self._state == self._read_text and self._copy.fence < 0:
            return self._markdown.quick_pattern()
        return None

    def _tell_quickly(self, text: str) -> list[Event]:
        """Tell a piece that holds nothing to stop at, the buffer being empty."""
        start = self._base
        self._looked += len(text)
        self._base += len(text)
        if self._artifact is not None:
            artifact = self._artifact
            if artifact.body.length + len(text) > self._limits.body_chars:
                self._looked -= len(text)
                self._base = start
                self._buf = text
                return self._run()
            artifact.body.add(text)
            return [ArtifactChunk(artifact.ordinal, artifact.identifier, text)]
        if self._reasoning is not None:
            return [Reasoning(text, (start, self._base))]
        return [Text(text)]

    def _tell_text(self, to: int) -> None:
        if to > self._told:
            text = self._buf[self._told : to]
            self._told = to
            self._events.append(Text(text))
            if self._copy.fence >= 0:
                self._copy.add(text)

    def _diagnose(
        self, code: str, severity: Severity, span: tuple[int, int], message: str
    ) -> None:
        self._events.append(DiagnosticFound(code, severity, span, message))

    # --- text ------------------------------------------------------------------

    def _read_text(self) -> bool:
        markdown, buf = self._markdown, self._buf
        at = markdown.scan(buf, self._at, len(buf))
        while markdown.at_angle and self._passes(buf, at):
            at = markdown.scan(buf, at + 1, len(buf))
        self._at = at
        self._tell_text(at)
        copy = self._copy
        if copy.fence >= 0 and not self._is_in_fence(copy.fence):
            copy.drop()
        if markdown.in_fence_angle:
            copy.begin(markdown.fences, self._base + at)
        elif markdown.at_angle:
            self._begins_line = markdown.begins_line
            if self._tags is not None and self._tags.knows(self._base + at):
                self._open_artifact_tag()
            else:
                self._begin_word()
        else:
            return False
        return True

    def _passes(self, buf: str, at: int) -> bool:
        """Let the ``<`` at this index be text if it is seen at once to be no opener."""
        second = buf[at + 1 : at + 2]
        if second == "a":
            return self._passes_artifact(buf, at)
        if second in _SECONDS:
            return False
        self._looked += 1
        self._markdown.pass_angle()
        return True

    def _passes_artifact(self, buf: str, at: int) -> bool:
        """Let ``<a`` be text if it is another word, or an opener before another ``<``."""
        word = _ARTIFACT
        behind = at + len(word)
        place = self._base + at
        if behind >= len(buf) or (self._tags is not None and self._tags.knows(place)):
            return False
        if not buf.startswith(word, at) or buf[behind] not in TAG_SPACE:
            self._looked += _common(word, buf, at)
            self._markdown.pass_angle()
            return True
        stop = min(len(buf), at + self._limits.open_tag_chars)
        first = first_stop(buf, behind, stop)
        self._looked += first - at
        if first < stop and buf[first] == "<":
            self._markdown.pass_dead_angle()
            return True
        self._tags = self._new_tags(place, read=first - behind)
        return False

    def _begin_word(self) -> None:
        markdown, dialect = self._markdown, self._dialect
        sheltered = markdown.begins_line and not markdown.may_hide(runs=True)
        self._openers = dialect.openers if sheltered else dialect.in_line
        self._looked += 1
        opener = self._whole_word()
        if opener is not None:
            self._open(opener)
        else:
            self._matched = 1
            self._state = self._read_word

    def _is_in_fence(self, ordinal: int) -> bool:
        return self._markdown.leaf is Leaf.FENCE and self._markdown.fences == ordinal

    def _read_word(self) -> bool:
        """Read on while what follows the ``<`` may still be an opener's word."""
        buf, openers, matched = self._buf, self._openers, self._matched
        at, end = self._at, len(self._buf)
        while openers and at + matched < end:
            word = openers[0].word
            if len(openers) == 1 and buf.startswith(word[matched : end - at], at + matched):
                # The usual case, many characters at once.
                read = max(min(len(word), end - at) - matched, 0)
            else:
                read = 0
            if not read:
                ch = buf[at + matched]
                openers = tuple(o for o in openers if _goes_on(o, matched, ch))
                read = 1
            matched += read
            self._looked += read
            for opener in openers:
                if matched == opener.chars:
                    self._open(opener)
                    return True
        if openers and not self._final:
            self._openers, self._matched = openers, matched
            return False
        self._pass_angle()
        return True

    def _whole_word(self) -> Opener | None:
        """Return the opener whose word is here, if all of it is."""
        buf, at = self._buf, self._at
        for opener in self._openers:
            end = at + opener.chars
            if buf.startswith(opener.word, at) and end <= len(buf):
                if opener.needs_space and buf[end - 1] not in TAG_SPACE:
                    continue
                self._looked += opener.chars - 1
                return opener
        return None

    def _pass_angle(self) -> None:
        """Let the ``<`` at this place be text."""
        self._markdown.pass_angle()
        self._at += 1
        self._state = self._read_text

    def _open(self, opener: Opener) -> None:
        self._start = self._base + self._at
        end = self._start + len(opener.word)
        match opener.kind:
            case "artifact":
                self._open_artifact_tag()
            case "reasoning":
                self._take_tag(end)
                self._reasoning = CloseTag(opener.word[1:-1])
                self._events.append(Reasoning("", (self._start, end)))
                self._state = self._read_reasoning
            case "stray-reasoning":
                self._take_tag(end)
                name = opener.word[2:-1]
                self._events.append(
                    Suppressed(name, end - self._start, (self._start, end))
                )
                self._begin_text()

    def _open_artifact_tag(self) -> None:
        self._start = self._base + self._at
        if self._tags is None or not self._tags.knows(self._start):
            self._tags = self._new_tags(self._start, read=0)
        self._state = self._read_tag

    def _new_tags(self, start: int, *, read: int) -> OpenTags:
        return OpenTags(
            opener=_ARTIFACT,
            start=start,
            read=read,
            max_chars=self._limits.open_tag_chars,
        )

    def _take_tag(self, end: int) -> None:
        """Take the text up to the place `end` out of the text."""
        self._told = self._at = end - self._base

    def _begin_text(self) -> None:
        """Begin a new Markdown document behind something that was taken out."""
        self._markdown.reset()
        self._tags = None
        self._state = self._read_text

    # --- candidates --------------------------------------------------------------

    def _read_tag(self) -> bool:
        tags = self._tags
        assert tags is not None  # noqa: S101 - set with the state
        looked = tags.looked
        end = tags.end(self._start, self._buf, self._base, final=self._final)
        self._looked += tags.looked - looked
        if isinstance(end, int):
            self._tag_end = end
            self._weigh()
            return True
        if end is None and not self._final:
            return False
        if end == "angle" and tags.is_bare(self._start):
            self._markdown.pass_dead_angle()
            self._at += 1
            self._state = self._read_text
            return True
        if not self._markdown.may_hide(runs=True):
            self._diagnose_fault(end)
        self._pass_angle()
        return True

    def _diagnose_fault(self, fault: TagFault | None) -> None:
        span = (self._start, self._start + len(_ARTIFACT))
        if fault is None:
            self._diagnose(
                "unfinished-open-tag",
                "warning",
                span,
                "The text ended inside an artifact's open tag, so it is shown as text.",
            )
        else:
            self._diagnose(
                "malformed-open-tag",
                "warning",
                span,
                f"This is no artifact's open tag, since {_FAULTS[fault]};"
                " it is shown as text.",
            )

    def _weigh(self) -> None:
        """Decide at once about a complete open tag, or hold it as a candidate."""
        start = self._start - self._base
        end = self._tag_end - self._base
        inner = self._buf[start + len(_ARTIFACT) : end - 1]
        self._looked += len(inner)
        self._attributes = read_attributes(inner, max_count=self._limits.attributes)
        self._fit = None
        named = "identifier" in self._attributes or "type" in self._attributes
        if not self._begins_line and not inner.endswith("/"):
            self._fit = Fit(self._attributes, at=self._tag_end)
        runs = not (self._begins_line and named)
        self._is_watched = self._markdown.may_hide(runs=runs)
        if self._is_watched:
            self._markdown.watch(runs=runs)
            self._markdown.pass_angle()
            self._at += 1
        if self._fit is None and not self._is_watched:
            self._start_artifact()
        else:
            self._state = self._read_candidate

    def _read_candidate(self) -> bool:
        """Hold the text from a complete open tag on until it is certain what it is."""
        start = self._start - self._base
        stop = min(len(self._buf), start + self._limits.held_chars)
        fit = self._fit
        fits = fit is None or fit.verdict == "real"
        safe = stop
        if fit is not None and not fits:
            looked = fit.looked
            fit.read(self._buf, self._base, stop)
            self._looked += fit.looked - looked
            fits = fit.verdict == "real"
            safe = stop if fits else fit.safe(self._base) - self._base
        verdict = self._read_watched(safe)
        if verdict == "code" or (fit is not None and fit.verdict == "text"):
            self._let_be_text()
        elif (fits and verdict == "clear") or len(self._buf) > stop:
            self._start_artifact()
        elif self._final:
            self._judge_at_end(fits=fits)
        else:
            return False
        return True

    def _read_watched(self, stop: int) -> str | None:
        if not self._is_watched:
            return "clear"
        markdown = self._markdown
        while self._at < stop and markdown.verdict is None:
            self._at = markdown.scan(self._buf, self._at, stop)
        return markdown.verdict

    def _judge_at_end(self, *, fits: bool) -> None:
        if self._is_watched:
            self._markdown.finish()
            fits = fits and self._markdown.verdict != "code"
        if fits:
            self._start_artifact()
        else:
            self._let_be_text()

    def _let_be_text(self) -> None:
        self._fit = None
        if self._is_watched:
            self._markdown.unwatch()
            self._is_watched = False
            self._state = self._read_text
        else:
            self._pass_angle()

    # --- artifacts -----------------------------------------------------------------

    def _start_artifact(self) -> None:
        self._markdown.unwatch()
        self._is_watched = False
        self._fit = None
        if self._artifacts >= self._limits.artifacts:
            self._at = self._start - self._base
            self._refuse_artifact()
            return
        attributes = self._attributes
        span = (self._start, self._tag_end)
        closes_itself = self._buf[self._tag_end - self._base - 2] == "/"
        identifier = attributes.get("identifier", "")
        kind = attributes.get("type", "")
        self._events.append(
            ArtifactStart(
                self._artifacts,
                identifier,
                kind,
                attributes.get("title", ""),
                attributes,
                self._recovered,
                span,
            )
        )
        self._artifact = _Artifact(
            self._artifacts, identifier, make_finder(kind), Body()
        )
        self._artifacts += 1
        self._take_tag(self._tag_end)
        self._state = self._read_body
        if closes_itself:
            self._diagnose(
                "self-closed-artifact",
                "warning",
                span,
                "This artifact closes itself, so it has no body.",
            )
            self._end_artifact("self-closed", (self._tag_end, self._tag_end))

    def _refuse_artifact(self) -> None:
        self._diagnose(
            "too-many-artifacts",
            "error",
            (self._start, self._tag_end),
            f"A message may hold {self._limits.artifacts} artifacts;"
            " this one is shown as text.",
        )
        # Read on behind the tag: as text of a new document it hides nothing.
        self._tell_text(self._tag_end - self._base)
        self._at = self._told
        self._begin_text()

    def _read_body(self) -> bool:
        artifact = self._artifact
        assert artifact is not None  # noqa: S101 - set with the state
        finder = artifact.finder
        looked = finder.looked
        close = finder.find(self._buf, self._at, len(self._buf))
        self._looked += finder.looked - looked
        if close >= 0 or (finder.start >= 0 and not self._final):
            to = finder.start
        else:
            to = len(self._buf)
        room = self._limits.body_chars - artifact.body.length
        if to - self._told > room:
            self._cut_body(room)
            return True
        self._tell_body(to)
        if close < 0:
            self._at = len(self._buf)
            return False
        span = (self._base + to, self._base + close)
        self._take_tag(self._base + close)
        self._end_artifact("closed", span)
        return True

    def _tell_body(self, to: int) -> None:
        artifact = self._artifact
        if artifact is not None and to > self._told:
            text = self._buf[self._told : to]
            artifact.body.add(text)
            self._events.append(
                ArtifactChunk(artifact.ordinal, artifact.identifier, text)
            )
            self._told = to

    def _cut_body(self, room: int) -> None:
        self._tell_body(self._told + room)
        self._at = self._told
        place = self._base + self._told
        self._diagnose(
            "body-too-long",
            "error",
            (place, place),
            f"A body may hold {self._limits.body_chars} characters;"
            " what follows is shown as text.",
        )
        self._end_artifact("limit", (place, place))

    def _end_artifact(self, reason: EndReason, span: tuple[int, int]) -> None:
        artifact = self._artifact
        if artifact is None:
            return
        self._events.append(
            ArtifactEnd(
                artifact.ordinal,
                artifact.identifier,
                reason == "closed",
                reason,
                artifact.body.length,
                artifact.body.sha256(),
                span,
            )
        )
        self._artifact = None
        self._begin_text()

    # --- reasoning -------------------------------------------------------------------

    def _read_reasoning(self) -> bool:
        finder = self._reasoning
        assert finder is not None  # noqa: S101 - set with the state
        looked = finder.looked
        close = finder.find(self._buf, self._at, len(self._buf))
        self._looked += finder.looked - looked
        holds = finder.start >= 0 and not (self._final and close < 0)
        self._tell_reasoning(finder.start if holds else len(self._buf))
        if close < 0:
            self._at = len(self._buf)
            return False
        start = self._base + self._told
        self._take_tag(self._base + close)
        self._events.append(Reasoning("", (start, self._base + close)))
        self._reasoning = None
        self._begin_text()
        return True

    def _tell_reasoning(self, to: int) -> None:
        if to > self._told:
            span = (self._base + self._told, self._base + to)
            self._events.append(Reasoning(self._buf[self._told : to], span))
            self._told = to

    # --- the end of the text -----------------------------------------------------------

    def _close_open(self, reason: CloseReason) -> None:
        place = self._base + len(self._buf)
        if self._artifact is not None:
            self._end_artifact(reason, (place, place))
        elif self._reasoning is not None:
            self._reasoning = None
            self._diagnose(
                "unclosed-reasoning",
                "warning",
                (place, place),
                "The text ended inside a section of reasoning.",
            )

    def _recover(self) -> None:
        copy = self._copy
        self._markdown.finish()
        if copy.overflowed:
            self._diagnose(
                "artifact-not-recovered",
                "warning",
                (copy.start, copy.start),
                "A code fence hid a long artifact; it is shown as text.",
            )
        if copy.fence < 0 or not self._is_in_fence(copy.fence):
            return
        again = StreamParser(limits=self._limits)
        again._dialect = RECOVERY
        again._base = copy.start
        again._artifacts = self._artifacts
        again._recovered = "unclosed-fence"
        for event in (*again.feed(copy.text()), *again.close()):
            if isinstance(event, ArtifactStart | ArtifactChunk | ArtifactEnd):
                self._events.append(event)
        self._looked += again.looked_at


def _goes_on(opener: Opener, matched: int, ch: str) -> bool:
    """Whether `ch` goes on with the opener's word, of which so much is there."""
    if matched == len(opener.word):
        return opener.needs_space and ch in TAG_SPACE
    expected = opener.word[matched]
    return ch == expected or (
        opener.any_case and ch.isascii() and ch.lower() == expected
    )


def _common(word: str, buf: str, at: int) -> int:
    """Return how many characters tell that the word is not at this index."""
    count = 0
    while count < len(word) and buf[at + count] == word[count]:
        count += 1
    return count
