"""With Redis and the long-term store gone, who has a key still signs in, and sees on the first screen what is gone."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.console.conftest import ADMIN, Visiting, keys_of_both
from tests.console.speech import LANGUAGES, speech
from tests.console.test_quality import sign_in
from tests.gateways import GatewayProcess, start_gateway
from tests.servers import running, valkey_binary
from tests.waiting import wait_until

GONE: Final = {"redis": "down", "store": "down", "memories": "degraded"}
"""Without memories sessions go on, so of itself that is no reason to send requests elsewhere."""


def take_the_tables(gateway: GatewayProcess) -> None:
    """Somebody put another file's content into the store: each of its queries fails from here on."""
    (path,) = (gateway.folder / "data").glob("*.sqlite3")
    with closing(sqlite3.connect(path)) as file:
        for name in ("store", "memories"):
            file.execute(f"ALTER TABLE {name} RENAME TO away_{name}")
        file.commit()


def parts_of(gateway: GatewayProcess) -> dict[str, str]:
    """What its health says of the parts that are gone."""
    told = gateway.get("/health").json()["components"]
    return {name: told[name]["status"] for name in GONE}


@pytest.mark.parametrize("language", LANGUAGES)
def test_sign_in_works_without_redis_and_store_and_the_screen_says_so(
    visiting: Visiting, tmp_path: Path, language: str
) -> None:
    say = speech(language)
    with running(valkey_binary()) as redis:
        environment = {"ANAMNESIS_AUTH__KEYS": keys_of_both(), "REDIS_URL": redis, "ANAMNESIS_SERVER__PROCESSES": "1"}
        gateway = start_gateway(tmp_path, environment=environment)
        wait_until(lambda: "users are listed" in gateway.log_text(), "its worker has opened the store too")
    try:
        take_the_tables(gateway)
        wait_until(lambda: parts_of(gateway) == GONE, "it sees that they are gone")
        visit = visiting(language, at=gateway)
        visit.refused = True
        page = visit.go()
        sign_in(visit, ADMIN, language)
        looked = page.locator("section", has=page.get_by_role("heading", name=say("health"), exact=True))
        for name, state in GONE.items():
            part = looked.get_by_role("listitem").filter(has_text=say(f"part_{name}"))
            expect(part).to_contain_text(say("degradedState" if state == "degraded" else state))
        page.reload()
        expect(page.get_by_role("button", name=say("signOut"))).to_be_visible()
        visit.settle()
        visit.picture(f"stores-away-{language}")
        page.goto("about:blank")
        visit.trouble.clear()  # its lists are refused, as they must be
    finally:
        gateway.kill()
