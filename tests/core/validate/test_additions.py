"""What Vitrail adds to a manifest, all of it under `metadata`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vitrail.core.validate import (
    persisted_manifest,
    read_additions,
    validate_manifest,
)
from vitrail.protocol.manifest import KINDS, RENDERER_OF, RENDERERS

THEN = "2026-01-01T00:00:00.000Z"
DIGEST = "0123456789abcdef" * 4
GOOD: dict[str, Any] = {
    "identifier": "page",
    "theirs": [1, {"a": None}],
    "origin": {"run": "r", "message": None, "model": "m"},
    "digest": DIGEST,
    "parentDigest": DIGEST,
    "recoveredFrom": "bare-document",
    "network": {"policy": "listed", "origins": ["https://api.example.com"]},
    "checks": [{"name": "links", "outcome": "passed", "digest": DIGEST, "at": THEN}],
    "placeholders": [
        {
            "text": "[Client]",
            "fixture": {"unfinished": "For [Client]", "finished": "For Acme"},
        }
    ],
}


def test_what_can_be_used_stays_as_it_is() -> None:
    assert read_additions(GOOD) == (GOOD, ())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("origin", "somewhere"),
        ("origin", {"run": 7}),
        ("origin", {"run": "x" * 129}),
        ("origin", {"plugin": "x"}),
        ("digest", None),
        ("digest", DIGEST.upper()),
        ("digest", DIGEST + "\n"),
        ("parentDigest", DIGEST[:-1]),
        ("recoveredFrom", ""),
        ("recoveredFrom", ["x"]),
        ("network", "open"),
        ("network", {"policy": "open"}),
        ("network", {"policy": "listed"}),
        ("network", {"policy": "listed", "origins": []}),
        ("network", {"policy": "listed", "origins": ["http://a.example"]}),
        ("network", {"policy": "listed", "origins": ["https://*"]}),
        ("network", {"policy": "listed", "origins": ["https://a.example/x"]}),
        ("network", {"policy": "listed", "origins": ["https://u@a.example"]}),
        (
            "network",
            {"policy": "listed", "origins": ["https://a.example; script-src *"]},
        ),
        ("network", {"policy": "listed", "origins": ["https://a.example:99999"]}),
        ("network", {"policy": "listed", "origins": ["https://localhost"]}),
        ("network", {"policy": "listed", "origins": ["https://[::1]"]}),
        ("network", {"policy": "listed", "origins": ["https://a.example"] * 33}),
        ("checks", {}),
        ("checks", [{"name": "links"}]),
        ("checks", [{**GOOD["checks"][0], "outcome": "fine"}]),
        ("checks", [{**GOOD["checks"][0], "digest": "x"}]),
        ("checks", [{**GOOD["checks"][0], "at": "yesterday"}]),
        ("checks", GOOD["checks"] * 65),
        ("placeholders", "x"),
    ],
)
def test_what_cannot_is_left_out_and_told(key: str, value: object) -> None:
    kept, wrong = read_additions({**GOOD, key: value})
    assert kept == {name: GOOD[name] for name in GOOD if name != key}
    assert [found.code for found in wrong] == ["manifest-addition"]
    assert wrong[0].severity == "warning"
    assert key in wrong[0].message


def test_only_the_placeholders_that_are_proven_stay() -> None:
    bad = {"text": "[Client]", "fixture": {"unfinished": "x", "finished": "y"}}
    good = GOOD["placeholders"][0]
    kept, wrong = read_additions({"placeholders": [bad | {"text": "[Date]"}, good]})
    assert kept == {"placeholders": [good]}
    assert len(wrong) == 1


def test_a_closed_network_needs_no_origins() -> None:
    asked = {"network": {"policy": "closed", "origins": ["https://a.example"]}}
    assert read_additions(asked) == ({"network": {"policy": "closed"}}, ())


def test_a_manifest_with_an_addition_that_cannot_be_used_is_good() -> None:
    value = {
        "kind": "html",
        "renderer": "html",
        "exports": ["html"],
        "metadata": {"digest": "x", "identifier": "page"},
    }
    verdict = validate_manifest(value, "page.html", now=THEN)
    assert verdict.ok
    assert verdict.manifest is not None
    assert verdict.manifest.metadata == {"identifier": "page"}
    assert [found.code for found in verdict.diagnostics] == ["manifest-addition"]


def test_each_kind_has_a_renderer_of_its_own() -> None:
    assert set(RENDERER_OF) == KINDS
    assert set(RENDERER_OF.values()) == RENDERERS
    value = {"kind": "deck", "renderer": "html", "exports": ["html"]}
    verdict = validate_manifest(value, "page.html", now=THEN)
    assert verdict.ok
    assert [found.code for found in verdict.diagnostics] == ["manifest-mismatch"]


# --- on disk ------------------------------------------------------------

SIDECAR: dict[str, Any] = {
    "version": 1,
    "kind": "deck",
    "title": "Q3",
    "entry": "q3.html",
    "renderer": "deck-html",
    "exports": ["html", "pdf"],
    "createdAt": THEN,
    "updatedAt": THEN,
}


def read(value: object, entry: str = "q3.html") -> Any:
    return persisted_manifest(json.dumps(value), entry)


def test_another_program_s_sidecar_is_read_without_what_it_added() -> None:
    found = read({**SIDECAR, "extra": 1, "metadata": {"theirs": 1}})
    assert found is not None
    assert found.updated_at == THEN
    assert found.status == "complete"
    assert found.metadata == {"theirs": 1}


def test_a_sidecar_keeps_the_path_to_open_first() -> None:
    for primary in ("index.html", True):
        found = read({**SIDECAR, "primary": primary})
        assert found is not None
        assert found.primary == primary


def test_a_sidecar_without_an_entry_is_of_the_file_it_lies_beside() -> None:
    found = read({key: SIDECAR[key] for key in SIDECAR if key != "entry"})
    assert found is not None
    assert found.entry == "q3.html"


@pytest.mark.parametrize(
    "value",
    [
        {**SIDECAR, "version": 2},
        {**SIDECAR, "version": "1"},
        {**SIDECAR, "version": True},
        {key: SIDECAR[key] for key in SIDECAR if key != "version"},
        {**SIDECAR, "kind": "page"},
        {**SIDECAR, "entry": "../q3.html"},
        [SIDECAR],
        None,
        7,
    ],
)
def test_a_sidecar_that_breaks_a_rule_is_none(value: object) -> None:
    assert read(value) is None


@pytest.mark.parametrize(
    "raw",
    [b"", b"{", b"\xff\xfe", "[" * 100_000, b'{"version":1e999}', "9" * 5000, b"\x00"],
)
def test_what_is_no_json_is_none(raw: str | bytes) -> None:
    assert persisted_manifest(raw, "a.html") is None


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(sorted(GOOD)), json_values))
def test_reading_additions_twice_is_reading_them_once(metadata: dict[str, Any]) -> None:
    kept, _ = read_additions(metadata)
    again, wrong = read_additions(kept)
    assert again == kept or "nan" in repr(kept)
    assert wrong == ()


@given(st.dictionaries(st.sampled_from(sorted(SIDECAR)), json_values))
def test_any_sidecar_is_a_good_manifest_or_none(changes: dict[str, Any]) -> None:
    found = persisted_manifest(json.dumps(SIDECAR | changes), "q3.html")
    if found is not None:
        written = found.model_dump_json(exclude_none=True)
        assert persisted_manifest(written, "q3.html") == found
