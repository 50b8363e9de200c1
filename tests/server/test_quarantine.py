"""Drafts over HTTP: kept beside the good file, taken or dropped once."""

from __future__ import annotations

from tests.server.served import Served
from tests.server.site import (
    CREATE,
    GOOD,
    STUB,
    Site,
    held,
    match,
    refused,
    sha,
)
from vitrail.protocol.records import Project

# --- drafts -------------------------------------------------------------------


async def test_a_stub_is_kept_beside_the_good_page_and_told_with_what_is_gone(
    site: Site,
) -> None:
    await site.create("index.html", GOOD)
    answer = await site.put("index.html", STUB, **match(GOOD))
    said = answer.json()
    assert answer.status_code == 200
    assert answer.headers["ETag"] == f'"{sha(GOOD)}"'
    assert said["verdict"] == "quarantined"
    assert said["file"]["path"] == "index.html"
    assert said["file"]["digest"] == sha(GOOD)
    assert said["draft"] == "index.draft.html"
    assert said["revision"]["path"] == "index.draft.html"
    assert ("section", "Part 7") in {(one["what"], one["name"]) for one in said["lost"]}
    codes = [found["code"] for found in said["diagnostics"]]
    assert codes == ["artifact-regression", "content-lost"]
    assert await site.read("index.html") == GOOD
    assert await site.read("index.draft.html") == STUB
    (draft,) = (await site.get("quarantine"))["drafts"]
    assert draft["id"] == said["quarantine"]
    assert draft["reason"] == "artifact-regression"
    assert draft["digest"] == sha(STUB)
    assert draft["goodDigest"] == sha(GOOD)
    assert draft["lost"] == said["lost"]


async def test_an_accepted_draft_becomes_the_file_and_its_own_file_goes(
    site: Site,
) -> None:
    draft = await held(site)
    answer = await site.post(f"quarantine/{draft['id']}/accept", **match(GOOD))
    assert answer.status_code == 200, answer.text
    assert answer.json()["file"]["digest"] == sha(STUB)
    assert await site.read("index.html") == STUB
    assert await site.paths() == ["index.html"]
    assert (await site.get("quarantine"))["drafts"] == []
    manifest = answer.json()["file"]["manifest"]
    assert manifest["entry"] == "index.html"
    assert "draftOf" not in manifest["metadata"]
    assert manifest["metadata"]["digest"] == sha(STUB)
    refused(
        await site.post(f"quarantine/{draft['id']}/accept", **match(STUB)),
        404,
        "quarantine-not-found",
    )


async def test_a_dropped_draft_leaves_the_good_file_and_the_draft_s_revisions(
    site: Site,
) -> None:
    draft = await held(site)
    answer = await site.post(f"quarantine/{draft['id']}/drop")
    assert answer.status_code == 204
    assert await site.paths() == ["index.html"]
    assert await site.read("index.html") == GOOD
    kept = await site.get("history/index.draft.html")
    assert [one["digest"] for one in kept["revisions"]] == [sha(STUB)]
    refused(
        await site.post(f"quarantine/{draft['id']}/drop"), 404, "quarantine-not-found"
    )


async def test_a_person_s_own_resolution_is_taken_instead_of_the_draft(
    site: Site,
) -> None:
    draft = await held(site)
    own = GOOD.decode().replace("Part 0", "Part nought")
    answer = await site.post(
        f"quarantine/{draft['id']}/accept", {"content": own}, **match(GOOD)
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["revision"]["author"] == "person"
    assert await site.read("index.html") == own.encode()
    assert await site.paths() == ["index.html"]


async def test_a_draft_is_accepted_onto_the_file_that_was_seen_only(site: Site) -> None:
    draft = await held(site)
    newer = GOOD + b"<!-- newer -->"
    await site.replace("index.html", GOOD, newer)
    where = f"quarantine/{draft['id']}/accept"
    refused(await site.post(where), 428, "precondition-required")
    said = refused(await site.post(where, **match(GOOD)), 412, "revision-conflict")
    assert (said["expectedDigest"], said["actualDigest"]) == (sha(GOOD), sha(newer))
    refused(await site.post(where, **CREATE), 409, "file-exists")
    assert await site.read("index.html") == newer
    assert len((await site.get("quarantine"))["drafts"]) == 1


async def test_a_draft_of_another_project_is_not_found(
    server: Served, site: Site
) -> None:
    draft = await held(site)
    made = await server.client.post("/api/projects", json={"title": "Other"})
    other = Site(server, Project.model_validate(made.json()))
    for deed in ("accept", "drop"):
        refused(
            await other.post(f"quarantine/{draft['id']}/{deed}", **match(GOOD)),
            404,
            "quarantine-not-found",
        )
    assert len((await site.get("quarantine"))["drafts"]) == 1


async def test_a_second_stub_takes_the_first_one_s_place(site: Site) -> None:
    first = await held(site)
    second = STUB.replace(b"left", b"here")
    await site.replace("index.html", GOOD, second)
    (draft,) = (await site.get("quarantine"))["drafts"]
    assert draft["id"] != first["id"]
    assert draft["digest"] == sha(second)
    kept = await site.get("history/index.draft.html")
    assert [one["digest"] for one in kept["revisions"]] == [sha(second), sha(STUB)]


async def test_a_draft_that_somebody_edited_is_not_removed_by_accepting(
    site: Site,
) -> None:
    draft = await held(site)
    edited = STUB + b"<!-- mine -->"
    await site.replace("index.draft.html", STUB, edited)
    answer = await site.post(f"quarantine/{draft['id']}/accept", **match(GOOD))
    assert answer.status_code == 200, answer.text
    assert await site.read("index.html") == STUB
    assert await site.read("index.draft.html") == edited
