"""Events: what a parsed stream and a run are made of, as they are on the wire.

Strategy: frozen msgspec structs without garbage-collector tracking, since a
long reply makes hundreds of thousands of them. Each class is one ``type``;
`encode_event` and `decode_event` are the only codec. A type that this version
does not know is carried as `UnknownEvent`, never an error.

Spans are half-open ``[start, end)`` in code points of the whole message. Of a
start and an end they cover the tag, of reasoning its text and its tags, of a
diagnostic what it points at; a body lies between its two tags.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from vitrail.protocol.diagnostics import Diagnostic, Severity, Span
from vitrail.protocol.losses import Lost

__all__ = [
    "PARSE_EVENTS",
    "RUN_EVENTS",
    "ArtifactChunk",
    "ArtifactEnd",
    "ArtifactPointer",
    "ArtifactQuarantined",
    "ArtifactRefused",
    "ArtifactSaved",
    "ArtifactStart",
    "ConversationChanged",
    "DiagnosticFound",
    "DirectiveFound",
    "EmbedFound",
    "EndReason",
    "ErrorRaised",
    "Event",
    "FileChanged",
    "FileMoved",
    "FileRemoved",
    "FormAnswers",
    "MessageAdded",
    "ParseEvent",
    "ProjectChanged",
    "QuarantineResolved",
    "QuestionForm",
    "Reasoning",
    "Recovery",
    "RunEnd",
    "RunEndReason",
    "RunEvent",
    "RunStart",
    "ShownFile",
    "Suppressed",
    "Text",
    "UnknownEvent",
    "Usage",
    "decode_event",
    "encode_event",
]

EndReason: TypeAlias = Literal[
    "closed", "unclosed", "stopped", "failed", "limit", "self-closed", "unjoined"
]
"""Why an artifact ended: its close tag, the end of the text, a stop, a failure, a limit.

``unjoined``: it was continued, and nothing shows that the continuation fits."""

RunEndReason: TypeAlias = Literal["done", "length", "stopped", "failed", "interrupted"]
"""``interrupted``: the server went away in the middle of the run."""

Recovery: TypeAlias = Literal[
    "unclosed-fence", "document-before-remark", "bare-document", "fenced-document"
]
"""How an artifact that only the end of the text could tell was found."""

_Rename = "camel"


class _Event(Struct, frozen=True, gc=False, rename=_Rename, tag_field="type"):
    """Base of every event; the class's tag is its ``type`` on the wire."""


class Text(_Event, frozen=True, gc=False, tag="text"):
    """Text for the reader."""

    delta: str


class Reasoning(_Event, frozen=True, gc=False, tag="reasoning"):
    """A piece of the model's thinking: shown folded, never an artifact."""

    delta: str
    span: Span


class ArtifactStart(_Event, frozen=True, gc=False, tag="artifact:start"):
    """An artifact began; its body follows in chunks."""

    artifact: int
    """0-based ordinal in the message."""
    identifier: str
    artifact_type: str
    """The tag's ``type``, as written."""
    title: str
    attributes: dict[str, str]
    """All attributes of the tag, the three above included, entities decoded."""
    recovered: Recovery | None
    span: Span


class ArtifactChunk(_Event, frozen=True, gc=False, tag="artifact:chunk"):
    """A piece of an artifact's body."""

    artifact: int
    identifier: str
    delta: str


class ArtifactEnd(_Event, frozen=True, gc=False, tag="artifact:end"):
    """An artifact ended; every start has exactly one."""

    artifact: int
    identifier: str
    complete: bool
    """True if the body is whole."""
    reason: EndReason
    length: int
    """Code points of the body."""
    sha256: str
    """Lower-case hex digest of the UTF-8 body."""
    span: Span


class QuestionForm(_Event, frozen=True, gc=False, tag="question_form"):
    """A question form, complete or as far as it has been read."""

    form: dict[str, Any]
    complete: bool
    span: Span


class EmbedFound(_Event, frozen=True, gc=False, tag="embed"):
    """A rendered view to place here; by reference or by address."""

    ref: str | None
    url: str | None
    title: str | None
    height: int | None
    """px"""
    span: Span


class DirectiveFound(_Event, frozen=True, gc=False, tag="directive"):
    """A delivery directive that was taken out of the text."""

    name: Literal[
        "reply_to_current",
        "reply_to",
        "audio_as_voice",
        "react",
        "react_to_current",
        "media",
        "silent",
    ]
    value: str | None
    span: Span


class Suppressed(_Event, frozen=True, gc=False, tag="suppressed"):
    """An internal tag that leaked from an agent and is not shown."""

    name: str
    chars: int
    span: Span


class DiagnosticFound(_Event, frozen=True, gc=False, tag="diagnostic"):
    """Something malformed, with the place it is at."""

    code: str
    severity: Severity
    span: Span
    message: str


class ShownFile(Struct, frozen=True, gc=False, rename=_Rename):
    """One file of the project as the model was told about it."""

    path: str
    digest: str
    shown: Literal["text", "summary"]
    """Its text, or one line about it."""


class RunStart(_Event, frozen=True, gc=False, tag="run:start"):
    """A run began."""

    run_id: str
    message_id: str
    """The assistant's message that this run writes."""
    agent: str
    model: str | None
    shown: tuple[ShownFile, ...] = ()


class RunEnd(_Event, frozen=True, gc=False, tag="run:end"):
    """A run ended; every start has exactly one."""

    reason: RunEndReason


class Usage(_Event, frozen=True, gc=False, tag="usage"):
    """Tokens, as far as the provider told them."""

    input_tokens: int | None
    output_tokens: int | None


class ArtifactSaved(_Event, frozen=True, gc=False, tag="artifact:saved"):
    """An artifact's body became a revision of a file."""

    artifact: int | None
    """Ordinal in the message; none for a write that no message made."""
    identifier: str
    path: str
    kind: str
    digest: str
    revision: str
    number: int
    """1-based number of the revision in its file's history."""
    status: Literal["streaming", "complete", "error"]
    diagnostics: tuple[Diagnostic, ...] = ()
    """What was fixed, merged or lost on the way."""
    lost: tuple[Lost, ...] = ()
    """What the file had and the new text has not; spans are of the revision before."""


class ArtifactQuarantined(_Event, frozen=True, gc=False, tag="artifact:quarantined"):
    """A suspicious replacement was kept beside the good file."""

    artifact: int | None
    identifier: str
    path: str
    """Of the draft."""
    revision: str
    """Of the draft."""
    diagnostics: tuple[Diagnostic, ...]
    reason: str = "changed-since-shown"
    """`QuarantineReason`."""
    lost: tuple[Lost, ...] = ()
    """What the good file has and the draft has not."""
    draft_of: str = ""
    """Path of the good file; empty where an older version stored the event."""
    quarantine: str | None = None
    """Id to accept or drop the draft by."""


class ArtifactRefused(_Event, frozen=True, gc=False, tag="artifact:refused"):
    """An artifact's body was not saved; the diagnostics say why."""

    artifact: int | None
    identifier: str
    diagnostics: tuple[Diagnostic, ...]


class ArtifactPointer(_Event, frozen=True, gc=False, tag="artifact:pointer"):
    """A body only pointed at a file that is there; that is opened, nothing was saved."""

    artifact: int | None
    identifier: str
    path: str


class ErrorRaised(_Event, frozen=True, gc=False, tag="error"):
    """The world failed in the middle of a run."""

    code: str
    message: str
    retryable: bool


class FormAnswers(Struct, frozen=True, gc=False, rename=_Rename):
    """What a person answered to a question form, beside the text that tells it."""

    message_id: str
    """The message whose form it is."""
    form_id: str
    answers: dict[str, str | tuple[str, ...] | None]
    """Of every question, by its id: a text, or texts where several may be given;
    none where it was skipped."""


class MessageAdded(_Event, frozen=True, gc=False, tag="message:added"):
    """A message of the person was added to a conversation."""

    message_id: str
    role: Literal["user", "assistant"]
    text: str
    answers: FormAnswers | None = None
    """Of a message that answers a question form."""


class ProjectChanged(_Event, frozen=True, gc=False, tag="project:changed"):
    """A project was made, renamed or deleted."""

    change: Literal["created", "updated", "deleted"]
    title: str


class ConversationChanged(_Event, frozen=True, gc=False, tag="conversation:changed"):
    """A conversation was made, renamed or deleted."""

    change: Literal["created", "updated", "deleted"]
    """``created``: it begins without messages, all of them will be told. One that came
    in with its messages is ``updated``."""
    title: str


class FileChanged(_Event, frozen=True, gc=False, tag="file:changed"):
    """A file of the project has a new head revision, or is gone."""

    path: str
    digest: str | None
    """None: the file is gone."""
    revision: str | None
    author: Literal["model", "person", "refresh", "outside", "restore"]


class FileRemoved(_Event, frozen=True, gc=False, tag="file:removed"):
    """A file of the project is gone, its manifest with it; its revisions are kept."""

    path: str


class FileMoved(_Event, frozen=True, gc=False, tag="file:moved"):
    """A file of the project has another name; its manifest went with it."""

    source: str = msgspec.field(name="from")
    target: str = msgspec.field(name="to")
    revision: str
    """First revision of the new name."""


class QuarantineResolved(_Event, frozen=True, gc=False, tag="quarantine:resolved"):
    """A draft that was kept beside a good file was taken or dropped."""

    id: str
    outcome: Literal["accepted", "dropped", "replaced"]
    """``replaced``: a newer draft of the same file took its place."""


class UnknownEvent(Struct, frozen=True, gc=False):
    """An event of a type that this version does not know, carried unread."""

    type: str
    raw: bytes
    """The whole event as JSON."""


ParseEvent: TypeAlias = (
    Text
    | Reasoning
    | ArtifactStart
    | ArtifactChunk
    | ArtifactEnd
    | QuestionForm
    | EmbedFound
    | DirectiveFound
    | Suppressed
    | DiagnosticFound
)
RunEvent: TypeAlias = (
    RunStart
    | RunEnd
    | Usage
    | ArtifactSaved
    | ArtifactQuarantined
    | ArtifactRefused
    | ArtifactPointer
    | ErrorRaised
    | MessageAdded
    | ProjectChanged
    | ConversationChanged
    | FileChanged
    | FileRemoved
    | FileMoved
    | QuarantineResolved
)
Event: TypeAlias = ParseEvent | RunEvent
"""Any event that this version knows."""

PARSE_EVENTS: Final = (
    Text,
    Reasoning,
    ArtifactStart,
    ArtifactChunk,
    ArtifactEnd,
    QuestionForm,
    EmbedFound,
    DirectiveFound,
    Suppressed,
    DiagnosticFound,
)
"""The classes a parser emits, in the order of the documentation."""

RUN_EVENTS: Final = (
    RunStart,
    RunEnd,
    Usage,
    ArtifactSaved,
    ArtifactQuarantined,
    ArtifactRefused,
    ArtifactPointer,
    ErrorRaised,
    MessageAdded,
    ProjectChanged,
    ConversationChanged,
    FileChanged,
    FileRemoved,
    FileMoved,
    QuarantineResolved,
)
"""The classes that a run and the store add."""


class _Head(Struct, frozen=True, gc=False):
    type: Annotated[str, Meta(min_length=1)]


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)
_head_decoder = msgspec.json.Decoder(_Head)
_TYPES: Final = frozenset(
    cls.__struct_config__.tag for cls in (*PARSE_EVENTS, *RUN_EVENTS)
)


def encode_event(event: Event | UnknownEvent) -> bytes:
    """Return the event as compact UTF-8 JSON.

    >>> encode_event(Text("hi"))
    b'{"type":"text","delta":"hi"}'
    """
    if isinstance(event, UnknownEvent):
        return event.raw
    return _encoder.encode(event)


def decode_event(data: bytes) -> Event | UnknownEvent:
    """Return the event that the JSON says; an unknown type is carried unread.

    Raises ``ValueError`` where the JSON is not an event at all, or where an
    event of a known type has wrong fields.

    >>> decode_event(b'{"type":"text","delta":"hi"}')
    Text(delta='hi')
    >>> decode_event(b'{"type":"later","x":1}').type
    'later'
    """
    kind = _head_decoder.decode(data).type
    if kind not in _TYPES:
        return UnknownEvent(type=kind, raw=bytes(data))
    return _decoder.decode(data)
