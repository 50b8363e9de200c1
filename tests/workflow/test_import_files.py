"""Imports of files: all of them, or none and the list why."""

from __future__ import annotations

import io
import json
import zipfile
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import cast

import pytest

from tests.support.turns import Desk, open_desk
from vitrail.adapters.archives import FolderSource, ZipSource
from vitrail.adapters.clock import FixedClock
from vitrail.adapters.ids import UuidIds
from vitrail.core.validate import GatePolicy
from vitrail.errors import Conflict, InvalidInput
from vitrail.ports import FileStep, Store
from vitrail.protocol.imports import ImportResult
from vitrail.workflow.exports import outgoing_files
from vitrail.workflow.gating import GateKeeper
from vitrail.workflow.import_files import FileImports
from vitrail.workflow.write import FileWriter

PAGE = b"<!doctype html><html><body><h1>Tea</h1><p>Leaves and water.</p></body></html>"


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


def packed(**entries: bytes) -> ZipSource:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return ZipSource(made)


async def bring_in(
    desk: Desk,
    source: ZipSource | FolderSource,
    *,
    replace: str | None = None,
    policy: GatePolicy | None = None,
) -> ImportResult:
    gates = GateKeeper(policy)
    clock = FixedClock()
    writer = FileWriter(desk.store, clock, UuidIds(), gates)
    imports = FileImports(desk.store, clock, writer, gates)
    return await imports.bring_in(desk.project_id, source, replace=replace)


async def refused(
    desk: Desk, source: ZipSource, **more: object
) -> list[tuple[str, str]]:
    before = await desk.store.files(desk.project_id)
    with pytest.raises(InvalidInput) as refusal:
        await bring_in(desk, source, **more)  # type: ignore[arg-type]  # as they are named
    assert refusal.value.code == "import-refused"
    assert await desk.store.files(desk.project_id) == before
    listed = refusal.value.details["refused"]
    assert isinstance(listed, list)
    return [(one["name"], one["code"]) for one in listed]


async def test_files_come_in_as_revisions_of_a_person(desk: Desk) -> None:
    result = await bring_in(desk, packed(**{"index.html": PAGE, "img/a.bin": b"\0"}))
    assert [(file.path, file.verdict) for file in result.files] == [
        ("img/a.bin", "accepted"),
        ("index.html", "accepted"),
    ]
    head = await desk.store.head(desk.project_id, "index.html")
    assert head is not None
    assert (head.author, head.reason, head.number) == ("person", "imported", 1)
    info = await desk.store.file(desk.project_id, "index.html")
    assert info is not None
    assert info.manifest is not None
    assert info.manifest.kind == "html"


async def test_the_same_import_again_changes_nothing(desk: Desk) -> None:
    files = {"index.html": PAGE, "a.css": b"a{}"}
    await bring_in(desk, packed(**files))
    again = await bring_in(desk, packed(**files))
    assert {file.verdict for file in again.files} == {"unchanged"}
    assert await desk.store.revision_count(desk.project_id, "a.css") == 1


async def test_a_file_that_is_there_is_replaced_for_a_reason_only(desk: Desk) -> None:
    await bring_in(desk, packed(**{"a.css": b"a{}", "b.css": b"b{}"}))
    changed = {"a.css": b"a{b:c}", "b.css": b"b{}", "new.css": b""}
    assert await refused(desk, packed(**changed)) == [("a.css", "file-exists")]
    result = await bring_in(desk, packed(**changed), replace="the new look")
    assert [(file.path, file.verdict) for file in result.files] == [
        ("a.css", "accepted"),
        ("b.css", "unchanged"),
        ("new.css", "accepted"),
    ]
    head = await desk.store.head(desk.project_id, "a.css")
    assert head is not None
    assert (head.number, head.reason) == (2, "the new look")


async def test_names_that_clash_with_what_is_there_are_all_listed(desk: Desk) -> None:
    await bring_in(desk, packed(**{"Index.html": PAGE, "css/a.css": b"", "x": b""}))
    listed = await refused(
        desk,
        packed(**{"index.html": PAGE, "CSS/b.css": b"", "x/y": b"", "ok.md": b"#"}),
    )
    assert sorted(listed) == [
        ("CSS/b.css", "path-clash"),
        ("index.html", "path-clash"),
        ("x/y", "path-below-a-file"),
    ]


async def test_an_attack_in_an_archive_leaves_no_trace(desk: Desk) -> None:
    listed = await refused(desk, packed(**{"a.html": PAGE, "../../evil.html": PAGE}))
    assert listed == [("../../evil.html", "path-traversal")]
    assert await desk.store.history(desk.project_id) == ()


async def test_the_gates_refuse_an_import_as_a_whole(desk: Desk) -> None:
    unfinished = PAGE.replace(b"Leaves", b"Replace this panel with leaves")
    listed = await refused(desk, packed(**{"a.html": unfinished, "b.html": PAGE}))
    assert listed == [("a.html", "artifact-publication-blocked")]


async def test_a_manifest_comes_along_by_white_list(desk: Desk) -> None:
    manifest = {
        "version": 1,
        "kind": "deck",
        "renderer": "deck-html",
        "title": "Slides",
        "entry": "elsewhere.html",
        "exports": ["html"],
        "metadata": {"identifier": "tea"},
        "unknown": True,
    }
    source = packed(
        **{
            "a.html": PAGE,
            "a.html.artifact.json": json.dumps(manifest).encode(),
            "b.html": PAGE,
            "b.html.artifact.json": b'{"version": 1, "kind": "virus"}',
        }
    )
    result = await bring_in(desk, source)
    assert [(one.name, one.reason) for one in result.left_out] == [
        ("b.html.artifact.json", "manifest")
    ]
    infos = {info.path: info for info in await desk.store.files(desk.project_id)}
    taken = infos["a.html"].manifest
    assert taken is not None
    assert (taken.kind, taken.title, taken.entry) == ("deck", "Slides", "a.html")
    assert (taken.metadata or {})["identifier"] == "tea"
    assert (taken.metadata or {})["digest"] == infos["a.html"].digest
    given = infos["b.html"].manifest
    assert given is not None
    assert given.kind == "html"


async def test_a_folder_comes_in(desk: Desk, tmp_path: Path) -> None:
    root = tmp_path / "site"
    (root / ".git").mkdir(parents=True)
    (root / "図表.html").write_bytes(PAGE)
    result = await bring_in(desk, FolderSource(root))
    assert [file.path for file in result.files] == ["図表.html"]
    assert [(one.name, one.reason) for one in result.left_out] == [(".git", "hidden")]


# --- going out (path_cases P149) ---------------------------------------------------


async def test_both_of_two_names_go_out_and_references_follow(desk: Desk) -> None:
    folder = desk.folder
    (folder / "a.html").write_bytes(b'<a href="A.html">big</a><img src="x.png">')
    (folder / "A.html").write_bytes(b'<a href="a.html#top">small</a>')
    (folder / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    files = await outgoing_files(desk.store, desk.project_id)
    contents = {file.name: await file.read() for file in files}
    assert contents == {
        "A.html": b'<a href="a-2.html#top">small</a>',
        "a-2.html": b'<a href="A.html">big</a><img src="x.png">',
        "x.png": b"\x89PNG\r\n\x1a\n",
    }


class CountedStore:
    """A desk's store that counts what it is asked, by name."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.asked: Counter[str] = Counter()

    def __getattr__(self, name: str) -> object:
        self.asked[name] += 1
        return getattr(self._store, name)


@pytest.mark.parametrize("count", [20, 250])
async def test_the_project_is_listed_once_and_commits_hold_many_files(
    desk: Desk, count: int
) -> None:
    store = CountedStore(desk.store)
    gates = GateKeeper()
    writer = FileWriter(cast("Store", store), FixedClock(), UuidIds(), gates)
    imports = FileImports(cast("Store", store), FixedClock(), writer, gates)
    manifest = await _manifest_of_page(desk)
    entries: dict[str, bytes] = {}
    for number in range(count):
        entries[f"p{number}.html"] = PAGE
        if number % 2:
            entries[f"p{number}.html.artifact.json"] = manifest
    result = await imports.bring_in(desk.project_id, packed(**entries))
    assert len(result.files) == count
    assert store.asked["files"] == 1
    assert store.asked["commit_file"] == 0
    assert store.asked["commit_files"] == -(-count // 100)


async def _manifest_of_page(desk: Desk) -> bytes:
    await bring_in(desk, packed(**{"first/index.html": PAGE}))
    info = await desk.store.file(desk.project_id, "first/index.html")
    assert info is not None
    assert info.manifest is not None
    metadata = {"identifier": "the page"}
    made = info.manifest.model_copy(update={"metadata": metadata})
    return made.model_dump_json(by_alias=True, exclude_none=True).encode()


async def test_what_cannot_be_committed_together_is_entered_one_by_one(
    desk: Desk,
) -> None:
    class Racing(CountedStore):
        """Another program writes one of the files just before the first commit."""

        async def commit_files(self, steps: Sequence[FileStep]) -> object:
            self.asked["commit_files"] += 1
            (desk.folder / "b.css").write_bytes(b"theirs")
            return await desk.store.commit_files(steps)

    store = cast("Store", Racing(desk.store))
    writer = FileWriter(store, FixedClock(), UuidIds(), GateKeeper())
    imports = FileImports(store, FixedClock(), writer, GateKeeper())
    files = {"a.css": b"a{}", "b.css": b"b{}", "c.css": b"c{}"}
    with pytest.raises(Conflict, match=r"b\.css"):
        await imports.bring_in(desk.project_id, packed(**files))
    assert (desk.folder / "b.css").read_bytes() == b"theirs"
    assert (desk.folder / "a.css").read_bytes() == b"a{}"
    # it can simply be done again
    listed = await refused(desk, packed(**files))
    assert listed == [("b.css", "file-exists")]


async def test_a_stub_beside_its_page_in_one_archive_refuses_all_of_it(
    desk: Desk,
) -> None:
    manifest = await _manifest_of_page(desk)
    listed = await refused(
        desk,
        packed(
            **{
                "a.html": PAGE + b"<p>many words</p>" * 400,
                "a.html.artifact.json": manifest,
                "b.html": PAGE,
                "b.html.artifact.json": manifest,
            }
        ),
        policy=GatePolicy("reject"),
    )
    assert [code for _, code in listed] == ["artifact-regression"]
