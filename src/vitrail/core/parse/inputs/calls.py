"""One call of a tool: an artifact that streams, or a note that there was one.

Strategy: strings of the arguments come while they are written (`JsonStrings`);
the tables of `tools` say what each is. A text waits until it is known that it
becomes a file and which: a file's name usually comes first, and then nothing
waits. After `MAX_HELD_CHARS`, or at the end of the arguments, what is known by
then decides. A start is never taken back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, TypeAlias

from vitrail.core.parse.body import Body
from vitrail.core.parse.inputs.edits import KnownFiles, edits_in
from vitrail.core.parse.inputs.framing import parse_json
from vitrail.core.parse.inputs.telling import Telling
from vitrail.core.parse.inputs.tools import (
    ARGUMENTS,
    BODY_TYPES,
    Role,
    has_extension,
    identifier_of,
    kind_of_tool,
    type_of,
    writes,
)
from vitrail.core.text import clean_surrogates
from vitrail.core.text.json_strings import JsonStrings, StringPiece
from vitrail.limits import MAX_RECOVERABLE_CHARS
from vitrail.protocol.events import (
    ArtifactChunk,
    ArtifactEnd,
    ArtifactStart,
    EndReason,
)

__all__ = ["ToolCall"]

_State: TypeAlias = Literal["undecided", "streaming", "written", "not-an-artifact"]

_MAX_SHORT_CHARS: Final = 4096
"""Longest name, title or type; as an open tag's."""

_SHOWN_CHARS: Final = 200
"""Of a path in a diagnostic."""

_EDITING: Final = frozenset({"str_replace", "insert", "undo_edit", "update", "edit"})
"""Commands of choosers that change a part of a file."""


class ToolCall:
    """Reads one call's arguments and tells what they are."""

    def __init__(
        self, telling: Telling, files: KnownFiles, name: str, *, folder: str = ""
    ) -> None:
        """``folder`` is the one that the reply works in; paths below it lose it."""
        self._telling = telling
        self._files = files
        self._folder = folder
        self._name = clean_surrogates(name)
        self._kind = kind_of_tool(name)
        self._strings = JsonStrings()
        self._raw: list[str] | None = (
            [] if self._kind in ("editor", "chooser") else None
        )
        self._raw_chars = 0
        self._known: dict[Role, str] = {}
        self._short: list[str] = []  # of an argument that is no text
        self._short_chars = 0
        self._body_key: str | None = None
        self._held: list[str] = []
        self._held_chars = 0
        self._kept: list[str] | None = []  # the body, while there is room for it
        self._body = Body()
        self._has_body_ended = False
        self._is_too_long = False
        self._more: dict[str, None] = {}  # keys of further texts
        self._state: _State = "undecided"
        self._ordinal = 0
        self._identifier = ""
        self._is_over = False

    @property
    def looked_at(self) -> int:
        """Characters looked at so far, each as often as it was."""
        return self._strings.looked

    @property
    def path(self) -> str:
        """What the call names its file; may be empty."""
        return self._known.get("path", "") or self._known.get("name", "")

    @property
    def is_artifact(self) -> bool:
        """Whether an artifact was told."""
        return self._state in ("streaming", "written")

    def feed(self, text: str) -> None:
        """Read a piece of the arguments."""
        was_broken = self._strings.error is not None
        if not self._is_over:
            self._keep_raw(text)
        for piece in self._strings.feed(text):
            self._take(piece)
        if self._strings.has_ended:
            self.finish()
        if self._strings.error is not None:
            self._break_off(is_new=not was_broken)

    def finish(self, reason: EndReason = "unclosed") -> None:
        """End the arguments; ``reason`` is why, where they are not whole."""
        if self._is_over:
            return
        self._is_over = True
        self._decide(is_last=True)
        if self._state == "streaming":
            self._end(reason)
        if self._state == "undecided":
            self._state = "not-an-artifact"
        has_ended = self._strings.has_ended
        if self._state == "not-an-artifact" and not (has_ended and self._edit()):
            self._telling.suppress(self._name, self._strings.chars)
            self._say_what_is_missing()
        self._raw = None
        self._say_what_was_odd()

    def fail(self, words: str) -> None:
        """Take note that the tool says it could not do it."""
        self._files.forget(identifier_of(self.path, self._folder))
        if not self.is_artifact:
            return
        self._telling.diagnose(
            "tool-call-failed",
            "warning",
            f"The tool {self._shown(self._name)} did not write "
            f"{self._shown(self.path)}"
            + (f". It says: {words}" if words else ", and does not say why."),
        )

    # --- arguments -------------------------------------------------------------

    def _keep_raw(self, text: str) -> None:
        if self._raw is not None:
            self._raw.append(text)
            self._raw_chars += len(text)
            if self._raw_chars > MAX_RECOVERABLE_CHARS or self.is_artifact:
                self._raw = None

    def _take(self, piece: StringPiece) -> None:
        role = ARGUMENTS.get(piece.key)
        if role == "body":
            self._take_body(piece)
        elif role is not None:
            self._short_chars += len(piece.delta)
            if self._short_chars <= _MAX_SHORT_CHARS:
                self._short.append(piece.delta)
            if piece.is_last:
                if self._short_chars <= _MAX_SHORT_CHARS:
                    self._known.setdefault(role, "".join(self._short))
                self._short, self._short_chars = [], 0
                self._decide()

    def _take_body(self, piece: StringPiece) -> None:
        if self._body_key is None:
            self._body_key = piece.key
        elif self._body_key != piece.key or self._has_body_ended:
            if len(self._more) < len(ARGUMENTS):
                self._more[piece.key] = None
            return
        self._has_body_ended = piece.is_last
        if self._state == "streaming":
            self._tell_body(piece.delta)
        elif self._is_too_long:
            self._telling.text(piece.delta)
        elif self._state == "undecided":
            self._held.append(piece.delta)
            self._held_chars += len(piece.delta)
        self._decide()
        if self._has_body_ended and self._state == "streaming":
            self._end("closed")

    # --- whether it is one -----------------------------------------------------------

    def _decide(self, *, is_last: bool = False) -> None:
        if self._state != "undecided":
            return
        is_due = is_last or self._held_chars > self._telling.limits.held_chars
        writes_file = self._writes_file(is_due=is_due)
        if writes_file is False:
            self._state, self._held = "not-an-artifact", []
        elif (
            writes_file and self._body_key is not None and (is_due or self._has_name())
        ):
            self._start()

    def _writes_file(self, *, is_due: bool) -> bool | None:
        """Return whether the call writes a whole file; None: not known yet."""
        command = self._known.get("command")
        match self._kind:
            case "writer":
                return True
            case "editor":
                return False
            case "chooser" if command is not None:
                return writes(command)
            case "chooser":
                return True if is_due else None
            case "other":
                if has_extension(self._known.get("path", "")):
                    return True
                return False if is_due else None

    def _has_name(self) -> bool:
        return not self._known.keys().isdisjoint(("path", "name", "title"))

    def _start(self) -> None:
        telling = self._telling
        if telling.artifacts >= telling.limits.artifacts:
            self._state, self._held = "not-an-artifact", []
            telling.diagnose(
                "too-many-artifacts",
                "error",
                f"A message may hold {telling.limits.artifacts} artifacts; "
                f"{self._shown(self.path)} is left out.",
            )
            return
        path = self._known.get("path", "")
        name = (
            identifier_of(path, self._folder) if path else self._known.get("name", "")
        )
        kind = (
            self._known.get("type")
            or BODY_TYPES.get(self._body_key or "")
            or type_of(name)
        )
        title = self._known.get("title", "")
        attributes = {"identifier": name, "type": kind, "title": title}
        attributes["tool"] = self._name[:_SHOWN_CHARS]
        if path:
            attributes["path"] = path
        self._ordinal, self._identifier = telling.artifacts, name
        telling.artifacts += 1
        self._state = "streaming"
        telling.tell(
            ArtifactStart(
                self._ordinal, name, kind, title, attributes, None, telling.here
            )
        )
        held, self._held = "".join(self._held), []
        self._tell_body(held)
        if self._has_body_ended and self._state == "streaming":
            self._end("closed")

    # --- its body -----------------------------------------------------------------------

    def _tell_body(self, text: str) -> None:
        telling = self._telling
        room = telling.limits.body_chars - self._body.length
        text, beyond = text[:room], text[room:]
        if text:
            self._body.add(text)
            telling.tell(ArtifactChunk(self._ordinal, self._identifier, text))
            telling.place += len(text)
            self._keep(text)
        if beyond:
            telling.diagnose(
                "body-too-long",
                "error",
                f"A body may hold {telling.limits.body_chars} characters; "
                "what follows is shown as text.",
            )
            self._end("limit")
            self._is_too_long = True
            telling.text(beyond)

    def _keep(self, text: str) -> None:
        if self._kept is not None:
            self._kept.append(text)
            if self._body.length > self._files.room:
                self._kept = None

    def _end(self, reason: EndReason) -> None:
        is_whole = reason == "closed"
        self._state = "written"
        self._telling.tell(
            ArtifactEnd(
                self._ordinal,
                self._identifier,
                is_whole,
                reason,
                self._body.length,
                self._body.sha256(),
                self._telling.here,
            )
        )
        if is_whole and self._kept is not None:
            self._files.keep(self._identifier, "".join(self._kept))
        else:
            self._files.forget(self._identifier)
        self._kept = None

    # --- edits ------------------------------------------------------------------------------

    def _edit(self) -> bool:
        """Tell the whole text of the edited file, if it is known."""
        if self._raw is None or not self._edits_part():
            return False
        try:
            arguments = parse_json("".join(self._raw))
        except ValueError:
            return False  # with line breaks in its strings, say
        if not isinstance(arguments, Mapping):
            return False
        return self._tell_edited(arguments)

    def _tell_edited(self, arguments: Mapping[str, Any]) -> bool:
        edits = edits_in(arguments)
        path = self._known.get("path", "")
        if not edits or not path:
            return False
        text = self._files.edited(identifier_of(path, self._folder), edits)
        if text is None:
            return False
        self._body_key, self._has_body_ended = "", True
        self._kept = None
        self._held = [clean_surrogates(text)]
        kept = text
        self._start()
        self._files.keep(self._identifier, kept)
        return self.is_artifact

    def _edits_part(self) -> bool:
        if self._kind == "chooser":
            return self._known.get("command", "").strip().lower() in _EDITING
        return self._kind == "editor"

    # --- words --------------------------------------------------------------------------

    def _break_off(self, *, is_new: bool) -> None:
        """End what breaks the rules of JSON; of an artifact the rest is shown."""
        if is_new:
            self._telling.diagnose(
                "arguments-malformed",
                "error",
                f"The arguments of the tool {self._shown(self._name)} are no JSON: "
                f"{self._strings.error}.",
            )
            self.finish("failed")
        if self.is_artifact:
            self._telling.text(self._strings.rest)

    def _say_what_is_missing(self) -> None:
        tool, path = self._shown(self._name), self._shown(self.path)
        if self._edits_part():
            self._telling.diagnose(
                "edit-needs-file",
                "warning",
                f"The tool {tool} changes a part of {path}. The file's text is not in "
                "the reply, so its new text is not known.",
            )
        elif self._kind == "writer" and self._body_key is None:
            self._telling.diagnose(
                "write-without-text",
                "warning",
                f"The tool {tool} was called for {path} without a text to write.",
            )

    def _say_what_was_odd(self) -> None:
        strings = self._strings
        if not self.is_artifact:
            return
        path = self._shown(self.path)
        if strings.raw_controls:
            self._telling.diagnose(
                "arguments-repaired",
                "info",
                f"The arguments for {path} held line breaks or other control "
                "characters that JSON wants escaped; they were taken as they are.",
            )
        if strings.lone_halves:
            self._telling.diagnose(
                "lone-surrogate",
                "warning",
                f"The arguments for {path} held half a character; it is shown as "
                "U+FFFD.",
            )
        if self._more:
            self._telling.diagnose(
                "more-texts",
                "warning",
                f"The arguments for {path} held further texts, which are left out: "
                f"{', '.join(self._more)}.",
            )

    @staticmethod
    def _shown(words: str) -> str:
        return repr(words[:_SHOWN_CHARS]) if words else "no name"
