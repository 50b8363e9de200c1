"""Another program cannot be locked out; whatever it does, no bytes are lost."""

from __future__ import annotations

import errno
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from tests.adapters.killing import (
    AT,
    PROJECT,
    changed,
    manifest,
    opened,
    write_step,
)
from vitrail.adapters import exchange
from vitrail.adapters.datafolder import DataFolder
from vitrail.adapters.embedded import EmbeddedStore
from vitrail.adapters.exchange import exchange_names, rename_to_free_name
from vitrail.adapters.objects import digest_of
from vitrail.errors import Conflict, InvalidPath, NotFound, StorageError
from vitrail.ports import FileDelete, FileMove, FileStep, PutProject
from vitrail.protocol.records import Project, Revision


class Meanwhile:
    """What another program does at a step of a commit, once."""

    def __init__(self) -> None:
        self._step = ""
        self._work: Callable[[], object] = int

    def at(self, step: str, work: Callable[[], object]) -> None:
        self._step, self._work = step, work

    def __call__(self, step: str) -> None:
        if step == self._step:
            self._step = ""
            self._work()


@pytest.fixture(params=["exchange", "links", "renames"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How files are put in place: in one call, by links, or on a disk with neither."""
    way: str = request.param
    if way != "exchange":
        monkeypatch.setattr(exchange, "_RENAMEAT2", None)
    if way == "renames":

        def no_links(*_: object, **__: object) -> None:
            raise OSError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", no_links)
    return way


@pytest.fixture
def meanwhile() -> Meanwhile:
    return Meanwhile()


@pytest.fixture
async def site(
    data: DataFolder, meanwhile: Meanwhile, way: str
) -> AsyncIterator[EmbeddedStore]:
    del way
    store = await opened(data, meanwhile)
    project = Project(id=PROJECT, name="site", title="S", created_at=AT, updated_at=AT)
    await store.apply([PutProject(project)])
    await store.commit_file(await write_step(store, "index.html", "old"))
    yield store
    await store.close()


@pytest.fixture
def working(data: DataFolder) -> Path:
    return data.projects / "site" / "index.html"


def replaced(working: Path, text: str) -> None:
    """Write as an editor does: aside, then renamed over."""
    aside = working.with_name(".aside")
    aside.write_text(text)
    aside.replace(working)


def written_into(working: Path, text: str) -> None:
    """Write as a program does that knows no better: into the file that is there."""
    working.write_text(text)


def text_of(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


def what_is(path: Path) -> str:
    if path.is_symlink():
        return "link"
    return "folder" if path.is_dir() else "pipe" if path.is_fifo() else "file"


async def texts(store: EmbeddedStore, path: str = "index.html") -> list[str]:
    """Return the contents of the path's revisions, the newest first."""
    history = await store.revisions(PROJECT, path)
    return [(await store.read_object(item.digest)).decode() for item in history]


async def authors(store: EmbeddedStore, path: str = "index.html") -> list[str]:
    return [item.author for item in await store.revisions(PROJECT, path)]


@pytest.mark.parametrize("edit", [replaced, written_into])
async def test_what_was_written_before_a_write_is_kept_and_the_write_a_conflict(
    site: EmbeddedStore, working: Path, edit: Callable[[Path, str], None]
) -> None:
    step = await write_step(site, "index.html", "new")
    edit(working, "by hand")
    with pytest.raises(Conflict) as refusal:
        await site.commit_file(step)
    assert refusal.value.details == {
        "path": "index.html",
        "expected_digest": digest_of(b"old"),
        "actual_digest": digest_of(b"by hand"),
    }
    assert text_of(working) == "by hand"
    assert await texts(site) == ["by hand", "old"]
    assert await authors(site) == ["outside", "model"]


@pytest.mark.parametrize("edit", [replaced, written_into])
async def test_what_was_written_in_the_same_moment_is_on_top_of_the_write(
    site: EmbeddedStore,
    working: Path,
    meanwhile: Meanwhile,
    edit: Callable[[Path, str], None],
) -> None:
    step = await write_step(site, "index.html", "new")
    meanwhile.at("committed", lambda: edit(working, "by hand"))
    with pytest.raises(Conflict) as refusal:
        await site.commit_file(step)
    assert refusal.value.details["is_committed"] is True
    assert refusal.value.details["actual_digest"] == digest_of(b"by hand")
    assert text_of(working) == "by hand"
    assert await texts(site) == ["by hand", "new", "old"]
    assert await authors(site) == ["outside", "model", "model"]
    assert (await site.file(PROJECT, "index.html")) is not None


async def test_what_is_written_into_the_old_file_after_the_exchange_is_kept(
    site: EmbeddedStore, working: Path, meanwhile: Meanwhile
) -> None:
    with working.open("r+") as old:

        def write() -> None:
            old.write("by hand")
            old.flush()

        step = await write_step(site, "index.html", "new")
        meanwhile.at("manifest-placed", write)
        with pytest.raises(Conflict):
            await site.commit_file(step)
    assert text_of(working) == "by hand"
    assert await texts(site) == ["by hand", "new", "old"]


async def test_a_file_that_appears_in_the_moment_a_new_one_is_made_stays(
    site: EmbeddedStore, data: DataFolder, meanwhile: Meanwhile
) -> None:
    page = data.projects / "site" / "page.html"
    step = await write_step(site, "page.html", "new")
    meanwhile.at("committed", lambda: page.write_text("by hand"))
    with pytest.raises(Conflict):
        await site.commit_file(step)
    assert page.read_text() == "by hand"
    assert await texts(site, "page.html") == ["by hand", "new"]
    staging = data.projects / "site" / ".vitrail" / "staging"
    assert list(staging.iterdir()) == []


async def test_a_file_that_is_removed_in_the_same_moment_stays_removed(
    site: EmbeddedStore, working: Path, meanwhile: Meanwhile
) -> None:
    step = await write_step(site, "index.html", "new")
    meanwhile.at("committed", working.unlink)
    await site.commit_file(step)
    assert text_of(working) is None
    assert await texts(site) == ["new", "old"]


async def test_what_was_written_in_the_moment_of_its_removal_stays(
    site: EmbeddedStore, working: Path, meanwhile: Meanwhile
) -> None:
    meanwhile.at("committed", lambda: replaced(working, "by hand"))
    with pytest.raises(Conflict):
        await site.delete_file(
            FileDelete(
                project_id=PROJECT,
                path="index.html",
                working_digest=digest_of(b"old"),
            )
        )
    assert text_of(working) == "by hand"
    assert await texts(site) == ["by hand", "old"]


async def test_bytes_that_are_in_no_revision_are_never_replaced(
    site: EmbeddedStore, working: Path
) -> None:
    """Though the writer names their digest: it may have read them before anybody kept them."""
    replaced(working, "by hand")
    step = await write_step(site, "index.html", "new")
    assert step.working_digest == digest_of(b"by hand")
    with pytest.raises(Conflict):
        await site.commit_file(step)
    assert await texts(site) == ["by hand", "old"]
    await site.commit_file(await write_step(site, "index.html", "new"))
    assert text_of(working) == "new"
    assert await texts(site) == ["new", "by hand", "old"]


@pytest.mark.parametrize("kind", ["folder", "link", "pipe"])
async def test_what_is_no_file_by_then_is_not_replaced_and_holds_nothing_up(
    site: EmbeddedStore, working: Path, tmp_path: Path, meanwhile: Meanwhile, kind: str
) -> None:
    victim = tmp_path / "victim"
    victim.write_text("kept")

    def become() -> None:
        working.unlink()
        match kind:
            case "folder":
                working.mkdir()
            case "link":
                working.symlink_to(victim)
            case _:
                os.mkfifo(working)

    step = await write_step(site, "index.html", "new")
    meanwhile.at("committed", become)
    with pytest.raises(StorageError) as refusal:
        await site.commit_file(step)
    assert refusal.value.details == {"is_committed": True}
    assert victim.read_text() == "kept"
    assert what_is(working) == kind
    # what is in the way of one file is in the way of no other
    await site.commit_file(await write_step(site, "page.html", "page"))
    assert await texts(site) == ["new", "old"]


# --- moves ---------------------------------------------------------------------


async def move_step(
    store: EmbeddedStore, path: str, target: str, *, content: str | None = None
) -> FileMove:
    head = await store.head(PROJECT, path)
    assert head is not None
    digest = head.digest if content is None else digest_of(content.encode())
    revision = Revision(
        id=f"{path} to {target}",
        project_id=PROJECT,
        path=target,
        number=await store.revision_count(PROJECT, target) + 1,
        parent=head.id,
        author="person",
        digest=digest,
        size=head.size,
        moved_from=path,
        created_at=AT,
    )
    return FileMove(
        path=path,
        working_digest=head.digest,
        revision=revision,
        manifest=manifest("moved", target),
        content=None if content is None else content.encode(),
        events=(changed(target, revision),),
    )


async def test_a_move_takes_the_manifest_and_keeps_both_histories(
    site: EmbeddedStore, working: Path
) -> None:
    (working.parent / "index.html").chmod(0o640)
    await site.commit_files([await move_step(site, "index.html", "docs/page.html")])
    moved = working.parent / "docs" / "page.html"
    assert moved.read_text() == "old"
    assert moved.stat().st_mode & 0o777 == 0o640
    assert sorted(item.name for item in moved.parent.iterdir()) == [
        "page.html",
        "page.html.artifact.json",
    ]
    assert text_of(working) is None
    assert not working.with_name("index.html.artifact.json").exists()
    (new,) = await site.revisions(PROJECT, "docs/page.html")
    (old,) = await site.revisions(PROJECT, "index.html")
    assert (new.parent, new.moved_from, new.number) == (old.id, "index.html", 1)
    assert await site.revision(new.id) == new
    there, gone = await site.history(PROJECT)
    assert (there.path, there.present, there.head) == ("docs/page.html", True, new)
    assert (gone.path, gone.present, gone.revisions) == ("index.html", False, 1)


async def test_a_move_and_the_files_that_name_it_are_one_transaction(
    site: EmbeddedStore, working: Path
) -> None:
    await site.commit_file(await write_step(site, "page.html", "page"))
    steps: list[FileStep] = [
        await move_step(site, "page.html", "docs/page.html", content="page, moved"),
        await write_step(site, "index.html", "old, rewritten"),
    ]
    replaced(working, "by hand")
    with pytest.raises(Conflict):
        await site.commit_files(steps)
    assert (working.parent / "page.html").read_text() == "page"
    assert not (working.parent / "docs" / "page.html").exists()
    await site.commit_files([steps[0], await write_step(site, "index.html", "again")])
    assert (working.parent / "docs" / "page.html").read_text() == "page, moved"
    assert text_of(working) == "again"


async def test_a_move_onto_a_file_is_a_conflict(site: EmbeddedStore) -> None:
    await site.commit_file(await write_step(site, "page.html", "page"))
    with pytest.raises(Conflict) as refusal:
        await site.commit_files([await move_step(site, "index.html", "page.html")])
    assert refusal.value.details["actual_digest"] == digest_of(b"page")
    assert len(await site.files(PROJECT)) == 2


async def test_steps_are_of_one_project_and_name_a_path_once(
    site: EmbeddedStore,
) -> None:
    step = await write_step(site, "index.html", "new")
    with pytest.raises(ValueError, match="each path once"):
        await site.commit_files([step, step])
    assert await site.commit_files([]) == ()
    with pytest.raises(NotFound):
        await site.revision("none")


# --- the call itself -------------------------------------------------------------


@pytest.mark.usefixtures("way")
def test_names_are_exchanged_and_free_names_taken(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("a")
    (tmp_path / "b").write_text("b")
    folder = os.open(tmp_path, os.O_RDONLY)
    try:
        exchange_names(folder, "a", folder, "b")
        with pytest.raises(FileExistsError):
            rename_to_free_name(folder, "a", folder, "b")
        rename_to_free_name(folder, "a", folder, "c")
        with pytest.raises(FileNotFoundError):
            exchange_names(folder, "b", folder, "none")
    finally:
        os.close(folder)
    left = {item.name: item.read_text() for item in tmp_path.iterdir()}
    assert left == {"b": "a", "c": "b"}


async def test_a_name_that_the_rules_refuse_is_refused_before_anything(
    site: EmbeddedStore, data: DataFolder
) -> None:
    before = await site.last_seq()
    for path in ("../x.html", ".vitrail/x.html", "a/../b.html"):
        step = await write_step(site, "index.html", "new")
        revision = step.revision.model_copy(update={"path": path, "parent": None})
        with pytest.raises(InvalidPath):
            await site.commit_file(
                type(step)(revision=revision, content=step.content, manifest=None)
            )
    assert await site.last_seq() == before
    assert not (data.projects / "x.html").exists()
