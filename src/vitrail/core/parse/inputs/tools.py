"""Which calls of tools write a file, and which of their arguments say what.

Strategy: tables. A tool whose name says that it writes whole files is a
*writer*; any other tool is taken for one only where an argument that names a
file comes in front of its text. A tool that changes a part of a file is an
*editor*: without the file nobody knows the new text.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

__all__ = [
    "ARGUMENTS",
    "BODY_TYPES",
    "Role",
    "ToolKind",
    "has_extension",
    "identifier_of",
    "kind_of_tool",
    "type_of",
    "writes",
]

ToolKind: TypeAlias = Literal["writer", "chooser", "editor", "other"]
"""``chooser``: its argument ``command`` says whether it writes or edits."""

Role: TypeAlias = Literal["body", "path", "name", "title", "type", "command"]
"""What an argument says of an artifact."""

ARGUMENTS: Final[dict[str, Role]] = {
    # the text: what it holds becomes the file
    "content": "body",
    "contents": "body",
    "file_text": "body",
    "text": "body",
    "html": "body",
    "svg": "body",
    "markdown": "body",
    "code": "body",
    "body": "body",
    # the file
    "file_path": "path",
    "filepath": "path",
    "filePath": "path",
    "path": "path",
    "filename": "path",
    "file_name": "path",
    "file": "path",
    "notebook_path": "path",
    "target_file": "path",
    # what is no path and names it all the same
    "identifier": "name",
    "id": "name",
    "slug": "name",
    "name": "name",
    "title": "title",
    "type": "type",
    "artifact_type": "type",
    "artifactType": "type",
    "mime_type": "type",
    "mimeType": "type",
    "format": "type",
    "language": "type",
    "command": "command",
}
"""Arguments of tools, by key."""

BODY_TYPES: Final = {
    "html": "text/html",
    "svg": "image/svg+xml",
    "markdown": "text/markdown",
}
"""Keys of a text that say its type."""

_WRITERS: Final = frozenset(
    [
        "write",
        "writefile",
        "writetofile",
        "createfile",
        "savefile",
        "newfile",
        "putfile",
        "fswrite",
        "createartifact",
        "saveartifact",
        "writeartifact",
        "artifact",
        "createdocument",
        "createpage",
        "createhtml",
        "renderhtml",
        "showhtml",
    ]
)
_CHOOSERS: Final = frozenset(
    ["strreplaceeditor", "strreplacebasededittool", "texteditor", "artifacts"]
)
_EDITORS: Final = frozenset(
    [
        "edit",
        "multiedit",
        "editfile",
        "replaceinfile",
        "searchreplace",
        "searchandreplace",
        "strreplace",
        "notebookedit",
        "applypatch",
        "applydiff",
        "insertedit",
        "updatefile",
    ]
)
_WRITING_COMMANDS: Final = frozenset({"create", "write", "rewrite", "save", "new"})

_MIME: Final = {
    "html": "text/html",
    "htm": "text/html",
    "xhtml": "application/xhtml+xml",
    "svg": "image/svg+xml",
    "md": "text/markdown",
    "markdown": "text/markdown",
}
_MAX_EXTENSION_CHARS: Final = 12
_DRIVE_CHARS: Final = 2


def kind_of_tool(name: str) -> ToolKind:
    """Return what a tool of that name does, its server's prefix aside.

    >>> kind_of_tool("mcp__studio__create_artifact"), kind_of_tool("MultiEdit")
    ('writer', 'editor')
    """
    own = name.rpartition("__")[2].rpartition(".")[2].rpartition("/")[2]
    plain = "".join(ch for ch in own.lower() if ch.isalnum())
    if plain in _CHOOSERS:
        return "chooser"
    if plain in _WRITERS:
        return "writer"
    return "editor" if plain in _EDITORS else "other"


def writes(command: str) -> bool:
    """Return whether a chooser's command writes a whole file."""
    return command.strip().lower() in _WRITING_COMMANDS


def identifier_of(path: str, folder: str = "") -> str:
    """Return the identifier for a path: below the folder, else a file's own name.

    >>> identifier_of("/home/me/site/css/a.css", "/home/me/site")
    'css/a.css'
    >>> identifier_of("/etc/motd.txt"), identifier_of("./a/b.md")
    ('motd.txt', 'a/b.md')
    """
    path, folder = _slashes(path), _slashes(folder).rstrip("/")
    if folder and path.startswith(f"{folder}/"):
        path = path[len(folder) + 1 :]
    elif path.startswith(("/", "~")) or _has_drive(path):
        path = path.rpartition("/")[2]
    while path.startswith("./"):
        path = path[2:]
    return path


def type_of(path: str) -> str:
    """Return the artifact type that a path's extension says; may be empty.

    >>> type_of("a/b.HTML"), type_of("main.py"), type_of("Makefile")
    ('text/html', 'py', '')
    """
    stem, dot, extension = path.rpartition("/")[2].rpartition(".")
    extension = extension.lower()
    is_one = stem and dot and extension.isalnum()
    if not is_one or len(extension) > _MAX_EXTENSION_CHARS:
        return ""
    return _MIME.get(extension, extension)


def has_extension(path: str) -> bool:
    """Return whether a path ends with a file's extension."""
    return bool(type_of(_slashes(path)))


def _slashes(path: str) -> str:
    return path.strip().replace("\\", "/")


def _has_drive(path: str) -> bool:
    return path[1:_DRIVE_CHARS] == ":" and path[:1].isalpha()
