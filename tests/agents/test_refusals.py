"""Refusals in words: every status, every shape of body, no key."""

from __future__ import annotations

import pytest

from vitrail.adapters.agents.refusals import detail_of, refusal


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ('{"error":{"message":"No\\nway"}}', "No way"),
        ('{"error":"flat"}', "flat"),
        ('{"type":"error","error":{"type":"api_error","message":"deep"}}', "deep"),
        ('{"detail":[{"msg":"field required"}]}', "field required"),
        ('{"message":"m"}', "m"),
        ("<html>long page</html>", ""),
        ("plain words", "plain words"),
        ("", ""),
        ("x" * 9999, "x" * 300 + "…"),
        ('{"error":{"message":"\\u001b[31mred"}}', "[31mred"),
    ],
)
def test_the_server_s_own_words_are_found_and_kept_short(
    body: str, detail: str
) -> None:
    assert detail_of(body) == detail


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (301, "agent-protocol"),
        (400, "agent-refused"),
        (401, "agent-key-refused"),
        (403, "agent-key-refused"),
        (404, "agent-refused"),
        (413, "agent-refused"),
        (429, "agent-rate-limited"),
        (500, "agent-failed"),
        (503, "agent-unreachable"),
        (529, "agent-rate-limited"),
    ],
)
def test_every_status_has_a_code_and_words(status: int, code: str) -> None:
    error = refusal("host", status, '{"error":"why"}', model="m")
    assert error.code == code
    assert error.message.startswith("host ")
    assert error.message.endswith("It says: why")


def test_without_a_key_the_words_ask_for_one() -> None:
    assert "wants a key" in refusal("host", 401, "", has_key=False).message
    assert "refused the key" in refusal("host", 401, "").message


def test_what_was_asked_for_is_named() -> None:
    assert (
        "no messages at this address" in refusal("h", 404, "", what="messages").message
    )
