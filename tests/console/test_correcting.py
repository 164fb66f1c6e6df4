"""A person puts right what a memory says, by keyboard, and reads before and after of it."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.console.conftest import Visiting
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import faults, tab_to
from tests.gateways import GatewayProcess

WRONG = {"en": "green tea", "zh": "绿茶"}
RIGHT = {"en": "black tea", "zh": "红茶"}
WHY = {"en": "she said so herself", "zh": "本人更正"}


def told(gateway: GatewayProcess, user: str, predicate: str, object_: str) -> str:
    """A fact of somebody; its id."""
    triple = {"subject": "user", "predicate": predicate, "object": object_}
    assert gateway.post("UpsertFacts", {"user_id": user, "triples": [triple]}).status == 200
    facts: list[dict[str, Any]] = gateway.post("ListMemories", {"user_id": user, "kinds": ["fact"]}).json()["items"]
    return str(next(each["memory_id"] for each in facts if each["predicate"] == predicate))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_like_is_put_right_by_keyboard_and_shows_before_and_after(
    visiting: Visiting, gateway: GatewayProcess, language: str
) -> None:
    say, user = speech(language), f"correct-{language}"
    old = told(gateway, user, "like", WRONG[language])
    visit = visiting(language)
    page = visit.go(f"/people/{user}/memories/{old}")
    tab_to(page, say("correct"))
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_label(say("rightObject"))).to_have_value(WRONG[language])
    assert faults(page) == []
    visit.picture(f"correct-{language}")
    dialog.get_by_label(say("rightObject")).fill(RIGHT[language])
    dialog.get_by_label(say("why")).fill(WHY[language])
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=RIGHT[language])).to_be_visible()
    expect(page.get_by_text(say("noChanges"))).to_be_visible()
    assert old not in page.url

    page = visit.go(f"/people/{user}/memories/{old}")
    change = page.locator(".timeline li", has=page.get_by_text(WHY[language], exact=True))
    expect(change).to_contain_text(say("op_superseded"))
    place = change.get_by_role("row", name=say("field_superseded_by"))
    expect(place).to_contain_text(say("nothingThere"))
    expect(page.get_by_role("button", name=say("correct"), exact=True)).to_have_count(0)
    assert faults(page) == []
    visit.picture(f"corrected-{language}")
    place.get_by_role("link").click()
    expect(page.get_by_role("heading", name=RIGHT[language])).to_be_visible()


def test_words_of_a_tool_are_put_right_where_they_are(visiting: Visiting, gateway: GatewayProcess) -> None:
    user = "correct-words"
    body = {"user_id": user, "subject": "user", "memory_type": "event", "topic": "ran to work"}
    made = gateway.post("CreateMemory", body).json()["memory"]
    visit = visiting()
    visit.refused = True
    page = visit.go(f"/people/{user}/memories/{made['memory_id']}")
    page.get_by_role("button", name="Correct", exact=True).click()
    words = page.get_by_role("dialog").get_by_label("The right words")
    expect(words).to_have_value(made["text"])
    words.fill("The user cycled\nto work")
    changed = {"user_id": user, "memory_id": made["memory_id"], "importance": 0.9}
    assert gateway.post("UpdateMemory", changed).status == 200
    page.get_by_role("dialog").get_by_role("button", name="Correct").click()
    expect(page.get_by_role("alert")).to_contain_text("read it again")
    page = visit.go(f"/people/{user}/memories/{made['memory_id']}")
    page.get_by_role("button", name="Correct", exact=True).click()
    page.get_by_role("dialog").get_by_label("The right words").fill("The user cycled\nto work")
    page.get_by_role("dialog").get_by_role("button", name="Correct").click()
    expect(page.get_by_role("heading", name="The user cycled to work")).to_be_visible()
    row = page.get_by_role("row", name="words")
    expect(row.get_by_role("cell")).to_have_text([made["text"], "The user cycled to work"])
    assert page.url.endswith(made["memory_id"])


def test_safety_and_what_was_said_are_not_put_right_here(visiting: Visiting, gateway: GatewayProcess) -> None:
    visit = visiting()
    items = gateway.post("ListMemories", {"user_id": "patient-en"}).json()["items"]
    shown = {each["kind"]: each["memory_id"] for each in items if each.get("predicate") in {None, "allergy"}}
    assert {"fact", "episode", "profile"} <= set(shown)
    for memory_id in shown.values():
        page = visit.go(f"/people/patient-en/memories/{memory_id}")
        expect(page.get_by_role("heading", name="What was done to it")).to_be_visible()
        expect(page.get_by_role("button", name="Correct", exact=True)).to_have_count(0)
