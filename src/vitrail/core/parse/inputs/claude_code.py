"""The stream-json lines of Claude Code.

Strategy: a run is a sequence of messages, each named by its id. What a message
says may come twice: in partial events (`stream_event`), and whole in its
`assistant` lines, a block a line; the `result` at the end repeats the last
text once more. A whole block takes the oldest streamed block of its kind for
its own and tells what is missing of it. What agents below this one say
(`parent_tool_use_id`) is thinking; what they write is written.

Source: https://code.claude.com/docs/en/headless and the message types of
https://code.claude.com/docs/en/agent-sdk/typescript
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Literal, TypeAlias

from vitrail.core.parse.inputs.decoding import (
    Told,
    WireDecoder,
    index_of,
    list_of,
    mapping_of,
    objects_of,
    text_of,
)
from vitrail.core.parse.inputs.facts import (
    WireEnd,
    WireError,
    WireEvent,
    WireFolder,
    WireReasoning,
    WireText,
    WireToolArguments,
    WireToolEnd,
    WireToolResult,
    WireToolStart,
    WireTurn,
)
from vitrail.core.parse.inputs.failures import in_one_line
from vitrail.core.parse.inputs.framing import write_json
from vitrail.core.parse.inputs.messages import MessagesDecoder

__all__ = ["ClaudeCodeDecoder"]

_Kind: TypeAlias = Literal["text", "thinking"]

_SESSION_KEYS: Final = frozenset({"session_id", "sessionId", "uuid", "request_id"})

_MAX_AGENTS: Final = 256
"""Agents below the first one whose messages are followed at once."""

_RESULT_CHARS: Final = 10_000
"""Of a tool's result, what is looked at."""


@dataclass(slots=True)
class _Block:
    """A block that came in pieces."""

    kind: _Kind
    told: Told = field(default_factory=Told)


@dataclass(slots=True)
class _Speaker:
    """Who speaks: the agent, or one below it; and what its message has told."""

    is_below: bool
    decoder: MessagesDecoder = field(default_factory=MessagesDecoder)
    message: str = ""
    """Id of the message."""
    blocks: dict[int, _Block] = field(default_factory=dict)
    """Streamed blocks of the message, by index."""
    waiting: dict[_Kind, deque[_Block]] = field(default_factory=dict)
    """Those that no whole block has taken yet, by kind."""
    wholes: set[bytes] = field(default_factory=set)
    """Digests of the whole blocks that came."""
    calls: dict[str, str] = field(default_factory=dict)
    """Names among the facts by the decoder's names of calls."""

    def begin(self, message: str) -> None:
        """Begin another message."""
        self.message = message
        self.blocks, self.waiting = {}, {}
        self.wholes = set()


class ClaudeCodeDecoder(WireDecoder):
    r"""Reads the lines of ``claude -p --output-format stream-json``.

    >>> decoder = ClaudeCodeDecoder()
    >>> decoder.feed(
    ...     '{"type":"assistant","parent_tool_use_id":null,"message":{"id":"m",'
    ...     '"content":[{"type":"text","text":"Hi"}]}}\n'
    ... )
    [WireText(delta='Hi')]
    """

    format: ClassVar[str] = "Claude Code"

    def __init__(self, **limits: int) -> None:
        super().__init__(**limits)
        self._speakers: dict[str, _Speaker] = {}
        self._tools: dict[str, str] = {}  # names among the facts by tool-use id
        self._has_text = False
        self._has_turn = False

    def _read(self, value: Mapping[str, Any]) -> bool:
        match value.get("type"):
            case "stream_event":
                return self._read_partial(
                    self._speaker(value), mapping_of(value.get("event"))
                )
            case "assistant":
                self._read_assistant(
                    self._speaker(value), mapping_of(value.get("message"))
                )
            case "user":
                self._read_user(mapping_of(value.get("message")))
            case "result":
                self._read_result(value)
            case "system":
                if folder := text_of(value.get("cwd")):
                    self._facts.append(WireFolder(folder))
            case _:
                # Progress, limits, hooks: every line of a run names its session.
                return not _SESSION_KEYS.isdisjoint(value)
        return True

    def _speaker(self, line: Mapping[str, Any]) -> _Speaker:
        parent = text_of(line.get("parent_tool_use_id"))
        speaker = self._speakers.get(parent)
        if speaker is None:
            if len(self._speakers) > _MAX_AGENTS:
                self._speakers.pop(next(filter(None, self._speakers)))
            speaker = self._speakers[parent] = _Speaker(is_below=bool(parent))
        return speaker

    def _begin(self, speaker: _Speaker, message: str) -> None:
        speaker.begin(message)
        if not speaker.is_below:
            if self._has_turn:
                self._facts.append(WireTurn())
            self._has_turn = True

    # --- pieces ----------------------------------------------------------------

    def _read_partial(self, speaker: _Speaker, event: Mapping[str, Any]) -> bool:
        facts = speaker.decoder.read_object(event)
        if facts is None:
            return False
        index = index_of(event.get("index"))
        match event.get("type"):
            case "message_start":
                told_id = text_of(mapping_of(event.get("message")).get("id"))
                self._begin(speaker, told_id)
            case "content_block_start":
                kind = mapping_of(event.get("content_block")).get("type")
                if kind in ("text", "thinking"):
                    block = speaker.blocks[index] = _Block(kind)
                    speaker.waiting.setdefault(kind, deque()).append(block)
            case _:
                pass
        told = speaker.blocks.get(index)
        for fact in facts:
            self._pass_on(speaker, fact, told)
        return True

    def _pass_on(
        self, speaker: _Speaker, fact: WireEvent, block: _Block | None
    ) -> None:
        match fact:
            case WireText() | WireReasoning():
                if block is not None:
                    block.told.add(fact.delta)
                is_text = isinstance(fact, WireText)
                self._tell(speaker, "text" if is_text else "thinking", fact.delta)
            case WireToolStart():
                speaker.calls[fact.call] = self._begin_tool(fact.call, fact.name)
            case WireToolArguments():
                self._argue(speaker.calls.get(fact.call, ""), fact.delta)
            case WireToolEnd():
                self._end_call(speaker.calls.pop(fact.call, ""))
            case WireError() if not speaker.is_below:
                self.has_failed = True
                self._facts.append(fact)
            case WireTurn() | WireEnd():
                pass  # the messages' ids and the result tell them
            case _:
                pass  # the result tells the tokens of the whole run

    def _tell(self, speaker: _Speaker, kind: _Kind, text: str) -> None:
        if kind == "thinking" or speaker.is_below:
            self._think(text)
        else:
            self._has_text = self._has_text or bool(text)
            self._say(text)

    def _begin_tool(self, tool_id: str, name: str) -> str:
        call = self._start_call(tool_id, name)
        self._tools.setdefault(tool_id, call)
        return call

    # --- wholes ----------------------------------------------------------------

    def _read_assistant(self, speaker: _Speaker, message: Mapping[str, Any]) -> None:
        told_id = text_of(message.get("id"))
        if not told_id or told_id != speaker.message:
            self._begin(speaker, told_id)
        content = message.get("content")
        if isinstance(content, str):
            self._read_whole(speaker, "text", content)
        for block in objects_of(content):
            match block.get("type"):
                case "text":
                    self._read_whole(speaker, "text", text_of(block.get("text")))
                case "thinking":
                    self._read_whole(
                        speaker, "thinking", text_of(block.get("thinking"))
                    )
                case "tool_use" | "server_tool_use" | "mcp_tool_use":
                    self._read_tool(block)
                case _:
                    pass

    def _read_whole(self, speaker: _Speaker, kind: _Kind, whole: str) -> None:
        digest = _digest(kind, whole)
        if not whole or digest in speaker.wholes:
            return
        speaker.wholes.add(digest)
        block = self._oldest(speaker, kind)
        rest = whole if block is None else block.told.rest(whole)
        if rest is None:
            self._note(
                "repeated-text-differs",
                "warning",
                "A message repeats a text, and not as it had come before; what came "
                "before is kept.",
            )
        elif rest:
            self._tell(speaker, kind, rest)

    def _oldest(self, speaker: _Speaker, kind: _Kind) -> _Block | None:
        """Return the oldest streamed block that no whole one has taken, and take it."""
        waiting = speaker.waiting.get(kind)
        while waiting:
            block = waiting.popleft()
            if block.told:  # whole blocks are never empty
                return block
        return None

    def _read_tool(self, block: Mapping[str, Any]) -> None:
        tool_id = text_of(block.get("id"))
        if tool_id and tool_id in self._tools:
            return
        call = self._begin_tool(
            tool_id or f"call-{len(self._calls)}", text_of(block.get("name"))
        )
        self._argue(call, write_json(block.get("input") or {}))
        self._end_call(call)

    # --- what comes back ---------------------------------------------------------

    def _read_user(self, message: Mapping[str, Any]) -> None:
        for block in objects_of(message.get("content")):
            tool_id = text_of(block.get("tool_use_id"))
            if block.get("type") == "tool_result" and tool_id in self._tools:
                self._facts.append(
                    WireToolResult(
                        self._tools[tool_id],
                        block.get("is_error") is True,
                        in_one_line(_words(block.get("content"))),
                    )
                )

    def _read_result(self, line: Mapping[str, Any]) -> None:
        usage = mapping_of(line.get("usage"))
        self._usage(usage.get("input_tokens"), usage.get("output_tokens"))
        text = text_of(line.get("result"))
        subtype = text_of(line.get("subtype"))
        if line.get("is_error") is True or subtype.startswith("error"):
            words = text or _words(line.get("errors")) or subtype
            self._fail({"type": subtype, "message": words})
            self._stop("failed")
        else:
            self._read_last_text(text)
            self._stop("done")
        self._end_calls()
        self.is_over = True

    def _read_last_text(self, text: str) -> None:
        """Tell the result's text if no message has told it."""
        speaker = self._speakers.get("")
        if speaker is not None and self._has_text:
            if _digest("text", text) in speaker.wholes:
                return
            block = self._oldest(speaker, "text")
            rest = None if block is None else block.told.rest(text)
            if rest is not None:
                self._tell(speaker, "text", rest)
                return
            self._note(
                "repeated-text-differs",
                "warning",
                "The result is not the last text of the run; both are shown.",
            )
            self._facts.append(WireTurn())
        self._say(text)


def _digest(kind: _Kind, text: str) -> bytes:
    """Return what tells a text from others; white space around it does not."""
    data = text.strip().encode("utf-16-le", "surrogatepass")
    return hashlib.sha256(kind.encode() + b":" + data).digest()


def _words(content: object) -> str:
    """Return the text of a result: a string, or the texts of its parts."""
    if isinstance(content, str):
        return content[:_RESULT_CHARS]
    texts = []
    for part in list_of(content)[:_RESULT_CHARS]:
        text = part if isinstance(part, str) else mapping_of(part).get("text")
        texts.append(text_of(text)[:_RESULT_CHARS])
    return " ".join(texts)
