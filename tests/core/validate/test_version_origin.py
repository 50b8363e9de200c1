"""Where a version comes from: spec/open-design-1 §16."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from vitrail.core.validate import (
    Version,
    VersionOrigin,
    same_version,
    version_origin,
)

PAGE = b"<!doctype html><p>x</p>"
ORIGIN = {"run": "run-1", "message": "m.1", "model": "a:b"}
VERSION = Version("v1", sha256(PAGE).hexdigest(), ORIGIN)


def test_row_01_equal_bytes_have_the_whole_origin() -> None:
    assert version_origin(PAGE, VERSION) == VersionOrigin(
        "matched", "v1", "run-1", "m.1", "a:b"
    )


def test_row_02_other_bytes_have_none() -> None:
    assert version_origin(PAGE + b"\n", VERSION) == VersionOrigin("digest-mismatch")


@pytest.mark.parametrize("digest", [None, "", "x" * 64, "ABCDEF" * 10 + "ABCD"])
def test_row_03_without_a_digest_nothing_is_known(digest: str | None) -> None:
    found = version_origin(PAGE, replace(VERSION, digest=digest))
    assert found == VersionOrigin("unknown")


@pytest.mark.parametrize(
    "run", ["", "-x", "a b", "x" * 129, "é", "third/party", "a\n", 7, ["x"]]
)
def test_row_03_an_origin_that_is_none_is_told_as_such(run: object) -> None:
    found = version_origin(PAGE, replace(VERSION, origin={"run": run}))
    assert found == VersionOrigin("invalid-origin", "v1")


@pytest.mark.parametrize("origin", [None, {}, {"run": None, "model": None}])
def test_nothing_said_is_unknown(origin: dict[str, object] | None) -> None:
    found = version_origin(PAGE, replace(VERSION, origin=origin))
    assert found == VersionOrigin("unknown", "v1")


def test_row_04_no_version() -> None:
    assert version_origin(PAGE, None) == VersionOrigin("missing-version")


def test_row_05_a_parent_has_the_same_bytes() -> None:
    assert same_version(PAGE, VERSION) == "v1"
    assert same_version(PAGE + b"\n", VERSION) is None
    assert same_version(PAGE, replace(VERSION, digest=None)) is None
    assert same_version(PAGE, None) is None
