"""Histories and restores over HTTP, each refusal with its code."""

from __future__ import annotations

import pytest

from tests.server.served import Served
from tests.server.site import (
    CREATE,
    GOOD,
    STUB,
    Site,
    match,
    refused,
    sha,
)
from vitrail.protocol.records import Project

# --- history ------------------------------------------------------------------


async def test_a_file_s_revisions_come_in_pages_the_newest_first(site: Site) -> None:
    before = b"# 0"
    await site.create("notes.md", before)
    for number in range(1, 5):
        after = f"# {number}".encode()
        await site.replace("notes.md", before, after)
        before = after
    first = await site.get("history/notes.md?limit=2")
    assert [one["number"] for one in first["revisions"]] == [5, 4]
    assert (first["total"], first["more"]) == (5, True)
    last = await site.get("history/notes.md?before=4&limit=5")
    assert [one["number"] for one in last["revisions"]] == [3, 2, 1]
    assert last["more"] is False
    (whole,) = (await site.get("history"))["files"]
    assert (whole["path"], whole["revisions"], whole["present"]) == (
        "notes.md",
        5,
        True,
    )
    assert whole["head"] == first["revisions"][0]


@pytest.mark.parametrize("where", ["history", "diff", "blame"])
async def test_a_path_without_file_and_history_is_not_found(
    site: Site, where: str
) -> None:
    answer = await site.client.get(f"{site.base}/{where}/none.html")
    refused(answer, 404, "file-not-found")


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("../x.html", 403, "path-outside-project"),
        (".vitrail/project.json", 403, "path-reserved"),
        ("a%2fb.html", 400, "path-invalid"),
        ("a%0ab.html", 400, "path-invalid"),
        ("a.html%0a", 400, "path-invalid"),
        ("%0d%0a%0a", 400, "path-invalid"),
    ],
)
@pytest.mark.parametrize("where", ["files", "history", "diff", "blame"])
async def test_a_path_that_is_refused_is_refused_everywhere(
    site: Site, where: str, path: str, status: int, code: str
) -> None:
    url = f"{site.base}/{where}/{path.replace('..', '%2e%2e')}"
    refused(await site.client.get(url), status, code)


async def test_a_revision_is_read_for_good_and_runs_nothing(site: Site) -> None:
    made = await site.create("index.html", GOOD)
    await site.replace("index.html", GOOD, GOOD + b"<!-- 2 -->")
    number = made["revision"]["id"]
    assert await site.get(f"revisions/{number}") == made["revision"]
    answer = await site.client.get(f"{site.base}/revisions/{number}/content")
    assert answer.content == GOOD
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer.headers["Cache-Control"]


async def test_a_revision_of_another_project_is_not_found(
    server: Served, site: Site
) -> None:
    made = await site.create("index.html", GOOD)
    answer = await server.client.post("/api/projects", json={"title": "Other"})
    other = Site(server, Project.model_validate(answer.json()))
    number = made["revision"]["id"]
    for where in (f"revisions/{number}", f"revisions/{number}/content"):
        refused(
            await other.client.get(f"{other.base}/{where}"), 404, "revision-not-found"
        )
    refused(
        await other.post("restore/index.html", {"revision": number}, **CREATE),
        404,
        "revision-not-found",
    )


async def test_a_difference_names_lines_words_and_what_is_gone(site: Site) -> None:
    made = await site.create("notes.md", b"# One\n\nA red door.\n\n## Two\n\nEnd.\n")
    await site.replace(
        "notes.md",
        b"# One\n\nA red door.\n\n## Two\n\nEnd.\n",
        b"# One\n\nA blue door.\n",
    )
    said = await site.get("diff/notes.md")
    assert said["old"] == made["revision"]
    assert said["new"]["number"] == 2
    lines = [line for hunk in said["hunks"] for line in hunk["lines"]]
    changed = {line["text"]: line["words"] for line in lines if line["kind"] != "same"}
    assert changed["A blue door."] == [[2, 6]]
    assert ("section", "Two") in {(one["what"], one["name"]) for one in said["lost"]}
    back = await site.get(f"diff/notes.md?from=working&to={made['revision']['id']}")
    assert (back["added"], back["removed"]) == (said["removed"], said["added"])


async def test_a_difference_to_nothing_and_of_bytes_that_are_no_text(
    site: Site,
) -> None:
    await site.create("a.bin", b"\xff\x00\xfe")
    said = await site.get("diff/a.bin")
    assert (said["old"], said["binary"], said["hunks"]) == (None, True, [])


async def test_who_wrote_a_range_is_told_with_its_revision(site: Site) -> None:
    await site.create("notes.md", b"one two\n")
    second = await site.replace("notes.md", b"one two\n", b"one more two\n")
    said = await site.get("blame/notes.md")
    assert said["digest"] == sha(b"one more two\n")
    written = {tuple(one["span"]): one["number"] for one in said["spans"]}
    assert sorted(written.values()) == [1, 1, 2]
    assert {one["author"] for one in said["spans"]} == {"person"}
    assert second["revision"]["id"] in {one["revision"] for one in said["spans"]}


async def test_ranges_of_what_is_no_text_are_refused(site: Site) -> None:
    await site.create("a.bin", b"\xff\x00")
    answer = await site.client.get(f"{site.base}/blame/a.bin")
    refused(answer, 415, "not-text")


# --- restoring ----------------------------------------------------------------


async def test_a_restore_is_a_new_revision_and_rewrites_nothing(site: Site) -> None:
    made = await site.create("index.html", GOOD)
    newer = GOOD + b"<!-- 2 -->"
    await site.replace("index.html", GOOD, newer)
    answer = await site.post(
        "restore/index.html", {"revision": made["revision"]["id"]}, **match(newer)
    )
    assert answer.status_code == 200, answer.text
    restored = answer.json()["revision"]
    assert (restored["number"], restored["author"]) == (3, "restore")
    assert restored["reason"] == "restored revision 1"
    assert await site.read("index.html") == GOOD
    kept = (await site.get("history/index.html"))["revisions"]
    assert [one["digest"] for one in kept] == [sha(GOOD), sha(newer), sha(GOOD)]


async def test_restoring_a_short_page_is_meant_so(site: Site) -> None:
    made = await site.create("index.html", STUB)
    await site.replace("index.html", STUB, GOOD)
    answer = await site.post(
        "restore/index.html", {"revision": made["revision"]["id"]}, **match(GOOD)
    )
    assert answer.json()["verdict"] == "accepted"
    assert await site.read("index.html") == STUB


async def test_a_removed_file_comes_back_with_its_manifest(site: Site) -> None:
    made = await site.create("index.html", GOOD)
    answer = await site.client.delete(
        f"{site.base}/files/index.html", headers=match(GOOD)
    )
    assert answer.status_code == 204
    assert await site.paths() == []
    (whole,) = (await site.get("history"))["files"]
    assert whole["present"] is False
    where, body = "restore/index.html", {"revision": made["revision"]["id"]}
    refused(await site.post(where, body), 428, "precondition-required")
    refused(await site.post(where, body, **match(GOOD)), 412, "revision-conflict")
    answer = await site.post(where, body, **CREATE)
    assert answer.status_code == 200, answer.text
    assert answer.json()["file"]["manifest"]["kind"] == "html"
    assert await site.read("index.html") == GOOD


async def test_a_revision_of_another_file_is_not_restored(site: Site) -> None:
    made = await site.create("a.md", b"# A")
    await site.create("b.md", b"# B")
    refused(
        await site.post(
            "restore/b.md", {"revision": made["revision"]["id"]}, **match(b"# B")
        ),
        404,
        "revision-not-found",
    )


# --- passages -----------------------------------------------------------------

MINE = GOOD + b"<p>My own words, typed here.</p>"


async def passage(site: Site) -> tuple[str, list[int]]:
    """Return the version with a passage that the file has no longer, and its range."""
    await site.create("index.html", GOOD)
    mine = await site.replace("index.html", GOOD, MINE)
    await site.replace("index.html", MINE, GOOD + b"<!-- new -->")
    text = MINE.decode()
    start = text.index("<p>My own")
    return mine["revision"]["id"], [start, len(text)]


async def test_a_passage_is_put_back_into_the_file_as_it_is(site: Site) -> None:
    revision, span = await passage(site)
    where = "restore/index.html"
    body = {"revision": revision, "passages": [span]}
    refused(await site.post(where, body), 428, "precondition-required")
    refused(await site.post(where, body, **match(MINE)), 412, "revision-conflict")
    now = GOOD + b"<!-- new -->"
    answer = await site.post(where, body, **match(now))
    assert answer.status_code == 200, answer.text
    made = answer.json()["revision"]
    assert (made["number"], made["author"]) == (4, "person")
    after = await site.read("index.html")
    assert b"My own words, typed here." in after
    again = await site.post(where, body, **match(after))
    refused(again, 422, "passages-not-missing")


@pytest.mark.parametrize(
    "passages", [[], [[0, 99_999]], [[3, 1]], [[-1, 2]], [[0]], [["a", "b"]], "all"]
)
async def test_what_is_no_passage_is_refused_and_changes_nothing(
    site: Site, passages: object
) -> None:
    revision, _ = await passage(site)
    now = await site.read("index.html")
    body = {"revision": revision, "passages": passages}
    answer = await site.post("restore/index.html", body, **match(now))
    assert answer.status_code in (400, 422), answer.text
    assert await site.read("index.html") == now
