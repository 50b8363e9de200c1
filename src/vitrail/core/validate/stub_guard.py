"""Gate: a page that lost most of itself does not go on top of what it was.

Strategy: sizes, not words (seed 003 §5.2, gate 2). What counts is the largest
file that the same artifact was saved as in the same folder, the file that is
replaced included. Two identifiers are one artifact's where they are equal, or
where one of them is the slug of the other: slugs are cut, so that two long
identifiers may have one slug and still mean two things.
"""

from __future__ import annotations

import math
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, assert_never, get_args

from vitrail.core.validate.candidate import Outcome
from vitrail.core.validate.gated import (
    GATED_KINDS,
    GateCandidate,
    GateFinding,
    GateMode,
    GatePolicy,
    PriorFile,
    Regression,
)
from vitrail.core.validate.whitespace import BLANK
from vitrail.limits import MAX_SLUG_CHARS
from vitrail.protocol.diagnostics import Diagnostic, Severity
from vitrail.protocol.manifest import ArtifactManifest
from vitrail.protocol.records import FileInfo

__all__ = [
    "PriorPages",
    "bridge_slug",
    "classify",
    "no_stub",
    "policy_of",
    "prior_files",
    "same_artifact",
]

_NO_SLUG: Final = re.compile(r"[^a-z0-9_-]+")
_NUMBER: Final = re.compile(r"-[0-9]+\Z")
_PAGE: Final = re.compile(r"\.html?\Z")
_FALLBACK: Final = "artifact"
"""Name of the files of an artifact whose slug is empty (seed 003 §5.2)."""

_MAX_DIGITS: Final = 15
"""Of a number of bytes; more than any disk has."""

_EMBEDDED: Final = re.compile(rb"data:[\w.+/;=-]{0,200}?;base64,[A-Za-z0-9+/=%]+")
"""An embedded file. What may come before the data is limited, so that no text costs
more than that many looks a place."""


def no_stub(candidate: GateCandidate, policy: GatePolicy) -> GateFinding | None:
    """Find a page that is less than its share of the largest one it was before."""
    if candidate.kind not in GATED_KINDS or not candidate.is_complete:
        return None
    priors = candidate.siblings
    if candidate.previous is not None:
        priors = (*priors, PriorFile(candidate.path, len(candidate.previous)))
    regression = classify(priors, len(candidate.content), candidate.identifier, policy)
    if regression is None or _only_moved_out(candidate, regression, policy):
        return None
    if (candidate.replace_reason or "").strip(BLANK):
        return GateFinding("accepted", (_told(regression, "info", _REASONED),))
    return _found(regression, policy.mode)


def _found(regression: Regression, mode: GateMode) -> GateFinding | None:
    match mode:
        case "off":
            return None
        case "warn":
            outcome: Outcome = "accepted"
            told = _told(regression, "warning", _SAVED)
        case "quarantine":
            outcome = "quarantined"
            told = _told(regression, "warning", _KEPT)
        case "reject":
            outcome = "refused"
            told = _told(regression, "error", _REFUSED)
        case _:
            assert_never(mode)
    return GateFinding(outcome, (told,), regression=regression)


def classify(
    priors: Iterable[PriorFile], new_size: int, identifier: str, policy: GatePolicy
) -> Regression | None:
    """Return what was lost, where a page of ``new_size`` bytes is too small.

    >>> priors = [PriorFile("a.html", 4096)]
    >>> classify(priors, 820, "a", GatePolicy()) is None
    True
    >>> classify(priors, 819, "a", GatePolicy()).prior_name
    'a.html'
    """
    if policy.mode == "off":
        return None
    largest = max(priors, key=lambda prior: prior.size, default=None)
    if largest is None or largest.size < policy.min_prior_bytes:
        return None
    if new_size >= largest.size * policy.min_ratio:
        return None
    return Regression(identifier, new_size, largest.size, largest.path)


class PriorPages:
    """The pages of a project, by what an artifact is known by.

    Made once for any number of questions: a question costs what it finds, and not
    the project.
    """

    def __init__(self, files: Iterable[FileInfo] = ()) -> None:
        self._count = 0
        self._by_path: dict[str, _Page] = {}
        self._by_name: dict[tuple[str, str], dict[str, _Page]] = {}
        self._by_identifier: dict[tuple[str, str], dict[str, _Page]] = {}
        for file in files:
            self.add(file.path, file.size, file.manifest)

    def add(self, path: str, size: int, manifest: ArtifactManifest | None) -> None:
        """Take a file that is there, of ``size`` bytes; a later one of its path counts."""
        page = _Page(self._count, path, size, manifest)
        self._count += 1
        self._by_path[path] = page
        folder, name = posixpath.split(path)
        stem, is_page = _PAGE.subn("", name)
        if not is_page:
            return
        for known in {stem, _NUMBER.sub("", stem)}:
            self._by_name.setdefault((folder, known), {})[path] = page
        theirs = (manifest.metadata or {}).get("identifier") if manifest else None
        if isinstance(theirs, str):
            self._by_identifier.setdefault((folder, theirs), {})[path] = page

    def of(self, path: str, identifier: str) -> tuple[PriorFile, ...]:
        """Return what an artifact was saved as before, in the order of the files.

        These are the file at ``path`` itself, and the pages of its folder whose
        manifest names the same artifact, or whose name is the identifier's, its
        slug's or one of these and a number. Without an identifier only the first
        counts. Drafts never do: they are what was kept away before.
        """
        folder = posixpath.dirname(path)
        names = _names(identifier)
        found = dict(self._by_identifier.get((folder, identifier), {})) if names else {}
        for name in names:
            found |= self._by_name.get((folder, name), {})
        kept = {
            page.path: page
            for page in found.values()
            if page is self._by_path[page.path]
            and _is_of(posixpath.basename(page.path), page.manifest, names, identifier)
        }
        if path in self._by_path:
            kept[path] = self._by_path[path]
        ordered = sorted(kept.values(), key=lambda page: page.number)
        return tuple(PriorFile(page.path, page.size) for page in ordered)


@dataclass(frozen=True, slots=True)
class _Page:
    number: int
    path: str
    size: int
    """Bytes."""
    manifest: ArtifactManifest | None


def prior_files(
    files: Iterable[FileInfo], path: str, identifier: str
) -> tuple[PriorFile, ...]:
    """Return what `PriorPages.of` does, for one question."""
    return PriorPages(files).of(path, identifier)


def same_artifact(one: str, other: str) -> bool:
    """Return whether two identifiers mean one artifact.

    >>> same_artifact("Landing Page", "landing-page")
    True
    >>> same_artifact("Landing Page", "LANDING-PAGE")
    False
    """
    if one == other:
        return True
    slug = bridge_slug(one)
    if not slug or slug != bridge_slug(other):
        return False
    # two long identifiers may differ only behind the cut: neither is the slug then
    return slug in (one, other)


def bridge_slug(identifier: str) -> str:
    """Return the slug by which identifiers are compared: ASCII, 60 characters; or ''.

    Not the name that a file gets, which keeps letters of every script.
    """
    slug = _NO_SLUG.sub("-", identifier.lower()).strip("-")
    return slug[:MAX_SLUG_CHARS]


def policy_of(
    mode: str | None, min_ratio: str | None, min_prior_bytes: str | None
) -> tuple[GatePolicy, tuple[Diagnostic, ...]]:
    """Return the policy that three settings say, and what of them cannot be read.

    These are ``VITRAIL_STUB_GUARD``, ``…_MIN_RATIO`` and ``…_MIN_PRIOR_BYTES``;
    None is not set. What cannot be read has its default (spec/open-design-1
    §12): a slip of the pen must not turn the guard off.

    >>> policy_of("WARN", "1", None)[0]
    GatePolicy(mode='warn', min_ratio=1.0, min_prior_bytes=4096)
    """
    standard = GatePolicy()
    wrong: list[Diagnostic] = []
    read_mode = _mode(mode)
    if mode and read_mode is None:
        wrong.append(_unread("", ", ".join(get_args(GateMode)), standard.mode))
    ratio = _ratio(min_ratio)
    if min_ratio and ratio is None:
        what = "a number above 0 and up to 1"
        wrong.append(_unread("_MIN_RATIO", what, standard.min_ratio))
    size = _bytes(min_prior_bytes)
    if min_prior_bytes and size is None:
        what = "a whole number of bytes above 0"
        wrong.append(_unread("_MIN_PRIOR_BYTES", what, standard.min_prior_bytes))
    policy = GatePolicy(
        read_mode or standard.mode,
        ratio or standard.min_ratio,
        size or standard.min_prior_bytes,
    )
    return policy, tuple(wrong)


def _names(identifier: str) -> frozenset[str]:
    """Return the names, without number and extension, that its files may have."""
    if not identifier.strip(BLANK):
        return frozenset()
    return frozenset({identifier, bridge_slug(identifier) or _FALLBACK})


def _is_of(
    name: str, manifest: ArtifactManifest | None, names: frozenset[str], identifier: str
) -> bool:
    stem, is_page = _PAGE.subn("", name)
    metadata = (manifest.metadata or {}) if manifest else {}
    if not is_page or metadata.get("draftOf"):
        return False
    theirs = metadata.get("identifier")
    if theirs == identifier:
        return True
    numberless = _NUMBER.sub("", stem)
    if names.isdisjoint({stem, numberless}):
        return False
    if isinstance(theirs, str) and theirs.strip(BLANK):
        return same_artifact(identifier, theirs)
    return same_artifact(identifier, stem) or same_artifact(identifier, numberless)


def _only_moved_out(
    candidate: GateCandidate, regression: Regression, policy: GatePolicy
) -> bool:
    """Return whether the page is as long as before but for files embedded in it."""
    if candidate.previous is None or regression.prior_name != candidate.path:
        return False
    before = len(_EMBEDDED.sub(b"", candidate.previous))
    if before == len(candidate.previous):
        return False
    now = len(_EMBEDDED.sub(b"", candidate.content))
    return now >= before * policy.min_ratio


_REASONED: Final = "It was saved, since a reason for it was given."
_SAVED: Final = "It was saved all the same, as the settings ask for."
_KEPT: Final = (
    "The good file stays as it is, and this one is kept beside it as a draft. Accept "
    "the draft if it is meant so, drop it if not; or write the whole page again."
)
_REFUSED: Final = (
    "Nothing was written. Write the whole page, or give a reason for the replacement."
)


def _told(regression: Regression, severity: Severity, what: str) -> Diagnostic:
    message = (
        f"The page has {regression.new_size} bytes, and {regression.prior_name} has "
        f"{regression.prior_size}: most of it would be gone. {what}"
    )
    return Diagnostic("artifact-regression", severity, message)


def _mode(said: str | None) -> GateMode | None:
    wanted = (said or "").strip().lower()
    return next((mode for mode in get_args(GateMode) if mode == wanted), None)


def _ratio(said: str | None) -> float | None:
    try:
        ratio = float(said or "")
    except ValueError:
        return None
    return ratio if math.isfinite(ratio) and 0 < ratio <= 1 else None


def _bytes(said: str | None) -> int | None:
    digits = (said or "").strip()
    is_number = digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_DIGITS
    return int(digits) or None if is_number else None


def _unread(name: str, what: str, standard: object) -> Diagnostic:
    return Diagnostic(
        "setting-unread",
        "warning",
        f"VITRAIL_STUB_GUARD{name} is {what}; it is taken for {standard}.",
    )
