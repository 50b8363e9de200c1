"""Manifests that nobody wrote: spec/open-design-1 §9.4 and §9.5."""

from __future__ import annotations

from hashlib import sha256

import pytest

from vitrail.core.commit import (
    Refusal,
    infer_manifest,
    manifest_for_create,
    manifest_for_person,
)
from vitrail.core.validate import validate_manifest
from vitrail.protocol.manifest import MANIFEST_SUFFIX, ArtifactManifest

NOW = "2026-11-30T12:00:00.000Z"
THEN = "2026-01-01T00:00:00.000Z"
PAGE = b'<!doctype html><link href="a.css"><p>x</p>'


def made(path: str, body: str = "") -> ArtifactManifest:
    found = infer_manifest(path, body, now=NOW)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("path", "kind", "renderer", "exports"),
    [
        ("index.html", "html", "html", ("html", "pdf", "zip")),
        ("index.htm", "html", "html", ("html", "pdf", "zip")),
        ("a/Pitch.HTML", "deck", "deck-html", ("html", "pdf", "zip")),
        ("deck.htm", "deck", "deck-html", ("html", "pdf", "zip")),
        ("q3-slides-2.html", "deck", "deck-html", ("html", "pdf", "zip")),
        ("pitchfork/index.html", "html", "html", ("html", "pdf", "zip")),
        ("slides/index.html", "html", "html", ("html", "pdf", "zip")),
        ("bedeck.html", "html", "html", ("html", "pdf", "zip")),
        ("README.md", "markdown-document", "markdown", ("md", "html", "pdf", "zip")),
        ("logo.svg", "svg", "svg", ("svg", "zip")),
        ("App.jsx", "react-component", "react-component", ("jsx", "html", "zip")),
        ("App.tsx", "react-component", "react-component", ("jsx", "html", "zip")),
        ("app.js", "code-snippet", "code", ("txt", "zip")),
        ("app.ts", "code-snippet", "code", ("txt", "zip")),
        ("data.json", "code-snippet", "code", ("txt", "zip")),
        ("a.css", "code-snippet", "code", ("txt", "zip")),
    ],
)
def test_one_table_tells_what_an_old_file_is(
    path: str, kind: str, renderer: str, exports: tuple[str, ...]
) -> None:
    found = made(path)
    assert (found.kind, found.renderer, found.exports) == (kind, renderer, exports)
    assert found.metadata == {"inferred": True}
    assert found.primary is (True if kind in ("html", "deck") else None)


@pytest.mark.parametrize(
    "path", ["photo.png", "archive.bin", "README", ".md", "a.html/x"]
)
def test_where_nobody_can_tell_there_is_none(path: str) -> None:
    assert infer_manifest(path, "<!doctype html>", now=NOW) is None


def test_an_inferred_manifest_is_whole() -> None:
    found = made("a/index.html", PAGE.decode())
    assert found.model_dump(exclude_none=True, by_alias=True) == {
        "version": 1,
        "kind": "html",
        "title": "index.html",
        "entry": "a/index.html",
        "renderer": "html",
        "status": "complete",
        "exports": ("html", "pdf", "zip"),
        "primary": True,
        "supportingFiles": ("a/a.css",),
        "createdAt": NOW,
        "updatedAt": NOW,
        "metadata": {"inferred": True},
    }
    value = found.model_dump(mode="json", by_alias=True, exclude_none=True)
    verdict = validate_manifest(value, "x.html", now=NOW)
    assert verdict.diagnostics == ()
    assert verdict.manifest == found


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ("README", "README.artifact.json"),
        ("page.v2.final.html", "page.v2.final.html.artifact.json"),
    ],
)
def test_a_manifest_is_named_after_its_entry(entry: str, name: str) -> None:
    assert entry + MANIFEST_SUFFIX == name


# --- making artifacts ---------------------------------------------------


def test_a_deck_without_a_manifest_is_made_by_its_name() -> None:
    found = manifest_for_create(None, "deck.html", PAGE, now=NOW)
    assert isinstance(found, ArtifactManifest)
    assert (found.kind, found.renderer, found.entry) == (
        "deck",
        "deck-html",
        "deck.html",
    )
    assert found.metadata == {"inferred": True, "digest": sha256(PAGE).hexdigest()}


@pytest.mark.parametrize("path", ["component.jsx", "app.js", "photo.png", "README"])
def test_where_the_name_tells_too_little_a_manifest_is_required(path: str) -> None:
    found = manifest_for_create(None, path, b"x", now=NOW)
    assert isinstance(found, Refusal)
    assert [one.code for one in found.diagnostics] == ["artifact-manifest-required"]
    assert path in found.diagnostics[0].message


def test_a_given_manifest_is_of_the_file_that_is_written() -> None:
    given = validate_manifest(
        {
            "kind": "deck",
            "renderer": "deck-html",
            "title": "Dry run",
            "exports": ["html"],
            "entry": "elsewhere.html",
            "supportingFiles": ["a.png", "b.png"],
        },
        "dry-run/deck.html",
        now=NOW,
    ).manifest
    assert given is not None
    found = manifest_for_create(given, "dry-run/deck.html", PAGE, now=NOW)
    assert isinstance(found, ArtifactManifest)
    assert (found.kind, found.title, found.entry) == (
        "deck",
        "Dry run",
        "dry-run/deck.html",
    )
    assert found.supporting_files == ("a.png", "b.png")


# --- what a person writes -----------------------------------------------


def test_a_person_s_page_keeps_its_manifest_and_tells_what_it_was() -> None:
    before = made("index.html", '<img src="old.png">').model_copy(
        update={
            "updated_at": THEN,
            "status": "error",
            "metadata": {
                "identifier": "page",
                "digest": "0" * 64,
                "checks": [{"name": "links"}],
            },
        }
    )
    found = manifest_for_person(
        "index.html", PAGE, previous=before, is_new=False, now=NOW
    )
    assert found is not None
    assert found.metadata == {
        "identifier": "page",
        "digest": sha256(PAGE).hexdigest(),
        "parentDigest": "0" * 64,
    }
    assert found.supporting_files == ("a.css", "old.png")
    assert (found.status, found.updated_at) == ("complete", NOW)


def test_a_person_s_other_files_are_parts_and_get_none() -> None:
    for path in ("app.js", "App.jsx", "photo.png"):
        made_ = manifest_for_person(path, b"x", previous=None, is_new=True, now=NOW)
        assert made_ is None
    page = manifest_for_person("a.html", PAGE, previous=None, is_new=True, now=NOW)
    assert page is not None
    old = manifest_for_person("a.html", PAGE, previous=None, is_new=False, now=NOW)
    assert old is None
