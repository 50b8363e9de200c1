"""Delivery directives, embeds, media lines, the silence token: readers and their results.

The readers (`BracketTag`, `MediaLine`, `SilenceToken`) are what the stream
parser asks where one may begin; each looks at a character once. The rest works
on the events that come of it.
"""

from vitrail.core.parse.directives.bracket_tags import BracketTag
from vitrail.core.parse.directives.embed_tags import BlockCloses
from vitrail.core.parse.directives.facts import (
    DirectiveFacts,
    EmbedFacts,
    MediaFacts,
    MediaPiece,
    SilenceFacts,
)
from vitrail.core.parse.directives.hosts import (
    address_fault,
    host_fault,
    remote_fault,
)
from vitrail.core.parse.directives.media_lines import MediaLine
from vitrail.core.parse.directives.silence import SILENCE_WORD, SilenceToken

__all__ = [
    "SILENCE_WORD",
    "BlockCloses",
    "BracketTag",
    "DirectiveFacts",
    "EmbedFacts",
    "MediaFacts",
    "MediaLine",
    "MediaPiece",
    "SilenceFacts",
    "SilenceToken",
    "address_fault",
    "host_fault",
    "remote_fault",
]
