"""The JSON Schema of the whole protocol, from the one source: the types themselves.

Strategy: msgspec describes the events, pydantic the records and bodies; both
write into one ``$defs``. What a client sends is described as it may be sent
(defaults may be left out), what the server sends as it arrives (defaults are
there), and what lies in files as it may be read. ``web/packages/protocol`` is
generated from this schema.
"""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec
from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from vitrail.protocol import (
    bundle,
    forms,
    history,
    http,
    imports,
    manifest,
    recording,
    records,
    transcript,
)
from vitrail.protocol.events import PARSE_EVENTS, RUN_EVENTS, Event

__all__ = ["PROTOCOL_VERSION", "json_schema"]

PROTOCOL_VERSION: Final = 1
"""Rises when an old client can no longer read what a new server sends."""

_SENT_BY_CLIENTS: Final[tuple[type[BaseModel], ...]] = (
    http.NewProject,
    http.ProjectPatch,
    http.NewConversation,
    http.NewRun,
    http.ModelSettings,
    http.AgentTest,
    http.ProviderDefault,
    http.ProviderSettings,
    http.ProviderTry,
    http.NewPreview,
    history.NewRestore,
    history.NewMove,
    history.AcceptDraft,
    forms.NewFormAnswers,
    # what a form may have, whole or not; events and parts carry it as it is
    forms.Form,
)
_IN_FILES: Final[tuple[type[BaseModel], ...]] = (
    manifest.ArtifactManifest,
    recording.RecordingHead,
    recording.RecordingLine,
    recording.RecordingUsage,
)


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of every event, record, body and file head.

    Everything is under ``$defs`` by its name, in alphabetical order, so that
    two calls give the same text. ``Event`` is the union of the known events by
    their ``type``; an ``Envelope`` may also carry one that is not known.

    >>> sorted(json_schema())
    ['$defs', '$id', '$schema', 'description', 'title', 'version']
    """
    defs = _pydantic_defs(_models(), "serialization")
    defs |= _pydantic_defs((*_SENT_BY_CLIENTS, *_IN_FILES), "validation")
    defs |= _event_defs()
    _name_part_union(defs)
    defs["Envelope"]["properties"]["event"] = {
        "anyOf": [{"$ref": "#/$defs/Event"}, {"$ref": "#/$defs/UnknownEvent"}]
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:vitrail:protocol:{PROTOCOL_VERSION}",
        "title": "Vitrail protocol",
        "description": "Events, records, HTTP bodies, manifests and recordings.",
        "version": PROTOCOL_VERSION,
        "$defs": dict(sorted(defs.items())),
    }


class _Untitled(GenerateJsonSchema):
    """Leaves out the titles that pydantic makes from field names: they say nothing."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - the base class names it
        """Answer no."""
        return False


def _models() -> tuple[type[BaseModel], ...]:
    """Return every model that a module of the protocol makes public."""
    return tuple(
        value
        for module in (
            records,
            manifest,
            recording,
            http,
            history,
            imports,
            bundle,
            transcript,
        )
        for name in module.__all__
        if isinstance(value := getattr(module, name), type)
        and issubclass(value, BaseModel)
    )


def _pydantic_defs(
    models: tuple[type[BaseModel], ...], mode: Literal["validation", "serialization"]
) -> dict[str, Any]:
    _, top = models_json_schema(
        [(model, mode) for model in models],
        by_alias=True,
        ref_template="#/$defs/{model}",
        schema_generator=_Untitled,
    )
    defs: dict[str, Any] = top["$defs"]
    return defs


def _name_part_union(defs: dict[str, Any]) -> None:
    """Give the union of a message's parts a name of its own."""
    parts = defs["Message"]["properties"]["parts"]
    defs["Part"] = {"title": "Part", "description": "One part of a message."} | parts[
        "items"
    ]
    parts["items"] = {"$ref": "#/$defs/Part"}


def _event_defs() -> dict[str, Any]:
    (union,), components = msgspec.json.schema_components(
        [Event], ref_template="#/$defs/{name}"
    )
    for component in components.values():
        # msgspec always writes the defaults, so every field arrives
        component["required"] = list(component["properties"])
    return components | {
        "Event": {
            "title": "Event",
            "description": "Any event that this version knows.",
            "oneOf": union["anyOf"],
            "discriminator": union["discriminator"],
        },
        "ParseEvent": _named_union(
            "ParseEvent", "What a parsed reply is made of.", PARSE_EVENTS
        ),
        "RunEvent": _named_union(
            "RunEvent", "What a run and the store add.", RUN_EVENTS
        ),
        "UnknownEvent": {
            "title": "UnknownEvent",
            "description": "An event of a later version: carried, never an error.",
            "type": "object",
            "properties": {"type": {"type": "string", "minLength": 1}},
            "required": ["type"],
            "additionalProperties": True,
        },
    }


def _named_union(
    title: str, description: str, classes: tuple[type[msgspec.Struct], ...]
) -> dict[str, Any]:
    tags = {str(cls.__struct_config__.tag): cls.__name__ for cls in classes}
    return {
        "title": title,
        "description": description,
        "oneOf": [{"$ref": f"#/$defs/{name}"} for name in tags.values()],
        "discriminator": {
            "propertyName": "type",
            "mapping": {tag: f"#/$defs/{name}" for tag, name in tags.items()},
        },
    }
