"""Diagnostics: what is wrong with something a model said, as coded data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

from vitrail.protocol.structs import struct_schema, wire_schema

if TYPE_CHECKING:
    from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
    from pydantic_core import CoreSchema

__all__ = ["Diagnostic", "Severity", "Span"]

Span: TypeAlias = tuple[int, int]
"""Half-open ``[start, end)`` in code points."""

Severity: TypeAlias = Literal["info", "warning", "error"]
"""``info``: told; ``warning``: fixed or suspicious; ``error``: not taken."""


class Diagnostic(Struct, frozen=True, gc=False):
    """One coded finding of a rule, for the person and for the model.

    A struct and not a pydantic model because stream events carry it; pydantic
    models may have it as a field all the same.
    """

    code: str
    """Stable kebab-case code; docs/errors.md lists them all."""
    severity: Severity
    message: str
    """One or two sentences: what is wrong, and what would be right."""
    span: Span | None = None
    """Code points of the text that was checked, where there is one place."""

    @classmethod
    def __get_pydantic_core_schema__(
        cls,
        source: type[Any],  # pydantic's own signature
        handler: GetCoreSchemaHandler,
    ) -> CoreSchema:
        """Let pydantic models hold a diagnostic: validated and dumped by msgspec."""
        number = {"type": "int", "ge": 0}
        span = {"type": "tuple", "items_schema": [number, number]}
        fields = {
            "code": {"type": "str"},
            "severity": {"type": "literal", "expected": ["info", "warning", "error"]},
            "message": {"type": "str"},
            "span": {"type": "nullable", "schema": span},
        }
        body = {
            "type": "typed-dict",
            "fields": {
                name: {
                    "type": "typed-dict-field",
                    "schema": schema,
                    "required": name != "span",
                }
                for name, schema in fields.items()
            },
        }
        convert = {
            "type": "function-plain",
            "function": {
                "type": "no-info",
                "function": lambda value: msgspec.convert(value, cls),
            },
        }
        wire = {"type": "chain", "steps": [body, convert]}
        return struct_schema(cls, wire)

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describe the wire form, which is the same in both directions."""
        return wire_schema(cls)
