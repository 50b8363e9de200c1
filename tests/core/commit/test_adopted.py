"""Manifests of files that another program wrote or renamed (spec/open-design-1 §10)."""

from __future__ import annotations

import pytest

from vitrail.core.commit.adopted import (
    Adopted,
    adopted_manifest,
    is_of_tool,
    renamed_manifest,
)
from vitrail.core.commit.plan import Origin
from vitrail.protocol.manifest import ArtifactManifest

THEN = "2026-01-01T00:00:00.000Z"
LATER = "2026-01-02T00:00:00.000Z"
PAGE = b"<!doctype html><html><body><h1>Hi</h1></body></html>"
DEV_PAGE = b'<!doctype html><script type="module" src="/src/main.tsx"></script>'


def manifest(**changes: object) -> ArtifactManifest:
    made = adopted_manifest(Adopted("a.html", PAGE, THEN))
    assert made is not None
    return made.model_copy(update=changes)


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.html", "html"),
        ("pitch-deck.html", "deck"),
        ("logo.svg", "svg"),
        ("README.md", "markdown-document"),
    ],
)
def test_a_page_drawing_or_document_gets_a_manifest_with_its_own_time(
    path: str, kind: str
) -> None:
    made = adopted_manifest(Adopted(path, PAGE, THEN))
    assert made is not None
    assert (made.kind, made.entry, made.created_at, made.updated_at) == (
        kind,
        path,
        THEN,
        THEN,
    )
    assert made.metadata is not None
    assert made.metadata["inferred"] is True
    assert made.metadata["reconciled"] is True


@pytest.mark.parametrize("path", ["a.css", "a.js", "a.jsx", "data.json", "photo.png"])
def test_parts_of_something_get_none(path: str) -> None:
    assert adopted_manifest(Adopted(path, b"x", THEN)) is None


def test_the_run_it_was_written_in_is_its_origin() -> None:
    origin = Origin(run="r", message="m", model="small")
    made = adopted_manifest(Adopted("a.html", PAGE, THEN, origin=origin))
    assert made is not None
    assert made.metadata is not None
    assert made.metadata["origin"] == {"run": "r", "message": "m", "model": "small"}


def test_one_that_is_there_goes_along_and_is_no_new_one() -> None:
    previous = manifest(title="Mine", metadata={"identifier": "a", "inferred": False})
    made = adopted_manifest(Adopted("a.html", b"<p>", LATER, previous=previous))
    assert made is not None
    assert (made.title, made.created_at, made.updated_at) == ("Mine", THEN, LATER)
    assert made.metadata is not None
    assert made.metadata["identifier"] == "a"
    assert made.metadata["inferred"] is False
    assert "reconciled" not in made.metadata


def test_of_a_copied_pair_the_manifest_names_the_copy() -> None:
    made = adopted_manifest(Adopted("b.html", PAGE, LATER, previous=manifest()))
    assert made is not None
    assert made.entry == "b.html"


@pytest.mark.parametrize(
    "path", ["dist/index.html", "app/build/x.html", "node_modules/p/README.md"]
)
def test_what_tools_make_is_no_artifact(path: str) -> None:
    assert adopted_manifest(Adopted(path, PAGE, THEN)) is None


@pytest.mark.parametrize(
    ("files", "package"),
    [
        (("vite.config.ts", "index.html"), None),
        (("index.html",), b'{"devDependencies": {"vite": "8"}}'),
        (("index.html",), b'{"dependencies": {"vite": "8"}}'),
    ],
)
def test_the_page_of_a_development_server_is_no_artifact(
    files: tuple[str, ...], package: bytes | None
) -> None:
    page = Adopted("index.html", DEV_PAGE, THEN, files=files, package=package)
    assert is_of_tool(page)


@pytest.mark.parametrize(
    "page",
    [
        Adopted("index.html", DEV_PAGE, THEN),
        Adopted("index.html", DEV_PAGE, THEN, files=("other/vite.config.ts",)),
        Adopted("index.html", DEV_PAGE, THEN, package=b'{"dependencies": []}'),
        Adopted("index.html", DEV_PAGE, THEN, package=b"[" * 100_000),
        Adopted("index.html", PAGE, THEN, files=("vite.config.ts",)),
        Adopted("about.html", DEV_PAGE, THEN, files=("vite.config.ts",)),
        Adopted(
            "index.html",
            b'<!-- <script type="module" src="/src/a.ts"></script> --><p>hi',
            THEN,
            files=("vite.config.ts",),
        ),
    ],
)
def test_any_other_page_is_one(page: Adopted) -> None:
    assert not is_of_tool(page)


def test_a_renamed_file_is_renamed_wherever_a_manifest_names_it() -> None:
    before = manifest(
        entry="a.html",
        primary="a.html",
        supporting_files=("a.css", "b.css"),
        metadata={"draftOf": "a.html", "identifier": "a"},
    )
    moved = {"a.html": "b.html", "a.css": "css/a.css"}
    after = renamed_manifest(before, moved, now=LATER)
    assert after.entry == after.primary == "b.html"
    assert after.supporting_files == ("css/a.css", "b.css")
    assert after.metadata == {"draftOf": "b.html", "identifier": "a"}
    assert after.updated_at == LATER


def test_a_manifest_that_names_no_renamed_file_is_the_very_same() -> None:
    before = manifest()
    assert renamed_manifest(before, {"x": "y"}, now=LATER) is before
