"""Functions and classes that a program declares, in any of the common languages.

Strategy: one pattern finds what declares a name; one pass over the text pairs
its brackets, strings and comments left out, so that the place of a function is
known up to its last brace. No grammar is read: a name is told, not run.
"""

from __future__ import annotations

import re
from typing import Final

from vitrail.core.commit.thing import Thing

__all__ = ["functions_in"]

_NAME: Final = r"[^\W\d][\w$]*+"
_DECLARATION: Final = re.compile(
    rf"""
      \b(?:async[ \t]++)?+function\b\s*+\*?+\s*+(?P<function>(?:\$|{_NAME})[\w$]*+)
    | \b(?:class|def|func|fn|fun|sub)[ \t]++(?:\([^()\n]{{0,200}}\)[ \t]*+)?+(?P<other>{_NAME})
    | \b(?:const|let|var)\s++(?P<variable>(?:\$|{_NAME})[\w$]*+)\s*+=\s*+(?:async\b\s*+)?+
      (?:function\b|(?P<arrow>\()|{_NAME}\s*+=>)
    """,
    re.VERBOSE,
)
_ARROW: Final = re.compile(r"\s*+(?::[^=\n]{0,200}+)?=>")
_TOKEN: Final = re.compile(
    r"""
      "(?:[^"\\\n]|\\.)*+(?:"|\n|\Z)
    | '(?:[^'\\\n]|\\.)*+(?:'|\n|\Z)
    | `(?:[^`\\]|\\.)*+(?:`|\Z)
    | //[^\n]*+
    | /\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)
    | (?P<bracket>[(){}\[\]])
    """,
    re.VERBOSE | re.DOTALL,
)
_CLOSING: Final = {")": "(", "}": "{", "]": "["}
_SPACE: Final = re.compile(r"\s*+")
_REACH: Final = 200
"""Characters between a function's parameters and its body: what it returns, say."""


def functions_in(text: str, starts_at: int = 0) -> tuple[Thing, ...]:
    r"""Return the functions and classes of a program, in its order.

    ``starts_at`` is where the text stands in the one that spans count in.

    >>> [thing.name for thing in functions_in("function a() {}\nconst b = (x) => x")]
    ['a', 'b']
    """
    found: list[Thing] = []
    pairs: dict[int, int] | None = None
    for match in _DECLARATION.finditer(text):
        if pairs is None:
            pairs = _pairs(text)
        name = match["function"] or match["other"] or match["variable"]
        at = match.end()
        if match["arrow"] is not None:
            at = pairs.get(match.start("arrow"), len(text) - 1) + 1
            if _ARROW.match(text, at) is None:
                continue
        end = _end(text, at, pairs)
        span = (starts_at + match.start(), starts_at + end)
        found.append(Thing("function", name, name, span))
    return tuple(found)


def _pairs(text: str) -> dict[int, int]:
    """Return where each bracket is closed."""
    pairs: dict[int, int] = {}
    waiting: list[int] = []
    for match in _TOKEN.finditer(text):
        bracket = match["bracket"]
        if bracket is None:
            continue
        at = match.start()
        opener = _CLOSING.get(bracket)
        if opener is None:
            waiting.append(at)
        elif waiting and text[waiting[-1]] == opener:
            pairs[waiting.pop()] = at
    return pairs


def _end(text: str, at: int, pairs: dict[int, int]) -> int:
    """Return where a declaration ends whose head goes up to ``at``."""
    found = _SPACE.match(text, at)
    start = found.end() if found else at
    if text.startswith("(", start) and start in pairs:
        at = pairs[start] + 1
    # no further: a program may be one line
    limit = min(at + _REACH, len(text))
    line = text.find("\n", at, limit)
    line = limit if line < 0 else line
    brace = text.find("{", at, min(line + 1, limit))
    if brace in pairs:
        return pairs[brace] + 1
    return line
