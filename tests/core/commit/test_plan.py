"""Commit plans and the manifests they write."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vitrail.core.commit import (
    Candidate,
    CommitPlan,
    Listing,
    Origin,
    Refusal,
    Row,
    manifest_for_person,
    manifest_of,
    plan_commit,
    plan_row,
)
from vitrail.core.validate import validate_manifest
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import FileInfo

NOW = "2026-11-30T12:00:00.000Z"
THEN = "2026-01-01T00:00:00.000Z"
PAGE = "<!doctype html><html><body><p>x</p></body></html>"
DECK = "<!doctype html><html><body>{}</body></html>".format(
    '<section class="slide">x</section>' * 2
)

CANDIDATES = {
    "page": Candidate("landing", "text/html", "Landing page", PAGE, is_complete=True),
    "deck": Candidate("q3", "text/html", "", DECK, is_complete=True),
    "mark": Candidate("mark", "image/svg+xml", "Mark", "<svg/>", is_complete=True),
    "report": Candidate("", "text/markdown", "Our report", "# x", is_complete=True),
    "component": Candidate(
        "App", "application/vnd.react", "App", "x", is_complete=True
    ),
    "flow": Candidate(
        "flow", "application/vnd.mermaid", "Flow", "graph LR", is_complete=True
    ),
    "style": Candidate("css/site.css", "text/css", "Style", "a{}", is_complete=True),
    "cut": Candidate("landing", "text/html", "Landing", PAGE[:20], is_complete=False),
    "recovered": Candidate(
        "response",
        "text/html",
        "Response",
        PAGE,
        is_complete=True,
        recovered="bare-document",
    ),
}


def planned(candidate: Candidate, *files: FileInfo, **more: object) -> CommitPlan:
    row = plan_row(candidate)
    assert isinstance(row, Row)
    plan = plan_commit(candidate, row, Listing(files), **more)  # type: ignore[arg-type]  # shown
    assert isinstance(plan, CommitPlan)
    return plan


def manifest(candidate: Candidate, plan: CommitPlan) -> ArtifactManifest:
    return manifest_of(
        plan,
        candidate,
        content=candidate.body.encode(),
        origin=Origin(run="r1", message="m1", model="example"),
        now=NOW,
    )


def on_disk(plan: CommitPlan, made: ArtifactManifest, digest: str) -> FileInfo:
    return FileInfo(
        path=plan.path,
        size=1,
        digest=digest,
        revision="v1",
        media_type="text/html",
        modified_at=THEN,
        manifest=made,
    )


def test_an_update_keeps_when_a_file_was_made_and_what_others_noted() -> None:
    page = CANDIDATES["page"]
    first = planned(page)
    old = manifest(page, first).model_copy(
        update={
            "created_at": THEN,
            "supporting_files": ("a.png",),
            "metadata": {"identifier": "landing", "placeholders": ["X"], "digest": "0"},
        }
    )
    plan = planned(page, on_disk(first, old, "d" * 64))
    assert (plan.path, plan.replaces, plan.draft_of) == ("landing.html", "d" * 64, None)
    made = manifest(page, plan)
    assert (made.created_at, made.updated_at) == (THEN, NOW)
    assert made.supporting_files == ("a.png",)
    assert made.metadata is not None
    assert made.metadata["placeholders"] == ["X"]
    assert made.metadata["digest"] != "0"


def test_notes_that_no_longer_fit_are_left_out_and_ours_stay() -> None:
    page = CANDIDATES["page"]
    first = planned(page)
    old = manifest(page, first).model_copy(
        update={"metadata": {"identifier": "landing", "note": "x" * 16_300}}
    )
    made = manifest(page, planned(page, on_disk(first, old, "d" * 64)))
    assert made.metadata is not None
    assert "note" not in made.metadata
    assert made.metadata["identifier"] == "landing"


def test_a_cut_body_goes_beside_a_file_and_never_on_top() -> None:
    page, cut = CANDIDATES["page"], CANDIDATES["cut"]
    first = planned(page)
    there = on_disk(first, manifest(page, first), "d" * 64)
    plan = planned(cut, there)
    assert (plan.path, plan.status) == ("landing.draft.html", "error")
    assert (plan.draft_of, plan.draft_reason) == ("landing.html", "incomplete")
    made = manifest(cut, plan)
    assert made.primary is None
    assert made.metadata is not None
    assert made.metadata["draftOf"] == "landing.html"
    again = planned(cut, there, on_disk(plan, made, "e" * 64))
    assert (again.path, again.replaces) == ("landing.draft.html", "e" * 64)


def test_what_changed_since_it_was_shown_is_not_replaced() -> None:
    page = CANDIDATES["page"]
    first = planned(page)
    there = on_disk(first, manifest(page, first), "d" * 64)
    for shown, path in (
        (None, "landing.html"),
        ({"landing.html": "d" * 64}, "landing.html"),
        ({"landing.html": "c" * 64}, "landing.draft.html"),
        ({}, "landing.draft.html"),
    ):
        assert planned(page, there, shown=shown).path == path
    changed = planned(page, there, shown={})
    assert (changed.status, changed.draft_reason) == ("complete", "changed-since-shown")


def test_an_unknown_type_is_refused_with_words_for_the_model() -> None:
    refused = plan_row(replace(CANDIDATES["page"], artifact_type="application/x-thing"))
    assert isinstance(refused, Refusal)
    (found,) = refused.diagnostics
    assert found.code == "artifact-manifest-required"
    assert "text/html" in found.message


def test_a_person_s_file_is_an_artifact_only_where_its_name_says_so() -> None:
    def made(path: str, **more: object) -> ArtifactManifest | None:
        options = {"previous": None, "is_new": True, "now": NOW, **more}
        return manifest_for_person(path, b"x", **options)  # type: ignore[arg-type]  # options

    page = made("sub/index.html")
    assert page is not None
    assert (page.kind, page.title, page.primary) == ("html", "index.html", True)
    assert made("site.css") is None
    assert made("index.html", is_new=False) is None
    kept = made("index.html", previous=page.model_copy(update={"status": "error"}))
    assert kept is not None
    assert (kept.status, kept.title) == ("complete", "index.html")


def test_a_manifest_lists_what_its_page_asks_for_and_what_it_replaced() -> None:
    page = PAGE.replace("<p>", '<link href="css/a.css"><img src="/logo.png"><p>')
    candidate = replace(CANDIDATES["page"], body=page)
    plan = replace(planned(candidate), replaces="0" * 64)
    made = manifest_of(plan, candidate, content=page.encode(), origin=Origin(), now=NOW)
    assert made.supporting_files == ("css/a.css", "logo.png")
    assert made.metadata is not None
    assert made.metadata["parentDigest"] == "0" * 64


def test_what_a_manifest_listed_before_stays_and_checks_of_other_bytes_go() -> None:
    first = manifest_of(
        planned(CANDIDATES["page"]),
        CANDIDATES["page"],
        content=PAGE.encode(),
        origin=Origin(),
        now=THEN,
    )
    before = first.model_copy(
        update={
            "supporting_files": ("data.json",),
            "metadata": {**(first.metadata or {}), "checks": [1], "theirs": 1},
        }
    )
    plan = replace(planned(CANDIDATES["page"]), previous=before)
    made = manifest_of(plan, CANDIDATES["page"], content=b"x", origin=Origin(), now=NOW)
    assert made.supporting_files == ("data.json",)
    assert made.metadata is not None
    assert "checks" not in made.metadata
    assert made.metadata["theirs"] == 1


@pytest.mark.parametrize("name", CANDIDATES)
def test_a_manifest_passes_the_rules_without_a_word(name: str) -> None:
    candidate = CANDIDATES[name]
    plan = planned(candidate)
    origin = Origin("run-1", "message-1", "some/model:1")
    made = manifest_of(plan, candidate, content=b"x", origin=origin, now=NOW)
    value = made.model_dump(mode="json", by_alias=True, exclude_none=True)
    verdict = validate_manifest(value, plan.path, now=NOW, preserve_updated_at=True)
    assert verdict.diagnostics == ()
    assert verdict.manifest == made
