r"""Answers to a form: as values, as text that people read, and back.

Strategy: the text is the reference's, a line a question in the form's order::

    [form answers — brief]
    - Where does it run?: Mobile (iOS/Android) [value: mobile]
    - Tone: Calm, Warm
    - Notes: (skipped)

What such a line could be taken for something else by is written as a JSON
string, so that the text means exactly one set of answers. An answer is quoted
if it

* has a control character or a line break of any kind,
* begins with a double quote,
* is ``(skipped)``,
* has `` [value:`` in it, or
* is one of several and has ``, `` in it or ends with a comma; inside ``[value: …]`` also a ``]``.

Several answers to a question that takes one are quoted each. Labels are told
on one line; a question is known by its line's place among equal ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from vitrail.core.parse.forms.questions import trimmed

__all__ = [
    "Answers",
    "format_answers_block",
    "format_form_answers",
    "normalise_answers",
    "parse_form_answers",
    "takes_several",
]

Answers: TypeAlias = dict[str, str | list[str]]
"""By the question's id: a text, or texts where the question takes several."""

_SKIPPED: Final = "(skipped)"
_HEADER: Final = "[form answers"
_FILES: Final = "[uploaded design files]"
_VALUE: Final = " [value: "
_JOIN: Final = ", "
_UNSAFE: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_string = json.JSONDecoder()


def takes_several(question: Mapping[str, Any]) -> bool:
    """Whether a question is answered by a list.

    >>> takes_several({"type": "checkbox"}), takes_several({"type": "radio"})
    (True, False)
    """
    kind = question.get("type")
    return kind == "checkbox" or (kind == "file" and question.get("multiple") is True)


def normalise_answers(
    form: Mapping[str, Any], answers: Mapping[str, object]
) -> Answers:
    """Return the answers as they are told: trimmed, by value, without blank ones.

    An answer that is an option's label becomes its value. What is no text, and
    what answers no question of the form, is left out; a skipped question too.

    >>> form = {"questions": [{"id": "a", "label": "A", "type": "text"}]}
    >>> normalise_answers(form, {"a": " x ", "b": "y"})
    {'a': 'x'}
    """
    told: Answers = {}
    for question in form["questions"]:
        values = _values(question, answers.get(question["id"]))
        if not values:
            continue
        if takes_several(question) or len(values) > 1:
            told[question["id"]] = values
        else:
            told[question["id"]] = values[0]
    return told


def format_form_answers(form: Mapping[str, Any], answers: Mapping[str, object]) -> str:
    """Return the answers as the message of a person; `parse_form_answers` is its inverse.

    >>> form = {"id": "brief", "questions": [{"id": "a", "label": "A", "type": "text"}]}
    >>> print(format_form_answers(form, {"a": "x"}))
    [form answers — brief]
    - A: x
    """
    told = normalise_answers(form, answers)
    lines = [f"{_HEADER} — {_on_one_line(form['id'])}]"]
    for question in form["questions"]:
        value = told.get(question["id"], ())
        lines.append(f"- {_label(question)}: {_display(question, value)}")
    return "\n".join(lines)


def format_answers_block(form_id: str, answers: Mapping[str, object]) -> str:
    """Return the answers as one line of JSON in a fence, as a model is shown them.

    A skipped question is ``null``. No line of it can close the fence.

    >>> print(format_answers_block("brief", {"a": "x", "b": None}))
    ```json form-answers
    {"formId":"brief","answers":{"a":"x","b":null}}
    ```
    """
    value = {"formId": form_id, "answers": answers}
    line = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f"```json form-answers\n{_escaped(line)}\n```"


def parse_form_answers(form: Mapping[str, Any], text: str) -> Answers | None:
    """Return the answers that a text tells; None if it tells none of this form.

    For every form and answers, ``parse_form_answers(form,
    format_form_answers(form, answers)) == normalise_answers(form, answers)``.
    Lines may begin with ``*``, stand in another order and be missing; labels
    count without regard to case. A line that cannot be read is passed over.
    """
    first, *lines = text.strip().split("\n")
    if first[: len(_HEADER)].lower() != _HEADER:
        return None
    waiting = list(form["questions"])
    told: dict[str, object] = {}
    has_matched = False
    for line in lines:
        if line.strip().lower() == _FILES:
            break
        question, rest = _match(line.rstrip("\r"), waiting)
        if question is None:
            continue
        has_matched = True
        waiting.remove(question)
        if rest.strip().lower() != _SKIPPED:
            told[question["id"]] = _read(question, rest)
    return normalise_answers(form, told) if has_matched else None


# --- values ---------------------------------------------------------------


def _values(question: Mapping[str, Any], answer: object) -> list[str]:
    given = [answer] if isinstance(answer, str) else answer
    if not isinstance(given, Sequence):
        return []
    texts = (trimmed(item) for item in given)
    return [_value_of(question, text) for text in texts if text]


def _choices(question: Mapping[str, Any]) -> Iterable[tuple[str, str]]:
    """Yield value and label of everything that can be chosen."""
    for option in question.get("options", ()):
        yield option["value"], option["label"]
    if question.get("type") == "direction-cards":
        for card in question.get("cards", ()):
            yield card["id"], card["label"]


def _value_of(question: Mapping[str, Any], text: str) -> str:
    choices = list(_choices(question))
    if any(text == value for value, _ in choices):
        return text
    return next((value for value, label in choices if text == label), text)


# --- writing --------------------------------------------------------------


def _display(question: Mapping[str, Any], answer: str | Sequence[str]) -> str:
    if not answer:
        return _SKIPPED
    if isinstance(answer, str):
        return _entry(question, answer, is_one_of_several=False, is_quoted=False)
    is_quoted = not takes_several(question)
    return _JOIN.join(
        _entry(question, value, is_one_of_several=True, is_quoted=is_quoted)
        for value in answer
    )


def _entry(
    question: Mapping[str, Any], value: str, *, is_one_of_several: bool, is_quoted: bool
) -> str:
    label = next((label for of, label in _choices(question) if of == value), value)
    shown = label
    if is_quoted or _is_risky(label, is_one_of_several=is_one_of_several):
        shown = _quote(label)
    if label == value:
        return shown
    bare = (
        value
        if not ("]" in value or _is_risky(value, is_one_of_several=True))
        else _quote(value)
    )
    return f"{shown}{_VALUE}{bare}]"


def _is_risky(text: str, *, is_one_of_several: bool) -> bool:
    """Whether a text could be taken for something else than itself."""
    return (
        text.startswith('"')
        or text.lower() == _SKIPPED
        or _VALUE.rstrip() in text
        or (is_one_of_several and (_JOIN in text or text.endswith(",")))
        or _UNSAFE.search(text) is not None
    )


def _quote(text: str) -> str:
    return _escaped(json.dumps(text, ensure_ascii=False))


def _escaped(line: str) -> str:
    """Return JSON without a character that could end its line somewhere."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _label(question: Mapping[str, Any]) -> str:
    return _on_one_line(question["label"])


def _on_one_line(text: str) -> str:
    return " ".join(_UNSAFE.sub(" ", text).split())


# --- reading --------------------------------------------------------------


def _match(
    line: str, waiting: Sequence[dict[str, Any]]
) -> tuple[dict[str, Any] | None, str]:
    """Return the question that a line answers, and the rest of the line.

    The next question in order is tried first, then the longest label.
    """
    if line[:2] not in ("- ", "* "):
        return None, ""
    line = line[2:]
    if waiting and _begins(line, waiting[0]):
        return waiting[0], line[_head_chars(waiting[0]) :]
    fitting = [question for question in waiting if _begins(line, question)]
    if not fitting:
        return None, ""
    best = max(fitting, key=_head_chars)
    return best, line[_head_chars(best) :]


def _head_chars(question: Mapping[str, Any]) -> int:
    return len(_label(question)) + 2


def _begins(line: str, question: Mapping[str, Any]) -> bool:
    head = f"{_label(question)}: "
    start = line[: len(head)]
    return start == head or start.casefold() == head.casefold()


def _read(question: Mapping[str, Any], rest: str) -> str | list[str]:
    if takes_several(question):
        return _entries(rest) or []
    if rest.startswith('"'):
        several = _entries(rest, are_quoted=True)
        if several is not None:
            return several
    text, end = _read_entry(rest, 0, ends_at_join=False)
    return text if end == len(rest) else rest


def _entries(rest: str, *, are_quoted: bool = False) -> list[str] | None:
    """Return the entries of a line; None if they have to be quoted and are not."""
    entries: list[str] = []
    at = 0
    while at <= len(rest):
        if are_quoted and not rest.startswith('"', at):
            return None
        entry, at = _read_entry(rest, at, ends_at_join=True)
        entries.append(entry)
        if at < len(rest) and not rest.startswith(_JOIN, at):
            if are_quoted:
                return None
            # text behind a quoted entry: take the rest as it is written
            return [*entries[:-1], *rest[at:].split(_JOIN)]
        at += len(_JOIN)
    return entries


def _read_entry(rest: str, at: int, *, ends_at_join: bool) -> tuple[str, int]:
    """Return the entry that begins here, its value if it tells one, and its end."""
    if rest.startswith('"', at):
        text, end = _read_quoted(rest, at)
    else:
        stop = rest.find(_JOIN, at) if ends_at_join else -1
        stop = len(rest) if stop < 0 else stop
        end = rest.find(_VALUE, at, stop)
        end = stop if end < 0 else end
        text = rest[at:end]
    if not rest.startswith(_VALUE, end):
        return text, end
    start = end + len(_VALUE)
    if rest.startswith('"', start):
        value, stop = _read_quoted(rest, start)
    else:
        stop = rest.find("]", start)
        value = rest[start:stop]
    return (value, stop + 1) if rest.startswith("]", max(stop, 0)) else (text, end)


def _read_quoted(rest: str, at: int) -> tuple[str, int]:
    """Return a JSON string and its end; what is none is taken as it is written."""
    try:
        text, end = _string.raw_decode(rest, at)
    except ValueError:
        return rest[at:], len(rest)
    return str(text), end
