"""docs/specification.md: its tables are those of the source, and its limits are the limits."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from vitrail import limits
from vitrail.core.parse.dialects import DIALECTS
from vitrail.core.parse.forms.reader import _REFUSALS
from vitrail.protocol.events import PARSE_EVENTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/specification.md").read_text(encoding="utf-8")
SOURCE = ROOT / "src/vitrail/core/parse"
NO_TEXT = {"answers.py", "validation.py", "continued.py"}
"""Answers to forms, and replies put together: they read no text of a model."""
TELLERS = {
    "Diagnostic", "DiagnosticFound", "LineFault", "WireNote", "_diagnose", "_note",
    "_give_form_back", "_refused", "diagnose",
}  # fmt: skip
CODE = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)+")
SEVERITIES = ("info", "warning", "error")


def told() -> Iterator[tuple[str, str | None]]:
    """Yield each code in the source, with its severity where that is written there."""
    for path in sorted(SOURCE.rglob("*.py")):
        if path.name in NO_TEXT:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            func = node.func
            name = func.id if isinstance(func, ast.Name) else getattr(func, "attr", "")
            words = [word for arg in node.args for word in constants(arg)]
            if name in TELLERS:
                severity = next((word for word in words if word in SEVERITIES), None)
                yield from ((w, severity) for w in words if CODE.fullmatch(w))


def constants(node: ast.expr) -> list[str]:
    """Return the strings that an argument may be."""
    match node:
        case ast.Constant(value=str() as word):
            return [word]
        case ast.IfExp():
            return [*constants(node.body), *constants(node.orelse)]
        case _:
            return []


def table() -> dict[str, list[str]]:
    rows = re.findall(r"^\| `([a-z0-9-]+)` \| ([a-z, ]+) \|", section(12), re.MULTILINE)
    codes = [code for code, _ in rows]
    assert len(codes) == len(set(codes))
    return {code: severities.split(", ") for code, severities in rows}


def section(number: int) -> str:
    return PAGE.partition(f"\n## {number}. ")[2].partition("\n## ")[0]


def test_the_table_of_codes_is_that_of_the_source():
    refusals = {code for code, _ in _REFUSALS.values()}
    assert set(table()) == {code for code, _ in told()} | refusals


def test_each_code_has_its_severity():
    rows = table()
    for code, severity in told():
        assert severity is None or severity in rows[code], code


def test_every_event_of_a_text_and_each_of_its_fields_is_named():
    said = section(2)
    for cls in PARSE_EVENTS:
        row = next(
            line
            for line in said.splitlines()
            if line.startswith(f"| `{cls.__struct_config__.tag}` |")
        )
        assert set(re.findall(r"`([a-zA-Z0-9]+)`", row)) >= set(
            cls.__struct_encode_fields__
        ), row


def test_every_dialect_has_a_row():
    for name in DIALECTS:
        assert f"| `{name}` |" in section(5)


def test_the_limits_are_the_limits():
    said = section(10)
    numbers = {int(n.replace(" ", "")) for n in re.findall(r"\d[\d ]*\d", said)}
    assert numbers >= {
        limits.MAX_OPEN_TAG_CHARS,
        limits.MAX_ATTRIBUTES_PER_TAG,
        limits.MAX_HELD_CHARS,
        limits.MAX_ARTIFACTS_PER_MESSAGE,
        limits.MAX_SUPPRESSED_CHARS,
        limits.MAX_FORM_CHARS,
        limits.MAX_DIRECTIVE_CHARS,
        limits.MAX_DIRECTIVE_VALUE_CHARS,
    }
    assert limits.MAX_BODY_CODE_POINTS == 16 * 2**20
    assert limits.MAX_RECOVERABLE_CHARS == 2 * 2**20
