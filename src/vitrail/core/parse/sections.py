"""What lies between two tags: an artifact's body, a section of reasoning.

Everything that opens is closed: a start is followed by one end, by its close
tag, at a limit, or at the end of the text.
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from vitrail.core.parse.body import Body
from vitrail.core.parse.close_tags import BodyFinder, CloseTag
from vitrail.core.parse.reading import ParserLimits, Reading
from vitrail.core.text import Marks
from vitrail.protocol.diagnostics import Span
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    EndReason,
    Event,
    Reasoning,
    Recovery,
)

__all__ = ["CloseReason", "Sections"]

CloseReason: TypeAlias = Literal["unclosed", "stopped", "failed"]
"""Why the text ends here: by itself, by a person's stop, by a failure."""

_NO_ANGLE: Final = re.compile(r"[^<]*+")


class _Artifact(Body):
    """The artifact whose body is being read."""

    __slots__ = ("finder", "start")

    def __init__(self, start: ArtifactStart, finder: BodyFinder) -> None:
        super().__init__()
        self.start = start
        self.finder = finder


class Sections(Reading):
    """The states that read a body or reasoning."""

    __slots__ = (
        "_artifact",
        "_artifacts",
        "_fitted_to",
        "_held_to",
        "_reasoning",
        "_recovered",
    )

    def __init__(self, parser_limits: ParserLimits, marks: Marks) -> None:
        super().__init__(parser_limits, marks)
        self._artifacts = 0  # started so far
        self._artifact: _Artifact | None = None
        self._reasoning: CloseTag | None = None
        self._recovered: Recovery | None = None
        self._held_to = 0  # place up to which text was held in vain
        self._fitted_to = 0  # place up to which a body was read for its open tag

    def _quick_pattern(self) -> re.Pattern[str] | None:
        if self._artifact is not None:
            return self._artifact.finder.quick_pattern()
        if self._reasoning is not None:
            return _NO_ANGLE
        if self._copy.fence < 0 and self._state == self._read_text:
            return self._markdown.quick_pattern()
        return None

    def _tell_quickly(self, text: str) -> list[Event]:
        """Tell a piece that holds nothing to stop at, the buffer being empty."""
        start = self._base
        self._base += len(text)
        if self._artifact is not None:
            artifact = self._artifact
            if artifact.length + len(text) > self._limits.body_chars:
                self._looked -= len(text)
                self._base, self._buf, self._at = start, text, 0
                return self._run()
            artifact.add(text)
            told = artifact.start
            return [ArtifactChunk(told.artifact, told.identifier, text)]
        return [Reasoning(text, (start, self._base))]

    # --- artifacts -----------------------------------------------------------------

    def _start_artifact(
        self,
        attributes: dict[str, str],
        span: Span,
        *,
        finder: BodyFinder,
    ) -> None:
        """Begin the artifact whose open tag has this span; `finder` finds its end."""
        if self._artifacts >= self._limits.artifacts:
            self._refuse_artifact(span)
            return
        closes_itself = self._buf.startswith("/>", span[1] - self._base - 2)
        start = ArtifactStart(
            self._artifacts,
            attributes.get("identifier", ""),
            attributes.get("type", ""),
            attributes.get("title", ""),
            attributes,
            self._recovered,
            span,
        )
        self._events.append(start)
        self._artifact = _Artifact(start, finder)
        self._artifacts += 1
        self._take_tag(span[1])
        self._state = self._read_body
        if closes_itself:
            self._diagnose(
                "self-closed-artifact",
                "warning",
                span,
                "This artifact closes itself, so it has no body.",
            )
            self._end_artifact("self-closed", (span[1], span[1]))

    def _refuse_artifact(self, span: Span) -> None:
        self._diagnose(
            "too-many-artifacts",
            "error",
            span,
            f"A message may hold {self._limits.artifacts} artifacts;"
            " this one is shown as text.",
        )
        # Read on behind the tag: as text of a new document it hides nothing.
        self._tell_text(span[1] - self._base)
        self._at = self._told
        self._begin_text()

    def _read_body(self) -> bool:
        artifact = self._artifact
        assert artifact is not None  # noqa: S101 - set with the state
        finder = artifact.finder
        looked = finder.looked
        if self._recovered is not None:
            finder.firm = len(self._buf)
        else:
            finder.firm = max(self._held_to, self._fitted_to) - self._base
        close = finder.find(self._buf, self._at, len(self._buf))
        self._at = finder.read
        if close < 0 and self._final and finder.kept is None:
            close = finder.finish()
        self._looked += finder.looked - looked
        if finder.kept is not None:
            if self._cuts_body(artifact, finder.kept[0]):
                return True
            self._tell_kept(finder.kept)
        start = finder.start
        holds = close >= 0 or (start >= 0 and not self._final)
        if self._cuts_body(artifact, start if holds else self._at):
            return True
        if close >= 0:
            self._end_at(finder, start, close)
            return True
        return self._at < len(self._buf)

    def _cuts_body(self, artifact: _Artifact, to: int) -> bool:
        """Tell the body up to this index, or as much as there may be."""
        chars = to - self._told
        room = self._limits.body_chars - artifact.length
        if chars > room:
            self._cut_body(artifact, room)
            return True
        if chars > 0:
            self._tell_body(artifact, to)
        return False

    def _tell_kept(self, span: tuple[int, int]) -> None:
        self._diagnose(
            "close-tag-kept",
            "info",
            (self._base + span[0], self._base + span[1]),
            "This close tag stands in a script that goes on behind it,"
            " so it is part of the artifact.",
        )

    def _end_at(self, finder: BodyFinder, start: int, end: int) -> None:
        """End the body at the close tag between these indexes."""
        span = (self._base + start, self._base + end)
        if finder.read > end:
            self._held_to = max(self._held_to, self._base + finder.read)
        if finder.in_code:
            self._diagnose(
                "close-tag-in-code",
                "warning",
                span,
                "This close tag stands in code, but nothing shows that the document"
                " goes on behind it, so it ended the artifact.",
            )
        self._told = self._at = end
        self._end_artifact("closed", span)

    def _tell_body(self, artifact: _Artifact, to: int) -> None:
        text = self._buf[self._told : to]
        artifact.add(text)
        start = artifact.start
        self._events.append(ArtifactChunk(start.artifact, start.identifier, text))
        self._told = to

    def _cut_body(self, artifact: _Artifact, room: int) -> None:
        if room:
            self._tell_body(artifact, self._told + room)
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
                artifact.start.artifact,
                artifact.start.identifier,
                reason == "closed",
                reason,
                artifact.length,
                artifact.sha256(),
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
