"""A form of a reply, answered over HTTP."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.server.served import Served, served
from tests.support.turns import OneAgent, ScriptedAgent, short_system_prompt
from vitrail.adapters.claims import LockedClaims
from vitrail.adapters.clock import SystemClock
from vitrail.adapters.ids import UuidIds
from vitrail.ports import AgentEnd
from vitrail.server.runtime import Runtime
from vitrail.workflow.turn import Turns

REPLY = (
    'Before I start:\n<question-form id="brief">\n'
    '{"questions": [{"id": "size", "label": "How big?", "type": "number", "max": 5, "required": true},'
    ' {"id": "tone", "label": "Tone", "type": "checkbox", "options": ["Calm", "Warm"]}]}\n'
    "</question-form>\n"
)


@pytest.fixture
async def answering(tmp_path: Path) -> AsyncIterator[Served]:
    data = tmp_path / "data"
    locks = tmp_path / "locks"
    locks.mkdir()

    def change(runtime: Runtime) -> Runtime:
        turns = Turns(
            runtime.store,
            SystemClock(),
            UuidIds(),
            OneAgent(ScriptedAgent(REPLY, AgentEnd("done"))),
            claims=LockedClaims(locks),
            system_prompt=short_system_prompt,
        )
        return replace(runtime, turns=turns)

    async with served(data, change=change) as running:
        yield running


async def ask(server: Served) -> tuple[str, str]:
    """Let the agent ask its form; return the conversation and the message."""
    client = server.client
    project = (await client.post("/api/projects", json={"title": "Site"})).json()
    conversation = (
        await client.post(f"/api/projects/{project['id']}/conversations", json={})
    ).json()["id"]
    began = await client.post(
        f"/api/conversations/{conversation}/runs", json={"text": "A page"}
    )
    assert began.status_code == 202, began.text
    await wait(server, began.json()["run"]["id"])
    return conversation, began.json()["run"]["messageId"]


async def wait(server: Served, run: str) -> None:
    turns = server.runtime.turns
    assert isinstance(turns, Turns)
    await turns.wait(run)


async def answer(server: Served, conversation: str, **body: Any) -> Any:
    return await server.client.post(
        f"/api/conversations/{conversation}/form-answers", json=body
    )


async def test_answers_begin_a_run_and_are_a_message_with_values(
    answering: Served,
) -> None:
    conversation, message = await ask(answering)
    answers = {"size": "3", "tone": ["Calm"]}
    told = await answer(
        answering, conversation, messageId=message, formId="brief", answers=answers
    )
    assert told.status_code == 202, told.text
    await wait(answering, told.json()["run"]["id"])
    page = (await answering.client.get(f"/api/conversations/{conversation}")).json()
    assert [one["role"] for one in page["messages"]] == ["user", "assistant"] * 2
    text, values = page["messages"][2]["parts"]
    assert text["text"] == "[form answers — brief]\n- How big?: 3\n- Tone: Calm"
    assert values == {
        "type": "form_answers",
        "messageId": message,
        "formId": "brief",
        "answers": answers,
    }
    again = await answer(
        answering,
        conversation,
        messageId=message,
        formId="brief",
        answers={"size": None},
    )
    assert again.status_code == 202
    await wait(answering, again.json()["run"]["id"])


async def test_answers_that_do_not_fit_are_a_problem_that_names_each_question(
    answering: Served,
) -> None:
    conversation, message = await ask(answering)
    refused = await answer(
        answering,
        conversation,
        messageId=message,
        formId="brief",
        answers={"size": "9", "tone": "Calm", "more": "x"},
    )
    assert refused.status_code == 422
    problem = refused.json()
    assert problem["code"] == "form-answers-invalid"
    assert [one["code"] for one in problem["diagnostics"]] == [
        "form-answer-range",
        "form-answer-unknown",
    ]
    assert [one["question"] for one in problem["details"]["findings"]] == [
        "size",
        "more",
    ]
    page = (await answering.client.get(f"/api/conversations/{conversation}")).json()
    assert len(page["messages"]) == 2


async def test_a_form_that_is_not_there_and_a_body_that_is_none_are_told(
    answering: Served,
) -> None:
    conversation, message = await ask(answering)
    for of, form in ((message, "other"), ("nobody", "brief")):
        refused = await answer(
            answering, conversation, messageId=of, formId=form, answers={}
        )
        assert (refused.status_code, refused.json()["code"]) == (404, "form-not-found")
    nowhere = await answer(
        answering, "none", messageId=message, formId="brief", answers={}
    )
    assert nowhere.json()["code"] == "conversation-not-found"
    odd = await answer(
        answering, conversation, messageId=message, formId="brief", answers={"size": 3}
    )
    assert (odd.status_code, odd.json()["code"]) == (422, "unprocessable")
    short = await answer(answering, conversation, messageId=message)
    assert short.json()["code"] == "unprocessable"
