"""Transcripts over HTTP: sent whole, taken whole or not at all."""

from __future__ import annotations

import json

import pytest

from tests.server.served import Served
from tests.support.transcripts import (
    conversation_line,
    lines,
    message_line,
    text_block,
)
from vitrail.limits import MAX_REQUEST_BYTES
from vitrail.protocol.records import Project
from vitrail.server import security

WORDS = "Write to ada@example.org, in /home/ada/site."
TEXT = lines(
    conversation_line(title="Tea ☂"),
    message_line(0, text_block(WORDS), role="user"),
    message_line(1, text_block("Done.")),
)


async def imported(server: Served, project: Project, text: bytes = TEXT) -> str:
    answer = await server.client.post(
        f"/api/projects/{project.id}/transcripts", content=text
    )
    assert answer.status_code == 201, answer.text
    body = answer.json()
    assert body["messages"] == 2
    identity: str = body["conversations"][0]["id"]
    return identity


async def test_a_transcript_comes_in_and_goes_out(
    server: Served, project: Project
) -> None:
    identity = await imported(server, project)
    page = (await server.client.get(f"/api/conversations/{identity}")).json()
    assert [message["parts"][0]["text"] for message in page["messages"]] == [
        WORDS,
        "Done.",
    ]
    answer = await server.client.get(f"/api/conversations/{identity}/transcript")
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.headers["content-length"] == str(len(answer.content))
    assert "Tea%20%E2%98%82.transcript.jsonl" in answer.headers[
        "content-disposition"
    ] or ("Tea%20_.transcript.jsonl" in answer.headers["content-disposition"])
    told = [json.loads(line) for line in answer.content.splitlines()]
    assert [line["kind"] for line in told] == [
        *("header", "conversation", "message", "message")
    ]
    again = await imported(server, project, answer.content)
    assert again != identity


async def test_a_redacted_one_shows_neither_words_nor_title(
    server: Served, project: Project
) -> None:
    identity = await imported(server, project)
    answer = await server.client.get(
        f"/api/conversations/{identity}/transcript?redact=true&summaries=true"
    )
    assert "ada" not in answer.text
    assert "Tea" not in answer.headers["content-disposition"]
    header = json.loads(answer.text.splitlines()[0])
    assert header["vitrail"]["redacted"] == {"e-mail address": 1, "home path": 1}


async def test_a_project_is_told_whole(server: Served, project: Project) -> None:
    await imported(server, project)
    await imported(server, project)
    answer = await server.client.get(f"/api/projects/{project.id}/transcript")
    assert json.loads(answer.text.splitlines()[0])["conversationCount"] == 2


async def test_wrong_lines_are_named_in_the_problem(
    server: Served, project: Project
) -> None:
    answer = await server.client.post(
        f"/api/projects/{project.id}/transcripts",
        content=lines(conversation_line(), {"kind": "message"}, {}),
    )
    problem = answer.json()
    assert answer.status_code == 422
    assert problem["code"] == "transcript-invalid"
    assert problem["details"]["line"] == 3
    assert [found["code"] for found in problem["diagnostics"]] == [
        "transcript-invalid"
    ] * 2
    listed = await server.client.get(f"/api/projects/{project.id}")
    assert listed.json()["conversations"] == []


@pytest.mark.parametrize(
    "path", ["conversations/x/transcript", "projects/x/transcript"]
)
async def test_what_is_not_there_is_not_told(server: Served, path: str) -> None:
    answer = await server.client.get(f"/api/{path}")
    assert answer.status_code == 404
    answer = await server.client.post("/api/projects/x/transcripts", content=TEXT)
    assert answer.json()["code"] == "project-not-found"


async def test_nobody_without_the_token_gets_or_gives_one(
    server: Served, project: Project
) -> None:
    identity = await imported(server, project)
    for path in (f"conversations/{identity}", f"projects/{project.id}"):
        answer = await server.anyone.get(f"/api/{path}/transcript")
        assert answer.status_code == 401
    answer = await server.anyone.post(
        f"/api/projects/{project.id}/transcripts", content=TEXT
    )
    assert answer.status_code == 401


async def test_it_may_be_longer_than_other_bodies_but_not_without_end(
    server: Served, project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    block = text_block("x" * (MAX_REQUEST_BYTES // 2))
    said = [message_line(number, block, role="user") for number in range(3)]
    text = lines(conversation_line(), *said)
    path = f"/api/projects/{project.id}/transcripts"
    answer = await server.client.post(path, content=text)
    assert answer.status_code == 201
    other = await server.client.post("/api/projects", content=text)
    assert other.status_code == 413
    monkeypatch.setattr(security, "MAX_TRANSCRIPT_BYTES", 1000)
    answer = await server.client.post(path, content=text)
    assert answer.json()["code"] == "payload-too-large"
