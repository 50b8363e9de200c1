"""The stream parser: text in pieces of any size to events.

Strategy: states that read a buffer (`Reading`): text and the words that open
something (here), open tags (`Candidates`), bodies and reasoning (`Sections`),
forms and internal tags (`Blocks`), other marks (`Brackets`). Whether a place is
code is asked of `Markdown`, which reads all text once; the states for tags and
bodies read what they hold once more. Everything decided depends on the text in front
of it alone, never on where a piece ended.
"""

from __future__ import annotations

from vitrail.core.parse.close_tags import CloseTag
from vitrail.core.parse.dialects import RECOVERY, Opener, find_dialect
from vitrail.core.parse.directives import SilenceToken
from vitrail.core.parse.documents import NOTED
from vitrail.core.parse.internal import InternalTag
from vitrail.core.parse.open_tags import common_chars
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.parse.sections import CloseReason
from vitrail.core.parse.watching import Watching
from vitrail.core.text import TAG_SPACE, FencedText, SurrogateJoiner
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    Event,
    Reasoning,
)

__all__ = ["StreamParser"]


class StreamParser(Watching):
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

    __slots__ = (
        "_closed",
        "_internal",
        "_matched",
        "_openers",
        "_surrogates",
    )

    def __init__(
        self, *, dialect: str = "auto", limits: ParserLimits | None = None
    ) -> None:
        self._dialect = find_dialect(dialect)
        super().__init__(limits or ParserLimits(), self._dialect.marks)
        self._surrogates = SurrogateJoiner()
        self._closed = False
        if self._dialect.directives:
            self._silence = SilenceToken()
            self._state = self._read_silence
        self._openers: tuple[Opener, ...] = ()  # whose word may go on
        self._matched = 0  # characters of that word read
        self._internal: InternalTag | None = None  # the same, of an internal tag

    # --- what callers use ----------------------------------------------------

    @property
    def looked_at(self) -> int:
        """Characters looked at so far, each as often as it was; an exact count.

        At most three times the text in the dialect ``tag``, four times in every other.
        """
        return self._looked + self._markdown.looked + self._documents.looked

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
        if not text.isascii() or self._surrogates.high:
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
        self._tell_media()
        if reason == "unclosed":
            self._recover()
            self._tell_documents()
        self._events = []
        return events

    # --- text ----------------------------------------------------------------

    def _read_text(self) -> bool:
        markdown, buf = self._markdown, self._buf
        at = self._scan(self._at)
        while markdown.at_mark:
            passed = self._passes(buf, at)
            if passed < 0:
                break
            at = self._scan(at + passed)
        self._at = at
        self._tell_text(at)
        copy = self._copy
        if copy.fence >= 0 and not self._is_in_fence(copy.fence):
            copy.drop()
        if markdown.in_fence_angle:
            self._watch_fence(at)
            if self._base + at >= max(self._held_to, self._tags_read_to):
                copy.begin(markdown.fences, self._base + at)
        elif self._usual is not None:
            self._begins_line = True
            self._start = self._base + at
        elif markdown.at_mark:
            self._begins_line = self._begins(at)
            if buf[at] != "<":
                self._begin_other(buf[at])
            elif (tags := self._tags) is None or not self._knows_tag(at):
                return self._begin_word()
            else:
                self._open(tags.opener(self._base + at))
        else:
            return False
        return True

    def _scan(self, at: int) -> int:
        """Let the Markdown reader read on from this index to its next stop."""
        at = self._markdown.scan(self._buf, at, len(self._buf))
        if self._documents.fence:
            self._watch_fence_end(at)
        return at

    def _passes(self, buf: str, at: int) -> int:
        """Let the mark at this index be text if it is seen at once to begin nothing.

        Returns the characters passed, none of them in front of a line; -1: it may
        begin something.
        """
        if buf[at] != "<":
            return self._passes_other(buf, at)
        second = buf[at + 1 : at + 2]
        if second in NOTED:
            self._note(at)
        dialect = self._dialect
        tags = self._tags
        is_no_tag = (
            tags is not None and self._base + at < tags.read_to and self._is_no_tag(at)
        )
        if second not in dialect.seconds:
            self._looked += not is_no_tag
            self._markdown.pass_angle()
            return 1
        if is_no_tag and dialect.is_tag_alone and not self._is_sheltered(at):
            self._markdown.pass_angle()
            return 1
        if second == "a" and dialect.artifact is not None:
            return 1 if self._passes_artifact(dialect.artifact, buf, at) else -1
        return -1

    def _passes_artifact(self, opener: Opener, buf: str, at: int) -> bool:
        """Let ``<a`` be text if it is another word, or an opener before another ``<``."""
        word = opener.word
        behind = at + len(word)
        if behind >= len(buf) or self._knows_tag(at) or self._is_undecidable(at):
            return False
        if not buf.startswith(word, at) or buf[behind] not in TAG_SPACE:
            if buf[behind] == ">" or not self._dialect.is_tag_alone:
                return False
            self._looked += common_chars(word, buf, at) - 1
            self._markdown.pass_angle()
            return True
        self._looked += len(word) - 1
        if self._is_sheltered(at):
            self._begin_usual(opener)
            return False
        return self._passes_dead(opener, buf, at)

    @property
    def _may_be_internal(self) -> bool:
        """Whether an internal tag counts here: nothing may hide it.

        Nor was the text behind it held in vain, or read for the end of an embed.
        """
        place = self._base + self._at
        return (
            place >= self._held_to
            and not self._markdown.may_hide(runs=True)
            and self._block_closes.next_unknown(place) == place
        )

    def _begin_word(self) -> bool:
        dialect, at = self._dialect, self._at
        self._openers = dialect.openers if self._is_sheltered(at) else dialect.in_line
        is_alone = at + 1 == len(self._buf)
        if not is_alone and dialect.is_tag_alone and len(self._openers) == 1:
            self._matched = 1
            self._state = self._read_only_word
            return self._read_only_word()
        opener = None if is_alone else self._whole_word()
        if opener is not None:
            self._open(opener)
            return True
        is_internal = dialect.internal and self._may_be_internal
        self._internal = InternalTag() if is_internal else None
        self._matched = 1
        self._state = self._read_word
        return self._final or not is_alone

    def _read_word(self) -> bool:
        """Read on while what follows the ``<`` may still be an opener's word."""
        buf, openers, matched = self._buf, self._openers, self._matched
        at, end = self._at, len(self._buf)
        if matched == 1 and at + 1 < end:
            self._note(at)
            if buf[at + 1] not in self._dialect.seconds:
                self._looked += 1
                self._pass_angle()
                return True
        internal = self._internal
        while (openers or internal) and at + matched < end:
            if internal is None and len(openers) == 1 and not openers[0].any_case:
                self._openers, self._matched, self._internal = openers, matched, None
                self._state = self._read_only_word
                return self._read_only_word()
            ch = buf[at + matched]
            self._looked += 1
            openers = tuple([o for o in openers if o.takes(matched, ch)])
            matched += 1
            for opener in openers:
                if matched == opener.chars:
                    self._open(opener)
                    return True
            if (
                internal is not None
                and (internal := _step(internal, ch)) is not None
                and internal.family is not None
            ):
                self._start = self._base + at
                self._open_internal(internal.family)
                return True
        if (openers or internal) and not self._final:
            self._openers, self._matched, self._internal = openers, matched, internal
            return False
        self._pass_angle()
        return True

    def _read_only_word(self) -> bool:
        """Read the rest of the only word that may be here."""
        (opener,), buf, at = self._openers, self._buf, self._at
        word, there = opener.word, len(buf) - at
        if there > len(word) and buf.startswith(word, at):
            same = len(word)
        elif not self._final and word.startswith(buf[at:]):
            same = there
        else:
            same = common_chars(word, buf, at)
        self._looked += same - self._matched
        self._matched = same
        if same == there < opener.chars and not self._final:
            return False
        if same == len(word) and not opener.behind:
            self._open(opener)
            return True
        if same == len(word) and same < there and buf[at + same] in opener.behind:
            self._open(opener)
            return True
        self._looked += same < there
        self._pass_angle()
        return True

    def _whole_word(self) -> Opener | None:
        """Return the opener whose word is here, if all of it is."""
        buf, at = self._buf, self._at
        for opener in self._openers:
            end = at + opener.chars
            if buf.startswith(opener.word, at) and end <= len(buf):
                if opener.behind and buf[end - 1] not in opener.behind:
                    continue
                self._looked += len(opener.word) - 1
                return opener
        return None

    def _open(self, opener: Opener) -> None:
        self._start = self._base + self._at
        end = self._start + len(opener.word)
        kind = opener.kind
        if kind == "artifact":
            if self._buf.startswith(">", end - self._base):
                self._pass_bare(end + 1)
            elif self._begins_line and self._may_be_usual:
                self._begin_usual(opener)
            else:
                self._open_artifact_tag(opener)
            return
        match kind:
            case "form" | "bolt-artifact" | "bolt-action":
                self._open_artifact_tag(opener)
            case "bolt-end":
                self._end_bolt(end)
            case "reasoning":
                self._looked += 1
                self._take_tag(end)
                self._reasoning = CloseTag(opener.word[1:-1].lower())
                self._events.append(Reasoning("", (self._start, end)))
                self._state = self._read_reasoning
            case "stray-reasoning":
                self._looked += 1
                self._suppress(opener.word[2:-1], end)

    def _pass_bare(self, end: int) -> None:
        if not self._markdown.may_hide(runs=True):
            self._diagnose(
                "bare-artifact-tag",
                "info",
                (self._start, end),
                "An artifact's open tag has an identifier, a type or a title;"
                " this one has none of them, so it is shown as text.",
            )
        self._pass_opener()

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
        again = StreamParser(dialect="tag", limits=self._limits)
        again._dialect, again._markdown = RECOVERY, FencedText()
        again._base = copy.start
        again._artifacts = self._artifacts
        again._recovered = "unclosed-fence"
        for event in (*again.feed(copy.text()), *again.close()):
            if isinstance(event, ArtifactStart | ArtifactChunk | ArtifactEnd):
                self._events.append(event)
        self._looked += again.looked_at


def _step(internal: InternalTag, ch: str) -> InternalTag | None:
    """Let an internal tag take the next character; return it unless it can be none."""
    internal.step(ch)
    return None if internal.is_dead else internal
