"""The command line: one table of commands, each loaded when it is called.

Strategy: `vitrail --help` must answer at once, so the table carries each
command's name and first sentence, and a command's module, named like it, is
imported only when that command runs. Every way out goes through `main`, which
turns errors into one line on standard error and an exit code: 0 done, 1
refused or failed, 2 usage. Nobody is ever shown a traceback; to see one, run
``python -X dev -m vitrail.cli.main``.
"""

from __future__ import annotations

import errno
import importlib
import keyword
import os
import sys
from collections.abc import Iterator, Sequence
from typing import Final

import typer

# typer carries its own copy of click and has no public name for its types.
from typer import _click
from typer.core import TyperGroup

from vitrail.errors import VitrailError

__all__ = ["COMMANDS", "load_command", "main"]

COMMANDS: Final[dict[str, str]] = {
    "serve": "Serve the workspace and its API on this machine.",
    "parse": "Print the events of a model's text as JSON lines.",
    "ingest": "Save what a model's text contains into a project folder.",
    "log": "List the revisions of a file, the newest first.",
    "diff": "Show what tells two texts of a file apart, by line and word.",
    "restore": "Bring an earlier revision of a file back, as a new revision.",
    "move": "Give a file another name, its manifest and what points to it along.",
    "delete": "Remove a file and its manifest; its revisions stay.",
    "quarantine": "List suspicious replacements that were kept beside the good file, or decide.",
    "gc": "Say which stored content no revision names, and remove it.",
    "import": "Bring a folder, a ZIP, a bundle or a transcript into a project, or none of it.",
    "export": "Write a project's files, its whole history or its conversations as one file.",
    "check": "Print the rules' verdict about one value, without doing anything.",
    "record": "Save a run as a recording.",
    "replay": "Play a recording.",
    "doctor": "Say what is missing on this machine, and what mends it.",
    "schema": "Print the JSON Schema of the protocol.",
}
"""Every command with its first sentence, in the order of the help page."""

_EXIT_FAILED: Final = 1
_EXIT_INTERRUPTED: Final = 130
"""128 and SIGINT, as shells count it."""


def load_command(name: str) -> _click.Command:
    """Import a command's module and return the command.

    The module is ``vitrail.cli.NAME`` and its command is the function NAME,
    with the options in its signature; where NAME is a word of Python's own, both
    have a ``_`` at their end.
    """
    called = f"{name}_" if keyword.iskeyword(name) else name
    module = importlib.import_module(f"vitrail.cli.{called}")
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    single.command(name)(getattr(module, called))
    return typer.main.get_command(single)


class _Commands(dict[str, _click.Command]):
    """All commands by name; one that is looked up is imported then."""

    def __missing__(self, name: str) -> _click.Command:
        command = self[name] = load_command(name)
        return command


class _LazyGroup(TyperGroup):
    """A group that knows its commands' names and sentences without their code."""

    def list_commands(self, ctx: _click.Context) -> list[str]:
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: _click.Context, cmd_name: str) -> _click.Command | None:
        del ctx
        return _commands[cmd_name] if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: _click.Context, args: list[str]
    ) -> tuple[str | None, _click.Command | None, list[str]]:
        if args[0] not in COMMANDS:
            # Suggestions for a mistyped name are drawn from here; the values
            # are not looked at.
            self.commands = dict.fromkeys(COMMANDS, self)
        return super().resolve_command(ctx, args)

    def format_commands(
        self, ctx: _click.Context, formatter: _click.HelpFormatter
    ) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


_commands = _Commands()


def _show_version(wanted: bool) -> None:
    if wanted:
        from vitrail import __version__

        print(f"vitrail {__version__}")
        raise typer.Exit


def _root() -> _click.Command:
    app = typer.Typer(
        cls=_LazyGroup,
        add_completion=False,
        rich_markup_mode=None,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @app.callback()
    def root(
        version: bool = typer.Option(
            False,
            "--version",
            help="Print the version.",
            is_eager=True,
            callback=_show_version,
        ),
    ) -> None:
        """Turn what a model says into something people can use."""
        del version

    return typer.main.get_command(app)


def _chain(error: BaseException) -> Iterator[BaseException]:
    """Yield the error, or what a group of tasks gathered, innermost last."""
    yield error
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _chain(inner)


def _known(error: BaseException) -> VitrailError | None:
    for one in _chain(error):
        if isinstance(one, VitrailError):
            return one
    return None


def _fail(message: str, code: str) -> int:
    print(f"error: {message} ({code})", file=sys.stderr)
    return _EXIT_FAILED


def _fail_disk(error: OSError) -> int:
    """Tell what the system refused, which most often is the output."""
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return _fail(
        f"The system refused: {error.strerror or type(error).__name__}. "
        "What had been saved before stays saved.",
        "storage-full" if is_full else "storage-failed",
    )


def _silence_output() -> None:
    """Point standard output nowhere, so that the last flush does not complain."""
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


def _open_missing_streams() -> None:
    """Give the process the outputs that a shell may start it without (``>&-``)."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - no file
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 - no file


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code.

    A command that ends by ``typer.Exit`` leaves with ``SystemExit``, as do
    usage errors (2).
    """
    _open_missing_streams()
    try:
        try:
            _root().main(argv, prog_name="vitrail")
        finally:
            # a full disk is told here; when Python ends it could not be any more
            sys.stdout.flush()
    except BrokenPipeError:
        _silence_output()
        return _EXIT_FAILED
    except OSError as error:
        if sys.flags.dev_mode:
            raise
        _silence_output()
        return _fail_disk(error)
    except KeyboardInterrupt:
        return _EXIT_INTERRUPTED
    except Exception as error:
        known = _known(error)
        if known is not None:
            return _fail(known.message, known.code)
        if sys.flags.dev_mode:
            raise
        return _fail(
            f"something went wrong inside Vitrail: {type(error).__name__}: {error}",
            "internal-error",
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
