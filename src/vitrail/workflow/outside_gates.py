"""The gates, asked after the fact: of a page that another program wrote already.

Strategy: all gates are asked, also behind one that would refuse, since nothing
can be kept out any more. What they would have done is told in words that say
what is so: the file is as the other program left it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import msgspec

from vitrail.core.commit.loss import Losses, losses
from vitrail.core.validate.gated import GateCandidate, GateFinding, GatePolicy
from vitrail.core.validate.gates import GATES
from vitrail.core.validate.placeholders import Placeholder, declared_placeholders
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.losses import Lost
from vitrail.protocol.manifest import ArtifactManifest, Kind
from vitrail.workflow.long_texts import apart_where_long

__all__ = ["Asked", "Found", "ask_gates"]


@dataclass(frozen=True, slots=True)
class Asked:
    """A page as another program left it."""

    path: str
    kind: Kind
    content: bytes
    previous: bytes | None
    """The good content before; None: there was none."""
    manifest: ArtifactManifest | None
    placeholders: tuple[Placeholder, ...] = ()
    """Those that the project declares; the manifest's own come to them."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the gates say of it."""

    diagnostics: tuple[Diagnostic, ...] = ()
    lost: tuple[Lost, ...] = ()
    """What the good content has and the new one has not, of a suspicious replacement."""
    is_held: bool = False
    """Whether a person is to decide about it."""


async def ask_gates(asked: Asked, policy: GatePolicy) -> Found:
    """Return what the gates find; long texts are judged in a thread of their own."""
    size = len(asked.content) + len(asked.previous or b"")
    return await apart_where_long(size, lambda: _ask(asked, policy))


def _ask(asked: Asked, policy: GatePolicy) -> Found:
    metadata = (asked.manifest.metadata or {}) if asked.manifest else {}
    identifier = metadata.get("identifier")
    declared, _ = declared_placeholders(metadata.get("placeholders"))
    is_complete = asked.manifest is None or asked.manifest.status == "complete"
    candidate = GateCandidate(
        path=asked.path,
        kind=asked.kind,
        content=asked.content,
        identifier=identifier if isinstance(identifier, str) else "",
        previous=asked.previous,
        placeholders=(*asked.placeholders, *declared),
        is_complete=is_complete,
    )
    found = [one for gate in GATES if (one := gate(candidate, policy)) is not None]
    regressed = any(one.regression is not None for one in found)
    is_held = regressed and policy.mode in ("quarantine", "reject")
    gone = _lost(asked) if regressed else Losses(())
    return Found(
        diagnostics=(
            *(told for one in found for told in _told(one)),
            *gone.diagnostics,
        ),
        lost=gone.lost[:_MAX_LOSSES],
        is_held=is_held,
    )


def _told(finding: GateFinding) -> tuple[Diagnostic, ...]:
    """Return a gate's findings in words that are true of a file that is there."""
    if finding.regression is not None:
        was = finding.regression
        return (
            Diagnostic(
                "artifact-regression",
                "warning",
                f"The page has {was.new_size} bytes, and had {was.prior_size}: most of "
                "it is gone. Another program wrote it, so it was left as it is; the "
                "page before is in its history, and dropping this one brings it back.",
            ),
        )
    if finding.placeholders:
        return tuple(
            msgspec.structs.replace(
                diagnostic,
                severity="warning",
                message=f"The page holds {text[:_MAX_SHOWN_CHARS]!r}, which is a "
                "template's and stands in no finished page. Another program wrote it, "
                "so it was left as it is; write what belongs there.",
            )
            for text, diagnostic in zip(
                finding.placeholders, finding.diagnostics, strict=False
            )
        )
    if finding.content is not None:
        return tuple(
            msgspec.structs.replace(
                diagnostic,
                code="runtime-import-broken",
                message="The page loads a script that has not what the page uses. "
                "Another program wrote it, so it was left as it is; saving the page "
                "here once mends it.",
            )
            for diagnostic in finding.diagnostics
        )
    return finding.diagnostics


_MAX_SHOWN_CHARS: Final = 80


def _lost(asked: Asked) -> Losses:
    try:
        old, new = (asked.previous or b"").decode(), asked.content.decode()
    except UnicodeDecodeError:
        return Losses(())
    return losses(old, new, asked.kind)


_MAX_LOSSES: Final = 100
"""Told of one change; the rest can be read in the difference."""
