"""String literals of a script, found by one pass over it.

Strategy: jump from one character that can begin a comment, a string or a
regular expression to the next. Whether a slash divides or begins a regular
expression is told from what stands before it, as editors do; where that is
wrong the scanner is back in step at the next line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

__all__ = ["string_literals"]

_NEXT: Final = re.compile(r"[\"'`/]")
_STRING_END: Final = {
    "'": re.compile(r"[\\'\r\n]"),
    '"': re.compile(r"[\\\"\r\n]"),
    "`": re.compile(r"[\\`]"),
}
_REGEX_STOP: Final = re.compile(r"[\\\[\]/\r\n]")
_ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_WORDS_BEFORE_REGEX: Final = ("return", "typeof", "case", "in", "of", "do", "else")
_BEFORE_LOOKBACK: Final = 64
"""Characters looked back at for what a slash is: white space and one word."""


def string_literals(script: str) -> Iterator[str]:
    """Yield the values of the string literals of a script, escapes decoded.

    A template's literal is given with its ``${…}`` as written.

    >>> list(string_literals("a = 'x'; // 'y'"))
    ['x']
    """
    at = 0
    while found := _NEXT.search(script, at):
        start = found.start()
        char = script[start]
        if char != "/":
            value, at = _string(script, start, char)
            yield value
        elif script.startswith("//", start):
            at = _after(script, "\n", start)
        elif script.startswith("/*", start):
            at = _after(script, "*/", start + 2)
        elif _begins_regex(script, start):
            at = _regex_end(script, start)
        else:
            at = start + 1


def _string(script: str, start: int, quote: str) -> tuple[str, int]:
    parts: list[str] = []
    at = start + 1
    while found := _STRING_END[quote].search(script, at):
        stop = found.start()
        parts.append(script[at:stop])
        if script[stop] != "\\":
            return "".join(parts), stop + 1
        char, at = _escape(script, stop)
        parts.append(char)
    parts.append(script[at:])
    return "".join(parts), len(script)


def _escape(script: str, at: int) -> tuple[str, int]:
    """Return what an escape stands for, and where it ends."""
    kind = script[at + 1 : at + 2]
    if kind == "x":
        return _code_point(script[at + 2 : at + 4], at + 4)
    if kind == "u" and script[at + 2 : at + 3] == "{":
        end = script.find("}", at, at + 12)
        return _code_point(script[at + 3 : end], end + 1) if end > 0 else ("", at + 2)
    if kind == "u":
        return _code_point(script[at + 2 : at + 6], at + 6)
    if kind in "\r\n":
        return "", at + 2
    return _ESCAPES.get(kind, kind), at + 2


def _code_point(digits: str, end: int) -> tuple[str, int]:
    try:
        return chr(int(digits, 16)), end
    except (ValueError, OverflowError):
        return "", end - len(digits)


def _begins_regex(script: str, slash: int) -> bool:
    before = script[max(0, slash - _BEFORE_LOOKBACK) : slash].rstrip()
    if not before or before[-1] in "(,=:[!&|?{};+-*%~^<>":
        return True
    return before.endswith(_WORDS_BEFORE_REGEX)


def _regex_end(script: str, slash: int) -> int:
    at = slash + 1
    in_class = False
    while found := _REGEX_STOP.search(script, at):
        at = found.end()
        match script[at - 1]:
            case "\\":
                at += 1
            case "[":
                in_class = True
            case "]":
                in_class = False
            case "/" if not in_class:
                return at
            case "\r" | "\n":
                # no regular expression goes over a line: it was a division, and
                # looking at this line again for each slash would be quadratic
                return at
            case _:
                pass
    return len(script)


def _after(script: str, end: str, start: int) -> int:
    found = script.find(end, start)
    return len(script) if found < 0 else found + len(end)
