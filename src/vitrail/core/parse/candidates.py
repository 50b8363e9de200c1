"""Open tags of artifacts: where one ends, and whether it is one.

A complete tag that begins its line is real at once, unless block code hides
it. One in the middle of a line waits for what `Fit` says of its body; one that
something open in its paragraph may yet hide (a code span, a comment) waits for
what `Markdown` says when that closes or the paragraph ends. What waits longer
than the limit is real; so is what would be the fifth to wait for the same text,
for what was held in vain is read again.
"""

from __future__ import annotations

from typing import Final

from vitrail.core.parse.fit import Fit
from vitrail.core.parse.open_tags import OpenTags, TagFault, first_stop, read_attributes
from vitrail.core.parse.reading import ParserLimits
from vitrail.core.parse.sections import Sections

__all__ = ["ARTIFACT", "Candidates"]

ARTIFACT: Final = "<artifact"
"""How an artifact's open tag begins; white space follows."""

_MAX_HOLDS: Final = 3
"""How often text that was held for one tag may be held again for later ones."""

_FAULTS: Final[dict[TagFault, str]] = {
    "angle": "another tag begins inside it",
    "blank-line": "a blank line comes before its end",
    "too-long": "it is longer than an open tag may be",
}


class Candidates(Sections):
    """The states that read an open tag and what decides about it."""

    def __init__(self, parser_limits: ParserLimits) -> None:
        super().__init__(parser_limits)
        self._tags: OpenTags | None = None
        self._start = 0  # place of the candidate's "<"
        self._tag_end = 0  # place behind its ">"
        self._attributes: dict[str, str] = {}
        self._begins_line = False
        self._fit: Fit | None = None
        self._is_watched = False
        self._held_to = 0  # place up to which text was held for a tag that was real
        self._holds = 0  # times that some of it was held again
        self._read_again = 0  # characters of such text

    def _shift(self, chars: int) -> None:
        super()._shift(chars)
        if self._fit is not None:
            self._fit.shift(chars)

    def _begin_text(self) -> None:
        super()._begin_text()
        self._tags = None

    def _knows_tag(self, index: int) -> bool:
        """Whether the tag that begins at this index was met in an earlier one."""
        return self._tags is not None and self._tags.knows(self._base + index)

    def _is_no_tag(self, index: int) -> bool:
        """Whether the ``<`` at this index was compared in an earlier tag, in vain."""
        tags, place = self._tags, self._base + index
        return tags is not None and tags.covers(place) and not tags.knows(place)

    def _passes_dead(self, buf: str, at: int) -> bool:
        """Let the opener at this index be text if another ``<`` is next in its tag."""
        behind = at + len(ARTIFACT)
        chars = self._limits.open_tag_chars
        stop = min(len(buf), at + chars)
        first = first_stop(buf, behind, stop)
        self._looked += first - behind
        if first < stop and buf[first] == "<":
            self._markdown.pass_dead_angle()
            return True
        self._tags = OpenTags(
            opener=ARTIFACT,
            start=self._base + at,
            read=first - behind,
            max_chars=chars,
        )
        return False

    def _open_artifact_tag(self) -> None:
        self._start = self._base + self._at
        if not self._knows_tag(self._at) and self._passes_dead(self._buf, self._at):
            self._at += 1
            self._state = self._read_text
        else:
            self._state = self._read_tag

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
        span = (self._start, self._start + len(ARTIFACT))
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
        tags = self._tags
        assert tags is not None  # noqa: S101 - set with the state
        outside, values = tags.parts(self._start, self._buf, self._base)
        self._looked += len(outside)
        self._attributes = read_attributes(
            outside, values, max_count=self._limits.attributes
        )
        self._fit = None
        named = "identifier" in self._attributes or "type" in self._attributes
        if not self._begins_line and not outside.endswith("/"):
            self._fit = Fit(self._attributes, at=self._tag_end)
        runs = not (self._begins_line and named)
        self._is_watched = self._markdown.may_hide(runs=runs) and self._may_hold()
        if self._is_watched:
            self._markdown.watch(runs=runs)
            self._markdown.pass_angle()
            self._at += 1
        if self._fit is None and not self._is_watched:
            self._take_artifact()
        else:
            self._state = self._read_candidate

    def _may_hold(self) -> bool:
        """Whether text may be held for this tag, and take note that it is."""
        self._holds = self._holds + 1 if self._start < self._held_to else 0
        return self._holds <= _MAX_HOLDS

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
            self._take_artifact()
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
            self._take_artifact()
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

    def _take_artifact(self) -> None:
        self._markdown.unwatch()
        if self._is_watched:
            held_to = self._base + self._at
            self._read_again += max(held_to - self._tag_end, 0)
            self._held_to = max(self._held_to, held_to)
            self._is_watched = False
        self._fit = None
        self._at = self._start - self._base
        self._start_artifact(self._attributes, (self._start, self._tag_end))
