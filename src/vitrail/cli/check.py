"""`vitrail check`: the rules' verdict about one value, without doing anything."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from vitrail.cli.checked_pages import (
    check_html,
    check_manifest,
    read_json,
    said_beside,
)
from vitrail.errors import InvalidInput

if TYPE_CHECKING:
    from vitrail.protocol.diagnostics import Diagnostic
    from vitrail.protocol.http import Verdict

__all__ = ["CheckedKind", "check"]


class CheckedKind(StrEnum):
    """What can be checked."""

    name = "name"
    html = "html"
    manifest = "manifest"
    form = "form"


_CONTEXTS: Final = (
    "artifact_name",
    "manifest_path",
    "media_path",
    "url_path",
    "zip_entry_in",
    "zip_export_out",
)


def check(
    kind: Annotated[CheckedKind, typer.Argument(help="What the value is.")],
    value: Annotated[
        str | None,
        typer.Argument(
            help="A name; or for html, manifest and form a file. - reads standard "
            "input."
        ),
    ] = None,
    batch: Annotated[
        bool,
        typer.Option(
            "--batch", help='Read JSON lines {"input": …}, print one verdict a line.'
        ),
    ] = False,
    context: Annotated[
        str,
        typer.Option(help=f"Where a name comes from: {', '.join(_CONTEXTS)}."),
    ] = "artifact_name",
    root: Annotated[
        str,
        typer.Option(
            metavar="DIR",
            help="Of a media_path: the workspace that it has to lie in.",
        ),
    ] = "/workspace",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON (as always).")
    ] = False,
) -> None:
    """Print the rules' verdict about one value, without doing anything.

    Prints {"ok", "diagnostics"}. Exits 1 where the value is refused; a batch is
    done when every line has its verdict, and exits 0.
    """
    del as_json
    if context not in _CONTEXTS:
        raise typer.BadParameter(
            f"expected one of {', '.join(_CONTEXTS)}, got {context!r}",
            param_hint="--context",
        )
    one = _CHECKS[kind]
    if batch:
        _check_batch(one, value, {"context": context, "root": root})
        return
    if value is None:
        raise typer.BadParameter("expected a value or a file", param_hint="VALUE")
    more = {"context": context, "root": root}
    if kind is CheckedKind.html:
        more |= said_beside(value)
    verdict = one(_value(kind, value), more)
    print(_line(verdict))
    if not verdict.ok:
        _complain(verdict)
        raise typer.Exit(1)


# --- one kind each ------------------------------------------------------


def _check_name(value: object, more: dict[str, Any]) -> Verdict:
    from vitrail.core.names import NAME_CONTEXTS, check_media_path, check_name
    from vitrail.protocol.http import Verdict

    context = more.get("context", "artifact_name")
    if context not in NAME_CONTEXTS:
        raise InvalidInput(
            f"expected a context of {', '.join(NAME_CONTEXTS)}, got {context!r}"
        )
    if context == "media_path":
        root = _text(more.get("root", ""))
        found = check_media_path(_text(value), root)
        if found.ok:
            return _check_media(root, found.name)
    else:
        found = check_name(_text(value), context)
    return Verdict(ok=found.ok, diagnostics=found.diagnostics)


def _check_media(root: str, name: str) -> Verdict:
    """Judge a media file by its first bytes, if it is there: are they what it is named?"""
    import os
    from pathlib import Path

    from vitrail.adapters.folder import ProjectFolder
    from vitrail.adapters.media import SNIFFED_BYTES, is_as_named
    from vitrail.errors import NotFound
    from vitrail.protocol.diagnostics import Diagnostic
    from vitrail.protocol.http import Verdict

    try:
        handle, _ = ProjectFolder(Path(root)).open(name)
    except NotFound:
        return Verdict(ok=True, diagnostics=())
    try:
        head = os.read(handle, SNIFFED_BYTES)
    finally:
        os.close(handle)
    if is_as_named(name, head):
        return Verdict(ok=True, diagnostics=())
    message = "The file's bytes are not what its extension says; name it as what it is."
    return Verdict(
        ok=False, diagnostics=(Diagnostic("media-mismatch", "error", message),)
    )


def _check_form(value: object, more: dict[str, Any]) -> Verdict:
    """Judge a question form, or answers to it where they are given."""
    from vitrail.core.parse.forms import validate_form_answers
    from vitrail.protocol.http import Verdict

    form, diagnostics = _form_of(value)
    answers = more.get("answers")
    if form is not None and answers is not None:
        if not isinstance(answers, dict):
            raise InvalidInput('expected "answers" by their questions\' ids')
        diagnostics = (*diagnostics, *validate_form_answers(form, answers))
    is_good = all(one.severity != "error" for one in diagnostics)
    return Verdict(ok=form is not None and is_good, diagnostics=diagnostics)


def _form_of(value: object) -> tuple[dict[str, Any] | None, tuple[Diagnostic, ...]]:
    """Return the form that a body, a tag with its body, or a JSON value is."""
    from vitrail.core.parse.forms import FormReader, normalise_form

    if not isinstance(value, str):
        found = normalise_form(value)
    elif value.lstrip()[:1] == "<":
        return _form_of_tag(value)
    else:
        reader = FormReader({})
        reader.feed(value)
        found = reader.close()
    return (found.form if found.ok else None), found.diagnostics


def _form_of_tag(text: str) -> tuple[dict[str, Any] | None, tuple[Diagnostic, ...]]:
    from vitrail.core.parse import StreamParser
    from vitrail.protocol.diagnostics import Diagnostic
    from vitrail.protocol.events import DiagnosticFound, QuestionForm

    parser = StreamParser()
    events = [*parser.feed(text), *parser.close()]
    diagnostics = tuple(
        Diagnostic(event.code, event.severity, event.message, event.span)
        for event in events
        if isinstance(event, DiagnosticFound)
    )
    whole = [one for one in events if isinstance(one, QuestionForm) and one.complete]
    if whole:
        return whole[0].form, diagnostics
    if not any(one.severity == "error" for one in diagnostics):
        missing = Diagnostic(
            "form-missing", "error", "There is no finished question form in this text."
        )
        diagnostics = (*diagnostics, missing)
    return None, diagnostics


_Check = Callable[[object, dict[str, Any]], "Verdict"]
_CHECKS: Final[dict[CheckedKind, _Check]] = {
    CheckedKind.name: _check_name,
    CheckedKind.html: check_html,
    CheckedKind.manifest: check_manifest,
    CheckedKind.form: _check_form,
}


# --- in and out ---------------------------------------------------------


def _check_batch(one: _Check, value: str | None, given: dict[str, Any]) -> None:
    for number, line in enumerate(_lines(value or "-"), start=1):
        if not line.strip():
            continue
        try:
            asked = read_json(line)
        except (ValueError, RecursionError) as cause:
            raise InvalidInput(
                f"Line {number} is not JSON.", code="json-invalid"
            ) from cause
        if not isinstance(asked, dict) or "input" not in asked:
            raise InvalidInput(f'Line {number}: expected {{"input": …}}.')
        try:
            verdict = one(asked["input"], {**given, **asked})
        except InvalidInput as cause:
            raise InvalidInput(f"Line {number}: {cause.message}") from cause
        print(_line(verdict, input=asked["input"]), flush=True)


def _lines(name: str) -> Iterator[str]:
    from vitrail.cli.texts import read_text

    begun: list[str] = []
    for piece in read_text(name):
        first, *others = piece.split("\n")
        begun.append(first)
        for other in others:
            yield "".join(begun)
            begun = [other]
    yield "".join(begun)


def _value(kind: CheckedKind, value: str) -> object:
    from vitrail.cli.texts import read_text

    if value == "-":
        text = "".join(read_text(value))
        # of a name the line break that `echo` adds is none of its own
        return text.removesuffix("\n") if kind is CheckedKind.name else text
    if kind is CheckedKind.name:
        return value
    if value.lstrip()[:1] in ("<", "{", "[") and not Path(value[:255]).is_file():
        return value
    return "".join(read_text(value))


def _line(verdict: Verdict, **asked: object) -> str:
    said = {**asked, **verdict.model_dump(mode="json", by_alias=True)}
    # lone surrogates of an input cannot be printed as they are
    return json.dumps(said, ensure_ascii=True)


def _complain(verdict: Verdict) -> None:
    sys.stdout.flush()
    for found in verdict.diagnostics:
        print(f"{found.severity}: {found.message} ({found.code})", file=sys.stderr)


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise InvalidInput(f"expected a text, got {type(value).__name__}")
