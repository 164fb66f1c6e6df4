"""How much is remembered, and what waits for somebody: of all people at home, of one beside their memories."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.console.conftest import Visiting
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import faults
from tests.gateways import GatewayProcess
from tests.waiting import wait_until


def counted(gateway: GatewayProcess) -> dict[str, Any]:
    """What a worker has counted of all users."""
    wait_until(lambda: "memories" in gateway.post("GetStats", {}).json(), "a count of all users")
    answer: dict[str, Any] = gateway.post("GetStats", {}).json()
    return answer


def number(part: Page | Locator, name: str) -> int:
    """The figure of this name."""
    tile = part.locator(".tiles > div").filter(has_text=name)
    expect(tile).to_have_count(1)
    return int(tile.locator("dd").inner_text().split()[0].replace(",", ""))


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_people_in_numbers_and_what_waits(visiting: Visiting, gateway: GatewayProcess, language: str) -> None:
    say = speech(language)
    visit = visiting(language)
    page = visit.go()
    overview = page.locator(".overview")
    expect(overview.locator(".counts").first).to_be_visible()  # also where it is counted for the first time
    told = counted(gateway)
    assert number(overview, say("users")) == told["users"]
    assert 0 < number(overview, say("heldNow")) <= told["memories"]["total"]
    kinds = overview.locator("div", has=page.get_by_role("heading", name=say("byKind"))).last
    expect(kinds.locator("dt").first).to_be_visible()
    expect(overview.get_by_role("img")).to_be_visible()
    overview.locator("summary", has_text=say("byDay")).press("Enter")
    expect(overview.locator("details dd").first).not_to_have_text("0")
    assert faults(page) == []
    visit.picture(f"overview-{language}")
    waiting = page.get_by_role("link", name=say("cause_contradiction"))
    waiting.click()
    expect(page).to_have_url(re.compile(r"/reviews\?cause=contradiction"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_person_in_numbers(visiting: Visiting, gateway: GatewayProcess, language: str) -> None:
    say = speech(language)
    user = f"patient-{language}"
    asked: list[str] = []
    visit = visiting(language)
    visit.page.on("request", lambda request: asked.append(request.url))
    page = visit.go(f"/people/{user}/memories")
    expect(page.locator(".line").first).to_be_visible()
    assert not [url for url in asked if url.endswith("/GetStats")], "nobody has opened it"
    summary = page.locator("summary", has_text=say("inNumbers"))
    summary.press("Enter")
    numbers = page.locator("details", has=summary)
    told = gateway.post("GetStats", {"user_id": user}).json()
    expect(numbers.locator(".tiles")).to_be_visible()
    assert number(numbers, say("heldNow")) == told["memories"]["states"]["held"]
    assert number(numbers, say("conversations")) == told["conversations"]
    assert faults(page) == []
    visit.picture(f"person-in-numbers-{language}")


def test_what_is_counted_comes_to_a_page_that_stands_open(visiting: Visiting, gateway: GatewayProcess) -> None:
    """Its first answer is made to be one from before anything was counted; the watch tells of what there is."""
    say = speech("en")
    told = counted(gateway)
    answers = iter([{"revision": "0", "counting": True, "by_day": [], "users": 0}])
    visit = visiting()

    def first(route: Route) -> None:
        answer = next(answers, None)
        if answer is None:
            route.continue_()
        else:
            route.fulfill(json=answer)

    visit.page.route("**/v1/GetStats", first)
    page = visit.go()
    overview = page.locator(".overview")
    expect(overview.locator(".counts").first).to_be_visible()
    assert next(answers, None) is None, "the page had nothing to show at first"
    assert number(overview, say("users")) == told["users"]
