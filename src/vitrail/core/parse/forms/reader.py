"""The body of one question form, as it comes and when it is whole.

Strategy: `JsonReader` reads each character once. Questions that are closed are
made once and kept; only the open one is made anew when somebody looks. `feed`
answers True for every question that comes into sight or is closed, and for
other changes when what came since is a sixteenth of what has come: so all that
is shown of a form is linear in its length, whatever the pieces.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from vitrail.core.parse.forms.questions import Partial, QuestionList, trimmed
from vitrail.core.parse.forms.repairs import repair_diagnostics
from vitrail.core.parse.forms.tolerant_json import JsonReader
from vitrail.limits import MAX_FORM_ID_CHARS, MAX_FORM_TEXT_CHARS
from vitrail.protocol.diagnostics import Diagnostic

__all__ = ["FormReader", "FormResult", "RefusalReason", "normalise_form"]

RefusalReason: TypeAlias = Literal[
    "empty-body", "invalid-json", "unsupported-payload", "empty-questions"
]
"""Why a body is no form."""

_DEFAULT_ID: Final = "discovery"
_DEFAULT_TITLE: Final = "A few questions"
_LANGUAGE: Final = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,8}")
_STEP: Final = 16
"""A change is worth showing at this fraction of what has come."""

_REFUSALS: Final[dict[str, tuple[str, str]]] = {
    "empty-body": ("form-empty-body", "The form has no body."),
    "invalid-json": (
        "form-invalid-json",
        "The form is no JSON that can be read: from here on it makes no sense.",
    ),
    "unsupported-payload": (
        "form-unsupported-payload",
        "A form is a JSON object with an array `questions`, or such an array.",
    ),
    "empty-questions": ("form-empty-questions", "The form has no question."),
}


@dataclass(frozen=True, slots=True)
class FormResult:
    """What a body became."""

    form: dict[str, Any]
    """The form with the names of the wire. Of a body that is none: ``raw`` and
    ``reason``, and what had been shown of it."""
    ok: bool
    reason: RefusalReason | None
    diagnostics: tuple[Diagnostic, ...]
    """What was mended, dropped or refused; spans are in the body."""


class FormReader:
    r"""Reads the body of one question form as it comes.

    >>> reader = FormReader({"id": "brief"})
    >>> reader.feed('{"questions": [{"id": "size", "label": "How bi')
    True
    >>> reader.form["questions"]
    [{'id': 'size', 'label': 'How bi'}]
    >>> reader.feed('g?"}]}')
    True
    >>> reader.close().form["questions"]
    [{'id': 'size', 'label': 'How big?', 'type': 'text'}]
    """

    def __init__(self, attributes: Mapping[str, str]) -> None:
        """Begin; `attributes` are the open tag's, decoded."""
        self._given = _given(attributes)
        self._json = JsonReader()
        self._body: list[str] = []
        self._list = QuestionList()
        self._raw: list[Any] | None = None
        self._next = 0
        self._chars = 0
        self._told_chars = 0
        self._told_marks = 0
        self._told: dict[str, Any] = self.form

    @property
    def looked(self) -> int:
        """Characters looked at, ever."""
        return self._json.looked

    @property
    def in_string(self) -> bool:
        """Whether the place is inside a JSON string of the body."""
        return self._json.in_string

    @property
    def is_whole(self) -> bool:
        """Whether the JSON has been closed; what comes behind it does not count."""
        return self._json.is_whole

    @property
    def has_failed(self) -> bool:
        """Whether the JSON makes no sense already, whatever comes."""
        return self._json.fault is not None

    def feed(self, text: str) -> bool:
        """Take the next text of the body; True if there is something new to show."""
        self._body.append(text)
        self._chars += len(text)
        self._json.feed(text)
        self._collect()
        marks = self._marks()
        unseen = self._chars - self._told_chars
        if marks == self._told_marks and unseen * _STEP < self._chars:
            return False
        self._told_chars, self._told_marks = self._chars, marks
        form = self.form
        if form == self._told:
            return False
        self._told = form
        return True

    @property
    def form(self) -> dict[str, Any]:
        """What may be shown so far. Take it as frozen: its parts are shared."""
        root = self._json.root
        growing = self._json.growing
        known = Partial(self._json.is_open, growing)
        form = dict(self._given)
        if isinstance(root, dict):
            form |= _body_fields(root, known, self._given)
        if self._json.is_whole or isinstance(root, list):
            form.setdefault("id", _DEFAULT_ID)
            form.setdefault("title", _DEFAULT_TITLE)
        questions = list(self._list.questions)
        last = self._raw[-1] if self._raw else None
        if isinstance(last, dict) and self._json.is_open(last):
            question = self._list.peek(last, known)
            if question is not None:
                questions.append(question)
        form["questions"] = questions
        return form

    def close(self) -> FormResult:
        """Take note that the body ends here."""
        shown = self.form
        self._json.close()
        self._collect()
        found = [*repair_diagnostics(self._json.repairs), *self._list.diagnostics]
        found.sort(key=lambda one: (one.span is None, one.span or (0, 0)))
        fault = self._json.fault
        reason = self._reason()
        if reason is None:
            return FormResult(self.form, ok=True, reason=None, diagnostics=tuple(found))
        code, words = _REFUSALS[reason]
        place = fault.place if fault else 0
        span = (min(place, self._chars), min(place + 1, self._chars))
        found.append(Diagnostic(code, "error", words, span))
        form = {**shown, "raw": "".join(self._body), "reason": reason}
        return FormResult(form, ok=False, reason=reason, diagnostics=tuple(found))

    def _reason(self) -> RefusalReason | None:
        fault = self._json.fault
        if fault is not None:
            match fault.kind:
                case "empty":
                    return "empty-body"
                case "too-deep":
                    return "unsupported-payload"
                case _:
                    return "invalid-json"
        if self._raw is None:
            return "unsupported-payload"
        return None if self._list.questions else "empty-questions"

    def _collect(self) -> None:
        """Make every question that has been closed since."""
        root = self._json.root
        raw = root.get("questions") if isinstance(root, dict) else root
        if raw is not self._raw:
            # a second `questions` replaces the first one
            self._raw = raw if isinstance(raw, list) else None
            self._list = QuestionList()
            self._next = 0
        if self._raw is None:
            return
        count = len(self._raw)
        if count > self._next and self._json.is_open(self._raw[-1]):
            count -= 1
        for index in range(self._next, count):
            item = self._raw[index]
            self._list.add(item, index, self._json.span_of(self._raw, index))
        self._next = count

    def _marks(self) -> int:
        """Count what is shown at once: questions that are in sight or closed."""
        closed = 2 * len(self._list.questions)
        last = self._raw[-1] if self._raw else None
        if isinstance(last, dict) and self._json.is_open(last):
            growing = self._json.growing
            has_label = "label" in last or "prompt" in last
            grows = growing is not None and growing[0] is last
            return closed + ("id" in last and (has_label or grows))
        return closed


def normalise_form(
    payload: object, attributes: Mapping[str, str] | None = None
) -> FormResult:
    """Return the form that a payload of JSON values is, by the rules of `FormReader`.

    >>> normalise_form([{"prompt": "How big?"}]).form["questions"]
    [{'id': 'q1', 'label': 'How big?', 'type': 'text'}]
    """
    given = _given(attributes or {})
    raw = payload.get("questions") if isinstance(payload, dict) else payload
    known = Partial(is_open=lambda _: False)
    form = dict(given)
    if isinstance(payload, dict):
        form |= _body_fields(payload, known, given)
    form.setdefault("id", _DEFAULT_ID)
    form.setdefault("title", _DEFAULT_TITLE)
    listed = QuestionList()
    for index, item in enumerate(raw if isinstance(raw, list) else ()):
        listed.add(item, index)
    form["questions"] = listed.questions
    found = listed.diagnostics
    if listed.questions:
        return FormResult(form, ok=True, reason=None, diagnostics=found)
    reason: RefusalReason = (
        "empty-questions" if isinstance(raw, list) else "unsupported-payload"
    )
    code, words = _REFUSALS[reason]
    refusal = Diagnostic(code, "error", words)
    return FormResult(
        {**form, "reason": reason},
        ok=False,
        reason=reason,
        diagnostics=(*found, refusal),
    )


def _given(attributes: Mapping[str, str]) -> dict[str, Any]:
    """Return what the open tag says of the form; blank attributes say nothing."""
    given: dict[str, Any] = {}
    if name := trimmed(attributes.get("id"))[:MAX_FORM_ID_CHARS]:
        given["id"] = name
    if title := trimmed(attributes.get("title"))[:MAX_FORM_TEXT_CHARS]:
        given["title"] = title
    return given


def _body_fields(
    root: Mapping[str, Any], known: Partial, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the fields of the form that its body says."""
    fields: dict[str, Any] = {}
    if "id" not in given and (name := trimmed(root.get("id"))[:MAX_FORM_ID_CHARS]):
        fields["id"] = name
    for key in ("title", "description", "submitLabel"):
        if key not in given and (text := known.text(root, key)):
            fields[key] = text
    language = trimmed(root.get("lang"))
    if _LANGUAGE.fullmatch(language):
        fields["lang"] = language
    return fields
