"""Transcripts: every row of the reference, and that what was told comes back the same."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.transcripts import (
    AT,
    EVERY_PART,
    PAGE,
    Shelf,
    artifact,
    blocks_of,
    conversation_line,
    fill,
    lines,
    message_line,
    neutral,
    open_shelf,
    run_of,
    saved,
    text_block,
)
from tests.support.turns import OneAgent
from vitrail.adapters.agents.recordings import RecordingShelf
from vitrail.errors import NotFound
from vitrail.ports import (
    AppendEvent,
    DeleteConversation,
    EventPlace,
    PutMessage,
    PutRun,
)
from vitrail.protocol.events import ConversationChanged, Text, UnknownEvent
from vitrail.protocol.records import (
    ArtifactPart,
    DiagnosticPart,
    FormAnswersPart,
    Message,
    ReasoningPart,
    SuppressedPart,
    TextPart,
)
from vitrail.workflow.prompt import PromptRequest, build_prompt
from vitrail.workflow.record import Recorder


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    async with open_shelf(tmp_path / "data", homes=("/home/ada",)) as opened:
        yield opened


# --- the rows of spec/open-design-1 §18 -----------------------------------------


async def test_row_01_an_empty_project_is_exactly_its_header(shelf: Shelf) -> None:
    (header,) = await shelf.told()
    assert header["kind"] == "header"
    assert header["schemaVersion"] == 2
    assert header["projectId"] == shelf.project_id
    assert header["exportedAt"] == AT
    assert header["attachmentsInlined"] is False
    counts = {name: n for name, n in header.items() if name.endswith("Count")}
    assert set(counts.values()) == {0}
    assert len(counts) == 4


async def test_row_02_two_messages_are_four_lines(shelf: Shelf) -> None:
    talk = await shelf.begin("Talk")
    await shelf.say(talk, "user", "hi")
    await shelf.say(talk, "assistant", "hello")
    header, conversation, one, two = await shelf.told()
    assert header["messageCount"] == 2
    assert header["conversationCount"] == 1
    assert conversation == {
        "kind": "conversation",
        "id": talk.id,
        "title": "Talk",
        "createdAt": AT,
        "updatedAt": AT,
    }
    assert [one["position"], two["position"]] == [0, 1]
    assert list(one)[:7] == [
        *("kind", "conversationId", "id", "role", "position", "createdAt", "blocks")
    ]


async def test_a_conversation_without_a_title_has_none(shelf: Shelf) -> None:
    await shelf.begin("")
    assert (await shelf.told())[1]["title"] is None


async def test_row_03_pieces_of_a_text_are_one_block(shelf: Shelf) -> None:
    talk = await shelf.begin()
    await shelf.say(talk, "assistant", "hel", "lo", " world")
    assert blocks_of(await shelf.told()) == [text_block("hello world")]


async def test_row_04_texts_and_tools_keep_their_order(shelf: Shelf) -> None:
    tool = {"type": "tool_use", "id": "1", "name": "read", "input": {"path": "a"}}
    result = {"type": "tool_result", "toolUseId": "1", "content": "x", "isError": False}
    said = [text_block("a"), tool, result, text_block("b")]
    done = await shelf.read(lines(conversation_line(), message_line(0, *said)))
    told = await shelf.told(done.conversations[0].id)
    assert blocks_of(told) == said


async def test_row_05_what_is_told_beside_the_text_does_not_cut_it(
    shelf: Shelf,
) -> None:
    talk = await shelf.begin()
    found = DiagnosticPart(code="x", severity="info", message="m")
    await shelf.say(
        talk, "assistant", "a", found, SuppressedPart(name="x", chars=1), "b"
    )
    assert blocks_of(await shelf.told()) == [text_block("ab")]


async def test_row_06_thinking_that_was_begun_anew_is_a_block_of_its_own(
    shelf: Shelf,
) -> None:
    talk = await shelf.begin()
    await shelf.say(
        talk, "assistant", ReasoningPart(text="ab"), ReasoningPart(text="cd")
    )
    assert blocks_of(await shelf.told()) == [
        {"type": "thinking", "thinking": "ab"},
        {"type": "thinking", "thinking": "cd"},
    ]


async def test_row_07_events_win_over_what_is_stored(shelf: Shelf) -> None:
    talk = await shelf.begin()
    await shelf.say(talk, "user", "typed")
    run = run_of(shelf.ids.new(), talk, shelf.ids.new(), "running")
    message = Message(
        id=run.message_id,
        conversation_id=talk.id,
        role="assistant",
        parts=(TextPart(text="stale"),),
        run_id=run.id,
        created_at=AT,
    )
    place = EventPlace(shelf.project_id, talk.id, run.id, message.id)
    await shelf.store.apply(
        [PutRun(run), PutMessage(message), AppendEvent(place, Text("from the log"))]
    )
    told = await shelf.told()
    assert blocks_of(told, 0) == [text_block("typed")]
    assert blocks_of(told, 1) == [text_block("from the log")]


async def test_row_08_an_event_that_is_not_known_changes_nothing(shelf: Shelf) -> None:
    talk = await shelf.begin()
    run = run_of(shelf.ids.new(), talk, shelf.ids.new(), "running")
    message = Message(
        id=run.message_id,
        conversation_id=talk.id,
        role="assistant",
        parts=(),
        run_id=run.id,
        created_at=AT,
    )
    place = EventPlace(shelf.project_id, talk.id, run.id, message.id)
    later: Any = UnknownEvent("later", b'{"type":"later","x":[1]}')
    await shelf.store.apply(
        [
            PutRun(run),
            PutMessage(message),
            AppendEvent(place, Text("a")),
            AppendEvent(place, later),
            AppendEvent(place, Text("b")),
        ]
    )
    assert blocks_of(await shelf.told()) == [text_block("ab")]


async def test_row_09_the_conversation_that_was_begun_first_comes_first(
    shelf: Shelf,
) -> None:
    older = await shelf.begin("older", at="2025-01-01T00:00:00.000Z", updated_at=AT)
    newer = await shelf.begin("newer", at="2025-06-01T00:00:00.000Z")
    told = await shelf.told()
    assert [line["id"] for line in told[1:]] == [older.id, newer.id]


async def test_row_10_one_conversation_alone(shelf: Shelf) -> None:
    talk, other = await shelf.begin("a"), await shelf.begin("b")
    await shelf.say(other, "user", "not this")
    told = await shelf.told(talk.id)
    assert [line["kind"] for line in told] == ["header", "conversation"]
    assert told[0]["conversationCount"] == 1
    assert told[0]["messageCount"] == 0


@pytest.mark.parametrize("name", ["../etc", "", "nobody", "a/b", "\0"])
async def test_row_11_a_project_that_is_none_is_an_error(
    shelf: Shelf, name: str
) -> None:
    for work in (shelf.transcripts.tell, shelf.transcripts.save):
        with pytest.raises(NotFound) as caught:
            await work(name)
        assert caught.value.code == "project-not-found"


async def test_a_conversation_of_another_project_is_not_told(shelf: Shelf) -> None:
    with pytest.raises(NotFound) as caught:
        await shelf.transcripts.tell(shelf.project_id, "nobody")
    assert caught.value.code == "conversation-not-found"


async def test_row_14_attachments_are_referred_to_and_counted(shelf: Shelf) -> None:
    picture = {"path": "a.png", "name": "a.png", "kind": "image"}
    file = {"path": "b.txt", "name": "b.txt", "kind": "file"}
    comment = {"id": "1", "filePath": "a.html", "label": "", "comment": "redder"}
    done = await shelf.read(
        lines(
            conversation_line(),
            message_line(0, attachments=[picture, file]),
            message_line(1, attachments=[file], commentAttachments=[comment]),
            message_line(2),
        )
    )
    header, _, one, two, three = await shelf.told(done.conversations[0].id)
    assert (header["attachmentCount"], header["commentAttachmentCount"]) == (3, 1)
    assert one["attachments"] == [picture, file]
    assert two["commentAttachments"] == [comment]
    assert not {"attachments", "commentAttachments"} & set(three)


# --- there and back -------------------------------------------------------------


async def test_what_was_told_comes_back_the_same(shelf: Shelf, tmp_path: Path) -> None:
    await fill(shelf)
    text = await shelf.text()
    async with open_shelf(tmp_path / "other") as other:
        done = await other.read(text)
        assert [found.title for found in done.conversations] == ["Talk ☂", "Empty"]
        assert done.messages == 4
        assert done.diagnostics == ()
        assert neutral(await other.text()) == neutral(text)
        talk = done.conversations[0]
        asked, answered = (await other.messages(talk.id))[1:3]
        assert asked.parts == EVERY_PART
        assert isinstance(answered.parts[1], FormAnswersPart)
        assert answered.parts[1].message_id == asked.id
        runs = await other.store.runs(talk.id)
        assert [run.message_id for run in runs] == [
            message.id for message in await other.messages(talk.id) if message.run_id
        ]
        assert {run.state for run in runs} == {"done"}
        assert talk.created_at == AT


async def test_it_may_come_back_beside_what_it_was_told_from(shelf: Shelf) -> None:
    await fill(shelf)
    text = await shelf.text()
    before = await shelf.store.conversations(shelf.project_id)
    first, second = await shelf.read(text), await shelf.read(text)
    ids = [c.id for c in (*before, *first.conversations, *second.conversations)]
    assert len(ids) == len(set(ids)) == 6
    for done in (first, second):
        again = await shelf.text(done.conversations[0].id)
        assert (
            neutral(again).splitlines()[2:]
            == neutral(
                await shelf.text(before[-1].id if before[-1].title else before[0].id)
            ).splitlines()[2:]
        )


async def test_a_new_conversation_is_told_to_who_follows(shelf: Shelf) -> None:
    seq = await shelf.store.last_seq()
    done = await shelf.read(lines(conversation_line(title="New")))
    (event,) = await shelf.store.events_after(seq)
    assert event.event == ConversationChanged("updated", "New")
    assert event.place == EventPlace(shelf.project_id, done.conversations[0].id)


async def test_a_run_that_went_on_is_interrupted_where_it_comes_in(
    shelf: Shelf,
) -> None:
    talk = await shelf.begin()
    run = run_of(shelf.ids.new(), talk, shelf.ids.new(), "running")
    message = Message(
        id=run.message_id,
        conversation_id=talk.id,
        role="assistant",
        parts=(),
        run_id=run.id,
        created_at=AT,
    )
    await shelf.store.apply([PutRun(run), PutMessage(message)])
    text = (await shelf.text(talk.id)).decode()
    told = text.replace('"parts":[]', f'"parts":[{json.dumps(STREAMING)}]')
    done = await shelf.read(re.sub(r'"sha256":"\w+"', "", told).encode())
    (came,) = await shelf.store.runs(done.conversations[0].id)
    assert (came.state, came.reason, came.ended_at) == (
        "interrupted",
        "interrupted",
        AT,
    )
    ((part,),) = [m.parts for m in await shelf.messages(done.conversations[0].id)]
    assert isinstance(part, ArtifactPart)
    assert part.state == "cut"


STREAMING = artifact(state="streaming", reason=None).model_dump(mode="json")


async def test_unknown_fields_parts_blocks_and_lines_are_kept(shelf: Shelf) -> None:
    later = {"kind": "note", "x": 1}
    ours: dict[str, Any] = {
        "chars": 3,
        "parts": [
            {"type": "text", "start": 0, "at": [0, 0, 1], "tone": "warm"},
            {"type": "later", "at": [0, 1, 3], "deep": {"a": [1]}},
            {"type": "other"},
            {"type": "tool_use", "at": [1]},
            {**STREAMING, "state": "complete", "text": "x", "saved": {"colour": "red"}},
        ],
        "mood": "good",
        "run": {
            **run_of("r", await shelf.begin(), "m", "done").model_dump(mode="json"),
            "cost": 3,
        },
    }
    for name in ("projectId", "conversationId", "messageId"):
        del ours["run"][name]
    ours["parts"][4]["saved"] = {**saved("x").model_dump(mode="json"), "colour": "red"}
    block = {"type": "text", "text": "abc", "citations": [1]}
    text = lines(
        {**conversation_line(), "tags": ["a"]},
        later,
        message_line(0, block, {"type": "tool_use", "id": "1"}, vitrail=ours, more={"x": None}),
        later,
        {**later, "x": 2},
    )  # fmt: skip
    done = await shelf.read(text)
    told = await shelf.text(done.conversations[0].id)
    got = [json.loads(line) for line in told.splitlines()]
    assert got[1]["tags"] == ["a"]
    assert got[2] == got[4] == later
    assert got[5] == {**later, "x": 2}
    assert got[3]["more"] == {"x": None}
    assert got[3]["blocks"] == [block, {"type": "tool_use", "id": "1"}]
    assert got[3]["vitrail"]["mood"] == "good"
    assert got[3]["vitrail"]["run"]["cost"] == 3
    parts = got[3]["vitrail"]["parts"]
    assert parts == [
        part if i != 4 else parts[4] for i, part in enumerate(ours["parts"])
    ]
    assert parts[4]["saved"]["colour"] == "red"
    (message,) = await shelf.messages(done.conversations[0].id)
    assert [part.type for part in message.parts] == ["text", *["suppressed"] * 4]
    again = await shelf.read(told)
    assert neutral(await shelf.text(again.conversations[0].id)) == neutral(told)


async def test_what_is_deleted_takes_with_it_what_it_carried(shelf: Shelf) -> None:
    done = await shelf.read(lines({**conversation_line(), "tags": ["a"]}))
    await shelf.store.apply([DeleteConversation(done.conversations[0].id)])
    assert b"tags" not in await shelf.text()


async def test_a_transcript_of_others_is_read_as_what_was_said(shelf: Shelf) -> None:
    said = f'Hi\n<artifact identifier="a" type="text/html">{PAGE}</artifact>\nBye'
    done = await shelf.read(
        lines(
            conversation_line(createdAt=0, updatedAt=1),
            message_line(0, text_block(said), role="user"),
            message_line(
                1,
                {"type": "thinking", "thinking": "hm"},
                text_block(said),
                {"type": "tool_use", "id": "1"},
                text_block(said),
            ),
        )
    )
    (talk,) = done.conversations
    assert talk.created_at == "1970-01-01T00:00:00.000Z"
    typed, replied = await shelf.messages(talk.id)
    assert typed.parts == (TextPart(text=said),)
    artifacts = [part for part in replied.parts if isinstance(part, ArtifactPart)]
    assert [part.artifact for part in artifacts] == [0, 1]
    assert [part.text for part in artifacts] == [PAGE, PAGE]
    assert artifacts[1].start == 2 + len(said) + 3
    assert replied.chars == 2 * len(said) + 2
    again = neutral(await shelf.text(talk.id))
    twice = await shelf.read(await shelf.text(talk.id))
    assert neutral(await shelf.text(twice.conversations[0].id)) == again


async def test_a_conversation_that_came_in_goes_on(shelf: Shelf) -> None:
    await fill(shelf)
    (talk, _) = (await shelf.read(await shelf.text())).conversations
    asked = PromptRequest(shelf.project_id, talk.id, "And now?", "system")
    prompt = await build_prompt(shelf.store, asked)
    assert [message.role for message in prompt.messages] == [
        *("system", "user", "assistant", "user", "assistant", "user")
    ]
    assert "Here it is" in prompt.messages[2].content


@pytest.mark.parametrize(
    "form",
    [{"id": "f"}, {"questions": []}, {"id": "f", "questions": 5}, {"id": "f", "questions": [{}]}],
)  # fmt: skip
async def test_a_form_that_cannot_be_answered_is_carried_and_not_drawn(
    shelf: Shelf, form: dict[str, Any]
) -> None:
    part = {"type": "form", "form": form, "complete": True}
    said = message_line(0, vitrail={"parts": [part]})
    (talk,) = (await shelf.read(lines(conversation_line(), said))).conversations
    ((shown,),) = [one.parts for one in await shelf.messages(talk.id)]
    assert isinstance(shown, SuppressedPart)
    assert (await shelf.told(talk.id))[2]["vitrail"]["parts"] == [part]


async def test_a_run_that_came_in_has_no_recording(shelf: Shelf) -> None:
    await fill(shelf)
    (talk, _) = (await shelf.read(await shelf.text())).conversations
    recorder = Recorder(shelf.store, OneAgent(), RecordingShelf(shelf.data / "x"))
    for run in await shelf.store.runs(talk.id):
        with pytest.raises(NotFound) as caught:
            await recorder.export(run.id)
        assert caught.value.code == "recording-not-found"
