"""Keys: where they are, who may read them, and what is shown of them."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from vitrail.adapters.secrets import KeyFile, StoredKey, checked_key, key_hint
from vitrail.errors import InvalidInput, StorageError

KEY = StoredKey("sk-0123456789abcdefghij", "https://models.example:443")


def test_a_key_comes_back_and_can_be_forgotten(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "data" / "secrets.json")
    keys.put("openai", KEY)
    assert keys.read() == {"openai": KEY}
    keys.put("openai", None)
    assert keys.read() == {}


def test_keys_that_are_kept_at_once_are_all_kept(tmp_path: Path) -> None:
    keys = KeyFile(tmp_path / "secrets.json")
    names = [f"provider-{number}" for number in range(12)]
    with ThreadPoolExecutor(max_workers=6) as pool:
        list(pool.map(lambda name: keys.put(name, KEY), names))
    assert keys.read() == dict.fromkeys(names, KEY)


def test_the_file_is_its_owner_s_alone_and_leaves_nothing_beside_it(
    tmp_path: Path,
) -> None:
    path = tmp_path / "secrets.json"
    KeyFile(path).put("openai", KEY)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    assert KeyFile(path).read() == {"openai": KEY}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    "content",
    ["", "nonsense", "[]", '{"keys":3}', '{"keys":{"openai":{"key":1,"origin":"x"}}}'],
)
def test_a_damaged_file_holds_no_keys_and_can_be_written_anew(
    tmp_path: Path, content: str
) -> None:
    path = tmp_path / "secrets.json"
    path.write_text(content)
    keys = KeyFile(path)
    assert keys.read() == {}
    keys.put("openai", KEY)
    assert keys.read() == {"openai": KEY}


def test_a_link_in_the_place_of_the_file_is_not_followed(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text(json.dumps({"keys": {"openai": {"key": "k", "origin": "o"}}}))
    (tmp_path / "secrets.json").symlink_to(other)
    with pytest.raises(StorageError):
        KeyFile(tmp_path / "secrets.json").read()


def test_a_key_is_in_no_repr() -> None:
    assert KEY.key not in repr(KEY)


@pytest.mark.parametrize("text", ["a b", "ключ", "a\nb", "a\x00b", "x" * 5000])
def test_what_no_header_can_carry_is_no_key(text: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        checked_key(text)
    assert text not in refused.value.message


def test_white_space_around_a_copied_key_is_taken_off() -> None:
    assert checked_key(" sk-1\n") == "sk-1"


def test_a_hint_is_four_characters_of_a_long_key_and_none_of_a_short_one() -> None:
    assert key_hint(KEY.key) == "ghij"
    assert key_hint("short-key") == "••••"
