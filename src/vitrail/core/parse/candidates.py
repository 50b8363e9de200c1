"""Open tags of artifacts: where one ends, and whether it is one.

A complete tag that begins its line is real at once, unless block code hides
it. One in the middle of a line waits for what `Fit` says of its body; one that
something open in its paragraph may yet hide (a code span, a comment) waits for
what `Markdown` says when that closes or the paragraph ends. What waits longer
than the limit is real.

Text that was held in vain, for a tag that is real after all, is read again. It
is not held twice, so that no text costs more than it may: a tag in it is real
if it begins its line, and text if not.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Final

from vitrail.core.parse.close_tags import make_finder
from vitrail.core.parse.dialects import Dialect, Opener
from vitrail.core.parse.fit import BodyFit, Fit
from vitrail.core.parse.open_tags import OpenTags, TagFault, first_stop, read_attributes
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.parse.sections import Sections
from vitrail.core.parse.usual_tags import UsualTag
from vitrail.core.text import Marks
from vitrail.protocol.diagnostics import Span

__all__ = ["Candidates"]

_FAULTS: Final[dict[TagFault, str]] = {
    "angle": "another tag begins inside it",
    "blank-line": "a blank line comes before its end",
    "too-long": "it is longer than an open tag may be",
}


class Candidates(Sections):
    """The states that read an open tag and what decides about it."""

    __slots__ = (
        "_attributes",
        "_begins_line",
        "_dead_to",
        "_dialect",
        "_fit",
        "_is_watched",
        "_left_out",
        "_literal_to",
        "_on_real",
        "_opener",
        "_start",
        "_tag_end",
        "_tags",
        "_touches",
        "_usual",
        "_was_watched",
    )

    _dialect: Dialect

    def __init__(self, parser_limits: ParserLimits, marks: Marks) -> None:
        super().__init__(parser_limits, marks)
        self._tags: OpenTags | None = None
        self._dead_to = 0  # place of the "<" that cut the last opener off
        self._start = 0  # place of the candidate's "<"
        self._tag_end = 0  # place behind its ">"
        self._attributes: dict[str, str] = {}
        self._left_out = 0  # attributes that the tag has beyond them
        self._usual: UsualTag | None = None  # the tag at this place, if it may be one
        self._literal_to = 0  # place behind the last whole tag that is text
        self._begins_line = False
        self._touches = -1  # place behind what was last taken out of a paragraph
        self._fit: BodyFit | None = None
        self._opener: Opener | None = None  # of the open tag being read
        self._on_real: Callable[[], None] = self._take_artifact
        self._is_watched = False
        self._was_watched = False  # the candidate that was taken last

    def _knows_tag(self, index: int) -> bool:
        """Whether the tag that begins at this index was met in an earlier one."""
        return self._tags is not None and self._tags.knows(self._base + index)

    @property
    def _known_opener(self) -> Opener:
        """What begins the open tag that is being read."""
        opener = self._opener
        assert opener is not None  # noqa: S101 - set with the state
        return opener

    @property
    def _word(self) -> str:
        """How the open tag that is being read begins."""
        return self._known_opener.word

    @property
    def _tags_read_to(self) -> int:
        """Place up to which text was read for open tags."""
        return 0 if self._tags is None else self._tags.read_to

    def _is_no_tag(self, index: int) -> bool:
        """Whether the ``<`` at this index was compared in an earlier tag, in vain."""
        tags, place = self._tags, self._base + index
        return tags is not None and tags.covers(place) and not tags.knows(place)

    def _begins(self, index: int) -> bool:
        """Whether the mark at this index begins its line, or follows what was taken out."""
        return self._markdown.begins_line or self._base + index == self._touches

    def _is_sheltered(self, index: int) -> bool:
        """Whether this place begins its line and nothing open may yet hide it."""
        return self._begins(index) and not self._markdown.may_hide(runs=True)

    def _is_undecidable(self, index: int) -> bool:
        """Whether the opener at this index would have to be held in text that was.

        That is in the middle of a line. Text that was read for a close tag is held for
        none either.
        """
        place = self._base + index
        if place < self._held_to:
            return not self._begins(index)
        return (
            self._dialect.looks_ahead
            and self._was_sought(place)
            and not self._begins(index)
            and self._markdown.may_hide(runs=True)
        )

    @abstractmethod
    def _was_sought(self, place: int) -> bool:
        """Whether text at this place was read for a close tag that did not come."""

    def _passes_dead(self, opener: Opener, buf: str, at: int) -> bool:
        """Let the opener at this index be text if another ``<`` is next in its tag."""
        behind = at + len(opener.word)
        chars = self._limits.open_tag_chars
        stop = min(len(buf), at + chars)
        first = first_stop(buf, behind, stop)
        self._looked += first - behind
        if first < stop and buf[first] == "<":
            self._dead_to = self._base + first
            self._markdown.pass_dead_angle()
            return True
        self._tags = OpenTags(
            self._dialect.tags,
            opener=opener,
            start=self._base + at,
            read=first - behind,
            max_chars=chars,
        )
        return False

    @property
    def _may_be_usual(self) -> bool:
        """Whether nothing may hide the tag at this place, which begins its line.

        Nor has its text been read already: for an earlier tag, or as that of a fence.
        """
        return (
            self._recovered is None
            and not self._knows_tag(self._at)
            and not self._markdown.may_hide(runs=True)
        )

    def _begin_usual(self, opener: Opener) -> None:
        self._opener = opener
        self._usual = UsualTag(len(opener.word))
        self._state = self._read_usual

    def _read_usual(self) -> bool:
        usual, buf, at, limits = self._usual, self._buf, self._at, self._limits
        assert usual is not None  # noqa: S101 - set with the state
        stop, most = len(buf), at + limits.open_tag_chars
        looked = usual.looked
        is_usual = usual.read(buf, at, min(stop, most))
        if is_usual:
            self._attributes, self._left_out = usual.attributes(buf, at), 0
            is_usual = len(self._attributes) <= limits.attributes
        self._looked += usual.looked - looked
        if is_usual is None and stop <= most and not self._final:
            return False
        self._usual = None
        if is_usual:
            self._tag_end = self._start + usual.read_to
            self._take_at_once()
        else:
            self._read_closely()
        return True

    def _read_closely(self) -> None:
        """Read the tag at this place in the way that any tag can be read."""
        if self._passes_dead(self._known_opener, self._buf, self._at):
            self._at += 1
            self._state = self._read_text
        else:
            self._state = self._read_tag

    def _take_at_once(self) -> None:
        """Take an artifact's tag that begins its line and that nothing may hide."""
        self._was_watched = False
        self._looked += 1  # its mark, which the Markdown reader counts where it is text
        self._take_artifact()

    def _open_artifact_tag(self, opener: Opener) -> None:
        at = self._at
        self._opener = opener
        self._start = self._base + at
        if self._is_undecidable(at):
            self._diagnose(
                "undecided-open-tag",
                "warning",
                (self._start, self._start + len(opener.word)),
                "Something in front of it was left open (a backtick, a tag, an embed),"
                " so this tag in the middle of a line is shown as text.",
            )
            self._pass_opener()
        elif self._knows_tag(at):
            self._state = self._read_tag
        else:
            self._read_closely()

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
        self._pass_opener()
        return True

    def _diagnose_fault(self, fault: TagFault | None) -> None:
        span = (self._start, self._start + len(self._word))
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
        outside = self._read_attributes()
        if self._begins_line and not self._markdown.may_hide(runs=True):
            self._take_at_once()
            return
        fit = None
        named = "identifier" in self._attributes or "type" in self._attributes
        if not self._begins_line and not outside.endswith("/"):
            fit = Fit(
                self._attributes,
                word=self._word,
                at=self._tag_end,
                is_hasty=self._was_sought(self._start),
            )
        runs = not (self._begins_line and named)
        self._hold(self._take_artifact, fit=fit, runs=runs)

    def _read_attributes(self) -> str:
        """Read the attributes of the complete tag; return what is outside quotes."""
        tags = self._tags
        assert tags is not None  # noqa: S101 - set with the state
        outside, values = tags.parts(self._start, self._buf, self._base)
        self._looked += len(outside)
        self._attributes, self._left_out = read_attributes(
            outside, values, max_count=self._limits.attributes
        )
        return outside

    def _tell_left_out(self, count: int, span: Span) -> None:
        """Diagnose that so many attributes of a real tag are left out."""
        if count:
            self._diagnose(
                "too-many-attributes",
                "warning",
                span,
                f"A tag may have {self._limits.attributes} attributes;"
                f" left out of this one: {count}.",
            )

    def _hold(
        self, on_real: Callable[[], None], *, fit: BodyFit | None, runs: bool
    ) -> None:
        """Do `on_real` as soon as it is certain that the candidate is what it seems.

        `runs`: code spans may hide it; `fit` judges by what is behind `_tag_end`.
        """
        self._on_real = on_real
        self._fit = fit
        self._is_watched = self._may_hold and self._markdown.may_hide(runs=runs)
        if self._is_watched:
            self._markdown.watch(runs=runs)
            self._pass_mark()
            self._at += 1
        if fit is None and not self._is_watched:
            self._take_candidate()
        else:
            self._state = self._read_candidate

    @property
    def _may_hold(self) -> bool:
        """Whether text may be held for this tag: it would be the first time.

        What is no artifact does not stop the look at one's body in front of it, which
        is a first time too.
        """
        is_artifact = self._on_real == self._take_artifact
        read_to = self._held_to if is_artifact else max(self._held_to, self._fitted_to)
        return (
            self._recovered is None
            and self._start >= read_to
            and not self._was_sought(self._start)
        )

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
            self._take_candidate()
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
            self._take_candidate()
        else:
            self._let_be_text()

    def _end_fit(self) -> None:
        if isinstance(self._fit, Fit):
            self._fitted_to = self._fit.at
            if self._markdown.verdict == "code":
                # how far it read on is up to the pieces
                self._fitted_to = min(self._fitted_to, self._base + self._at)
        self._fit = None

    def _let_be_text(self) -> None:
        self._literal_to = self._tag_end
        self._markdown.note_tag()
        self._end_fit()
        if self._is_watched:
            self._markdown.unwatch()
            self._is_watched = False
            self._state = self._read_text
        else:
            self._pass_opener()

    def _pass_opener(self) -> None:
        """Let the opener at this place be text."""
        self._pass_mark()
        self._at += 1
        self._state = self._read_text

    def _pass_mark(self) -> None:
        mark = self._buf[self._at]
        if mark == "<":
            self._markdown.pass_named_angle()
        else:
            self._markdown.pass_mark(mark)

    def _take_candidate(self) -> None:
        self._markdown.unwatch()
        self._was_watched = self._is_watched
        if self._is_watched:
            self._held_to = max(self._held_to, self._base + self._at)
            self._is_watched = False
        self._end_fit()
        self._at = self._start - self._base
        self._looked += 1  # its mark, which the Markdown reader counts where it is text
        self._on_real()

    def _take_artifact(self) -> None:
        span = (self._start, self._tag_end)
        if self._left_out:
            self._tell_left_out(self._left_out, span)
        attributes = self._attributes
        finder = make_finder(
            attributes.get("type", ""),
            identifier=attributes.get("identifier", ""),
            name=self._word[1:],
        )
        self._start_artifact(attributes, span, finder=finder)
