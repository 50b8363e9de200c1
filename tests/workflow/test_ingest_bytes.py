"""Bytes of every kind into files: what was whole stays whole, nothing broken reaches the disk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.workflow.test_ingest import Target, open_target
from vitrail.core.parse import join_events
from vitrail.core.parse.inputs import InputParser
from vitrail.core.text import Utf8Decoder
from vitrail.protocol.events import ArtifactChunk

WHOLE = "数据 🧪 👩🏽‍🚀 é \ufffd\r\n\u2028\ufeff end\r"
"""The replacement sign of the author's own is a character too."""


@pytest.fixture
async def target(tmp_path: Path) -> AsyncIterator[Target]:
    async with open_target(tmp_path / "data") as opened:
        yield opened


def decoded(data: bytes, size: int) -> list[str]:
    decoder = Utf8Decoder()
    pieces = [decoder.feed(data[at : at + size]) for at in range(0, len(data), size)]
    return [*pieces, decoder.close()]


def reply(body: str) -> str:
    return f'Ok.\n<artifact identifier="notes" type="text/plain" title="数据 🧪">{body}</artifact>'


@pytest.mark.parametrize("size", [1, 2, 3, 5, 1000])
async def test_characters_cut_at_every_byte_are_written_as_they_came(
    target: Target, size: int
) -> None:
    result = await target.take(*decoded(reply(WHOLE).encode(), size))
    assert (target.folder / "notes.txt").read_bytes() == WHOLE.encode()
    assert result.fixed == ()


async def test_a_byte_order_mark_goes_from_the_reply_and_stays_in_a_body(
    target: Target,
) -> None:
    data = b"\xef\xbb\xbf" + reply("\ufeffa").encode()
    result = await target.take(*decoded(data, 1))
    assert result.text == "Ok.\n"
    assert (target.folder / "notes.txt").read_bytes() == b"\xef\xbb\xbfa"


async def test_nul_and_halves_of_characters_never_reach_the_disk(
    target: Target,
) -> None:
    result = await target.take(reply("a\0b\ud83e"), "\uddea\udc00c</artifact>")
    content = (target.folder / "notes.txt").read_bytes()
    assert b"\0" not in content
    assert content.decode().startswith("a\ufffdb")
    assert [found.code for item in result.fixed for found in item.diagnostics] == [
        "nul-character"
    ]


async def test_bytes_that_are_cut_at_the_end_leave_one_sign(target: Target) -> None:
    data = reply("body 🧪").encode()
    cut = data[: data.index("🧪".encode(), 70) + 2]
    await target.take(*decoded(cut, 4))
    assert (target.folder / "notes.txt").read_text(encoding="utf-8") == "body \ufffd"


@pytest.mark.parametrize("size", [1, 3, 1000])
async def test_halves_in_two_events_of_a_json_stream_are_one_character(
    target: Target, size: int
) -> None:
    start, end = reply("x").split("x</")[0], "</artifact>"
    deltas = [start.replace('"', '\\"').replace("\n", "\\n"), "\\ud83e", "\\uddea", end]
    stream = "".join(
        f'data: {{"choices":[{{"delta":{{"content":"{delta}"}}}}]}}\n\n'
        for delta in deltas
    ).encode()
    parser = InputParser("openai-chat")
    events = [
        event
        for at in range(0, len(stream), size)
        for event in parser.feed(stream[at : at + size])
    ]
    (chunk,) = [
        event
        for event in join_events([*events, *parser.close()])
        if isinstance(event, ArtifactChunk)
    ]
    assert chunk.delta == "🧪"
    await target.take(reply(chunk.delta))
    assert (target.folder / "notes.txt").read_bytes() == "🧪".encode()
