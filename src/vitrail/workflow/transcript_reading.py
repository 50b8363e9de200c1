"""A transcript on its way in: every line judged, then records that wait for one commit.

Strategy: nothing is written to the store here. Lines that are wrong are named,
all of them up to a number, so that a person can mend them at once. Records get
ids of their own; those that refer to each other keep doing so.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Final

import msgspec
from pydantic import ValidationError

from vitrail.core.export.transcript import (
    ConversationLine,
    HeaderLine,
    MessageLine,
    OtherLine,
    line_error,
    read_line,
    read_time,
)
from vitrail.errors import InvalidInput
from vitrail.limits import (
    MAX_CARRIED_BYTES,
    MAX_TITLE_CHARS,
    MAX_TRANSCRIPT_BYTES,
    MAX_TRANSCRIPT_CONVERSATIONS,
    MAX_TRANSCRIPT_LINE_BYTES,
    MAX_TRANSCRIPT_LINES,
)
from vitrail.ports import Ids
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.records import (
    ArtifactPart,
    Conversation,
    FormAnswersPart,
    FormPart,
    Message,
    Part,
    Run,
)
from vitrail.protocol.transcript import Carried, ToldConversation, ToldMessage
from vitrail.workflow.projects import one_line
from vitrail.workflow.transcript_parts import is_digest, read_parts

__all__ = ["TranscriptReader", "spooled_records"]

_MAX_FINDINGS: Final = 20
"""Of a transcript with wrong lines, how many are named."""
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


class _Row(msgspec.Struct):
    """One record that waits for the transaction; its models are JSON of their own."""

    conversation: msgspec.Raw = msgspec.Raw()
    message: msgspec.Raw = msgspec.Raw()
    run: msgspec.Raw = msgspec.Raw()
    carried: Carried | None = None


_rows: Final = msgspec.json.Decoder(_Row)


@dataclass(slots=True)
class _Open:
    """A conversation of the file that messages may follow."""

    id: str
    position: int = -1


@dataclass(slots=True)
class _Pending:
    """A record whose carried lines are not known until the next one comes."""

    told: ToldConversation | ToldMessage
    carried: Carried
    size: int = 0
    """Bytes of the lines that it carries."""


@dataclass(slots=True)
class TranscriptReader:
    """Reads the lines of one transcript into records with ids of their own."""

    project_id: str
    ids: Ids
    now: str
    conversations: list[Conversation] = field(default_factory=list)
    messages: int = 0
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _open: dict[str, _Open] = field(default_factory=dict)
    _forms: dict[str, str] = field(default_factory=dict)
    _pending: _Pending | None = None
    _header: HeaderLine | None = None
    _errors: list[InvalidInput] = field(default_factory=list)

    def read(self, source: BinaryIO, spool: BinaryIO) -> None:
        """Judge every line of the source, and put what they say into the spool."""
        digest = hashlib.sha256()
        for number, line in _lines(source):
            if number > 1:
                digest.update(line)
            if not line.strip():
                continue
            try:
                self._take(line, number, spool)
            except InvalidInput as error:
                self._errors.append(error)
                is_lost = self._header is None or error.code != "transcript-invalid"
                if is_lost or len(self._errors) >= _MAX_FINDINGS:
                    break
        self._finish(digest.hexdigest(), spool)
        spool.flush()
        spool.seek(0)

    def _take(self, data: bytes, number: int, spool: BinaryIO) -> None:
        line = read_line(data, 1 if self._header is None else max(number, 2))
        match line:
            case HeaderLine():
                self._take_header(line)
            case ConversationLine():
                self._put(spool)
                self._take_conversation(line, number)
            case MessageLine():
                self._put(spool)
                self._take_message(line, number)
            case OtherLine(value):
                self._carry(value, len(data), number)

    def _take_header(self, line: HeaderLine) -> None:
        self._header = line
        if line.unknown:
            names = ", ".join(sorted(repr(name[:40]) for name in line.unknown)[:10])
            self._note(
                "transcript-header-fields",
                f"The header says more than this version knows ({names}). It belongs "
                "to the file and not to a conversation, so it was not kept.",
            )

    def _take_conversation(self, line: ConversationLine, number: int) -> None:
        if line.id in self._open:
            raise line_error(number, "a second conversation of this id.")
        if len(self._open) >= MAX_TRANSCRIPT_CONVERSATIONS:
            raise _too_large(
                f"has more than {MAX_TRANSCRIPT_CONVERSATIONS} conversations"
            )
        conversation = Conversation(
            id=self.ids.new(),
            project_id=self.project_id,
            title=one_line(line.title)[:MAX_TITLE_CHARS],
            created_at=line.created_at,
            updated_at=line.updated_at,
        )
        self._open[line.id] = _Open(conversation.id)
        self.conversations.append(conversation)
        _check_carried(line.carried, number)
        self._pending = _Pending(ToldConversation(conversation), line.carried)

    def _take_message(self, line: MessageLine, number: int) -> None:
        conversation = self._open.get(line.conversation_id)
        if conversation is None:
            raise line_error(
                number, "its conversationId is of no conversation above it."
            )
        if line.position <= conversation.position:
            raise line_error(
                number,
                f"position {line.position} does not come after "
                f"{conversation.position}; messages are told in their order.",
            )
        conversation.position = line.position
        parts, chars, kept = read_parts(line, number)
        identity = self.ids.new()
        if any(isinstance(part, FormPart) for part in parts):
            self._forms[line.id] = identity
        run, carried = self._run(line, number, conversation.id, identity)
        message = Message(
            id=identity,
            conversation_id=conversation.id,
            role="user" if line.role == "user" else "assistant",
            parts=tuple(self._settled(part) for part in parts),
            chars=chars,
            run_id=None if run is None else run.id,
            created_at=line.created_at,
        )
        carried = {**line.carried, **carried, **({"parts": kept} if kept else {})}
        _check_carried(carried, number)
        self.messages += 1
        self._pending = _Pending(ToldMessage(message, run), carried)

    def _run(
        self, line: MessageLine, number: int, conversation_id: str, message_id: str
    ) -> tuple[Run | None, Carried]:
        """Return the run of a message, and what the line says of both besides."""
        ours = dict(line.ours or {})
        for name in ("parts", "chars"):
            ours.pop(name, None)
        told = ours.pop("run", None)
        carried: Carried = {"vitrail": ours} if ours else {}
        if told is None:
            return None, carried
        if not isinstance(told, dict):
            raise line_error(number, "its run has to be an object.")
        names = {info.alias or name for name, info in Run.model_fields.items()}
        more = {name: value for name, value in told.items() if name not in names}
        value = {name: said for name, said in told.items() if name in names}
        value |= {
            "id": self.ids.new(),
            "projectId": self.project_id,
            "conversationId": conversation_id,
            "messageId": message_id,
        }
        try:
            run = Run.model_validate(value)
        except ValidationError:
            raise line_error(number, "its run does not fit.") from None
        run = _settled_run(run, number)
        if run.state == "running":
            # nobody here writes it any more
            at = self._header.exported_at if self._header else None
            ended = {"state": "interrupted", "reason": "interrupted"}
            run = run.model_copy(update={**ended, "ended_at": at or self.now})
        return run, {**carried, **({"run": more} if more else {})}

    def _settled(self, part: Part) -> Part:
        """Return a part as it is in its new place: nothing streams there."""
        match part:
            case ArtifactPart(state="streaming"):
                return part.model_copy(update={"state": "cut", "reason": "failed"})
            case FormAnswersPart():
                form = self._forms.get(part.message_id, part.message_id)
                return part.model_copy(update={"message_id": form})
            case _:
                return part

    def _carry(self, value: dict[str, Any], size: int, number: int) -> None:
        """Keep a line of an unknown kind with the record that it follows."""
        pending = self._pending
        if pending is None:
            self._note(
                "transcript-line-dropped",
                f"Line {number} is of a kind that is not known here, and of no "
                "conversation, so it was not kept.",
            )
            return
        pending.size += size
        if pending.size > MAX_CARRIED_BYTES:
            raise line_error(
                number, "more lines of unknown kinds follow one record than are kept."
            )
        pending.carried.setdefault("lines", []).append(value)

    def _put(self, spool: BinaryIO) -> None:
        """Write the record whose lines are all known now."""
        pending, self._pending = self._pending, None
        if pending is None:
            return
        carried = pending.carried or None
        row: dict[str, Any]
        match pending.told:
            case ToldConversation(conversation):
                row = {"conversation": _raw(conversation), "carried": carried}
            case ToldMessage(message, run):
                row = {"message": _raw(message), "carried": carried}
                if run is not None:
                    row["run"] = _raw(run)
        spool.write(msgspec.json.encode(row) + b"\n")

    def _finish(self, digest: str, spool: BinaryIO) -> None:
        if not self._errors and self._header is None:
            self._errors.append(
                InvalidInput(
                    "The file is empty; a transcript begins with its header.",
                    code="transcript-invalid",
                    line=1,
                )
            )
        if self._errors:
            raise _together(self._errors)
        self._put(spool)
        header = self._header
        if header is not None:
            self._check_whole(header, digest)

    def _check_whole(self, header: HeaderLine, digest: str) -> None:
        """Refuse a file that lost lines, or was changed, on its way."""
        counted = (
            ("conversations", header.conversations, len(self.conversations)),
            ("messages", header.messages, self.messages),
        )
        for name, told, found in counted:
            if told is not None and told != found:
                raise InvalidInput(
                    f"The header tells of {told} {name}, the file has {found}: lines "
                    "are missing, or there are too many. Nothing was imported. Get the "
                    "file again.",
                    code="transcript-incomplete",
                )
        if header.sha256 is not None and header.sha256 != digest:
            raise InvalidInput(
                "The lines are not those that were exported: the file was changed "
                "since. Nothing was imported. Get it again, or take sha256 out of its "
                "first line to import it as it is.",
                code="transcript-incomplete",
            )

    def _note(self, code: str, message: str) -> None:
        if len(self.diagnostics) < _MAX_FINDINGS:
            self.diagnostics.append(Diagnostic(code, "warning", message))


def _settled_run(run: Run, number: int) -> Run:
    """Return the run with its times as they are stored; what others rely on is checked."""
    if not all(is_digest(file.digest) for file in run.shown):
        raise line_error(number, "its run was shown a file without a digest.")
    started = read_time(run.started_at, "the run's startedAt", number)
    ended = run.ended_at
    if ended is not None:
        ended = read_time(ended, "the run's endedAt", number)
    return run.model_copy(update={"started_at": started, "ended_at": ended})


def _lines(source: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the lines with their numbers, from 1; no more is read than may be."""
    read = 0
    number = 0
    while line := source.readline(MAX_TRANSCRIPT_LINE_BYTES + 1):
        number += 1
        read += len(line)
        if len(line) > MAX_TRANSCRIPT_LINE_BYTES:
            words = f"has more than {MAX_TRANSCRIPT_LINE_BYTES} bytes in line {number}"
            raise _too_large(words)
        if read > MAX_TRANSCRIPT_BYTES:
            raise _too_large(f"has more than {MAX_TRANSCRIPT_BYTES} bytes")
        if number > MAX_TRANSCRIPT_LINES:
            raise _too_large(f"has more than {MAX_TRANSCRIPT_LINES} lines")
        yield number, line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line


def _too_large(what: str) -> InvalidInput:
    return InvalidInput(
        f"The transcript {what}, so nothing was imported. Export its conversations one "
        "by one.",
        code="payload-too-large",
    )


def _check_carried(carried: Carried, number: int) -> None:
    if carried and len(msgspec.json.encode(carried)) > MAX_CARRIED_BYTES:
        raise line_error(
            number,
            f"it says more than {MAX_CARRIED_BYTES} bytes that this version has no "
            "field for.",
        )


def _together(errors: list[InvalidInput]) -> InvalidInput:
    """Return one error for all lines that are wrong."""
    first = errors[0]
    if len(errors) == 1 or first.code != "transcript-invalid":
        words = f"{first.message} Nothing was imported."
    else:
        others = [str(error.details.get("line")) for error in errors[1:]]
        more = "Line {} is" if len(others) == 1 else "Lines {} are"
        told = more.format(", ".join(others))
        words = f"{first.message} {told} wrong too. Nothing was imported."
    found = tuple(Diagnostic(error.code, "error", error.message) for error in errors)
    return InvalidInput(words, code=first.code, **first.details, diagnostics=found)


def _raw(model: Conversation | Message | Run) -> msgspec.Raw:
    return msgspec.Raw(model.model_dump_json().encode())


def spooled_records(spool: BinaryIO) -> Iterator[ToldConversation | ToldMessage]:
    """Yield the records that a reader put into the spool, in their order."""
    for line in spool:
        row = _rows.decode(line)
        if row.conversation:
            conversation = Conversation.model_validate_json(bytes(row.conversation))
            yield ToldConversation(conversation, row.carried)
        else:
            run = Run.model_validate_json(bytes(row.run)) if row.run else None
            message = Message.model_validate_json(bytes(row.message))
            yield ToldMessage(message, run, row.carried)
