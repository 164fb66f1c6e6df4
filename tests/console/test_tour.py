"""What a nurse does: finds the allergy, sees where it was said and what the model is told, decides, and lets go."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.console.conftest import ADMIN, Visit, Visiting, tell
from tests.console.speech import LANGUAGES, speech
from tests.gateways import GatewayProcess

BOTH = pytest.mark.parametrize("language", LANGUAGES)
PENICILLIN = {"en": re.compile("penicillin", re.IGNORECASE), "zh": re.compile("青霉素")}
CEPHALOSPORIN = {"en": re.compile("cephalexin", re.IGNORECASE), "zh": re.compile("头孢")}
QUESTION = {"en": "which tablets for the pressure", "zh": "降血压吃什么药"}
TABLET = {"en": "amlodipine", "zh": "氨氯地平"}
WHY = "asked again / 再次询问"


def region(page: Page, heading: str) -> Locator:
    """The part of the page under a heading."""
    return page.locator("section", has=page.get_by_role("heading", name=heading, exact=True))


def looks_back(visit: Visit, gateway: GatewayProcess, language: str) -> None:
    """She sees what she changed, and that she did, and takes along what is kept."""
    page, say, states = visit.page, speech(language), ["held", "ended", "superseded", "archived"]
    asked = {"user_id": "patient", "kinds": ["fact"], "states": states}
    facts = gateway.post("ListMemories", asked, key=ADMIN).json()["items"]
    histories = [gateway.post("GetMemoryHistory", {"memory_id": each["memory_id"]}, key=ADMIN).json() for each in facts]
    decided = [each["memory"]["memory_id"] for each in histories if WHY in str(each["changes"])]
    visit.go(f"/people/patient/memories/{decided[0]}")
    expect(region(page, say("whatHappened"))).to_contain_text(WHY)
    visit.picture(f"tour-5-change-{language}")

    page.get_by_role("link", name=say("whoLooked")).click()
    page.get_by_label(say("operation")).fill("DecideReview")
    page.get_by_role("button", name=say("look")).click()
    expect(page.locator("tbody tr")).to_have_count(1)
    visit.picture(f"tour-6-audit-{language}")

    visit.go("/people/patient")
    with page.expect_download() as taken:
        page.get_by_role("button", name=say("takeout")).click()
    kept = Path(taken.value.path()).read_text(encoding="utf-8")
    assert decided[0] in kept
    visit.picture(f"tour-7-taken-along-{language}")


def lets_go(visit: Visit, language: str) -> None:
    """She erases the person, and reads the receipt."""
    page, say = visit.page, speech(language)
    dialog, allergies = page.get_by_role("dialog"), region(page, say("allergies"))
    page.get_by_role("button", name=say("forgetPerson")).click()
    expect(dialog.get_by_role("button", name=say("forgetPerson"))).to_be_disabled()
    dialog.get_by_label(say("userId")).fill("patient")
    visit.picture(f"tour-8-forget-{language}")
    dialog.get_by_role("button", name=say("forgetPerson")).click()
    expect(page).to_have_url(re.compile(r"#/$"))
    expect(page.locator(".notice")).to_contain_text(say("forgotten").partition("{")[0])
    expect(page).to_have_title(f"{say('home')} · Anamnesis")
    visit.go("/people/patient")
    expect(allergies).to_contain_text(say("nothingKnown"))
    expect(page.get_by_text(say("nobodyHere"))).to_be_visible()


@BOTH
def test_nurse_finds_an_allergy_decides_and_lets_the_person_go(
    visiting: Visiting, keyed: GatewayProcess, language: str
) -> None:
    say, drug, other = speech(language), PENICILLIN[language], CEPHALOSPORIN[language]
    tell(keyed, "patient", language, key=ADMIN)
    visit = visiting(language, at=keyed)
    visit.refused = True  # before she signs in
    page = visit.go()
    page.get_by_label(say("apiKey")).fill(ADMIN)
    page.get_by_role("button", name=say("signIn")).click()
    page.get_by_label(say("userId")).fill("patient")
    visit.picture(f"tour-1-home-{language}")

    page.get_by_role("button", name=say("open"), exact=True).click()
    allergies = region(page, say("allergies"))
    expect(allergies.get_by_text(drug).first).to_be_visible()
    expect(allergies.get_by_text(other).first).to_be_visible()
    visit.settle()
    visit.picture(f"tour-2-card-{language}")

    expect(allergies.locator(".line", has=page.get_by_text(say("contested")))).to_contain_text(drug)
    allergies.locator(".line", has_text=other).get_by_role("link", name=say("whereSaid")).click()
    expect(page.locator("li.here")).to_contain_text(other)
    told = page.get_by_role("region", name=say("whatModelSees")).locator("article.safety")
    expect(told).to_contain_text(drug)
    expect(told).to_contain_text(other)
    visit.settle()
    visit.picture(f"tour-3-what-the-model-sees-{language}")

    page.get_by_role("link", name=say("reviews")).click()
    question = page.locator("article.safety", has_text=drug)
    expect(question).to_have_count(1)
    visit.picture(f"tour-4-review-{language}")
    question.get_by_role("button").first.click()
    page.get_by_label(say("why")).fill(WHY)
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button").last.click()
    expect(page.locator("article.safety", has_text=drug)).to_have_count(0)
    expect(page.get_by_role("heading", level=1)).to_be_focused()

    visit.go("/people/patient")
    expect(allergies.get_by_text(other).first).to_be_visible()
    expect(allergies.locator("strong", has_text=drug)).to_have_count(0)
    allergies.get_by_role("button", name=say("confirm")).click()
    dialog.get_by_role("button", name=say("confirm")).click()
    expect(allergies.locator(".badge.confirmed")).to_have_text(say("status_confirmed"))

    looks_back(visit, keyed, language)
    lets_go(visit, language)


@BOTH
def test_memory_is_found_by_meaning_archived_and_taken_back(visiting: Visiting, language: str) -> None:
    say = speech(language)
    visit = visiting(language)
    page = visit.go(f"/people/patient-{language}/memories")
    page.get_by_label(say("search")).fill(QUESTION[language])
    page.get_by_role("button", name=say("look")).click()
    expect(page.get_by_text(re.compile(TABLET[language])).first).to_be_visible()
    visit.picture(f"memories-{language}")

    page.get_by_label(say("kindFilter")).select_option("fact")
    page.get_by_label(say("contains")).fill(TABLET[language])
    page.get_by_role("button", name=say("apply")).click()
    page.get_by_role("link", name=re.compile(TABLET[language])).last.click()
    expect(region(page, say("source"))).to_contain_text(TABLET[language])
    for step, badges in (("archive", 1), ("restore", 0)):
        page.get_by_role("button", name=say(step), exact=True).click()
        page.get_by_role("dialog").get_by_label(say("why")).fill(f"{step} it")
        page.get_by_role("dialog").get_by_role("button", name=say(step), exact=True).click()
        expect(region(page, say("whatHappened"))).to_contain_text(f"{step} it")
        expect(page.locator(".badge", has_text=say("archived"))).to_have_count(badges)
    visit.picture(f"memory-{language}")


@BOTH
def test_safety_fact_cannot_be_archived_and_the_page_says_why(
    visiting: Visiting, gateway: GatewayProcess, language: str
) -> None:
    say = speech(language)
    profile = gateway.post("GetProfile", {"user_id": f"patient-{language}"}).json()
    visit = visiting(language)
    visit.refused = True
    page = visit.go(f"/people/patient-{language}/memories/{profile['memory_ids'][0]}")
    page.get_by_role("button", name=say("archive"), exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name=say("archive"), exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("guarded")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name=say("archive"), exact=True)).to_be_focused()


@BOTH
def test_nurse_adds_what_she_learned_and_ends_a_conversation(
    visiting: Visiting, keyed: GatewayProcess, language: str
) -> None:
    say = speech(language)
    tell(keyed, "patient", language, key=ADMIN)
    visit = visiting(language, at=keyed)
    visit.refused = True  # before she signs in
    page = visit.go("/people/patient")
    page.get_by_label(say("apiKey")).fill(ADMIN)
    page.get_by_role("button", name=say("signIn")).click()
    page.get_by_label(say("addAllergy")).fill("latex")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").get_by_role("button", name=say("add")).click()
    added = region(page, say("allergies")).locator(".line", has_text="latex")
    expect(added.locator(".badge.confirmed")).to_be_visible()

    visit.go("/people/patient/conversations/patient-3")
    told = page.get_by_role("region", name=say("whatModelSees")).locator("article.safety")
    expect(told).to_contain_text("latex")
    page.get_by_role("button", name=say("endNow")).click()
    page.get_by_role("dialog").get_by_role("button", name=say("endNow")).click()
    expect(page.locator(".badge.ended", has_text=say("state_ENDED"))).to_be_visible()


def test_all_that_is_kept_of_a_person_can_be_taken_out(visiting: Visiting, gateway: GatewayProcess) -> None:
    page = visiting().go("/people/patient-en")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download all that is kept").click()
    assert taken.value.suggested_filename == "patient-en.jsonl"
    lines = [json.loads(line) for line in Path(taken.value.path()).read_text(encoding="utf-8").splitlines()]
    assert (lines[0]["record"], lines[-1]) == ("head", {"record": "end", "lines": len(lines)})
    kept = Counter(line["record"] for line in lines)
    states = ["held", "ended", "superseded", "archived"]
    memories = gateway.post("ListMemories", {"user_id": "patient-en", "limit": 200, "states": states}).json()["items"]
    conversations = gateway.post("ListConversations", {"user_id": "patient-en"}).json()
    assert (kept["profile"], kept["memory"], kept["conversation"]) == (1, len(memories), conversations["total"])
    assert any("allergic to penicillin" in json.dumps(line) for line in lines if line["record"] == "memunit")


@BOTH
def test_what_is_said_meanwhile_appears_by_itself(visiting: Visiting, gateway: GatewayProcess, language: str) -> None:
    user, conversation = f"patient-{language}", f"live-{language}"
    body = {"conversation_id": conversation, "user_id": user, "agent_response": "OK"}
    assert gateway.post("WriteTurn", body | {"user_query": "first"}).status == 200
    page = visiting(language).go(f"/people/{user}/conversations/{conversation}")
    expect(page.locator("ol.timeline")).to_contain_text("first")
    assert gateway.post("WriteTurn", body | {"user_query": "second"}).status == 200
    expect(page.locator("ol.timeline")).to_contain_text("second")


@BOTH
def test_newcomer_plays_a_conversation_and_reads_the_card(visiting: Visiting, language: str) -> None:
    say = speech(language)
    visit = visiting(language)
    page = visit.go()
    page.get_by_role("button", name=say("playSample")).click()
    expect(region(page, say("allergies")).get_by_text(PENICILLIN[language]).first).to_be_visible()
    for known in ("diseases", "surgeries"):
        expect(region(page, say(known)).locator("strong")).to_have_count(1)
    visit.settle()
    visit.picture(f"sample-card-{language}")
