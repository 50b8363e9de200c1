"""The stream parser: text in pieces of any size to events.

Strategy: states that read a buffer (`Reading`): text and the words that open
something (here), open tags (`Candidates`), bodies and reasoning (`Sections`).
Whether a place is code is asked of `Markdown`, which reads all text once; the
states for tags and bodies read what they hold once more, so that the text costs
three looks a character at most. Everything decided depends on the text in front
of it alone, never on where a piece ended.
"""

from __future__ import annotations

from typing import Final

from vitrail.core.parse.candidates import ARTIFACT, Candidates
from vitrail.core.parse.close_tags import CloseTag
from vitrail.core.parse.dialects import RECOVERY, Opener, find_dialect
from vitrail.core.parse.open_tags import common_chars
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.parse.sections import CloseReason
from vitrail.core.text import TAG_SPACE, FencedText, SurrogateJoiner
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    Event,
    Reasoning,
    Suppressed,
)

__all__ = ["StreamParser"]

_SECONDS: Final = frozenset(["a", "t", "T", "/", ""])
"""What an opener's second character may be; nothing: it is still to come."""


class StreamParser(Candidates):
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
        super().__init__(limits or ParserLimits())
        self._dialect = find_dialect(dialect)
        self._surrogates = SurrogateJoiner()
        self._closed = False
        self._openers: tuple[Opener, ...] = ()  # whose word may go on
        self._matched = 0  # characters of that word read

    # --- what callers use ----------------------------------------------------

    @property
    def looked_at(self) -> int:
        """Characters looked at so far, each as often as it was; an exact count.

        At most three times the text.
        """
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
            at = found.end() if found else 0
            self._looked += at
            if at == len(text):
                return self._tell_quickly(text) if text else []
            self._at = at
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

    # --- text ------------------------------------------------------------------

    def _read_text(self) -> bool:
        markdown, buf = self._markdown, self._buf
        at = markdown.scan(buf, self._at, len(buf))
        while markdown.at_mark and self._passes(buf, at):
            at = markdown.scan(buf, at + 1, len(buf))
        self._at = at
        self._tell_text(at)
        copy = self._copy
        if copy.fence >= 0 and not self._is_in_fence(copy.fence):
            copy.drop()
        if markdown.in_fence_angle:
            if self._base + at >= self._held_to:
                copy.begin(markdown.fences, self._base + at)
        elif markdown.at_mark:
            self._begins_line = markdown.begins_line
            if not self._knows_tag(at):
                return self._begin_word()
            self._open_artifact_tag()
        else:
            return False
        return True

    def _passes(self, buf: str, at: int) -> bool:
        """Let the ``<`` at this index be text if it is seen at once to be no opener."""
        second = buf[at + 1 : at + 2]
        if self._is_no_tag(at) and not (self._is_sheltered and second in _SECONDS):
            self._markdown.pass_angle()
            return True
        if second == "a":
            return self._passes_artifact(buf, at)
        if second in _SECONDS:
            return False
        self._looked += 1
        self._markdown.pass_angle()
        return True

    def _passes_artifact(self, buf: str, at: int) -> bool:
        """Let ``<a`` be text if it is another word, or an opener before another ``<``."""
        word = ARTIFACT
        behind = at + len(word)
        if behind >= len(buf) or self._knows_tag(at) or self._is_undecidable(at):
            return False
        if not buf.startswith(word, at) or buf[behind] not in TAG_SPACE:
            self._looked += common_chars(word, buf, at) - 1
            self._markdown.pass_angle()
            return True
        self._looked += len(word) - 1
        return self._passes_dead(buf, at)

    @property
    def _is_sheltered(self) -> bool:
        """Whether this place begins its line and nothing open may yet hide it."""
        markdown = self._markdown
        return markdown.begins_line and not markdown.may_hide(runs=True)

    def _begin_word(self) -> bool:
        dialect = self._dialect
        self._openers = dialect.openers if self._is_sheltered else dialect.in_line
        self._matched = 1
        self._state = self._read_word
        if self._at + 1 == len(self._buf):
            return self._final
        opener = self._whole_word()
        if opener is not None:
            self._open(opener)
        return True

    def _read_word(self) -> bool:
        """Read on while what follows the ``<`` may still be an opener's word."""
        buf, openers, matched = self._buf, self._openers, self._matched
        at, end = self._at, len(self._buf)
        while openers and at + matched < end:
            if len(openers) == 1:
                # The usual case: many characters at once, all but the last one.
                rest = openers[0].word[matched : min(end - at, openers[0].chars - 1)]
                same = common_chars(rest, buf, at + matched)
                matched += same
                self._looked += same
                if at + matched == end:
                    break
            ch = buf[at + matched]
            self._looked += 1
            if matched == 1 and ch not in _SECONDS:
                openers = ()
            else:
                openers = tuple(o for o in openers if _goes_on(o, matched, ch))
            matched += 1
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

    def _open(self, opener: Opener) -> None:
        self._start = self._base + self._at
        end = self._start + len(opener.word)
        if opener.kind != "artifact":
            self._looked += 1
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

    # --- the end of the text ---------------------------------------------------

    def _recover(self) -> None:
        copy = self._copy
        self._markdown.finish()
        if copy.dropped is not None and self._is_in_fence(copy.dropped[0]):
            self._diagnose(
                "artifact-not-recovered",
                "warning",
                (copy.dropped[1], copy.dropped[1]),
                "A code fence hid a long artifact; it is shown as text.",
            )
        if copy.fence < 0 or not self._is_in_fence(copy.fence):
            return
        again = StreamParser(limits=self._limits)
        again._dialect, again._markdown = RECOVERY, FencedText()
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
