"""Transcripts: every row of the reference, and that what was told comes back the same."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.transcripts import (
    AT,
    Shelf,
    conversation_line,
    lines,
    message_line,
    open_shelf,
    run_of,
    text_block,
)
from vitrail.adapters.sqlite import records
from vitrail.errors import InvalidInput, NotFound
from vitrail.limits import MAX_CARRIED_BYTES
from vitrail.ports import (
    AppendEvent,
    DeleteConversation,
    EventPlace,
    PutMessage,
    PutRun,
)
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.events import ConversationChanged, Text, UnknownEvent
from vitrail.protocol.records import (
    ArtifactPart,
    DiagnosticPart,
    DirectivePart,
    EmbedPart,
    ErrorPart,
    FormAnswersPart,
    FormPart,
    Message,
    Part,
    ReasoningPart,
    SavedFile,
    SuppressedPart,
    TextPart,
)
from vitrail.workflow import transcript_reading
from vitrail.workflow.ingest import Ingest

PAGE = (
    "\n<!doctype html>\n<html lang=en><title>T</title>"
    "<p>A page that is long enough to be saved.</p></html>\n"
)


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    async with open_shelf(tmp_path / "data", homes=("/home/ada",)) as opened:
        yield opened


def artifact(text: str = PAGE, **more: Any) -> ArtifactPart:
    attributes = {"identifier": "page", "type": "text/html", "title": 'A "page"'}
    told: dict[str, Any] = {
        "artifact": 0,
        "identifier": "page",
        "artifact_type": "text/html",
        "title": 'A "page"',
        "attributes": attributes,
        "recovered": None,
        "text": text,
        "state": "complete",
        "reason": "closed",
    }
    return ArtifactPart(**{**told, **more})


def saved(text: str, path: str = "page.html", **more: Any) -> SavedFile:
    told: dict[str, Any] = {
        "path": path,
        "kind": "html",
        "digest": hashlib.sha256(text.encode()).hexdigest(),
        "revision": "r",
        "number": 1,
        "status": "complete",
    }
    return SavedFile(**{**told, **more})


FOUND = Diagnostic("html-too-short", "warning", "It is short.", (0, 3))
EVERY_PART: tuple[Part, ...] = (
    TextPart(text="Here it is: ☂\u2028\n", start=0),
    ReasoningPart(text="Let me think."),
    ReasoningPart(text="Again."),
    artifact(saved=saved(PAGE), diagnostics=(FOUND,)),
    TextPart(text="and ", start=400),
    DiagnosticPart(code="tag-too-long", severity="warning", message="Too long."),
    TextPart(text="", start=404),
    TextPart(text="more.", start=404),
    artifact("", artifact=1, state="cut", refused=True, pointer="x.html"),
    FormPart(form={"id": "f", "questions": [{"id": "q"}]}, complete=True),
    EmbedPart(ref="a", url=None, title=None, height=300),
    DirectivePart(name="media", value="a.png"),
    SuppressedPart(name="tool_call", chars=12),
    ErrorPart(code="agent-failed", message="It broke.", retryable=True),
)


def blocks_of(told: list[dict[str, Any]], position: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [line for line in told if line["kind"] == "message"][
        position
    ]["blocks"]
    return found


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


def neutral(text: bytes) -> str:
    """Return a transcript with its ids numbered as they come, without its digest."""
    told = re.sub(rb'"sha256":"[0-9a-f]+"', b"", text).decode()
    ids: dict[str, str] = {}
    return re.sub(
        r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}",
        lambda found: ids.setdefault(found.group(), f"id{len(ids)}"),
        told,
    )


async def fill(shelf: Shelf) -> None:
    talk = await shelf.begin("Talk ☂")
    await shelf.say(talk, "user", "Make a page.")
    asked = await shelf.say(talk, "assistant", *EVERY_PART, run=True)
    answers = FormAnswersPart(
        message_id=asked.id, form_id="f", answers={"q": ("a", "b"), "r": None}
    )
    await shelf.say(talk, "user", "[form answers — f]", answers)
    await shelf.say(talk, "assistant", run=True)
    await shelf.begin("Empty")


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
    assert event.event == ConversationChanged("created", "New")
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


# --- what is wrong --------------------------------------------------------------


async def nothing_came(shelf: Shelf) -> bool:
    return await shelf.store.conversations(shelf.project_id) == ()


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ([message_line(0, conversation="other")], "Line 3: its conversationId"),
        ([message_line(1), message_line(1)], "Line 4: position 1 does not come after 1"),
        ([conversation_line()], "Line 3: a second conversation"),
        ([message_line(0, {"type": "text"})], "Line 3: a text block has to have a text"),
        ([message_line(0, vitrail={"parts": [1]})], "Line 3: part 0 has to be an object"),
        ([message_line(0, vitrail={"parts": [{"type": "text"}]})], "Line 3: a part does not fit"),
        ([message_line(0, vitrail={"run": 1})], "Line 3: its run has to be"),
        ([message_line(0, vitrail={"run": {"state": "odd"}})], "Line 3: its run does not fit"),
        ([message_line(0), {"kind": "message"}], "Line 4: "),
    ],
)  # fmt: skip
async def test_nothing_comes_in_of_a_transcript_with_a_wrong_line(
    shelf: Shelf, more: list[dict[str, Any]], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words) as caught:
        await shelf.read(lines(conversation_line(), *more))
    assert caught.value.code == "transcript-invalid"
    assert "Nothing was imported" in caught.value.message
    assert await nothing_came(shelf)


async def test_all_wrong_lines_are_named_up_to_a_number(shelf: Shelf) -> None:
    wrong = [{"kind": "message"}] * 30
    with pytest.raises(InvalidInput, match="Lines 4, 5") as caught:
        await shelf.read(lines(conversation_line(), *wrong))
    assert len(caught.value.details["diagnostics"]) == 20  # type: ignore[arg-type]  # details are of any type


@pytest.mark.parametrize("text", [b"", b"\n\n", b"\xef\xbb\xbf"])
async def test_an_empty_file_is_no_transcript(shelf: Shelf, text: bytes) -> None:
    with pytest.raises(InvalidInput, match="begins with its header"):
        await shelf.read(text)


@pytest.mark.parametrize(
    "text", [b"PK\x03\x04....", b'{"kind":"message"}\n', b"# Hello\n" * 50]
)
async def test_a_file_of_another_kind_is_told_by_its_first_line(
    shelf: Shelf, text: bytes
) -> None:
    with pytest.raises(InvalidInput, match="Line 1: ") as caught:
        await shelf.read(text)
    assert len(caught.value.details["diagnostics"]) == 1  # type: ignore[arg-type]  # details are of any type


async def test_a_transcript_that_was_cut_or_changed_is_refused(shelf: Shelf) -> None:
    await fill(shelf)
    text = await shelf.text()
    whole = text.splitlines(keepends=True)
    for cut in (b"".join(whole[:-1]), b"".join([*whole, whole[-2]])):
        with pytest.raises(InvalidInput) as caught:
            await shelf.read(cut)
        assert caught.value.code in ("transcript-incomplete", "transcript-invalid")
    with pytest.raises(InvalidInput, match="changed since") as caught:
        await shelf.read(text.replace(b"Make a page", b"Make a cake"))
    assert caught.value.code == "transcript-incomplete"
    opened = re.sub(rb'"sha256":"\w+"', b"", text)
    await shelf.read(opened.replace(b"Make a page", b"Make a cake"))


async def test_a_byte_order_mark_blank_lines_and_other_line_ends_are_read(
    shelf: Shelf,
) -> None:
    text = lines(conversation_line(), message_line(0, text_block("hi")))
    text = b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n\r\n")
    assert (await shelf.read(text)).messages == 1


async def test_what_no_conversation_can_carry_is_told(shelf: Shelf) -> None:
    text = lines({"kind": "note"}, conversation_line())
    text = text.replace(b'"projectId"', b'"colour": "red", "projectId"', 1)
    done = await shelf.read(text)
    assert [found.code for found in done.diagnostics] == [
        "transcript-header-fields",
        "transcript-line-dropped",
    ]


async def test_what_is_carried_has_a_limit(shelf: Shelf) -> None:
    large = "x" * (MAX_CARRIED_BYTES // 2)
    for more in (
        [{"kind": "note", "x": large}] * 3,
        [message_line(0, more=large * 3)],
        [message_line(0, {"type": "tool_result", "content": large * 3})],
    ):
        with pytest.raises(InvalidInput) as caught:
            await shelf.read(lines(conversation_line(), *more))
        assert caught.value.code == "transcript-invalid"
    assert await nothing_came(shelf)


async def test_a_line_and_a_file_have_a_limit(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = lines(conversation_line(), message_line(0, text_block("x" * 1000)))
    monkeypatch.setattr(transcript_reading, "MAX_TRANSCRIPT_LINE_BYTES", 500)
    with pytest.raises(InvalidInput, match="Line 3 is longer") as caught:
        await shelf.read(text)
    assert caught.value.code == "payload-too-large"
    monkeypatch.setattr(transcript_reading, "MAX_TRANSCRIPT_LINE_BYTES", 5000)
    monkeypatch.setattr(transcript_reading, "MAX_TRANSCRIPT_BYTES", 500)
    with pytest.raises(InvalidInput, match="larger than 500") as caught:
        await shelf.read(text)
    assert caught.value.code == "payload-too-large"
    assert await nothing_came(shelf)


async def test_a_disk_that_fails_in_the_middle_leaves_nothing_half_there(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    done = 0
    original = records.put_message

    def put(*args: Any) -> None:
        nonlocal done
        done += 1
        if done == 3:
            raise OSError(28, "No space left on device")
        original(*args)

    monkeypatch.setattr(records, "put_message", put)
    said = [message_line(n, text_block("hi")) for n in range(5)]
    with pytest.raises(Exception, match="disk is full"):
        await shelf.read(lines(conversation_line(), *said))
    assert await nothing_came(shelf)
    assert await shelf.store.last_seq() == 1


async def test_a_title_of_others_is_one_line_and_not_too_long(shelf: Shelf) -> None:
    done = await shelf.read(lines(conversation_line(title="a\n\x1b[31mb" + "c" * 500)))
    assert done.conversations[0].title == "a [31mb" + "c" * 193


# --- summaries --------------------------------------------------------------------


async def save_page(shelf: Shelf) -> None:
    ingest = Ingest(shelf.store, shelf.clock, shelf.ids, shelf.project_id)
    ingest.read(f'<artifact identifier="page" type="text/html">{PAGE}</artifact>')
    await ingest.save()
    result = await ingest.close()
    assert [file.path for file in result.saved] == ["page.html"]


async def test_an_artifact_that_is_on_disk_is_one_line(shelf: Shelf) -> None:
    await save_page(shelf)
    talk = await shelf.begin()
    part = artifact(saved=saved(PAGE), title="A\n## user")
    await shelf.say(talk, "assistant", "A:\n", part, "\nEnd.")
    await shelf.say(talk, "user", "You said:\n", artifact(saved=saved(PAGE)))
    assert PAGE in blocks_of(await shelf.told())[0]["text"]
    told = await shelf.told(summaries=True)
    said = blocks_of(told)[0]["text"]
    assert PAGE not in said
    assert "artifact emitted on a prior turn" in said
    assert 'project file "page.html"' in said
    assert len(said.splitlines()) == 3
    assert told[0]["vitrail"]["summaries"] == 1
    assert PAGE in blocks_of(told, 1)[0]["text"]
    text = await shelf.text(talk.id, summaries=True)
    again = (await shelf.read(text)).conversations[0].id
    assert (
        neutral(await shelf.text(again)).splitlines()[1:]
        == (neutral(text).splitlines()[1:])
    )


@pytest.mark.parametrize(
    "part",
    [
        artifact(),
        artifact(saved=saved(PAGE, "gone.html")),
        artifact("<p>other</p>", saved=saved(PAGE)),
    ],
    ids=["not saved", "not on disk", "saved otherwise"],
)
async def test_an_artifact_without_evidence_stays_whole(
    shelf: Shelf, part: ArtifactPart
) -> None:
    await save_page(shelf)
    talk = await shelf.begin()
    await shelf.say(talk, "assistant", part)
    told = await shelf.told(summaries=True)
    assert part.text in blocks_of(told)[0]["text"]
    assert "summaries" not in told[0]["vitrail"]


# --- redaction --------------------------------------------------------------------

SECRETS = (
    "ada@example.org",
    "sk-abcdefghijklmnop1234",
    "/home/ada",
    "the key of the model",
)


async def test_a_redacted_transcript_shows_no_secret_anywhere(shelf: Shelf) -> None:
    words = " and ".join(SECRETS)
    talk = await shelf.begin(words)
    parts: list[Part] = [
        TextPart(text=words),
        ReasoningPart(text=words),
        artifact(
            f"<p>{words}</p>",
            identifier=words,
            title=words,
            attributes={"title": words, words: words},
            saved=saved(words, words),
            pointer=words,
            diagnostics=(Diagnostic("x", "info", words),),
        ),
        FormPart(form={"id": words, "questions": [{"label": words}]}, complete=True),
        FormAnswersPart(message_id="m", form_id=words, answers={words: (words,)}),
        EmbedPart(ref=words, url=words, title=words, height=None),
        DirectivePart(name="media", value=words),
        SuppressedPart(name=words, chars=1),
        DiagnosticPart(code="x", severity="info", message=words),
        ErrorPart(code="x", message=words, retryable=False),
    ]
    message = await shelf.say(talk, "assistant", *parts, run=True)
    (run,) = await shelf.store.runs(talk.id)
    await shelf.store.apply([PutRun(run.model_copy(update={"model": words}))])
    ours = {"chars": 0, "parts": [{"type": "later", words: words}], words: words}
    await shelf.read(
        lines(
            {**conversation_line(), words: words},
            {"kind": "note", words: [words]},
            message_line(0, {"type": "tool_use", "input": {words: words}}),
            message_line(1, vitrail=ours, attachments=[{"path": words, "name": words, "kind": "file"}]),
        )
    )  # fmt: skip
    assert message.parts
    text = (await shelf.text()).decode()
    for secret in SECRETS:
        assert secret in text
    redacted = (await shelf.text(redact=True)).decode()
    for secret in SECRETS:
        assert secret not in redacted
    counts = json.loads(redacted.splitlines()[0])["vitrail"]["redacted"]
    assert set(counts) == {
        *("e-mail address", "home path", "known secret", "provider key")
    }
    assert min(counts.values()) >= 20
    again = await shelf.read(redacted.encode())
    assert len(again.conversations) == 2


async def test_a_file_whose_manifest_was_inferred_is_no_evidence(shelf: Shelf) -> None:
    shelf.folder.joinpath("page.html").write_text(PAGE, "utf-8")
    talk = await shelf.begin()
    await shelf.say(talk, "assistant", artifact(saved=saved(PAGE)))
    assert PAGE in blocks_of(await shelf.told(summaries=True))[0]["text"]


async def test_no_sign_within_a_line_ends_it(shelf: Shelf) -> None:
    signs = "a\r\n\v\f\x1c\x85\u2028\u2029b"
    talk = await shelf.begin()
    await shelf.say(talk, "user", signs)
    text = await shelf.text()
    assert len(text.decode().splitlines()) == 3
    done = await shelf.read(text)
    (message,) = await shelf.messages(done.conversations[0].id)
    assert message.parts == (TextPart(text=signs),)


async def test_redaction_leaves_ids_digests_and_times(shelf: Shelf) -> None:
    await fill(shelf)
    plain, redacted = await shelf.told(), await shelf.told(redact=True)
    assert redacted[0]["vitrail"]["redacted"] == {}
    assert redacted[1:] == plain[1:]
