"""The gates at the write entry, over the real store."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from vitrail import Workspace
from vitrail.core.validate import GatePolicy
from vitrail.errors import InvalidInput

DECLARED = {
    "text": "[Client]",
    "fixture": {"unfinished": "For [Client]", "finished": "For Acme"},
}


def page(text: str) -> str:
    return (
        "<!doctype html><html><body><h1>A page of some length, at last</h1>"
        f"<p>{text}</p></body></html>"
    )


def reply(text: str, identifier: str = "page") -> str:
    return f'<artifact identifier="{identifier}" type="text/html">{text}</artifact>'


def declare(folder: Path, value: object) -> Path:
    own = folder / ".vitrail"
    own.mkdir(exist_ok=True)
    path = own / "project.json"
    path.write_text(json.dumps(value))
    return path


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    return tmp_path / "site"


def test_a_model_s_page_with_a_placeholder_is_refused_and_nothing_is_there(
    site: Path, tmp_path: Path
) -> None:
    with Workspace(site, data=tmp_path / "data") as ws:
        result = ws.ingest(reply(page("Name to confirm")))
    assert [one.diagnostics[0].code for one in result.refused] == [
        "artifact-publication-blocked"
    ]
    assert [one.name for one in site.iterdir() if one.name != ".vitrail"] == []


def test_what_the_project_declares_blocks_a_person_s_page_too(
    site: Path, tmp_path: Path
) -> None:
    declare(site, {"placeholders": [DECLARED], "theirs": 1})
    with Workspace(site, data=tmp_path / "data") as ws:
        with pytest.raises(InvalidInput) as refused:
            ws.write("a.html", page("For [Client]").encode())
        assert refused.value.code == "artifact-publication-blocked"
        assert refused.value.details["placeholders"] == ["[Client]"]
        assert ws.write("notes.md", b"For [Client]").verdict == "accepted"
        assert ws.write("a.html", page("For Acme").encode()).verdict == "accepted"


def test_what_a_manifest_declares_blocks_its_own_page(
    site: Path, tmp_path: Path
) -> None:
    with Workspace(site, data=tmp_path / "data") as ws:
        first = ws.write("a.html", page("For Acme").encode())
        sidecar = site / "a.html.artifact.json"
        said = json.loads(sidecar.read_text())
        said["metadata"]["placeholders"] = [DECLARED]
        sidecar.write_text(json.dumps(said))
        with pytest.raises(InvalidInput):
            ws.write(
                "a.html", page("For [Client]").encode(), digest=first.revision.digest
            )
        assert ws.write("b.html", page("For [Client]").encode()).verdict == "accepted"


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"placeholders": "x"},
        {"placeholders": [{"text": "the page", "fixture": {}}]},
    ],
)
def test_a_declaration_that_proves_nothing_blocks_nothing_and_is_told(
    site: Path, tmp_path: Path, value: object
) -> None:
    declare(site, value)
    with Workspace(site, data=tmp_path / "data") as ws:
        result = ws.write("a.html", page("of the page").encode())
    assert result.verdict == "accepted"
    assert [one.code for one in result.diagnostics] == ["placeholder-unproven"]


@pytest.mark.parametrize("what", ["link", "pipe", "folder"])
def test_a_project_file_that_is_no_file_declares_nothing(
    site: Path, tmp_path: Path, what: str
) -> None:
    elsewhere = tmp_path / "elsewhere.json"
    elsewhere.write_text(json.dumps({"placeholders": [DECLARED]}))
    path = declare(site, {})
    path.unlink()
    match what:
        case "link":
            path.symlink_to(elsewhere)
        case "pipe":
            os.mkfifo(path)
        case _:
            path.mkdir()
    with Workspace(site, data=tmp_path / "data") as ws:
        result = ws.write("a.html", page("For [Client]").encode())
    assert (result.verdict, result.diagnostics) == ("accepted", ())


def test_a_wrong_bundle_is_mended_on_its_way_to_disk(
    site: Path, tmp_path: Path
) -> None:
    wrong = "https://unpkg.com/motion@12.4.7/dist/motion.js"
    text = page(f'<script src="{wrong}"></script><script>useScroll()</script>')
    with Workspace(site, data=tmp_path / "data") as ws:
        result = ws.ingest(reply(text))
    assert [one.diagnostics[0].code for one in result.fixed] == [
        "runtime-import-repaired"
    ]
    saved = (site / "page.html").read_text()
    assert saved == text.replace(
        wrong, "https://unpkg.com/framer-motion@12.4.7/dist/framer-motion.js"
    )


def test_a_stub_is_kept_beside_the_good_page(site: Path, tmp_path: Path) -> None:
    good = page("<p>One sentence of many.</p>" * 400)
    with Workspace(site, data=tmp_path / "data") as ws:
        ws.ingest(reply(good))
        result = ws.ingest(reply(page("Much the same as it was before, see there.")))
    assert (site / "page.html").read_text() == good
    codes = [found.code for one in result.quarantined for found in one.diagnostics]
    assert "artifact-regression" in codes


@pytest.mark.parametrize("mode", ["warn", "off"])
def test_a_stub_goes_onto_it_where_the_settings_ask_for_it(
    site: Path, tmp_path: Path, mode: str
) -> None:
    stub = page("Much the same as it was before, see there.")
    policy = GatePolicy(mode)  # type: ignore[arg-type] # one of the modes
    with Workspace(site, data=tmp_path / "data", gates=policy) as ws:
        ws.ingest(reply(page("<p>One sentence of many.</p>" * 400)))
        result = ws.ingest(reply(stub))
    assert (site / "page.html").read_text() == stub
    told = [found.code for one in result.fixed for found in one.diagnostics]
    assert ("artifact-regression" in told) is (mode == "warn")


def test_a_stub_is_refused_where_the_settings_ask_for_it(
    site: Path, tmp_path: Path
) -> None:
    good = page("<p>One sentence of many.</p>" * 400)
    policy = GatePolicy("reject")
    with Workspace(site, data=tmp_path / "data", gates=policy) as ws:
        ws.ingest(reply(good))
        before = sorted(one.name for one in site.iterdir())
        result = ws.ingest(reply(page("Much the same as it was before, see there.")))
        assert [one.diagnostics[0].code for one in result.refused] == [
            "artifact-regression"
        ]
        assert sorted(one.name for one in site.iterdir()) == before
        assert (site / "page.html").read_text() == good
        # a reason lets it pass
        stub = page("The page was cut down as we agreed on the phone.")
        assert ws.ingest(reply(stub), reason="as agreed").saved
    assert (site / "page.html").read_text() == stub


def test_a_reply_of_several_files_is_one_page_with_its_parts(
    site: Path, tmp_path: Path
) -> None:
    bolt = (
        '<boltArtifact id="site" title="Site">'
        '<boltAction type="file" filePath="index.html">'
        + page('<img src="img/logo.svg">').replace(
            "<body>", '<body><link rel=stylesheet href="css/a.css">'
        )
        + "</boltAction>"
        '<boltAction type="file" filePath="css/a.css">h1{color:red}</boltAction>'
        "</boltArtifact>"
    )
    with Workspace(site, data=tmp_path / "data") as ws:
        assert len(ws.ingest(bolt).saved) == 2
    said = json.loads((site / "index.html.artifact.json").read_text())
    assert said["supportingFiles"] == ["css/a.css", "img/logo.svg"]


def test_a_page_that_is_exported_brings_along_what_its_parts_ask_for(
    site: Path, tmp_path: Path
) -> None:
    texts = {
        "index.html": page('<script src="app.js"></script><a href="b.html">b</a>'),
        "app.js": "import './lib/x.js'; fetch('rows.json')",
        "lib/x.js": "export default 1",
        "rows.json": "[]",
        "b.html": page("another page"),
        "notes.txt": "not asked for",
    }
    with Workspace(site, data=tmp_path / "data") as ws:
        for path, text in texts.items():
            ws.write(path, text.encode())
        ws.zip(tmp_path / "page.zip", only="index.html")
    with zipfile.ZipFile(tmp_path / "page.zip") as packed:
        assert sorted(packed.namelist()) == [
            "app.js",
            "index.html",
            "lib/x.js",
            "rows.json",
        ]
