"""The preview site over HTTP: what it answers, and to whom."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

from tests.support.preview import MemoryFiles, SetClock
from vitrail.core.render.policy import Policy, document_headers
from vitrail.protocol.http import PreviewInfo
from vitrail.server.preview import Capabilities, PreviewSettings, PreviewSite

APP = "http://127.0.0.1:7717"
ORIGIN = "http://localhost:7718"


def new_site(*, has_artifact_hosts: bool = False) -> tuple[PreviewSite, MemoryFiles]:
    files = MemoryFiles()
    files.put("index.html", "<head><title>T</title>")
    settings = PreviewSettings(ORIGIN, (APP,), has_artifact_hosts=has_artifact_hosts)
    clock = SetClock()
    return PreviewSite(files, Capabilities(clock), settings, "bridge()"), files


def client_of(site: PreviewSite, origin: str = ORIGIN) -> TestClient:
    return TestClient(site.app, base_url=origin)


async def opened(
    path: str = "index.html",
) -> tuple[TestClient, MemoryFiles, PreviewInfo]:
    site, files = new_site()
    return client_of(site), files, await site.open("p", path)


async def test_an_entry_is_its_preview_document() -> None:
    client, _, preview = await opened()
    response = client.get(preview.url)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert response.text == (
        f'<head><script data-vitrail-bridge="{preview.generation}">bridge()</script>'
        "<title>T</title>"
    )


async def test_every_answer_carries_the_whole_policy() -> None:
    client, files, preview = await opened()
    files.put("a.css", "p{}")
    own = f"{ORIGIN}/p/{preview.capability}/"
    wanted = document_headers(Policy(own, (APP,)))
    for url in (preview.url, f"{own}a.css", f"{own}gone.css", f"{ORIGIN}/", "/p/x/y"):
        headers = client.get(url, headers={"cookie": "a=1"}).headers
        assert set(wanted) <= set(headers)
        assert "set-cookie" not in headers
        assert headers["content-security-policy"].startswith("sandbox ")
        assert "default-src 'none'" in headers["content-security-policy"]
    for url in (preview.url, f"{own}a.css"):
        assert wanted.items() <= dict(client.get(url).headers).items()


async def test_an_own_file_is_its_bytes() -> None:
    client, files, preview = await opened()
    files.put("data/a.json", '{"a": 1}')
    files.put("日本 語.css", "p{}")
    own = preview.url.removesuffix("index.html")
    response = client.get(f"{own}data/a.json")
    assert response.content == b'{"a": 1}'
    assert response.headers["content-type"] == "application/json"
    css = client.get(f"{own}日本 語.css")
    assert css.headers["content-type"] == "text/css; charset=utf-8"
    raw = client.get(preview.url, headers={"sec-fetch-dest": "empty"})
    assert raw.text == "<head><title>T</title>"


async def test_a_page_of_the_project_in_a_frame_has_the_bridge_and_no_host() -> None:
    client, files, preview = await opened()
    files.put("about.html", "<p>About")
    url = preview.url.replace("index.html", "about.html")
    framed = client.get(url, headers={"sec-fetch-dest": "iframe"}).text
    assert framed == '<script data-vitrail-bridge="">bridge()</script><p>About'
    assert client.get(url).text == "<p>About"


async def test_a_kind_that_is_not_drawn_shows_its_source_without_scripts() -> None:
    site, files = new_site()
    files.put("a.md", "# <script>go()</script>\n")
    preview = await site.open("p", "a.md")
    assert (preview.mode, preview.kind) == ("source", None)
    response = client_of(site).get(preview.url)
    assert "<code># &lt;script&gt;go()&lt;/script&gt;</code>" in response.text
    assert "script-src 'none'" in response.headers["content-security-policy"]
    assert "bridge()" not in response.text


async def test_a_file_that_is_not_text_is_met_with_words() -> None:
    site, files = new_site()
    files.put("a.html", b"\xff\xfe<\x00p\x00")
    preview = await site.open("p", "a.html")
    response = client_of(site).get(preview.url)
    assert response.status_code == 200
    assert "a.html holds 6 bytes that are not UTF-8 text" in response.text


async def test_a_file_of_another_case_or_project_is_not_there() -> None:
    client, files, preview = await opened()
    files.put("other.txt", "secret", project="q")
    own = preview.url.removesuffix("index.html")
    for path in ("other.txt", "INDEX.html", "../q/other.txt", "%2e%2e/q/other.txt"):
        response = client.get(own + path)
        assert response.status_code in {404, 410}  # clients fold dots by themselves
        assert "secret" not in response.text


@pytest.mark.parametrize(
    "path",
    [
        *("..%2f..%2fetc%2fpasswd", "%2e%2e%2f", "a/../../x", "/etc/passwd", "//x"),
        *(".vitrail/project.json", ".env", "a/.git/config", "%00", "", "%5c..%5cx"),
    ],
)
async def test_paths_that_are_none_are_not_there(path: str) -> None:
    client, files, preview = await opened()
    files.put(".env", "secret")
    files.put("a/.git/config", "secret")
    response = client.get(preview.url.removesuffix("index.html") + path)
    assert response.status_code == 404
    assert "secret" not in response.text


@pytest.mark.parametrize(
    "method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]
)
async def test_previews_can_only_be_read(method: str) -> None:
    client, _, preview = await opened()
    response = client.request(method, preview.url)
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD"


async def test_head_is_get_without_a_body() -> None:
    client, _, preview = await opened()
    got, head = client.get(preview.url), client.head(preview.url)
    assert head.content == b""
    assert head.headers == got.headers


@pytest.mark.parametrize(
    "host",
    [
        *("127.0.0.1:7718", "localhost", "localhost:7717", "evil.example", ""),
        *("localhost:7718.evil.example", "a.localhost:7718", "localhost.:7718"),
    ],
)
async def test_another_host_name_is_refused(host: str) -> None:
    client, _, preview = await opened()
    response = client.get(preview.url, headers={"host": host})
    assert response.status_code == 421
    assert "does not answer to that host name" in response.text


async def test_an_artifact_host_is_a_site_of_its_own() -> None:
    site, _ = new_site(has_artifact_hosts=True)
    preview = await site.open("p", "index.html")
    assert preview.url == f"{ORIGIN}/p/{preview.capability}/index.html"
    assert preview.own_host_url is not None
    label, _, rest = preview.own_host_url.removeprefix("http://").partition(".")
    assert rest.startswith("localhost:7718/p/")
    assert len(label) == 20
    response = client_of(site, f"http://{label}.localhost:7718").get(
        preview.own_host_url
    )
    policy = response.headers["content-security-policy"]
    assert f"img-src http://{label}.localhost:7718/p/{preview.capability}/ " in policy


async def test_the_site_is_not_the_app() -> None:
    client, _, _ = await opened()
    for path in ("/", "/api/projects", "/index.html", "/openapi.json", "/p", "/p/"):
        response = client.get(path)
        assert response.status_code == 404
        assert "Nothing is here" in response.text


async def test_the_probe_tells_that_the_site_is_reached() -> None:
    client, _, _ = await opened()
    response = client.get("/probe.gif")
    assert response.headers["content-type"] == "image/gif"
    assert response.content.startswith(b"GIF89a")


async def test_a_closed_preview_says_so() -> None:
    site, _ = new_site()
    preview = await site.open("p", "index.html")
    await site.drop(preview.capability)
    response = client_of(site).get(preview.url)
    assert response.status_code == 410
    assert "<h1>This preview is closed</h1>" in response.text


async def test_a_preview_of_a_deleted_project_is_closed() -> None:
    site, files = new_site()
    preview = await site.open("p", "index.html")
    del files.projects["p"]
    assert client_of(site).get(preview.url).status_code == 410
    files.put("index.html", "another")
    assert client_of(site).get(preview.url).status_code == 410


async def test_a_preview_shows_the_file_as_it_is_now() -> None:
    client, files, preview = await opened()
    files.put("index.html", "<p>new")
    assert client.get(preview.url).text.endswith("<p>new")


@pytest.mark.parametrize(
    ("asked", "status", "content", "content_range"),
    [
        ("bytes=2-3", 206, b"23", "bytes 2-3/10"),
        ("bytes=8-", 206, b"89", "bytes 8-9/10"),
        ("bytes=-2", 206, b"89", "bytes 8-9/10"),
        ("bytes=0-99", 206, b"0123456789", "bytes 0-9/10"),
        ("bytes=10-", 416, b"", "bytes */10"),
        ("bytes=-0", 416, b"", "bytes */10"),
        ("bytes=3-2", 200, b"0123456789", None),
        ("bytes=0-1,3-4", 200, b"0123456789", None),
        ("items=0-1", 200, b"0123456789", None),
        ("bytes=-", 200, b"0123456789", None),
    ],
)
async def test_a_range_of_a_file(
    asked: str, status: int, content: bytes, content_range: str | None
) -> None:
    client, files, preview = await opened()
    files.put("a.txt", "0123456789")
    url = preview.url.replace("index.html", "a.txt")
    response = client.get(url, headers={"range": asked})
    assert (response.status_code, response.content) == (status, content)
    assert response.headers.get("content-range") == content_range


async def test_the_same_answers_come_from_the_apps_origin() -> None:
    site, files = new_site()
    files.put("a.css", "p{}")
    preview = await site.open("p", "index.html")
    apps: Mapping[str, Starlette | object] = {
        "mounted": Starlette(routes=[Mount("/preview", app=site.fallback_app)]),
        "bare": site.fallback_app,
    }
    for app in apps.values():
        client = TestClient(app, base_url=APP)  # type: ignore[arg-type]  # both are ASGI
        response = client.get(preview.fallback_url)
        assert response.status_code == 200
        assert response.text == client_of(site).get(preview.url).text
        policy = response.headers["content-security-policy"]
        assert f"img-src {APP}/preview/p/{preview.capability}/ " in policy
        assert f"frame-ancestors {APP}" in policy
        other = client.get(preview.fallback_url.replace("index.html", "a.css"))
        assert other.text == "p{}"


async def test_a_forwarded_app_may_frame_its_own_fallback() -> None:
    site, _ = new_site()
    preview = await site.open("p", "index.html")
    client = TestClient(site.fallback_app, base_url="http://127.0.0.1:9999")
    policy = client.get(preview.fallback_url).headers["content-security-policy"]
    assert f"frame-ancestors {APP} http://127.0.0.1:9999" in policy
