"""What a page in the preview can reach of the app, from the page's side."""

from __future__ import annotations

import pytest
from playwright.async_api import Frame, Page

from tests.support.preview import PreviewRig, frame_of

pytestmark = pytest.mark.browser

ANSWER_MS = 100
"""In which the app answers a click beside a page that loops: the issue's number."""


LOOP = (
    "<p>x<script>addEventListener('load', () => setTimeout(() => "
    "{ console.log('loops'); for (;;); }))</script>"
)


async def seen_by(frame: Frame, expression: str) -> str:
    """Return what an expression gives in the page, or the name of its error."""
    result: str = await frame.evaluate(
        """(code) => { try { return String((0, eval)(code)); }
        catch (error) { return error.name; } }""",
        expression,
    )
    return result


@pytest.mark.parametrize(
    "expression",
    [
        "parent.document.title",
        "parent.localStorage.getItem('app')",
        "parent.document.cookie",
        "parent.said()",
        "top.document.body.innerHTML",
        "frameElement.ownerDocument.title",
        "parent.frames[0].parent.document.title",
        "Reflect.get(parent, 'document')",
        "parent.eval('1')",
        "parent.location.href",
        "parent.history.length",
    ],
)
async def test_the_app_is_out_of_reach(
    expression: str, page: Page, rig: PreviewRig
) -> None:
    frame = await rig.show(page, "reach.html", "<p>x")
    assert await seen_by(frame, expression) in {"SecurityError", "TypeError"}


async def test_the_page_has_an_opaque_origin(page: Page, rig: PreviewRig) -> None:
    frame = await rig.show(page, "origin.html", "<p>x")
    assert await seen_by(frame, "origin") == "null"


async def test_the_apps_storage_and_cookies_are_not_the_pages(
    page: Page, rig: PreviewRig
) -> None:
    frame = await rig.show(page, "own.html", "<p>x")
    assert await page.evaluate("document.cookie") == "vitrail_app=secret"
    assert await seen_by(frame, "localStorage.getItem('app')") == "null"
    assert await seen_by(frame, "document.cookie") == ""
    await frame.evaluate("localStorage.setItem('app', 'x'); document.cookie = 'a=1'")
    assert await page.evaluate("localStorage.getItem('app')") == "secret"
    assert await page.evaluate("document.cookie") == "vitrail_app=secret"


CALLS = {
    "fetch": "fetch('APP/api/projects', {credentials: 'include'}).then((r) => r.text())",
    "no-cors": "fetch('APP/api/projects', {mode: 'no-cors', credentials: 'include'})"
    ".then((r) => r.type + r.status)",
    "post": "fetch('APP/api/projects', {method: 'POST', body: '{}',"
    " credentials: 'include', mode: 'no-cors'}).then((r) => r.type)",
    "relative": "fetch('/api/projects').then((r) => r.text())",
    "script": "new Promise((done, fail) => { const s = document.createElement('script');"
    " s.src = 'APP/api/projects'; s.onload = done; s.onerror = () => fail(Error('x'));"
    " document.body.append(s); })",
    "image": "new Promise((done, fail) => { const i = new Image(); i.onload = done;"
    " i.onerror = () => fail(Error('x')); i.src = 'APP/api/projects'; })",
}


@pytest.mark.parametrize("how", CALLS)
async def test_the_apps_interface_is_out_of_reach(
    how: str, page: Page, rig: PreviewRig
) -> None:
    frame = await rig.show(page, "api.html", "<p>x")
    rig.api_calls.clear()
    call = CALLS[how].replace("APP", rig.app_origin)
    answer = await frame.evaluate(f"{call}.catch((error) => error.name)")
    assert "secret" not in str(answer)
    assert rig.api_calls == []


async def test_a_page_that_loops_for_ever_leaves_the_app_answering(
    page: Page, rig: PreviewRig
) -> None:
    await rig.show(page, "loop.html", LOOP)
    await rig.wait_for(page, type="console", text="loops")
    waited_ms = await page.evaluate(
        """() => new Promise((done) => {
            const button = document.getElementById('button');
            const begin = performance.now();
            button.addEventListener('click', () =>
                requestAnimationFrame(() => done(performance.now() - begin)));
            button.click();
        })"""
    )
    assert await page.inner_text("#button") == "1"
    assert waited_ms < ANSWER_MS
    await page.click("#button")
    assert await page.inner_text("#button") == "2"


async def test_the_frame_runs_in_a_process_of_its_own(
    page: Page, rig: PreviewRig
) -> None:
    await rig.show(page, "process.html", "<p>x")
    session = await page.context.new_cdp_session(page)
    targets = await session.send("Target.getTargets")
    frames = [t for t in targets["targetInfos"] if t["type"] == "iframe"]
    # a frame is a target of its own only when it is in another process
    assert any("process.html" in frame["url"] for frame in frames)


async def test_a_page_that_loops_leaves_another_preview_running(
    page: Page, rig: PreviewRig
) -> None:
    await rig.show(page, "loop.html", LOOP)
    await rig.wait_for(page, type="console", text="loops")
    other = await rig.open("other.html", "<p>x")
    await page.evaluate(
        "([u, g]) => showBeside(u, g)", [other.own_host_url, other.generation]
    )
    await page.evaluate("ping(9)")
    await rig.wait_for(page, type="pong", id=9)


async def test_a_forged_hello_is_not_taken(page: Page, rig: PreviewRig) -> None:
    frame = await rig.show(page, "forged.html", "<p>x")
    await rig.wait_for(page, type="ready")
    generation = (await rig.open("forged.html")).generation
    await frame.evaluate(
        """(generation) => {
            const channel = new MessageChannel();
            parent.postMessage({vitrail: 'hello', version: 1, generation}, '*',
                [channel.port2]);
        }""",
        generation,
    )
    await page.wait_for_function("hostile().length === 1")


async def test_the_page_cannot_find_the_generation_or_the_port(
    page: Page, rig: PreviewRig
) -> None:
    content = (
        "<script>const seen = []; const native = MessagePort.prototype.postMessage;"
        "MessagePort.prototype.postMessage = function (...a) "
        "{ seen.push(this); return native.apply(this, a); };"
        "Object.defineProperty(MessageEvent.prototype, 'data', {get() "
        "{ seen.push(this); return null; }});"
        "console.log('a'); window.seen = seen</script>"
    )
    frame = await rig.show(page, "port.html", content)
    await rig.wait_for(page, type="console", text="a")
    await page.evaluate("ping(1)")
    await rig.wait_for(page, type="pong", id=1)
    assert await frame.evaluate("seen.length") == 0
    scripts = await frame.evaluate("document.querySelectorAll('script').length")
    assert scripts == 1  # the page's own


async def test_scripts_that_patch_everything_do_not_stop_the_bridge(
    page: Page, rig: PreviewRig
) -> None:
    content = (
        "<script>for (const p of [Array.prototype, String.prototype, Map.prototype,"
        " EventTarget.prototype, Promise.prototype, Reflect])"
        " for (const n of Object.getOwnPropertyNames(p))"
        " if (n !== 'constructor') try { p[n] = () => { throw Error('gone') } }"
        " catch {}</script>"
    )
    await rig.show(page, "patched.html", content)
    await page.evaluate("ping(7)")
    await rig.wait_for(page, type="pong", id=7)


async def test_the_fallback_is_opaque_on_the_apps_own_origin(
    page: Page, rig: PreviewRig
) -> None:
    preview = await rig.open("fallback.html", "<p>x<img src=a.svg>")
    rig.files.put("a.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    await page.goto(rig.app_origin)
    address = rig.app_origin + preview.fallback_url
    await page.evaluate("([u, g]) => show(u, g)", [address, preview.generation])
    await rig.wait_for(page, type="ready")
    frame = frame_of(page)
    assert await seen_by(frame, "origin") == "null"
    assert await seen_by(frame, "parent.document.title") == "SecurityError"
    assert await frame.evaluate("document.images[0].naturalWidth > 0")
    rig.api_calls.clear()
    answer = await frame.evaluate("fetch('/api/projects').catch((e) => e.name)")
    assert (answer, rig.api_calls) == ("TypeError", [])
