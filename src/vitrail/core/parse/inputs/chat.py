"""The Chat Completions stream.

Source: https://platform.openai.com/docs/api-reference/chat-streaming. Servers
that call themselves compatible differ in small ways, and every way that is
taken care of is named where it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from vitrail.core.parse.inputs.decoding import (
    WireDecoder,
    mapping_of,
    objects_of,
    text_of,
)
from vitrail.core.parse.inputs.framing import write_json

__all__ = ["ChatCompletionsDecoder"]

_REASONING_KEYS: Final = ("reasoning_content", "reasoning")
"""DeepSeek, vLLM and llama.cpp say the first, OpenRouter and Ollama the second."""

_KEYS: Final = frozenset({"choices", "error", "usage", "detail"})
"""One of them is in every object of the format."""


class ChatCompletionsDecoder(WireDecoder):
    r"""Reads a Chat Completions stream, or a whole answer.

    >>> decoder = ChatCompletionsDecoder()
    >>> decoder.feed('data: {"choices":[{"index":0,"delta":{"content":"Hi"}}]}\n\n')
    [WireText(delta='Hi')]
    """

    format: ClassVar[str] = "Chat Completions"

    def __init__(self, **limits: int) -> None:
        super().__init__(**limits)
        self._choice: object = None  # index of the one that is read
        self._ids: dict[str, str] = {}  # by a call's index: its id
        self._keys: dict[str, str] = {}  # by a call's index: its name among facts
        self._told_choices = False

    def _read(self, value: Mapping[str, Any]) -> bool:
        if value.get("object") == "error":  # vLLM's own form
            self._fail(value)
            return True
        if _KEYS.isdisjoint(value) or value.get("object") == "response":
            return False
        if "type" in value and "choices" not in value and not value.get("error"):
            return False  # the events of other formats have a type
        if error := value.get("error") or value.get("detail"):
            self._fail(error)
            return True
        choices = value.get("choices")
        if choices is not None and not isinstance(choices, list):
            return False
        for choice in choices or ():
            if isinstance(choice, Mapping):
                self._read_choice(choice)
            else:
                self._not_the_format(json.dumps(choice) + "\n", "a choice of no object")
        usage = mapping_of(value.get("usage"))
        self._usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))
        return True

    def _read_choice(self, choice: Mapping[str, Any]) -> None:
        index = choice.get("index") or 0
        if self._choice is None:
            self._choice = index
        if index != self._choice:
            if not self._told_choices:
                self._told_choices = True
                self._note(
                    "more-choices",
                    "warning",
                    "The server gave several answers; the first one is read.",
                )
            return
        # A few servers put ``message`` into stream events, or ``delta`` nowhere.
        said = mapping_of(choice.get("delta") or choice.get("message"))
        for key in _REASONING_KEYS:
            if isinstance(said.get(key), str):
                self._think(said[key])
                break
        self._read_content(said.get("content"))
        self._say(text_of(said.get("refusal")))
        for at, call in enumerate(objects_of(said.get("tool_calls"))):
            self._read_call(call, at)
        if said.get("function_call"):  # the older form of a single call
            self._read_call({"index": 0, "function": said["function_call"]}, 0)
        self._read_reason(choice.get("finish_reason"))

    def _read_content(self, content: object) -> None:
        if isinstance(content, str):
            self._say(content)
            return
        for part in objects_of(content):  # content parts, as some gateways send them
            if part.get("type") == "thinking":
                for thought in objects_of(part.get("thinking")):
                    self._think(text_of(thought.get("text")))
            else:
                self._say(text_of(part.get("text")))

    def _read_call(self, call: Mapping[str, Any], at: int) -> None:
        index = str(call.get("index", at))
        told_id = text_of(call.get("id"))
        function = mapping_of(call.get("function"))
        name = text_of(function.get("name"))
        key = self._keys.get(index)
        # Gateways number every call 0; another id then says that it is another.
        if key is None or (told_id and self._ids[index] not in ("", told_id)):
            if key is not None:
                self._end_call(key)
            key = self._start_call(told_id or f"call-{index}", name)
            self._keys[index], self._ids[index] = key, told_id
        arguments = function.get("arguments")
        if isinstance(arguments, Mapping):  # Ollama's own form
            arguments = write_json(arguments)
        self._argue(key, text_of(arguments))

    def _read_reason(self, reason: object) -> None:
        match reason:
            case None | "":
                return
            case "length":
                self._stop("length")
            case "content_filter":
                self._fail({"type": "invalid_request", "message": "content filter"})
                self._stop("failed")
            case _:
                self._stop("done")
        self._end_calls()
