"""Save a reply's artifacts while the model still speaks, and look at their history."""

from __future__ import annotations

from collections.abc import Iterator

from vitrail import Workspace

PAGE = "<!doctype html><html><body><h1>Tea</h1><p>{}</p></body></html>"


def reply(words: str) -> Iterator[str]:
    """Yield a model's reply in pieces, as an API would give them."""
    body = PAGE.format(words)
    text = f'Done.\n<artifact identifier="tea" type="text/html">\n{body}\n</artifact>'
    for start in range(0, len(text), 7):
        yield text[start : start + 7]


with Workspace("site") as workspace:
    workspace.ingest(reply("Green, black and white, from two leaves."))
    result = workspace.ingest(reply("Green, black, white and oolong, from two leaves."))

    print(result.text.strip())
    for saved in result.saved:
        print(saved.path, "has", len(workspace.log(saved.path)), "revisions")
    for refused in result.refused:
        for diagnostic in refused.diagnostics:
            print(refused.identifier, diagnostic.code, diagnostic.message)
