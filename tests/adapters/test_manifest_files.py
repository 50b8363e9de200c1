"""Manifests as they are on disk: golden files, and our own rules read what we write."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.core.commit.test_plan import CANDIDATES, NOW, manifest, planned
from vitrail.adapters.listing import manifest_bytes
from vitrail.core.validate import validate_manifest

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", CANDIDATES)
def test_a_manifest_is_written_as_its_golden_file_says(name: str) -> None:
    candidate = CANDIDATES[name]
    plan = planned(candidate)
    made = manifest(candidate, plan)
    assert made.entry == plan.path
    golden = GOLDEN / f"{name}.artifact.json"
    assert manifest_bytes(made).decode() == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CANDIDATES)
def test_what_we_write_passes_the_rules_for_what_others_write(name: str) -> None:
    made = manifest(CANDIDATES[name], planned(CANDIDATES[name]))
    read = json.loads(manifest_bytes(made))
    again = validate_manifest(read, "", now=NOW, preserve_updated_at=True)
    assert again.manifest == made
