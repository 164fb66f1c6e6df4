"""For everybody: by keyboard, on small screens, in both languages, light and dark; and nothing runs that should not."""

import json
import re
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Error, Page, expect

from memory.limits import TRIPLES_PER_UPDATE_MAX
from tests.console.conftest import ADMIN, AXE, ELSEWHERE, READER, Visit, Visiting, keys_of_both
from tests.console.speech import LANGUAGES, speech
from tests.gateways import GatewayProcess, start_gateway

SCREENS: Final = (
    "/",
    "/people/{user}",
    "/people/{user}/conversations",
    "/people/{user}/conversations/{user}-1",
    "/people/{user}/conversations/{user}-3",
    "/people/{user}/memories",
    "/people/{user}/batch",
    "/people/{user}/graph",
    "/reviews",
    "/audit?user={user}",
    "/finalizations",
    "/transfer",
    "/settings",
    "/people/nobody",
    "/people/{user}/memories/00000000-0000-0000-0000-000000000000",
)
LATIN_ALLOWED: Final = re.compile(
    r"Anamnesis|API|CSV|JSON|token|WriteTurn|QueryMemoryContext|Redis|English|FULL_HISTORY|AI|Cookie"
    r"|`anamnesis new-key`|patient-(zh|wide)(-\d)?|nobody|\bu?[0-9a-f-]{8,}\b"
)


def screens(language: str) -> list[str]:
    return [screen.format(user=f"patient-{language}") for screen in SCREENS]


def memory_screen(gateway: GatewayProcess, language: str) -> str:
    found = gateway.post("ListMemories", {"user_id": f"patient-{language}", "kinds": ["fact"]}).json()["items"][0]
    return f"/people/patient-{language}/memories/{found['memory_id']}"


def faults(page: Page, of: str = "html") -> list[str]:
    """What axe finds against WCAG 2.2 AA and best practice, in a part of the page."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found: dict[str, Any] = page.evaluate("(of) => axe.run(of, {resultTypes: ['violations']})", of)
    return [f"{each['id']}: {node['html'][:150]}" for each in found["violations"] for node in each["nodes"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_screens_are_for_everybody(visiting: Visiting, gateway: GatewayProcess, language: str) -> None:
    visit = visiting(language)
    visit.refused = True  # a memory that is not there
    found = {}
    for screen in [*screens(language), memory_screen(gateway, language)]:
        page = visit.go(screen)
        name = re.sub(r"\W+", "-", screen).strip("-") or "home"
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # nothing half-way between
            found[screen, scheme] = faults(page)
            visit.picture(f"screen-{name[:40]}-{language}-{scheme}")
    assert {screen: told for screen, told in found.items() if told} == {}


def test_planted_fault_is_found(visiting: Visiting) -> None:
    page = visiting().go()
    page.evaluate("() => document.querySelector('main').append(document.createElement('button'))")
    assert any("button-name" in fault for fault in faults(page))


def test_dialog_is_for_everybody_and_gives_the_focus_back(visiting: Visiting, gateway: GatewayProcess) -> None:
    page = visiting().go("/people/patient-en")
    opener = page.get_by_role("button", name="Erase this person’s data")
    opener.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert faults(page) == []
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(opener).to_be_focused()
    assert gateway.post("GetProfile", {"user_id": "patient-en"}).json()["allergies"], "it was counted only"


FOCUSED: Final = "() => (document.activeElement.textContent || document.activeElement.tagName).trim()"


def tab_to(page: Page, name: str) -> None:
    """Go there by Tab alone."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == name:
            return
    pytest.fail(f"no way to {name} by Tab")


def test_allergy_is_confirmed_by_keyboard_alone(visiting: Visiting, keyed: GatewayProcess) -> None:
    facts = {"user_id": "u", "facts": {"allergies": ["latex"]}}
    assert keyed.post("UpsertFacts", facts, key=ADMIN).status == 200
    visit = visiting(at=keyed)
    visit.refused = True
    page = visit.go("/people/u")
    tab_to(page, "INPUT")
    page.keyboard.type(ADMIN)
    page.keyboard.press("Enter")
    expect(page.get_by_text("latex", exact=True)).to_be_visible()
    tab_to(page, "Wrong")
    page.keyboard.press("Enter")
    page.keyboard.type("the nurse asked")
    page.keyboard.press("Enter")
    denied = page.locator("section", has=page.get_by_role("heading", name="Denied or ruled out"))
    expect(denied).to_contain_text("the nurse asked")
    expect(page.get_by_text("latex", exact=True)).to_have_count(0)
    expect(denied.locator("strong")).to_have_text("No: latex")
    expect(page.get_by_role("heading", name="u", exact=True)).to_be_focused()
    tab_to(page, "Conversations")
    page.keyboard.press("Enter")
    expect(page).to_have_title("u · Conversations · Anamnesis")
    expect(page.get_by_role("heading", name="u", exact=True)).to_be_focused()
    tab_to(page, "Sign out")
    page.keyboard.press("Enter")
    expect(page).to_have_title("Sign in · Anamnesis")
    expect(page.get_by_role("heading", name="Anamnesis")).to_be_focused()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [375, 600])
def test_small_screen_needs_no_scrolling_sideways(
    visiting: Visiting, gateway: GatewayProcess, language: str, width: int
) -> None:
    visit = visiting(language, viewport={"width": width, "height": 700})
    visit.refused = True
    for screen in [*screens(language), memory_screen(gateway, language)]:
        page = visit.go(screen)
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width, screen
    visit.picture(f"small-{width}-{language}")


OF_THE_OTHER: Final = """() => document.querySelectorAll('article, tbody tr').forEach(
  (found) => found.textContent.includes('patient-zh') || found.remove())"""
SAID_TO_BE_ENGLISH: Final = "() => document.querySelectorAll('main [lang=en]').forEach((found) => found.remove())"
"""Names of operations and of steps are what programs call them."""


def english_on(page: Page, of: str = "body") -> list[str]:
    """Words in English that are not said to be, in a part of the page."""
    page.evaluate(SAID_TO_BE_ENGLISH)
    return re.findall(r"[A-Za-z]{2,}", LATIN_ALLOWED.sub("", page.locator(of).inner_text()))


def test_no_english_is_left_on_the_chinese_screens(visiting: Visiting, gateway: GatewayProcess) -> None:
    visit = visiting("zh")
    visit.refused = True
    left = {}
    for screen in [*screens("zh")[:-1], memory_screen(gateway, "zh")]:
        page = visit.go(screen)
        page.evaluate(OF_THE_OTHER)
        if words := english_on(page):
            left[screen] = words
    assert left == {}


INJECTED: Final = """() => new Promise((done) => {
  document.addEventListener('securitypolicyviolation', (event) => done(event.effectiveDirective))
  const made = document.createElement('script')
  made.textContent = 'window.broken = 1'
  document.body.append(made)
})"""


def test_policy_refuses_scripts_that_are_not_ours(visiting: Visiting) -> None:
    visit = visiting()
    page = visit.go()
    assert page.evaluate(INJECTED) == "script-src-elem"
    assert page.evaluate("() => window.broken") is None
    visit.trouble.clear()


KEPT: Final = """() => JSON.stringify([
  document.cookie, {...localStorage}, {...sessionStorage}, location.href, document.documentElement.outerHTML
])"""


def test_key_lies_nowhere_where_a_script_could_read_it(visiting: Visiting, keyed: GatewayProcess) -> None:
    visit = visiting(at=keyed)
    visit.refused = True
    page = visit.go()
    page.get_by_label("API key").fill("ana_no_such_key_at_all")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not known")
    page.get_by_label("API key").fill(READER)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    kept = page.evaluate(KEPT)
    assert READER not in kept
    assert json.loads(kept)[0] == "", "the cookie is not for scripts"
    for name in ("Reviews", "Who asked"):
        expect(page.get_by_role("link", name=name)).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_label("API key")).to_be_visible()


def test_key_that_is_revoked_ends_the_visit(visiting: Visiting, keyed: GatewayProcess) -> None:
    visit = visiting(at=keyed)
    visit.refused = True
    page = visit.go()
    page.get_by_label("API key").fill(ADMIN)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()
    page.context.clear_cookies()  # as a key that the gateway knows no longer
    with suppress(Error):  # what the screen itself still asks for may end the visit before
        page.get_by_label("User id").fill("u", timeout=5_000)  # looks for those whose id begins like this
    expect(page.get_by_label("API key")).to_be_visible()


def test_gateway_that_goes_away_is_told_and_its_return_too(visiting: Visiting, keyed: GatewayProcess) -> None:
    visit = visiting(at=keyed)
    visit.refused = True
    page = visit.go()
    page.route("**/console/session", lambda route: route.abort())
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.unroute("**/console/session")
    expect(page.get_by_role("alert")).to_have_count(0)


def state_of(gateway: GatewayProcess, user: str) -> dict[str, Any]:
    """What a look could change: strength and times of memories, the session but its end, the lease on its summary."""
    session = gateway.post("GetSession", {"conversation_id": f"{user}-3"}).json()
    del session["expires_at"]
    context = {"user_id": user, "conversation_id": f"{user}-3", "preview": True}
    return {
        "memories": gateway.post("ListMemories", {"user_id": user, "limit": 200}).json()["items"],
        "session": session,
        "context": gateway.post("QueryMemoryContext", context).json(),
        "reviews": gateway.post("ListReviews", {"user_id": user}).json(),
    }


def end_of(gateway: GatewayProcess, user: str) -> datetime:
    """When the session ends. It is told by what is left: each answer is some milliseconds off."""
    session = gateway.post("GetSession", {"conversation_id": f"{user}-3"}).json()
    return datetime.fromisoformat(session["expires_at"])


def test_look_changes_nothing(visiting: Visiting, gateway: GatewayProcess) -> None:
    before, end = state_of(gateway, "patient-en"), end_of(gateway, "patient-en")
    visit = visiting("en")
    for screen in [*screens("en")[:-1], memory_screen(gateway, "en")]:
        visit.go(screen)
    assert state_of(gateway, "patient-en") == before
    assert abs(end_of(gateway, "patient-en") - end) < timedelta(seconds=1), "a look of some seconds puts no end off"


def tell_widely(gateway: GatewayProcess, edges: int) -> None:
    """So many things that one person knows."""
    told = [{"subject": "Ada", "predicate": "knows", "object": f"thing {number}"} for number in range(edges)]
    for start in range(0, edges, TRIPLES_PER_UPDATE_MAX):
        body = {"user_id": "patient-wide", "triples": told[start : start + TRIPLES_PER_UPDATE_MAX]}
        assert gateway.post("UpsertFacts", body).status == 200


def places(page: Page) -> list[str]:
    """Where the nodes of the graph lie, once they all do."""
    page.locator("svg.graph").wait_for()
    return page.locator("svg.graph g.node").evaluate_all("nodes => nodes.map(node => node.getAttribute('transform'))")


def test_large_graph_says_that_it_is_cut_and_is_the_same_picture_twice(
    visiting: Visiting, gateway: GatewayProcess
) -> None:
    tell_widely(gateway, 501)
    visit = visiting()
    first = places(visit.go("/people/patient-wide/graph"))
    expect(visit.page.get_by_role("status")).to_contain_text("The first 500 edges")
    assert len(first) == len(set(first)) == 501
    assert places(visit.go("/people/patient-wide/graph")) == first


def test_node_shows_what_holds_of_it(visiting: Visiting) -> None:
    visit = visiting()
    page = visit.go("/people/patient-en/graph")
    page.get_by_role("button", name="amlodipine").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="amlodipine")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(1)
    visit.picture("graph-en")


def sign_in(visit: Visit, key: str, language: str = "en") -> None:
    """As somebody who comes with a key does."""
    say = speech(language)
    visit.page.get_by_label(say("apiKey")).fill(key)
    visit.page.get_by_role("button", name=say("signIn")).click()
    expect(visit.page.get_by_role("button", name=say("signOut"))).to_be_visible()


def test_what_is_forgotten_is_the_memory_that_is_shown(visiting: Visiting, gateway: GatewayProcess) -> None:
    user = {"user_id": "mover"}
    for number, city in enumerate(("Leeds", "York"), 1):
        turn = {"conversation_id": f"move-{number}", "user_query": f"I live in {city} now.", "agent_response": "OK"}
        assert gateway.post("WriteTurn", user | turn).status == 200
        end = {"conversation_id": f"move-{number}", "wait_ms": 20_000}
        assert gateway.post("FinalizeSessionMemory", end).json()["state"] == "ENDED"
    (old,) = gateway.post("ListMemories", user | {"states": ["superseded"], "kinds": ["fact"]}).json()["items"]
    visit = visiting()
    visit.refused = True  # what is forgotten is not there
    page = visit.go(f"/people/mover/memories/{old['memory_id']}")
    page.get_by_role("link", name="replaced").click()
    expect(page.get_by_role("heading", name="York")).to_be_visible()
    page.get_by_role("button", name="Erase", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="Erase", exact=True).click()
    expect(page.get_by_role("status")).to_contain_text("Receipt")
    page.go_back()
    expect(page.get_by_role("heading", name="Leeds")).to_be_visible()
    assert gateway.post("GetMemory", {"memory_id": old["superseded_by"]}).status == 404
    assert gateway.post("GetMemory", {"memory_id": old["memory_id"]}).status == 200


def test_conversation_of_another_user_is_not_shown(visiting: Visiting) -> None:
    visit = visiting()
    visit.refused = True
    page = visit.go("/people/patient-en/conversations/patient-zh-1")
    expect(page.get_by_role("alert").first).to_contain_text("may not see it")
    expect(page.get_by_text("青霉素")).to_have_count(0)


def test_attribute_may_have_any_name(visiting: Visiting, gateway: GatewayProcess) -> None:
    attributes = {"toString": "boom", "title": "mine", "constructor": "x"}
    memory = {"user_id": "named", "memory_type": "fact", "subject": "user", "topic": "likes", "object": "tea"}
    made = gateway.post("CreateMemory", memory | {"attributes": attributes})
    assert made.status == 200, made.body
    page = visiting().go(f"/people/named/memories/{made.json()['memory_id']}")
    for name in attributes:
        expect(page.locator("dt", has_text=name)).to_be_visible()


def test_tab_is_not_left_to_who_signs_in_beside_it(visiting: Visiting, keyed: GatewayProcess) -> None:
    visit = visiting(at=keyed)
    visit.refused = True
    visit.go()
    sign_in(visit, ADMIN)
    visit.go("/people/somebody")
    beside = visit.page.context.new_page()
    beside.goto(f"{keyed.url}/console/")
    beside.get_by_role("button", name="Sign out").click()
    beside.get_by_label("API key").fill(READER)
    beside.get_by_role("button", name="Sign in").click()
    expect(beside.get_by_text("guest")).to_be_visible()
    visit.page.bring_to_front()
    expect(visit.page.get_by_text("guest")).to_be_visible()
    expect(visit.page.get_by_role("button", name="Erase this person’s data")).to_have_count(0)


def test_sign_out_that_fails_is_told(visiting: Visiting, keyed: GatewayProcess) -> None:
    visit = visiting(at=keyed)
    visit.refused = True
    page = visit.go()
    sign_in(visit, ADMIN)
    page.route(
        "**/console/session", lambda route: route.abort() if route.request.method == "DELETE" else route.continue_()
    )
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def test_forgetting_that_cannot_be_counted_is_told(visiting: Visiting) -> None:
    visit = visiting()
    visit.refused = True
    page = visit.go("/people/patient-en")
    page.route("**/v1/ForgetMemory", lambda route: route.abort())
    page.get_by_role("button", name="Erase this person’s data").click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")


def test_plain_http_is_enough_where_it_is_allowed(visiting: Visiting, tmp_path: Path) -> None:
    """At an address that browsers do not trust: they say less of where a request comes from."""
    settings = {"ANAMNESIS_AUTH__KEYS": keys_of_both(), "ANAMNESIS_CONSOLE__ALLOW_HTTP": "true"}
    gateway = start_gateway(tmp_path, environment=settings)
    try:
        visit = visiting(at=gateway)
        visit.refused = True
        visit.page.goto(f"http://{ELSEWHERE}:{gateway.port}/console/")
        visit.trouble.clear()  # its opener policy counts at trusted addresses alone
        sign_in(visit, ADMIN)
        visit.page.reload()
        expect(visit.page.get_by_role("button", name="Sign out")).to_be_visible()
        visit.trouble.clear()
    finally:
        gateway.kill()
