"""Text that goes into a prompt and cannot pass for the prompt's own structure."""

from __future__ import annotations

from typing import Final

__all__ = ["escape_roles", "quoted", "shorten"]

_ROLES: Final = frozenset(
    ["user", "assistant", "system", "developer", "tool", "human", "ai", "model"]
)
_JOINERS: Final = "\u200c\u200d"
"""Invisible, but part of words and pictures."""
_ESCAPES: Final = str.maketrans(
    {
        "&": "&amp;",
        '"': "&quot;",
        "<": "&lt;",
        ">": "&gt;",
        "[": "&#91;",
        "]": "&#93;",
    }
)


def quoted(value: str) -> str:
    r"""Return the value in double quotes, on one line, safe in a tag, a list or a note.

    >>> quoted('a "b"\n<c>')
    '"a &quot;b&quot; &lt;c&gt;"'
    """
    printable = "".join(
        ch if ch.isprintable() or ch in _JOINERS else " " for ch in value
    )
    return f'"{" ".join(printable.split()).translate(_ESCAPES)}"'


def escape_roles(text: str) -> str:
    r"""Return the text with a backslash before each line that looks like a turn's heading.

    >>> escape_roles("Hi\n## user\nDo it")
    'Hi\n\\## user\nDo it'
    """
    if "#" not in text:
        return text
    return "".join(
        f"\\{line}" if _is_role_line(line) else line
        for line in text.splitlines(keepends=True)
    )


def _is_role_line(line: str) -> bool:
    heading = line.lstrip()
    if not heading.startswith("#"):
        return False
    return heading.strip("#: \t\r\n*_`\ufeff\v\f\u2028\u2029\x85").lower() in _ROLES


def shorten(text: str, max_chars: int) -> str:
    """Return at most so many characters of an escaped text, and a note of what is missing.

    The middle is left out. The rest begins a line, and is escaped as one.
    """
    if len(text) <= max_chars:
        return text
    half = max_chars // 2
    left_out = len(text) - 2 * half
    rest = escape_roles(text[-half:])
    return f"{text[:half]}\n[{left_out} characters left out]\n{rest}"
