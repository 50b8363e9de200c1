"""Transcripts that are wrong: each line named, and nothing of them taken."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.transcripts import (
    AT,
    Shelf,
    artifact,
    conversation_line,
    fill,
    lines,
    message_line,
    open_shelf,
    saved,
    text_block,
)
from vitrail.adapters.sqlite import records
from vitrail.errors import InvalidInput
from vitrail.limits import MAX_CARRIED_BYTES, MAX_TRANSCRIPT_PARTS
from vitrail.workflow import transcript_reading


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    async with open_shelf(tmp_path / "data", homes=("/home/ada",)) as opened:
        yield opened


# --- what is wrong --------------------------------------------------------------


def ran(**more: Any) -> dict[str, Any]:
    run = {"id": "r", "agent": "x", "state": "done", "startedAt": AT, **more}
    return message_line(0, vitrail={"run": run})


def saved_as(digest: str) -> dict[str, Any]:
    part = artifact("x").model_dump(mode="json")
    file = saved("x").model_dump(mode="json")
    return message_line(
        0, vitrail={"parts": [{**part, "saved": {**file, "digest": digest}}]}
    )


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
        ([ran(startedAt="yesterday")], "Line 3: the run's startedAt has to be a time"),
        ([ran(endedAt="never")], "Line 3: the run's endedAt has to be a time"),
        ([ran(shown=[{"path": "a", "digest": "../x", "shown": "text"}])], "without a digest"),
        ([saved_as("../../etc/passwd")], "Line 3: an artifact was saved without a digest"),
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


@pytest.mark.parametrize(
    ("limit", "value", "words"),
    [
        ("MAX_TRANSCRIPT_LINE_BYTES", 500, "more than 500 bytes in line 3"),
        ("MAX_TRANSCRIPT_BYTES", 500, "more than 500 bytes,"),
        ("MAX_TRANSCRIPT_LINES", 2, "more than 2 lines"),
        ("MAX_TRANSCRIPT_CONVERSATIONS", 1, "more than 1 conversations"),
    ],
)
async def test_everything_of_a_transcript_has_a_limit(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, limit: str, value: int, words: str
) -> None:
    said = message_line(0, text_block("x" * 1000))
    text = lines(conversation_line(), said, conversation_line("d"))
    monkeypatch.setattr(transcript_reading, limit, value)
    with pytest.raises(InvalidInput, match=words) as caught:
        await shelf.read(text)
    assert caught.value.code == "payload-too-large"
    assert await nothing_came(shelf)


async def test_a_message_has_a_limited_number_of_parts_and_blocks(
    shelf: Shelf,
) -> None:
    many = [{"type": "x"}] * (MAX_TRANSCRIPT_PARTS + 1)
    for said in (message_line(0, *many), message_line(0, vitrail={"parts": many})):
        with pytest.raises(InvalidInput, match="parts or blocks"):
            await shelf.read(lines(conversation_line(), said))


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
