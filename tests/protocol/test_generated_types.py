"""The TypeScript types are what the protocol says, and a stale file is found."""

from __future__ import annotations

from scripts.generate_types import TARGET, main


def test_the_committed_types_are_current():
    assert main(["--check"]) == 0


def test_a_stale_file_is_found_and_left_alone(tmp_path, capsys):
    stale = tmp_path / "generated.ts"
    text = TARGET.read_text("utf-8").replace("readonly delta: string;", "", 1)
    stale.write_text(text, "utf-8")
    assert main(["--check"], target=stale) == 1
    assert "run scripts/generate_types.py" in capsys.readouterr().err
    assert stale.read_text("utf-8") == text


def test_writing_twice_gives_the_same_bytes(tmp_path):
    target = tmp_path / "generated.ts"
    assert main([], target=target) == 0
    first = target.read_bytes()
    assert main([], target=target) == 0
    assert target.read_bytes() == first == TARGET.read_bytes()


def test_nothing_on_the_wire_is_writable_and_nothing_is_any():
    lines = [
        line
        for line in TARGET.read_text("utf-8").splitlines()
        if not line.lstrip().startswith(("*", "/*", "//"))
    ]
    assert not [
        line
        for line in lines
        if line.startswith("  ") and ": " in line and "readonly" not in line
    ]
    assert not [line for line in lines if ": any" in line]


def test_an_unknown_argument_is_a_usage_error(capsys):
    assert main(["--wrong"]) == 2
    assert "usage" in capsys.readouterr().err
