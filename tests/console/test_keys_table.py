"""Who may ask stands beside who asked, once somebody wants to see it."""

import pytest
from playwright.sync_api import expect

from tests.console.conftest import ADMIN, Visiting
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import faults, sign_in
from tests.gateways import GatewayProcess


@pytest.mark.parametrize("language", LANGUAGES)
def test_keys_are_listed_and_lead_to_what_was_asked_with_each(
    visiting: Visiting, keyed: GatewayProcess, language: str
) -> None:
    say = speech(language)
    visit = visiting(language, at=keyed)
    visit.refused = True  # before she signs in
    page = visit.go()
    sign_in(visit, ADMIN, language)
    visit.go("/audit")
    summary = page.locator("summary", has_text=say("keys"))
    keys = page.locator("details", has=summary)
    expect(keys.locator("tbody tr")).to_have_count(0)
    summary.press("Enter")
    rows = keys.locator("tbody tr")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text(say("scope_read"))
    expect(rows.first).to_contain_text(say("notOfLate"))
    expect(rows.last).to_contain_text(say("scope_admin"))
    expect(keys).to_contain_text("--tenant t")
    assert faults(page) == []
    visit.picture(f"keys-{language}")
    rows.last.get_by_role("link", name="nurse").click()
    expect(page.get_by_label(say("keyName"))).to_have_value("nurse")
    expect(page.locator("section tbody tr").first).to_contain_text("nurse")
