"""`vitrail log`, `diff`, `restore`, `quarantine` and `gc`: what they say and refuse."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tests.support.command_line import Ran, Run, run_here
from vitrail import Workspace
from vitrail.errors import VitrailError
from vitrail.limits import MAX_OUTSIDE_BYTES

SECTIONS = "".join(
    f"<section id=s{number}><h2>Part {number}</h2>\n<p>{f'word{number} other{number} ' * 40}</p></section>\n"
    for number in range(15)
)
GOOD = f"<!doctype html><html><body>\n{SECTIONS}</body></html>"
STUB = (
    "<!doctype html><html><body><h2>Part 0</h2><p>Only this is left.</p></body></html>"
)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in ("", "_MIN_RATIO", "_MIN_PRIOR_BYTES"):
        monkeypatch.delenv(f"VITRAIL_STUB_GUARD{name}", raising=False)
    return run_here(capsys, monkeypatch)


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def saved(run: Run, site: Path, body: str, *options: str) -> Ran:
    reply = f'<artifact identifier="index" type="text/html" title="T">{body}</artifact>'
    return run("ingest", "-", "--project", site, *options, stdin=reply.encode())


@pytest.fixture
def site(run: Run, tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    assert saved(run, folder, GOOD).code == 0
    return folder


def refused(done: Ran, code: str) -> str:
    assert done.code == 1, done
    assert f"({code})" in done.err
    return done.err


# --- log and diff -------------------------------------------------------------


def test_the_log_names_each_revision_the_newest_first(run: Run, site: Path) -> None:
    saved(run, site, GOOD.replace("Part 3", "Part three"), "--replace", "a word")
    done = run("log", site / "index.html")
    assert (done.code, done.err) == (0, "")
    newest, first = done.out.splitlines()
    assert newest.split()[0] == "2"
    assert newest.endswith("a word")
    assert first.split()[:2] == ["1", sha(GOOD)[:12]]
    said = run("log", site / "index.html", "--json", "--limit", "1").json()
    assert [one["number"] for one in said["revisions"]] == [2]
    assert (said["total"], said["more"]) == (2, True)


@pytest.mark.parametrize("command", ["diff", "restore"])
def test_a_file_without_revisions_is_not_told_to_be_missing(
    run: Run, site: Path, command: str
) -> None:
    (site / "mine.html").write_text("<p>mine</p>")
    words = refused(run(command, site / "mine.html", "1"), "revision-not-found")
    assert "mine.html has no revisions yet: the file is there" in words
    refused(run(command, site / "none.html", "1"), "file-not-found")


def test_the_log_tells_of_a_file_that_is_too_large_for_a_history(
    run: Run, site: Path
) -> None:
    with (site / "film.mp4").open("wb") as film:
        film.truncate(MAX_OUTSIDE_BYTES + 1)  # a hole: it takes no room
    done = run("log", site / "film.mp4")
    assert done.code == 0
    assert f"Files above {MAX_OUTSIDE_BYTES} bytes get no history" in done.out
    assert "Vitrail has written nothing" not in done.out
    said = run("log", site / "film.mp4", "--json").json()
    assert [one["code"] for one in said["diagnostics"]] == ["outside-file-too-large"]


def test_a_difference_shows_lines_and_words_and_names_what_is_gone(
    run: Run, site: Path
) -> None:
    shorter = GOOD.replace("<h2>Part 3</h2>", "<h2>Third part</h2>")
    shorter = shorter[: shorter.index("<section id=s14>")] + "</body></html>"
    saved(run, site, shorter)
    done = run("diff", site / "index.html")
    assert done.code == 0
    assert "-<section id=s3><h2>Part 3</h2>" in done.out
    assert "+<section id=s3><h2>Third part</h2>" in done.out
    assert "without section Part 14" in done.out
    marked = run("diff", site / "index.html", "1", "2", "--words").out
    assert "{+Third" in marked
    said = run("diff", site / "index.html", "@~1", "@", "--json").json()
    assert (said["old"]["number"], said["new"]["number"]) == (1, 2)


def test_what_another_program_wrote_is_compared_with_the_newest(
    run: Run, site: Path
) -> None:
    (site / "index.html").write_text(GOOD.replace("Part 5", "Part five"))
    done = run("diff", site / "index.html")
    assert "revision 1 (model)" in done.out
    assert "as another program left it" in done.out


def test_a_terminal_does_not_obey_what_a_file_holds(run: Run, site: Path) -> None:
    saved(run, site, GOOD.replace("Part 3", "Part \x1b[2J\x1b]0;owned\x07"))
    assert "\x1b" not in run("diff", site / "index.html").out


@pytest.mark.parametrize("named", ["9", "@~9", "@x", "@~-1", "abc", "f" * 64, "", "²"])
def test_a_revision_that_is_not_there_is_told(run: Run, site: Path, named: str) -> None:
    for command in ("diff", "restore"):
        refused(run(command, site / "index.html", named), "revision-not-found")
    assert (site / "index.html").read_text() == GOOD


def test_a_revision_is_named_by_number_place_id_and_digest(site: Path) -> None:
    with Workspace(site) as workspace:
        (only,) = workspace.log("index.html")
        for named in ("1", "@", "@~0", only.id, only.id[:20], only.digest[:8].upper()):
            assert workspace.revision("index.html", named) == only


def test_a_beginning_that_two_revisions_have_is_refused(run: Run, site: Path) -> None:
    saved(run, site, GOOD.replace("Part 3", "Part three"))
    with Workspace(site) as workspace:
        newest = workspace.log("index.html")[0]
        with pytest.raises(VitrailError, match="more characters"):
            workspace.revision("index.html", newest.id[:4])


@pytest.mark.parametrize("command", ["log", "diff"])
def test_a_file_of_no_project_is_told_and_nothing_is_made(
    run: Run, tmp_path: Path, command: str
) -> None:
    for named in (tmp_path / "none" / "x.html", "", "nul\0.html", tmp_path):
        refused(run(command, named), "file-not-found")
    assert list(tmp_path.iterdir()) == []


# --- restore ------------------------------------------------------------------


def test_a_restore_is_a_new_revision(run: Run, site: Path) -> None:
    saved(run, site, STUB, "--replace", "shorter")
    done = run("restore", site / "index.html", "1")
    assert (done.code, done.err) == (0, "")
    assert "revision 3" in done.out
    assert (site / "index.html").read_text() == GOOD
    said = run("log", site / "index.html", "--json").json()
    assert [one["author"] for one in said["revisions"]] == ["restore", "model", "model"]


def test_a_restore_may_name_the_digest_it_is_for(run: Run, site: Path) -> None:
    stale = ("restore", site / "index.html", "1", "--if-match")
    refused(run(*stale, "0" * 64), "revision-conflict")
    refused(run(*stale, "none"), "input-invalid")
    assert run(*stale, sha(GOOD)).code == 0


def test_a_file_that_is_gone_comes_back(run: Run, site: Path) -> None:
    (site / "index.html").unlink()
    assert run("log", site / "index.html").code == 0
    assert run("restore", site / "index.html", "@").code == 0
    assert (site / "index.html").read_text() == GOOD


# --- quarantine ---------------------------------------------------------------


def test_an_ingest_names_the_draft_and_what_is_gone(run: Run, site: Path) -> None:
    done = saved(run, site, STUB)
    assert (done.code, done.err) == (0, "")
    assert "index.draft.html" in done.out
    assert "section 'Part 7'" in done.out
    (held,) = saved(run, site, STUB, "--json").json()["quarantined"]
    assert (held["path"], held["draft"]) == ("index.html", "index.draft.html")
    assert {"what": "section", "name": "Part 7"}.items() <= held["lost"][7].items()
    assert (site / "index.html").read_text() == GOOD


@pytest.mark.parametrize("named", ["index.html", "index.draft.html", "./INDEX.html"])
def test_a_draft_is_accepted_by_any_of_its_names(
    run: Run, site: Path, named: str
) -> None:
    saved(run, site, STUB)
    assert "index.draft.html" in run("quarantine", "list", "--project", site).out
    done = run("quarantine", "accept", named, "--project", site)
    assert (done.code, done.err) == (0, "")
    assert (site / "index.html").read_text() == STUB
    assert not (site / "index.draft.html").exists()
    assert "No draft" in run("quarantine", "list", "--project", site).out


def test_a_draft_is_dropped_by_its_id(run: Run, site: Path) -> None:
    saved(run, site, STUB)
    (record,) = run("quarantine", "list", "--project", site, "--json").json()["drafts"]
    done = run("quarantine", "drop", record["id"], "--project", site)
    assert (done.code, done.err) == (0, "")
    assert (site / "index.html").read_text() == GOOD
    assert not (site / "index.draft.html").exists()
    refused(
        run("quarantine", "drop", record["id"], "--project", site),
        "quarantine-not-found",
    )


def test_a_draft_is_accepted_onto_the_named_file_only(run: Run, site: Path) -> None:
    saved(run, site, STUB)
    accept = ("quarantine", "accept", "index.html", "--project", site, "--if-match")
    refused(run(*accept, "0" * 64), "revision-conflict")
    assert (site / "index.html").read_text() == GOOD
    assert run(*accept, sha(GOOD)).code == 0


def test_what_is_no_decision_is_a_usage_error(run: Run, site: Path) -> None:
    for words in (["accept"], ["drop"], ["list", "index.html"], ["keep", "x"], []):
        assert run("quarantine", *words, "--project", site).code == 2


def test_a_folder_without_history_has_no_drafts_and_gets_none(
    run: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    refused(run("quarantine", "list", "--project", folder), "project-not-found")
    assert list(folder.iterdir()) == []


# --- the guard's settings -----------------------------------------------------


@pytest.mark.parametrize(
    ("mode", "code", "text"),
    [("off", 0, STUB), ("WARN", 0, STUB), ("quarantine", 0, GOOD), ("reject", 1, GOOD)],
)
def test_the_environment_says_how_strict_the_guard_is(
    run: Run,
    site: Path,
    monkeypatch: pytest.MonkeyPatch,
    mode: str,
    code: int,
    text: str,
) -> None:
    monkeypatch.setenv("VITRAIL_STUB_GUARD", mode)
    done = saved(run, site, STUB)
    assert done.code == code
    assert (site / "index.html").read_text() == text
    assert (site / "index.draft.html").exists() == (mode == "quarantine")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("VITRAIL_STUB_GUARD", "maybe"),
        ("VITRAIL_STUB_GUARD_MIN_RATIO", "5"),
        ("VITRAIL_STUB_GUARD_MIN_PRIOR_BYTES", "-12"),
    ],
)
def test_a_setting_that_says_nothing_is_told_and_the_guard_stays_on(
    run: Run, site: Path, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(name, value)
    done = saved(run, site, STUB)
    assert done.code == 0
    assert name in done.err
    assert (site / "index.html").read_text() == GOOD


def test_a_reason_of_no_words_is_a_usage_error(run: Run, site: Path) -> None:
    assert saved(run, site, STUB, "--replace", "  ").code == 2
    assert (site / "index.html").read_text() == GOOD


# --- gc -----------------------------------------------------------------------


def test_what_no_revision_names_is_told_then_removed(run: Run, site: Path) -> None:
    left = run("gc", site, "--dry-run")
    assert left.code == 0
    assert left.out.startswith("0 contents")
    said = run("gc", site, "--json").json()
    assert (said["dryRun"], said["objects"], said["kept"]) == (False, [], 1)
    assert run("restore", site / "index.html", "1").code == 0


def test_a_folder_without_a_data_folder_has_nothing_to_collect(
    run: Run, tmp_path: Path
) -> None:
    refused(run("gc", tmp_path), "not-found")
    assert list(tmp_path.iterdir()) == []
