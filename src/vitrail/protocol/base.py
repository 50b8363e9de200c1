"""What every pydantic model of the protocol has in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict
from pydantic.alias_generators import to_camel

__all__ = ["WireModel"]


class WireModel(BaseModel):
    """A frozen model whose wire names are camelCase and whose unknown keys are refused.

    ``model_dump(mode="json", by_alias=True)`` is the wire form.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        populate_by_name=True,
        serialize_by_alias=True,
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )
