"""An artifact's open tag, written from its attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["write_open_tag"]

_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", '"': "&quot;", "<": "&lt;", "\n": "&#10;", "\r": "&#13;"}
)


def write_open_tag(attributes: Mapping[str, str]) -> str:
    """Return the tag, on one line, which is read to the same attributes.

    >>> write_open_tag({"title": 'A "b"'})
    '<artifact title="A &quot;b&quot;">'
    """
    pairs = "".join(
        f' {name}="{value.translate(_ESCAPES)}"' for name, value in attributes.items()
    )
    return f"<artifact{pairs or ' '}>"
