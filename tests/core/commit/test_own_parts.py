"""Which parts go where their page goes: those that nothing else needs."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.commit import own_parts, supporting_files

PAGE = '<link rel=stylesheet href="s.css"><script src="a.js"></script><img src="p.png">'


def parts(
    texts: Mapping[str, str],
    *others: str,
    listed: Mapping[str, tuple[str, ...]] | None = None,
) -> tuple[list[str], dict[str, str]]:
    files = {path: (listed or {}).get(path, ()) for path in (*texts, *others)}
    found = own_parts("page.html", files, texts)
    return list(found.own), {one.path: one.user for one in found.shared}


def test_what_no_other_file_needs_is_the_pages_own() -> None:
    texts = {"page.html": PAGE, "s.css": "b{background:url(q.png)}", "a.js": ""}
    assert parts(texts, "p.png", "q.png", "unused.png") == (
        ["a.js", "p.png", "q.png", "s.css"],
        {},
    )


@pytest.mark.parametrize(
    ("user", "text"),
    [
        ("other.html", '<img src="p.png">'),
        ("other.html", '<p style="background:url(p.png)">'),
        ("page.draft.html", PAGE),
        ("notes.md", "![a picture](./p.png)"),
        ("notes.md", "a <img src='p.png'> in a line"),
        ("other.css", "b{background:url('p.png')}"),
        ("other.js", "new Image().src = 'p.png'"),
        ("icon.svg", '<svg><image href="p.png"/></svg>'),
        ("other.html", '<img src="P.PNG">'),
        ("other.html", '<img src="/%70.png?v=1#x">'),
    ],
)
def test_what_another_file_points_to_stays(user: str, text: str) -> None:
    own, shared = parts({"page.html": PAGE, user: text}, "p.png")
    assert own == []
    assert shared["p.png"] == user


def test_what_another_manifest_lists_stays() -> None:
    listed = {"other.html": ("p.png",)}
    texts = {"page.html": PAGE, "other.html": ""}
    assert parts(texts, "p.png", listed=listed) == ([], {"p.png": "other.html"})


def test_what_only_a_manifest_lists_goes_along() -> None:
    listed = {"page.html": ("data/rows.json",)}
    assert parts({"page.html": ""}, "data/rows.json", listed=listed)[0] == [
        "data/rows.json"
    ]


def test_what_a_part_that_stays_needs_stays_too() -> None:
    texts = {
        "page.html": PAGE,
        "other.html": '<link rel=stylesheet href="s.css">',
        "s.css": "@import 't.css'",
        "t.css": "b{background:url(q.png)}",
        "a.js": "",
    }
    own, shared = parts(texts, "q.png", "p.png")
    assert own == ["a.js", "p.png"]
    assert set(shared) == {"q.png", "s.css", "t.css"}


def test_what_a_script_of_another_page_loads_beside_that_page_stays() -> None:
    texts = {
        "page.html": "<script>fetch('data/rows.json')</script>",
        "other.html": "<script src='js/app.js'></script>",
        "js/app.js": "fetch('data/rows.json')",
    }
    assert parts(texts, "data/rows.json")[0] == []


@pytest.mark.parametrize("other", ["<iframe src='map.html'>", "<a href='notes.md'>x"])
def test_pages_and_documents_stay_with_what_they_need(other: str) -> None:
    texts = {
        "page.html": f"{PAGE}{other}",
        "map.html": '<img src="p.png">',
        "notes.md": "![x](p.png)",
    }
    own, shared = parts(texts, "p.png")
    assert own == []
    assert set(shared) == {"p.png"}


def test_parts_that_need_each_other_go_together() -> None:
    texts = {
        "page.html": PAGE,
        "s.css": "@import 't.css'",
        "t.css": "@import 's.css'",
        "a.js": "import './a.js'",
    }
    assert parts(texts)[0] == ["a.js", "s.css", "t.css"]


_NAMES = (
    "page.html",
    "other.html",
    "a/third.html",
    "s.css",
    "a/t.css",
    "p.png",
    "n.md",
)


@given(
    st.fixed_dictionaries(
        {
            name: st.lists(st.sampled_from(_NAMES), max_size=4)
            for name in _NAMES
            if not name.endswith(".png")
        }
    )
)
def test_nothing_that_stays_misses_a_file_that_goes(asks: dict[str, list[str]]) -> None:
    def text(name: str, asked: list[str]) -> str:
        if name.endswith(".css"):
            return "".join(f"@import '/{one}';" for one in asked)
        if name.endswith(".md"):
            return "\n\n".join(f"![x](/{one})" for one in asked)
        return "".join(f"<img src='/{one}'>" for one in asked)

    texts = {name: text(name, asked) for name, asked in asks.items()}
    own = set(own_parts("page.html", dict.fromkeys(_NAMES, ()), texts).own)
    for name, body in texts.items():
        if name != "page.html" and name not in own:
            needed = supporting_files(name, body, paths=_NAMES, read=texts.get)
            assert own.isdisjoint(needed)
