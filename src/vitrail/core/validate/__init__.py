"""Validate: candidate to verdict; one rule a file, ordered tables in `rules` and `gates`."""

from __future__ import annotations

from vitrail.core.validate.additions import read_additions
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
from vitrail.core.validate.manifest import (
    ManifestVerdict,
    persisted_manifest,
    validate_manifest,
)
from vitrail.core.validate.placeholders import (
    PLACEHOLDERS,
    Placeholder,
    declared_placeholders,
    project_placeholders,
)
from vitrail.core.validate.stub_guard import PriorPages, policy_of, prior_files
from vitrail.core.validate.verdict import validate
from vitrail.core.validate.version_origin import (
    Version,
    VersionOrigin,
    same_version,
    version_origin,
)

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
    "PriorPages",
    "Regression",
    "Verdict",
    "Version",
    "VersionOrigin",
    "check_gates",
    "declared_placeholders",
    "persisted_manifest",
    "policy_of",
    "prior_files",
    "project_placeholders",
    "read_additions",
    "same_version",
    "validate",
    "validate_manifest",
    "version_origin",
]
