"""What of a transcript is told otherwise: summaries, and what is taken out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.transcripts import (
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
    saved,
)
from vitrail.ports import (
    PutRun,
)
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.records import (
    ArtifactPart,
    DiagnosticPart,
    DirectivePart,
    EmbedPart,
    ErrorPart,
    FormAnswersPart,
    FormPart,
    Part,
    ReasoningPart,
    SuppressedPart,
    TextPart,
)
from vitrail.workflow.ingest import Ingest


@pytest.fixture
async def shelf(tmp_path: Path) -> AsyncIterator[Shelf]:
    async with open_shelf(tmp_path / "data", homes=("/home/ada",)) as opened:
        yield opened


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
