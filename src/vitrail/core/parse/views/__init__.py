"""Views of a message's segments: stripped, split, summarised, displayed.

A message is parsed once (`read_segments`, or the parts that are stored); each
view is another way to put its segments together, and none reads it again.
"""

from vitrail.core.parse.views.display import display
from vitrail.core.parse.views.escape import escape_roles, quoted, shorten
from vitrail.core.parse.views.segments import (
    Segment,
    read_segments,
    segments_of_parts,
)
from vitrail.core.parse.views.split import LiveArtifact, SplitText, split_streaming
from vitrail.core.parse.views.strip import strip
from vitrail.core.parse.views.summarize import (
    Evidence,
    summarize_for_transcript,
    summary_line,
)

__all__ = [
    "Evidence",
    "LiveArtifact",
    "Segment",
    "SplitText",
    "display",
    "escape_roles",
    "quoted",
    "read_segments",
    "segments_of_parts",
    "shorten",
    "split_streaming",
    "strip",
    "summarize_for_transcript",
    "summary_line",
]
