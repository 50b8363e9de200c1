"""Losses: what a new text of a file no longer has, as coded data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from vitrail.protocol.diagnostics import Span
from vitrail.protocol.structs import struct_schema, wire_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

__all__ = ["LossKind", "Lost"]

LossKind: TypeAlias = Literal["section", "id", "function", "slide", "words", "typed"]
"""What it was: a headed section, an element's id, a function of a script, a slide,
a passage of words, or a passage that a person had typed."""


class Lost(Struct, frozen=True, gc=False):
    """One thing that the old text has and the new one has not.

    A struct, as a `Diagnostic` is, because events carry it; pydantic models may
    have it as a field all the same.
    """

    what: LossKind
    name: str
    """The section's heading, the id, the function's name, the first words."""
    span: Span | None = None
    """Code points of the old text, where it can be put back from."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls,
        source: type[Any],  # pydantic's own signature
        handler: GetCoreSchemaHandler,
    ) -> CoreSchema:
        """Let pydantic models hold a loss: validated and dumped by msgspec."""
        convert = {
            "type": "function-plain",
            "function": {"type": "no-info", "function": _converted},
        }
        return struct_schema(cls, convert)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describe the wire form, which is the same in both directions."""
        return wire_schema(cls)


def _converted(value: object) -> Lost:
    try:
        return msgspec.convert(value, Lost)
    except msgspec.ValidationError as cause:
        # pydantic takes a ValueError for a finding of its own
        raise ValueError(str(cause)) from cause
