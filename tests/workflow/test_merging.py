"""New versions of files that were changed meanwhile: merged, or decided by a person."""

from __future__ import annotations

import hashlib

import pytest

from tests.support.turns import Desk, ScriptedAgent, Stop
from vitrail.errors import Conflict, InvalidInput
from vitrail.ports import AgentEnd
from vitrail.protocol.events import ArtifactQuarantined, ArtifactSaved
from vitrail.protocol.losses import Lost
from vitrail.protocol.records import Run
from vitrail.workflow.history import History
from vitrail.workflow.quarantine import Quarantine
from vitrail.workflow.write import FileWriter

START = (
    "<!doctype html>\n<html><body>\n<h1>Tea</h1>\n<p>We sell tea.</p>\n"
    "<p>We sell cups.</p>\n<p>Come by.</p>\n</body></html>\n"
)


def artifact(body: str, identifier: str = "index") -> str:
    return f'<artifact identifier="{identifier}" type="text/html" title="T">{body}</artifact>'


async def write(desk: Desk, writer: FileWriter, text: str) -> None:
    """Let a person write the page over what it is now."""
    info = await desk.store.file(desk.project_id, "index.html")
    await writer.write(
        desk.project_id,
        "index.html",
        text.encode(),
        parent_digest=info.digest if info else None,
    )


async def regenerated(
    desk: Desk, writer: FileWriter, *bodies: str, meanwhile: str | None
) -> Run:
    """Return the run of a model that writes the page while a person does."""
    writing = Stop()
    replies = [artifact(body) for body in bodies]
    desk.agents.agent = ScriptedAgent(writing, *replies, AgentEnd("done"))
    started = await desk.start()
    await writing.reached.wait()
    if meanwhile is not None:
        await write(desk, writer, meanwhile)
    writing.go_on.set()
    return await desk.turns.wait(started.run.id)


async def told(desk: Desk, run: Run) -> list[ArtifactSaved | ArtifactQuarantined]:
    return [
        event
        for event in await desk.events(run)
        if isinstance(event, ArtifactSaved | ArtifactQuarantined)
    ]


async def test_changes_in_different_places_are_both_kept(
    desk: Desk, writer: FileWriter
) -> None:
    await write(desk, writer, START)
    run = await regenerated(
        desk,
        writer,
        START.replace("Come by.", "Come by today."),
        meanwhile=START.replace("<h1>Tea</h1>", "<h1>Green tea</h1>"),
    )
    both = START.replace("Come by.", "Come by today.").replace(
        "<h1>Tea</h1>", "<h1>Green tea</h1>"
    )
    assert desk.files() == {"index.html": both.encode()}
    (saved,) = await told(desk, run)
    assert isinstance(saved, ArtifactSaved)
    assert [found.code for found in saved.diagnostics] == ["merged"]
    head = await desk.store.head(desk.project_id, "index.html")
    assert head is not None
    assert (head.author, head.number) == ("model", 3)


async def test_bug_07_what_a_person_edited_is_what_the_next_turn_begins_with(
    desk: Desk, writer: FileWriter
) -> None:
    """Field bug 07: the chat still has the old text, and nothing plays it again."""
    await desk.say(artifact(START))
    (body,) = desk.files().values()
    edited = body.decode().replace("<h1>Tea</h1>", "<h1>Green tea</h1>")
    await write(desk, writer, edited)

    changed = edited.replace("Come by.", "Come by today.")
    agent = ScriptedAgent(artifact(changed), AgentEnd("done"))
    desk.agents.agent = agent
    await desk.ask("Change the last paragraph")
    prompt = "\n".join(message.content for message in agent.prompts[0].messages)
    assert "<h1>Green tea</h1>" in prompt
    assert "<h1>Tea</h1>" not in prompt
    assert desk.files() == {"index.html": changed.encode()}


async def test_where_both_changed_one_place_neither_text_is_lost(
    desk: Desk, writer: FileWriter
) -> None:
    await write(desk, writer, START)
    mine = START.replace("We sell cups.", "We sell old cups.")
    theirs = START.replace("We sell cups.", "We sell no cups.")
    run = await regenerated(desk, writer, theirs, meanwhile=mine)
    assert desk.files() == {
        "index.html": mine.encode(),
        "index.draft.html": theirs.encode(),
    }
    (held,) = await told(desk, run)
    assert isinstance(held, ArtifactQuarantined)
    assert (held.reason, held.draft_of) == ("merge-conflict", "index.html")
    (record,) = await desk.store.quarantined(desk.project_id)
    assert record.id == held.quarantine
    assert record.base_digest == hashlib.sha256(START.encode()).hexdigest()
    (clash,) = record.conflicts
    assert "We sell cups." in clash.base
    assert "We sell old cups." in clash.ours
    assert "We sell no cups." in clash.theirs
    assert clash.span is not None
    assert mine[slice(*clash.span)] == clash.ours


async def test_a_person_resolves_a_clash_with_a_text_of_their_own(
    desk: Desk, writer: FileWriter
) -> None:
    await write(desk, writer, START)
    mine = START.replace("We sell cups.", "We sell old cups.")
    theirs = START.replace("We sell cups.", "We sell no cups.")
    await regenerated(desk, writer, theirs, meanwhile=mine)
    (record,) = await desk.store.quarantined(desk.project_id)
    good = await desk.store.file(desk.project_id, "index.html")
    assert good is not None
    own = START.replace("We sell cups.", "We sell few old cups.")
    result = await Quarantine(desk.store, writer).accept(
        desk.project_id, record.id, parent_digest=good.digest, content=own
    )
    assert desk.files() == {"index.html": own.encode()}
    assert result.revision.author == "person"
    assert await desk.store.quarantined(desk.project_id) == ()


async def test_a_second_version_in_one_reply_keeps_what_was_merged(
    desk: Desk, writer: FileWriter
) -> None:
    await write(desk, writer, START)
    first = START.replace("Come by.", "Come by today.")
    second = first.replace("We sell tea.", "We sell good tea.")
    run = await regenerated(
        desk,
        writer,
        first,
        second,
        meanwhile=START.replace("<h1>Tea</h1>", "<h1>Green tea</h1>"),
    )
    both = second.replace("<h1>Tea</h1>", "<h1>Green tea</h1>")
    assert desk.files() == {"index.html": both.encode()}
    codes = [
        [found.code for found in event.diagnostics] for event in await told(desk, run)
    ]
    assert codes == [["merged"], ["merged"]]


async def test_a_second_version_in_one_reply_is_the_first_one_s_child(
    desk: Desk, writer: FileWriter
) -> None:
    await write(desk, writer, START)
    first = START.replace("Come by.", "Come by today.")
    run = await regenerated(desk, writer, first, START, meanwhile=None)
    assert desk.files() == {"index.html": START.encode()}
    assert all(isinstance(event, ArtifactSaved) for event in await told(desk, run))


async def test_words_that_a_person_typed_and_a_new_version_dropped_are_named(
    desk: Desk, writer: FileWriter
) -> None:
    run = await regenerated(desk, writer, START, meanwhile=None)
    mine = START.replace("We sell cups.", "We sell cups from Kyoto only.")
    await write(desk, writer, mine)
    run = await regenerated(
        desk, writer, START.replace("Come by.", "Come by today."), meanwhile=None
    )
    (saved,) = await told(desk, run)
    assert isinstance(saved, ArtifactSaved)
    assert "typed-text-lost" in [found.code for found in saved.diagnostics]
    (typed,) = [one for one in saved.lost if one.what == "typed"]
    assert typed.span is not None
    assert "from Kyoto only" in mine[slice(*typed.span)]


async def test_a_new_version_that_keeps_what_was_typed_names_nothing(
    desk: Desk, writer: FileWriter
) -> None:
    await regenerated(desk, writer, START, meanwhile=None)
    mine = START.replace("We sell cups.", "We sell cups from Kyoto only.")
    await write(desk, writer, mine)
    run = await regenerated(
        desk, writer, mine.replace("Come by.", "Come by today."), meanwhile=None
    )
    (saved,) = await told(desk, run)
    assert isinstance(saved, ArtifactSaved)
    assert saved.diagnostics == ()


async def test_a_file_that_came_since_is_not_written_over(
    desk: Desk, writer: FileWriter
) -> None:
    run = await regenerated(desk, writer, START, meanwhile=START + "<!-- mine -->")
    (held,) = await told(desk, run)
    assert isinstance(held, ArtifactQuarantined)
    assert held.reason == "changed-since-shown"
    assert desk.files() == {
        "index.html": (START + "<!-- mine -->").encode(),
        "index.draft.html": START.encode(),
    }


async def test_a_merge_passes_the_gates_like_any_other_content(
    desk: Desk, writer: FileWriter
) -> None:
    await write(desk, writer, START)
    run = await regenerated(
        desk,
        writer,
        START.replace("Come by.", "Name to confirm."),
        meanwhile=START.replace("<h1>Tea</h1>", "<h1>Green tea</h1>"),
    )
    assert await told(desk, run) == []
    assert list(desk.files()) == ["index.html"]


async def test_the_next_prompt_names_the_draft_and_what_is_gone_in_it(
    desk: Desk, writer: FileWriter
) -> None:
    long = START.replace(
        "</body>",
        "<section><h2>Prices</h2><p>" + "Ten euros. " * 500 + "</p></section></body>",
    )
    await write(desk, writer, long)
    await regenerated(desk, writer, START, meanwhile=None)
    agent = ScriptedAgent("Fine.", AgentEnd("done"))
    desk.agents.agent = agent
    await desk.ask("Go on")
    told_then = agent.prompts[0].messages[0].content
    assert "# Kept beside, not saved" in told_then
    assert '"index.html" stays; the draft is "index.draft.html"' in told_then
    assert "artifact-regression" in told_then
    assert 'section "Prices"' in told_then
    assert 'a draft of "index.html"' in told_then
    said_before = "\n".join(one.content for one in agent.prompts[0].messages[1:])
    assert "artifact-regression" in said_before


async def dropped(desk: Desk, writer: FileWriter) -> tuple[str, Lost]:
    """Return the version that has a person's words, and the words a newer one dropped."""
    await regenerated(desk, writer, START, meanwhile=None)
    mine = START.replace("We sell cups.", "We sell cups from Kyoto only.")
    await write(desk, writer, mine)
    head = await desk.store.head(desk.project_id, "index.html")
    assert head is not None
    newer = START.replace("Come by.", "Come by today.")
    run = await regenerated(desk, writer, newer, meanwhile=None)
    (saved,) = await told(desk, run)
    assert isinstance(saved, ArtifactSaved)
    (typed,) = [one for one in saved.lost if one.what == "typed"]
    assert typed.span is not None
    return head.id, typed


async def test_what_a_person_typed_is_put_back_where_it_stood(
    desk: Desk, writer: FileWriter
) -> None:
    before, typed = await dropped(desk, writer)
    assert typed.span is not None
    history = History(desk.store, writer)
    diff = await history.diff(desk.project_id, "index.html")
    assert typed in diff.lost
    assert diff.old is not None
    assert diff.old.id == before
    result = await history.restore(
        desk.project_id,
        "index.html",
        before,
        parent_digest=diff.new_digest,
        passages=[typed.span],
    )
    both = START.replace("Come by.", "Come by today.").replace(
        "We sell cups.", "We sell cups from Kyoto only."
    )
    assert desk.files() == {"index.html": both.encode()}
    assert (result.revision.author, result.verdict) == ("person", "accepted")
    with pytest.raises(InvalidInput) as refused:
        await history.restore(
            desk.project_id,
            "index.html",
            before,
            parent_digest=result.file.digest,
            passages=[typed.span],
        )
    assert refused.value.code == "passages-not-missing"


async def test_words_that_were_put_back_are_named_when_they_are_dropped_again(
    desk: Desk, writer: FileWriter
) -> None:
    before, typed = await dropped(desk, writer)
    assert typed.span is not None
    info = await desk.store.file(desk.project_id, "index.html")
    assert info is not None
    await History(desk.store, writer).restore(
        desk.project_id,
        "index.html",
        before,
        parent_digest=info.digest,
        passages=[typed.span],
    )
    run = await regenerated(desk, writer, START, meanwhile=None)
    (saved,) = await told(desk, run)
    assert isinstance(saved, ArtifactSaved)
    assert [one.name for one in saved.lost if one.what == "typed"] == [typed.name]


@pytest.mark.parametrize("span", [(-1, 4), (5, 5), (9, 3), (0, 10_000)])
async def test_a_passage_that_is_not_in_the_version_is_refused(
    desk: Desk, writer: FileWriter, span: tuple[int, int]
) -> None:
    before, _ = await dropped(desk, writer)
    info = await desk.store.file(desk.project_id, "index.html")
    assert info is not None
    files = desk.files()
    with pytest.raises(InvalidInput):
        await History(desk.store, writer).restore(
            desk.project_id,
            "index.html",
            before,
            parent_digest=info.digest,
            passages=[span],
        )
    assert desk.files() == files


async def test_a_passage_is_not_put_into_a_file_that_changed_since(
    desk: Desk, writer: FileWriter
) -> None:
    before, typed = await dropped(desk, writer)
    assert typed.span is not None
    info = await desk.store.file(desk.project_id, "index.html")
    assert info is not None
    await write(desk, writer, START.replace("Tea", "Cups"))
    files = desk.files()
    with pytest.raises(Conflict):
        await History(desk.store, writer).restore(
            desk.project_id,
            "index.html",
            before,
            parent_digest=info.digest,
            passages=[typed.span],
        )
    assert desk.files() == files
