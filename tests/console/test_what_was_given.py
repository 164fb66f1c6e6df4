"""What a model was given for an answer is seen beside it, also when some of it is forgotten since."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.conftest import Visiting, tell
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import faults
from tests.console.test_tour import PENICILLIN, QUESTION, TABLET
from tests.gateways import GatewayProcess
from tests.waiting import wait_until


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_given_stands_beside_the_answer(visiting: Visiting, gateway: GatewayProcess, language: str) -> None:
    say, user = speech(language), f"given-{language}"
    tell(gateway, user, language)
    place = {"conversation_id": f"{user}-asks", "user_id": user}

    def answered() -> list[str]:
        """What was given for an answer that names a tablet which was remembered."""
        asked = gateway.post("QueryMemoryContext", place | {"query": QUESTION[language]}).json()
        turn = {"user_query": QUESTION[language], "agent_response": TABLET[language]}
        assert gateway.post("WriteTurn", place | turn).status == 200
        given = [each.get("given") for each in gateway.post("GetTimeline", place).json()["entries"]][-1]
        told = [each["memory_id"] for each in asked["memories"] if TABLET[language] in each["text"]]
        return told and given and [*told[:1], *given["memory_ids"], *given["fact_ids"]]

    tablet, *ids = wait_until(answered, "a context in which it stands")
    visit = visiting(language)
    page = visit.go(f"/people/{user}/conversations/{user}-asks")
    note = page.locator("details.given").last
    expect(note).not_to_contain_text(TABLET[language])
    note.locator("summary").press("Enter")
    expect(note.locator(".safety")).to_contain_text(PENICILLIN[language])
    expect(note.locator(".recalled")).to_contain_text(TABLET[language])
    visit.settle()
    assert faults(page) == []
    visit.picture(f"given-{language}")

    assert gateway.post("ForgetMemory", {"user_id": user, "memory_id": tablet}).status == 200
    left = [gateway.post("GetMemory", {"user_id": user, "memory_id": each}).status for each in ids]
    visit.refused = True  # GetMemory of what is forgotten
    page = visit.go(f"/people/{user}/conversations/{user}-asks")
    note.locator("summary").press("Enter")
    expect(note.locator(".notice")).to_contain_text(re.compile(rf"\b{left.count(404)}\b"))
    expect(note.locator(".notice")).to_contain_text(say("givenForgotten").partition("{count}")[2].strip())
