"""Writes over HTTP: conditions, gates and stated reasons, each refusal with its code."""

from __future__ import annotations

import json

import pytest

from tests.server.site import (
    CREATE,
    GOOD,
    STUB,
    UNFINISHED,
    Site,
    match,
    refused,
    sha,
)

# --- writing ------------------------------------------------------------------


async def test_a_write_without_a_condition_is_answered_428(site: Site) -> None:
    await site.create("index.html", GOOD)
    refused(await site.put("index.html", GOOD), 428, "precondition-required")
    assert await site.read("index.html") == GOOD


async def test_a_stale_write_is_answered_412_with_both_digests(site: Site) -> None:
    await site.create("index.html", GOOD)
    said = refused(
        await site.put("index.html", GOOD + b"<!-- 2 -->", **match(b"older")),
        412,
        "revision-conflict",
    )
    assert said["expectedDigest"] == sha(b"older")
    assert said["actualDigest"] == sha(GOOD)
    assert await site.read("index.html") == GOOD


async def test_a_write_over_a_file_that_is_gone_is_answered_412(site: Site) -> None:
    said = refused(
        await site.put("index.html", GOOD, **match(GOOD)), 412, "revision-conflict"
    )
    assert said["expectedDigest"] == sha(GOOD)
    assert said["actualDigest"] is None


async def test_creating_what_is_there_is_answered_409(site: Site) -> None:
    await site.create("index.html", GOOD)
    refused(await site.put("index.html", STUB, **CREATE), 409, "file-exists")
    assert await site.read("index.html") == GOOD


async def test_a_page_with_a_placeholder_is_answered_422_and_written_nowhere(
    site: Site,
) -> None:
    said = refused(
        await site.put("index.html", UNFINISHED, **CREATE),
        422,
        "artifact-publication-blocked",
    )
    assert said["details"]["placeholders"] == ["Name to confirm"]
    assert [found["code"] for found in said["diagnostics"]] == [
        "artifact-publication-blocked"
    ]
    assert await site.paths() == []
    assert (await site.get("history"))["files"] == []


async def test_a_stated_reason_does_not_finish_a_page(site: Site) -> None:
    await site.create("index.html", GOOD)
    headers = match(GOOD) | {"Vitrail-Replace": '{"reason": "shorter"}'}
    refused(
        await site.put("index.html", UNFINISHED, **headers),
        422,
        "artifact-publication-blocked",
    )
    assert await site.read("index.html") == GOOD


@pytest.mark.parametrize(
    "header",
    [
        "shorter",
        "{}",
        "[]",
        "null",
        '{"reason": ""}',
        '{"reason": 1}',
        '{"reason": "\\ud800"}',
        '{"reason": "a", "more": 1}',
        "[" * 5000,
    ],
)
async def test_a_reason_that_says_nothing_is_answered_with_words(
    site: Site, header: str
) -> None:
    await site.create("index.html", GOOD)
    headers = match(GOOD) | {"Vitrail-Replace": header}
    said = refused(await site.put("index.html", STUB, **headers), 400, "input-invalid")
    assert "Vitrail-Replace" in said["detail"]
    assert await site.read("index.html") == GOOD


async def test_a_stated_reason_passes_and_is_kept_with_the_revision(site: Site) -> None:
    await site.create("index.html", GOOD)
    headers = match(GOOD) | {"Vitrail-Replace": json.dumps({"reason": "Kürzer, 図表"})}
    answer = await site.put("index.html", STUB, **headers)
    assert answer.status_code == 200
    assert answer.json()["verdict"] == "accepted"
    assert answer.json()["revision"]["reason"] == "Kürzer, 図表"
    assert await site.read("index.html") == STUB
    newest = (await site.get("history/index.html"))["revisions"][0]
    assert newest["reason"] == "Kürzer, 図表"


# --- what was seen in the field --------------------------------------------------


async def test_bug_09_quick_saves_all_arrive_in_their_order(site: Site) -> None:
    text = GOOD
    await site.create("index.html", text)
    for digit in b"0123456789":
        longer = text + bytes([digit])
        said = await site.replace("index.html", text, longer)
        assert said["verdict"] == "accepted"
        text = longer
    assert await site.read("index.html") == GOOD + b"0123456789"


async def test_bug_09_a_body_may_hold_the_protocol_s_own_marker(site: Site) -> None:
    body = GOOD.replace(b"<body>", b'<body><script>const end = "</artifact>"</script>')
    await site.create("index.html", body)
    edited = body.replace(b"Part 3<", b"Piece 3<")
    await site.replace("index.html", body, edited)
    assert await site.read("index.html") == edited
    assert b'"</artifact>"' in edited


async def test_bug_38_a_stale_buffer_replaces_neither_a_tab_s_nor_a_disk_s_text(
    site: Site,
) -> None:
    await site.create("notes.txt", b"v1")
    await site.replace("notes.txt", b"v1", b"v2 of tab B")
    said = refused(
        await site.put("notes.txt", b"v1 and more", **match(b"v1")),
        412,
        "revision-conflict",
    )
    assert said["expectedDigest"] == sha(b"v1")
    assert said["actualDigest"] == sha(b"v2 of tab B")
    assert await site.read("notes.txt") == b"v2 of tab B"

    working = site.server.data.projects / site.project.name / "notes.txt"
    working.write_bytes(b"v3 by hand")
    said = refused(
        await site.put("notes.txt", b"v1 and more", **match(b"v2 of tab B")),
        412,
        "revision-conflict",
    )
    assert said["actualDigest"] == sha(b"v3 by hand")
    assert await site.read("notes.txt") == b"v3 by hand"
