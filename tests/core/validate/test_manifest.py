"""Manifests: spec/open-design-1 §9.1 to §9.4."""

from __future__ import annotations

from typing import Any

import pytest

from vitrail.core.validate import validate_manifest
from vitrail.core.validate.manifest import ManifestVerdict
from vitrail.protocol.manifest import ArtifactManifest

NOW = "2026-11-30T12:00:00.000Z"
THEN = "2026-01-01T00:00:00.000Z"


def manifest(**changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "version": 1,
        "kind": "html",
        "title": "Page",
        "entry": "index.html",
        "renderer": "html",
        "exports": ["html", "pdf", "zip"],
    }
    return {**base, **changes}


def judged(value: object, entry: str = "index.html", **more: bool) -> ManifestVerdict:
    return validate_manifest(value, entry, now=NOW, **more)


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"kind": "page"}, "manifest-kind"),
        ({"kind": None}, "manifest-kind"),
        ({"kind": "x" * 65}, "manifest-kind"),
        ({"renderer": "htm"}, "manifest-renderer"),
        ({"exports": []}, "manifest-exports"),
        ({"exports": "html"}, "manifest-exports"),
        ({"exports": ["exe"]}, "manifest-exports"),
        ({"exports": [1]}, "manifest-exports"),
        ({"status": "done"}, "manifest-status"),
        ({"status": None}, "manifest-status"),
        ({"primary": False}, "manifest-primary"),
        ({"primary": "../x"}, "manifest-primary"),
        ({"supportingFiles": ["../secret.txt"]}, "manifest-supporting-files"),
        ({"supportingFiles": ["a\\..\\b"]}, "manifest-supporting-files"),
        ({"supportingFiles": ["C:\\x"]}, "manifest-supporting-files"),
        ({"supportingFiles": ["\\\\srv\\share"]}, "manifest-supporting-files"),
        ({"supportingFiles": [" /etc/passwd"]}, "manifest-supporting-files"),
        ({"supportingFiles": ["./a"]}, "manifest-supporting-files"),
        ({"supportingFiles": ["a"] * 129}, "manifest-supporting-files"),
        ({"supportingFiles": {"a": 1}}, "manifest-supporting-files"),
        ({"supportingFiles": [1]}, "manifest-supporting-files"),
        ({"title": ""}, "manifest-title"),
        ({"title": None}, "manifest-title"),
        ({"title": "x" * 201}, "manifest-title"),
        ({"sourceSkillId": "x" * 129}, "manifest-source-skill"),
        ({"designSystemId": 7}, "manifest-design-system"),
        ({"metadata": []}, "manifest-metadata"),
        ({"metadata": {"x": "y" * 16_400}}, "manifest-metadata"),
        ({"metadata": {"x": float("nan")}}, "manifest-metadata"),
        ({"entry": "/x.html"}, "manifest-entry"),
        ({"entry": "x" * 256 + ".html"}, "manifest-entry"),
    ],
)
def test_what_breaks_a_rule_is_refused_by_its_name(
    changes: dict[str, Any], code: str
) -> None:
    verdict = judged(manifest(**changes))
    assert verdict.manifest is None
    assert [found.code for found in verdict.diagnostics] == [code]


def test_a_manifest_without_a_renderer_is_refused() -> None:
    value = manifest()
    del value["renderer"]
    verdict = judged(value)
    assert verdict.manifest is None
    assert [found.code for found in verdict.diagnostics] == ["manifest-renderer"]


@pytest.mark.parametrize("value", [[], "x", 1, True])
def test_what_is_no_object_is_refused(value: object) -> None:
    assert [found.code for found in judged(value).diagnostics] == ["manifest-invalid"]


def test_no_manifest_is_no_fault() -> None:
    assert judged(None) == ManifestVerdict(None)


def test_all_faults_are_told_in_the_order_of_the_rules() -> None:
    found = judged(manifest(title="", kind="x", metadata=1, exports=[])).diagnostics
    assert [item.code for item in found] == [
        "manifest-kind",
        "manifest-exports",
        "manifest-title",
        "manifest-metadata",
    ]


def test_a_manifest_is_rebuilt_from_known_keys_only() -> None:
    verdict = judged(
        manifest(
            version=7,
            extra="x",
            exports=["zip", "html", "zip"],
            primary=True,
            supportingFiles=["a.png", "re\u0301.css"],
            sourceSkillId="",
            designSystemId=None,
            metadata={"identifier": "page"},
            createdAt=THEN,
            updatedAt=THEN,
        )
    )
    assert verdict.ok
    assert verdict.manifest is not None
    assert verdict.manifest.model_dump(exclude_none=True) == {
        "version": 1,
        "kind": "html",
        "title": "Page",
        "entry": "index.html",
        "renderer": "html",
        "status": "complete",
        "exports": ("zip", "html"),
        "primary": True,
        "supportingFiles": ("a.png", "r\u00e9.css"),
        "createdAt": THEN,
        "updatedAt": NOW,
        "sourceSkillId": "",
        "metadata": {"identifier": "page"},
    }


def test_a_status_stays_and_the_time_of_change_where_it_is_to() -> None:
    kept = judged(
        manifest(status="streaming", updatedAt=THEN), preserve_updated_at=True
    ).manifest
    assert kept is not None
    assert (kept.status, kept.updated_at, kept.created_at) == ("streaming", THEN, NOW)


def test_what_is_no_time_is_replaced() -> None:
    made = judged(manifest(createdAt="yesterday", updatedAt=5)).manifest
    assert made is not None
    assert (made.created_at, made.updated_at) == (NOW, NOW)


def test_entry_and_title_come_from_the_file_where_they_are_missing() -> None:
    value = manifest(entry="  ")
    del value["title"]
    made = judged(value, "sub/a..b.html").manifest
    assert made is not None
    assert (made.entry, made.title) == ("sub/a..b.html", "sub/a..b.html")


@pytest.mark.parametrize("key", ["title", "sourceSkillId", "designSystemId"])
def test_a_text_that_no_file_can_hold_is_refused(key: str) -> None:
    assert not judged(manifest(**{key: "half \ud800"})).ok


@pytest.mark.parametrize("levels", [63, 64, 250, 500, 5000])
def test_what_is_accepted_can_be_written_and_read_again(levels: int) -> None:
    deep: object = "x"
    for _ in range(levels):
        deep = [deep]
    verdict = judged(manifest(metadata={"deep": deep}))
    assert verdict.ok is (levels < 64)
    if verdict.manifest is not None:
        text = verdict.manifest.model_dump_json()
        assert ArtifactManifest.model_validate_json(text) == verdict.manifest


def test_metadata_has_texts_for_keys() -> None:
    verdict = judged(manifest(metadata={1: 2}))
    assert verdict.manifest is not None
    assert verdict.manifest.metadata == {"1": 2}
