"""Parts of messages as a transcript tells them, and read from one."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from pydantic import TypeAdapter, ValidationError

from vitrail.core.export.redaction import Redactor
from vitrail.core.export.transcript import MessageLine, line_error
from vitrail.core.export.transcript_blocks import (
    BlockKind,
    Piece,
    PlacedPart,
    block_fields,
    block_text,
    place_parts,
)
from vitrail.core.parse import PartFolder, StreamParser
from vitrail.core.parse.views import (
    Evidence,
    segments_of_parts,
    summarize_for_transcript,
)
from vitrail.core.parse.written_tags import write_open_tag
from vitrail.limits import MAX_TRANSCRIPT_PARTS
from vitrail.protocol.forms import Form
from vitrail.protocol.records import (
    ArtifactPart,
    FormPart,
    Part,
    ReasoningPart,
    SuppressedPart,
    TextPart,
)
from vitrail.protocol.transcript import Carried, ToldMessage

__all__ = ["Telling", "is_digest", "read_parts"]

_PARTS: Final[TypeAdapter[Part]] = TypeAdapter(Part)
_CLASSES: Final = {
    cls.model_fields["type"].default: cls for cls in get_args(get_args(Part)[0])
}
_WORDS: Final = frozenset(
    {
        *("type", "state", "status", "severity", "code", "reason", "recovered"),
        *("digest", "revision", "messageId", "kind"),
    }
)
"""Keys of a part whose values are ours, not anybody's words: they are not redacted."""
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_MAX_NAME_CHARS: Final = 64
"""Of the type of a part that is not known here."""


# --- told -----------------------------------------------------------------------


@dataclass(slots=True)
class Telling:
    """How messages are told: with what is taken out, and what is summarised."""

    redactor: Redactor | None = None
    on_disk: frozenset[str] | None = None
    """Paths of files with a manifest of their own; None: no artifact is summarised."""
    summaries: int = field(default=0)
    """Artifacts that were told by one line so far."""

    def pieces(self, told: ToldMessage) -> list[Piece]:
        """Return the pieces of a message, in the order of its parts."""
        carried: Mapping[str, Any] = (told.carried or {}).get("parts", {})
        pieces: list[Piece] = []
        was_reasoning = False
        for index, part in enumerate(told.message.parts):
            said = self._summary(part) if told.message.role == "assistant" else None
            kept = self._redacted(carried.get(str(index), {}))
            # a part of thinking that follows another one was begun anew
            is_apart = was_reasoning and isinstance(part, ReasoningPart)
            was_reasoning = isinstance(part, ReasoningPart)
            pieces.append(self._piece(said or part, kept, is_apart=is_apart))
        return pieces

    def carried(self, told: Carried | None) -> Carried | None:
        """Return what a record carries, as it may be told; its parts are told apart."""
        if not told:
            return None
        rest = {name: value for name, value in told.items() if name != "parts"}
        return {name: self._redacted(value) for name, value in rest.items()}

    def text(self, text: str) -> str:
        """Return a text as it may be told."""
        return text if self.redactor is None else self.redactor.text(text)

    def _piece(self, part: Part, kept: dict[str, Any], *, is_apart: bool) -> Piece:
        fields = kept.get("fields")
        if "part" in kept:
            return _unread(kept)
        told = self._redacted_part(part.model_dump(mode="json"))
        told.update(kept.get("extra", {}))
        match part:
            case TextPart() | ReasoningPart():
                text = told["text"]
                kind: BlockKind = "text" if isinstance(part, TextPart) else "thinking"
                if not text and not fields:
                    return Piece(told)
                del told["text"]
                whole = (0, len(text))
                return Piece(told, kind, text, whole, is_apart=is_apart, fields=fields)
            case ArtifactPart():
                text = told.pop("text")
                tag = write_open_tag(told["attributes"])
                span = len(tag), len(tag) + len(text)
                raw = f"{tag}{text}</artifact>"
                return Piece(told, "text", raw, span, fields=fields)
            case FormPart():
                return Piece(told, "text", _form(told["form"]))
            case _:
                return Piece(told)

    def _summary(self, part: Part) -> TextPart | None:
        """Return the line that stands for an artifact whose bytes are on disk."""
        if self.on_disk is None or not isinstance(part, ArtifactPart):
            return None
        saved = part.saved
        if saved is None or saved.path not in self.on_disk:
            return None
        if hashlib.sha256(part.text.encode()).hexdigest() != saved.digest:
            return (
                None  # what was saved is not what was said: this copy is the only one
            )
        evidence = Evidence(saved.path, part.identifier, saved.digest)
        self.summaries += 1
        line = summarize_for_transcript(segments_of_parts((part,)), (evidence,))
        return TextPart(text=line, start=part.start)

    def _redacted(self, value: Any) -> Any:
        return value if self.redactor is None else self.redactor.value(value)

    def _redacted_part(self, part: dict[str, Any]) -> dict[str, Any]:
        if self.redactor is None:
            return part
        return {name: self._field(name, value) for name, value in part.items()}

    def _field(self, name: str, value: Any) -> Any:
        if name in _WORDS and isinstance(value, str):
            return value
        match name, value:
            case "saved", dict():
                return self._redacted_part(value)
            case "diagnostics", list():
                return [self._redacted_part(item) for item in value]
            case _:
                return self._redacted(value)


def _unread(kept: dict[str, Any]) -> Piece:
    """Return the piece of a part that this version does not know."""
    part = kept["part"]
    if "block" in kept:
        return Piece(part, whole=kept["block"])
    if "raw" in kept:
        raw = kept["raw"]
        span = 0, len(raw)
        return Piece(part, kept["kind"], raw, span, fields=kept.get("fields"))
    return Piece(part)


def _form(form: dict[str, Any]) -> str:
    words = json.dumps(form, ensure_ascii=False)
    return f"<question-form>\n{words}\n</question-form>"


# --- read -----------------------------------------------------------------------


@dataclass(slots=True)
class _Reading:
    """The parts of one line as they are read, with what no field holds."""

    number: int
    parts: list[Part] = field(default_factory=list)
    kept: dict[str, dict[str, Any]] = field(default_factory=dict)
    chars: int = 0
    artifacts: int = 0

    def add(self, part: Part, kept: dict[str, Any] | None = None) -> None:
        if kept:
            self.kept[str(len(self.parts))] = kept
        self.parts.append(part)

    def add_unread(self, part: dict[str, Any], kept: dict[str, Any]) -> None:
        """Add what stands for a part that is not known here, and carry that."""
        name = "".join(c for c in part["type"] if c.isprintable())[:_MAX_NAME_CHARS]
        chars = len(json.dumps(kept, ensure_ascii=False))
        self.add(SuppressedPart(name=name, chars=chars), {"part": part, **kept})


def read_parts(line: MessageLine, number: int) -> tuple[tuple[Part, ...], int, Carried]:
    """Return the parts of a line, its code points, and what no part has a field for.

    A line that a Vitrail wrote tells its parts; of another one the blocks are
    read as a message. Raises ``InvalidInput('transcript-invalid')``.
    """
    reading = _Reading(number)
    told = None if line.ours is None else line.ours.get("parts")
    many = max(len(line.blocks), len(told) if isinstance(told, list) else 0)
    if many > MAX_TRANSCRIPT_PARTS:
        raise line_error(
            number, f"it has more than {MAX_TRANSCRIPT_PARTS} parts or blocks."
        )
    try:
        if isinstance(told, list):
            _read_told(reading, place_parts(told, line.blocks))
        else:
            for block in line.blocks:
                _read_block(reading, block, is_said=line.role == "assistant")
    except ValidationError as cause:
        raise line_error(number, _first_word(cause)) from None
    except ValueError as cause:
        raise line_error(number, f"{cause}.") from cause
    chars = None if line.ours is None else line.ours.get("chars")
    if type(chars) is int and chars >= 0:
        reading.chars = chars
    return tuple(reading.parts), reading.chars, reading.kept


def is_digest(text: str) -> bool:
    """Return whether a text is a digest: what others look content up by.

    >>> is_digest("0" * 64), is_digest("../" + "0" * 61)
    (True, False)
    """
    return _DIGEST.fullmatch(text) is not None


def _read_told(reading: _Reading, placed: list[PlacedPart]) -> None:
    for item in placed:
        known = _CLASSES.get(item.part["type"])
        if known is None or item.block is not None:
            reading.add_unread(item.part, _unread_kept(item))
            continue
        names = {info.alias or name for name, info in known.model_fields.items()}
        value = {name: said for name, said in item.part.items() if name in names}
        extra = {name: said for name, said in item.part.items() if name not in names}
        if item.text is not None:
            value["text"] = item.text
        kept = {"extra": extra} if extra else {}
        if item.fields:
            kept["fields"] = item.fields
        try:
            part = _PARTS.validate_python(value)
        except ValidationError as cause:
            if not _is_only_more(cause):
                raise
            reading.add_unread(item.part, _unread_kept(item))
            continue
        if isinstance(part, FormPart) and not _is_form(part):
            reading.add_unread(item.part, {})
            continue
        saved = part.saved if isinstance(part, ArtifactPart) else None
        if saved is not None and not is_digest(saved.digest):
            raise ValueError("an artifact was saved without a digest")
        reading.add(part, kept)


def _unread_kept(item: PlacedPart) -> dict[str, Any]:
    if item.block is not None:
        return {"block": item.block}
    if not item.text and not item.fields:
        return {}
    kept: dict[str, Any] = {"raw": item.text, "kind": item.kind}
    return {**kept, "fields": item.fields} if item.fields else kept


def _read_block(reading: _Reading, block: dict[str, Any], *, is_said: bool) -> None:
    """Read a block of a line that tells no parts."""
    said = block_text(block)
    if said is None:
        reading.add_unread({"type": block["type"]}, {"block": block})
        return
    kind, text = said
    extra = block_fields(block)
    kept = {"fields": extra} if extra else None
    if kind == "thinking":
        reading.add(ReasoningPart(text=text), kept)
        reading.chars += len(text)
    elif not is_said:
        reading.add(TextPart(text=text, start=reading.chars), kept)
        reading.chars += len(text)
    else:
        if kept is not None:
            # a text has to be there for a block to begin with it
            reading.add(TextPart(text="", start=reading.chars), kept)
        for part in _said_parts(reading, text):
            reading.add(part)
        reading.chars += len(text)


def _said_parts(reading: _Reading, text: str) -> Iterator[Part]:
    """Yield the parts of a text that a model said, numbered on in its message."""
    parser = StreamParser()
    folder = PartFolder()
    for event in (*parser.feed(text), *parser.close()):
        folder.add(event)
    before = reading.artifacts
    for part in folder.parts():
        match part:
            case ArtifactPart():
                reading.artifacts = before + part.artifact + 1
                yield _moved(part, reading.chars, artifact=before + part.artifact)
            case TextPart():
                yield _moved(part, reading.chars)
            case _:
                yield part


def _moved(part: TextPart | ArtifactPart, by: int, **changes: int) -> Part:
    return part.model_copy(update={"start": part.start + by, **changes})


def _is_form(part: FormPart) -> bool:
    """Return whether it is a form of this version, which can be drawn and answered."""
    try:
        Form.model_validate(part.form)
    except ValidationError:
        return False
    is_answerable = part.complete and "reason" not in part.form
    return not is_answerable or {"id", "questions"} <= part.form.keys()


def _is_only_more(error: ValidationError) -> bool:
    """Return whether all that is wrong are keys of a later version, deep inside."""
    return all(item["type"] == "extra_forbidden" for item in error.errors())


def _first_word(error: ValidationError) -> str:
    first = error.errors(include_input=False, include_url=False)[0]
    place = ".".join(str(step) for step in first["loc"])[:80]
    shown = "".join(c if c.isprintable() else "?" for c in place)
    return f"a part does not fit ({shown}: {first['msg']})."
