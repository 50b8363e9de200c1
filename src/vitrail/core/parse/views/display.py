"""What is shown of a message whose document was saved (spec/open-design-1 §4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vitrail.core.parse.views.segments import Segment, read_segments
from vitrail.core.text import TAG_SPACE

__all__ = ["display"]

_BLANK: Final = "".join(sorted(TAG_SPACE))


def display(content: str, source: str | Sequence[Segment] | None = None) -> str:
    r"""Return the content without the document that was recovered from the message.

    ``source`` is the message as it was said, if ``content`` is not: what stood
    before a remark is known from there, and is cut out where it comes last.
    The stored message stays as it is; this is for showing only.

    >>> display("Just words.")
    'Just words.'
    """
    told = read_segments(content) if source is None else source
    segments = read_segments(told) if isinstance(told, str) else told
    before = [s for s in segments if s.recovered == "document-before-remark"]
    shown, found = content, False
    for segment in reversed(before):
        at = shown.rfind(segment.raw)
        if at >= 0:
            shown, found = shown[:at] + shown[at + len(segment.raw) :], True
    if found:
        return shown.strip(_BLANK)
    own = segments if source is None else read_segments(content)
    kept = [s.raw for s in own if s.recovered in (None, "unclosed-fence")]
    return content if len(kept) == len(own) else "".join(kept).strip(_BLANK)
