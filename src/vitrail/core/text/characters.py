"""Sets of characters that the rules speak of, each with its source."""

from __future__ import annotations

from typing import Final

__all__ = ["ASCII_PUNCTUATION", "LINE_BREAKS", "MAY_START_BLOCK", "TAG_SPACE"]

TAG_SPACE: Final = frozenset(
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""White space inside tags: ECMAScript's, so with U+FEFF and NBSP, without U+001C to
U+001F and U+0085 (spec/open-design-1 §0)."""

LINE_BREAKS: Final = frozenset("\n\r")
"""CommonMark 0.31.2 §2.1: LF, CR, and CR LF as one."""

ASCII_PUNCTUATION: Final = frozenset("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")
"""What a backslash may escape, CommonMark 0.31.2 §2.4."""

MAY_START_BLOCK: Final = frozenset("\n\r \t>#`~<-*+_=0123456789")
"""First characters of a line that need a look; any other is text."""
