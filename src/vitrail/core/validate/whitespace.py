"""What counts as white space at the ends of a body."""

from __future__ import annotations

from typing import Final

__all__ = ["BLANK"]

BLANK: Final = (
    "\ufeff \t\n\v\f\r\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007"
    "\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""White space as ECMAScript trims it, the byte order mark included
(spec/open-design-1 §0: ``str.strip()`` strips another set)."""
