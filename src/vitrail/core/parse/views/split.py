"""A message that still streams: what is said, and what is being made (§4.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vitrail.core.parse.join import join_events
from vitrail.core.parse.parser import StreamParser
from vitrail.core.parse.views.segments import Segment, cut_spans, taken_out
from vitrail.core.text import TAG_SPACE, clean_surrogates

__all__ = ["LiveArtifact", "SplitText", "split_streaming"]

_BLANK: Final = "".join(sorted(TAG_SPACE))
_OPENER: Final = "<artifact"


@dataclass(frozen=True, slots=True)
class LiveArtifact:
    """An artifact that is being written."""

    artifact_type: str = ""
    title: str = ""
    identifier: str = ""
    content: str = ""
    """Its body so far; nothing that may be the beginning of its close tag."""


@dataclass(frozen=True, slots=True)
class SplitText:
    """A message that still streams, split."""

    head: str
    """Everything but the live artifacts; those that ended stay as written."""
    live: tuple[LiveArtifact, ...]


def split_streaming(text: str, *, dialect: str = "tag") -> SplitText:
    r"""Return what is said so far, and the artifacts that are being written.

    An artifact of a type that is neither HTML nor text is not shown while it
    is written. One whose open tag is not complete is there, but empty.

    >>> split_streaming("Now:\n<artifact identifier='a' title='A'><p>Hi").live[0].content
    '<p>Hi'
    """
    text = clean_surrogates(text)
    parser = StreamParser(dialect=dialect)
    events = join_events(parser.feed(text))
    told = len(text) - parser.held
    segments = cut_spans(text[:told], taken_out(events, text))
    live = [_live(segment) for segment in segments if _is_live(segment)]
    rest = text[told:]
    if _begins_artifact(text, told):
        live.append(LiveArtifact())
        rest = ""
    elif segments and segments[-1].kind == "artifact" and _is_live(segments[-1]):
        rest = ""  # it may close the artifact
    if not live:
        return SplitText(text, ())
    kept = "".join(segment.raw for segment in segments if not _is_live(segment))
    return SplitText((kept + rest).rstrip(_BLANK), tuple(live))


def _is_live(segment: Segment) -> bool:
    if segment.kind != "artifact" or segment.is_complete or segment.recovered:
        return False
    kind = segment.artifact_type.lower()
    return not kind or "html" in kind or "text/" in kind


def _live(segment: Segment) -> LiveArtifact:
    return LiveArtifact(
        segment.artifact_type, segment.title, segment.identifier, segment.body
    )


def _begins_artifact(text: str, told: int) -> bool:
    """Whether what is held back begins its line, and is an artifact's open tag."""
    behind = told + len(_OPENER)
    if not text.startswith(_OPENER, told) or text[behind : behind + 1] not in TAG_SPACE:
        return False
    line = max(text.rfind("\n", 0, told), text.rfind("\r", 0, told)) + 1
    return not text[line:told].strip(_BLANK) and behind < len(text)
