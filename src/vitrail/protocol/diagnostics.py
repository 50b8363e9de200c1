"""Diagnostics: what is wrong with something a model said, as coded data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import msgspec
from msgspec import Struct

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
        from pydantic_core import core_schema  # noqa: PLC0415 - core stays free of it

        fields = {
            "code": core_schema.str_schema(),
            "severity": core_schema.literal_schema(["info", "warning", "error"]),
            "message": core_schema.str_schema(),
            "span": core_schema.nullable_schema(
                core_schema.tuple_schema(
                    [core_schema.int_schema(ge=0), core_schema.int_schema(ge=0)]
                )
            ),
        }
        body = core_schema.typed_dict_schema(
            {
                name: core_schema.typed_dict_field(schema, required=name != "span")
                for name, schema in fields.items()
            }
        )
        wire = core_schema.chain_schema(
            [
                body,
                core_schema.no_info_plain_validator_function(
                    lambda value: msgspec.convert(value, cls)
                ),
            ]
        )
        return core_schema.json_or_python_schema(
            json_schema=wire,
            python_schema=core_schema.union_schema(
                [core_schema.is_instance_schema(cls), wire]
            ),
            serialization=core_schema.plain_serializer_function_ser_schema(
                msgspec.to_builtins
            ),
            ref=f"{cls.__module__}.{cls.__qualname__}",
        )

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _schema: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Describe the wire form, which is the same in both directions."""
        _, components = msgspec.json.schema_components([cls])
        wire: dict[str, Any] = components[cls.__name__]
        return wire
