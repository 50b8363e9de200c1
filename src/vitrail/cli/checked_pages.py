"""`vitrail check html` and `check manifest`: the rules, then the gates of a write."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from vitrail.errors import InvalidInput

if TYPE_CHECKING:
    from vitrail.core.validate import GateCandidate, GatePolicy, Placeholder, PriorFile
    from vitrail.protocol.diagnostics import Diagnostic
    from vitrail.protocol.http import Verdict

__all__ = ["check_html", "check_manifest", "read_json", "said_beside"]

_MAX_PATH_CHARS: Final = 4096
_MAX_JSON_BYTES: Final = 1024 * 1024
_NO_TIME: Final = "1970-01-01T00:00:00.000Z"


def check_html(value: object, more: dict[str, Any]) -> Verdict:
    """Judge a page as a write of it would be judged.

    ``more`` may say what the gates know of a project: ``path``, ``kind``,
    ``identifier``, ``siblings`` (``[{"path", "size"}]``), ``previous`` (a text),
    ``placeholders`` as a project declares them, ``replace`` (a reason), and how
    strict they are: ``mode``, ``minRatio``, ``minPriorBytes``.
    """
    from vitrail.core.validate import Candidate, check_gates, validate
    from vitrail.protocol.http import Verdict

    kind = more.get("kind", "html")
    if kind not in ("html", "deck"):
        raise InvalidInput(f'expected the kind "html" or "deck", got {kind!r}')
    found = validate(Candidate(kind=kind, body=_text(value, "a page")))
    if not found.ok:
        return Verdict(ok=False, diagnostics=found.diagnostics)
    declared, unproven = _declared(more)
    candidate = _candidate(found.candidate.body, kind, more, declared)
    policy, unread = _policy(more)
    judged = check_gates(candidate, policy)
    diagnostics = (*found.diagnostics, *unproven, *unread, *judged.diagnostics)
    return Verdict(ok=judged.ok, diagnostics=diagnostics)


def check_manifest(value: object, more: dict[str, Any]) -> Verdict:
    """Judge a manifest; ``more`` may give its ``entry``, and that file's ``content``.

    Of the content the digest that the manifest names is compared. Where there
    is no manifest (null), the entry is judged: whether its name tells enough.
    """
    from vitrail.core.validate import validate_manifest
    from vitrail.protocol.http import Verdict

    if isinstance(value, str):
        try:
            value = read_json(value)
        except (ValueError, RecursionError):
            return Verdict(ok=False, diagnostics=(_invalid("valid JSON"),))
    if value is None and "entry" in more:
        return _without_manifest(_text(more["entry"], "an entry"), more)
    if value is None:
        return Verdict(ok=False, diagnostics=(_invalid("a JSON object, not null"),))
    entry = _text(more.get("entry", "index.html"), "an entry")
    verdict = validate_manifest(value, entry, now=_NO_TIME)
    diagnostics = (*verdict.diagnostics, *_other_bytes(value, more))
    return Verdict(ok=verdict.ok, diagnostics=diagnostics)


def said_beside(value: str) -> dict[str, Any]:
    """Return what is declared for a page that is a file: by its project, by its manifest.

    The project is the nearest folder above with a ``.vitrail/project.json``.
    What cannot be read declares nothing.
    """
    page = Path(value)
    if value == "-" or len(value) > _MAX_PATH_CHARS or not _is_file(page):
        return {}
    said: dict[str, Any] = {"path": page.name}
    folders = page.absolute().parents
    owns = (folder / ".vitrail" / "project.json" for folder in folders)
    project = _object(next((own for own in owns if own.is_file()), None))
    manifest = _object(page.with_name(page.name + ".artifact.json")).get("metadata")
    metadata = manifest if isinstance(manifest, dict) else {}
    declared = [
        one
        for source in (project, metadata)
        if isinstance(found := source.get("placeholders"), list)
        for one in found
    ]
    if isinstance(metadata.get("identifier"), str):
        said["identifier"] = metadata["identifier"]
    return said | {"placeholders": declared}


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # a text that is too long for a name


def _object(path: Path | None) -> dict[str, Any]:
    """Return the JSON object in a file; an empty one where there is none."""
    if path is None or not path.is_file():
        return {}
    try:
        with path.open("rb") as file:
            value = json.loads(file.read(_MAX_JSON_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def read_json(text: str) -> Any:
    """Read JSON whose numbers can be printed again; raise ``ValueError``."""
    # files that were made on Windows begin with a byte order mark
    text = text.removeprefix("\ufeff")
    return json.loads(text, parse_constant=_no_constant, parse_float=_finite)


def _without_manifest(entry: str, more: dict[str, Any]) -> Verdict:
    from vitrail.core.commit import Refusal, manifest_for_create
    from vitrail.protocol.http import Verdict

    content = _text(more.get("content", ""), "a content").encode("utf-8", "replace")
    made = manifest_for_create(None, entry, content, now=_NO_TIME)
    if isinstance(made, Refusal):
        return Verdict(ok=False, diagnostics=made.diagnostics)
    return Verdict(ok=True, diagnostics=())


def _candidate(
    body: str, kind: Any, more: dict[str, Any], declared: tuple[Placeholder, ...]
) -> GateCandidate:
    from vitrail.core.validate import GateCandidate

    previous = more.get("previous")
    replaced = None if previous is None else _text(previous, "a previous text")
    return GateCandidate(
        path=_text(more.get("path", "index.html"), "a path"),
        kind=kind,
        content=body.encode("utf-8", "replace"),
        identifier=_text(more.get("identifier", ""), "an identifier"),
        siblings=_siblings(more.get("siblings", [])),
        previous=None if replaced is None else replaced.encode("utf-8", "replace"),
        placeholders=declared,
        replace_reason=_text(more.get("replace", ""), "a reason to replace"),
    )


def _siblings(value: object) -> tuple[PriorFile, ...]:
    from vitrail.core.validate import PriorFile

    if not isinstance(value, list):
        raise InvalidInput('expected "siblings" as a list of {"path", "size"}')
    siblings: list[PriorFile] = []
    for item in value:
        size = item.get("size") if isinstance(item, dict) else None
        if not isinstance(size, int) or isinstance(size, bool):
            raise InvalidInput('expected each sibling as {"path", "size"}')
        siblings.append(PriorFile(_text(item.get("path"), "a sibling's path"), size))
    return tuple(siblings)


def _declared(
    more: dict[str, Any],
) -> tuple[tuple[Placeholder, ...], tuple[Diagnostic, ...]]:
    from vitrail.core.validate import declared_placeholders

    return declared_placeholders(more.get("placeholders"))


def _policy(more: dict[str, Any]) -> tuple[GatePolicy, tuple[Diagnostic, ...]]:
    from vitrail.core.validate import policy_of

    said = (more.get(key) for key in ("mode", "minRatio", "minPriorBytes"))
    mode, ratio, size = (None if one is None else str(one) for one in said)
    return policy_of(mode, ratio, size)


def _other_bytes(value: object, more: dict[str, Any]) -> tuple[Diagnostic, ...]:
    """Return the warning that the entry's content is not what the manifest names."""
    from vitrail.core.validate import Version, version_origin
    from vitrail.protocol.diagnostics import Diagnostic

    content = more.get("content")
    metadata = value.get("metadata") if isinstance(value, dict) else None
    if content is None or not isinstance(metadata, dict):
        return ()
    digest = metadata.get("digest")
    version = Version("manifest", digest if isinstance(digest, str) else None)
    found = version_origin(
        _text(content, "a content").encode("utf-8", "replace"), version
    )
    if found.status != "digest-mismatch":
        return ()
    told = Diagnostic(
        "manifest-digest",
        "warning",
        "The file has other bytes than those the manifest was made for: it was changed "
        "by another program.",
    )
    return (told,)


def _invalid(what: str) -> Diagnostic:
    from vitrail.protocol.diagnostics import Diagnostic

    return Diagnostic("manifest-invalid", "error", f"A manifest is {what}.")


def _text(value: object, what: str) -> str:
    if isinstance(value, str):
        return value
    raise InvalidInput(f"expected {what} as a text, got {type(value).__name__}")


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:20]} is no number that can be told")
    return number
