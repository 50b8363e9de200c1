"""Streams as the model servers' own documentation shows them, one of each format.

Every format says the same reply: thinking, a sentence with an artifact in it,
a file that a tool is to write, and why it ended.
"""

from __future__ import annotations

import json

__all__ = ["FILE", "PAGE", "REPLY", "STREAMS", "lines", "pieces", "sse"]

PAGE = '<!doctype html>\n<p title="a\\b">数据 🧪</p>\n'
"""Body of the artifact in the text, and of the file."""
REPLY = (
    f'Here — 🧪:\n<artifact identifier="page" type="text/html">{PAGE}</artifact>\nBye'
)
FILE = {"file_path": "site/page.html", "content": PAGE}


def pieces(text, chars=7):
    """Cut a text into pieces as servers do."""
    return [text[at : at + chars] for at in range(0, len(text), chars)]


def sse(*events, names=False, end=None):
    """Write events as server-sent ones."""
    written = [
        (f"event: {event['type']}\n" if names else "")
        + f"data: {json.dumps(event)}\n\n"
        for event in events
    ]
    return "".join(written) + (f"data: {end}\n\n" if end else "")


def lines(*values):
    """Write values as JSON lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def chat(deltas, *, reason="tool_calls"):
    base = {
        "id": "chatcmpl-123",
        "object": "chat.completion.chunk",
        "created": 1694268190,
        "model": "gpt-4o-mini",
        "system_fingerprint": "fp_44709d6fcb",
    }
    chunks = [
        {
            **base,
            "choices": [
                {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
            ],
        }
        for delta in deltas
    ]
    end = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": reason}
    usage = {"prompt_tokens": 9, "completion_tokens": 12, "total_tokens": 21}
    return [
        *chunks,
        {**base, "choices": [end]},
        {**base, "choices": [], "usage": usage},
    ]


def _chat_deltas():
    yield {"role": "assistant", "content": ""}
    for piece in pieces("Let me think."):
        yield {"reasoning_content": piece}
    for piece in pieces(REPLY):
        yield {"content": piece}
    yield {
        "tool_calls": [
            {
                "index": 0,
                "id": "call_abc",
                "type": "function",
                "function": {"name": "write_file", "arguments": ""},
            }
        ]
    }
    for piece in pieces(json.dumps(FILE)):
        yield {"tool_calls": [{"index": 0, "function": {"arguments": piece}}]}


def responses_events():
    """One response: a reasoning item, a message, a call; every text told again."""
    thought = {"type": "summary_text", "text": "Let me think."}
    reasoning = {"id": "rs_1", "type": "reasoning", "summary": [thought]}
    text = {"type": "output_text", "annotations": [], "logprobs": [], "text": REPLY}
    message = {
        "id": "msg_1",
        "type": "message",
        "status": "completed",
        "role": "assistant",
        "content": [text],
    }
    call = {
        "id": "fc_1",
        "type": "function_call",
        "status": "completed",
        "call_id": "call_1",
        "name": "write_file",
        "arguments": json.dumps(FILE),
    }
    response = {"id": "resp_1", "object": "response", "status": "in_progress"}
    yield {"type": "response.created", "response": {**response, "output": []}}
    yield {"type": "response.in_progress", "response": {**response, "output": []}}
    yield from _reasoning_events(reasoning, thought)
    yield from _message_events(message, text)
    yield from _call_events(call)
    usage = {
        "input_tokens": 9,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 12,
        "output_tokens_details": {"reasoning_tokens": 4},
        "total_tokens": 21,
    }
    output = [reasoning, message, call]
    done = {**response, "status": "completed", "output": output, "usage": usage}
    yield {"type": "response.completed", "response": done}


def _reasoning_events(item, part):
    at = {"item_id": "rs_1", "output_index": 0, "summary_index": 0}
    empty = {**item, "summary": []}
    yield {"type": "response.output_item.added", "output_index": 0, "item": empty}
    yield {
        "type": "response.reasoning_summary_part.added",
        **at,
        "part": {"type": "summary_text", "text": ""},
    }
    for piece in pieces(part["text"]):
        yield {"type": "response.reasoning_summary_text.delta", **at, "delta": piece}
    yield {"type": "response.reasoning_summary_text.done", **at, "text": part["text"]}
    yield {"type": "response.reasoning_summary_part.done", **at, "part": part}
    yield {"type": "response.output_item.done", "output_index": 0, "item": item}


def _message_events(item, part):
    at = {"item_id": "msg_1", "output_index": 1, "content_index": 0}
    empty = {**item, "status": "in_progress", "content": []}
    yield {"type": "response.output_item.added", "output_index": 1, "item": empty}
    yield {"type": "response.content_part.added", **at, "part": {**part, "text": ""}}
    for piece in pieces(part["text"]):
        yield {
            "type": "response.output_text.delta",
            **at,
            "delta": piece,
            "logprobs": [],
        }
    yield {"type": "response.output_text.done", **at, "text": part["text"]}
    yield {"type": "response.content_part.done", **at, "part": part}
    yield {"type": "response.output_item.done", "output_index": 1, "item": item}


def _call_events(item):
    at = {"item_id": "fc_1", "output_index": 2}
    empty = {**item, "status": "in_progress", "arguments": ""}
    yield {"type": "response.output_item.added", "output_index": 2, "item": empty}
    for piece in pieces(item["arguments"]):
        yield {"type": "response.function_call_arguments.delta", **at, "delta": piece}
    yield {
        "type": "response.function_call_arguments.done",
        **at,
        "arguments": item["arguments"],
    }
    yield {"type": "response.output_item.done", "output_index": 2, "item": item}


def numbered(events):
    """Give each event its sequence number."""
    return [{**event, "sequence_number": at} for at, event in enumerate(events)]


def messages_events(file=FILE, tool="write_file", message_id="msg_01", call="toolu_01"):
    """One message: a thinking block, a text block, a tool-use block."""
    yield {
        "type": "message_start",
        "message": {
            "id": message_id,
            "type": "message",
            "role": "assistant",
            "content": [],
            "model": "claude-sonnet-4-5",
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": 9, "output_tokens": 1},
        },
    }
    thinking = {"type": "thinking", "thinking": "", "signature": ""}
    yield {"type": "content_block_start", "index": 0, "content_block": thinking}
    yield {"type": "ping"}
    for piece in pieces("Let me think."):
        delta = {"type": "thinking_delta", "thinking": piece}
        yield {"type": "content_block_delta", "index": 0, "delta": delta}
    signed = {"type": "signature_delta", "signature": "EqQBCgIYAhIM1gbcDa9GJwZA2b3h"}
    yield {"type": "content_block_delta", "index": 0, "delta": signed}
    yield {"type": "content_block_stop", "index": 0}
    text = {"type": "text", "text": ""}
    yield {"type": "content_block_start", "index": 1, "content_block": text}
    for piece in pieces(REPLY):
        delta = {"type": "text_delta", "text": piece}
        yield {"type": "content_block_delta", "index": 1, "delta": delta}
    yield {"type": "content_block_stop", "index": 1}
    use = {"type": "tool_use", "id": call, "name": tool, "input": {}}
    yield {"type": "content_block_start", "index": 2, "content_block": use}
    for piece in ["", *pieces(json.dumps(file))]:
        delta = {"type": "input_json_delta", "partial_json": piece}
        yield {"type": "content_block_delta", "index": 2, "delta": delta}
    yield {"type": "content_block_stop", "index": 2}
    yield {
        "type": "message_delta",
        "delta": {"stop_reason": "tool_use", "stop_sequence": None},
        "usage": {"output_tokens": 12},
    }
    yield {"type": "message_stop"}


def code_line(kind, **fields):
    """One line of Claude Code."""
    return {"type": kind, **fields, "session_id": "5f6c", "uuid": "0b7e"}


def assistant(*content, message_id="msg_01", parent=None):
    """A whole message, or some blocks of one."""
    message = {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-5",
        "content": list(content),
        "stop_reason": None,
        "usage": {"input_tokens": 9, "output_tokens": 1},
    }
    return code_line("assistant", message=message, parent_tool_use_id=parent)


def tool_result(call, content, *, is_error=False, parent=None):
    """What a tool gives back."""
    result = {"type": "tool_result", "tool_use_id": call, "content": content}
    message = {"role": "user", "content": [{**result, "is_error": is_error}]}
    return code_line("user", message=message, parent_tool_use_id=parent)


def init(cwd="/home/me/project"):
    """The first line of a run."""
    return code_line(
        "system",
        subtype="init",
        cwd=cwd,
        tools=["Write", "Edit"],
        mcp_servers=[],
        model="claude-sonnet-4-5",
        permissionMode="default",
        apiKeySource="none",
    )


def result(text, *, subtype="success", is_error=False):
    """The last line of a run."""
    return code_line(
        "result",
        subtype=subtype,
        is_error=is_error,
        duration_ms=1200,
        duration_api_ms=1100,
        num_turns=1,
        result=text,
        total_cost_usd=0.01,
        usage={"input_tokens": 9, "output_tokens": 12},
    )


WHOLE_FILE = {"file_path": "/home/me/project/site/page.html", "content": PAGE}


def code_lines(*, partial):
    """A run of Claude Code, with or without its partial events."""
    blocks = [
        {"type": "thinking", "thinking": "Let me think.", "signature": "Eq"},
        {"type": "text", "text": REPLY},
        {"type": "tool_use", "id": "toolu_01", "name": "Write", "input": WHOLE_FILE},
    ]
    yield init()
    if partial:
        for event in messages_events(WHOLE_FILE, "Write"):
            if event["type"] == "content_block_stop":
                yield assistant(blocks[event["index"]])
            yield code_line("stream_event", event=event, parent_tool_use_id=None)
    else:
        for block in blocks:
            yield assistant(block)
    yield tool_result("toolu_01", "File created successfully")
    yield result(REPLY)


STREAMS = {
    "openai-chat": sse(*chat(_chat_deltas()), end="[DONE]"),
    "openai": sse(*numbered(responses_events()), names=True),
    "anthropic": sse(*messages_events(), names=True),
    "claude-code": lines(*code_lines(partial=True)),
}
