"""A message without its artifacts (spec/open-design-1 §4.1)."""

from __future__ import annotations

from collections.abc import Sequence

from vitrail.core.parse.views.segments import Segment, read_segments
from vitrail.core.text import TAG_SPACE

__all__ = ["strip"]

_BLANK = "".join(sorted(TAG_SPACE))


def strip(message: str | Sequence[Segment]) -> str:
    r"""Return the message without any whole artifact; all else stays as written.

    Artifacts that were cut stay, and so do documents that were recovered: what
    shows those is `display`. Where there is nothing to strip the message comes
    back as it is; else the result has no white space around it.

    >>> strip("Header.\n<artifact identifier='a'>b</artifact>\nFooter.")
    'Header.\n\nFooter.'
    """
    segments = read_segments(message) if isinstance(message, str) else message
    kept = [segment.raw for segment in segments if not _is_stripped(segment)]
    text = "".join(kept)
    return text if len(kept) == len(segments) else text.strip(_BLANK)


def _is_stripped(segment: Segment) -> bool:
    return (
        segment.kind == "artifact"
        and segment.is_complete
        and segment.recovered in (None, "unclosed-fence")
    )
