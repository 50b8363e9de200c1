"""The page of models: what is set up, tried, saved, found on this machine, forgotten."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, Route, expect

from tests.support.chromium import RunningServer
from tests.support.workspace_page import new_project
from vitrail.adapters.agents.fake_openai import FakeOpenAI, stream_answer

pytestmark = pytest.mark.browser

KEY = "sk-browser-0123456789abcdef"


@pytest_asyncio.fixture(loop_scope="session")
async def model_server() -> AsyncIterator[FakeOpenAI]:
    answer = stream_answer("Hello")
    models = ("fake-large", "fake-small")
    async with FakeOpenAI(answer, api_key=KEY, models=models) as server:
        yield server


async def open_models(page: Page) -> None:
    await page.get_by_role("link", name="Models", exact=True).click()
    await expect(page.get_by_role("heading", name="Models", level=1)).to_be_visible()


def card(page: Page, name: str) -> Locator:
    return page.locator(f"[data-provider='{name}']")


async def open_card(page: Page, name: str) -> Locator:
    found = card(page, name)
    await found.get_by_role("button").first.click()
    return found


def local_servers(*found: str, models: tuple[str, ...] = ("llama", "qwen")) -> Any:
    places = [
        ("ollama", "Ollama", "http://127.0.0.1:11434/v1"),
        ("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1"),
    ]
    return {
        "servers": [
            {
                "name": name,
                "title": title,
                "baseUrl": url,
                "isFound": name in found,
                "models": list(models) if name in found else [],
                "message": f"{title} answers." if name in found else f"No {title}.",
            }
            for name, title, url in places
        ]
    }


async def test_a_provider_is_tried_saved_made_the_default_and_forgotten(
    workspace: Page, model_server: FakeOpenAI
):
    await open_models(workspace)
    provider = await open_card(workspace, "openai")
    await provider.get_by_label("Base URL").fill(model_server.base_url)
    await provider.get_by_label("API key").fill("sk-wrong-key")
    await provider.get_by_label("Model", exact=True).fill("fake-large")
    await provider.get_by_role("button", name="Test", exact=True).click()
    await expect(provider.get_by_role("alert")).to_contain_text("The key was refused.")
    await expect(provider).not_to_contain_text("sk-wrong-key")

    await provider.get_by_label("API key").fill(KEY)
    await provider.get_by_role("button", name="Test", exact=True).click()
    await expect(provider.get_by_role("status").first).to_contain_text("It works")
    await provider.get_by_role("button", name="List models").click()
    await expect(provider.get_by_text("2 models found")).to_be_visible()
    options = provider.locator("datalist option")
    assert await options.evaluate_all("all => all.map((one) => one.value)") == [
        "fake-large",
        "fake-small",
    ]

    await provider.get_by_role("button", name="Save and use").click()
    await expect(provider.get_by_text("Saved", exact=True)).to_be_visible()
    await expect(provider.get_by_text("Answers", exact=True)).to_be_visible()
    await expect(provider.get_by_label("API key")).to_have_value("")
    await workspace.reload()
    await expect(card(workspace, "openai")).to_contain_text("fake-large")
    chosen = workspace.get_by_label("Default model")
    await expect(chosen).to_have_value("openai")
    assert KEY not in await workspace.content()
    stored = await workspace.evaluate(
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])"
    )
    assert KEY not in stored

    provider = await open_card(workspace, "openai")
    await provider.get_by_role("button", name="Forget", exact=True).click()
    await expect(provider.get_by_role("button", name="Cancel")).to_be_focused()
    await workspace.keyboard.press("Escape")
    await expect(
        provider.get_by_role("button", name="Forget", exact=True)
    ).to_be_focused()
    await workspace.keyboard.press("Enter")
    await provider.get_by_role("button", name=re.compile("^Forget OpenAI")).click()
    await expect(provider.get_by_text("Forgotten", exact=True)).to_be_visible()
    await expect(provider.get_by_label("Base URL")).to_have_value("")


async def test_a_saved_key_can_be_taken_away_alone(
    workspace: Page, model_server: FakeOpenAI
):
    await open_models(workspace)
    provider = await open_card(workspace, "openai")
    await provider.get_by_label("Base URL").fill(model_server.base_url)
    await provider.get_by_label("Model", exact=True).fill("fake-large")
    await provider.get_by_label("API key").fill(KEY)
    await provider.get_by_label("API key").press("Enter")
    await expect(provider.get_by_text(f"ends in {KEY[-4:]} is saved")).to_be_visible()
    await provider.get_by_role("button", name="Remove the saved key").click()
    await provider.get_by_role("button", name="Save", exact=True).click()
    await expect(provider.get_by_text("Saved", exact=True)).to_be_visible()
    await expect(
        provider.get_by_role("button", name="Remove the saved key")
    ).to_have_count(0)
    await expect(provider.get_by_label("Model", exact=True)).to_have_value("fake-large")


async def test_what_is_wrong_is_said_at_its_field_before_anything_is_asked(
    workspace: Page,
):
    await open_models(workspace)
    provider = await open_card(workspace, "openai")
    await provider.get_by_label("Base URL").fill("127.0.0.1")
    await provider.get_by_role("button", name="Test", exact=True).click()
    await expect(
        provider.get_by_text("A base URL begins with http:// or https://.")
    ).to_be_visible()
    await provider.get_by_label("Base URL").fill("http://127.0.0.1:9/v1")
    await provider.get_by_label("Model", exact=True).fill("x")
    await provider.get_by_role("button", name="Test", exact=True).click()
    await expect(provider.get_by_role("alert")).to_contain_text(
        "Nothing answers there."
    )


async def test_a_server_that_was_found_answers_after_one_press(workspace: Page):
    async def detect(route: Route) -> None:
        await route.fulfill(json=local_servers("ollama"))

    await workspace.route("**/api/providers/detect", detect)
    await open_models(workspace)
    local = workspace.get_by_role("region", name="On this machine")
    await expect(local.get_by_text("Ollama answers.").last).to_be_visible()
    await expect(local.get_by_text("No LM Studio.").last).to_be_visible()
    await local.get_by_label("Model of Ollama").select_option("qwen")
    await local.get_by_role("button", name="Use Ollama").click()
    await expect(local.get_by_role("button", name="In use")).to_be_visible()
    await expect(card(workspace, "ollama")).to_contain_text("qwen")
    await expect(
        card(workspace, "ollama").get_by_text("Answers", exact=True)
    ).to_be_visible()


async def test_looking_again_finds_what_was_started_meanwhile(workspace: Page):
    answers = [local_servers(), local_servers("lmstudio", models=())]

    async def detect(route: Route) -> None:
        body = answers.pop(0) if len(answers) > 1 else answers[0]
        await route.fulfill(json=body)

    await workspace.route("**/api/providers/detect", detect)
    await open_models(workspace)
    local = workspace.get_by_role("region", name="On this machine")
    await expect(local.get_by_text("No LM Studio.").last).to_be_visible()
    await local.get_by_role("button", name="Look on this machine").click()
    await expect(local.get_by_text("LM Studio answers.").last).to_be_visible()
    await expect(local.get_by_text("It has no model yet.")).to_be_visible()


async def test_the_default_is_chosen_and_given_back(workspace: Page):
    await open_models(workspace)
    chosen = workspace.get_by_label("Default model")
    await chosen.select_option("replay")
    await expect(chosen).to_have_value("replay")
    await workspace.reload()
    await expect(chosen).to_have_value("replay")
    await chosen.select_option("")
    await workspace.reload()
    await expect(chosen).to_have_value("")
    disabled = chosen.locator("option:disabled")
    await expect(disabled).not_to_have_count(0)


async def test_it_is_read_only_while_the_connection_is_lost(
    workspace: Page, server: RunningServer
):
    await open_models(workspace)
    provider = await open_card(workspace, "anthropic")
    server.stop()
    save = provider.get_by_role("button", name="Save", exact=True)
    await expect(save).to_have_attribute(
        "aria-description", "Read only while the connection is lost."
    )
    look = workspace.get_by_role("button", name="Look on this machine")
    await expect(look).to_have_attribute("aria-disabled", "true")
    await expect(provider.get_by_label("API key")).to_be_visible()


async def test_the_page_says_what_failed_and_tries_again(workspace: Page):
    is_broken = True

    async def fail(route: Route) -> None:
        if not is_broken:
            await route.continue_()
            return
        problem = {
            "type": "about:blank",
            "title": "Conflict",
            "status": 409,
            "detail": "The settings cannot be read.",
            "code": "input-invalid",
            "retryable": False,
            "diagnostics": [],
            "details": {},
        }
        await route.fulfill(
            status=409,
            content_type="application/problem+json",
            body=json.dumps(problem),
        )

    await workspace.route("**/api/providers", fail)
    await workspace.reload()  # what the page has read already is asked for again
    await open_models(workspace)
    await expect(workspace.get_by_role("alert")).to_contain_text(
        "The settings cannot be read."
    )
    is_broken = False
    await workspace.get_by_role("button", name="Try again").click()
    await expect(card(workspace, "command")).to_be_visible()


async def test_every_way_to_the_page_leads_there(workspace: Page):
    heading = workspace.get_by_role("heading", name="Models", level=1)
    await workspace.keyboard.press("Control+k")
    await workspace.get_by_role("combobox").fill("models")
    await workspace.keyboard.press("Enter")
    await expect(heading).to_be_visible()
    await expect(workspace).to_have_url(re.compile(r"/models$"))
    await workspace.go_back()
    await workspace.get_by_role("button", name="Connect a model").click()
    await workspace.get_by_role("button", name="All providers").click()
    await expect(heading).to_be_visible()
    await workspace.get_by_role("link", name="Vitrail").click()
    await expect(workspace.get_by_role("heading", name="Projects")).to_be_visible()
    await new_project(workspace, "Rail")
    rail = workspace.get_by_role("navigation", name="Projects and conversations")
    await rail.get_by_role("link", name="Models").click()
    await expect(heading).to_be_visible()
