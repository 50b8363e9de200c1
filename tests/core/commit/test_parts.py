"""The other files of an artifact: what a page needs, and nothing that it does not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.commit import PartFile, parts_of_set, supporting_files
from vitrail.core.commit.parts import asked_files
from vitrail.core.names import check_name
from vitrail.core.parse import StreamParser, fold_parts
from vitrail.core.validate import validate_manifest
from vitrail.limits import MAX_SUPPORTING_FILES
from vitrail.protocol.records import ArtifactPart

SITE = {
    "index.html": (
        '<link rel=stylesheet href="css/site.css"><script src="./app.js" defer></script>'
        '<img src="img/logo.png" srcset="img/logo@2x.png 2x"><a href="about.html">x</a>'
        '<iframe src="map.html"></iframe><style>body{background:url(img/bg.svg)}</style>'
    ),
    "css/site.css": "@import 'base.css'; h1{background:url(../img/h1.webp)}",
    "css/base.css": '@font-face{src:url("../fonts/a.woff2")}',
    "app.js": "import x from './lib/x.js'; fetch('data/rows.json')",
    "lib/x.js": "export default new URL('y.wasm', import.meta.url)",
    "map.html": "<img src=img/map.png>",
    "about.html": "<img src=img/me.jpg>",
}
BINARY = [
    "img/logo.png",
    "img/logo@2x.png",
    "img/bg.svg",
    "img/h1.webp",
    "img/map.png",
    "img/me.jpg",
    "fonts/a.woff2",
    "data/rows.json",
    "lib/y.wasm",
    "notes.txt",
]


def parts(
    entry: str, texts: Mapping[str, str] = SITE, others: list[str] = BINARY
) -> set[str]:
    found = supporting_files(
        entry, texts[entry], paths=[*texts, *others], read=texts.get
    )
    assert len(found) == len(set(found))
    return set(found)


def test_all_that_a_page_needs_is_found_through_styles_scripts_and_frames() -> None:
    assert parts("index.html") == {
        *(set(SITE) - {"index.html", "about.html"}),
        *(set(BINARY) - {"img/me.jpg", "notes.txt"}),
    }


def test_a_linked_page_is_an_artifact_of_its_own() -> None:
    assert parts("about.html") == {"img/me.jpg"}


@pytest.mark.parametrize(
    ("page", "asked"),
    [
        ('<link href="s.css">', ["x/s.css"]),
        ('<link href="/s.css">', ["s.css"]),
        ('<img src="../a%20b.png?v=2#x">', ["a b.png"]),
        ('<img src="../../../../a.png">', ["a.png"]),
        ('<div style="background:url(&quot;a.png&quot;)">', ["x/a.png"]),
        ('<video poster="p.jpg"><source src=v.mp4></video>', ["x/p.jpg", "x/v.mp4"]),
        ('<a href="report.pdf">x</a>', ["x/report.pdf"]),
        ('<iframe src="inner.html">', ["x/inner.html"]),
        ('<img src="図.png"><img src="図.png">', ["x/図.png"]),
        # no files of the project, or none that a page may ask for
        ('<img src="https://a.test/a.png"><img src="//a.test/a.png">', []),
        ('<img src="data:image/png;base64,AA"><img src="#a"><img src="">', []),
        ('<a href="other.html">x</a><a href="mailto:a@b">x</a>', []),
        ('<form action="send"><a href="contact">x</a></form>', []),
        ('<img src=".live-artifacts/a/x.png"><img src="..%2f.od/x.png">', []),
        ('<img src="a\\..\\..\\.tmp/x.png"><img src="con.png">', []),
        ('<img src="index.html.artifact.json"><link href="me.html">', []),
        ("<script>fetch('later.json')</script>", []),
        ("<!-- <img src=a.png> --><p>src=a.png url(a.png)</p>", []),
    ],
)
def test_what_a_page_asks_for_may_still_be_to_come(page: str, asked: list[str]) -> None:
    assert list(asked_files("x/me.html", page)) == asked


def test_folders_with_strange_names_are_folders() -> None:
    page = '<img src="a.png">'
    assert asked_files("100%2e #1?/p.html", page) == ()
    assert asked_files("100% #1/p.html", page) == ("100% #1/a.png",)


def test_names_are_compared_as_disks_do_and_spelled_as_they_are_there() -> None:
    texts = {"index.html": '<img src="IMG/Logo.PNG"><img src="re\u0301.png">'}
    assert parts("index.html", texts, ["img/logo.png", "r\u00e9.png"]) == {
        "img/logo.png",
        "r\u00e9.png",
    }


def test_files_that_name_each_other_end() -> None:
    texts = {
        "index.html": '<link href="a.css">',
        "a.css": "@import 'b.css';",
        "b.css": "@import 'a.css'; @import url(index.html);",
    }
    assert parts("index.html", texts, []) == {"a.css", "b.css"}


def test_a_manifest_s_worth_of_parts_is_listed() -> None:
    page = "".join(f'<img src="{n}.png">' for n in range(500))
    names = [f"{n}.png" for n in range(500)]
    assert len(asked_files("i.html", page)) == MAX_SUPPORTING_FILES
    found = supporting_files("i.html", page, paths=names, read=lambda _: None)
    assert list(found) == names[:MAX_SUPPORTING_FILES]


# --- sets of files ------------------------------------------------------


def part(path: str, body: str = "") -> PartFile:
    return PartFile(path, "html" if path.endswith(".html") else "code-snippet", body)


def test_what_no_page_asks_for_belongs_to_the_only_page() -> None:
    files = [part("page.html", '<script src="app.js">'), part("app.js"), part("d.csv")]
    assert parts_of_set(files) == {"page.html": ("app.js", "d.csv")}


def test_of_several_pages_the_index_is_the_main_one() -> None:
    files = [
        part("about.html", '<link href="a.css">'),
        part("sub/index.html"),
        part("index.html", '<link href="i.css">'),
        part("a.css"),
        part("i.css"),
        part("data.json"),
    ]
    assert parts_of_set(files) == {
        "about.html": ("a.css",),
        "sub/index.html": (),
        "index.html": ("i.css", "data.json"),
    }


def test_where_no_page_is_the_main_one_nothing_is_guessed() -> None:
    files = [part("a.html"), part("b.html"), part("x.json")]
    assert parts_of_set(files) == {"a.html": (), "b.html": ()}
    assert parts_of_set([part("x.json")]) == {}


def test_documents_and_drawings_of_a_set_are_their_own() -> None:
    files = [
        part("index.html", '<img src="a.svg">'),
        PartFile("a.svg", "svg", "<svg/>"),
        PartFile("b.svg", "svg", "<svg/>"),
        PartFile("README.md", "markdown-document", "# x"),
    ]
    assert parts_of_set(files) == {"index.html": ("a.svg",)}


BOLT = (
    '<boltArtifact id="site" title="Site">'
    '<boltAction type="file" filePath="index.html"><link href="css/a.css">'
    '<script src="app.js"></script><img src="logo.svg"></boltAction>'
    '<boltAction type="file" filePath="css/a.css">h1{{}}</boltAction>'
    '<boltAction type="file" filePath="app.js">fetch("rows.json")</boltAction>'
    '<boltAction type="file" filePath="rows.json">[]</boltAction>'
    "</boltArtifact>"
)
TAGS = (
    '<artifact identifier="index.html" type="text/html"><link href="css/a.css">'
    '<script src="app.js"></script><img src="logo.svg"></artifact>\n'
    '<artifact identifier="css/a.css" type="text/css">h1{}</artifact>\n'
    '<artifact identifier="app.js" type="text/javascript">fetch("rows.json")</artifact>\n'
    '<artifact identifier="rows.json" type="application/json">[]</artifact>\n'
)


@pytest.mark.parametrize("reply", [BOLT, TAGS], ids=["bolt", "artifact"])
def test_the_files_of_one_reply_are_one_page_and_its_parts(reply: str) -> None:
    parser = StreamParser()
    folded = fold_parts([*parser.feed(reply), *parser.close()])
    files = [
        part(one.identifier, one.text)
        for one in folded
        if isinstance(one, ArtifactPart)
    ]
    assert len(files) == 4
    found = parts_of_set(files, ["logo.svg"])
    assert {path: set(names) for path, names in found.items()} == {
        "index.html": {"css/a.css", "app.js", "logo.svg", "rows.json"}
    }


words = st.sampled_from(
    ("../", "a/", "%2e%2e/", "\\", "/", ".od/", "x.png", "con", "?", "#", ":", "\0")
) | st.sampled_from(
    ("é", " ", "%", "%zz", "//", "x.css", "\ud800", "~", "'", '"', ")", "..")
)
addresses = st.lists(words, max_size=6).map("".join)


@given(st.lists(addresses, max_size=5), addresses)
def test_whatever_a_page_asks_for_is_a_path_that_a_manifest_may_hold(
    asked: list[str], folder: str
) -> None:
    page = "".join(
        f'<img src="{one}"><style>a{{b:url({one})}}</style>' for one in asked
    )
    found = asked_files(f"{folder}/p.html", page)
    assert all(check_name(path, "manifest_path").ok for path in found)
    verdict = validate_manifest(
        {
            "kind": "html",
            "renderer": "html",
            "exports": ["html"],
            "supportingFiles": list(found),
        },
        "p.html",
        now="2026-01-01T00:00:00.000Z",
    )
    assert verdict.ok
