"""The stream of Anthropic's Messages.

Source: https://platform.claude.com/docs/en/build-with-claude/streaming
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from vitrail.core.parse.inputs.decoding import (
    WireDecoder,
    count_of,
    index_of,
    list_of,
    mapping_of,
    text_of,
)
from vitrail.core.parse.inputs.facts import WireTurn
from vitrail.core.parse.inputs.framing import write_json

__all__ = ["MessagesDecoder"]


class MessagesDecoder(WireDecoder):
    r"""Reads a stream of Messages, or a whole message.

    >>> decoder = MessagesDecoder()
    >>> decoder.feed(
    ...     'data: {"type":"content_block_delta","index":0,'
    ...     '"delta":{"type":"text_delta","text":"Hi"}}\n\n'
    ... )
    [WireText(delta='Hi')]
    """

    format: ClassVar[str] = "Messages"

    def __init__(self, **limits: int) -> None:
        super().__init__(**limits)
        self._messages = 0  # begun so far
        self._calls_at: dict[int, str] = {}  # by the block's index
        self._inputs: dict[int, str] = {}  # told whole where the block begins
        self._input_tokens: int | None = None

    def _read(self, value: Mapping[str, Any]) -> bool:
        kind = text_of(value.get("type"))
        index = index_of(value.get("index"))
        match kind:
            case "message_start":
                self._begin_message(mapping_of(value.get("message")))
            case "content_block_start":
                self._begin_block(index, mapping_of(value.get("content_block")))
            case "content_block_delta":
                self._read_delta(index, mapping_of(value.get("delta")))
            case "content_block_stop":
                self._end_block(index)
            case "message_delta":
                self._read_usage(mapping_of(value.get("usage")))
                self._read_reason(mapping_of(value.get("delta")))
            case "message_stop":
                self._end_calls()
                self.is_over = True
            case "error":
                self._fail(value.get("error") or value)
            case "message":
                self._read_whole(value)
            case _:
                # Ping, and events that came to the format later.
                return kind == "ping" or "index" in value or "delta" in value
        return True

    def _begin_message(self, message: Mapping[str, Any]) -> None:
        self._end_calls()
        self._messages += 1
        self._calls_at, self._inputs = {}, {}
        if self._messages > 1:
            self.end, self.is_over = None, False
            self._facts.append(WireTurn())
        usage = mapping_of(message.get("usage"))
        self._input_tokens = count_of(usage.get("input_tokens"))
        for index, block in enumerate(list_of(message.get("content"))):
            self._whole_block(index, mapping_of(block))

    def _read_whole(self, message: Mapping[str, Any]) -> None:
        self._begin_message(message)
        self._read_usage(mapping_of(message.get("usage")))
        self._read_reason(message)
        self.is_over = True

    def _whole_block(self, index: int, block: Mapping[str, Any]) -> None:
        self._begin_block(index, block)
        self._end_block(index)

    def _begin_block(self, index: int, block: Mapping[str, Any]) -> None:
        match block.get("type"):
            case "text":
                self._say(text_of(block.get("text")))
            case "thinking":
                self._think(text_of(block.get("thinking")))
            case "tool_use" | "server_tool_use" | "mcp_tool_use":
                told_id = text_of(block.get("id")) or f"call-{index}"
                name = text_of(block.get("name"))
                self._calls_at[index] = self._start_call(told_id, name)
                if block.get("input"):
                    self._inputs[index] = write_json(block["input"])
            case _:
                pass  # redacted thinking, results of the server's own tools

    def _read_delta(self, index: int, delta: Mapping[str, Any]) -> None:
        match delta.get("type"):
            case "text_delta":
                self._say(text_of(delta.get("text")))
            case "thinking_delta":
                self._think(text_of(delta.get("thinking")))
            case "input_json_delta":
                call = self._calls_at.get(index)
                piece = text_of(delta.get("partial_json"))
                if call is not None and piece:
                    self._inputs.pop(index, None)
                    self._argue(call, piece)
            case _:
                pass  # signatures and citations

    def _end_block(self, index: int) -> None:
        call = self._calls_at.pop(index, None)
        if call is not None:
            self._argue(call, self._inputs.pop(index, ""))
            self._end_call(call)

    def _read_usage(self, usage: Mapping[str, Any]) -> None:
        told = count_of(usage.get("input_tokens"))
        if told is not None:
            self._input_tokens = told
        self._usage(self._input_tokens, usage.get("output_tokens"))

    def _read_reason(self, message: Mapping[str, Any]) -> None:
        match message.get("stop_reason"):
            case None | "":
                pass
            case "max_tokens" | "model_context_window_exceeded":
                self._stop("length")
            case "refusal":
                self._fail({"type": "invalid_request", "message": "refusal"})
                self._stop("failed")
            case _:
                self._stop("done")
