"""What another program does in a project's folder becomes history, and is told."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.outside import (
    LONG,
    Moments,
    There,
    artifact,
    authors,
    history,
    manifest_of,
    noticing,
    page,
    since,
    write,
)
from tests.support.turns import Desk, ScriptedAgent, Stop, open_desk
from vitrail.adapters.clock import SystemClock
from vitrail.adapters.folder import ProjectFolder
from vitrail.adapters.ids import UuidIds
from vitrail.core.validate.gated import GateMode
from vitrail.errors import StorageError
from vitrail.ports import AgentEnd
from vitrail.protocol.events import (
    ArtifactQuarantined,
    ArtifactRefused,
    ArtifactSaved,
    FileChanged,
    QuarantineResolved,
)
from vitrail.workflow import outside_commits
from vitrail.workflow.outside import OutsideChanges, OutsidePace
from vitrail.workflow.outside_units import Noticed


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def moments() -> Moments:
    return Moments()


@pytest.fixture
def outside(desk: Desk, moments: Moments) -> OutsideChanges:
    return noticing(desk, moments)


# --- what was written -----------------------------------------------------------


async def test_a_new_file_is_a_revision_with_a_manifest_and_is_told(
    desk: Desk, outside: OutsideChanges
) -> None:
    before = await desk.store.last_seq()
    (desk.folder / "a.html").write_text(page("One"))
    noticed = await outside.notice(desk.project_id)
    (revision,) = noticed.revisions
    assert (revision.author, revision.number, revision.parent) == ("outside", 1, None)
    assert await desk.store.read_object(revision.digest) == page("One").encode()
    assert await since(desk, before) == [
        FileChanged("a.html", revision.digest, revision.id, "outside")
    ]
    manifest = manifest_of(desk, "a.html")
    assert manifest["kind"] == "html"
    metadata = manifest["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["inferred"] is metadata["reconciled"] is True
    info = await desk.store.file(desk.project_id, "a.html")
    assert info is not None
    assert manifest["createdAt"] == manifest["updatedAt"] == info.modified_at


async def test_a_changed_file_is_the_child_of_what_was_there(
    desk: Desk, outside: OutsideChanges
) -> None:
    await desk.say(artifact("index", page("One")))
    (desk.folder / "index.html").write_text(page("Two"))
    (revision,) = (await outside.notice(desk.project_id)).revisions
    first, second = await history(desk, "index.html")
    assert second == revision
    assert second.parent == first.id
    assert await desk.store.read_object(first.digest) == page("One").encode()
    metadata = manifest_of(desk, "index.html")["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["identifier"] == "index"
    assert metadata["digest"] == revision.digest


async def test_what_was_noticed_is_not_noticed_again(
    desk: Desk, outside: OutsideChanges, moments: Moments
) -> None:
    (desk.folder / "a.html").write_text(page("One"))
    await outside.notice(desk.project_id)
    before, waits = await desk.store.last_seq(), moments.waits
    assert await outside.notice(desk.project_id) == Noticed()
    assert await noticing(desk).notice(desk.project_id) == Noticed()
    assert await desk.store.last_seq() == before
    assert moments.waits == waits


async def test_our_own_writes_never_come_back_as_another_program_s(
    desk: Desk, outside: OutsideChanges
) -> None:
    await desk.say(artifact("index", page("One")))
    await write(desk, "css/site.css", "a{}")
    before = await desk.store.last_seq()
    known = frozenset({"index.html", "css/site.css"})
    assert await outside.notice(desk.project_id, known) == Noticed()
    assert await outside.notice(desk.project_id) == Noticed()
    assert await desk.store.last_seq() == before


async def test_only_named_paths_that_are_known_spare_the_look(
    desk: Desk, outside: OutsideChanges
) -> None:
    await write(desk, "a.css", "a{}")
    (desk.folder / "b.css").write_text("b{}")
    paths = frozenset({"a.css"})
    assert await outside.notice(desk.project_id, paths) == Noticed()
    assert (await outside.notice(desk.project_id, paths | {"b.css"})).revisions
    (desk.folder / "a.css").unlink()
    assert (await outside.notice(desk.project_id, paths)).removed == ("a.css",)


async def test_a_file_is_read_only_once_nobody_writes_it_any_more(
    desk: Desk, outside: OutsideChanges, moments: Moments
) -> None:
    """Truncate and write, in pieces: no half of it is ever a revision."""
    await desk.say(artifact("index", page("One")))
    target = desk.folder / "index.html"
    whole = page("Two", "x" * 5000)
    target.write_text("")
    moments.acts = [
        lambda: target.write_text(whole[:100]),
        lambda: target.write_text(whole[:3000]),
        lambda: target.write_text(whole),
    ]
    (revision,) = (await outside.notice(desk.project_id)).revisions
    assert await desk.store.read_object(revision.digest) == whole.encode()
    assert await authors(desk, "index.html") == ["model", "outside"]


async def test_a_file_that_never_rests_is_left_for_later(
    desk: Desk, moments: Moments
) -> None:
    log = desk.folder / "log.txt"
    log.write_text("0")
    (desk.folder / "a.css").write_text("a{}")
    moments.acts = [
        lambda number=number: log.write_text("x" * number)  # type: ignore[misc]  # a default binds it
        for number in range(2, 50)
    ]
    outside = noticing(desk, moments, pace=OutsidePace(looks=5))
    noticed = await outside.notice(desk.project_id)
    assert not noticed.is_settled
    assert [revision.path for revision in noticed.revisions] == ["a.css"]
    moments.acts.clear()
    noticed = await outside.notice(desk.project_id)
    assert noticed.is_settled
    assert [revision.path for revision in noticed.revisions] == ["log.txt"]


async def test_an_editor_that_renames_its_own_copy_in_makes_one_revision(
    desk: Desk, outside: OutsideChanges, moments: Moments
) -> None:
    """Backup, gone for a moment, new file: no removal and no move is told."""
    await desk.say(artifact("index", page("One")))
    before = await desk.store.last_seq()
    target, backup = desk.folder / "index.html", desk.folder / "index.html~"
    target.rename(backup)
    (desk.folder / "4913").write_text("")
    (desk.folder / ".index.html.swp").write_text("vim")

    def finish() -> None:
        aside = desk.folder / "index.html.tmp"
        aside.write_text(page("Two"))
        aside.rename(target)
        backup.unlink()

    moments.acts = [finish]
    (revision,) = (await outside.notice(desk.project_id)).revisions
    assert await since(desk, before) == [
        FileChanged("index.html", revision.digest, revision.id, "outside")
    ]
    assert await authors(desk, "index.html") == ["model", "outside"]


async def test_what_editors_leave_for_a_moment_is_nobody_s_revision(
    desk: Desk, outside: OutsideChanges
) -> None:
    for name in ("a.html~", "4913", "#a.html#", "a.html.tmp", ".a.html.swp"):
        (desk.folder / name).write_text("x")
    assert await outside.notice(desk.project_id) == Noticed()


async def test_nothing_is_read_through_a_link(
    desk: Desk, outside: OutsideChanges, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.html"
    secret.write_text(page("Secret"))
    await desk.say(artifact("index", page("One")))
    (desk.folder / "link.html").symlink_to(secret)
    (desk.folder / "away").symlink_to(tmp_path)
    (desk.folder / "index.html").unlink()
    (desk.folder / "index.html").symlink_to(secret)
    noticed = await outside.notice(desk.project_id)
    assert not noticed.revisions
    assert not noticed.removed
    assert noticed.blocked == {"index.html"}
    assert await authors(desk, "index.html") == ["model"]


async def test_reserved_and_internal_files_are_not_looked_at(
    desk: Desk, outside: OutsideChanges
) -> None:
    for name in (
        ".vitrail/staging/x.html",
        ".live-artifacts/a/index.html",
        "node_modules/p/index.html",
        ".git/config",
        "CON.html",
        "x.html.artifact.json",
    ):
        (desk.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (desk.folder / name).write_text(page("x"))
    assert await outside.notice(desk.project_id) == Noticed()


async def test_a_file_that_is_too_large_is_told_once_and_left_alone(
    desk: Desk, outside: OutsideChanges, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside_commits, "MAX_OUTSIDE_BYTES", 1000)
    before = await desk.store.last_seq()
    (desk.folder / "film.mp4").write_bytes(b"x" * 1001)
    noticed = await outside.notice(desk.project_id)
    assert [file.path for file in noticed.left_alone] == ["film.mp4"]
    (told,) = await since(desk, before)
    assert isinstance(told, ArtifactRefused)
    assert told.identifier == "film.mp4"
    assert [found.code for found in told.diagnostics] == ["outside-file-too-large"]
    assert await outside.notice(desk.project_id) == Noticed()
    assert await history(desk, "film.mp4") == ()


async def test_many_new_files_are_kept_in_few_transactions(
    desk: Desk, outside: OutsideChanges
) -> None:
    for number in range(130):
        (desk.folder / f"{number:03}.css").write_text(f".a{number}{{}}")
    noticed = await outside.notice(desk.project_id)
    assert len(noticed.revisions) == 130
    assert (
        len({file.path for file in await desk.store.recorded(desk.project_id)}) == 130
    )


async def test_a_file_that_changes_while_it_is_kept_holds_up_no_other(
    desk: Desk, outside: OutsideChanges, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a.css", "b.css", "c.css"):
        (desk.folder / name).write_text(name)
    commit = desk.store.commit_files
    tries: list[object] = []

    async def disturbed(steps: object) -> object:
        if not tries:
            (desk.folder / "b.css").write_text("b, changed again")
        tries.append(steps)
        return await commit(steps)  # type: ignore[arg-type]  # handed on

    monkeypatch.setattr(desk.store, "commit_files", disturbed)
    noticed = await outside.notice(desk.project_id)
    assert noticed.is_settled
    contents = {
        file.path: await desk.store.read_object(file.digest)
        for file in await desk.store.recorded(desk.project_id)
    }
    assert contents == {
        "a.css": b"a.css",
        "b.css": b"b, changed again",
        "c.css": b"c.css",
    }


# --- who did it -------------------------------------------------------------------


async def test_what_changes_while_an_agent_on_files_runs_is_the_model_s(
    desk: Desk, outside: OutsideChanges
) -> None:
    working = Stop()
    desk.agents.agent = ScriptedAgent("On it.", working, AgentEnd("done"))
    started = await desk.start()
    await working.reached.wait()
    (desk.folder / "made.html").write_text(page("Made"))
    (revision,) = (await outside.notice(desk.project_id)).revisions
    working.go_on.set()
    run = await desk.turns.wait(started.run.id)
    assert (revision.author, revision.run_id) == ("model", run.id)
    told = [
        event
        for event in await desk.events(run)
        if isinstance(event, FileChanged) and event.path == "made.html"
    ]
    assert [event.author for event in told] == ["model"]
    metadata = manifest_of(desk, "made.html")["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["origin"]["run"] == run.id
    (desk.folder / "made.html").write_text(page("By hand"))
    await outside.notice(desk.project_id)
    assert await authors(desk, "made.html") == ["model", "outside"]


async def test_what_changes_while_another_agent_runs_is_the_outside_s(
    desk: Desk,
) -> None:
    outside = OutsideChanges(
        desk.store,
        SystemClock(),
        UuidIds(),
        folders=There(desk.folder),
        agents=frozenset({"other"}),
        sleep=Moments(),
    )
    working = Stop()
    desk.agents.agent = ScriptedAgent("On it.", working, AgentEnd("done"))
    started = await desk.start()
    await working.reached.wait()
    (desk.folder / "a.css").write_text("a{}")
    (revision,) = (await outside.notice(desk.project_id)).revisions
    working.go_on.set()
    await desk.turns.wait(started.run.id)
    assert (revision.author, revision.run_id) == ("outside", None)
    assert await outside.notice_for("command", desk.project_id) == Noticed()


# --- the gates, after the fact ------------------------------------------------------


async def test_a_suspicious_replacement_stays_in_the_folder_and_waits_for_a_decision(
    desk: Desk, outside: OutsideChanges
) -> None:
    await desk.say(artifact("index", LONG))
    before = await desk.store.last_seq()
    (desk.folder / "index.html").write_text(page("Stub"))
    noticed = await outside.notice(desk.project_id)
    (revision,), (record,) = noticed.revisions, noticed.held
    good, head = await history(desk, "index.html")
    assert head == revision
    assert head.parent == good.id
    assert await desk.store.read_object(good.digest) == LONG.encode()
    assert (desk.folder / "index.html").read_text() == page("Stub")
    assert await desk.store.quarantined(desk.project_id) == (record,)
    assert record.path == record.draft == "index.html"
    assert (record.revision, record.good_digest) == (head.id, good.digest)
    assert record.lost
    quarantined, changed = await since(desk, before)
    assert isinstance(quarantined, ArtifactQuarantined)
    assert quarantined.quarantine == record.id
    assert quarantined.reason == "artifact-regression"
    assert [found.code for found in quarantined.diagnostics] == ["artifact-regression"]
    assert quarantined.lost == record.lost
    assert isinstance(changed, FileChanged)


async def test_a_page_that_is_whole_again_takes_the_question_back(
    desk: Desk, outside: OutsideChanges
) -> None:
    await desk.say(artifact("index", LONG))
    (desk.folder / "index.html").write_text(page("Stub"))
    (record,) = (await outside.notice(desk.project_id)).held
    (desk.folder / "index.html").write_text(page("Stub, longer"))
    (second,) = (await outside.notice(desk.project_id)).held
    assert second.good_digest == record.good_digest
    assert await desk.store.quarantined(desk.project_id) == (second,)
    before = await desk.store.last_seq()
    (desk.folder / "index.html").write_text(LONG + "<!-- more -->")
    assert (await outside.notice(desk.project_id)).held == ()
    assert await desk.store.quarantined(desk.project_id) == ()
    assert QuarantineResolved(second.id, "replaced") in await since(desk, before)


@pytest.mark.parametrize(
    ("mode", "is_held", "is_told"),
    [
        ("off", False, False),
        ("warn", False, True),
        ("quarantine", True, True),
        ("reject", True, True),
    ],
)
async def test_the_stub_guard_s_mode_decides(
    desk: Desk,
    mode: GateMode,
    *,
    is_held: bool,
    is_told: bool,
) -> None:
    outside = noticing(desk, mode=mode)
    await desk.say(artifact("index", LONG))
    before = await desk.store.last_seq()
    (desk.folder / "index.html").write_text(page("Stub"))
    noticed = await outside.notice(desk.project_id)
    assert bool(noticed.held) is is_held
    codes = [
        found.code
        for event in await since(desk, before)
        if isinstance(event, ArtifactQuarantined | ArtifactSaved)
        for found in event.diagnostics
    ]
    assert codes == (["artifact-regression"] if is_told else [])


async def test_a_placeholder_is_told_and_the_file_stays(
    desk: Desk, outside: OutsideChanges
) -> None:
    before = await desk.store.last_seq()
    text = page("Team", "Chief executive: Name to confirm, and we raise $X.XM")
    (desk.folder / "team.html").write_text(text)
    (revision,) = (await outside.notice(desk.project_id)).revisions
    saved, changed = await since(desk, before)
    assert isinstance(saved, ArtifactSaved)
    assert (saved.path, saved.revision, saved.artifact) == (
        "team.html",
        revision.id,
        None,
    )
    assert [(found.code, found.severity) for found in saved.diagnostics] == [
        ("artifact-publication-blocked", "warning")
    ] * 2
    assert "Nothing was saved" not in saved.diagnostics[0].message
    assert isinstance(changed, FileChanged)
    assert (desk.folder / "team.html").read_text() == text


async def test_a_wrong_import_is_told_and_no_byte_of_it_is_touched(
    desk: Desk, outside: OutsideChanges
) -> None:
    before = await desk.store.last_seq()
    text = (
        "<!doctype html><html><head><script "
        'src="https://unpkg.com/motion@11.0.0/dist/motion.js"></script></head>'
        "<body><script>const { useScroll } = Motion; useScroll();</script></body></html>"
    )
    (desk.folder / "a.html").write_text(text)
    await outside.notice(desk.project_id)
    saved, _ = await since(desk, before)
    assert isinstance(saved, ArtifactSaved)
    assert [found.code for found in saved.diagnostics] == ["runtime-import-broken"]
    assert (desk.folder / "a.html").read_text() == text


# --- two at once ----------------------------------------------------------------------


async def test_two_that_notice_the_same_make_one_history(desk: Desk) -> None:
    await desk.say(artifact("index", page("One")))
    await desk.say(artifact("gone", page("Gone")))
    await desk.say(artifact("old", page("Old", "a" * 100)))
    (desk.folder / "index.html").write_text(page("Two"))
    (desk.folder / "gone.html").unlink()
    (desk.folder / "old.html").rename(desk.folder / "new.html")
    (desk.folder / "fresh.css").write_text("a{}")
    before = await desk.store.last_seq()
    both = [noticing(desk), noticing(desk)]
    noticed = await asyncio.gather(*(one.notice(desk.project_id) for one in both))
    told = await since(desk, before)
    assert len(told) == len(set(map(repr, told))) == 4
    assert sum(len(one.revisions) for one in noticed) == 3
    assert sum(len(one.removed) for one in noticed) == 1
    assert sum(len(one.moved) for one in noticed) == 1
    assert await authors(desk, "index.html") == ["model", "outside"]
    assert len(await history(desk, "new.html")) == 1


async def test_a_person_who_saves_at_the_same_moment_loses_nothing(
    desk: Desk, outside: OutsideChanges
) -> None:
    """Field bug 38, with an editor on disk."""
    await write(desk, "a.css", "one")
    (desk.folder / "a.css").write_text("by hand")

    noticing_, saving = outside.notice(desk.project_id), write(desk, "a.css", "saved")
    await asyncio.gather(noticing_, saving)
    texts = [
        await desk.store.read_object(revision.digest)
        for revision in await history(desk, "a.css")
    ]
    assert texts == [b"one", b"by hand", b"saved"]
    assert desk.files() == {"a.css": b"saved"}


# --- files that are none ---------------------------------------------------------------


async def test_what_is_no_regular_file_is_never_waited_for(
    desk: Desk, outside: OutsideChanges
) -> None:
    await desk.say(artifact("index", page("One")))
    (desk.folder / "index.html").unlink()
    os.mkfifo(desk.folder / "index.html")
    os.mkfifo(desk.folder / "pipe.html")
    async with asyncio.timeout(10):
        noticed = await outside.notice(desk.project_id)
    assert noticed.revisions == ()
    assert noticed.removed == ("index.html",)


async def test_a_file_that_may_not_be_read_hides_no_other_and_is_not_gone(
    desk: Desk, outside: OutsideChanges, monkeypatch: pytest.MonkeyPatch
) -> None:
    await write(desk, "secret.css", "a{}")
    (desk.folder / "open.css").write_text("b{}")
    (desk.folder / "secret.css").touch()
    digest = ProjectFolder.digest

    def refusing(self: ProjectFolder, path: str) -> object:
        if path == "secret.css":
            raise StorageError("It may not be read.", code="storage-read-only")
        return digest(self, path)

    monkeypatch.setattr(ProjectFolder, "digest", refusing)
    noticed = await outside.notice(desk.project_id)
    assert [revision.path for revision in noticed.revisions] == ["open.css"]
    assert noticed.removed == ()
    assert noticed.blocked == {"secret.css"}
    monkeypatch.undo()
    assert await outside.notice(desk.project_id) == Noticed()


async def test_a_name_is_one_name_however_its_accents_are_written(
    desk: Desk, outside: OutsideChanges
) -> None:
    composed, decomposed = "caf\u00e9.html", "cafe\u0301.html"
    (desk.folder / decomposed).write_text(page("One"))
    (revision,) = (await outside.notice(desk.project_id)).revisions
    assert revision.path == composed
    assert await outside.notice(desk.project_id) == Noticed()
    (desk.folder / decomposed).unlink()
    assert (await outside.notice(desk.project_id)).removed == (composed,)
    assert await outside.notice(desk.project_id) == Noticed()


async def test_names_in_any_script_stay_apart(
    desk: Desk, outside: OutsideChanges
) -> None:
    """Field bug 19, for files that were there already."""
    names = ["\u56f3\u8868.html", "\u4e00\u89a7.html"]
    for name in names:
        (desk.folder / name).write_text(page(name))
    noticed = await outside.notice(desk.project_id)
    assert sorted(revision.path for revision in noticed.revisions) == sorted(names)
