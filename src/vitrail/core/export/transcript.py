"""Transcripts: conversations to the lines of a ``.transcript.jsonl`` and back.

Strategy: a line is a JSON object of schema 2 (spec/open-design-1 §18): a header,
then each conversation followed by its messages. What Vitrail knows beyond that
schema stands in one key, ``vitrail``; a text stands in the file once, in the
blocks, and a part names the place of its own. Reading is by line, so that a
file of any length takes the memory of its longest line. What a line says that
has no field here is kept with its record (`Carried`), and is told again.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

import msgspec

from vitrail.core.export.transcript_blocks import Blocks, Piece
from vitrail.errors import InvalidInput
from vitrail.limits import MAX_TRANSCRIPT_DEPTH
from vitrail.protocol.times import timestamp
from vitrail.protocol.transcript import Carried, ToldConversation, ToldMessage

__all__ = [
    "LOCK_NAME",
    "SCHEMA_VERSION",
    "TRANSCRIPT_NAME",
    "ConversationLine",
    "HeaderLine",
    "MessageLine",
    "OtherLine",
    "TranscriptLine",
    "TranscriptTally",
    "line_error",
    "read_line",
    "read_time",
    "write_conversation",
    "write_header",
    "write_message",
]

SCHEMA_VERSION: Final = 2
TRANSCRIPT_NAME: Final = ".transcript.jsonl"
"""The file in a project's folder."""
LOCK_NAME: Final = ".transcript.lock"

_MAX_MS: Final = 253_402_300_799_999
"""The last millisecond of the year 9999."""
_RUN_PLACES: Final = ("projectId", "conversationId", "messageId")
"""Of a run: what its line says already."""
_CONTAINERS: Final = (dict, list)
_LINE_ENDS: Final = (
    ("\u0085".encode(), rb"\u0085"),
    ("\u2028".encode(), rb"\u2028"),
    ("\u2029".encode(), rb"\u2029"),
)


# --- writing ------------------------------------------------------------------


@dataclass(slots=True)
class TranscriptTally:
    """What a transcript holds, counted while its lines are made, for its header."""

    conversations: int = 0
    messages: int = 0
    attachments: int = 0
    comment_attachments: int = 0
    summaries: int = 0
    """Artifacts that are told by one line."""
    _digest: Any = field(default_factory=hashlib.sha256)

    def add(self, line: bytes) -> bytes:
        """Take a line that is going to follow the header; return it."""
        self._digest.update(line)
        return line

    @property
    def sha256(self) -> str:
        """Digest of every line behind the header, lower-case hex."""
        return str(self._digest.hexdigest())


def write_header(
    project_id: str,
    exported_at: str,
    tally: TranscriptTally,
    *,
    redacted: Counter[str] | None = None,
) -> bytes:
    """Return the first line; ``redacted`` counts by what was taken out, if it was."""
    ours: dict[str, Any] = {"sha256": tally.sha256}
    if tally.summaries:
        ours["summaries"] = tally.summaries
    if redacted is not None:
        ours["redacted"] = dict(sorted(redacted.items()))
    return _line(
        {
            "kind": "header",
            "schemaVersion": SCHEMA_VERSION,
            "projectId": project_id,
            "exportedAt": exported_at,
            "conversationCount": tally.conversations,
            "messageCount": tally.messages,
            "attachmentCount": tally.attachments,
            "commentAttachmentCount": tally.comment_attachments,
            "attachmentsInlined": False,
            "vitrail": ours,
        }
    )


def write_conversation(told: ToldConversation) -> Iterator[bytes]:
    """Yield the line of a conversation, and those that were carried behind it."""
    conversation, carried = told.conversation, told.carried or {}
    yield _line(
        {
            "kind": "conversation",
            "id": conversation.id,
            "title": conversation.title or None,
            "createdAt": conversation.created_at,
            "updatedAt": conversation.updated_at,
            **carried.get("fields", {}),
        }
    )
    yield from map(_line, carried.get("lines", ()))


def write_message(
    told: ToldMessage, position: int, pieces: list[Piece], tally: TranscriptTally
) -> Iterator[bytes]:
    """Yield the line of a message, and those that were carried behind it.

    ``position`` is its 0-based place in the conversation, ``pieces`` are its
    parts as they are told.
    """
    message, carried = told.message, told.carried or {}
    blocks = Blocks()
    parts = [blocks.add(piece) for piece in pieces]
    fields: dict[str, Any] = dict(carried.get("fields", {}))
    ours: dict[str, Any] = {"chars": message.chars, "parts": parts}
    if told.run is not None:
        ours["run"] = _run(told, carried)
    ours.update(carried.get("vitrail", {}))
    line: dict[str, Any] = {
        "kind": "message",
        "conversationId": message.conversation_id,
        "id": message.id,
        "role": message.role,
        "position": position,
        "createdAt": message.created_at,
        "blocks": blocks.written(),
    }
    tally.attachments += len(fields.get("attachments", ()))
    tally.comment_attachments += len(fields.get("commentAttachments", ()))
    yield _line({**line, **fields, "vitrail": ours})
    yield from map(_line, carried.get("lines", ()))


def _run(told: ToldMessage, carried: Carried) -> dict[str, Any]:
    run: dict[str, Any] = told.run.model_dump(mode="json") if told.run else {}
    for name in _RUN_PLACES:
        run.pop(name, None)
    return {**run, **carried.get("run", {})}


def _line(value: object) -> bytes:
    line = msgspec.json.encode(value)
    # readers that end a line at every sign that Unicode ends one at read it too
    for sign, escape in _LINE_ENDS:
        line = line.replace(sign, escape)
    return line + b"\n"


# --- reading ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """The first line."""

    exported_at: str | None
    conversations: int | None
    messages: int | None
    sha256: str | None
    """Of the lines behind it, where a Vitrail wrote it."""
    unknown: tuple[str, ...]
    """Keys that no version known here has; they belong to no conversation."""


@dataclass(frozen=True, slots=True)
class ConversationLine:
    """The beginning of a conversation."""

    id: str
    title: str
    created_at: str
    updated_at: str
    carried: Carried


@dataclass(frozen=True, slots=True)
class MessageLine:
    """One message, its parts unread."""

    conversation_id: str
    id: str
    role: str
    position: int
    created_at: str
    blocks: list[dict[str, Any]]
    ours: dict[str, Any] | None
    """The ``vitrail`` object, of a line that a Vitrail wrote."""
    carried: Carried


@dataclass(frozen=True, slots=True)
class OtherLine:
    """A line of a kind that is not known here, carried unread."""

    value: dict[str, Any]


TranscriptLine: TypeAlias = HeaderLine | ConversationLine | MessageLine | OtherLine


def line_error(number: int, message: str) -> InvalidInput:
    """Return the error about one line, which its number (from 1) names."""
    return InvalidInput(
        f"Line {number}: {message}", code="transcript-invalid", line=number
    )


def read_line(data: bytes, number: int) -> TranscriptLine:
    """Return what a line says; the first one is the header.

    Raises ``InvalidInput``: ``transcript-invalid`` names the line and what is
    wrong with it, ``transcript-too-new`` a header of a later schema.
    """
    value = _object(data, number)
    reader = _Fields(value, number)
    kind = reader.text("kind")
    match kind:
        case "header" if number == 1:
            return _header(reader)
        case _ if number == 1:
            raise line_error(1, f"expected the header of a transcript, got {kind!r}.")
        case "header":
            raise line_error(
                number, "a second header; one file is one transcript. Split it there."
            )
        case "conversation":
            return _conversation(reader)
        case "message":
            return _message(reader)
        case _:
            return OtherLine(value)


def _object(data: bytes, number: int) -> dict[str, Any]:
    try:
        value = msgspec.json.decode(data)
    except RecursionError:
        raise line_error(number, "its brackets are nested too deep.") from None
    except (msgspec.MsgspecError, UnicodeError, ValueError) as cause:
        raise line_error(
            number,
            f"this is no JSON in UTF-8 ({cause}). A transcript has an object "
            "a line; a cut file ends in the middle of one.",
        ) from cause
    if not isinstance(value, dict):
        raise line_error(number, f"expected a JSON object, got {type(value).__name__}.")
    if _is_deep(value):
        raise line_error(
            number,
            f"its brackets are nested deeper than {MAX_TRANSCRIPT_DEPTH} levels.",
        )
    return value


def _is_deep(value: object) -> bool:
    level: list[Any] = [value]
    for _ in range(MAX_TRANSCRIPT_DEPTH):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, _CONTAINERS)
        ]
        if not level:
            return False
    return True


class _Fields:
    """The fields of one line, each asked for once; what is left over is carried."""

    def __init__(self, value: dict[str, Any], number: int) -> None:
        self._value = dict(value)
        self.number = number

    def any(self, name: str) -> Any:
        return self._value.pop(name, None)

    def rest(self) -> dict[str, Any]:
        return self._value

    def text(self, name: str) -> str:
        value = self.any(name)
        if not isinstance(value, str) or not value:
            raise line_error(self.number, f"{name} has to be a text, not empty.")
        return value

    def count(self, name: str) -> int | None:
        value = self.any(name)
        if value is None:
            return None
        if type(value) is not int or value < 0:
            raise line_error(self.number, f"{name} has to be a whole number.")
        return value

    def time(self, name: str) -> str:
        return read_time(self.any(name), name, self.number)


def read_time(value: object, name: str, number: int) -> str:
    """Return a time as it is stored; it is ISO 8601, or milliseconds since 1970.

    Raises ``InvalidInput('transcript-invalid')`` for what is neither.
    """
    moment = _moment(value)
    if moment is None:
        raise line_error(
            number, f"{name} has to be a time, such as 2026-03-01T12:00:00.000Z."
        )
    return timestamp(moment)


def _moment(value: object) -> datetime | None:
    try:
        if type(value) is int and 0 <= value <= _MAX_MS:
            return datetime.fromtimestamp(value / 1000, UTC)
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            has_zone = moment.tzinfo is not None
            return moment.astimezone(UTC) if has_zone else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        pass
    return None


def _header(reader: _Fields) -> HeaderLine:
    version = reader.count("schemaVersion")
    if version is None or version < 1:
        raise line_error(1, f"schemaVersion has to be {SCHEMA_VERSION}.")
    if version > SCHEMA_VERSION:
        raise InvalidInput(
            f"This transcript has schema {version}; this version of Vitrail reads up "
            f"to {SCHEMA_VERSION}. Update Vitrail.",
            code="transcript-too-new",
        )
    reader.any("projectId")
    ours = reader.any("vitrail")
    ours = ours if isinstance(ours, dict) else {}
    digest = ours.get("sha256")
    for name in ("attachmentCount", "commentAttachmentCount"):
        reader.count(name)
    reader.any("attachmentsInlined")
    moment = _moment(reader.any("exportedAt"))
    return HeaderLine(
        exported_at=None if moment is None else timestamp(moment),
        conversations=reader.count("conversationCount"),
        messages=reader.count("messageCount"),
        sha256=digest if isinstance(digest, str) else None,
        unknown=tuple(reader.rest()),
    )


def _conversation(reader: _Fields) -> ConversationLine:
    title = reader.any("title")
    if title is not None and not isinstance(title, str):
        raise line_error(reader.number, "title has to be a text or null.")
    identity = reader.text("id")
    created_at, updated_at = reader.time("createdAt"), reader.time("updatedAt")
    fields = reader.rest()
    return ConversationLine(
        id=identity,
        title=title or "",
        created_at=created_at,
        updated_at=updated_at,
        carried={"fields": fields} if fields else {},
    )


def _message(reader: _Fields) -> MessageLine:
    number = reader.number
    position = reader.count("position")
    role = reader.text("role")
    if role not in ("user", "assistant"):
        raise line_error(number, f"role has to be user or assistant, not {role!r}.")
    if position is None:
        raise line_error(number, "position has to be a whole number.")
    blocks = reader.any("blocks")
    if not isinstance(blocks, list) or not all(
        isinstance(block, dict) and isinstance(block.get("type"), str)
        for block in blocks
    ):
        raise line_error(
            number, "blocks has to be a list of objects, each with a type."
        )
    ours = reader.any("vitrail")
    if ours is not None and not isinstance(ours, dict):
        raise line_error(number, "vitrail has to be an object.")
    conversation_id, identity = reader.text("conversationId"), reader.text("id")
    created_at = reader.time("createdAt")
    attached = _attached(reader)
    fields = {**attached, **reader.rest()}
    return MessageLine(
        conversation_id=conversation_id,
        id=identity,
        role=role,
        position=position,
        created_at=created_at,
        blocks=blocks,
        ours=ours,
        carried={"fields": fields} if fields else {},
    )


def _attached(reader: _Fields) -> dict[str, Any]:
    """Return the files and comments that a message refers to, in their right form."""
    found: dict[str, Any] = {}
    attachments = _objects(reader, "attachments")
    for item in attachments:
        kind = item.get("kind")
        if kind not in ("image", "file") or not _has_texts(item, "path", "name"):
            raise line_error(
                reader.number,
                "an attachment needs a path, a name, and image or file as its kind.",
            )
    comments = _objects(reader, "commentAttachments")
    for item in comments:
        item.setdefault("label", "")
        item.setdefault("comment", "")
        if not _has_texts(item, "id", "filePath"):
            raise line_error(
                reader.number, "a comment's attachment needs an id and a filePath."
            )
    if attachments:
        found["attachments"] = attachments
    if comments:
        found["commentAttachments"] = comments
    return found


def _objects(reader: _Fields, name: str) -> list[dict[str, Any]]:
    value = reader.any(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise line_error(reader.number, f"{name} has to be a list of objects.")
    return value


def _has_texts(item: dict[str, Any], *names: str) -> bool:
    return all(isinstance(item.get(name), str) and item[name] for name in names)
