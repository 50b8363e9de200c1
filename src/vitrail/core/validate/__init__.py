"""Validate: candidate to verdict; one rule a file, ordered tables in `rules` and `gates`."""

from __future__ import annotations

from vitrail.core.validate.candidate import Candidate, Finding, Outcome, Verdict
from vitrail.core.validate.gated import (
    GateCandidate,
    GateMode,
    GatePolicy,
    GateVerdict,
    PriorFile,
    Regression,
)
from vitrail.core.validate.gates import check_gates
from vitrail.core.validate.manifest import ManifestVerdict, validate_manifest
from vitrail.core.validate.placeholders import (
    PLACEHOLDERS,
    Placeholder,
    declared_placeholders,
)
from vitrail.core.validate.stub_guard import policy_of, prior_files
from vitrail.core.validate.verdict import validate

__all__ = [
    "PLACEHOLDERS",
    "Candidate",
    "Finding",
    "GateCandidate",
    "GateMode",
    "GatePolicy",
    "GateVerdict",
    "ManifestVerdict",
    "Outcome",
    "Placeholder",
    "PriorFile",
    "Regression",
    "Verdict",
    "check_gates",
    "declared_placeholders",
    "policy_of",
    "prior_files",
    "validate",
    "validate_manifest",
]
