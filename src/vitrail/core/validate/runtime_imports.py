"""Gate: a page asks for the bundle that has what it uses.

Strategy: the page's tree says which scripts there are and where their
attributes stand in the source; the table of `bundles` says which address is
wrong for what the page's own scripts use. Only the bytes of the address change, and the
``integrity`` that was the other file's goes. Bytes that are no UTF-8 are never
touched: what they say is not known.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import turbohtml

from vitrail.core.document.source import Source, parse_source
from vitrail.core.validate.bundles import BUNDLES, Bundle, is_right, right_address
from vitrail.core.validate.gated import GateCandidate, GateFinding, GatePolicy
from vitrail.protocol.diagnostics import Diagnostic, Span

__all__ = ["Repair", "repair_imports", "working_imports"]

_PAGES: Final = (".html", ".htm")
_SCRIPT_SPACE: Final = " \t\n\f\r"


@dataclass(frozen=True, slots=True)
class Repair:
    """One range of the source that became another."""

    span: Span
    """Code points of the page as it came; empty where something was put in."""
    new: str
    told: str | None
    """What was done, for people; None for a part of another repair."""


def working_imports(candidate: GateCandidate, policy: GatePolicy) -> GateFinding | None:
    """Repair a page's known wrong imports, and say what was repaired."""
    del policy
    extension = posixpath.splitext(candidate.path)[1].lower()
    if extension not in _PAGES or not candidate.is_complete:
        return None
    try:
        page = candidate.content.decode()
    except UnicodeDecodeError:
        return None
    repairs = repair_imports(page)
    if not repairs:
        return None
    diagnostics = tuple(
        Diagnostic("runtime-import-repaired", "warning", repair.told, repair.span)
        for repair in repairs
        if repair.told is not None
    )
    return GateFinding("fixed", diagnostics, _repaired(page, repairs).encode())


def repair_imports(page: str) -> tuple[Repair, ...]:
    """Return what has to change in a page, in its order; empty for most pages.

    Doing it again changes nothing more.
    """
    bundles = [bundle for bundle in BUNDLES if _may_be_meant(page, bundle)]
    if not bundles:
        return ()
    source = parse_source(page)
    scripts = source.document.find_all("script")
    own = "\n".join(script.text for script in scripts if script.attr("src") is None)
    repairs: list[Repair] = []
    for bundle in bundles:
        if bundle.is_used(own):
            repairs += _of_bundle(source, scripts, bundle, own)
    return tuple(sorted(repairs, key=lambda repair: repair.span))


def _may_be_meant(page: str, bundle: Bundle) -> bool:
    """Return whether a bundle's files and names are in the page at all: a quick look."""
    files = (*bundle.wrong_files, bundle.right_file)
    names = (*bundle.names, *((bundle.alias.name,) if bundle.alias else ()))
    return any(file in page for file in files) and any(name in page for name in names)


def _of_bundle(
    source: Source,
    scripts: Iterable[turbohtml.Element],
    bundle: Bundle,
    own: str,
) -> list[Repair]:
    repairs: list[Repair] = []
    alias = bundle.alias if bundle.needs_alias(own) else None
    for script in scripts:
        address = (script.attr("src") or "").strip(_SCRIPT_SPACE)
        right = right_address(address, bundle)
        if right is not None:
            repairs += _readdressed(source, script, right, bundle)
        elif not is_right(address, bundle):
            continue
        end = source.end_tag(script)
        if alias is not None and end is not None:
            told = f"{alias.name} is what {bundle.name} is called here; it was put in."
            added = f"<script>{alias.script}</script>"
            repairs.append(Repair((end[1], end[1]), added, told))
            alias = None
    return repairs


def _readdressed(
    source: Source, script: turbohtml.Element, right: str, bundle: Bundle
) -> list[Repair]:
    location = script.source_location
    if location is None or "src" not in location.attrs:
        return []
    told = (
        f"The page uses React hooks of {bundle.name}, which the bundle it asked for "
        f"does not have; it asks for {right} now."
    )
    place = location.attrs["src"]
    span = (source.offset(place.start_offset), source.offset(place.end_offset))
    repairs = [Repair(span, f'src="{right}"', told)]
    if "integrity" in location.attrs:
        place = location.attrs["integrity"]
        start = source.offset(place.start_offset)
        # the white space in front goes with it
        while source.text[start - 1] in _SCRIPT_SPACE:
            start -= 1
        repairs.append(Repair((start, source.offset(place.end_offset)), "", None))
    return repairs


def _repaired(page: str, repairs: tuple[Repair, ...]) -> str:
    pieces: list[str] = []
    at = 0
    for repair in repairs:
        start, end = repair.span
        pieces += (page[at:start], repair.new)
        at = end
    return "".join((*pieces, page[at:]))
