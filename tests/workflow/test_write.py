"""The one write entry: nothing is replaced that is not in the history first."""

from __future__ import annotations

import io
import threading

import pytest

from tests.support.turns import Desk, ScriptedAgent, Stop
from vitrail.adapters.archives import ZipSource
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.ids import UuidIds
from vitrail.errors import Conflict, InvalidInput, InvalidPath
from vitrail.limits import MAX_REASON_CHARS
from vitrail.ports import AgentEnd
from vitrail.protocol.events import ArtifactQuarantined, ArtifactSaved, FileChanged
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.workflow.entries import Entry, Hold
from vitrail.workflow.import_files import FileImports
from vitrail.workflow.ingest import Ingest
from vitrail.workflow.write import FileWriter


def page(heading: str, text: str = "A page of some length, as pages are.") -> str:
    return f"<!doctype html><html><body><h1>{heading}</h1><p>{text}</p></body></html>"


def artifact(identifier: str, body: str) -> str:
    return f'<artifact identifier="{identifier}" type="text/html" title="T">{body}</artifact>'


async def authors(desk: Desk, path: str) -> list[str]:
    revisions = await desk.store.revisions(desk.project_id, path)
    return [revision.author for revision in reversed(revisions)]


async def test_a_person_s_file_is_made_replaced_and_kept(
    desk: Desk, writer: FileWriter
) -> None:
    made = await writer.write(desk.project_id, "notes.md", b"# One", parent_digest=None)
    assert made.revision.author == "person"
    assert made.file.manifest is not None
    assert made.file.manifest.kind == "markdown-document"
    assert made.file.manifest.metadata == {
        "inferred": True,
        "digest": made.file.digest,
    }
    again = await writer.write(
        desk.project_id, "notes.md", b"# Two", parent_digest=made.file.digest
    )
    assert again.revision.parent == made.revision.id
    assert again.file.manifest is not None
    assert again.file.manifest.created_at == made.file.manifest.created_at
    assert await desk.store.read_object(made.revision.digest) == b"# One"


async def test_parts_of_something_get_no_manifest(
    desk: Desk, writer: FileWriter
) -> None:
    made = await writer.write(
        desk.project_id, "css/site.css", b"a{}", parent_digest=None
    )
    assert made.file.manifest is None
    assert desk.files() == {"css/site.css": b"a{}"}


async def test_a_write_names_what_it_read(desk: Desk, writer: FileWriter) -> None:
    made = await writer.write(desk.project_id, "a.css", b"1", parent_digest=None)
    with pytest.raises(Conflict) as refusal:
        await writer.write(desk.project_id, "a.css", b"2", parent_digest=None)
    assert refusal.value.code == "file-exists"
    for stale in ("0" * 64, made.file.digest):
        (desk.folder / "a.css").write_bytes(b"by hand")
        with pytest.raises(Conflict) as refusal:
            await writer.write(desk.project_id, "a.css", b"3", parent_digest=stale)
        assert refusal.value.code == "revision-conflict"
    assert desk.files() == {"a.css": b"by hand"}


async def test_a_path_that_leaves_the_project_is_refused(
    desk: Desk, writer: FileWriter
) -> None:
    for path in ("../x.css", "/x.css", ".od/x.css", "x.css.artifact.json"):
        with pytest.raises(InvalidPath):
            await writer.write(desk.project_id, path, b"x", parent_digest=None)
    assert desk.files() == {}


async def test_a_change_by_hand_is_a_revision_before_it_is_replaced(
    desk: Desk,
) -> None:
    await desk.say(artifact("index", page("Old")))
    (desk.folder / "index.html").write_text(page("New"))
    await desk.say(artifact("index", page("New", "Another paragraph, as asked for.")))
    outside, newest = (await desk.store.revisions(desk.project_id, "index.html"))[1::-1]
    assert await authors(desk, "index.html") == ["model", "outside", "model"]
    assert newest.parent == outside.id
    kept = await desk.store.read_object(outside.digest)
    assert kept.decode() == page("New")


async def test_a_file_that_was_never_ours_is_kept_before_it_is_replaced(
    desk: Desk,
) -> None:
    (desk.folder / "index.html").write_text(page("Theirs"))
    await desk.say(artifact("index", page("Ours")))
    assert await authors(desk, "index.html") == ["outside", "model"]
    assert desk.files() == {"index.html": page("Ours").encode()}


async def test_what_a_person_saved_while_the_model_wrote_is_not_replaced(
    desk: Desk, writer: FileWriter
) -> None:
    await desk.say(artifact("index", page("One")))
    shown = await desk.store.file(desk.project_id, "index.html")
    assert shown is not None
    writing = Stop()
    desk.agents.agent = ScriptedAgent(
        "Here:\n", writing, artifact("index", page("Model's")), AgentEnd("done")
    )
    started = await desk.start()
    await writing.reached.wait()
    await writer.write(
        desk.project_id,
        "index.html",
        page("Person's").encode(),
        parent_digest=shown.digest,
    )
    writing.go_on.set()
    run = await desk.turns.wait(started.run.id)
    assert desk.files() == {
        "index.html": page("Person's").encode(),
        "index.draft.html": page("Model's").encode(),
    }
    (kept,) = [
        event
        for event in await desk.events(run)
        if isinstance(event, ArtifactQuarantined)
    ]
    assert kept.path == "index.draft.html"
    assert [found.code for found in kept.diagnostics] == ["merge-conflict"]


async def test_a_reply_may_change_what_it_wrote_itself(desk: Desk) -> None:
    run = await desk.say(
        artifact("index", page("One")) + "\nBetter:\n" + artifact("index", page("Two"))
    )
    saved = [
        event for event in await desk.events(run) if isinstance(event, ArtifactSaved)
    ]
    assert [(event.path, event.number) for event in saved] == [
        ("index.html", 1),
        ("index.html", 2),
    ]
    assert desk.files() == {"index.html": page("Two").encode()}


async def test_an_outcome_and_its_file_s_event_come_together(desk: Desk) -> None:
    run = await desk.say(artifact("index", page("One")))
    events = await desk.events(run)
    at = next(
        index for index, event in enumerate(events) if isinstance(event, ArtifactSaved)
    )
    changed = events[at + 1]
    assert isinstance(changed, FileChanged)
    saved = events[at]
    assert isinstance(saved, ArtifactSaved)
    assert (changed.path, changed.digest, changed.revision, changed.author) == (
        saved.path,
        saved.digest,
        saved.revision,
        "model",
    )


async def test_body_and_file_are_byte_equal_the_first_line_break_included(
    desk: Desk,
) -> None:
    body = "\n" + page("One") + "\r\n\n"
    await desk.say(artifact("index", body))
    assert desk.files() == {"index.html": body.encode()}


async def test_identity_updates_and_a_look_alike_title_does_not(desk: Desk) -> None:
    """Field bug 08, through a turn."""
    await desk.say(artifact("index", page("One")))
    await desk.say(artifact("index", page("Two")))
    titled = f'<artifact type="text/html" title="Index">{page("Three")}</artifact>'
    await desk.say(titled)
    assert desk.files() == {
        "index.html": page("Two").encode(),
        "index-2.html": page("Three").encode(),
    }


async def test_names_in_any_script_stay_readable_and_apart(desk: Desk) -> None:
    """Field bug 19."""
    await desk.say(
        artifact("\u56f3\u8868", page("One"))
        + "\n"
        + artifact("\u4e00\u89a7", page("Two"))
    )
    assert set(desk.files()) == {"\u56f3\u8868.html", "\u4e00\u89a7.html"}


@pytest.mark.parametrize(("length", "is_long"), [(1000, False), (100_000, True)])
async def test_nobody_waits_while_a_long_page_is_read_for_its_manifest(
    desk: Desk, writer: FileWriter, length: int, *, is_long: bool
) -> None:
    threads: list[int] = []
    maker = writer.persons_manifest(is_new=True)

    def noted(
        path: str, content: bytes, previous: ArtifactManifest | None
    ) -> ArtifactManifest | None:
        threads.append(threading.get_ident())
        return maker(path, content, previous)

    for hold in (None, Hold("artifact-regression")):
        there = await desk.store.file(desk.project_id, "a.html")
        entered = await writer.enter(
            Entry(
                project_id=desk.project_id,
                path="a.html",
                content=page("T", "x" * length + str(hold)).encode(),
                author="person",
                replaces=there.digest if there else None,
                manifest=noted,
                hold=hold,
            )
        )
        assert entered.outcome == ("quarantined" if hold else "accepted")
    assert [one != threading.get_ident() for one in threads] == [is_long, is_long]


@pytest.mark.parametrize("reason", ["", " \n", "x" * (MAX_REASON_CHARS + 1), "\udc80"])
async def test_every_way_in_keeps_reasons_by_one_rule(
    desk: Desk, writer: FileWriter, reason: str
) -> None:
    path = "page.html"
    made = await writer.write(desk.project_id, path, b"one", parent_digest=None)
    with pytest.raises(InvalidInput, match="A reason to replace a file"):
        await writer.write(
            desk.project_id,
            path,
            b"two",
            parent_digest=made.file.digest,
            replace_reason=reason,
        )
    with pytest.raises(InvalidInput, match="A reason to replace a file"):
        Ingest(desk.store, FixedClock(), UuidIds(), desk.project_id, reason=reason)
    source = ZipSource(io.BytesIO())
    imports = FileImports(desk.store, FixedClock(), writer)
    with pytest.raises(InvalidInput, match="A reason to replace a file"):
        await imports.bring_in(desk.project_id, source, replace=reason)
    assert await desk.store.revision_count(desk.project_id, path) == 1
