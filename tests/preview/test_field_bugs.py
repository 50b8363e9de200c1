"""Field bugs 10, 12, 22 and 23, by their own minimal inputs."""

from __future__ import annotations

import pytest
from playwright.async_api import Page

from tests.support.preview import PreviewRig

pytestmark = pytest.mark.browser

BUG_10 = (
    "<h1>T</h1><script>const n=localStorage.getItem('n')||1; document.cookie; "
    "document.body.append('ok'+n)</script>"
)
BUG_23 = (
    "<script>try{parent.document.title='x'}catch(e){document.title=e.name}; "
    "fetch('/api/projects').then(r=>r.text()).then(t=>document.title=t.slice(0,9))"
    "</script>"
)


async def test_bug_10_a_page_that_reads_storage_at_start_is_shown(
    page: Page, rig: PreviewRig
) -> None:
    frame = await rig.show(page, "index.html", BUG_10)
    await rig.wait_for(page, type="ready")
    assert "ok1" in await frame.inner_text("body")
    assert await rig.said(page, type="error") == []


async def test_bug_10_storage_is_in_memory_and_gone_with_a_reload(
    page: Page, rig: PreviewRig
) -> None:
    frame = await rig.show(page, "index.html", BUG_10)
    await frame.evaluate("localStorage.setItem('n', 2); document.cookie = 'a=1'")
    assert await frame.evaluate("localStorage.n + document.cookie") == "2a=1"
    again = await rig.show(page, "index.html")
    assert "ok1" in await again.inner_text("body")


async def test_bug_12_a_relative_link_is_the_hosts_to_follow(
    page: Page, rig: PreviewRig
) -> None:
    rig.files.put("about.html", "<h1>About</h1>")
    content = "<a href='about.html?a=1#b'>About</a><a href='gone.html'>Gone</a>"
    frame = await rig.show(page, "index.html", content)
    address = frame.url
    await frame.click("text=About")
    link = await rig.wait_for(page, type="link", kind="page")
    assert (link["href"], link["search"], link["hash"]) == ("about.html", "?a=1", "#b")
    assert link["isTrusted"] is True
    await frame.click("text=Gone")
    await rig.wait_for(page, type="link", href="gone.html")
    assert frame.url == address


async def test_bug_22_a_raw_svg_runs_nothing_with_an_origin(
    page: Page, rig: PreviewRig
) -> None:
    rig.files.put(
        "a.svg",
        "<svg xmlns='http://www.w3.org/2000/svg' onload='document.title=origin'/>",
    )
    preview = await rig.open("index.html", "<p>x")
    response = await page.goto(preview.url.replace("index.html", "a.svg"))
    assert response is not None
    assert response.headers["x-content-type-options"] == "nosniff"
    assert await page.title() in {"", "null"}


async def test_bug_22_a_raw_page_runs_nothing_with_an_origin(
    page: Page, rig: PreviewRig
) -> None:
    rig.files.put("b.html", "<script>document.title = 'ran as ' + origin</script>")
    rig.files.put("b.png", "<script>document.title = 'ran'</script>")
    preview = await rig.open("index.html", "<p>x")
    await page.goto(preview.url.replace("index.html", "b.html"))
    assert await page.title() == "ran as null"
    response = await page.request.get(preview.url.replace("index.html", "b.png"))
    assert response.headers["content-type"] == "application/octet-stream"


async def test_bug_23_page_script_reads_neither_the_app_nor_its_interface(
    page: Page, rig: PreviewRig
) -> None:
    rig.api_calls.clear()
    frame = await rig.show(page, "index.html", BUG_23)
    await rig.wait_for(page, type="error", kind="rejection")
    assert await frame.title() == "SecurityError"
    assert await page.title() == "App"
    assert rig.api_calls == []
