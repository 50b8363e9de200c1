"""Structs as fields of pydantic models: what both protocols of a struct share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import msgspec

if TYPE_CHECKING:
    from pydantic_core import CoreSchema

__all__ = ["struct_schema", "wire_schema"]


def struct_schema(cls: type[msgspec.Struct], wire: dict[str, Any]) -> CoreSchema:
    """Return how pydantic takes such a struct as it is, or its ``wire`` form."""
    is_struct = {"type": "is-instance", "cls": cls}
    schema = {
        "type": "json-or-python",
        "json_schema": wire,
        "python_schema": {"type": "union", "choices": [is_struct, wire]},
        "serialization": {"type": "function-plain", "function": msgspec.to_builtins},
        "ref": f"{cls.__module__}.{cls.__qualname__}",
    }
    return cast("CoreSchema", schema)  # core schemas are dicts: no import for core


def wire_schema(cls: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the JSON Schema of its wire form, the same in both directions."""
    _, components = msgspec.json.schema_components([cls])
    wire: dict[str, Any] = components[cls.__name__]
    return wire
