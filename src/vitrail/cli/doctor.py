"""`vitrail doctor`: what is missing on this machine, and what mends it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from vitrail.server.checkup import Finding

__all__ = ["doctor"]

_MARKS = {"ok": "ok      ", "limited": "limited ", "missing": "missing "}


def doctor(
    *,
    data: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The data folder to look at.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON instead of words.")
    ] = False,
) -> None:
    """Say what is missing on this machine, and what mends it.

    Exits 1 where something that Vitrail needs is missing.
    """
    findings = asyncio.run(_examine(data, as_json=as_json))
    is_fit = all(finding.state != "missing" for finding in findings)
    if as_json:
        report = {"ok": is_fit, "checks": [asdict(finding) for finding in findings]}
        print(json.dumps(report, indent=2, ensure_ascii=False))
    if not is_fit:
        raise typer.Exit(1)


async def _examine(data: Path | None, *, as_json: bool) -> list[Finding]:
    from vitrail.adapters.datafolder import find_data_folder
    from vitrail.server.checkup import examine
    from vitrail.server.settings import read_settings

    settings = read_settings()
    environment = str(settings.data) if settings.data else None
    where = find_data_folder(None, data=data, environment=environment)
    findings: list[Finding] = []
    async for finding in examine(settings, where):
        findings.append(finding)
        if not as_json:
            _tell(finding)
    return findings


def _tell(finding: Finding) -> None:
    print(f"{_MARKS[finding.state]} {finding.name}: {finding.found}", flush=True)
    if finding.mend is not None:
        print(f"           -> {finding.mend}", flush=True)
