"""The stream of OpenAI's Responses.

Strategy: every text comes several times: in deltas, in the ``done`` event of
its part, of its item, and in the response at the end. What each place (output
index, part) has told is counted and hashed, so that a repetition tells what is
missing and nothing twice.

Source: https://platform.openai.com/docs/api-reference/responses-streaming
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from vitrail.core.parse.inputs.decoding import (
    Told,
    WireDecoder,
    index_of,
    list_of,
    mapping_of,
    text_of,
)
from vitrail.core.parse.inputs.facts import WireTurn
from vitrail.core.parse.inputs.framing import write_json
from vitrail.limits import MAX_TOOL_CALLS

__all__ = ["ResponsesDecoder"]

_CALLS: Final = {
    "function_call": "arguments",
    "mcp_call": "arguments",
    "custom_tool_call": "input",
}
"""Items that are calls, and the field that holds what is said to the tool."""

_DELTAS: Final = {
    "response.output_text.delta": ("text", "content_index"),
    "response.refusal.delta": ("refusal", "content_index"),
    "response.reasoning_text.delta": ("reasoning", "content_index"),
    "response.reasoning_summary_text.delta": ("summary", "summary_index"),
}
_WHOLES: Final = {
    "response.output_text.done": ("text", "content_index", "text"),
    "response.refusal.done": ("refusal", "content_index", "refusal"),
    "response.reasoning_text.done": ("reasoning", "content_index", "text"),
    "response.reasoning_summary_text.done": ("summary", "summary_index", "text"),
}
_ARGUMENT_DELTAS: Final = frozenset(
    {
        "response.function_call_arguments.delta",
        "response.mcp_call_arguments.delta",
        "response.custom_tool_call_input.delta",
    }
)
_ARGUMENT_WHOLES: Final = {
    "response.function_call_arguments.done": "arguments",
    "response.mcp_call_arguments.done": "arguments",
    "response.custom_tool_call_input.done": "input",
}
_PARTS: Final = {
    "output_text": ("text", "text"),
    "text": ("text", "text"),
    "refusal": ("refusal", "refusal"),
    "reasoning_text": ("reasoning", "text"),
    "summary_text": ("summary", "text"),
}
"""Types of content parts: what they are, and the field that holds the text."""

_THOUGHTS: Final = ("reasoning", "summary")


class ResponsesDecoder(WireDecoder):
    r"""Reads a stream of Responses, or a whole response.

    >>> decoder = ResponsesDecoder()
    >>> decoder.feed(
    ...     'data: {"type":"response.output_text.delta","output_index":0,'
    ...     '"content_index":0,"delta":"Hi"}\n\n'
    ... )
    [WireText(delta='Hi')]
    """

    format: ClassVar[str] = "Responses"

    def __init__(self, **limits: int) -> None:
        super().__init__(**limits)
        self._places: dict[str, int] = {}  # output index by the item's id
        self._told: dict[tuple[str, int, int], Told] = {}
        self._call_names: dict[int, str] = {}  # among the facts, by output index
        self._differs: set[tuple[str, int, int]] = set()
        self._message: int | None = None  # output index of the message being told

    def _read(self, value: Mapping[str, Any]) -> bool:
        kind = text_of(value.get("type"))
        if value.get("object") == "response":
            self._read_response(value)
        elif kind == "error" or (not kind and value.get("error")):
            self._fail(value.get("error") or value)
        elif kind.startswith("response."):
            self._read_event(kind, value)
        else:
            # Events that come later than this text was written have a type too.
            return bool(kind) and "sequence_number" in value
        return True

    def _read_event(self, kind: str, event: Mapping[str, Any]) -> None:
        at = self._place(event)
        if kind in _DELTAS:
            what, index = _DELTAS[kind]
            key = (what, at, index_of(event.get(index)))
            self._tell(key, text_of(event.get("delta")))
        elif kind in _WHOLES:
            what, index, field = _WHOLES[kind]
            self._tell_rest(
                (what, at, index_of(event.get(index))), text_of(event.get(field))
            )
        elif kind in _ARGUMENT_DELTAS:
            self._tell(("call", at, 0), text_of(event.get("delta")))
        elif kind in _ARGUMENT_WHOLES:
            self._tell_rest(("call", at, 0), text_of(event.get(_ARGUMENT_WHOLES[kind])))
            self._end_call(self._call_names.get(at, ""))
        else:
            self._read_frame(kind, event, at)

    def _read_frame(self, kind: str, event: Mapping[str, Any], at: int) -> None:
        """Read what is around the texts: items, parts, the response."""
        match kind:
            case "response.output_item.added":
                self._read_item(mapping_of(event.get("item")), at, is_whole=False)
            case "response.output_item.done":
                self._read_item(mapping_of(event.get("item")), at, is_whole=True)
            case "response.content_part.done":
                index = index_of(event.get("content_index"))
                self._read_part(mapping_of(event.get("part")), at, index)
            case "response.reasoning_summary_part.done":
                index = index_of(event.get("summary_index"))
                self._read_part(mapping_of(event.get("part")), at, index)
            case (
                "response.completed"
                | "response.incomplete"
                | "response.failed"
                | "response.cancelled"
            ):
                self._read_response(mapping_of(event.get("response")))
            case _:
                pass  # created, in_progress, queued; tools that the server runs itself

    def _read_response(self, response: Mapping[str, Any]) -> None:
        for at, item in enumerate(list_of(response.get("output"))):
            self._read_item(mapping_of(item), at, is_whole=True)
        usage = mapping_of(response.get("usage"))
        self._usage(usage.get("input_tokens"), usage.get("output_tokens"))
        match response.get("status"):
            case "incomplete":
                details = mapping_of(response.get("incomplete_details"))
                if details.get("reason") == "content_filter":
                    self._fail({"type": "invalid_request", "message": "content filter"})
                    self._stop("failed")
                else:
                    self._stop("length")
            case "failed":
                self._fail(response.get("error") or "")
                self._stop("failed")
            case "cancelled":
                self._stop("stopped")
            case "in_progress" | "queued":
                return
            case _:
                self._stop("done")
        self._end_calls()
        self.is_over = True

    def _read_item(self, item: Mapping[str, Any], at: int, *, is_whole: bool) -> None:
        if told_id := text_of(item.get("id")):
            self._places[told_id] = at
        kind = text_of(item.get("type"))
        if field := _CALLS.get(kind):
            self._begin_call(at, item)
            if is_whole:
                self._tell_rest(("call", at, 0), _arguments(item.get(field)))
                self._end_call(self._call_names[at])
            return
        if not is_whole:
            return
        for key in ("summary", "content"):
            for index, part in enumerate(list_of(item.get(key))):
                self._read_part(mapping_of(part), at, index)

    def _read_part(self, part: Mapping[str, Any], at: int, index: int) -> None:
        if known := _PARTS.get(text_of(part.get("type"))):
            what, field = known
            self._tell_rest((what, at, index), text_of(part.get(field)))

    def _place(self, event: Mapping[str, Any]) -> int:
        place = event.get("output_index")
        if isinstance(place, int):
            return place
        return self._places.get(text_of(event.get("item_id")), 0)

    # --- telling once ------------------------------------------------------------

    def _tell(self, key: tuple[str, int, int], text: str) -> None:
        if not text:
            return
        told = self._told.get(key)
        if told is None:
            told = self._begin(key)
        told.add(text)
        self._pass_on(key, text)

    def _tell_rest(self, key: tuple[str, int, int], whole: str) -> None:
        """Tell what of a whole text has not been told."""
        told = self._told.get(key)
        if told is None:
            if whole:
                self._tell(key, whole)
            return
        rest = told.rest(whole)
        if rest is None:
            if key not in self._differs and len(self._differs) < MAX_TOOL_CALLS:
                self._differs.add(key)
                self._note(
                    "repeated-text-differs",
                    "warning",
                    "The server repeated a text, and not as it had come before; "
                    "what came before is kept.",
                )
        elif rest:
            self._pass_on(key, rest)

    def _begin(self, key: tuple[str, int, int]) -> Told:
        what, at, index = key
        told = self._told[key] = Told()
        if what in _THOUGHTS and index and self._told.get((what, at, index - 1)):
            self._think("\n\n")  # parts of a summary are paragraphs
        if what == "call":
            self._begin_call(at, {})
        elif what not in _THOUGHTS and at != self._message:
            if self._message is not None:
                self._facts.append(WireTurn())
            self._message = at
        return told

    def _begin_call(self, at: int, item: Mapping[str, Any]) -> None:
        if at not in self._call_names:
            self._call_names[at] = self._start_call(
                text_of(item.get("call_id")) or f"call-{at}",
                text_of(item.get("name")),
                takes_text=item.get("type") == "custom_tool_call",
            )

    def _pass_on(self, key: tuple[str, int, int], text: str) -> None:
        what, at, _ = key
        if what == "call":
            self._argue(self._call_names[at], text)
        elif what in _THOUGHTS:
            self._think(text)
        else:
            self._say(text)


def _arguments(value: object) -> str:
    return write_json(value) if isinstance(value, Mapping) else text_of(value)
