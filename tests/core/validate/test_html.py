"""Pages: the table of spec/open-design-1 §5, and the ways around it that are closed."""

from __future__ import annotations

import sys
from itertools import pairwise

import pytest

from vitrail.core.document.references import local_segments
from vitrail.core.validate import Candidate, validate

FILLER = "<p>A sentence that makes the page long enough to be one.</p>"


def page(inner: str = "", head: str = "") -> str:
    return (
        f"<!doctype html><html><head>{head}</head><body>{FILLER}{inner}</body></html>"
    )


def codes(body: str, *, is_complete: bool = True) -> list[str]:
    verdict = validate(Candidate("html", body, is_complete=is_complete))
    assert verdict.ok == (verdict.outcome in ("accepted", "fixed"))
    return [found.code for found in verdict.diagnostics]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("", "artifact-empty"),
        (" \n\t\ufeff\u00a0 ", "artifact-empty"),
        ("我已经更新了页面", "html-too-short"),
        ("<p>hi</p>", "html-too-short"),
        ("I have updated the page as you asked. " * 4, "html-not-a-document"),
        (
            "How <html lang> and <!doctype html> begin a page is said in mid-sentence.",
            "html-not-a-document",
        ),
        (f"<p>{FILLER}</p>", "html-not-a-document"),
        ("<!doctype html><html><head></head></html>", "html-too-short"),
        ("<html-foo>" + "x" * 80, "html-not-a-document"),
        ("<!doctype html>" + "x" * 60, "html-without-elements"),
        ("<html>" + "I have made the page. " * 4, "html-without-elements"),
        ("<!doctype svg><svg>" + "x" * 60, "html-not-a-document"),
    ],
)
def test_what_is_no_document_is_refused(body: str, code: str) -> None:
    assert codes(body) == [code]


@pytest.mark.parametrize(
    "body",
    [
        page(),
        page().removeprefix("<!doctype html>"),
        page().upper(),
        "\ufeff \n" + page(),
        "<!-- made today -->\n" + page(),
        '<?xml version="1.0"?>\n' + page(),
    ],
)
def test_a_whole_document_is_accepted(body: str) -> None:
    assert codes(body) == []


@pytest.mark.parametrize(
    "inner",
    [
        '<iframe src=".live-artifacts/a/index.html"></iframe>',
        '<a href="/.live-artifacts">x</a>',
        "<img src=./.od/thumb.png>",
        '<style>p{background:url("/.tmp/p.png")}</style>',
        "<style>@import '/.od/foo.css';</style>",
        "<style>@import url(./.tmp/theme.css);</style>",
        "<p style=\"background:url('/.od/p.png')\">x</p>",
        '<img srcset="assets/p.png 1x, /.live-artifacts/a/p.png 2x">',
        # the reference lets these pass
        '<a title="a > b" href="/.od/x">x</a>',
        '<a href="&#46;od/x">x</a>',
        '<a href="%2eod/x">x</a>',
        '<a href="\\.od\\x">x</a>',
        '<script>fetch("/.od/x")</script>',
        "<script>fetch('\\x2f.od/x')</script>",
        '<a href=".file-versions/x">x</a>',
        '<a href="a/../.OD/x">x</a>',
        '<a href=" \t/.o\nd/x">x</a>',
        "<style>p{background:url(/\\2eod/p.png)}</style>",
        "<button onclick=\"location='/.od/x'\">x</button>",
        "<a href=\"javascript:fetch('/.od/x')\">x</a>",
        "<iframe srcdoc=\"<img src='/.od/x.png'>\"></iframe>",
        '<meta http-equiv=refresh content="0; url=/.od/x">',
        '<style>p{background:image-set("/.od/p.png" 1x)}</style>',
        '<svg><image xlink:href="/.od/x.png"/></svg>',
        '<form action="/.tmp/x"><button formaction="/.vitrail/y">x</button></form>',
    ],
)
def test_a_reference_into_internal_folders_is_refused(inner: str) -> None:
    assert codes(page(inner)) == ["html-storage-path"]


@pytest.mark.parametrize(
    "inner",
    [
        "<p>The folders .od and .tmp are internal.</p>",
        '<pre>url("/.tmp/p.png") and href="/.od/x"</pre>',
        '<a href="https://example.test/.od/x.html">x</a>',
        '<a href="//example.test/.od/x.html">x</a>',
        '<a href="/docs?example=/.od/ref">x</a>',
        '<a href="/docs#/.tmp/ref">x</a>',
        '<img src="data:text/plain,/.od/foo">',
        '<img srcset="data:text/plain,/.od/foo 1x">',
        '<img src="/api/live-artifacts/a/preview">',
        # the reference refuses these
        '<!-- <a href="/.od/x">x</a> -->',
        '<p data-src="/.od/x">x</p>',
        '<script>if (name.endsWith(".tmp")) say("see /.od/x for more")</script>',
        '<script>// "/.od/x"\n/* "/.od/y" */ const r = /"\\/.od\\/"/</script>',
        '<script>const output = "build/.tmp/site.css"</script>',
        '<script type="application/json">{"in": "docs/.tmp/readme"}</script>',
        '<textarea><a href="/.od/x">x</a></textarea>',
        "<style>/* url(/.od/x) */ p{content:'/.od/x'}</style>",
    ],
)
def test_what_only_speaks_of_internal_folders_is_accepted(inner: str) -> None:
    assert codes(page(inner)) == []


def test_the_tag_of_a_reference_is_pointed_at() -> None:
    tag = '<a href="/.od/x">'
    body = page(f"\r\n<p>\r\n{tag}x</a>")
    (found,) = validate(Candidate("html", body)).diagnostics
    assert found.span is not None
    assert body[slice(*found.span)] == tag


def test_a_cut_body_is_judged_by_what_can_be_known_of_it() -> None:
    assert codes("<!doctype html><html>", is_complete=False) == []
    assert codes("<!doc", is_complete=False) == []
    assert codes("I have upd", is_complete=False) == ["html-not-a-document"]
    assert codes("", is_complete=False) == ["artifact-empty"]


def test_pages_alone_are_held_to_be_documents() -> None:
    assert validate(Candidate("markdown-document", "# Hi")).outcome == "accepted"
    assert validate(Candidate("code-snippet", "")).outcome == "refused"


def test_halves_of_characters_are_mended_and_pairs_joined() -> None:
    verdict = validate(Candidate("code-snippet", "a\ud83e\uddea b\ud83e"))
    assert verdict.outcome == "fixed"
    assert verdict.candidate.body == "a\U0001f9ea b\ufffd"
    assert [found.code for found in verdict.diagnostics] == ["lone-surrogate"]


def test_nul_is_a_sign_and_the_place_of_the_first_is_told() -> None:
    verdict = validate(Candidate("code-snippet", "a\0b\0"))
    assert verdict.outcome == "fixed"
    assert verdict.candidate.body == "a\ufffdb\ufffd"
    (found,) = verdict.diagnostics
    assert (found.code, found.span) == ("nul-character", (1, 2))


def test_a_title_becomes_one_line_of_its_length() -> None:
    verdict = validate(Candidate("code-snippet", "x", title=" a\nb\u202e" + "c" * 300))
    assert verdict.candidate.title == "a b" + "c" * 197
    assert verdict.outcome == "fixed"


def test_local_addresses_are_resolved_as_a_browser_does() -> None:
    cases = {
        "a/b.png": ("a", "b.png"),
        "/a/./b/../c": ("a", "c"),
        "../../x": ("x",),
        "a%2Fb": ("a", "b"),
        "#x": (),
        "?x": (),
        "mailto:x@y": (),
        "\\\\host\\x": (),
        "": (),
    }
    for address, segments in cases.items():
        assert local_segments(address) == segments, address


@pytest.mark.parametrize(
    "part",
    [
        "<a<a",
        "<a href='",
        "<style>url(\\",
        "<script>(/[",
        "<script>'\\",
        '<img srcset=",(,(',
        "<!--",
        "<style>((({",
        "<p style='\\(",
    ],
)
def test_work_grows_with_the_body_and_not_faster(part: str) -> None:
    """Counted in function calls, which no clock can disturb."""
    counts: list[int] = []
    for size in (500, 1000, 2000):
        body = page(part * size)
        calls = 0

        def count(*_: object) -> None:
            nonlocal calls
            calls += 1

        sys.setprofile(count)
        try:
            validate(Candidate("html", body))
        finally:
            sys.setprofile(None)
        counts.append(calls)
    for smaller, larger in pairwise(counts):
        assert larger <= 2.2 * smaller + 500
