"""Answers to a question form become a message: found, checked, told to the model."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.turns import Desk, ScriptedAgent, open_desk
from vitrail.adapters.prompts import SystemPrompt
from vitrail.core.parse.forms import QUESTION_TYPES, FormReader
from vitrail.errors import InvalidInput, NotFound
from vitrail.ports import AgentEnd
from vitrail.protocol.events import FormAnswers, MessageAdded
from vitrail.protocol.forms import NewFormAnswers
from vitrail.protocol.records import FormAnswersPart, FormPart, Message, TextPart
from vitrail.workflow.form_answers import tell_answers

FORM = {
    "id": "brief",
    "title": "Brief",
    "questions": [
        {"id": "where", "label": "Where?", "type": "radio",
         "options": [{"label": "On a phone", "value": "phone"}], "required": True},
        {"id": "tone", "label": "Tone", "type": "checkbox", "maxSelections": 2},
        {"id": "notes", "label": "Notes", "type": "textarea"},
    ],
}  # fmt: skip


def message(*parts: FormPart, name: str = "m1") -> Message:
    return Message(
        id=name, conversation_id="c", role="assistant", parts=parts, created_at="now"
    )


def sent(
    answers: dict[str, Any], *, form: str = "brief", of: str = "m1"
) -> NewFormAnswers:
    return NewFormAnswers(message_id=of, form_id=form, answers=answers)


def whole(form: dict[str, Any]) -> FormPart:
    return FormPart(form=form, complete=True)


def test_answers_are_a_text_that_people_read_and_values_beside_it() -> None:
    answers = {"where": "On a phone", "tone": ["Calm", "Warm"], "notes": None}
    told = tell_answers([message(whole(FORM))], sent(answers))
    assert told.request.text == (
        "[form answers — brief]\n"
        "- Where?: On a phone [value: phone]\n"
        "- Tone: Calm, Warm\n"
        "- Notes: (skipped)"
    )
    assert told.part == FormAnswersPart(
        message_id="m1",
        form_id="brief",
        answers={"where": "phone", "tone": ("Calm", "Warm"), "notes": None},
    )


def test_every_answer_that_does_not_fit_is_told_with_its_question() -> None:
    answers = {"where": " ", "tone": ["a", "b", "c"], "other": "x"}
    with pytest.raises(InvalidInput) as refused:
        tell_answers([message(whole(FORM))], sent(answers))
    error = refused.value
    assert (error.code, error.status) == ("form-answers-invalid", 422)
    findings = error.details["findings"]
    assert isinstance(findings, list)
    assert [(one["question"], one["code"]) for one in findings] == [
        ("where", "form-answer-required"),
        ("tone", "form-answer-count"),
        ("other", "form-answer-unknown"),
    ]


def test_a_skipped_form_is_a_message_too() -> None:
    told = tell_answers(
        [message(whole(FORM))], sent({"where": None, "tone": None, "notes": None})
    )
    assert told.request.text.count("(skipped)") == 3
    assert set(told.part.answers.values()) == {None}


def test_only_a_finished_form_of_that_message_can_be_answered() -> None:
    broken = {**FORM, "raw": "x", "reason": "invalid-json"}
    messages = [
        message(whole(FORM), name="other"),
        message(FormPart(form=FORM, complete=False), whole(broken)),
    ]
    for asked in (sent({}), sent({}, of="nobody"), sent({}, form="x", of="other")):
        with pytest.raises(NotFound) as refused:
            tell_answers(messages, asked)
        assert refused.value.code == "form-not-found"


def test_of_two_forms_of_one_id_the_last_is_answered() -> None:
    later = {**FORM, "questions": [{"id": "x", "label": "X", "type": "text"}]}
    told = tell_answers([message(whole(FORM), whole(later))], sent({"x": "y"}))
    assert told.part.answers == {"x": "y"}


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with open_desk(tmp_path) as opened:
        yield opened


async def answer(desk: Desk, agent: ScriptedAgent, answers: dict[str, Any]) -> None:
    history = [message(whole(FORM))]
    told = tell_answers(history, sent(answers))
    desk.agents.agent = agent
    started = await desk.turns.start(
        desk.project_id, desk.conversation_id, told.request, answers=told.part
    )
    await desk.turns.wait(started.run.id)


async def test_message_and_event_carry_the_values_and_the_model_is_shown_both(
    desk: Desk,
) -> None:
    agent = ScriptedAgent(AgentEnd("done"))
    await answer(desk, agent, {"where": "phone", "tone": ["a"], "notes": None})
    user = (await desk.messages())[0]
    assert isinstance(user.parts[0], TextPart)
    assert isinstance(user.parts[1], FormAnswersPart)
    (added,) = [
        stored.event
        for stored in await desk.store.events_after(0)
        if isinstance(stored.event, MessageAdded)
    ]
    assert added.text == user.parts[0].text
    assert added.answers == FormAnswers(
        "m1", "brief", {"where": "phone", "tone": ("a",), "notes": None}
    )
    assert agent.prompts[0].messages[-1].content == (
        "[form answers — brief]\n"
        "- Where?: On a phone [value: phone]\n"
        "- Tone: a\n"
        "- Notes: (skipped)\n"
        "\n"
        "```json form-answers\n"
        '{"formId":"brief","answers":{"where":"phone","tone":["a"],"notes":null}}\n'
        "```"
    )


async def test_the_last_answers_to_a_form_are_the_ones_a_later_prompt_has(
    desk: Desk,
) -> None:
    await answer(desk, ScriptedAgent(AgentEnd("done")), {"where": "phone"})
    agent = ScriptedAgent(AgentEnd("done"))
    await answer(desk, agent, {"where": "desk"})
    first, *_, last = [
        one.content for one in agent.prompts[0].messages if one.role == "user"
    ]
    assert "answered anew later" in first
    assert "form-answers" not in first
    assert '"where":"desk"' in last
    later = ScriptedAgent(AgentEnd("done"))
    desk.agents.agent = later
    await desk.ask("Go on")
    told = "".join(one.content for one in later.prompts[0].messages)
    assert told.count("```json form-answers") == 1
    assert '"where":"desk"' in told


async def test_keys_are_taken_out_of_the_values_too(desk: Desk) -> None:
    desk.agents.keys = ("sk-abcdefghijkl",)
    agent = ScriptedAgent(AgentEnd("done"))
    await answer(
        desk,
        agent,
        {"where": "phone", "tone": ["sk-abcdefghijkl"], "notes": "sk-abcdefghijkl"},
    )
    (user, *_) = await desk.messages()
    assert "sk-abcdefghijkl" not in user.model_dump_json()
    assert "sk-abcdefghijkl" not in agent.prompts[0].messages[-1].content


def test_the_instructions_teach_a_form_that_is_one() -> None:
    text = SystemPrompt.shipped()
    body = text.split('<question-form id="brief"', 1)[1].split(">\n", 1)[1]
    reader = FormReader({"id": "brief"})
    reader.feed(body.split("</question-form>", 1)[0])
    result = reader.close()
    assert (result.ok, result.diagnostics) == (True, ())
    types = {f"`{name}`" for name in QUESTION_TYPES}
    assert all(name in text for name in types)
