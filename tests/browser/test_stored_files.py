"""Stored files in a real browser: whatever they are, none of their script acts as the app."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from playwright.async_api import Error, Page, Route

from tests.support.chromium import RunningServer

pytestmark = pytest.mark.browser

CALL = "console.log('ran');fetch('/api/projects?ran');document.title='ran'"
SCRIPT = f"<script>{CALL}</script>"
SVG = (
    f'<svg xmlns="http://www.w3.org/2000/svg" onload="{CALL}">'
    f"<script>{CALL}</script><rect width='9' height='9'/></svg>"
)
PDF = (
    b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS"
    b"(app.alert\\('ran'\\))>>>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF\n"
)

RUNS_ALONE = {
    "page.html": f'<!doctype html><title>t</title><body onload="{CALL}">{SCRIPT}'.encode(),
    "drawing.svg": SVG.encode(),
    "data.xml": (
        "<?xml version='1.0'?><a xmlns:h='http://www.w3.org/1999/xhtml'>"
        f"<h:script>{CALL}</h:script></a>"
    ).encode(),
}
"""What runs by itself where a server just sends it: the control of these tests."""

FILES = {
    **RUNS_ALONE,
    "page.htm": b"<title>t</title>" + SCRIPT.encode(),
    "refresh.html": b"<meta http-equiv=refresh content=\"0;url=javascript:fetch('/api/?ran')\">",
    "frame.html": f'<iframe srcdoc="{SCRIPT.replace(chr(34), chr(39))}"></iframe>'.encode(),
    "form.html": (
        b"<form action='/api/projects?ran' method=post><input autofocus></form>"
        b"<script>document.forms[0].submit()</script>"
    ),
    "style.xml": (
        b"<?xml version='1.0'?><?xml-stylesheet type='text/xsl' href='sheet.xsl'?><a/>"
    ),
    "sheet.xsl": (
        "<?xml version='1.0'?><xsl:stylesheet version='1.0' "
        "xmlns:xsl='http://www.w3.org/1999/XSL/Transform'><xsl:template match='/'>"
        f"<html><body><script>{CALL}</script></body></html></xsl:template></xsl:stylesheet>"
    ).encode(),
    "page.xhtml": (
        f"<html xmlns='http://www.w3.org/1999/xhtml'><script>{CALL}</script></html>"
    ).encode(),
    "script.js": CALL.encode(),
    "module.mjs": CALL.encode(),
    "paper.pdf": PDF,
    "both.pdf": b"%PDF-1.7\n" + SCRIPT.encode(),
    "picture.png": SCRIPT.encode(),
    "both.gif": b"GIF89a=0;" + CALL.encode(),
    "both.png": b"\x89PNG\r\n\x1a\n" + SCRIPT.encode(),
    "noext": b"<!doctype html>" + SCRIPT.encode(),
    "text.txt": b"<!doctype html>" + SCRIPT.encode(),
    "data.json": b'{"a": "</script>' + SCRIPT.encode() + b'"}',
    "mail.mht": b"MIME-Version: 1.0\nContent-Type: text/html\n\n" + SCRIPT.encode(),
    "utf7.html": b"<title>t</title>+ADw-script+AD4-" + CALL.encode(),
    "utf16.html": "\ufeff<!doctype html>".encode("utf-16-le")
    + SCRIPT.encode("utf-16-le"),
}


class Traces:
    """What a page did that only a script of it can have done."""

    def __init__(self, page: Page) -> None:
        self.seen: list[str] = []
        page.on("console", lambda said: self._note(said.text))
        page.on("dialog", lambda dialog: self._note(f"ran {dialog.message}"))
        page.on("request", lambda request: self._note(request.url))
        page.context.on("request", lambda request: self._note(request.url))

    def _note(self, what: str) -> None:
        # what the browser says of a script that it refused names no trace of it
        if what == "ran" or what.startswith("ran ") or "?ran" in what:
            self.seen.append(what)


async def stored(page: Page, server: RunningServer, files: dict[str, bytes]) -> str:
    """Store the files as a person's program does; return the address they are below."""
    bearer = {"Authorization": f"Bearer {server.token}"}

    async def call(method: str, path: str, **more: Any) -> Any:
        answer = await page.context.request.fetch(
            server.origin + path,
            method=method,
            headers={**bearer, **more.pop("headers", {})},
            **more,
        )
        assert answer.ok, await answer.text()
        return await answer.json()

    project = await call("POST", "/api/projects", data={"title": "Raw"})
    for name, content in files.items():
        await call(
            "PUT",
            f"/api/projects/{project['id']}/files/{name}",
            data=content,
            headers={"If-None-Match": "*", "Content-Type": "image/png"},
        )
    return f"{server.origin}/api/projects/{project['id']}/files"


async def open_alone(page: Page, address: str) -> None:
    """Open an address as a person does, and wait until it has loaded or is a download."""
    # of a download Playwright says that the page was never shown
    with suppress(Error):
        await page.goto(address, wait_until="load")


@pytest.mark.parametrize("name", RUNS_ALONE)
async def test_the_traces_are_seen_where_a_file_is_just_sent(
    page: Page, server: RunningServer, name: str
) -> None:
    traces = Traces(page)
    media_type = {"html": "text/html", "svg": "image/svg+xml", "xml": "application/xml"}

    async def send(route: Route) -> None:
        await route.fulfill(
            body=RUNS_ALONE[name], content_type=media_type[name.rpartition(".")[2]]
        )

    await page.route("**/bare/*", send)
    await page.goto(f"{server.origin}/bare/{name}", wait_until="load")
    assert traces.seen


async def test_no_stored_file_that_is_opened_runs_anything(
    workspace: Page, server: RunningServer
) -> None:
    below = await stored(workspace, server, FILES)
    for name in FILES:
        page = await workspace.context.new_page()
        traces = Traces(page)
        await open_alone(page, f"{below}/{name}")
        assert traces.seen == [], name
        assert await page.title() != "ran", name
        await page.close()


async def test_a_page_of_the_app_cannot_be_made_to_run_a_stored_file(
    workspace: Page, server: RunningServer
) -> None:
    below = await stored(workspace, server, FILES)
    traces = Traces(workspace)
    ways = {
        "script": """(url) => new Promise((done) => {
            const made = document.createElement("script");
            made.src = url;
            made.onload = () => done("loaded");
            made.onerror = () => done("refused");
            document.head.append(made);
        })""",
        "module": """(url) => new Promise((done) => {
            const made = document.createElement("script");
            made.type = "module";
            made.src = url;
            made.onload = () => done("loaded");
            made.onerror = () => done("refused");
            document.head.append(made);
        })""",
        "import": '(url) => import(url).then(() => "loaded", () => "refused")',
        "worker": """(url) => new Promise((done) => {
            try {
                const made = new Worker(url);
                made.onmessage = () => done("loaded");
                made.onerror = () => done("refused");
            } catch { done("refused"); }
        })""",
        "service worker": """(url) => navigator.serviceWorker.register(url)
            .then(() => "loaded", () => "refused")""",
    }
    for name in (
        "script.js",
        "module.mjs",
        "both.gif",
        "text.txt",
        "data.json",
        "paper.pdf",
    ):
        for way, code in ways.items():
            assert await workspace.evaluate(code, f"{below}/{name}") == "refused", (
                name,
                way,
            )
    # nor to frame one: the policy of the app's pages names the preview site only
    await workspace.evaluate(
        """(url) => new Promise((done) => {
            const made = document.createElement("iframe");
            made.src = url;
            made.onload = done;
            document.body.append(made);
        })""",
        f"{below}/page.html",
    )
    assert traces.seen == []


async def test_a_browser_seeks_in_a_stored_file(
    workspace: Page, server: RunningServer
) -> None:
    below = await stored(workspace, server, {"notes.txt": b"0123456789"})
    told = await workspace.evaluate(
        """async (url) => {
            const first = await fetch(url, {headers: {Range: "bytes=2-4"}});
            const tag = first.headers.get("etag");
            const next = await fetch(url, {headers: {Range: "bytes=5-", "If-Range": tag}});
            return [first.status, await first.text(), next.status, await next.text()];
        }""",
        f"{below}/notes.txt",
    )
    assert told == [206, "234", 206, "56789"]
