"""Commit: verdict and parent to commit plan; kinds, names and manifests of files."""

from __future__ import annotations

from vitrail.core.commit.inference import (
    infer_manifest,
    manifest_for_create,
    manifest_for_person,
    manifest_for_restore,
)
from vitrail.core.commit.kinds import Row, choose_row, row_of_path
from vitrail.core.commit.loss import lost
from vitrail.core.commit.naming import Listing
from vitrail.core.commit.own_parts import (
    OwnParts,
    SharedPart,
    may_point,
    own_parts,
)
from vitrail.core.commit.parts import (
    PartFile,
    asked_files,
    parts_of_set,
    supporting_files,
    walk_parts,
)
from vitrail.core.commit.plan import (
    Candidate,
    CommitPlan,
    Origin,
    Refusal,
    manifest_of,
    plan_commit,
    plan_row,
)
from vitrail.core.commit.slugs import slug_of

__all__ = [
    "Candidate",
    "CommitPlan",
    "Listing",
    "Origin",
    "OwnParts",
    "PartFile",
    "Refusal",
    "Row",
    "SharedPart",
    "asked_files",
    "choose_row",
    "infer_manifest",
    "lost",
    "manifest_for_create",
    "manifest_for_person",
    "manifest_for_restore",
    "manifest_of",
    "may_point",
    "own_parts",
    "parts_of_set",
    "plan_commit",
    "plan_row",
    "row_of_path",
    "slug_of",
    "supporting_files",
    "walk_parts",
]
