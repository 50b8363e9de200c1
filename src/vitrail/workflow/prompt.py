"""Prompts: what a model is shown before it answers.

Strategy: everything comes from the store and the disk as they are now, never
from what the chat says about them. One system message holds the instructions
and the project (its files, the open one's text); then comes the conversation,
in which an artifact that was saved is one line. Whatever a person, a model or
a file wrote is data here: names are quoted, bodies are fenced by more
backticks than they hold, lines that look like a role's heading are escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from vitrail.core.parse.forms import format_answers_block
from vitrail.core.parse.overlap import SEEN_CHARS
from vitrail.core.parse.views import (
    Evidence,
    escape_roles,
    quoted,
    segments_of_parts,
    shorten,
    summarize_for_transcript,
    summary_line,
)
from vitrail.errors import NotFound
from vitrail.limits import MAX_PROMPT_CHARS, MAX_SHOWN_ARTIFACT_CHARS
from vitrail.ports import PromptMessage, Store
from vitrail.protocol.records import (
    ArtifactPart,
    ErrorPart,
    FileInfo,
    FormAnswersPart,
    Message,
    Part,
    QuarantineRecord,
    Shown,
    TextPart,
)

__all__ = [
    "BuiltPrompt",
    "PromptRequest",
    "build_prompt",
    "continuation_text",
    "conversation_title",
    "fenced",
]

_MAX_LISTED_FILES: Final = 200
"""Files that are named one by one; the rest is counted."""

_MAX_OLD_MESSAGE_CHARS: Final = MAX_PROMPT_CHARS // 8
"""Of one earlier message, what is shown; the middle is left out."""

_KEPT_BESIDE: Final = (
    "These texts were not put onto their files, which are as they were before. The "
    "person decides about each. If one was not meant so, write the whole file again, "
    "with what is named as gone:"
)

_MAX_TOLD_DRAFTS: Final = 20
"""Drafts that are named one by one; the rest is counted."""

_MAX_TOLD_LOSSES: Final = 30
"""Of one draft, what is named; a model needs no more to write them again."""

_MAX_NAME_CHARS: Final = 60
"""Length of a conversation's name that is made from its first message."""

_SHORT_DIGEST_CHARS: Final = 12
_ANSWERED_ANEW: Final = "\n[this form was answered anew later; those answers count]"


@dataclass(frozen=True, slots=True)
class PromptRequest:
    """What one turn is about."""

    project_id: str
    conversation_id: str
    text: str
    """The person's new message, which is not stored yet."""
    system: str
    """The instructions that teach the protocol."""
    open_path: str | None = None
    """The file that the person has open."""
    answers: FormAnswersPart | None = None
    """What the text tells of a question form, as values."""
    reads_files: bool = False
    """Whether the agent reads the project itself; then no text is shown."""


@dataclass(frozen=True, slots=True)
class BuiltPrompt:
    """What the model is sent, and which files it was told about."""

    messages: tuple[PromptMessage, ...]
    """``system`` first, then turns of ``user`` and ``assistant``, ``user`` last."""
    shown: tuple[Shown, ...]


async def build_prompt(store: Store, request: PromptRequest) -> BuiltPrompt:
    """Return the prompt for a turn, from the state of the project now."""
    files = await store.files(request.project_id)
    history, _ = await store.messages(request.conversation_id)
    open_file = _open_file(request.open_path, files, history)
    open_text = None
    if open_file is not None and not request.reads_files:
        open_text = await _text_of(store, request.project_id, open_file)
    is_open = open_file is not None and open_file.path == request.open_path
    listed = files[:_MAX_LISTED_FILES]
    system = "\n\n".join(
        section
        for section in (
            request.system.strip(),
            _project_section(listed, len(files), open_file if is_open else None),
            _open_section(open_file, open_text, is_open=is_open),
            _drafts_section(await store.quarantined(request.project_id)),
        )
        if section
    )
    told = [_as_prompt(message, files) for message in _last_answers(history, request)]
    messages = _within_limit(system, told, _with_answers(request.text, request.answers))
    is_whole = open_text is not None and len(open_text) <= MAX_SHOWN_ARTIFACT_CHARS
    shown = tuple(
        Shown(
            path=file.path,
            digest=file.digest,
            shown="text" if is_whole and file == open_file else "summary",
        )
        for file in listed
    )
    return BuiltPrompt(messages, shown)


def conversation_title(text: str) -> str:
    r"""Return a name for a conversation from its first message.

    >>> conversation_title("\n  A landing   page\nfor a bakery")
    'A landing page'
    """
    line = next((line for line in text.splitlines() if line.strip()), "")
    words = " ".join(line[: 4 * _MAX_NAME_CHARS].split())
    if len(words) <= _MAX_NAME_CHARS:
        return words or "New conversation"
    cut = words[:_MAX_NAME_CHARS]
    return f"{cut.rsplit(' ', 1)[0]}…"


def continuation_text(part: ArtifactPart) -> str:
    """Return what a model is told that is to continue an artifact which was cut."""
    end = part.text[-SEEN_CHARS:]
    name = quoted(part.title or part.identifier or "artifact")
    return (
        f"The artifact {name} was cut off by the length limit after {len(part.text)} "
        f"characters. These are its last {len(end)}:\n\n{fenced(end)}\n\n"
        "Go on with it. First repeat its last two lines exactly as they stand there, as "
        "far as they go, so that it can be seen where your text fits; then write "
        "everything that is missing up to the end, and close it with </artifact>. Write "
        "no open tag, no code fence and nothing in front of it."
    )


# --- text that cannot forge structure -----------------------------------


def fenced(text: str, language: str = "") -> str:
    """Return the text in a fence that nothing in it can close."""
    longest = run = 0
    for part in text.split("`")[1:-1]:
        run = run + 1 if not part else 0
        longest = max(longest, run)
    ticks = "`" * max(3, longest + 2)
    line_break = "" if text.endswith("\n") else "\n"
    return f"{ticks}{language}\n{text}{line_break}{ticks}"


# --- the project --------------------------------------------------------


def _project_section(
    listed: Sequence[FileInfo], count: int, open_file: FileInfo | None
) -> str:
    if not listed:
        return "# The project\n\nThe project has no files yet."
    lines = [_file_line(file, is_open=file == open_file) for file in listed]
    if count > len(listed):
        lines.append(f"- and {count - len(listed)} more files")
    return "\n".join(["# The project", "", "Files on disk now:", "", *lines])


def _file_line(file: FileInfo, *, is_open: bool) -> str:
    facts = [
        file.manifest.kind if file.manifest else file.media_type,
        f"{file.size} bytes",
        f"sha256 {file.digest[:_SHORT_DIGEST_CHARS]}",
    ]
    identifier = _identifier_of(file)
    if identifier:
        facts.append(f"identifier {quoted(identifier)}")
    if file.manifest and file.manifest.status != "complete":
        facts.append("incomplete")
    draft_of = ((file.manifest.metadata or {}) if file.manifest else {}).get("draftOf")
    if isinstance(draft_of, str):
        facts.append(f"a draft of {quoted(draft_of)}")
    if is_open:
        facts.append("open now")
    return f"- {quoted(file.path)}: {', '.join(facts)}"


def _identifier_of(file: FileInfo) -> str | None:
    metadata = file.manifest.metadata if file.manifest else None
    identifier = (metadata or {}).get("identifier")
    return identifier if isinstance(identifier, str) else None


def _open_file(
    path: str | None, files: Sequence[FileInfo], history: Sequence[Message]
) -> FileInfo | None:
    """Return the file the person looks at, or the one the conversation last saved."""
    by_path = {file.path: file for file in files}
    if path is not None and path in by_path:
        return by_path[path]
    for message in reversed(history):
        for part in reversed(message.parts):
            if isinstance(part, ArtifactPart) and part.saved:
                return by_path.get(part.saved.path)
    return None


async def _text_of(store: Store, project_id: str, file: FileInfo) -> str | None:
    try:
        content, _ = await store.read_file(project_id, file.path)
        return content.decode()
    except (NotFound, UnicodeDecodeError):
        return None  # gone since it was listed, or no text: its line says enough


def _open_section(file: FileInfo | None, text: str | None, *, is_open: bool) -> str:
    if file is None or text is None:
        return ""
    shown = text[:MAX_SHOWN_ARTIFACT_CHARS]
    extent = (
        "This is its whole text"
        if shown == text
        else f"These are its first {len(shown)} of {len(text)} characters"
    )
    language = file.path.rsplit(".", 1)[-1] if "." in file.path else ""
    language = language if language.isascii() and language.isalnum() else ""
    heading, which = (
        ("# The open file", "is open in front of the person")
        if is_open
        else ("# The latest file", "is what this conversation saved last")
    )
    return (
        f"{heading}\n\n{quoted(file.path)} {which}. "
        f"{extent}, as it is on disk now (sha256 {file.digest}); it may differ from "
        f"what was said before.\n\n{fenced(shown, language)}"
    )


def _drafts_section(drafts: Sequence[QuarantineRecord]) -> str:
    """Return what was kept beside its file, and why, for the model to do better."""
    if not drafts:
        return ""
    lines = [_draft_line(record) for record in drafts[:_MAX_TOLD_DRAFTS]]
    if len(drafts) > len(lines):
        lines.append(f"- and {len(drafts) - len(lines)} more drafts")
    return "\n".join(
        [
            "# Kept beside, not saved",
            "",
            _KEPT_BESIDE,
            "",
            *lines,
        ]
    )


def _draft_line(record: QuarantineRecord) -> str:
    found = "; ".join(
        f"{item.code}: {' '.join(item.message.split())}"
        for item in record.diagnostics
        if item.code != "content-lost"
    )
    said = f"- {quoted(record.path)} stays; the draft is {quoted(record.draft)}"
    if record.identifier:
        said += f", identifier {quoted(record.identifier)}"
    said += f". {found or record.reason}"
    if record.lost:
        gone = [
            f"{one.what} {quoted(one.name)}" for one in record.lost[:_MAX_TOLD_LOSSES]
        ]
        rest = len(record.lost) - len(gone)
        said += f" Gone in it: {', '.join(gone)}{f' and {rest} more' if rest else ''}."
    return said


# --- the conversation ---------------------------------------------------


def _last_answers(
    history: Sequence[Message], request: PromptRequest
) -> Sequence[Message]:
    """Return the messages with the last answers to each form; earlier ones are named."""
    given: set[tuple[str, str]] = set()
    if request.answers is not None:
        given.add((request.answers.message_id, request.answers.form_id))
    told: list[Message] = []
    for message in reversed(history):
        parts: list[Part] = []
        for part in message.parts:
            kept: Part = part
            if isinstance(part, FormAnswersPart):
                form = (part.message_id, part.form_id)
                kept = TextPart(text=_ANSWERED_ANEW) if form in given else part
                given.add(form)
            parts.append(kept)
        told.append(message.model_copy(update={"parts": tuple(parts)}))
    return told[::-1]


def _with_answers(text: str, answers: FormAnswersPart | None) -> str:
    """Return the text with the answers' values behind it."""
    if answers is None:
        return text
    return f"{text}\n\n{format_answers_block(answers.form_id, answers.answers)}"


def _as_prompt(message: Message, files: Sequence[FileInfo]) -> PromptMessage:
    paths = {file.path for file in files}
    pieces = (_as_text(part, paths, message.role) for part in message.parts)
    # escaped as a whole: no two parts put together make a line that passes for a turn
    text = escape_roles("".join(piece for piece in pieces if piece))
    if not text.strip():
        text = "[no reply came]" if message.role == "assistant" else "[empty message]"
    return PromptMessage(message.role, shorten(text, _MAX_OLD_MESSAGE_CHARS))


def _as_text(part: Part, paths: set[str], role: str) -> str:
    match part:
        case TextPart() if role == "user":
            return part.text
        case ArtifactPart():
            return _artifact_text(part, paths)
        case FormAnswersPart():
            return _with_answers("", part)
        case ErrorPart() if role == "assistant":
            return f"\n[the reply ended early: {part.code}]"
        case _:
            return summarize_for_transcript(segments_of_parts((part,)), ())


def _artifact_text(part: ArtifactPart, paths: set[str]) -> str:
    """Return one line for an artifact that was saved, the whole of one that was not.

    Where it was not saved this copy may be the only one there is.
    """
    (segment,) = segments_of_parts((part,))
    told = segment.raw
    if part.pointer is not None:
        path = quoted(part.pointer)
        told = f"[an artifact only pointed at project file {path}; nothing was saved]"
    elif part.saved is not None:
        path, digest = part.saved.path, part.saved.digest
        file = Evidence(path, part.identifier, digest, is_on_disk=path in paths)
        told = summary_line(segment, file)
    return told + "".join(
        f"\n[about that artifact: {item.severity} {item.code}: "
        f"{' '.join(item.message.split())}]"
        for item in part.diagnostics
    )


def _within_limit(
    system: str, history: Sequence[PromptMessage], text: str
) -> tuple[PromptMessage, ...]:
    """Return all messages, without the oldest where there is too much of them."""
    last = PromptMessage("user", escape_roles(text))
    room = MAX_PROMPT_CHARS - len(system) - len(last.content)
    kept: list[PromptMessage] = []
    for message in reversed(history):
        room -= len(message.content)
        if room < 0:
            break
        kept.append(message)
    kept.reverse()
    while kept and kept[0].role != "user":
        del kept[0]
    left_out = len(history) - len(kept)
    if left_out:
        system += (
            f"\n\n# Left out\n\nThe {left_out} oldest messages of this conversation "
            "are left out for length. Files on disk hold what they made."
        )
    return (PromptMessage("system", system), *_alternating(kept), last)


def _alternating(messages: Iterable[PromptMessage]) -> Iterable[PromptMessage]:
    """Yield the messages with neighbours of one role joined; many servers insist."""
    held: PromptMessage | None = None
    for message in messages:
        if held is None:
            held = message
        elif held.role == message.role:
            held = PromptMessage(held.role, f"{held.content}\n\n{message.content}")
        else:
            yield held
            held = message
    if held is not None:
        yield held
