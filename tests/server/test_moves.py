"""Files that are removed or renamed over HTTP, and what points to them."""

from __future__ import annotations

import pytest

from tests.server.site import (
    GOOD,
    STUB,
    Site,
    held,
    match,
    move,
    refused,
    sha,
)
from vitrail.protocol.events import (
    ArtifactQuarantined,
    FileChanged,
    FileMoved,
    FileRemoved,
    ProjectChanged,
    QuarantineResolved,
)

# --- removing and renaming ----------------------------------------------------


async def test_removing_takes_the_manifest_along_and_needs_the_digest(
    site: Site,
) -> None:
    await site.create("index.html", GOOD)
    where = f"{site.base}/files/index.html"
    refused(await site.client.delete(where), 428, "precondition-required")
    said = refused(
        await site.client.delete(where, headers=match(STUB)), 412, "revision-conflict"
    )
    assert said["actualDigest"] == sha(GOOD)
    refused(
        await site.client.delete(f"{site.base}/files/none.html", headers=match(GOOD)),
        404,
        "file-not-found",
    )
    assert (await site.client.delete(where, headers=match(GOOD))).status_code == 204
    folder = site.server.data.projects / site.project.name
    assert not (folder / "index.html.artifact.json").exists()
    # a later file of that name does not inherit what the old one was
    made = await site.create("index.html", STUB)
    assert made["revision"]["number"] == 2


async def test_a_rename_takes_the_manifest_and_the_references_along(
    site: Site,
) -> None:
    style = b"body { background: url(img/a.png) }"
    page = b'<!doctype html><html><link rel=stylesheet href="style.css"><p>A page.</p>'
    await site.create("style.css", style)
    await site.create("index.html", page.ljust(80))
    await site.create("img/a.png", b"\x89PNG\r\n\x1a\n")
    answer = await move(site, "style.css", "css/main.css", style)
    assert answer.status_code == 200, answer.text
    said = answer.json()
    assert said["moved"]["path"] == "css/main.css"
    assert said["revision"]["movedFrom"] == "style.css"
    assert [one["path"] for one in said["rewritten"]] == ["index.html"]
    assert b'href="css/main.css"' in await site.read("index.html")
    assert await site.read("css/main.css") == style.replace(b"img/", b"../img/")
    assert "style.css" not in await site.paths()
    page_now = await site.read("index.html")
    answer = await move(site, "index.html", "home.html", page_now)
    assert answer.status_code == 200, answer.text
    assert answer.json()["moved"]["manifest"]["entry"] == "home.html"
    folder = site.server.data.projects / site.project.name
    assert not (folder / "index.html.artifact.json").exists()
    assert (folder / "home.html.artifact.json").exists()


async def test_a_renamed_file_keeps_its_history_and_is_restored_through_it(
    site: Site,
) -> None:
    made = await site.create("a.md", b"# A\n\nfirst words\n")
    await site.replace("a.md", b"# A\n\nfirst words\n", b"# A\n")
    answer = await move(site, "a.md", "b.md", b"# A\n")
    assert answer.status_code == 200, answer.text
    said = await site.get("blame/b.md")
    assert {one["revision"] for one in said["spans"]} == {made["revision"]["id"]}
    answer = await site.post(
        "restore/b.md", {"revision": made["revision"]["id"]}, **match(b"# A\n")
    )
    assert answer.status_code == 200, answer.text
    assert await site.read("b.md") == b"# A\n\nfirst words\n"


@pytest.mark.parametrize("target", ["b.md", "B.MD", "folder", "b.md/c.md"])
async def test_a_name_that_is_taken_in_any_spelling_is_answered_409(
    site: Site, target: str
) -> None:
    await site.create("a.md", b"# A")
    await site.create("b.md", b"# B")
    await site.create("folder/c.md", b"# C")
    refused(await move(site, "a.md", target, b"# A"), 409, "file-exists")
    assert await site.read("a.md") == b"# A"
    assert await site.read("b.md") == b"# B"


@pytest.mark.parametrize(
    ("target", "status", "code"),
    [
        ("../x.md", 403, "path-outside-project"),
        (".od/x.md", 403, "path-reserved"),
        ("x.artifact.json", 403, "path-reserved"),
        ("a.md", 400, "input-invalid"),
        ("a.html", 422, "artifact-manifest-invalid"),
    ],
)
async def test_a_name_that_cannot_be_given_is_refused(
    site: Site, target: str, status: int, code: str
) -> None:
    await site.create("a.md", b"# A")
    refused(await move(site, "a.md", target, b"# A"), status, code)
    assert await site.paths() == ["a.md"]


async def test_a_rename_names_the_file_that_was_read(site: Site) -> None:
    await site.create("a.md", b"# A")
    body = {"from": "a.md", "to": "b.md"}
    refused(await site.post("moves", body), 428, "precondition-required")
    refused(await site.post("moves", body, **match(b"# Z")), 412, "revision-conflict")
    gone = {"from": "none.md", "to": "b.md"}
    refused(await site.post("moves", gone, **match(b"# A")), 404, "file-not-found")
    assert await site.paths() == ["a.md"]


async def test_what_is_told_of_changes_is_in_the_log(site: Site) -> None:
    draft = await held(site)
    await site.post(f"quarantine/{draft['id']}/drop")
    await move(site, "index.html", "home.html", GOOD)
    await site.client.delete(f"{site.base}/files/home.html", headers=match(GOOD))
    stored = await site.server.store.events_after(0)
    told = [
        type(one.event) for one in stored if one.place.project_id == site.project.id
    ]
    assert told == [
        ProjectChanged,
        FileChanged,
        ArtifactQuarantined,
        FileChanged,
        QuarantineResolved,
        FileRemoved,
        FileMoved,
        FileRemoved,
    ]


# --- a page's parts -----------------------------------------------------------

PAGE = (
    b'<!doctype html><html><head><link rel=stylesheet href="style.css">'
    b'<script src="js/app.js"></script></head><body><img src="/shared/logo.png">'
    b"<p>Tea, green and black.</p></body></html>"
)
PNG = b"\x89PNG\r\n\x1a\n"
SITE = {
    "tea/style.css": b"body { background: url(img/leaf.png) }",
    "tea/img/leaf.png": PNG,
    "tea/js/app.js": b"import './more.js'",
    "tea/js/more.js": b"fetch('rows.json')",
    "tea/rows.json": b"[]",
    "shared/logo.png": PNG,
    "other.md": b"# Other\n\n![the logo](shared/logo.png)\n",
    "tea/index.html": PAGE,
}
OWN = ["img/leaf.png", "js/app.js", "js/more.js", "rows.json", "style.css"]


async def made(site: Site) -> None:
    for path, content in SITE.items():
        await site.create(path, content)


async def test_the_parts_of_a_page_are_its_own_or_stay_for_others(site: Site) -> None:
    await made(site)
    said = await site.get("parts/tea/index.html")
    assert said["digest"] == sha(PAGE)
    assert said["own"] == [f"tea/{one}" for one in OWN]
    assert said["shared"] == [{"path": "shared/logo.png", "usedBy": "other.md"}]
    answer = await site.client.get(f"{site.base}/parts/none.html")
    refused(answer, 404, "file-not-found")


async def test_a_page_is_removed_alone_unless_its_parts_are_asked_for(
    site: Site,
) -> None:
    await made(site)
    where = f"{site.base}/files/tea/index.html"
    assert (await site.client.delete(where, headers=match(PAGE))).status_code == 204
    assert await site.paths() == sorted(set(SITE) - {"tea/index.html"})


async def test_parts_are_removed_with_their_page_in_one_commit(site: Site) -> None:
    await made(site)
    where = f"{site.base}/files/tea/index.html?parts=true"
    stale = await site.client.delete(where, headers=match(GOOD))
    refused(stale, 412, "revision-conflict")
    assert await site.paths() == sorted(SITE)
    assert (await site.client.delete(where, headers=match(PAGE))).status_code == 204
    assert await site.paths() == ["other.md", "shared/logo.png"]
    history = {one["path"]: one for one in (await site.get("history"))["files"]}
    back = {"revision": history["tea/style.css"]["head"]["id"]}
    answer = await site.post("restore/tea/style.css", back, **{"If-None-Match": "*"})
    assert answer.status_code == 200, answer.text
    assert await site.read("tea/style.css") == SITE["tea/style.css"]


async def test_parts_keep_their_place_beside_a_page_that_moves(site: Site) -> None:
    await made(site)
    body = {"from": "tea/index.html", "to": "drinks/tea/home.html", "parts": True}
    answer = await site.post("moves", body, **match(PAGE))
    assert answer.status_code == 200, answer.text
    said = answer.json()
    assert [(one["from"], one["to"]) for one in said["parts"]] == [
        (f"tea/{one}", f"drinks/tea/{one}") for one in OWN
    ]
    assert said["rewritten"] == []
    moved = [f"drinks/tea/{one}" for one in ("home.html", *OWN)]
    assert await site.paths() == sorted([*moved, "other.md", "shared/logo.png"])
    # what stood right beside each other is not written anew
    assert await site.read("drinks/tea/home.html") == PAGE
    assert await site.read("drinks/tea/style.css") == SITE["tea/style.css"]
    listed = said["moved"]["manifest"]["supportingFiles"]
    assert "drinks/tea/style.css" in listed
    assert not any(one.startswith("tea/") for one in listed)


async def test_a_page_that_keeps_its_folder_leaves_its_parts_where_they_are(
    site: Site,
) -> None:
    await made(site)
    body = {"from": "tea/index.html", "to": "tea/home.html", "parts": True}
    answer = await site.post("moves", body, **match(PAGE))
    assert answer.json()["parts"] == []
    assert "tea/style.css" in await site.paths()


async def test_a_part_whose_new_name_is_taken_stops_the_whole_move(
    site: Site,
) -> None:
    await made(site)
    await site.create("drinks/STYLE.css", b"p{}")
    before = await site.paths()
    body = {"from": "tea/index.html", "to": "drinks/index.html", "parts": True}
    said = refused(await site.post("moves", body, **match(PAGE)), 409, "file-exists")
    assert said["details"]["path"] == "drinks/STYLE.css"
    assert await site.paths() == before


async def test_a_move_that_wrote_the_file_anew_tells_its_new_digest(
    site: Site,
) -> None:
    await made(site)
    answer = await move(site, "tea/index.html", "index.html", PAGE)
    assert answer.status_code == 200, answer.text
    stored = await site.server.store.events_after(0)
    last = [one.event for one in stored if isinstance(one.event, FileChanged)][-1]
    assert (last.path, last.digest) == ("index.html", answer.json()["moved"]["digest"])
