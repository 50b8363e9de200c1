"""The protocol's schema: whole, closed in itself, and what really crosses the wire."""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec
import pytest
from jsonschema_rs import Draft202012Validator, meta

from vitrail.protocol import http, manifest, recording, records
from vitrail.protocol.base import WireModel
from vitrail.protocol.diagnostics import Diagnostic
from vitrail.protocol.events import (
    PARSE_EVENTS,
    RUN_EVENTS,
    ArtifactSaved,
    RunStart,
    ShownFile,
    Text,
    encode_event,
)
from vitrail.protocol.schema import json_schema

SCHEMA = json_schema()
DEFS = SCHEMA["$defs"]


def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": DEFS})


def references(node: object) -> Iterator[str]:
    match node:
        case dict():
            if isinstance(reference := node.get("$ref"), str):
                yield reference
            for value in node.values():
                yield from references(value)
        case list():
            for value in node:
                yield from references(value)
        case _:
            pass


def test_it_is_a_schema_and_two_calls_give_the_same_text():
    assert meta.is_valid(SCHEMA)
    assert json.dumps(json_schema()) == json.dumps(SCHEMA)


def test_every_reference_is_to_a_definition():
    assert {
        reference.removeprefix("#/$defs/") for reference in references(SCHEMA)
    } <= set(DEFS)


def test_every_event_is_defined_and_told_by_its_type():
    mapping = DEFS["Event"]["discriminator"]["mapping"]
    for cls in (*PARSE_EVENTS, *RUN_EVENTS):
        assert mapping[cls.__struct_config__.tag] == f"#/$defs/{cls.__name__}"
    assert len(mapping) == len(PARSE_EVENTS) + len(RUN_EVENTS)


@pytest.mark.parametrize("module", [http, manifest, recording, records])
def test_every_public_model_is_defined(module):
    for name in module.__all__:
        value = getattr(module, name)
        if isinstance(value, type) and issubclass(value, WireModel):
            assert name in DEFS


def test_fields_are_described_where_their_docstrings_describe_them():
    digest = DEFS["Revision"]["properties"]["digest"]
    assert digest["description"] == "64 lower-case hex of the SHA-256 of the bytes."


@pytest.mark.parametrize(
    "event",
    [
        Text("hi"),
        RunStart("r", "m", "replay", None, (ShownFile("a.html", "0" * 64, "text"),)),
        ArtifactSaved(
            artifact=None,
            identifier="a",
            path="a.html",
            kind="html",
            digest="0" * 64,
            revision="r",
            number=1,
            status="complete",
            diagnostics=(Diagnostic("too-short", "warning", "Short.", (0, 3)),),
        ),
    ],
)
def test_an_encoded_event_is_valid(event):
    wire = json.loads(encode_event(event))
    validator("Event").validate(wire)
    validator(type(event).__name__).validate(wire)


def test_an_event_without_one_of_its_fields_is_not_valid():
    wire = msgspec.to_builtins(Text("hi"))
    del wire["delta"]
    assert not validator("Event").is_valid(wire)


def test_an_envelope_may_carry_an_event_of_a_later_version():
    envelope = {
        "seq": 1,
        "at": "2026-11-30T12:00:00.000Z",
        "projectId": None,
        "conversationId": None,
        "runId": None,
        "messageId": None,
        "event": {"type": "later:thing", "x": 1},
    }
    validator("Envelope").validate(envelope)
    envelope["event"] = {"type": ""}
    assert not validator("Envelope").is_valid(envelope)


def test_what_a_client_sends_may_leave_defaults_out_and_what_arrives_has_them():
    validator("NewRun").validate({"text": "hi"})
    assert not validator("NewRun").is_valid({"text": "hi", "unknown": 1})
    arrives = http.AgentTestResult(ok=True, message="It answers.")
    wire = arrives.model_dump(mode="json", by_alias=True)
    validator("AgentTestResult").validate(wire)
    assert "models" in DEFS["AgentTestResult"]["required"]


def test_a_diagnostic_is_the_same_in_models_and_in_events():
    verdict = http.Verdict(
        ok=False, diagnostics=(Diagnostic("too-short", "error", "Short.", (1, 2)),)
    )
    wire = json.loads(verdict.model_dump_json())
    validator("Verdict").validate(wire)
    validator("Diagnostic").validate(wire["diagnostics"][0])
    assert http.Verdict.model_validate(wire) == verdict
