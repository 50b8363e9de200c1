"""Projects, conversations, runs and settings over HTTP, and how failures are told."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.server.served import FREE, Served, replaced, served
from vitrail.errors import CODES
from vitrail.protocol.events import ConversationChanged
from vitrail.protocol.records import Project


async def test_status_says_what_a_client_has_to_know(server: Served) -> None:
    answer = await server.client.get("/api/status")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    assert answer.json() == {
        "version": "0.1.0",
        "previewOrigin": server.runtime.places.preview_origin,
        "previewMode": "separate",
        "defaultAgent": "replay",
        "seq": 0,
        "folders": "off",
        "foldersReason": None,
    }


async def test_a_project_is_made_renamed_and_forgotten(server: Served) -> None:
    client = server.client
    made = (await client.post("/api/projects", json={"title": " Mein  Büro "})).json()
    assert (made["title"], made["name"]) == ("Mein Büro", "mein-büro")
    assert (server.data.projects / "mein-büro").is_dir()

    path = f"/api/projects/{made['id']}"
    renamed = (await client.patch(path, json={"title": "Neu"})).json()
    assert (renamed["title"], renamed["name"]) == ("Neu", "mein-büro")
    assert [p["title"] for p in (await client.get("/api/projects")).json()] == ["Neu"]

    page = (await client.get(path)).json()
    assert (page["conversations"], page["files"]) == ([], [])

    assert (await client.delete(path)).status_code == 204
    assert (await client.get(path)).json()["code"] == "project-not-found"
    assert (server.data.projects / "mein-büro").is_dir()
    kinds = [
        stored.event.change  # type: ignore[union-attr]  # they are all of this type
        for stored in await server.store.events_after(0)
    ]
    assert kinds == ["deleted"]


async def test_projects_of_one_title_get_folders_of_their_own(server: Served) -> None:
    names = [
        (await server.client.post("/api/projects", json={"title": title})).json()[
            "name"
        ]
        for title in ("Site", "Site", "Site", "CON", "…", "../../etc")
    ]
    assert names[:3] == ["site", "site-2", "site-3"]
    assert names[3] == "artifact-con"
    assert names[4] == "project"
    assert not set(names[5]) & set("/.")


async def test_a_conversation_lives_in_its_project(
    server: Served, project: Project
) -> None:
    client = server.client
    answer = await client.post(f"/api/projects/{project.id}/conversations", json={})
    assert answer.status_code == 201
    conversation = answer.json()
    page = (await client.get(f"/api/conversations/{conversation['id']}")).json()
    assert page["conversation"] == conversation
    assert (page["messages"], page["activeRun"]) == ([], None)
    assert page["seq"] == await server.store.last_seq()
    gone = await client.delete(f"/api/conversations/{conversation['id']}")
    assert gone.status_code == 204
    again = await client.get(f"/api/conversations/{conversation['id']}")
    assert again.json()["code"] == "conversation-not-found"


async def test_a_conversation_is_renamed_and_every_workspace_hears_of_it(
    server: Served, project: Project
) -> None:
    client = server.client
    begun = await client.post(
        f"/api/projects/{project.id}/conversations", json={"title": "First"}
    )
    path = f"/api/conversations/{begun.json()['id']}"
    before = await server.store.last_seq()
    renamed = await client.patch(path, json={"title": " Second\n try\x07 "})
    assert (renamed.status_code, renamed.json()["title"]) == (200, "Second try")
    assert (await client.get(path)).json()["conversation"] == renamed.json()
    [told] = await server.store.events_after(before)
    assert told.event == ConversationChanged(change="updated", title="Second try")
    assert told.place.conversation_id == begun.json()["id"]
    blank = await client.patch(path, json={"title": " \t "})
    assert blank.json()["title"] == "Second try"
    assert (await client.patch(path, json={"title": ""})).status_code == 422
    missing = await client.patch("/api/conversations/x", json={"title": "A"})
    assert (missing.status_code, missing.json()["code"]) == (
        404,
        "conversation-not-found",
    )


# --- failures ---------------------------------------------------------------


FAILURES: list[tuple[str, str, bytes | None, int, str]] = [
    ("GET", "/api/nothing", None, 404, "not-found"),
    ("GET", "/api/projects/x", None, 404, "project-not-found"),
    ("GET", "/api/projects/%00", None, 404, "project-not-found"),
    ("GET", f"/api/projects/{'x' * 65}", None, 422, "unprocessable"),
    ("GET", "/api/conversations/x", None, 404, "conversation-not-found"),
    ("GET", "/api/runs/x", None, 404, "run-not-found"),
    ("POST", "/api/runs/x/stop", None, 404, "run-not-found"),
    ("POST", "/api/previews/x/keep", None, 410, "preview-expired"),
    ("PUT", "/api/projects", b"{}", 405, "method-not-allowed"),
    ("POST", "/api/status", b"{}", 405, "method-not-allowed"),
    ("POST", "/", b"{}", 405, "method-not-allowed"),
    ("GET", "/api/projects/", None, 404, "not-found"),
    ("POST", "/api/projects", b"{", 400, "json-invalid"),
    ("POST", "/api/projects", b"\xff\xfe", 400, "json-invalid"),
    ("POST", "/api/projects", b"[" * 100_000, 400, "json-invalid"),
    ("POST", "/api/projects", b"", 422, "unprocessable"),
    ("POST", "/api/projects", b"[]", 422, "unprocessable"),
    ("POST", "/api/projects", b'{"title":""}', 422, "unprocessable"),
    ("POST", "/api/projects", b'{"title":1}', 422, "unprocessable"),
    ("POST", "/api/projects", b'{"title":"x","a":1}', 422, "unprocessable"),
    ("POST", "/api/projects", b'{"title":"\\ud800"}', 422, "unprocessable"),
    ("POST", "/api/projects", b'{"title":NaN}', 422, "unprocessable"),
]


async def test_every_failure_is_a_problem_with_a_code(server: Served) -> None:
    for method, path, body, status, code in FAILURES:
        answer = await server.client.request(
            method, path, content=body, headers={"Content-Type": "application/json"}
        )
        problem = answer.json()
        said = (answer.status_code, problem["code"])
        assert said == (status, code), (method, path, (body or b"")[:40])
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.headers["cache-control"] == "no-store"
        assert problem["status"] == status
        assert problem["code"] in CODES
        assert problem["title"]
        assert problem["detail"].endswith(".")
        assert "Traceback" not in answer.text
        if status == 405:
            assert answer.headers["allow"]


async def test_what_was_sent_is_not_echoed(server: Served) -> None:
    answer = await server.client.put(
        "/api/settings/model", json={"apiKey": ["sk-secret"], "sk-hidden": 1}
    )
    assert answer.status_code == 422
    assert "sk-secret" not in answer.text


async def test_what_nobody_expected_is_told_in_words_and_logged_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        async def infos(self):
            held = "a-held-value"
            raise RuntimeError("a secret detail at /home/someone", len(held))

    async with served(tmp_path / "data", change=replaced(agents=Broken())) as server:
        answer = await server.client.get("/api/agents")
        problem = answer.json()
        assert (answer.status_code, problem["code"]) == (500, "internal-error")
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert (await server.client.get("/api/projects")).status_code == 200
    said = capsys.readouterr().err
    assert said.count(problem["details"]["reference"]) == 1
    assert said.count("Traceback") == 1
    assert "a-held-value" not in said


# --- pages -------------------------------------------------------------------


def directives(answer) -> dict[str, str]:
    policy = answer.headers["content-security-policy"]
    pairs = (part.strip().partition(" ") for part in policy.split(";"))
    return {name: value for name, _, value in pairs}


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Vitrail</title>")
    (folder / "assets" / "index-a1b2.js").write_text("1")
    (folder / "icon.svg").write_text("<svg/>")
    monkeypatch.setattr("vitrail.server.app.BUNDLE", folder)
    return folder


@pytest.mark.usefixtures("bundle")
async def test_every_address_of_the_workspace_is_its_page(tmp_path: Path) -> None:
    async with served(tmp_path / "data") as server:
        for path in ("/", "/projects/1", "/index.html", "/a/b/c"):
            answer = await server.anyone.get(path)
            assert answer.status_code == 200
            assert "<title>Vitrail</title>" in answer.text
            assert answer.headers["cache-control"] == "no-cache"
            policy = directives(answer)
            preview = server.runtime.places.preview_origin
            assert policy["default-src"] == "'none'"
            assert policy["script-src"] == "'self'"
            assert policy["frame-src"].split() == [f"{server.url}/preview/", preview]
            assert "'self' data: blob:" in policy["img-src"]
            assert policy["connect-src"] == "'self'"
            assert policy["frame-ancestors"] == "'none'"
            assert answer.headers["x-frame-options"] == "DENY"


@pytest.mark.usefixtures("bundle")
async def test_files_with_a_digest_in_their_name_are_kept_for_good(
    tmp_path: Path,
) -> None:
    async with served(tmp_path / "data") as server:
        answer = await server.anyone.get("/assets/index-a1b2.js")
        assert answer.headers["cache-control"].endswith("immutable")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert (await server.anyone.get("/icon.svg")).headers[
            "cache-control"
        ] == "no-cache"
        for path in ("/assets/gone-a1b2.js", "/gone.png", "/preview/x", "/api/x"):
            answer = await server.client.get(path)
            assert answer.status_code in {404, 410}, path
            assert "<title>Vitrail</title>" not in answer.text
        head = await server.anyone.head("/")
        assert (head.status_code, head.content) == (200, b"")


async def test_a_bundle_that_is_not_built_is_named_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vitrail.server.app.BUNDLE", tmp_path / "none")
    async with served(tmp_path / "data") as server:
        answer = await server.anyone.get("/")
        assert answer.status_code == 503
        assert "make run" in answer.text
        assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_the_bundle_is_not_a_way_out_of_its_folder(
    tmp_path: Path, bundle: Path
) -> None:
    (bundle.parent / "secret.txt").write_text("secret")
    (bundle / "link.txt").symlink_to(bundle.parent / "secret.txt")
    async with served(tmp_path / "data") as server:
        for path in (
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/..%2f..%2fsecret.txt",
            "/link.txt",
            "/%5c..%5csecret.txt",
            "/x%00.txt",
            "/" + "a" * 5000,
        ):
            answer = await server.anyone.get(path)
            assert "secret" not in answer.text.replace("secret.txt", "")
            assert answer.status_code in {200, 404}


@pytest.mark.usefixtures("bundle")
async def test_pages_may_be_framed_by_the_origins_of_the_setting(
    tmp_path: Path,
) -> None:
    settings = replace(FREE, embed_origins=("https://host.example",))
    async with served(tmp_path / "data", settings) as server:
        answer = await server.anyone.get("/")
        assert directives(answer)["frame-ancestors"] == "https://host.example"
        assert "x-frame-options" not in answer.headers


# --- the description ----------------------------------------------------------


async def test_the_description_names_every_route_and_its_failures(
    server: Served,
) -> None:
    document = (await server.anyone.get("/openapi.json")).json()
    text = json.dumps(document)
    referenced = set(re.findall(r'"#/components/schemas/([^"]+)"', text))
    assert referenced <= set(document["components"]["schemas"])
    for path, methods in document["paths"].items():
        assert path.startswith("/api/"), path
        for method, operation in methods.items():
            assert operation["summary"], (method, path)
            assert {"400", "401", "403", "413", "421", "422", "500"} <= set(
                operation["responses"]
            ), (method, path)
            for status, response in operation["responses"].items():
                # a range that a file does not have is told without a body
                if status >= "400" and status != "416":
                    assert set(response["content"]) == {"application/problem+json"}
    assert "HTTPValidationError" not in text
