"""The stub guard: spec/open-design-1 §12, every row."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.validate import (
    GateCandidate,
    GatePolicy,
    GateVerdict,
    PriorFile,
    check_gates,
    policy_of,
    prior_files,
)
from vitrail.core.validate.stub_guard import bridge_slug, classify, same_artifact
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import FileInfo

REJECT = GatePolicy("reject")
WARN = GatePolicy("warn")
THEN = "2026-01-01T00:00:00.000Z"


def file(path: str, identifier: str | None = None, **metadata: Any) -> FileInfo:
    manifest = None
    if identifier is not None or metadata:
        manifest = ArtifactManifest(
            kind="html",
            title="x",
            entry=path,
            renderer="html",
            exports=("html",),
            created_at=THEN,
            updated_at=THEN,
            metadata={"identifier": identifier, **metadata},
        )
    return FileInfo(
        path=path,
        size=5000,
        digest="0" * 64,
        revision=None,
        media_type="text/html",
        modified_at=THEN,
        manifest=manifest,
    )


def names(identifier: str, *files: FileInfo, path: str = "new.html") -> list[str]:
    return [prior.path for prior in prior_files(files, path, identifier)]


def written(
    size: int,
    *priors: tuple[str, int],
    policy: GatePolicy = REJECT,
    identifier: str = "dashboard",
    **more: Any,
) -> GateVerdict:
    siblings = tuple(PriorFile(*prior) for prior in priors)
    candidate = GateCandidate(
        more.pop("path", "dashboard.html"),
        more.pop("kind", "html"),
        b"x" * size,
        identifier=identifier,
        siblings=siblings,
        **more,
    )
    return check_gates(candidate, policy)


def test_row_01_nothing_to_compare_with_passes() -> None:
    assert written(1).outcome == "accepted"
    assert written(1, ("a.html", 90_000), policy=GatePolicy("off")).ok
    assert written(1, ("a.html", 1024)).ok
    # without an identifier no sibling is looked for
    siblings = prior_files([file("a.html", "x")], "new.html", "")
    assert siblings == ()


def test_row_02_half_of_it_passes() -> None:
    verdict = written(40_000, ("a.html", 80_000))
    assert verdict.outcome == "accepted"
    assert verdict.diagnostics == ()


def test_row_03_the_largest_prior_is_named() -> None:
    verdict = written(120, ("dashboard.html", 80_000), ("dashboard-2.html", 95_000))
    assert verdict.outcome == "refused"
    assert verdict.code == "artifact-regression"
    assert verdict.details == {
        "identifier": "dashboard",
        "newSize": 120,
        "priorSize": 95_000,
        "priorName": "dashboard-2.html",
    }


def test_row_04_warn_saves_and_says_so() -> None:
    verdict = written(300, ("a.html", 50_000), policy=WARN)
    assert verdict.outcome == "accepted"
    assert verdict.regression is not None
    assert [(one.code, one.severity) for one in verdict.diagnostics] == [
        ("artifact-regression", "warning")
    ]


@pytest.mark.parametrize(
    ("prior", "size", "is_ok"),
    [(4096, 819, False), (4096, 820, True), (4095, 0, True)],
)
def test_row_05_the_boundaries(prior: int, size: int, is_ok: bool) -> None:  # noqa: FBT001 - a column of the table
    assert written(size, ("a.html", prior)).ok is is_ok


def test_row_06_numbered_siblings_are_found() -> None:
    files = map(file, ("report.html", "report-2.html", "report-3.html", "x.html"))
    assert names("report", *files) == ["report.html", "report-2.html", "report-3.html"]


def test_row_07_a_longer_name_is_another_artifact() -> None:
    files = map(file, ("landing.html", "landing-page.html"))
    assert names("landing", *files) == ["landing.html"]


def test_row_08_the_short_extension_counts() -> None:
    files = map(file, ("landing.htm", "landing-2.html", "landing.txt", "landing.HTML"))
    assert names("landing", *files) == ["landing.htm", "landing-2.html"]


@pytest.mark.parametrize("identifier", [None, "Landing Page", "landing-page"])
def test_row_09_a_slug_bridges_to_its_identifier(identifier: str | None) -> None:
    assert names("Landing Page", file("landing-page.html", identifier)) == [
        "landing-page.html"
    ]
    if identifier is not None:
        assert names("landing-page", file("landing-page.html", identifier)) == [
            "landing-page.html"
        ]


def test_row_10_names_without_ascii_letters() -> None:
    both = (file("artifact.html", "测试"), file("artifact-2.html", "测试"))
    assert names("测试", *both) == ["artifact.html", "artifact-2.html"]
    assert names("首页", *both) == []
    # such a file is named in its own letters here
    assert names("测试", file("测试.html"), file("测试-2.html")) == [
        "测试.html",
        "测试-2.html",
    ]


def test_row_11_a_number_may_be_part_of_the_name() -> None:
    assert names("phase-2", file("phase-2.html")) == ["phase-2.html"]
    assert names("phase", file("phase-2.html")) == ["phase-2.html"]


def test_row_12_cut_slugs_are_no_bridge() -> None:
    assert not same_artifact("Landing Page", "LANDING-PAGE")
    long = "a-very-long-name-of-an-artifact-that-goes-on-and-on-and-on-until-"
    assert bridge_slug(long + "one") == bridge_slug(long + "two")
    assert not same_artifact(long + "one", long + "two")
    assert same_artifact("a" * 70, "a" * 60)


def test_row_13_settings() -> None:
    assert policy_of("WARN", None, None)[0].mode == "warn"
    assert policy_of("maybe", None, None)[0].mode == "quarantine"
    assert policy_of(None, "1", None)[0].min_ratio == 1
    assert policy_of(None, "5", None)[0].min_ratio == 0.2
    assert policy_of(None, None, "-12")[0].min_prior_bytes == 4096


@pytest.mark.parametrize("kind", ["html", "deck"])
@pytest.mark.parametrize(
    ("path", "files"),
    [
        ("dashboard-2.html", [file("dashboard.html", "dashboard")]),
        ("dashboard.html", [file("dashboard.html", "dashboard")]),
        ("a/dashboard.html", [file("a/dashboard.html", "dashboard")]),
        ("dashboard.html", [file("dashboard.html")]),
    ],
    ids=["stub", "overwrite", "nested", "legacy"],
)
def test_row_14_a_stub_is_refused_wherever_it_goes(
    path: str, files: list[FileInfo], kind: Any
) -> None:
    candidate = GateCandidate(
        path,
        kind,
        b"See dashboard.html",
        identifier="dashboard",
        siblings=prior_files(files, path, "dashboard"),
    )
    assert check_gates(candidate, REJECT).outcome == "refused"


def test_row_15_warn_off_first_and_similar() -> None:
    prior = ("dashboard.html", 50_000)
    assert written(10, prior, policy=WARN).ok
    assert written(10, prior, policy=GatePolicy("off")).diagnostics == ()
    assert written(10).ok
    assert written(49_000, prior).ok


# --- beyond the rows ----------------------------------------------------


def test_by_default_the_good_file_stays_and_the_stub_is_kept_beside_it() -> None:
    verdict = written(120, ("dashboard.html", 80_000), policy=GatePolicy())
    assert verdict.outcome == "quarantined"
    assert not verdict.ok
    assert verdict.code == "artifact-regression"
    assert verdict.diagnostics[0].severity == "warning"


def test_a_stated_reason_lets_it_pass_and_is_told() -> None:
    prior = ("dashboard.html", 80_000)
    for policy in (REJECT, GatePolicy(), WARN):
        verdict = written(120, prior, policy=policy, replace_reason="start over")
        assert verdict.ok
        assert [one.severity for one in verdict.diagnostics] == ["info"]
    for blank in ("", "  ", "\ufeff\n"):
        assert not written(120, prior, replace_reason=blank).ok


def test_what_it_replaces_counts_without_an_identifier() -> None:
    verdict = written(9, identifier="", previous=b"x" * 5000)
    assert verdict.regression is not None
    assert verdict.regression.prior_name == "dashboard.html"
    assert names("", file("a.html"), path="a.html") == ["a.html"]


def test_other_kinds_and_cut_bodies_are_not_asked() -> None:
    prior = ("dashboard.html", 80_000)
    assert written(1, prior, kind="markdown-document").ok
    assert written(1, prior, is_complete=False).ok


def test_drafts_are_nothing_to_compare_with() -> None:
    drafted = file("landing-2.html", "landing", draftOf="landing.html")
    assert names("landing", drafted) == []


def test_other_folders_are_other_places() -> None:
    files = (file("a/landing.html"), file("landing.html"), file("a/b/landing.html"))
    assert names("landing", *files, path="a/landing-2.html") == ["a/landing.html"]


def test_the_same_identifier_counts_whatever_the_file_is_called() -> None:
    assert names("Über uns", file("über-uns.html", "Über uns")) == ["über-uns.html"]


def test_moving_embedded_files_out_is_no_regression() -> None:
    image = b"data:image/png;base64," + b"iVBOR" * 20_000
    text = b"<p>words</p>" * 100
    before = text + b'<img src="' + image + b'">'
    after = text + b'<img src="a.png">'
    moved = GateCandidate("a.html", "html", after, previous=before)
    assert check_gates(moved, REJECT).ok
    stub = GateCandidate("a.html", "html", b"see a.html", previous=before)
    assert not check_gates(stub, REJECT).ok


@pytest.mark.parametrize(
    "said",
    [
        ("rejct", None, None),
        (None, "nan", None),
        (None, "0", None),
        (None, "inf", None),
        (None, "1e999", None),
        (None, None, "0"),
        (None, None, "4k"),
        (None, None, "٤"),
        (None, None, "9" * 5000),
    ],
)
def test_a_setting_that_cannot_be_read_is_told_and_turns_nothing_off(said: Any) -> None:
    policy, wrong = policy_of(*said)
    assert policy == GatePolicy()
    assert [one.code for one in wrong] == ["setting-unread"]


def test_settings_that_are_not_set_are_no_fault() -> None:
    assert policy_of(None, None, None) == (GatePolicy(), ())
    assert policy_of("", "", "") == (GatePolicy(), ())
    assert policy_of(" Reject ", "0.5", "10") == (GatePolicy("reject", 0.5, 10), ())


identifiers = st.text(max_size=80)


@given(identifiers, identifiers)
def test_being_one_artifact_goes_both_ways(one: str, other: str) -> None:
    assert same_artifact(one, other) == same_artifact(other, one)
    assert same_artifact(one, one)


@given(identifiers)
def test_a_slug_is_its_own_slug_and_bridges(identifier: str) -> None:
    slug = bridge_slug(identifier)
    assert bridge_slug(slug) == slug.strip("-")
    if slug and slug == slug.strip("-"):
        assert same_artifact(identifier, slug)


@given(st.lists(st.integers(0, 10**7)), st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_larger_page_is_never_the_worse_one(
    sizes: list[int], size: int, more: int
) -> None:
    priors = [PriorFile(f"{n}.html", size) for n, size in enumerate(sizes)]
    if classify(priors, size, "x", REJECT) is None:
        assert classify(priors, size + more, "x", REJECT) is None


IDENTIFIERS = ("Deck A", "deck-a", "Deck-A", "deck-a-2", "x" * 80, "x" * 60, "图", "")


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "a/"]),
            st.sampled_from(
                ["deck-a", "Deck A", "deck-a-2", "artifact", "artifact-3", "x" * 60]
            ),
            st.sampled_from([".html", ".htm", ".css"]),
            st.sampled_from([None, *IDENTIFIERS]),
            st.booleans(),
        ),
        max_size=8,
    ),
    st.sampled_from(IDENTIFIERS),
    st.sampled_from(["new.html", "a/new.html", "deck-a.html"]),
)
def test_pages_by_name_are_those_that_looking_at_each_of_them_finds(
    listed: list[tuple[str, str, str, str | None, bool]], identifier: str, path: str
) -> None:
    files = [
        file(folder + name + extension, theirs, **({"draftOf": "x"} if draft else {}))
        for folder, name, extension, theirs, draft in listed
    ]
    last = {one.path: one for one in files}
    # one file at a time has no other one to be found by
    expected = [
        one.path
        for one in files
        if last[one.path] is one and prior_files([one], path, identifier)
    ]
    assert names(identifier, *files, path=path) == expected
