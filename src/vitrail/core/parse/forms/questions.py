"""Questions of a form: what a model may write, and what it becomes.

Strategy: one function makes a question of what has been read of it, whole or
not. Of an open question it takes only what nothing behind it can change: text
for people may still grow, everything else is taken when it is whole, and what
depends on the rest (type of a question that names none, default, fallbacks)
when its braces close. So a question that was shown is never taken back.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from vitrail.core.text import TAG_SPACE, clean_surrogates
from vitrail.limits import (
    MAX_FORM_CARDS,
    MAX_FORM_ID_CHARS,
    MAX_FORM_OPTIONS,
    MAX_FORM_QUESTIONS,
    MAX_FORM_TEXT_CHARS,
)
from vitrail.protocol.diagnostics import Diagnostic, Span

__all__ = [
    "QUESTION_TYPES",
    "Partial",
    "QuestionList",
    "clean",
    "read_number",
    "trimmed",
]

QUESTION_TYPES: Final[dict[str, tuple[str, ...]]] = {
    "radio": ("single", "choice"),
    "checkbox": ("multi", "multiple"),
    "select": ("dropdown",),
    "textarea": ("long", "paragraph"),
    "number": ("numeric",),
    "range": ("slider",),
    "date": (),
    "time": (),
    "datetime-local": ("datetime", "date-time", "datetime_local"),
    "color": ("colour", "color-picker"),
    "url": ("link",),
    "email": (),
    "tel": ("phone",),
    "file": ("upload", "attachment"),
    "switch": ("toggle", "boolean"),
    "direction-cards": ("directions", "cards", "direction"),
    "text": (),
}
"""Every type of question, with the words that mean it too."""

_TYPE_OF: Final = {
    word: name for name, words in QUESTION_TYPES.items() for word in (name, *words)
}
_SPACE: Final = "".join(sorted(TAG_SPACE))
_NUMBER_TEXT: Final = re.compile(
    r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
)
_MAX_NUMBER_CHARS: Final = 64
_MAX_REFERENCES: Final = 6
_MAX_PALETTE: Final = 8
_DISPLAY_FONT: Final = "Georgia, serif"
_BODY_FONT: Final = "-apple-system, system-ui, sans-serif"
_EXACT_INTEGERS: Final = 1e21
"""From here on ECMAScript writes integers with an exponent."""
_MAX_MENDED: Final = 5
"""Of one question, what is told word by word; the rest is counted."""
_GROWING: Final = ("placeholder", "help", "customLabel", "customPlaceholder")


@dataclass(frozen=True, slots=True)
class Partial:
    """What is known about a value that may not be whole."""

    is_open: Callable[[object], bool]
    """Whether a container is still being read."""
    growing: tuple[object, str, str] | None = None
    """Object, key and text of the string that is being read."""

    def text(self, raw: Mapping[str, Any], key: str) -> str:
        """Return a text for people as far as it has come, trimmed; empty if none."""
        value = raw.get(key)
        if self.growing is not None and self.growing[0] is raw:
            _, growing_key, so_far = self.growing
            value = so_far if growing_key == key else value
        return trimmed(value)[:MAX_FORM_TEXT_CHARS].rstrip(_SPACE)

    def items(self, value: object) -> list[Any]:
        """Return the whole elements of an array; none of what is no array."""
        if not isinstance(value, list):
            return []
        return value[:-1] if value and self.is_open(value[-1]) else value


_WHOLE: Final = Partial(is_open=lambda _: False)


def clean(text: str) -> str:
    r"""Return the text with U+FFFD for halves of characters and for NUL.

    >>> clean("a\x00b")
    'a\ufffdb'
    """
    return clean_surrogates(text).replace("\x00", "\ufffd")


def trimmed(value: object) -> str:
    """Return a string without white space around it; of anything else the empty one.

    >>> trimmed(" a "), trimmed(3)
    ('a', '')
    """
    return clean(value).strip(_SPACE) if isinstance(value, str) else ""


@dataclass(slots=True)
class _Names:
    """Names that are given once each."""

    taken: dict[str, int] = field(default_factory=dict)

    def unique(self, name: str) -> str:
        """Return the name, or the first of ``name-2``, ``name-3``, … that is free."""
        if name not in self.taken:
            return name
        number = self.taken[name]
        while f"{name}-{number}" in self.taken:
            number += 1
        return f"{name}-{number}"

    def take(self, asked: str, given: str) -> None:
        """Keep a name from being given again."""
        if asked != given:
            self.taken[asked] = int(given.rsplit("-", 1)[1]) + 1
        self.taken.setdefault(given, 2)


@dataclass(slots=True)
class _Tally:
    """How often something came, and where first."""

    count: int = 0
    span: Span | None = None

    def add(self, span: Span | None) -> None:
        """Count one more."""
        if not self.count:
            self.span = span
        self.count += 1


class QuestionList:
    """The questions of one form, in order, with ids that are unique in it."""

    def __init__(self) -> None:
        self.questions: list[dict[str, Any]] = []
        self._mended: list[Diagnostic] = []
        self._ids = _Names()
        self._no_objects = _Tally()
        self._too_many = _Tally()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What was mended, one for each question, and what was dropped."""
        found = list(self._mended)
        if count := self._no_objects.count:
            words = f"Questions that are no objects are left out: {count}."
            found.append(
                Diagnostic("form-dropped", "warning", words, self._no_objects.span)
            )
        if count := self._too_many.count:
            words = (
                f"A form has at most {MAX_FORM_QUESTIONS} questions; left out: {count}."
            )
            found.append(
                Diagnostic("form-dropped", "warning", words, self._too_many.span)
            )
        return tuple(found)

    def add(self, raw: object, index: int, span: Span | None = None) -> None:
        """Take a whole question; what is none is dropped and told."""
        if not isinstance(raw, dict):
            self._no_objects.add(span)
            return
        if len(self.questions) >= MAX_FORM_QUESTIONS:
            self._too_many.add(span)
            return
        asked = _id_of(raw) or f"q{index + 1}"
        given = self._ids.unique(asked)
        question, mended = _question(raw, given, _WHOLE, is_whole=True)
        self._ids.take(asked, given)
        if asked != given:
            mended.append(f"another question has this id, so it became {_show(given)}")
        if mended:
            words = "; ".join(mended[:_MAX_MENDED])
            if len(mended) > _MAX_MENDED:
                words += f"; and {len(mended) - _MAX_MENDED} more"
            words = f"Question {_show(asked)}: {words}."
            self._mended.append(Diagnostic("form-repaired", "warning", words, span))
        self.questions.append(question)

    def peek(self, raw: Mapping[str, Any], known: Partial) -> dict[str, Any] | None:
        """Return a question that is still open as far as it may be shown."""
        asked = _id_of(raw)
        if not asked or len(self.questions) >= MAX_FORM_QUESTIONS:
            return None
        question, _ = _question(raw, self._ids.unique(asked), known, is_whole=False)
        return question if question["label"] else None


def _id_of(raw: Mapping[str, Any]) -> str:
    return trimmed(raw.get("id"))[:MAX_FORM_ID_CHARS].rstrip(_SPACE)


def _question(
    raw: Mapping[str, Any], given: str, known: Partial, *, is_whole: bool
) -> tuple[dict[str, Any], list[str]]:
    """Return a question of what is known of it, and what was mended."""
    mended: list[str] = []
    options = _named(_OPTIONS, known.items(raw.get("options")), mended)
    question: dict[str, Any] = {
        "id": given,
        "label": _label(raw, known, mended) or (given if is_whole else ""),
    }
    kind = _type(raw.get("type"), bool(options), is_whole=is_whole)
    if kind is not None:
        question["type"] = kind
    if options:
        question["options"] = options
    for key in _GROWING:
        if text := known.text(raw, key):
            question[key] = text
    if raw.get("required") is True:
        question["required"] = True
    for key in ("min", "max", "step"):
        number = read_number(raw.get(key))
        if number is not None:
            question[key] = number
    cards = _named(_CARDS, known.items(raw.get("cards")), mended)
    if cards:
        question["cards"] = cards
    question |= _of_type(kind, raw, known)
    if is_whole:
        question |= _of_the_end(raw, [*options, *cards])
        _tell_long_texts(raw, mended)
    return question, mended


def _label(raw: Mapping[str, Any], known: Partial, mended: list[str]) -> str:
    label, prompt = known.text(raw, "label"), known.text(raw, "prompt")
    if label and prompt and label != prompt:
        mended.append("it has a prompt and a label; the label counts")
    return label or prompt


def _type(value: object, has_options: bool, *, is_whole: bool) -> str | None:  # noqa: FBT001 - the second half of one question
    if isinstance(value, str):
        return _TYPE_OF.get(trimmed(value).lower(), "text")
    if not is_whole:
        return None  # the type, or options, may still come
    return "radio" if has_options else "text"


def _of_type(
    kind: str | None, raw: Mapping[str, Any], known: Partial
) -> dict[str, Any]:
    """Return the fields that only some types have."""
    fields: dict[str, Any] = {}
    if kind == "checkbox":
        most = read_number(raw.get("maxSelections"))
        is_number = not isinstance(raw.get("maxSelections"), str)
        if is_number and most is not None and most >= 1 and most == int(most):
            fields["maxSelections"] = int(most)
    if kind == "file":
        if isinstance(raw.get("multiple"), bool):
            fields["multiple"] = raw["multiple"]
        accept = raw.get("accept")
        if isinstance(accept, list) and not known.is_open(accept):
            accept = ",".join(text for item in accept if (text := trimmed(item)))
        if text := trimmed(accept)[:MAX_FORM_TEXT_CHARS]:
            fields["accept"] = text
    return fields


def _of_the_end(
    raw: Mapping[str, Any], choices: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the fields that only a whole question has."""
    fields: dict[str, Any] = {}
    default = _default(raw.get("defaultValue"), choices)
    if default is None:
        default = _default(raw.get("default"), choices)
    if default is not None:
        fields["defaultValue"] = default
    if raw.get("allowCustom") is False:
        fields["allowCustom"] = False
    elif raw.get("allowCustom") is True or raw.get("custom") is True:
        fields["allowCustom"] = True
    return fields


def _default(
    value: object, choices: Sequence[Mapping[str, Any]]
) -> str | list[str] | None:
    if isinstance(value, list):
        texts = [clean(item) for item in value if isinstance(item, str)]
        return [_chosen(text, choices) for text in texts[:MAX_FORM_OPTIONS]]
    if isinstance(value, bool):
        value = "true" if value else "false"
    elif isinstance(value, int | float):
        value = _number_text(value)
    return _chosen(clean(value), choices) if isinstance(value, str) else None


def _chosen(text: str, choices: Sequence[Mapping[str, Any]]) -> str:
    """Return the value of the choice that a default names, or the default itself."""
    bare = text.strip(_SPACE)
    for choice in choices:
        if bare == choice.get("value", choice.get("id")):
            return bare
    for choice in choices:
        if bare == choice["label"]:
            value: str = choice.get("value", choice.get("id"))
            return value
    return text[:MAX_FORM_TEXT_CHARS]


def _option(item: object) -> dict[str, str] | None:
    if isinstance(item, str):
        label = _short(item)
        return {"label": label, "value": label} if label else None
    if not isinstance(item, dict) or not (label := _short(item.get("label"))):
        return None
    value = _short(item.get("value")) or _short(item.get("id")) or label
    option = {"label": label, "value": value}
    if description := _short(item.get("description")):
        option["description"] = description
    return option


def _card(item: object) -> dict[str, Any] | None:
    if not isinstance(item, dict) or not isinstance(item.get("label"), str):
        return None
    if not (name := _id_of(item)):
        return None
    return {
        "id": name,
        "label": _short(item["label"]) or name,
        "mood": _short(item.get("mood")),
        "references": _texts(item.get("references"))[:_MAX_REFERENCES],
        "palette": _texts(item.get("palette"))[:_MAX_PALETTE],
        "displayFont": _short(item.get("displayFont")) or _DISPLAY_FONT,
        "bodyFont": _short(item.get("bodyFont")) or _BODY_FONT,
    }


def _texts(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    return [text for item in value if (text := _short(item))]


def _short(value: object) -> str:
    return trimmed(value)[:MAX_FORM_TEXT_CHARS].rstrip(_SPACE)


def _tell_long_texts(raw: Mapping[str, Any], mended: list[str]) -> None:
    mended.extend(
        f"its {key} is cut at {MAX_FORM_TEXT_CHARS} characters"
        for key in ("label", "prompt", *_GROWING, "default", "defaultValue")
        if len(trimmed(raw.get(key))) > MAX_FORM_TEXT_CHARS
    )
    if len(trimmed(raw.get("id"))) > MAX_FORM_ID_CHARS:
        mended.append(f"its id is cut at {MAX_FORM_ID_CHARS} characters")


def read_number(value: object) -> int | float | None:
    """Return a finite number, of a number or a text that is one; or None.

    The blank text is no number, nor is a hexadecimal one.

    >>> read_number(" 1e3 "), read_number(""), read_number(float("nan"))
    (1000, None, None)
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        text = value.strip(_SPACE)
        if len(text) > _MAX_NUMBER_CHARS or not _NUMBER_TEXT.fullmatch(text):
            return None
        value = float(text)
    if not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    if not math.isfinite(number):
        return None
    return int(number) if number.is_integer() and abs(number) < 2**53 else number


def _number_text(value: float) -> str | None:
    """Return a number as ECMAScript writes it; none of what is not finite."""
    number = read_number(value)
    if number is None:
        return None
    if abs(number) < _EXACT_INTEGERS and number == int(number):
        return str(int(number))
    return repr(number)


def _show(name: str) -> str:
    """Return a name in quotes, short and on one line."""
    line = " ".join(name.split())
    return f'"{line[:40]}…"' if len(line) > 40 else f'"{line}"'  # noqa: PLR2004 - what fits a line


@dataclass(frozen=True, slots=True)
class _Items:
    """Items of a list that are told apart by a key."""

    read: Callable[[object], Mapping[str, Any] | None]
    key: str
    most: int
    called: str
    lacks: str
    """What one has not that is left out."""


_OPTIONS: Final = _Items(_option, "value", MAX_FORM_OPTIONS, "option", "label")
_CARDS: Final = _Items(_card, "id", MAX_FORM_CARDS, "card", "id or label")


def _named(
    kind: _Items, items: Sequence[object], mended: list[str]
) -> list[dict[str, Any]]:
    """Read the items of a list, and make their keys unique."""
    names = _Names()
    found: list[dict[str, Any]] = []
    dropped = 0
    for item in items:
        one = kind.read(item)
        if one is None or len(found) >= kind.most:
            dropped += 1
            continue
        asked = one[kind.key]
        name = names.unique(asked)
        names.take(asked, name)
        if asked != name:
            mended.append(
                f"another {kind.called} has the {kind.key} {_show(asked)}, so it became "
                f"{_show(name)}"
            )
        found.append({**one, kind.key: name})
    if dropped:
        mended.append(
            f"{kind.called}s without {kind.lacks}, or too many, are left out: {dropped}"
        )
    return found
