"""Names of files: composed to NFC, and otherwise refused, never repaired.

Strategy: one ordered table of rules over the whole path, then one over each
segment; the first that speaks decides. The same rules hold for a name that a
model chose, for a path in a manifest and for a path that came over HTTP, on
every system, so that a project folder can be carried to any other. A reference
to media may be absolute besides, below the workspace's root, and names a type
that can be sent. Cases: ``tests/core/path_cases.tsv``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args
from urllib.parse import unquote_to_bytes

from vitrail.errors import InvalidPath
from vitrail.limits import MAX_ENTRY_CHARS, MAX_PATH_SEGMENT_BYTES
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.manifest import MANIFEST_SUFFIX

__all__ = [
    "MEDIA_ROOT",
    "NAME_CONTEXTS",
    "RESERVED_NAMES",
    "NameContext",
    "NameVerdict",
    "check_media_path",
    "check_name",
    "name_key",
    "valid_path",
]

NameContext: TypeAlias = Literal[
    "artifact_name",
    "manifest_path",
    "media_path",
    "url_path",
    "zip_entry_in",
    "zip_export_out",
]
NAME_CONTEXTS: Final[tuple[NameContext, ...]] = get_args(NameContext)
"""Where a name can come from; all get the same rules. ``url_path`` is decoded first,
``media_path`` taken relative to `MEDIA_ROOT`."""

MEDIA_ROOT: Final = "/workspace"
"""The workspace that a media reference is judged against where nobody names one; what
sandboxes of agents call it."""

RESERVED_NAMES: Final = frozenset(
    {".live-artifacts", ".vitrail", ".od", ".tmp", ".file-versions"}
)
"""Names of internal stores, compared case-folded; never a part of a path."""

_IGNORED_FOLDERS: Final = frozenset({"node_modules"})
"""Folders of tools that are neither listed nor written to."""

_MAX_PATH_DEPTH: Final = 32
"""Segments of one path; git and web servers see far fewer in practice."""

_FORBIDDEN: Final = frozenset('<>:"|?*')
"""Characters that no name may have on Windows."""

_DEVICES: Final = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"}
)
"""Names of devices on Windows, with any extension."""


_MEDIA: Final = frozenset(
    {"png", "jpg", "jpeg", "gif", "webp", "avif", "bmp", "svg", "ico", "heic", "tiff"}
    | {"mp3", "wav", "ogg", "oga", "opus", "m4a", "aac", "flac"}
    | {"mp4", "m4v", "webm", "mov", "mkv"}
    | {"pdf", "docx", "xlsx", "pptx", "odt", "ods", "odp", "csv", "txt", "md"}
    | {"json", "zip"}
)
"""Extensions of what can be sent as media; a page or a script is none of it."""

_ENCODED: Final = ("%2e", "%2f", "%5c", "%00")
"""A dot, a slash, a backslash or a NUL as addresses write them."""


@dataclass(frozen=True, slots=True)
class NameVerdict:
    """What the rules say about one name."""

    name: str
    """The name to use, composed; meaningless unless ``ok``."""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether the name may be used."""
        return not self.diagnostics


_Finding: TypeAlias = tuple[str, str]
"""Code and message."""


def check_name(value: str, context: NameContext = "artifact_name") -> NameVerdict:
    r"""Return whether ``value`` may name a file of a project, and its composed form.

    >>> check_name("re\u0301sume\u0301.html").name
    'résumé.html'
    >>> check_name("../x.html").diagnostics[0].code
    'path-traversal'
    """
    if context == "media_path":
        return check_media_path(value)
    finding: _Finding | None = None
    name = value
    if context == "url_path":
        name, finding = _decoded(value)
    if finding is None:
        finding = _lone_surrogate(name)
    if finding is None:
        name = unicodedata.normalize("NFC", name)
        finding = _first_finding(name)
    if finding is None:
        return NameVerdict(name)
    return _refused(value, finding)


def check_media_path(value: str, root: str = MEDIA_ROOT) -> NameVerdict:
    """Return whether ``value`` may name a media file of the workspace at ``root``.

    It is relative to the workspace, or absolute and inside. Nothing in it is
    expanded: no home, no variable. The verdict's name is relative to ``root``.
    Whether the bytes are what the extension says is told by who reads them, such as
    ``vitrail check name``.

    >>> check_media_path("/workspace/out/image.png").name
    'out/image.png'
    >>> check_media_path("/etc/passwd").diagnostics[0].code
    'path-absolute'
    """
    inside = root.rstrip("/") + "/"
    name = value.removeprefix(inside)
    if name.startswith("$") or "${" in name:
        return _refused(
            value,
            (
                "path-variable",
                "Variables are not expanded in a path; write the path itself.",
            ),
        )
    verdict = check_name(name)
    if not verdict.ok:
        return NameVerdict(value, verdict.diagnostics)
    _, dot, extension = verdict.name.rpartition("/")[2].rpartition(".")
    if not dot or extension.casefold() not in _MEDIA:
        return _refused(
            value,
            (
                "path-not-media",
                "The name is not that of a picture, sound, video or document.",
            ),
        )
    return verdict


def _refused(value: str, finding: _Finding) -> NameVerdict:
    code, message = finding
    return NameVerdict(value, (Diagnostic(code, "error", message),))


def valid_path(path: str, context: NameContext = "artifact_name") -> str:
    """Return the composed form of a path; raise ``InvalidPath`` where it is refused.

    The error says nothing of whether there is such a file.
    """
    verdict = check_name(path, context)
    if verdict.ok:
        return verdict.name
    finding = verdict.diagnostics[0]
    raise InvalidPath(finding.message, code=_ERROR_CODES.get(finding.code))


def name_key(path: str) -> str:
    """Return what two spellings of one name have in common: composed, case-folded.

    >>> name_key("Index.HTML") == name_key("index.html")
    True
    """
    folded = unicodedata.normalize("NFC", path).casefold()
    return unicodedata.normalize("NFC", folded)


_ERROR_CODES: Final = {
    "path-traversal": "path-outside-project",
    "path-absolute": "path-outside-project",
    "path-hidden": "path-reserved",
    "path-reserved": "path-reserved",
}
"""Codes of `vitrail.errors` that go with a finding; every other is ``path-invalid``."""


def _decoded(value: str) -> tuple[str, _Finding | None]:
    path = value.partition("?")[0].partition("#")[0]
    if any(code in path.lower() for code in ("%2f", "%5c")):
        return path, (
            "path-separator",
            "An encoded slash inside a segment is refused; write it as it is.",
        )
    try:
        decoded = unquote_to_bytes(path).decode("utf-8")
    except UnicodeDecodeError:
        return path, ("path-not-utf8", "The decoded path is not UTF-8.")
    except UnicodeEncodeError:
        return path, ("path-not-utf8", "The path holds half a character.")
    if _holds_encoded(decoded):
        return path, (
            "path-encoded-twice",
            "The path is encoded twice; an address is decoded once only.",
        )
    return decoded, None


def _holds_encoded(name: str) -> bool:
    lowered = name.lower()
    return any(code in lowered for code in _ENCODED)


def _first_finding(name: str) -> _Finding | None:
    for rule in _PATH_RULES:
        finding = rule(name)
        if finding is not None:
            return finding
    for segment in name.split("/"):
        for rule in _SEGMENT_RULES:
            finding = rule(segment)
            if finding is not None:
                return finding
    return _manifest_name(name)


def _lone_surrogate(name: str) -> _Finding | None:
    if any("\ud800" <= char <= "\udfff" for char in name):
        return "path-not-utf8", "The name holds half a character (a lone surrogate)."
    return None


def _empty(name: str) -> _Finding | None:
    if not name.strip():
        return "path-empty", "The name is empty."
    return None


def _too_long(name: str) -> _Finding | None:
    if len(name) > MAX_ENTRY_CHARS:
        return (
            "path-too-long",
            f"The path has {len(name)} characters; at most {MAX_ENTRY_CHARS} fit.",
        )
    if name.count("/") >= _MAX_PATH_DEPTH:
        return (
            "path-too-long",
            f"The path has more than {_MAX_PATH_DEPTH} levels.",
        )
    return None


def _invisible(name: str) -> _Finding | None:
    for char in name:
        if unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp"}:
            return (
                "path-invisible-character",
                f"The name holds the invisible character U+{ord(char):04X}.",
            )
    return None


def _backslash(name: str) -> _Finding | None:
    if "\\" in name:
        return "path-separator", "A backslash is refused; folders are split by /."
    return None


def _encoded(name: str) -> _Finding | None:
    # such a file could be saved and never be asked for: its address is refused
    if _holds_encoded(name):
        return (
            "path-encoded",
            "The name holds %2e, %2f, %5c or %00, which no address can name. Leave it out.",
        )
    return None


def _absolute(name: str) -> _Finding | None:
    is_drive = len(name) > 1 and name[1] == ":" and name[0].isascii()
    if name[0] in "/~" or (is_drive and name[0].isalpha()):
        return (
            "path-absolute",
            "The path is absolute; it has to be relative to the project.",
        )
    return None


def _forbidden(segment: str) -> _Finding | None:
    for char in segment:
        if char in _FORBIDDEN:
            return "path-forbidden-character", f"A name cannot hold {char}."
    return None


def _empty_segment(segment: str) -> _Finding | None:
    if not segment:
        return "path-empty", "The path has an empty segment or names a folder."
    return None


def _dots(segment: str) -> _Finding | None:
    # fullwidth and one-dot-leader forms fold to dots under compatibility folding
    if not unicodedata.normalize("NFKC", segment).strip("."):
        return (
            "path-traversal",
            "The path holds a segment of dots only; it has to stay inside the project.",
        )
    return None


def _padded(segment: str) -> _Finding | None:
    if segment != segment.strip() or segment.endswith("."):
        return (
            "path-padded",
            "A name neither begins nor ends with a space, nor ends with a dot.",
        )
    return None


def _reserved(segment: str) -> _Finding | None:
    if segment.casefold() in RESERVED_NAMES | _IGNORED_FOLDERS:
        return "path-reserved", "The path leads into a folder of internal files."
    return None


def _hidden(segment: str) -> _Finding | None:
    if segment.startswith("."):
        return "path-hidden", "Names that begin with a dot are hidden and refused."
    return None


def _device(segment: str) -> _Finding | None:
    if segment.partition(".")[0].rstrip(" ").casefold() in _DEVICES:
        return "path-device", "The name is that of a device on Windows."
    return None


def _segment_too_long(segment: str) -> _Finding | None:
    size = len(segment.encode())
    if size > MAX_PATH_SEGMENT_BYTES:
        return (
            "path-too-long",
            f"The name has {size} bytes; at most {MAX_PATH_SEGMENT_BYTES} fit.",
        )
    return None


def _manifest_name(name: str) -> _Finding | None:
    if name.casefold().endswith(MANIFEST_SUFFIX):
        return (
            "path-reserved",
            f"Names that end in {MANIFEST_SUFFIX} belong to manifests.",
        )
    return None


_Rule: TypeAlias = Callable[[str], _Finding | None]
_PATH_RULES: Final[tuple[_Rule, ...]] = (
    _empty,
    _too_long,
    _invisible,
    _backslash,
    _encoded,
    _absolute,
)
_SEGMENT_RULES: Final[tuple[_Rule, ...]] = (
    _empty_segment,
    _dots,
    _padded,
    _forbidden,
    _reserved,
    _hidden,
    _device,
    _segment_too_long,
)
