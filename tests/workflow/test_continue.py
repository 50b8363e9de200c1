"""Artifacts that the length limit cut: continued by a click, or by themselves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncGenerator, AsyncIterator
from pathlib import Path

import pytest

from tests.support.turns import Desk, ScriptedAgent, open_desk
from vitrail.errors import Conflict, NotFound
from vitrail.ports import AgentChunk, AgentEnd, AgentPrompt, AgentText
from vitrail.protocol.events import ArtifactEnd, ArtifactSaved
from vitrail.protocol.http import ContinueRun, NewRun
from vitrail.protocol.records import DiagnosticPart, Run

OPEN = '<artifact identifier="page" type="text/html" title="Page">'
WHOLE = (
    "\n<!doctype html>\n<html lang=en><title>T</title><body>\n"
    + "".join(f"<p>Paragraph {n} of a long page.</p>\n" for n in range(300))
    + "</body></html>\n"
)


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


class Relay:
    """Answers each prompt with the next of its replies."""

    name = "command"

    def __init__(self, *replies: tuple[str, AgentEnd]) -> None:
        self.replies = list(replies)
        self.prompts: list[AgentPrompt] = []

    async def stream(self, prompt: AgentPrompt) -> AsyncGenerator[AgentChunk, None]:
        self.prompts.append(prompt)
        text, end = self.replies.pop(0)
        for at in range(0, len(text), 64):
            yield AgentText(text[at : at + 64])
        yield end


LENGTH, DONE = AgentEnd("length"), AgentEnd("done")


async def cut_at(desk: Desk, place: int) -> Run:
    desk.agents.agent = ScriptedAgent(f"Here:\n{OPEN}{WHOLE[:place]}", LENGTH)
    return await desk.ask()


async def go_on(desk: Desk, run: Run, reply: str, end: AgentEnd = DONE) -> Run:
    desk.agents.agent = ScriptedAgent(reply, end)
    started = await desk.turns.go_on(run.id, ContinueRun())
    return await desk.turns.wait(started.run.id)


def status(desk: Desk, name: str) -> object:
    return json.loads((desk.folder / f"{name}.artifact.json").read_text())["status"]


# --- by a click ---------------------------------------------------------------------


async def test_a_cut_artifact_and_its_continuation_are_one_file(desk: Desk) -> None:
    cut = await cut_at(desk, 4_000)
    assert status(desk, "page.html") == "error"
    run = await go_on(desk, cut, f"{WHOLE[3_950:]}</artifact>\nDone.")
    assert desk.files() == {"page.html": WHOLE.encode()}
    assert status(desk, "page.html") == "complete"
    events = await desk.events(run)
    (end,) = [event for event in events if isinstance(event, ArtifactEnd)]
    (saved,) = [event for event in events if isinstance(event, ArtifactSaved)]
    digest = hashlib.sha256(WHOLE.encode()).hexdigest()
    assert (end.complete, end.sha256, saved.digest) == (True, digest, digest)
    assert saved.number == 2
    assert await desk.text() == "\nDone."
    assert [message.role for message in await desk.messages()] == [
        "user",
        "assistant",
        "assistant",
    ]


async def test_the_model_gets_the_last_2000_characters(desk: Desk) -> None:
    cut = await cut_at(desk, 6_000)
    run = await go_on(desk, cut, f"{WHOLE[5_950:]}</artifact>")
    prompt = await desk.store.run_prompt(run.id)
    assert prompt[-1].role == "user"
    assert WHOLE[4_000:6_000] in prompt[-1].content
    assert all(WHOLE[3_990:4_010] not in message.content for message in prompt)
    assert "[artifact emitted on a prior turn" in prompt[-2].content


async def test_a_continuation_that_repeats_nothing_is_a_draft_beside_the_file(
    desk: Desk,
) -> None:
    cut = await cut_at(desk, 4_000)
    await go_on(desk, cut, f"{WHOLE[4_000:]}</artifact>")
    files = desk.files()
    assert files["page.html"] == WHOLE[:4_000].encode()
    assert files["page.draft.html"] == WHOLE.encode()
    told = [part for part in await desk.parts() if isinstance(part, DiagnosticPart)]
    assert [part.code for part in told] == ["continuation-without-overlap"]
    (artifact,) = await desk.artifacts()
    assert (artifact.state, artifact.reason) == ("cut", "unjoined")


async def test_a_continuation_that_is_cut_again_makes_the_unfinished_file_longer(
    desk: Desk,
) -> None:
    first = await cut_at(desk, 3_000)
    second = await go_on(desk, first, WHOLE[2_950:6_000], LENGTH)
    assert desk.files() == {"page.html": WHOLE[:6_000].encode()}
    assert status(desk, "page.html") == "error"
    await go_on(desk, second, f"{WHOLE[5_950:]}</artifact>")
    assert desk.files() == {"page.html": WHOLE.encode()}


async def test_a_good_file_is_replaced_only_by_the_whole(desk: Desk) -> None:
    good = WHOLE.replace("long", "good")
    await desk.say(f"{OPEN}{good}</artifact>")
    cut = await cut_at(desk, 4_000)
    assert desk.files()["page.html"] == good.encode()
    await go_on(desk, cut, f"{WHOLE[3_950:]}</artifact>")
    assert desk.files()["page.html"] == WHOLE.encode()


async def test_what_a_person_changed_meanwhile_is_not_written_over(desk: Desk) -> None:
    cut = await cut_at(desk, 4_000)
    (desk.folder / "page.html").write_text("<!doctype html><p>Mine.")
    await go_on(desk, cut, f"{WHOLE[3_950:]}</artifact>")
    files = desk.files()
    assert files["page.html"] == b"<!doctype html><p>Mine."
    assert files["page.draft.html"] == WHOLE.encode()


async def test_a_continuation_of_nothing_changes_nothing(desk: Desk) -> None:
    cut = await cut_at(desk, 4_000)
    await go_on(desk, cut, "")
    assert desk.files() == {"page.html": WHOLE[:4_000].encode()}
    assert await desk.parts() == ()


async def test_only_the_last_cut_artifact_can_be_continued(desk: Desk) -> None:
    with pytest.raises(NotFound):
        await desk.turns.go_on("missing", ContinueRun())
    whole = await desk.say(f"{OPEN}{WHOLE}</artifact>")
    cut = await cut_at(desk, 4_000)
    await desk.say("And?")
    for run in (whole, cut):
        with pytest.raises(Conflict) as refused:
            await desk.turns.go_on(run.id, ContinueRun())
        assert refused.value.code == "nothing-to-continue"


async def test_a_stopped_artifact_is_not_continued(desk: Desk) -> None:
    desk.agents.agent = ScriptedAgent(f"{OPEN}{WHOLE[:900]}", AgentEnd("stopped"))
    run = await desk.ask()
    with pytest.raises(Conflict):
        await desk.turns.go_on(run.id, ContinueRun())


# --- by itself --------------------------------------------------------------------------


async def chain(desk: Desk, relay: Relay, continues: int) -> list[Run]:
    """Start a run with that many continuations, and wait until all are over."""
    desk.agents.agent = relay  # type: ignore[assignment]  # any agent will do
    started = await desk.turns.start(
        desk.project_id,
        desk.conversation_id,
        NewRun(text="Make a page", continues=continues),
    )
    await desk.turns.wait(started.run.id)
    while running := await desk.store.running():
        for run in running:
            await desk.turns.wait(run.id)
    return list(await desk.store.runs(desk.conversation_id))


def replies(*places: int) -> list[tuple[str, AgentEnd]]:
    """Return replies cut at these places, each repeating 40 characters."""
    texts = [f"{OPEN}{WHOLE[: places[0]]}"]
    for before, place in zip(places, [*places[1:], len(WHOLE)], strict=True):
        texts.append(WHOLE[before - 40 : place])
    return [*((text, LENGTH) for text in texts[:-1]), (f"{texts[-1]}</artifact>", DONE)]


async def test_it_goes_on_by_itself_until_it_is_whole(desk: Desk) -> None:
    relay = Relay(*replies(2_000, 5_000, 8_000))
    runs = await chain(desk, relay, 3)
    assert [run.reason for run in runs] == ["length", "length", "length", "done"]
    assert desk.files() == {"page.html": WHOLE.encode()}
    assert relay.replies == []


async def test_it_goes_on_by_itself_three_times_at_most(desk: Desk) -> None:
    relay = Relay(*replies(2_000, 4_000, 6_000, 8_000, 9_000))
    runs = await chain(desk, relay, 3)
    assert len(runs) == 4
    assert desk.files() == {"page.html": WHOLE[:8_000].encode()}
    with pytest.raises(ValueError, match="continues"):
        NewRun(text="Make a page", continues=4)


async def test_it_does_not_go_on_unless_it_is_told_to(desk: Desk) -> None:
    relay = Relay(*replies(2_000))
    assert len(await chain(desk, relay, 0)) == 1


async def test_text_that_was_cut_is_not_continued_by_itself(desk: Desk) -> None:
    relay = Relay(("Only words, no artifact", LENGTH))
    assert len(await chain(desk, relay, 3)) == 1
