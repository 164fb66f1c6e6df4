"""Keys that lead to screens, that look for something, and that sort a table; and that they can be turned off."""

import pytest
from playwright.sync_api import Page, expect

from tests.console.conftest import ADMIN, READER, Visiting
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import faults, sign_in
from tests.gateways import GatewayProcess

OF_ALL = {"h": "/", "r": "/reviews", "a": "/audit", "w": "/finalizations", "t": "/transfer", "s": "/settings"}
OF_A_PERSON = {"c": "", "v": "/conversations", "m": "/memories", "n": "/graph"}


def column(page: Page, number: int) -> list[str]:
    return page.locator(f"main tbody tr > :nth-child({number})").all_inner_texts()


def test_two_keys_lead_to_every_screen(visiting: Visiting) -> None:
    person = "/people/patient-en"
    visit = visiting()
    page = visit.go(person + "/graph")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_be_visible()
    for key, path in ({key: person + rest for key, rest in OF_A_PERSON.items()} | OF_ALL).items():
        page.keyboard.press("Shift+G")  # as with CapsLock
        page.keyboard.press(f"Shift+{key.upper()}")
        page.wait_for_url(f"**/console/#{path}")
        expect(heading).to_be_focused()


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_are_listed_and_those_listed_are_those_that_there_are(
    visiting: Visiting, keyed: GatewayProcess, language: str
) -> None:
    """Nobody is shown a way to a screen that they have not; and what is closed gives the focus back."""
    say = speech(language)
    visit = visiting(language, at=keyed)
    visit.refused = True  # before she signs in, and what a reader may not see
    page = visit.go()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_hidden()
    sign_in(visit, READER, language)
    page.keyboard.press("g")
    page.keyboard.press("r")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name=say("shortcuts"))
    expect(dialog).to_be_visible()
    assert page.url.endswith("#/"), "a reader has no questions to decide"
    assert dialog.locator("dd").all_inner_texts() == [say("home"), say("findHere"), say("thisList")]
    page.keyboard.press("Escape")
    page.get_by_role("button", name=say("signOut")).click()
    sign_in(visit, ADMIN, language)
    opens = page.get_by_role("button", name=say("shortcuts"))
    opens.press("Enter")
    assert say("reviews") in dialog.locator("dd").all_inner_texts()
    assert say("settings") not in dialog.locator("dd").all_inner_texts(), "for that one operates"
    assert faults(page) == []
    visit.picture(f"shortcuts-{language}")
    page.keyboard.press("Escape")
    expect(opens).to_be_focused()


@pytest.mark.parametrize("path", ["/", "/people/patient-en/memories", "/audit", "/settings"])
def test_slash_looks_for_something_where_there_is_something_to_look_for(visiting: Visiting, path: str) -> None:
    page = visiting().go(path)
    page.keyboard.press("/")
    field = page.locator("main input:focus")
    expect(field).to_have_value("")
    page.keyboard.type("g/a?")
    expect(field).to_have_value("g/a?")
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.url.endswith(f"#{path}"), "what is typed is text"


def test_a_letter_that_comes_late_or_alone_or_with_another_key_does_nothing(visiting: Visiting) -> None:
    page = visiting().go("/")
    page.keyboard.press("a")
    page.keyboard.press("g")
    page.keyboard.press("Control+a")
    page.keyboard.press("a")
    page.keyboard.press("g")
    page.wait_for_timeout(1_700)
    page.keyboard.press("a")
    page.keyboard.press("g")
    page.keyboard.press("x")
    page.keyboard.press("a")
    page.wait_for_timeout(200)
    assert page.url.endswith("#/")


def test_slash_of_a_keyboard_that_has_it_behind_another_key_is_a_slash(visiting: Visiting) -> None:
    """With AltGr, browsers say that Control and Alt are held too."""
    page = visiting().go("/audit")
    held = {"key": "/", "bubbles": True, "ctrlKey": True, "altKey": True}
    found = []
    for alt_graph in (False, True):
        pressed = held | {"modifierAltGraph": alt_graph}
        page.evaluate("(pressed) => document.body.dispatchEvent(new KeyboardEvent('keydown', pressed))", pressed)
        found.append(page.locator("main input:focus").count())
    assert found == [0, 1]


def test_keys_that_are_turned_off_stay_off_until_they_are_turned_on(visiting: Visiting) -> None:
    say = speech("en")
    visit = visiting()
    page = visit.go("/people/patient-en")
    opens = page.get_by_role("button", name=say("shortcuts"))
    switch = page.get_by_label(say("shortcutsOn"))
    opens.click()
    switch.press("Space")
    page.keyboard.press("Escape")
    page.reload()
    visit.settle()
    for key in "?gh":
        page.keyboard.press(key)
    expect(page.get_by_role("dialog")).to_be_hidden()
    assert page.url.endswith("/people/patient-en")
    opens.click()
    expect(switch).not_to_be_checked()
    switch.press("Space")
    page.keyboard.press("Escape")
    page.keyboard.press("g")
    page.keyboard.press("h")
    page.wait_for_url("**/console/#/")


def test_table_is_sorted_by_keyboard_and_says_by_what(visiting: Visiting, gateway: GatewayProcess) -> None:
    say = speech("en")
    for number, turns in ((9, 1), (10, 3), (1, 2)):
        for turn in range(turns):
            body = {
                "user_id": "sorter",
                "conversation_id": f"talk-{number}",
                "user_query": f"{turn}?",
                "agent_response": "!",
            }
            assert gateway.post("WriteTurn", body).status == 200
    page = visiting().go("/people/sorter/conversations")
    heads = page.get_by_role("columnheader")
    names, turns = heads.filter(has_text=say("conversation")), heads.filter(has_text=say("turns"))
    came = column(page, 1)
    assert came == ["talk-1", "talk-10", "talk-9"], "by their ids, letter by letter"

    by_name = names.get_by_role("button")
    by_name.press("Enter")
    assert column(page, 1) == ["talk-1", "talk-9", "talk-10"]
    expect(names).to_have_attribute("aria-sort", "ascending")
    expect(by_name).to_be_focused()
    by_name.press("Space")
    assert column(page, 1) == ["talk-10", "talk-9", "talk-1"]
    turns.get_by_role("button").press("Enter")
    assert column(page, 4) == ["1", "2", "3"]
    expect(names).to_have_attribute("aria-sort", "none")
    expect(turns).to_have_attribute("aria-sort", "ascending")
    for _ in range(2):
        turns.get_by_role("button").press("Enter")
    assert column(page, 1) == came, "and back"
