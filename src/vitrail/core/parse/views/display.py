"""What is shown of a message whose document was saved (spec/open-design-1 §4.4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vitrail.core.parse.views.segments import Segment, read_segments
from vitrail.core.text import TAG_SPACE

__all__ = ["display"]

_BLANK: Final = "".join(sorted(TAG_SPACE))
_MAX_MISSED: Final = 8
"""Documents that the content does not hold, before no more are looked for."""


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
    cut = _cut_out(content, [segment.raw for segment in before])
    if cut is not None:
        return cut.strip(_BLANK)
    own = segments if source is None else read_segments(content)
    kept = [s.raw for s in own if s.recovered in (None, "unclosed-fence")]
    return content if len(kept) == len(own) else "".join(kept).strip(_BLANK)


def _cut_out(content: str, documents: Sequence[str]) -> str | None:
    """Return the content without the last of each document, or None if it has none.

    They are looked for from behind, each in front of the one before; turned around,
    since a search forward is linear whatever the text.
    """
    turned = content[::-1]
    kept: list[str] = []
    place = missed = 0
    for document in reversed(documents):
        at = turned.find(document[::-1], place)
        if at >= 0:
            kept.append(turned[place:at])
            place = at + len(document)
        else:
            missed += 1
        if missed > _MAX_MISSED:
            break
    if not place:
        return None
    return "".join([*kept, turned[place:]])[::-1]
