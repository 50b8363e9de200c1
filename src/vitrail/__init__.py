"""Vitrail turns what a model says into something people can use.

    from vitrail import StreamParser, Workspace

Names are imported on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from vitrail.core.parse import StreamParser
    from vitrail.errors import (
        AgentError,
        Conflict,
        InvalidInput,
        InvalidPath,
        NotFound,
        NotPermitted,
        NotText,
        SetupError,
        StorageError,
        VitrailError,
    )
    from vitrail.workspace import Workspace

__all__ = [
    "AgentError",
    "Conflict",
    "InvalidInput",
    "InvalidPath",
    "NotFound",
    "NotPermitted",
    "NotText",
    "SetupError",
    "StorageError",
    "StreamParser",
    "VitrailError",
    "Workspace",
    "__version__",
]

__version__ = "0.1.0"

_HOMES: Final = {
    "StreamParser": "vitrail.core.parse",
    "Workspace": "vitrail.workspace",
}
"""Where a public name lives; the errors are all in `vitrail.errors`."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES.get(name, "vitrail.errors")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
