"""Many memories at once: seen, its number typed, done, and taken back."""

import pytest
from playwright.sync_api import expect

from tests.console.conftest import Visiting
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import faults
from tests.console.test_tour import region
from tests.gateways import GatewayProcess

NUMBER = 23


def told(gateway: GatewayProcess, user: str) -> list[str]:
    """Make memories; their ids."""
    body = {"user_id": user, "subject": user, "memory_type": "fact"}
    made = [gateway.post("CreateMemory", body | {"topic": f"idle talk {number}"}) for number in range(NUMBER)]
    return [each.json()["memory_id"] for each in made]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_previewed_is_archived_and_what_is_named_is_forgotten(
    visiting: Visiting, gateway: GatewayProcess, language: str
) -> None:
    say, user = speech(language), f"many-{language}"
    ids = told(gateway, user)
    visit = visiting(language)
    page = visit.go(f"/people/{user}/memories")
    page.get_by_label(say("contains")).fill("idle")
    page.get_by_role("link", name=say("manyAtOnce")).click()
    expect(page.get_by_label(say("contains"))).to_have_value("idle")
    page.get_by_role("button", name=say("preview")).click()
    many = region(page, say("manyAtOnce"))
    expect(many.locator("strong")).to_contain_text(str(NUMBER))
    expect(many.locator(".line")).to_have_count(20)
    visit.picture(f"many-preview-{language}")
    many.get_by_role("button", name=str(NUMBER)).click()
    dialog = page.get_by_role("dialog")
    act = dialog.get_by_role("button", name=say("op_archive"))
    typed = dialog.get_by_label(str(NUMBER))
    typed.fill("7")
    expect(act).to_be_disabled()
    assert faults(page) == []
    typed.fill(str(NUMBER))
    act.click()
    expect(page.get_by_role("heading", name=say("job_done"))).to_be_visible()
    expect(page.get_by_role("progressbar")).to_have_attribute("value", str(NUMBER))
    expect(region(page, say("jobs")).locator(".line")).to_have_count(1)
    assert faults(page) == []
    visit.picture(f"many-done-{language}")

    page.get_by_role("combobox", name=say("doWhat")).select_option("forget")
    page.get_by_label(say("byIds")).check()
    page.get_by_label(say("memoryIds")).fill(f"{ids[0]}、{ids[1]}，{ids[0]} nobodys")
    page.get_by_role("button", name=say("preview")).click()
    expect(many).to_contain_text(f"{say('left_unknown')}: 1")
    many.get_by_role("button", name="2").click()
    dialog.get_by_label("2").fill("2")
    dialog.get_by_role("button", name=say("op_forget")).click()
    expect(page.get_by_text(say("receipt"))).to_be_visible()
    left = gateway.post("ListMemories", {"user_id": user, "states": ["archived"], "limit": 100}).json()["items"]
    assert {each["memory_id"] for each in left} == set(ids[2:])


def test_preview_that_no_longer_holds_is_told(visiting: Visiting, gateway: GatewayProcess) -> None:
    told(gateway, "erased-meanwhile")
    visit = visiting("en")
    page = visit.go("/people/erased-meanwhile/batch")
    page.get_by_role("button", name="Preview").click()
    expect(region(page, "Many at once").locator("strong")).to_contain_text(str(NUMBER))
    page.get_by_role("button", name=f"Archive: {NUMBER}").click()
    gateway.post("ForgetMemory", {"user_id": "erased-meanwhile"})
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(str(NUMBER)).fill(str(NUMBER))
    visit.refused = True
    dialog.get_by_role("button", name="Archive").click()
    expect(dialog.get_by_role("alert")).to_contain_text("preview again")
