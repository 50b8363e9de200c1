"""The table of kinds: type, identifier's extension, body's shape."""

from __future__ import annotations

import pytest

from vitrail.core.commit import choose_row, row_of_path
from vitrail.core.commit.kinds import EXTENSIONS, TYPES
from vitrail.protocol.manifest import EXPORTS, KINDS, RENDERERS

PAGE = "<!doctype html><html><body><p>x</p></body></html>"
DECK = "<!doctype html><html><body>{}</body></html>".format(
    '<section class="slide">x</section>' * 2
)


@pytest.mark.parametrize(
    ("artifact_type", "identifier", "body", "kind", "extension"),
    [
        ("text/html", "page", PAGE, "html", ".html"),
        ("TEXT/HTML; charset=utf-8", "page", PAGE, "html", ".html"),
        ("html", "page.htm", PAGE, "html", ".htm"),
        ("text/html", "page", DECK, "deck", ".html"),
        ("text/html", "pitch-deck", PAGE, "deck", ".html"),
        ("text/html", "PitchDeck", PAGE, "deck", ".html"),
        ("text/html", "q3-slides.html", PAGE, "deck", ".html"),
        ("text/html", "pitchfork", PAGE, "html", ".html"),
        ("text/html", "bedeck", PAGE, "html", ".html"),
        ("text/html", "deck/index", PAGE, "html", ".html"),
        ("image/svg+xml", "mark", "<svg/>", "svg", ".svg"),
        ("text/markdown", "report", "# x", "markdown-document", ".md"),
        ("application/vnd.mermaid", "flow", "graph LR", "diagram", ".mmd"),
        ("application/vnd.ant.mermaid", "flow", "graph LR", "diagram", ".mmd"),
        ("application/vnd.react", "app", "x", "react-component", ".jsx"),
        ("application/vnd.ant.react", "app.tsx", "x", "react-component", ".tsx"),
        ("text/javascript", "App.jsx", "x", "react-component", ".jsx"),
        ("text/x-python", "main", "x", "code-snippet", ".py"),
        ("text/css", "theme", "x", "code-snippet", ".css"),
        ("application/json", "data", "{}", "code-snippet", ".json"),
        ("text/javascript", "app", "x", "code-snippet", ".js"),
        ("text/plain", "notes", "x", "code-snippet", ".txt"),
        ("text/plain", "main.rs", "x", "code-snippet", ".rs"),
        ("application/vnd.ant.code", "x", "x", "code-snippet", ".txt"),
        ("", "theme.css", "x", "code-snippet", ".css"),
        ("", "page", PAGE, "html", ".html"),
        ("", "mark", "<svg viewBox='0 0 1 1'/>", "svg", ".svg"),
        ("x/unknown", "theme.css", "x", "code-snippet", ".css"),
        # a page's type by habit, where name and body say otherwise
        ("text/html", "app.tsx", "export default 1", "react-component", ".tsx"),
        ("text/html", "app.tsx", PAGE, "html", ".html"),
        ("text/markdown", "index.html", "# x", "markdown-document", ".md"),
    ],
)
def test_a_row_is_chosen_by_type_then_name_then_body(
    artifact_type: str, identifier: str, body: str, kind: str, extension: str
) -> None:
    row = choose_row(artifact_type, identifier, body)
    assert row is not None
    assert (row.kind, row.extension) == (kind, extension)


@pytest.mark.parametrize(
    ("artifact_type", "identifier", "body"),
    [
        ("application/x-thing", "page", PAGE),
        ("image/png", "photo", "x"),
        ("", "page", "# not a document"),
        ("", "archive.zip", "x"),
        ("", "", ""),
    ],
)
def test_there_is_no_row_rather_than_a_guess(
    artifact_type: str, identifier: str, body: str
) -> None:
    assert choose_row(artifact_type, identifier, body) is None


def test_an_attribute_names_the_language_that_the_type_leaves_open() -> None:
    row = choose_row("application/vnd.code", "x", "x", language="Python")
    assert row is not None
    assert row.extension == ".py"


def test_a_title_stands_for_a_missing_identifier() -> None:
    row = choose_row("text/html", " ", PAGE, title="Pitch for the board")
    assert row is not None
    assert row.kind == "deck"


def test_files_without_a_manifest_are_told_by_their_name() -> None:
    cases = {
        "README.md": ("markdown-document", "markdown", ("md", "html", "pdf", "zip")),
        "logo.svg": ("svg", "svg", ("svg", "zip")),
        "sub/deck.html": ("deck", "deck-html", ("html", "pdf", "zip")),
        "deck.htm": ("deck", "deck-html", ("html", "pdf", "zip")),
        "pitchfork/index.html": ("html", "html", ("html", "pdf", "zip")),
        "app.tsx": ("react-component", "react-component", ("jsx", "html", "zip")),
    }
    for path, expected in cases.items():
        row = row_of_path(path)
        assert row is not None
        assert (row.kind, row.renderer, row.exports) == expected
    assert row_of_path("photo.png") is None
    assert row_of_path("Makefile") is None
    assert row_of_path(".html") is None


def test_every_row_stays_within_the_closed_sets() -> None:
    for row in (*EXTENSIONS.values(), *TYPES.values()):
        assert row.kind in KINDS
        assert row.renderer in RENDERERS
        assert row.exports
        assert set(row.exports) <= EXPORTS
        assert row.extension in EXTENSIONS
