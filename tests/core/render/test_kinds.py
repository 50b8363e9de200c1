"""Which kinds are drawn."""

from __future__ import annotations

import pytest

from vitrail.core.render.kinds import kind_of, mode_of
from vitrail.protocol.manifest import KINDS, ArtifactManifest


def manifest(kind: str) -> ArtifactManifest:
    return ArtifactManifest.model_validate(
        {
            "kind": kind,
            "title": "T",
            "entry": "a.html",
            "renderer": "html",
            "exports": [],
            "createdAt": "2026-11-30T00:00:00.000Z",
            "updatedAt": "2026-11-30T00:00:00.000Z",
        }
    )


def test_pages_decks_and_drawings_are_drawn() -> None:
    drawn = {kind for kind in KINDS if mode_of(kind) == "document"}
    assert drawn == {"html", "deck", "svg"}


def test_what_is_no_artifact_shows_its_source() -> None:
    assert mode_of(None) == "source"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.html", "html"),
        ("a/B.HTM", "html"),
        ("a.svg", "svg"),
        ("a.md", None),
        ("html", None),
        ("svg/readme", None),
    ],
)
def test_a_file_without_a_manifest_is_what_its_name_says(
    path: str, kind: str | None
) -> None:
    assert kind_of(path, None) == kind


def test_a_manifest_has_the_word() -> None:
    assert kind_of("a.html", manifest("code-snippet")) == "code-snippet"
