"""What was mended in a form's JSON, in words: one diagnostic for each kind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from vitrail.core.parse.forms.json_tree import Repair, RepairKind
from vitrail.protocol.diagnostics import Diagnostic, Severity

__all__ = ["repair_diagnostics"]

_WORDS: Final[dict[RepairKind, str]] = {
    "bad-escape": "a backslash escapes what JSON does not escape",
    "code-fence": "a code fence stands around the JSON",
    "comment": "JSON has no comments",
    "control-character": "a line break or control character in a string is not escaped",
    "duplicate-key": "a key comes twice in one object; the last one counts",
    "extra-bracket": "a closing bracket closes nothing",
    "extra-comma": "a comma stands where a value should be",
    "inner-quote": "a quote inside a string is not escaped",
    "lone-surrogate": "half a character became U+FFFD",
    "missing-comma": "a comma is missing between two values",
    "missing-value": "a key has no value",
    "no-number": "a number is not finite; it became null",
    "odd-number": "a number is not written as JSON writes it",
    "odd-space": "white space that JSON does not know stands between values",
    "odd-word": "true, false or null is not written as JSON writes it",
    "single-quotes": "a string stands in single quotes",
    "smart-quotes": "a string stands in typographic quotes",
    "text-behind": "text behind the JSON is left out",
    "trailing-comma": "a comma stands before a closing bracket",
    "unclosed": "a bracket is not closed",
    "unquoted": "a key or text stands without quotes",
}


def repair_diagnostics(repairs: Iterable[Repair]) -> list[Diagnostic]:
    """Return one diagnostic for each kind of mending, with its first place.

    >>> repair_diagnostics([Repair("comment", (0, 4), count=2)])[0].message
    'JSON mended: JSON has no comments (2 times).'
    """
    return [
        Diagnostic("form-repaired", _severity(one.kind), _message(one), one.span)
        for one in repairs
    ]


def _severity(kind: RepairKind) -> Severity:
    return "info" if kind == "code-fence" else "warning"


def _message(repair: Repair) -> str:
    times = f" ({repair.count} times)" if repair.count > 1 else ""
    return f"JSON mended: {_WORDS[repair.kind]}{times}."
