"""Slugs: a readable file name out of an identifier or a title, in any script."""

from __future__ import annotations

import unicodedata
from typing import Final

from vitrail.core.names import check_name
from vitrail.limits import MAX_SLUG_CHARS

__all__ = ["FALLBACK_SLUG", "slug_of"]

FALLBACK_SLUG: Final = "artifact"
"""Name of what has no letter or digit in its name (seed 003 §4.3)."""

_MAX_SLUG_BYTES: Final = 180
"""Leaves room in a 255-byte name for ``-N``, ``.draft``, the extension and the manifest's."""


def slug_of(text: str) -> str:
    """Return lower-case letters, digits, ``_`` and ``-`` of the text; never empty.

    Letters and digits of every script stay; all else becomes one ``-``.

    >>> slug_of("Landing Page!"), slug_of("図表"), slug_of("  …  ")
    ('landing-page', '図表', 'artifact')
    """
    composed = unicodedata.normalize("NFC", text).lower()
    joined: list[str] = []
    for char in unicodedata.normalize("NFC", composed):
        if char in "_-" or unicodedata.category(char)[0] in "LNM":
            joined.append(char)
        elif joined and joined[-1] != "-":
            joined.append("-")
    slug = _cut("".join(joined).strip("-"))
    if not slug:
        return FALLBACK_SLUG
    # a device's name, or marks with nothing to stand on
    if not check_name(slug).ok or unicodedata.category(slug[0])[0] == "M":
        return f"{FALLBACK_SLUG}-{slug}"
    return slug


def _cut(slug: str) -> str:
    cut = slug[:MAX_SLUG_CHARS]
    while len(cut.encode("utf-8", "replace")) > _MAX_SLUG_BYTES:
        cut = cut[:-1]
    # a letter keeps its marks, or goes with them
    following = slug[len(cut) : len(cut) + 1]
    if following and unicodedata.category(following)[0] == "M":
        while cut and unicodedata.category(cut[-1])[0] == "M":
            cut = cut[:-1]
        cut = cut[:-1]
    return cut.rstrip("-")
