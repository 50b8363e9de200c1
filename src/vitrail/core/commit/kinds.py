"""The one table from what a model calls a thing to what Vitrail makes of it.

Strategy: an artifact's ``type`` (MIME or short name), then the extension of
its identifier, then the shape of its body choose one row: kind, extension,
renderer, exports. Where no row fits there is no guess: the artifact is
refused as ``artifact-manifest-required``, never saved as ``.html``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from vitrail.core.document.slides import count_slides
from vitrail.protocol.manifest import Export, Kind, Renderer

__all__ = ["EXTENSIONS", "TYPES", "Row", "choose_row", "row_of_path"]

_MIN_SLIDES: Final = 2
"""Slides that make a page a deck (design §4.16)."""

_DECK_WORDS: Final = frozenset({"deck", "slides", "pitch"})
"""Words of a file's name that make a page a deck (seed 003 §5.1)."""


@dataclass(frozen=True, slots=True)
class Row:
    """What an artifact is saved as."""

    kind: Kind
    extension: str
    """With its dot."""
    renderer: Renderer
    exports: tuple[Export, ...]


def _code(extension: str) -> Row:
    return Row("code-snippet", extension, "code", ("txt", "zip"))


_HTML: Final = Row("html", ".html", "html", ("html", "pdf", "zip"))
_DECK: Final = Row("deck", ".html", "deck-html", ("html", "pdf", "zip"))
_SVG: Final = Row("svg", ".svg", "svg", ("svg", "zip"))
_MARKDOWN: Final = Row(
    "markdown-document", ".md", "markdown", ("md", "html", "pdf", "zip")
)
_JSX: Final = Row("react-component", ".jsx", "react-component", ("jsx", "html", "zip"))
_TSX: Final = replace(_JSX, extension=".tsx")
_DIAGRAM: Final = Row("diagram", ".mmd", "diagram", ("svg", "txt", "zip"))

_CODE_EXTENSIONS: Final = (
    ".css .scss .less .js .mjs .cjs .ts .mts .json .jsonl .xml .yaml .yml .toml"
    " .ini .txt .csv .tsv .py .rb .php .pl .lua .r .jl .sh .bash .zsh .fish .ps1"
    " .bat .sql .graphql .proto .c .h .cpp .hpp .cc .cs .java .kt .scala .swift"
    " .go .rs .zig .dart .ex .exs .erl .hs .clj .vue .svelte .astro .tex .diff"
    " .patch .dockerfile .tf .glsl .wgsl .vb .asm .nim .ml .fs .groovy .m"
)

EXTENSIONS: Final[dict[str, Row]] = {
    ".html": _HTML,
    ".htm": replace(_HTML, extension=".htm"),
    ".svg": _SVG,
    ".md": _MARKDOWN,
    ".markdown": replace(_MARKDOWN, extension=".markdown"),
    ".jsx": _JSX,
    ".tsx": _TSX,
    ".mmd": _DIAGRAM,
    ".mermaid": replace(_DIAGRAM, extension=".mermaid"),
} | {extension: _code(extension) for extension in _CODE_EXTENSIONS.split()}
"""Rows by the extension of an identifier or a file."""

TYPES: Final[dict[str, Row]] = {
    # pages
    "text/html": _HTML,
    "html": _HTML,
    "application/xhtml+xml": _HTML,
    "deck": _DECK,
    "slides": _DECK,
    # drawings and documents
    "image/svg+xml": _SVG,
    "image/svg": _SVG,
    "svg": _SVG,
    "text/markdown": _MARKDOWN,
    "text/x-markdown": _MARKDOWN,
    "markdown": _MARKDOWN,
    "md": _MARKDOWN,
    "application/vnd.mermaid": _DIAGRAM,
    "text/vnd.mermaid": _DIAGRAM,
    "mermaid": _DIAGRAM,
    "diagram": _DIAGRAM,
    # components
    "application/vnd.react": _JSX,
    "text/jsx": _JSX,
    "text/tsx": _TSX,
    "react": _JSX,
    "jsx": _JSX,
    "tsx": _TSX,
    # code
    "application/json": _code(".json"),
    "application/javascript": _code(".js"),
    "application/typescript": _code(".ts"),
    "application/xml": _code(".xml"),
    "application/yaml": _code(".yaml"),
    "application/toml": _code(".toml"),
    "application/sql": _code(".sql"),
    "text/javascript": _code(".js"),
    "text/typescript": _code(".ts"),
    "text/plain": _code(".txt"),
    "text/xml": _code(".xml"),
    "text/yaml": _code(".yaml"),
    "text/css": _code(".css"),
    "text/csv": _code(".csv"),
    "text/tab-separated-values": _code(".tsv"),
    "javascript": _code(".js"),
    "typescript": _code(".ts"),
    "python": _code(".py"),
    "ruby": _code(".rb"),
    "perl": _code(".pl"),
    "shell": _code(".sh"),
    "shellscript": _code(".sh"),
    "powershell": _code(".ps1"),
    "rust": _code(".rs"),
    "kotlin": _code(".kt"),
    "haskell": _code(".hs"),
    "csharp": _code(".cs"),
    "c++": _code(".cpp"),
    "golang": _code(".go"),
    "csrc": _code(".c"),
    "plain": _code(".txt"),
    "text": _code(".txt"),
    "plaintext": _code(".txt"),
}
"""Rows by type; an extension without its dot is a short name too (``css``, ``py``)."""

_CODE_TYPES: Final = frozenset(
    {"code", "application/vnd.code", "text/code", "text/x-code"}
)
"""Types that say "code" and leave to others which language."""

_VENDOR_PREFIXES: Final = ("text/x-", "application/x-", "application/vnd.", "text/vnd.")


def choose_row(
    artifact_type: str,
    identifier: str,
    body: str,
    *,
    title: str = "",
    language: str = "",
) -> Row | None:
    """Return what the artifact is to be saved as, or None where no row fits.

    ``language`` is the tag's attribute of that name, which says what a type
    of just "code" leaves open; ``title`` names what has no identifier.

    >>> choose_row("text/css", "theme", "a{}").extension
    '.css'
    >>> choose_row("application/x-thing", "x", "<!doctype html><html>") is None
    True
    """
    by_type, is_code = _row_of_type(artifact_type, language)
    by_name = EXTENSIONS.get(_extension(identifier))
    if by_type is None:
        if by_name is not None:
            row = by_name
        elif is_code:
            row = _code(".txt")
        elif artifact_type.strip():
            return None
        else:
            shaped = _row_of_body(body)
            if shaped is None:
                return None
            row = shaped
    elif by_name is not None and _agree(by_type, by_name, body):
        row = by_name if by_type.kind != "deck" else _DECK
    else:
        row = by_type
    return _deck_if(row, identifier.strip() or title, body)


def row_of_path(path: str, body: str = "") -> Row | None:
    """Return the row that a file's name, and of a page its body, stand for."""
    row = EXTENSIONS.get(_extension(path))
    return None if row is None else _deck_if(row, path, body)


def _row_of_type(artifact_type: str, language: str) -> tuple[Row | None, bool]:
    """Return the type's row, and whether the type says no more than "code"."""
    name = artifact_type.partition(";")[0].strip().lower()
    short = name
    if name not in TYPES:
        for prefix in _VENDOR_PREFIXES:
            if name.startswith(prefix):
                short = name.removeprefix(prefix).rpartition(".")[2]
                break
    if name in _CODE_TYPES or short in _CODE_TYPES:
        spoken = language.strip().lower()
        return TYPES.get(spoken) or EXTENSIONS.get("." + spoken), True
    return TYPES.get(short) or EXTENSIONS.get("." + short), False


def _agree(by_type: Row, by_name: Row, body: str) -> bool:
    """Return whether the identifier's extension may stand beside the type."""
    if by_type.kind == by_name.kind or {by_type.kind, by_name.kind} == {"html", "deck"}:
        return True
    if by_type.kind == "code-snippet":
        # "plain text" says nothing, and components are code to many models
        return by_type.extension == ".txt" or by_name.kind == "react-component"
    # a page's type is what models write by habit: a component, style or drawing
    # that its name and its body say it is, is one
    return by_type.kind == "html" and _row_of_body(body) is not _HTML


def _row_of_body(body: str) -> Row | None:
    start = body.lstrip("\ufeff \t\r\n\f")[:16].lower()
    if start.startswith(("<!doctype html", "<html")):
        return _HTML
    if start.startswith("<svg") and not start[4:5].isalnum():
        return _SVG
    return None


def _deck_if(row: Row, name: str, body: str) -> Row:
    if row.kind != "html":
        return row
    if _DECK_WORDS.isdisjoint(_words(name)) and count_slides(body) < _MIN_SLIDES:
        return row
    return replace(_DECK, extension=row.extension)


def _words(name: str) -> set[str]:
    """Return the words of a file's name: ``PitchDeck-v2`` has pitch, deck and v."""
    spaced: list[str] = []
    previous = ""
    for char in name.rpartition("/")[2]:
        if char.isupper() and previous.islower():
            spaced.append(" ")
        spaced.append(char if char.isalpha() else " ")
        previous = char
    return set("".join(spaced).casefold().split())


def _extension(name: str) -> str:
    last = name.strip().rpartition("/")[2]
    stem, dot, extension = last.rpartition(".")
    return (dot + extension).lower() if stem else ""
