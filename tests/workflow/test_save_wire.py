"""What tools of a stream write becomes files: in folders, edited, and never cut on top."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.core.parse.inputs.streams import (
    assistant,
    chat,
    init,
    lines,
    messages_events,
    pieces,
    result,
    sse,
)
from tests.workflow.test_ingest import PAGE, Target, open_target
from vitrail.adapters.clock import FixedClock
from vitrail.core.parse.inputs import InputParser
from vitrail.ports import AgentText, EventPlace
from vitrail.protocol.events import ArtifactRefused, ArtifactSaved, Event
from vitrail.workflow.reply import ReplyReader
from vitrail.workflow.save import ArtifactSaver, Source


@pytest.fixture
async def target(tmp_path: Path) -> AsyncIterator[Target]:
    async with open_target(tmp_path / "data") as opened:
        yield opened


async def save(target: Target, dialect: str, stream: str) -> list[Event]:
    """Read a stream as a reply is read, and save its artifacts."""
    reader = ReplyReader(parser=lambda: InputParser(dialect))
    source = Source(place=EventPlace(project_id=target.project_id))
    saver = ArtifactSaver(target.store, FixedClock(), target.ids, source)
    events = [
        event
        for piece in pieces(stream, 50)
        for event in reader.feed((AgentText(piece),))
    ]
    outcomes = await saver.feed([*events, *reader.close("done")])
    assert reader.broken is None
    return outcomes


def saved_in(outcomes: list[Event]) -> list[ArtifactSaved]:
    return [event for event in outcomes if isinstance(event, ArtifactSaved)]


def write(at: int, path: str, content: str) -> Any:
    arguments = {"file_path": path, "content": content}
    use = {"type": "tool_use", "id": f"t{at}", "name": "Write", "input": arguments}
    return assistant(use, message_id=f"m{at}")


NOTES = {"path": "site/notes.md", "content": "# 数据 🧪\n\nTwo leaves.\n"}

CALL = {"name": "write_file", "arguments": json.dumps(NOTES)}


@pytest.mark.parametrize(
    ("dialect", "stream"),
    [
        ("anthropic", sse(*messages_events(NOTES))),
        ("openai-chat", sse(*chat([{"tool_calls": [{"function": CALL}]}]))),
    ],
)
async def test_a_tools_file_is_saved_in_its_folder(
    target: Target, dialect: str, stream: str
) -> None:
    (saved,) = saved_in(await save(target, dialect, stream))
    assert saved.path == "site/notes.md"
    content = (target.folder / "site/notes.md").read_bytes()
    assert content == NOTES["content"].encode()


async def test_an_edit_of_a_written_file_is_its_next_revision(target: Target) -> None:
    edit = {"file_path": "/w/a/page.html", "old_string": "at last", "new_string": "now"}
    use = {"type": "tool_use", "id": "t2", "name": "Edit", "input": edit}
    run = [
        init("/w"),
        write(1, "/w/a/page.html", PAGE),
        assistant(use, message_id="m2"),
        result("Done."),
    ]
    outcomes = await save(target, "claude-code", lines(*run))
    assert [event.number for event in saved_in(outcomes)] == [1, 2]
    text = (target.folder / "a/page.html").read_text(encoding="utf-8")
    assert text == PAGE.replace("at last", "now")


async def test_arguments_that_break_off_leave_the_good_file_alone(
    target: Target,
) -> None:
    await save(target, "claude-code", lines(write(1, "page.html", PAGE), result("")))
    block = {"type": "tool_use", "id": "t", "name": "Write", "input": {}}
    piece = '{"file_path":"page.html","content":"<!doctype html><html><body>'
    delta = {"type": "input_json_delta", "partial_json": piece + "words " * 20}
    stream = lines(
        {"type": "content_block_start", "index": 0, "content_block": block},
        {"type": "content_block_delta", "index": 0, "delta": delta},
    )
    await save(target, "anthropic", stream)
    assert (target.folder / "page.html").read_text(encoding="utf-8") == PAGE


@pytest.mark.parametrize("path", ["../evil.html", "a/../../evil.html", ".ssh/keys.txt"])
async def test_a_path_that_leads_out_is_refused(target: Target, path: str) -> None:
    outcomes = await save(
        target, "claude-code", lines(write(1, path, PAGE), result(""))
    )
    assert [type(event) for event in outcomes] == [ArtifactRefused]


async def test_an_absolute_path_elsewhere_is_a_name_in_the_project(
    target: Target,
) -> None:
    run = lines(write(1, "/etc/cron.d/evil.html", PAGE), result(""))
    (saved,) = saved_in(await save(target, "claude-code", run))
    assert saved.path == "evil.html"
