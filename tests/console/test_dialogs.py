"""The sign-in screen and every dialog are for everybody, in both languages, light and dark."""

from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.console.conftest import Visit, Visiting
from tests.console.speech import LANGUAGES, Say, speech
from tests.console.test_quality import english_on, faults
from tests.gateways import GatewayProcess

PUT_ASIDE: Final = "20260131"
"""Somebody of whom one memory is archived. A user id without letters is of no language."""


@pytest.fixture(scope="module")
def archived(gateway: GatewayProcess) -> str:
    about: dict[str, Any] = {"user_id": PUT_ASIDE}
    body = about | {"subject": "user", "memory_type": "fact", "topic": "喜欢", "object": "茶"}
    made = str(gateway.post("CreateMemory", body).json()["memory_id"])
    assert gateway.post("ArchiveMemory", about | {"memory_id": made}).status == 200
    return made


def button(page: Page | Locator, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True).first


def of_the_card(visit: Visit, say: Say, user: str) -> Iterator[Locator]:
    page = visit.go(f"/people/{user}")
    page.locator("form.row input").first.fill("123")
    for word in ("add", "confirm", "wrong", "forgetPerson"):
        yield button(page.get_by_role("main"), say(word))


def of_memories(visit: Visit, say: Say, user: str, archived: str) -> Iterator[Locator]:
    about = {"user_id": user, "kinds": ["fact"]}
    held = visit.gateway.post("ListMemories", about).json()["items"][0]["memory_id"]
    page = visit.go(f"/people/{user}/memories/{held}")
    yield button(page, say("archive"))
    yield button(page, say("forget"))
    yield button(visit.go(f"/people/{PUT_ASIDE}/memories/{archived}"), say("restore"))


def of_batches(visit: Visit, say: Say, user: str) -> Iterator[Locator]:
    page = visit.go(f"/people/{user}/batch")
    for op in ("archive", "forget"):
        page.get_by_label(say("doWhat")).and_(page.locator("select")).select_option(op)
        button(page, say("preview")).click()
        yield page.get_by_role("status").get_by_role("button").first


def of_the_others(visit: Visit, say: Say, user: str) -> Iterator[Locator]:
    yield button(visit.go(f"/people/{user}/conversations/{user}-3"), say("endNow"))
    question = visit.go("/reviews").locator("article", has_text=user).first
    yield from question.locator("div.row button").all()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_dialog_is_for_everybody(visiting: Visiting, archived: str, language: str) -> None:
    say, user = speech(language), f"patient-{language}"
    visit = visiting(language)
    visit.page.emulate_media(reduced_motion="reduce")
    found, opened = {}, 0
    for openers in (
        of_the_card(visit, say, user),
        of_memories(visit, say, user, archived),
        of_batches(visit, say, user),
        of_the_others(visit, say, user),
    ):
        for opener in openers:
            opener.click()
            dialog = visit.page.locator("dialog[open]")
            expect(dialog).to_have_count(1)
            opened += 1
            told = str(dialog.get_attribute("aria-label"))
            for scheme in ("dark", "light"):
                visit.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                found[told, scheme] = faults(visit.page, "dialog[open]")
            if language == "zh":
                found[told, "words"] = english_on(visit.page, "dialog[open]")
            visit.page.keyboard.press("Escape")
            expect(dialog).to_have_count(0)
            expect(opener).to_be_focused()
    assert {where: wrong for where, wrong in found.items() if wrong} == {}
    assert opened >= 12, "each opens in its own way"


@pytest.mark.parametrize("language", LANGUAGES)
def test_sign_in_screen_is_for_everybody(visiting: Visiting, keyed: GatewayProcess, language: str) -> None:
    say = speech(language)
    visit = visiting(language, at=keyed)
    visit.refused = True
    page = visit.go()
    wrong: list[Any] = []
    for tried in (False, True):
        if tried:
            page.get_by_label(say("apiKey")).fill("ana_nobody_has_this_one")
            button(page, say("signIn")).click()
            expect(page.get_by_role("alert")).to_have_text(say("keyUnknown"))
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            wrong += faults(page)
            visit.picture(f"sign-in-{tried}-{language}-{scheme}")
    assert wrong == []
    if language == "zh":
        assert english_on(page) == []


def test_reason_of_a_failure_is_said_to_be_english(visiting: Visiting) -> None:
    failed = {"conversation_id": "patient-zh-1", "finalization_id": "12345678", "state": "FAILED", "attempts": 5}
    reason = "gave up: 5 attempts ended without a word"
    visit = visiting("zh")
    answered = {"finalizations": [failed | {"reason": reason, "steps": []}], "cursor": ""}
    visit.page.route("**/v1/ListFinalizations", lambda route: route.fulfill(json=answered))
    page = visit.go("/finalizations")
    expect(page.locator("q[lang=en]")).to_have_text(reason)
    expect(page.get_by_role("cell").filter(has_text=reason)).to_contain_text(speech("zh")("theirReason"))
    assert faults(page) == []
    assert english_on(page) == []
