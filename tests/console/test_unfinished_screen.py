"""What waits to be stored: whose it is, since when and why, and trying again what failed."""

from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.console.conftest import Visiting
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import english_on, faults


def session(number: int, state: str, **more: Any) -> dict[str, Any]:
    named = {
        "conversation_id": f"c-{number}",
        "finalization_id": f"c-{number}#1{number}",
        "user_id": f"p-{number}",
    }
    ended = {"sealed_at": f"2026-01-0{number}T08:00:00Z", "cause": ("asked", "idle", "full", "age")[number % 4]}
    return named | ended | {"state": state, "attempts": number, "steps": [], "memory_ids": []} | more


FAILED = [session(number, "FAILED", reason="the disk is on fire") for number in (1, 3)]
FIRST, LAST = [FAILED[0], session(2, "ENDING"), FAILED[1]], [session(4, "ENDING")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_waits_is_listed_page_by_page_and_what_failed_is_tried_again(visiting: Visiting, language: str) -> None:
    say = speech(language)
    visit = visiting(language)
    page = visit.page
    visit.refused = True  # what somebody else has tried again
    tried: list[Any] = []
    last = [*LAST]

    def answer(route: Route) -> None:
        asked = route.request.post_data_json or {}
        of_state = [each for each in (*FIRST, *last) if each["state"] == asked["state"]]
        some = of_state if asked["state"] else last if asked["cursor"] else FIRST
        more = some is FIRST
        route.fulfill(json={"finalizations": some, "cursor": "13.c-3" if more else ""})

    def again(route: Route) -> None:
        tried.append(route.request.post_data_json)
        # the first one may not be tried again by this visitor, the second one was by somebody else
        status, code = (403, "forbidden") if len(tried) % 2 else (404, "not_found")
        route.fulfill(status=status, json={"status": status, "code": code, "detail": "no"})

    page.route("**/v1/ListFinalizations", answer)
    page.route("**/v1/ReplayFinalization", again)
    visit.go("/finalizations")
    rows = page.locator("tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text(say("endedBy_idle"))
    expect(rows.first.get_by_role("link", name="p-1")).to_have_attribute("href", "#/people/p-1")
    talk = rows.first.get_by_role("link", name="c-1")
    expect(talk).to_have_attribute("href", "#/people/p-1/conversations/c-1")
    assert faults(page) == []
    visit.picture(f"waiting-{language}")
    if language == "zh":
        assert english_on(page) == []

    refused = page.get_by_role("alert")
    rows.last.get_by_role("button", name=say("replay")).click()
    expect(refused).to_have_count(1)
    page.get_by_role("button", name=say("replayAll").replace("{count}", "2")).click()
    expect(page.get_by_role("button", name=say("replayAll").replace("{count}", "2"))).to_be_enabled()
    named = [{key: each[key] for key in ("conversation_id", "finalization_id")} for each in FAILED]
    assert tried == [named[1], *named], "also after one that was refused"
    expect(refused).to_have_count(1)
    rows.last.get_by_role("button", name=say("replay")).click()
    expect(refused).to_have_count(0)

    page.get_by_role("button", name=say("next")).click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("c-4")
    last.clear()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(rows).to_have_count(3)
    page.get_by_role("combobox").select_option("FAILED")
    expect(rows).to_have_count(2)
    expect(page.get_by_role("button", name=say("back"))).to_have_count(0)
