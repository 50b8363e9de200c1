"""Cut a model's text into what a person reads and what becomes a file, while it arrives."""

from __future__ import annotations

from vitrail import StreamParser
from vitrail.protocol.events import ArtifactChunk, ArtifactEnd, ArtifactStart, Text

# A model's text comes in pieces that are cut anywhere, in the middle of a tag too.
PIECES = (
    "Here is the page",
    ".\n<artifact identifier='hello' type='te",
    "xt/html' title='Hello'><!doctype html><h1>Hel",
    "lo</h1></artif",
    "act>\nAnything else?",
)

parser = StreamParser()
events = [event for piece in PIECES for event in parser.feed(piece)]
events += parser.close()

for event in events:
    match event:
        case Text():
            print("text ", repr(event.delta))
        case ArtifactStart():
            print("start", event.identifier, event.artifact_type, event.title)
        case ArtifactChunk():
            print("body ", repr(event.delta))
        case ArtifactEnd():
            print("end  ", f"{event.length} code points, complete: {event.complete}")
