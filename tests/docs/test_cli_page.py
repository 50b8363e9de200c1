"""docs/cli.md: every command has its section, with exactly its options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from vitrail.cli.main import COMMANDS, load_command

PAGE = Path(__file__).parents[2].joinpath("docs/cli.md").read_text(encoding="utf-8")


def _sections():
    parts = re.split(r"^## `vitrail ([a-z]+)`$", PAGE, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


SECTIONS = _sections()


def test_sections_are_the_commands_in_the_order_of_the_help_page():
    assert list(SECTIONS) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_section_names_exactly_the_options(name):
    command = load_command(name)
    options = {
        option
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--") and option != "--help"
    }
    told = set(re.findall(r"`(--[a-z-]+)[^`]*`", SECTIONS[name]))
    assert told == options
