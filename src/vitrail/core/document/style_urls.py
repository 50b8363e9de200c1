"""Addresses in a style sheet, by a CSS tokenizer: ``url(…)``, ``@import``, ``image-set``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import tinycss2

__all__ = ["style_addresses", "style_urls"]

_CAN_REFER: Final = re.compile(
    r"\.(?:od|tmp|live-artifacts|file-versions|vitrail)|\\|%[2-7][0-9a-f]",
    re.IGNORECASE,
)
"""What a style must hold to name a reserved folder: its name as it is, or an escape.

The tokenizer makes 0.7 MB a second of it; most styles have none of these.
"""

_URL_FUNCTIONS: Final = frozenset({"url", "src", "image-set", "-webkit-image-set"})


def style_urls(css: str) -> Iterator[str]:
    """Yield the addresses of a style sheet or a ``style`` attribute, decoded.

    Only of styles that can name a reserved folder at all.
    """
    if not _CAN_REFER.search(css):
        return
    yield from (node.value for node in style_addresses(css))


def style_addresses(css: str) -> Iterator[Any]:
    """Yield the tokens of a style that are addresses; those in blocks after those around.

    Each has its decoded ``value``, its ``type`` (``url`` or ``string``) and the
    line and column, from 1, where it begins.
    """
    # a stack of what is still to be walked, so that depth costs nothing
    waiting: list[tuple[list[Any], bool]] = [
        (tinycss2.parse_component_value_list(css, skip_comments=True), False)
    ]
    while waiting:
        nodes, strings_count = waiting.pop()
        importing = False
        for node in nodes:
            match node.type:
                case "url":
                    yield node
                case "string" if strings_count or importing:
                    yield node
                case "function":
                    is_url = node.lower_name in _URL_FUNCTIONS
                    waiting.append((node.arguments, is_url))
                case "{} block" | "[] block" | "() block":
                    waiting.append((node.content, strings_count))
                case _:
                    pass
            if node.type != "whitespace":
                importing = node.type == "at-keyword" and node.lower_value == "import"
