"""Placeholders: words of a template that no finished work holds (seed 003 §5.2, gate 1).

Strategy: a placeholder blocks a page wherever it stands, so one that finished
work could hold would block good pages for ever. Each therefore comes with a
fixture: one passage before and after it was filled in. Both have to be the
same but for the placeholder, and no placeholder of the list may stand in any
fixture's finished passage. One that proves nothing is left out, and that is
told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from vitrail.core.validate.whitespace import BLANK
from vitrail.protocol.diagnostics import Diagnostic

__all__ = [
    "PLACEHOLDERS",
    "Placeholder",
    "declared_placeholders",
    "project_placeholders",
    "why_unproven",
]

_MIN_CHARS: Final = 4
"""Shortest declared placeholder; the shortest of the five has five characters."""

_MAX_CHARS: Final = 200
"""Longest declared placeholder; one line of a template."""

_MAX_FIXTURE_CHARS: Final = 2000
"""Longest passage of a fixture; a paragraph."""

_MAX_DECLARED: Final = 64
"""Placeholders of one project or manifest; each costs a search of the page."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """Words that block a page, with the proof that finished work has them nowhere."""

    text: str
    """Found as it is written: letter case counts."""
    unfinished: str
    """A passage with the placeholder in it, once."""
    finished: str
    """The same passage, filled in."""


PLACEHOLDERS: Final = (
    Placeholder(
        "Name to confirm",
        "Chief executive: Name to confirm, since 2024",
        "Chief executive: Maria Sommer, since 2024",
    ),
    Placeholder(
        "$X.XM",
        "We are raising $X.XM in this round",
        "We are raising $4.5M in this round",
    ),
    Placeholder(
        "Replace this panel with",
        "<p>Replace this panel with a chart of your revenue</p>",
        "<p>Since March, revenue grew by a third: a chart of your revenue</p>",
    ),
    Placeholder(
        "Replace role placeholders",
        "Team. Replace role placeholders before you share it.",
        "Team. Each role is named before you share it.",
    ),
    Placeholder(
        "Your form answer only said",
        "Your form answer only said “fintech”, so this is general.",
        "The answer said “fintech”, so this is general.",
    ),
)
"""The five strings of the reference's pitch template, in the order they are told in
(spec/open-design-1 §11); more general words would block good texts."""


def declared_placeholders(
    value: object,
) -> tuple[tuple[Placeholder, ...], tuple[Diagnostic, ...]]:
    """Return the placeholders that a project or a manifest declares, and what is wrong.

    ``value`` is the member ``placeholders`` of ``.vitrail/project.json`` or of a
    manifest's metadata, as JSON gives it: a list of ``{"text", "fixture":
    {"unfinished", "finished"}}``; None declares nothing. Only those that their
    fixture proves are returned, each once.

    >>> found, wrong = declared_placeholders([{
    ...     "text": "[Client]",
    ...     "fixture": {"unfinished": "For [Client], 2026", "finished": "For Acme, 2026"},
    ... }])
    >>> found[0].text, wrong
    ('[Client]', ())
    """
    if value is None:
        return (), ()
    if not isinstance(value, list):
        return (), (_told("placeholders is a list."),)
    wrong: list[Diagnostic] = []
    if len(value) > _MAX_DECLARED:
        wrong.append(
            _told(f"Only the first {_MAX_DECLARED} of {len(value)} placeholders count.")
        )
    read: dict[str, Placeholder] = {}
    for number, item in enumerate(value[:_MAX_DECLARED], start=1):
        found = _read(item)
        if isinstance(found, Placeholder):
            read.setdefault(found.text, found)
        else:
            wrong.append(_told(f"Placeholder {number} {found}"))
    proven, unproven = _proven(tuple(read.values()))
    return proven, (*wrong, *unproven)


def project_placeholders(
    raw: bytes | None,
) -> tuple[tuple[Placeholder, ...], tuple[Diagnostic, ...]]:
    """Return what ``.vitrail/project.json`` declares; None is no such file.

    Other members of the file are somebody else's.
    """
    if raw is None:
        return (), ()
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return (), (_told("The project's .vitrail/project.json is no valid JSON."),)
    if not isinstance(value, Mapping):
        return (), (_told("The project's .vitrail/project.json is no JSON object."),)
    return declared_placeholders(value.get("placeholders"))


def why_unproven(
    placeholder: Placeholder, others: tuple[Placeholder, ...] = ()
) -> str | None:
    """Return why the fixture proves nothing, to follow the placeholder's name; or None.

    ``others`` are those it is declared beside: it may not stand in their
    finished passages either.
    """
    before, found, after = placeholder.unfinished.partition(placeholder.text)
    if not found or placeholder.text in after:
        return "stands in its fixture's unfinished passage once, and it does not."
    finished = placeholder.finished
    filled = finished[len(before) : len(finished) - len(after)]
    is_same = finished.startswith(before) and finished.endswith(after)
    if not is_same or not filled.strip(BLANK):
        return (
            "has a finished passage that is its unfinished one with other words in "
            "the placeholder's place, and it is not."
        )
    if any(placeholder.text in other.finished for other in (placeholder, *others)):
        return "may stand in no finished passage, and it does."
    return None


def _proven(
    read: tuple[Placeholder, ...],
) -> tuple[tuple[Placeholder, ...], tuple[Diagnostic, ...]]:
    proven: list[Placeholder] = []
    unproven: list[Diagnostic] = []
    for placeholder in read:
        why = why_unproven(placeholder, (*PLACEHOLDERS, *read))
        if why is None:
            proven.append(placeholder)
        else:
            unproven.append(_told(f"The placeholder {placeholder.text!r} {why}"))
    return tuple(proven), tuple(unproven)


def _read(item: object) -> Placeholder | str:
    """Return the placeholder that JSON says, or what it has to be instead."""
    if not isinstance(item, Mapping):
        return 'is an object {"text", "fixture"}.'
    text = _passage(item, "text", _MAX_CHARS)
    if text is None or not text.isprintable() or len(text.strip(BLANK)) < _MIN_CHARS:
        return f"has a text of one line, {_MIN_CHARS} to {_MAX_CHARS} characters."
    fixture = item.get("fixture")
    shown: Mapping[str, Any] = fixture if isinstance(fixture, Mapping) else {}
    unfinished = _passage(shown, "unfinished", _MAX_FIXTURE_CHARS)
    finished = _passage(shown, "finished", _MAX_FIXTURE_CHARS)
    if unfinished is None or finished is None:
        return (
            'has a fixture {"unfinished", "finished"}: a passage with it, and the same '
            f"filled in, at most {_MAX_FIXTURE_CHARS} characters each."
        )
    return Placeholder(text, unfinished, finished)


def _passage(item: Mapping[str, Any], key: str, max_chars: int) -> str | None:
    value = item.get(key)
    if not isinstance(value, str) or not value.strip(BLANK) or len(value) > max_chars:
        return None
    if any("\ud800" <= char <= "\udfff" for char in value):
        return None
    return value


def _told(message: str) -> Diagnostic:
    return Diagnostic("placeholder-unproven", "warning", message)
