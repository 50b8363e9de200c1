"""Files that went, came back or got another name by another program."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.outside import (
    artifact,
    authors,
    history,
    manifest_of,
    noticing,
    page,
    since,
    write,
)
from tests.support.turns import Desk, open_desk
from vitrail.protocol.events import FileMoved, FileRemoved
from vitrail.workflow.outside import OutsideChanges
from vitrail.workflow.outside_units import Noticed


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path / "data") as opened:
        yield opened


@pytest.fixture
def outside(desk: Desk) -> OutsideChanges:
    return noticing(desk)


async def test_a_removed_file_takes_its_manifest_with_it_and_keeps_its_history(
    desk: Desk, outside: OutsideChanges
) -> None:
    await desk.say(artifact("index", page("One")))
    before = await desk.store.last_seq()
    (desk.folder / "index.html").unlink()
    assert (await outside.notice(desk.project_id)).removed == ("index.html",)
    assert await since(desk, before) == [FileRemoved("index.html")]
    assert list(desk.folder.glob("index*")) == []
    assert len(await history(desk, "index.html")) == 1
    assert await outside.notice(desk.project_id) == Noticed()


async def test_a_file_that_comes_back_continues_its_history(
    desk: Desk, outside: OutsideChanges
) -> None:
    await desk.say(artifact("index", page("One")))
    (desk.folder / "index.html").unlink()
    await outside.notice(desk.project_id)
    (desk.folder / "index.html").write_text(page("One"))
    (revision,) = (await outside.notice(desk.project_id)).revisions
    assert (revision.number, revision.author) == (2, "outside")
    assert await outside.notice(desk.project_id) == Noticed()


async def test_a_folder_that_is_away_has_not_lost_its_files(
    desk: Desk, outside: OutsideChanges, tmp_path: Path
) -> None:
    await desk.say(artifact("index", page("One")))
    before = await desk.store.last_seq()
    desk.folder.rename(tmp_path / "away")
    assert await outside.notice(desk.project_id) == Noticed()
    (tmp_path / "away").rename(desk.folder)
    assert await outside.notice(desk.project_id) == Noticed()
    assert await desk.store.last_seq() == before


async def test_a_renamed_page_keeps_its_manifest_and_continues_its_history(
    desk: Desk, outside: OutsideChanges
) -> None:
    await desk.say(artifact("index", page("One")))
    before = await desk.store.last_seq()
    (desk.folder / "index.html").rename(desk.folder / "home.html")
    noticed = await outside.notice(desk.project_id)
    assert [(one.old, one.new) for one in noticed.moved] == [
        ("index.html", "home.html")
    ]
    assert noticed.removed == ()
    (first,) = await history(desk, "index.html")
    (moved,) = await history(desk, "home.html")
    assert (moved.parent, moved.moved_from) == (first.id, "index.html")
    assert await since(desk, before) == [FileMoved("index.html", "home.html", moved.id)]
    assert not (desk.folder / "index.html.artifact.json").exists()
    manifest = manifest_of(desk, "home.html")
    assert (manifest["entry"], manifest["title"]) == ("home.html", "T")
    metadata = manifest["metadata"]
    assert isinstance(metadata, dict)
    assert metadata["identifier"] == "index"
    assert await outside.notice(desk.project_id) == Noticed()


async def test_references_follow_what_was_renamed(
    desk: Desk, outside: OutsideChanges
) -> None:
    await write(desk, "css/site.css", "body { background: url(../img/a.png) }")
    await write(desk, "img/a.png", "not really a picture")
    await write(
        desk,
        "index.html",
        page("One", '<link href="css/site.css" rel="stylesheet"><img src="img/a.png">'),
    )
    await write(desk, "unrelated.html", page("Two", '<img src="img/b.png">'))
    (desk.folder / "assets").mkdir()
    (desk.folder / "img" / "a.png").rename(desk.folder / "assets" / "hero.png")
    noticed = await outside.notice(desk.project_id)
    assert [one.new for one in noticed.moved] == ["assets/hero.png"]
    files = desk.files()
    assert b'src="assets/hero.png"' in files["index.html"]
    assert files["css/site.css"] == b"body { background: url(../assets/hero.png) }"
    assert b"img/b.png" in files["unrelated.html"]
    assert await authors(desk, "index.html") == ["person", "outside"]
    assert await authors(desk, "unrelated.html") == ["person"]
    assert await outside.notice(desk.project_id) == Noticed()


async def test_a_renamed_folder_moves_all_of_it_and_what_it_points_to(
    desk: Desk, outside: OutsideChanges
) -> None:
    await write(desk, "img/a.png", "a picture")
    await write(desk, "pages/one.html", page("One", '<img src="../img/a.png">'))
    await write(desk, "pages/two.html", page("Two", '<a href="one.html">one</a>'))
    await write(desk, "index.html", page("Home", '<a href="pages/one.html">one</a>'))
    (desk.folder / "deep").mkdir()
    (desk.folder / "pages").rename(desk.folder / "deep" / "site")
    noticed = await outside.notice(desk.project_id)
    assert sorted(one.new for one in noticed.moved) == [
        "deep/site/one.html",
        "deep/site/two.html",
    ]
    files = desk.files()
    assert b'src="../../img/a.png"' in files["deep/site/one.html"]
    assert b'href="one.html"' in files["deep/site/two.html"]
    assert b'href="deep/site/one.html"' in files["index.html"]
    assert manifest_of(desk, "deep/site/one.html")["entry"] == "deep/site/one.html"
    assert await outside.notice(desk.project_id) == Noticed()


async def test_a_file_that_was_renamed_and_edited_is_recognised_by_its_text(
    desk: Desk, outside: OutsideChanges
) -> None:
    lines = "\n".join(
        f"<p>Paragraph {number} of the report.</p>" for number in range(30)
    )
    await desk.say(artifact("report", page("Report", lines)))
    (desk.folder / "report.html").unlink()
    edited = page("Report", lines.replace("Paragraph 7", "Paragraph seven"))
    (desk.folder / "annual.html").write_text(edited)
    noticed = await outside.notice(desk.project_id)
    assert [(one.old, one.new) for one in noticed.moved] == [
        ("report.html", "annual.html")
    ]
    (moved,) = await history(desk, "annual.html")
    assert moved.moved_from == "report.html"
    assert await desk.store.read_object(moved.digest) == edited.encode()


async def test_a_removed_and_an_unlike_new_file_are_two_things(
    desk: Desk, outside: OutsideChanges
) -> None:
    await desk.say(artifact("index", page("One", "All about bees and their hives.")))
    (desk.folder / "index.html").unlink()
    (desk.folder / "notes.md").write_text("# Shopping\n\nMilk and bread.\n")
    noticed = await outside.notice(desk.project_id)
    assert noticed.moved == ()
    assert noticed.removed == ("index.html",)
    assert [revision.path for revision in noticed.revisions] == ["notes.md"]


async def test_references_that_are_written_with_escapes_follow_too(
    desk: Desk, outside: OutsideChanges
) -> None:
    await write(desk, "my picture.png", "a picture")
    await write(desk, "index.html", page("One", '<img src="my%20picture.png">'))
    (desk.folder / "my picture.png").rename(desk.folder / "hero.png")
    await outside.notice(desk.project_id)
    assert b'<img src="hero.png">' in desk.files()["index.html"]


async def test_a_manifest_that_names_a_renamed_part_follows(
    desk: Desk, outside: OutsideChanges
) -> None:
    await write(desk, "site.css", "body {}")
    await desk.say(
        artifact("index", page("One", '<link rel="stylesheet" href="site.css">'))
    )
    beside = desk.folder / "index.html.artifact.json"
    manifest = manifest_of(desk, "index.html") | {"supportingFiles": ["site.css"]}
    beside.write_text(json.dumps(manifest))
    (desk.folder / "site.css").rename(desk.folder / "look.css")
    await outside.notice(desk.project_id)
    assert manifest_of(desk, "index.html")["supportingFiles"] == ["look.css"]
    assert b'href="look.css"' in desk.files()["index.html"]


async def test_two_names_that_are_exchanged_are_two_changes(
    desk: Desk, outside: OutsideChanges
) -> None:
    await write(desk, "a.css", "a{}")
    await write(desk, "b.css", "b{}")
    (desk.folder / "a.css").rename(desk.folder / "aside.css")
    (desk.folder / "b.css").rename(desk.folder / "a.css")
    (desk.folder / "aside.css").rename(desk.folder / "b.css")
    noticed = await outside.notice(desk.project_id)
    assert noticed.moved == ()
    assert desk.files() == {"a.css": b"b{}", "b.css": b"a{}"}
    assert [len(await history(desk, name)) for name in ("a.css", "b.css")] == [2, 2]
    assert await outside.notice(desk.project_id) == Noticed()
