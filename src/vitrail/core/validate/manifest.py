"""Rules of the manifest (seed 003 §5.1): closed sets, limits, rebuilt by white list.

Strategy: every field is read by a reader of its own, which either gives a
value or notes what is wrong; all faults are told, not only the first. The
manifest is then built from the values that were read, so an unknown key
cannot survive.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from vitrail.core.names import check_name
from vitrail.core.validate.additions import read_additions
from vitrail.limits import (
    MAX_KIND_CHARS,
    MAX_METADATA_BYTES,
    MAX_REFERENCE_ID_CHARS,
    MAX_SUPPORTING_FILES,
    MAX_TITLE_CHARS,
)
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.manifest import (
    EXPORTS,
    KINDS,
    RENDERER_OF,
    RENDERERS,
    STATUSES,
    ArtifactManifest,
    Kind,
    Renderer,
)

__all__ = ["ManifestVerdict", "persisted_manifest", "validate_manifest"]


@dataclass(frozen=True, slots=True)
class ManifestVerdict:
    """What the rules say about a manifest that somebody wrote."""

    manifest: ArtifactManifest | None
    """Rebuilt; None where it is refused, or where there was none."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """All faults that refuse it; or warnings of what was left out of it."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong with it but what a warning tells."""
        return all(found.severity != "error" for found in self.diagnostics)


def validate_manifest(
    value: object, entry: str, *, now: str, preserve_updated_at: bool = False
) -> ManifestVerdict:
    """Return the manifest of ``entry`` rebuilt from ``value``, or all that is wrong.

    ``value`` is what JSON gives; None is no manifest, which is no fault.
    ``now`` becomes ``updatedAt``, unless that is to be preserved. Additions of
    the metadata that cannot be used are left out with a warning.
    """
    if value is None:
        return ManifestVerdict(None)
    if not isinstance(value, Mapping):
        found = Diagnostic(
            "manifest-invalid",
            "error",
            f"A manifest is a JSON object, not {_kind_of(value)}.",
        )
        return ManifestVerdict(None, (found,))
    reader = _Reader(value)
    fields = _read_fields(reader, value, entry)
    if reader.found:
        return ManifestVerdict(None, tuple(reader.found))
    fields["created_at"] = _time(value.get("createdAt")) or now
    kept = _time(value.get("updatedAt")) if preserve_updated_at else None
    fields["updated_at"] = kept or now
    told = _mismatch(fields["kind"], fields["renderer"])
    if fields["metadata"] is not None:
        fields["metadata"], wrong = read_additions(fields["metadata"])
        told += wrong
    return ManifestVerdict(ArtifactManifest(**fields), told)


def persisted_manifest(raw: str | bytes, entry: str) -> ArtifactManifest | None:
    """Return the manifest that lies beside ``entry``, or None where it does not hold.

    What other programs added is left out; a version other than 1, and whatever
    breaks a rule, makes it none. Its times stay; one that is missing is the
    epoch's begin.
    """
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, Mapping) or not _is_version_1(value.get("version")):
        return None
    read = validate_manifest(value, entry, now=_NO_TIME, preserve_updated_at=True)
    return read.manifest


def _is_version_1(value: object) -> bool:
    return not isinstance(value, bool) and value == 1


def _mismatch(kind: Kind, renderer: Renderer) -> tuple[Diagnostic, ...]:
    """Return the warning that a renderer is not the kind's own."""
    own = RENDERER_OF[kind]
    if renderer == own:
        return ()
    found = Diagnostic(
        "manifest-mismatch",
        "warning",
        f"The kind {kind} is drawn by {own}, and the manifest says {renderer}; "
        "the renderer that it names is used.",
    )
    return (found,)


def _read_fields(
    reader: _Reader, value: Mapping[str, Any], entry: str
) -> dict[str, Any]:
    """Read all fields, in the order in which faults are told (§9.2)."""
    fields: dict[str, Any] = {
        "kind": reader.choice("kind", KINDS),
        "renderer": reader.choice("renderer", RENDERERS),
        "exports": reader.exports(),
        "status": (
            reader.choice("status", STATUSES) if "status" in value else "complete"
        ),
        "primary": reader.primary(),
        "supporting_files": reader.supporting_files(),
    }
    title = reader.text("title", MAX_TITLE_CHARS, may_be_empty=False)
    fields["source_skill_id"] = reader.text("sourceSkillId", MAX_REFERENCE_ID_CHARS)
    if value.get("designSystemId") is not None:
        fields["design_system_id"] = reader.text(
            "designSystemId", MAX_REFERENCE_ID_CHARS
        )
    fields["metadata"] = reader.metadata()
    own = value.get("entry")
    named = own.strip() if isinstance(own, str) and own.strip() else entry
    fields["entry"] = reader.path("entry", named)
    fields["title"] = title or named
    return fields


class _Reader:
    """Reads fields of a mapping and notes what is wrong with them."""

    def __init__(self, value: Mapping[str, Any]) -> None:
        self._value = value
        self.found: list[Diagnostic] = []

    def choice(self, key: str, allowed: Collection[str]) -> str | None:
        """Read a member of a closed set; it has to be there."""
        value = self._value.get(key)
        if isinstance(value, str) and value in allowed:
            return value
        shown = repr(value[:MAX_KIND_CHARS]) if isinstance(value, str) else ""
        self._note(key, f"is one of {_listed(allowed)}, not {shown or _kind_of(value)}")
        return None

    def exports(self) -> tuple[str, ...]:
        """Read the exports: some of the closed set, each once."""
        value = self._value.get("exports")
        if not isinstance(value, list) or not value:
            self._note("exports", "is a list of at least one format")
            return ()
        for item in value:
            if not isinstance(item, str) or item not in EXPORTS:
                shown = repr(item[:MAX_KIND_CHARS]) if isinstance(item, str) else ""
                self._note(
                    "exports",
                    f"holds only {_listed(EXPORTS)}, not {shown or _kind_of(item)}",
                )
                return ()
        return tuple(dict.fromkeys(value))

    def primary(self) -> bool | str | None:
        """Read the primary: true, or a path; it may be left out."""
        if "primary" not in self._value:
            return None
        value = self._value["primary"]
        if value is True:
            return True
        if isinstance(value, str):
            return self.path("primary", value)
        self._note("primary", "is true or the path of a file")
        return None

    def supporting_files(self) -> tuple[str, ...] | None:
        """Read the paths of the other files; they may be left out."""
        if "supportingFiles" not in self._value:
            return None
        value = self._value["supportingFiles"]
        if not isinstance(value, list):
            self._note("supportingFiles", "is a list of paths")
            return None
        if len(value) > MAX_SUPPORTING_FILES:
            self._note("supportingFiles", f"has at most {MAX_SUPPORTING_FILES} paths")
            return None
        read = [self.path("supportingFiles", item) for item in value]
        return tuple(path for path in read if path is not None)

    def text(
        self, key: str, max_chars: int, *, may_be_empty: bool = True
    ) -> str | None:
        """Read a text of at most ``max_chars`` code points; it may be left out."""
        if key not in self._value:
            return None
        value = self._value[key]
        if not isinstance(value, str):
            self._note(key, f"is a text, not {_kind_of(value)}")
        elif not value.strip() and not may_be_empty:
            self._note(key, "is not empty")
        elif len(value) > max_chars:
            self._note(key, f"has at most {max_chars} characters, not {len(value)}")
        elif any("\ud800" <= char <= "\udfff" for char in value):
            self._note(key, "holds half a character (a lone surrogate)")
        else:
            return value
        return None

    def metadata(self) -> dict[str, Any] | None:
        """Read the metadata: any JSON object within its limit."""
        if "metadata" not in self._value:
            return None
        value = self._value["metadata"]
        if not isinstance(value, Mapping):
            self._note("metadata", f"is a JSON object, not {_kind_of(value)}")
            return None
        try:
            text = json.dumps(
                value, ensure_ascii=False, separators=(",", ":"), allow_nan=False
            )
            size = len(text.encode())
            # what comes back from disk has texts for keys and shares no list
            kept: dict[str, Any] = json.loads(text)
        except (TypeError, ValueError, RecursionError):
            self._note("metadata", "holds only what JSON can say")
            return None
        if size > MAX_METADATA_BYTES:
            self._note(
                "metadata", f"has at most {MAX_METADATA_BYTES} bytes, not {size}"
            )
            return None
        if _is_deeper(kept, _MAX_METADATA_LEVELS):
            self._note("metadata", f"has at most {_MAX_METADATA_LEVELS} levels")
            return None
        return kept

    def path(self, key: str, value: object) -> str | None:
        """Read a path within the project."""
        if not isinstance(value, str):
            self._note(key, f"is a path, not {_kind_of(value)}")
            return None
        verdict = check_name(value, "manifest_path")
        if verdict.ok:
            return verdict.name
        self._note(key, f"is no path of a file: {verdict.diagnostics[0].message}")
        return None

    def _note(self, key: str, what: str) -> None:
        self.found.append(
            Diagnostic(f"manifest-{_CODES[key]}", "error", f"{key} {what.rstrip('.')}.")
        )


def _is_deeper(value: object, levels: int) -> bool:
    here = [value]
    for _ in range(levels):
        below: list[object] = []
        for item in here:
            if isinstance(item, dict):
                below += item.values()
            elif isinstance(item, list):
                below += item
        here = [item for item in below if isinstance(item, dict | list)]
    return bool(here)


_NO_TIME: Final = "1970-01-01T00:00:00.000Z"

_MAX_METADATA_LEVELS: Final = 64
"""Deeper than a manifest can be read back (200), with room around it."""

_CODES: Final = {
    "kind": "kind",
    "renderer": "renderer",
    "exports": "exports",
    "status": "status",
    "primary": "primary",
    "supportingFiles": "supporting-files",
    "title": "title",
    "sourceSkillId": "source-skill",
    "designSystemId": "design-system",
    "metadata": "metadata",
    "entry": "entry",
}
"""Endings of the codes, by field."""


def _listed(values: Collection[str]) -> str:
    return ", ".join(sorted(values))


def _kind_of(value: object) -> str:
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list() | tuple():
            return "a list"
        case _:
            return "an object"


def _time(value: object) -> str | None:
    """Return a time as it was written, if it is one."""
    if not isinstance(value, str):
        return None
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return None
    return value
