"""What must not go wrong for somebody who looks: slow and lost answers, long lists, contradictions, erasures."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.console.conftest import ADMIN, READER, Visiting
from tests.console.test_quality import sign_in
from tests.console.test_tour import region
from tests.deadlines import LATE_S
from tests.gateways import GatewayProcess, start_gateway
from tests.waiting import wait_until

Json = dict[str, Any]
AWAY_SEEN_MS: Final = 1_000 * (3 + LATE_S)


def asked_of(page: Page, operation: str) -> list[Json]:
    """What a page asks of an operation from now on."""
    asked: list[Json] = []
    page.on("request", lambda sent: sent.url.endswith(f"/v1/{operation}") and asked.append(sent.post_data_json))
    return asked


def answer(page: Page, operation: str, said: Callable[[Json], Json]) -> None:
    """Answer in the gateway's place."""

    def fulfil(route: Route) -> None:
        route.fulfill(json=said(route.request.post_data_json))

    page.route(f"**/v1/{operation}", fulfil)


def test_click_while_the_gateway_is_away_can_be_made_again(visiting: Visiting) -> None:
    visit = visiting()
    visit.refused = True
    page = visit.go()
    page.route("**/console/**", lambda route: route.abort())
    page.get_by_role("link", name="Waiting to be stored").click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    expect(page.get_by_role("heading", name="Whose memory?")).to_be_visible()
    page.unroute("**/console/**")
    page.get_by_role("link", name="Waiting to be stored").click()
    expect(page.get_by_role("heading", name="Waiting to be stored")).to_be_visible()
    visit.trouble.clear()


def test_page_that_an_update_took_a_screen_from_is_loaded_anew_there(visiting: Visiting) -> None:
    visit = visiting()
    visit.refused = True
    page = visit.go()
    page.route("**/FinalizationsScreen*", lambda route: route.fulfill(status=404), times=1)
    page.get_by_role("link", name="Waiting to be stored").click()
    expect(page.get_by_role("heading", name="Waiting to be stored")).to_be_visible()
    visit.trouble.clear()


LONG: Final = "The last words: " + "é" * 10_500
MESSAGES: Final = 250


def test_model_is_asked_about_the_whole_of_a_long_conversation(visiting: Visiting, gateway: GatewayProcess) -> None:
    said = [{"role": "user", "content": f"message {number}"} for number in range(1, MESSAGES)]
    whole = {"conversation_id": "long", "user_id": "talker", "messages": [*said, {"role": "user", "content": LONG}]}
    assert gateway.post("WriteMessages", whole).status == 200
    visit = visiting()
    asked = asked_of(visit.page, "QueryMemoryContext")
    page = visit.go("/people/talker/conversations/long")
    question = page.get_by_label("Try a question")
    expect(question).to_have_value(LONG[:10_000])
    assert (asked[0]["user_id"], asked[0]["preview"]) == ("talker", True)
    expect(page.get_by_text(f"{MESSAGES} messages follow")).to_be_visible()

    question.fill("a question of my own")
    page.get_by_role("button", name="Next page").click()
    expect(page.get_by_text("message 240", exact=True)).to_be_visible()
    expect(page.get_by_text("message 100", exact=True)).to_have_count(0)
    expect(question).to_have_value("a question of my own")

    for number in (5, 230):
        page.evaluate("(number) => { location.hash = location.hash.split('?')[0] + '?at=' + number }", number)
        expect(page.locator("li.here")).to_contain_text(f"No. {number} ")


def test_model_is_asked_again_when_the_same_is_said_twice_and_when_it_ends(
    visiting: Visiting, gateway: GatewayProcess
) -> None:
    turn = {"conversation_id": "twice", "user_id": "talker", "user_query": "It hurts.", "agent_response": "OK"}
    assert gateway.post("WriteTurn", turn).status == 200
    visit = visiting()
    visit.page.clock.install()
    timelines = asked_of(visit.page, "GetTimeline")
    page = visit.go("/people/talker/conversations/twice")
    expect(page.get_by_text("2 messages follow")).to_be_visible()
    assert gateway.post("WriteTurn", turn).status == 200
    page.clock.run_for(3_100)
    expect(page.get_by_text("4 messages follow")).to_be_visible()
    page.get_by_role("button", name="End it now").click()
    with page.expect_request("**/v1/QueryMemoryContext"):
        page.get_by_role("dialog").get_by_role("button", name="End it now").click()
    expect(page.locator(".badge.ended")).to_be_visible()
    visit.settle()
    ended = len(timelines)
    page.clock.run_for(10_000)
    visit.settle()
    assert len(timelines) == ended, "it moves no longer"


def test_what_a_bot_writes_stands_on_the_open_page_also_when_the_conversation_had_ended(
    visiting: Visiting, gateway: GatewayProcess
) -> None:
    """Where it had ended the page does not ask by itself: it must be told."""
    turn = {"conversation_id": "followed", "user_id": "talker", "agent_response": "OK"}
    assert gateway.post("WriteTurn", turn | {"user_query": "It hurts."}).status == 200
    end = {"conversation_id": "followed", "wait_ms": 20_000}
    assert gateway.post("FinalizeSessionMemory", end).json()["state"] == "ENDED"
    visit = visiting()
    timelines = asked_of(visit.page, "GetTimeline")
    with visit.page.expect_response("**/v1/WatchConversation?*") as watched:
        page = visit.go("/people/talker/conversations/followed")
    assert watched.value.status == 200
    expect(page.locator(".badge.ended")).to_be_visible()
    visit.settle()
    opened = len(timelines)
    assert gateway.post("WriteTurn", turn | {"user_query": "It hurts again."}).status == 200
    expect(page.get_by_text("It hurts again.", exact=True)).to_be_visible()
    expect(page.locator(".badge.active")).to_be_visible()
    visit.settle()
    assert (opened, len(timelines)) == (1, 2), "it asks after what has changed, and not otherwise"


def test_gateway_that_dies_under_an_open_conversation_is_missed_soon_and_found_again(
    visiting: Visiting, tmp_path: Path
) -> None:
    turn = {"conversation_id": "c", "user_id": "talker", "user_query": "It hurts.", "agent_response": "OK"}
    first = start_gateway(tmp_path)
    try:
        assert first.post("WriteTurn", turn).status == 200
        visit = visiting(at=first)
        visit.refused = True
        with visit.page.expect_response("**/v1/WatchConversation?*"):
            page = visit.go("/people/talker/conversations/c")
        expect(page.get_by_text("It hurts.", exact=True)).to_be_visible()
    finally:
        first.kill()
    expect(page.get_by_role("alert").first).to_contain_text("does not answer", timeout=AWAY_SEEN_MS)
    again = start_gateway(tmp_path, "--port", str(first.port))
    try:
        expect(page.get_by_role("alert")).to_have_count(0)
        assert again.post("WriteTurn", turn | {"user_query": "It hurts again."}).status == 200
        expect(page.get_by_text("It hurts again.", exact=True)).to_be_visible()
        page.goto("about:blank")
    finally:
        again.kill()
    visit.trouble.clear()


def test_card_says_what_was_denied_altogether_and_keeps_relatives_apart(
    visiting: Visiting, gateway: GatewayProcess
) -> None:
    user = {"user_id": "careful", "conversation_id": "careful-1", "agent_response": "OK"}
    for said in (
        "I am allergic to latex and I have asthma. My mother is allergic to penicillin.",
        "Sorry, I do not have any allergies.",
    ):
        assert gateway.post("WriteTurn", user | {"user_query": said}).status == 200
    page = visiting().go("/people/careful")
    (line,) = region(page, "Allergies").locator(".line").all()
    expect(line).to_contain_text("latex")
    expect(line.get_by_text("patient later denied it: ask")).to_be_visible()
    expect(region(page, "Chronic conditions").locator(".line")).not_to_contain_text("denied")
    expect(region(page, "In the family")).to_contain_text("penicillin")
    page.emulate_media(media="print")
    expect(page.get_by_text(re.compile(r"Printed from Anamnesis, as of \d"))).to_be_visible()


LISTS: Final = {
    "/": ("ListUsers", "Nobody is remembered yet."),
    "/reviews": ("ListReviews", "No question is open."),
    "/audit": ("ListAudit", "Nothing was asked that fits."),
    "/people/u/conversations": ("ListConversations", "No conversation is known of this user."),
    "/people/u/memories": ("ListMemories", "Nothing is remembered that fits."),
}


def test_lists_go_on_where_the_page_before_ended_and_say_that_they_are_empty_only_at_the_end(
    visiting: Visiting,
) -> None:
    visit = visiting()
    for screen, (operation, none) in LISTS.items():
        answer(
            visit.page,
            operation,
            lambda asked: {"items": [], "cursor": "" if asked["cursor"] else "more", "total": 0, "counts": {}},
        )
        asked = asked_of(visit.page, operation)
        page = visit.go(screen)
        if operation != "ListUsers":  # it counts them
            expect(page.get_by_text(none)).to_have_count(0)
        asked.clear()
        page.get_by_role("button", name="Next page").click()
        expect(page.get_by_text(none)).to_be_visible()
        expect(page.locator("main h1")).to_be_focused()
        page.get_by_role("button", name="Back to the first page").click()
        expect(page.get_by_role("button", name="Next page")).to_be_visible()
        assert [each["cursor"] for each in asked if each["limit"] > 1] == ["more", ""], screen


def test_filters_on_screen_are_those_of_what_is_shown(visiting: Visiting, gateway: GatewayProcess) -> None:
    user = {"user_id": "filterer"}
    triples = [{"subject": "user", "predicate": "likes", "object": thing} for thing in ("tea", "coffee")]
    assert gateway.post("UpsertFacts", user | {"triples": triples}).status == 200
    turn = {"conversation_id": "filterer-1", "user_query": "I like tea, and I take aspirin.", "agent_response": "OK"}
    assert gateway.post("WriteTurn", user | turn).status == 200
    end = {"conversation_id": "filterer-1", "wait_ms": 20_000}
    assert gateway.post("FinalizeSessionMemory", end).json()["state"] == "ENDED"
    visit = visiting()
    page = visit.go("/people/filterer/memories")
    lines = page.locator(".line")
    expect(lines.filter(has_text="coffee")).not_to_have_count(0)
    expect(lines.filter(has_text="episode")).not_to_have_count(0)
    listed = asked_of(page, "ListMemories")

    page.get_by_label("Contains").fill("tea")
    page.get_by_label("Kind").select_option("fact")
    page.get_by_label("Holds").select_option("held")
    page.get_by_role("button", name="Apply").click()
    expect(lines.filter(has_text="tea")).not_to_have_count(0)
    for absent in ("coffee", "episode"):
        expect(lines.filter(has_text=absent)).to_have_count(0)
    page.get_by_role("button", name="Look", exact=True).click()  # for nothing
    visit.settle()
    assert [(each["states"], each["contains"], each["kinds"]) for each in listed] == [(["held"], "tea", ["fact"])] * 2

    page.get_by_label("Search by meaning").fill("tea")
    with page.expect_request("**/v1/SearchMemories") as searched:
        page.get_by_role("button", name="Look", exact=True).click()
    assert (searched.value.post_data_json["query"], searched.value.post_data_json["kinds"]) == ("tea", ["fact"])
    expect(page.get_by_text("found, the best first")).to_be_visible()
    expect(lines.filter(has_text="episode")).to_have_count(0)
    expect(page.get_by_label("Holds")).to_have_value("")
    expect(page.get_by_label("Contains")).to_have_value("")


def test_people_are_looked_for_once_what_is_typed_stands(visiting: Visiting, gateway: GatewayProcess) -> None:
    visit = visiting()
    page = visit.go()
    asked = asked_of(page, "ListUsers")
    field = page.get_by_label("User id")
    field.press_sequentially(" patient-en ")
    expect(page.get_by_role("row")).to_have_count(2)
    assert asked[-1]["prefix"] == "patient-en"
    assert len(asked) < len("patient-en"), "not for each letter"
    field.fill("patient en")
    expect(page.get_by_text("Nobody’s id begins like this.")).to_be_visible()
    field.fill(" patient-en ")
    page.get_by_role("button", name="Open", exact=True).click()
    expect(page.get_by_role("heading", name="patient-en")).to_be_visible()


def test_cause_that_is_shown_follows_the_address(visiting: Visiting) -> None:
    page = visiting().go("/reviews?cause=fading")
    expect(page.get_by_role("button", name="Fading")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name="Reviews").click()
    expect(page.get_by_role("button", name="all")).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("screen", ["card", "memory"])
def test_erasure_says_that_files_are_still_being_cleaned(
    visiting: Visiting, gateway: GatewayProcess, screen: str
) -> None:
    memory = gateway.post("ListMemories", {"user_id": "patient-en", "limit": 1}).json()["items"][0]["memory_id"]
    visit = visiting()
    visit.page.clock.install()
    page = visit.go("/people/patient-en" + (f"/memories/{memory}" if screen == "memory" else ""))
    receipt = gateway.post("ForgetMemory", {"user_id": "patient-en", "dry_run": True}).json()
    pending = receipt | {"state": "PENDING", "erasure_id": "r-1"}
    pending["store_files"] = {"state": "not ours to rewrite", "advice": "Ask your operator."}
    answer(page, "ForgetMemory", lambda _: pending)
    answer(page, "GetErasure", lambda asked: pending | {"erasure_id": asked["erasure_id"]})
    page.get_by_role("button", name="Erase", exact=False).click()
    dialog = page.get_by_role("dialog")
    if screen == "card":
        dialog.get_by_label("User id").fill("patient-en")
    dialog.get_by_role("button", name="Erase").click()
    note = page.locator(".notice", has_text="Receipt r-1")
    expect(note).to_contain_text("still being cleaned")
    expect(note).to_contain_text("Ask your operator.")
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    page.unroute("**/v1/GetErasure")
    answer(page, "GetErasure", lambda _: pending | {"state": "DONE"})
    page.clock.run_for(3_100)
    expect(note).not_to_contain_text("still being cleaned")


def test_who_looked_at_a_person_stands_in_the_audit(visiting: Visiting, keyed: GatewayProcess) -> None:
    for user in ("seen", "unseen"):
        facts = {"user_id": user, "facts": {"allergies": ["latex"]}}
        assert keyed.post("UpsertFacts", facts, key=ADMIN).status == 200
    gone = {"user_id": "seen", "memory_id": "00000000-0000-0000-0000-000000000000"}
    assert keyed.post("GetMemory", gone, key=READER).status == 404
    visit = visiting(at=keyed)
    visit.refused = True  # before she signs in
    page = visit.go("/people/seen")
    sign_in(visit, ADMIN)
    expect(page.get_by_text("latex", exact=True)).to_be_visible()
    written = {"user_id": "seen", "operation": "GetProfile"}
    wait_until(lambda: keyed.post("ListAudit", written, key=ADMIN).json()["items"])  # it comes behind the answer

    page.get_by_role("link", name="Who looked").click()
    rows = page.locator("tbody tr")
    looked = rows.filter(has_text="GetProfile")
    expect(looked.first).to_contain_text("nurse")
    expect(looked.first.get_by_role("link", name="seen")).to_be_visible()
    expect(rows.filter(has_text="unseen")).to_have_count(0)

    page.get_by_label("refused only").check()
    page.get_by_role("button", name="Look", exact=True).click()
    expect(rows).to_have_count(1)
    for text in ("GetMemory", "guest", "refused: 404"):
        expect(rows).to_contain_text(text)
    expect(rows.get_by_role("link", name="Memory")).to_have_count(1)

    page.get_by_label("User id").fill("")
    page.get_by_label("refused only").uncheck()
    page.get_by_label("Operation").fill("UpsertFacts")
    page.get_by_role("button", name="Look", exact=True).click()
    expect(rows).to_have_count(2)
    assert keyed.post("ForgetMemory", {"user_id": "unseen"}, key=ADMIN).status == 200
    page.get_by_role("button", name="Look", exact=True).click()
    expect(page.get_by_title("Somebody who was forgotten")).to_have_count(1)
    visit.picture("audit-en")
