"""Question forms in the thread: they come, are filled in, sent, and stay answered."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, expect

from tests.support.chromium import RunningServer
from tests.support.workspace_page import answer_with, new_project, reply_ended, send

pytestmark = pytest.mark.browser

QUESTIONS = [
    {
        "id": "platform",
        "label": "Where does it run?",
        "type": "radio",
        "required": True,
        "options": [
            {"value": "mobile", "label": "Mobile (iOS/Android)"},
            {"value": "web", "label": "Web"},
        ],
    },
    {
        "id": "tone",
        "label": "Tone",
        "type": "checkbox",
        "maxSelections": 2,
        "allowCustom": False,
        "options": ["Calm", "Warm", "Bold"],
        "default": ["Calm"],
    },
    {"id": "mail", "label": "Who gets it?", "type": "email"},
    {"id": "notes", "label": "Anything else?", "type": "textarea"},
]


def reply(*questions: object, rest: str = "", **more: object) -> str:
    form = json.dumps({"questions": questions, **more}, ensure_ascii=False, indent=1)
    return (
        "Before I begin:\n\n"
        '<question-form id="brief" title="A few questions first">\n'
        f"{form}\n</question-form>\n{rest}"
    )


async def ask(
    page: Page, server: RunningServer, said: str, *, delay_s: float = 0
) -> Locator:
    """Let a program ask with a form, and return the form."""
    await answer_with(page, server.data.parent / "agent", said, delay_s=delay_s)
    await new_project(page, "Forms")
    await send(page, "Make a deck")
    return page.get_by_role("form", name="A few questions first")


def field(form: Locator, label: str) -> Locator:
    """Return the control of a question; its way past carries the label too."""
    return form.locator("input, select, textarea").and_(form.get_by_label(label))


def summary(page: Page) -> Locator:
    return page.get_by_role("region", name="A few questions first")


async def test_a_form_is_filled_in_sent_and_stays_answered(
    workspace: Page, server: RunningServer
):
    form = await ask(workspace, server, reply(*QUESTIONS, submitLabel="Start"))
    await reply_ended(workspace)
    start = form.get_by_role("button", name="Start", exact=True)
    await expect(form.get_by_text("Still needed: Where does it run?")).to_be_visible()
    await start.click()
    await expect(form.get_by_text("This needs an answer, or a skip.")).to_be_visible()
    await expect(form.get_by_label("Mobile (iOS/Android)")).to_be_focused()

    await form.get_by_label("Mobile (iOS/Android)").check()
    await form.get_by_label("Warm").check()
    await form.get_by_label("Bold").check()
    await expect(form.get_by_text("3 are chosen; at most 2 can be.")).to_be_visible()
    await start.click()
    await expect(summary(workspace)).to_have_count(0)
    await form.get_by_label("Bold").uncheck()
    await field(form, "Who gets it?").fill("ada@example.com")
    notes = 'Two lines,\n- Tone: "loud"'
    await field(form, "Anything else?").fill(notes)
    await start.click()

    await reply_ended(workspace, 2)
    for _ in range(2):
        said = summary(workspace).first.get_by_role("definition")
        await expect(said).to_have_text(
            [
                "Mobile (iOS/Android)",
                re.compile(r"^\s*Calm\s*Warm\s*$"),
                "ada@example.com",
                re.compile("Two lines,"),
            ]
        )
        await expect(workspace.get_by_text("Answers to the questions")).to_be_visible()
        await workspace.reload()
    await workspace.get_by_text("Answers to the questions").click()
    await expect(
        workspace.get_by_text("Mobile (iOS/Android) [value: mobile]")
    ).to_be_visible()


async def test_what_was_typed_survives_a_reload_until_it_is_sent(
    workspace: Page, server: RunningServer
):
    form = await ask(workspace, server, reply(*QUESTIONS))
    await reply_ended(workspace)
    await form.get_by_label("Other", exact=True).check()
    await form.get_by_label("Other answer: Where does it run?").fill("Watch")
    await form.get_by_role("button", name="Skip: Tone").click()
    await workspace.reload()
    own = form.get_by_label("Other answer: Where does it run?")
    await expect(own).to_have_value("Watch")
    await expect(form.get_by_role("button", name="Answer: Tone")).to_be_visible()
    await form.get_by_role("button", name="Skip the rest").click()
    said = summary(workspace).first.get_by_role("definition")
    await expect(said).to_have_text(["Watch", "Skipped", "Skipped", "Skipped"])
    kept = await workspace.evaluate("Object.keys(sessionStorage)")
    assert [key for key in kept if key.startswith("vitrail:form:")] == []


async def test_questions_appear_as_they_come_and_what_is_typed_meanwhile_stays(
    workspace: Page, server: RunningServer
):
    many = [
        {"id": f"q{number}", "label": f"Question {number}", "type": "text"}
        for number in range(20)
    ]
    form = await ask(workspace, server, reply(*many), delay_s=0.05)
    first = form.get_by_label("Question 0", exact=True)
    await first.fill("Early")
    await expect(form.get_by_text("The questions are coming.")).to_be_visible()
    send_answers = form.get_by_role("button", name="Send answers")
    await expect(send_answers).to_have_attribute("aria-disabled", "true")
    await expect(form.get_by_label("Question 19", exact=True)).to_be_visible()
    await reply_ended(workspace)
    await expect(first).to_have_value("Early")
    await expect(first).to_be_focused()
    await expect(send_answers).not_to_have_attribute("aria-disabled", "true")
    assert await form.get_by_text("1 of 20 answered").is_visible()


async def test_every_type_of_question_has_a_field_of_its_own(
    workspace: Page, server: RunningServer
):
    kinds = [
        "select",
        "textarea",
        "number",
        "range",
        "date",
        "time",
        "datetime-local",
        "color",
        "url",
        "email",
        "tel",
        "switch",
        "text",
    ]
    questions: list[dict[str, object]] = [
        {"id": kind, "label": f"A {kind}", "type": kind, "options": ["One", "Two"]}
        for kind in kinds
    ]
    questions.append(
        {
            "id": "look",
            "label": "A look",
            "type": "direction-cards",
            "cards": [
                {"id": "ed", "label": "Editorial", "palette": ["red", "url(x)"]},
                {"id": "te", "label": "Technical"},
            ],
        }
    )
    form = await ask(workspace, server, reply(*questions))
    await reply_ended(workspace)
    await field(form, "A select").select_option("Two")
    filled = {
        "textarea": "a\nb",
        "number": "4",
        "range": "30",
        "date": "2026-02-03",
        "time": "17:30",
        "datetime-local": "2026-02-03T17:30",
        "color": "#ff0000",
        "url": "https://example.com",
        "email": "ada@example.com",
        "tel": "+49 30 1",
        "text": "Words",
    }
    for kind, value in filled.items():
        await form.get_by_label(f"A {kind}", exact=True).fill(value)
    await form.get_by_role("switch", name="A switch").check()
    await form.get_by_label("Technical").check()
    await form.get_by_role("button", name="Send answers").click()
    said = summary(workspace).first.get_by_role("definition")
    await expect(said).to_have_text(
        [
            *("Two", re.compile(r"a\s+b"), "4", "30", "2026-02-03", "17:30"),
            *("2026-02-03T17:30", "#ff0000", "https://example.com"),
            *("ada@example.com", "+49 30 1", "Yes", "Words", "Technical"),
        ]
    )


async def test_a_file_goes_into_the_project_and_its_path_is_the_answer(
    workspace: Page, server: RunningServer, tmp_path: Path
):
    logo = tmp_path / "logo.png"
    logo.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    asked = {"id": "logo", "label": "Logo", "type": "file", "accept": "image/*"}
    form = await ask(workspace, server, reply(asked))
    await reply_ended(workspace)
    await field(form, "Logo").set_input_files(logo)
    await form.get_by_role("button", name="Send answers").click()
    said = summary(workspace).first.get_by_role("definition")
    await expect(said).to_have_text(["uploads/logo.png"])
    (kept,) = (server.data / "projects").glob("*/uploads/logo.png")
    assert kept.read_bytes() == logo.read_bytes()


async def test_a_form_that_nobody_can_read_keeps_the_models_own_text(
    workspace: Page, server: RunningServer
):
    said = "<question-form>\nWhat would you like: red or blue?\n</question-form>\nEnd."
    await ask(workspace, server, said)
    await reply_ended(workspace)
    await expect(
        workspace.get_by_text("A form came that nobody could read.")
    ).to_be_visible()
    text = workspace.locator("pre").get_by_text("red or blue?")
    await expect(text).to_have_count(0)
    await workspace.get_by_text("What the model wrote").click()
    await expect(text).to_be_visible()


async def test_what_the_server_refuses_stands_beside_its_question(
    workspace: Page, server: RunningServer
):
    asked = {"id": "n", "label": "How many?", "type": "number", "step": 2}
    form = await ask(workspace, server, reply(asked))
    await reply_ended(workspace)
    await field(form, "How many?").fill("3")
    await form.get_by_role("button", name="Send answers").click()
    await expect(form.get_by_role("alert")).to_be_visible()
    count = field(form, "How many?")
    await expect(count).to_have_attribute("aria-invalid", "true")
    await expect(count).to_be_focused()
    await count.fill("4")
    await form.get_by_role("button", name="Send answers").click()
    await expect(summary(workspace).first.get_by_role("definition")).to_have_text(["4"])


async def test_the_language_of_a_form_is_its_models(
    workspace: Page, server: RunningServer
):
    asked = {"id": "a", "label": "أين يعمل؟", "type": "text"}
    form = await ask(workspace, server, reply(asked, lang="ar"))
    await reply_ended(workspace)
    await expect(form).to_have_attribute("dir", "rtl")
    await expect(form).to_have_attribute("lang", "ar")


async def test_what_is_no_text_has_a_small_place_of_its_own(
    workspace: Page, server: RunningServer
):
    said = (
        "[[reply_to:abc]] [[audio_as_voice]]\n\n"
        "- one\n- two <tool_call>{}</tool_call>goes on\n- three\n\n"
        '[embed ref="cv_1" title="Sales by month" /]\n'
    )
    await ask(workspace, server, said)
    await reply_ended(workspace)
    message = workspace.get_by_role("article").last
    await expect(message.get_by_text("Reply to abc")).to_be_visible()
    await expect(message.get_by_text("Voice", exact=True)).to_be_visible()
    await expect(message.get_by_text("Embed: Sales by month")).to_be_visible()
    await expect(message.get_by_text("1 internal tag hidden")).to_be_visible()
    await expect(message.locator(".prose ul > li")).to_have_count(3)
