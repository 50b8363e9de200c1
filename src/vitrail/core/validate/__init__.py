"""Validate: candidate to verdict; one rule a file, one ordered table in `rules`."""

from __future__ import annotations

from vitrail.core.validate.candidate import Candidate, Finding, Outcome, Verdict
from vitrail.core.validate.manifest import ManifestVerdict, validate_manifest
from vitrail.core.validate.verdict import validate

__all__ = [
    "Candidate",
    "Finding",
    "ManifestVerdict",
    "Outcome",
    "Verdict",
    "validate",
    "validate_manifest",
]
