"""The command line in this process: quick, and through its one way in and out."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from vitrail.cli.main import main

__all__ = ["Ran", "Run", "run_here"]


@dataclass(frozen=True, slots=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


Run: TypeAlias = Callable[..., Ran]


def run_here(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Return what runs a command and makes sure that nobody sees a traceback."""
    monkeypatch.delenv("VITRAIL_DATA", raising=False)

    def run(*arguments: str | Path, stdin: bytes = b"") -> Ran:
        given = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
        monkeypatch.setattr(sys, "stdin", given)
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as left:
            code = int(left.code or 0)
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        return Ran(code, said.out, said.err)

    return run
