"""Names: a stable file for a stable identifier, and never somebody else's."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.commit import Listing, choose_row, slug_of
from vitrail.core.commit.kinds import EXTENSIONS
from vitrail.core.commit.naming import Place, choose_place, draft_place
from vitrail.core.names import check_name, name_key
from vitrail.limits import MAX_SLUG_CHARS
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.manifest import MANIFEST_SUFFIX, ArtifactManifest
from vitrail.protocol.records import FileInfo

AT = "2026-01-01T00:00:00.000Z"
HTML = EXTENSIONS[".html"]
CSS = EXTENSIONS[".css"]


def file(
    path: str,
    identifier: str | None = None,
    *,
    draft_of: str | None = None,
    updated_at: str = AT,
) -> FileInfo:
    manifest = None
    if identifier is not None:
        metadata = {"identifier": identifier}
        if draft_of is not None:
            metadata["draftOf"] = draft_of
        manifest = ArtifactManifest(
            kind="html",
            title="t",
            entry=path,
            renderer="html",
            exports=("html",),
            created_at=AT,
            updated_at=updated_at,
            metadata=metadata,
        )
    return FileInfo(
        path=path,
        size=1,
        digest="0" * 64,
        revision=None,
        media_type="text/html",
        modified_at=AT,
        manifest=manifest,
    )


def placed(identifier: str, title: str, *files: FileInfo, row=HTML) -> Place:
    place = choose_place(identifier, title, row, Listing(files))
    assert isinstance(place, Place), place
    return place


def test_an_identifier_updates_its_file_and_a_look_alike_title_does_not() -> None:
    """Field bug 08."""
    index = file("index.html", "index")
    assert placed("index", "", index) == Place("index.html", index)
    assert placed("", "Index", index) == Place("index-2.html", None)
    assert placed("", "Index", index, file("index-2.html", "")).path == "index-3.html"


@pytest.mark.parametrize(
    ("identifier", "path"),
    [
        ("landing", "landing.html"),
        ("Landing Page", "landing-page.html"),
        ("index.html", "index.html"),
        ("Index.HTML", "Index.HTML"),
        ("pages/about", "pages/about.html"),
        ("pages/about.html", "pages/about.html"),
        ("my page.html", "my page.html"),
        ("v1.2", "v1-2.html"),
        ("\u56f3\u8868", "\u56f3\u8868.html"),
        ("\u062a\u0642\u0631\u064a\u0631", "\u062a\u0642\u0631\u064a\u0631.html"),
        ("re\u0301sume\u0301", "r\u00e9sum\u00e9.html"),
        ("con", "artifact-con.html"),
        ("\U0001f4ca", "artifact.html"),
        ("AC/DC tour", "ac-dc-tour.html"),
        ("a:b", "a-b.html"),
        ("theme.css", "theme.html"),
    ],
)
def test_an_identifier_names_its_file(identifier: str, path: str) -> None:
    assert placed(identifier, "").path == path


@pytest.mark.parametrize(
    "identifier",
    [
        "../x.html",
        "/etc/passwd",
        "C:\\x.html",
        ".od/x.html",
        "a//b.html",
        "a/b/.env",
        "http://x/y",
        "x" * 256 + ".html",
        "..\\..\\x",
        "a/../../b",
    ],
)
def test_an_identifier_that_is_no_place_in_the_project_is_refused(
    identifier: str,
) -> None:
    refused = choose_place(identifier, "", HTML, Listing(()))
    assert isinstance(refused, Diagnostic)
    assert refused.severity == "error"


def test_a_name_leaves_room_for_its_manifest() -> None:
    long = "a" * 245 + ".html"
    assert check_name(long).ok
    assert isinstance(choose_place(long, "", HTML, Listing(())), Diagnostic)


def test_another_identifier_with_the_same_slug_gets_a_suffix() -> None:
    first = file("landing-page.html", "landing page")
    assert placed("Landing: Page", "", first).path == "landing-page-2.html"


def test_a_path_names_the_file_that_has_it_whatever_its_identifier() -> None:
    assert placed("index.html", "", file("index.html", "home")).existing is not None
    assert placed("index", "", file("index.html", "index.html")).existing is not None


def test_a_file_that_nobody_named_belongs_to_the_identifier_of_its_name() -> None:
    assert placed("index", "", file("index.html")).existing is not None
    assert placed("index", "", file("index.html", "")).existing is not None


def test_a_file_is_found_by_its_identifier_wherever_it_is() -> None:
    moved = file("pages/start.html", "index")
    assert placed("index", "", moved, file("index.html", "other")).existing == moved


def test_of_several_files_of_one_identifier_the_last_written_is_updated() -> None:
    old = file("a.html", "x", updated_at="2026-01-01T00:00:00.000Z")
    new = file("b.html", "x", updated_at="2026-01-02T00:00:00.000Z")
    assert placed("x", "", old, new).existing == new
    assert placed("x", "", new, old).existing == new


def test_a_copy_that_a_person_made_is_not_taken_for_the_file_it_is_of() -> None:
    own = file("page.html", "x", updated_at="2026-01-01T00:00:00.000Z")
    later = file("page.html", "x", updated_at="2026-01-02T00:00:00.000Z")
    copy = later.model_copy(update={"path": "zz-backup.html"})
    assert placed("x", "", own, copy).existing == own
    # moved away, the copy is all there is
    assert placed("x", "", copy).existing == copy


def test_an_identifier_of_another_kind_is_another_file() -> None:
    page = file("theme.html", "theme")
    assert placed("theme", "", page, row=CSS) == Place("theme.css", None)


def test_names_that_one_disk_cannot_tell_apart_are_one_name() -> None:
    assert placed("", "INDEX", file("Index.html")).path == "index-2.html"
    assert placed("", "caf\u00e9", file("cafe\u0301.html")).path == "caf\u00e9-2.html"
    assert placed("", "a", file("a.html/b.png")).path == "a-2.html"
    assert placed("Sub/b", "", file("sub/a.html")).path == "sub/b.html"


def test_nothing_can_be_placed_below_a_file() -> None:
    blocked = choose_place("a/b", "", HTML, Listing([file("a", "other")]))
    assert isinstance(blocked, Diagnostic)
    assert blocked.code == "path-below-a-file"


def test_a_draft_is_found_again_and_never_taken_for_the_file() -> None:
    index = file("index.html", "index")
    draft = file("index.draft.html", "index", draft_of="index.html", updated_at="3")
    assert draft_place("index.html", Listing([index])).path == "index.draft.html"
    assert draft_place("index.html", Listing([index, draft])).existing == draft
    assert placed("index", "", index, draft).existing == index
    foreign = file("index.draft.html", "something")
    assert draft_place("index.html", Listing([foreign])).path == "index.draft-2.html"


# --- laws ---------------------------------------------------------------

identifiers = st.one_of(
    st.text(max_size=80),
    st.sampled_from(["index", "Index", "index.html", "a/b", "-", "con", " x "]),
    st.text(st.sampled_from("aA-_ .é\u0301\u56f3"), max_size=8),
)
artifacts = st.lists(st.tuples(identifiers, identifiers), max_size=12)


def saved(plan: list[tuple[str, str]]) -> list[tuple[str, str, bool]]:
    """Save in order; return identifier, path and whether the file was there."""
    files: dict[str, FileInfo] = {}
    done = []
    for identifier, title in plan:
        place = choose_place(identifier, title, HTML, Listing(files.values()))
        if isinstance(place, Diagnostic):
            continue
        key = name_key(place.path)
        there = [path for path in files if name_key(path) == key]
        assert there == ([place.existing.path] if place.existing else [])
        files[place.path] = file(place.path, identifier)
        done.append((identifier, place.path, bool(there)))
    return done


@given(artifacts)
def test_one_identifier_has_one_path_for_ever(plan: list[tuple[str, str]]) -> None:
    paths: dict[str, str] = {}
    for identifier, path, _ in saved(plan):
        if identifier.strip():
            named = name_key(identifier.strip())
            # a path is also a name of what lies there, whoever was there first
            if not any(char in identifier for char in "./\\"):
                assert paths.setdefault(identifier.strip(), path) == path, named


@given(artifacts)
def test_what_has_no_identifier_never_replaces_anything(
    plan: list[tuple[str, str]],
) -> None:
    assert not any(there for name, _, there in saved(plan) if not name.strip())


@given(st.lists(st.text(st.characters(exclude_characters="./\\"), min_size=1)))
def test_different_identifiers_never_share_a_file(names: list[str]) -> None:
    plan = [(name, "") for name in names if name.strip()]
    owners: dict[str, str] = {}
    for identifier, path, _ in saved(plan):
        composed = slug_of(identifier) and identifier.strip()
        owner = owners.setdefault(name_key(path), composed)
        assert check_name(path).ok
        assert name_key(owner) == name_key(composed)


@given(st.text(max_size=400))
def test_a_slug_is_a_name_that_stays_what_it_is(text: str) -> None:
    slug = slug_of(text)
    assert slug_of(slug) == slug
    assert check_name(slug + ".html").ok
    assert len((slug + "-999.draft.html" + MANIFEST_SUFFIX).encode()) <= 255
    assert len(slug) <= MAX_SLUG_CHARS + len("artifact-")


@given(st.sampled_from(sorted(EXTENSIONS)), identifiers)
def test_every_path_has_the_extension_of_its_kind(
    extension: str, identifier: str
) -> None:
    row = EXTENSIONS[extension]
    place = choose_place(identifier, "", row, Listing(()))
    if isinstance(place, Place):
        assert place.path.lower().endswith(extension)
        again = choose_row("", place.path, "")
        assert again is not None
        assert again.extension == extension
