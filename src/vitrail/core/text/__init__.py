"""What is code in Markdown, line by line, and line endings: the only copy of that rule."""

from vitrail.core.text.calm import Marks
from vitrail.core.text.characters import LINE_BREAKS, TAG_SPACE
from vitrail.core.text.decode import SurrogateJoiner, Utf8Decoder, clean_surrogates
from vitrail.core.text.fenced import FencedText
from vitrail.core.text.lines import Leaf
from vitrail.core.text.markdown import Markdown

__all__ = [
    "LINE_BREAKS",
    "TAG_SPACE",
    "FencedText",
    "Leaf",
    "Markdown",
    "Marks",
    "SurrogateJoiner",
    "Utf8Decoder",
    "clean_surrogates",
]
