"""A real Chromium in front of real gateways. Any error of a page fails its test."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gateway.auth import hash_key
from tests.console.speech import LANGUAGES
from tests.gateways import ROOT, GatewayProcess, start_gateway
from tests.packages import missing, require_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Request

AXE = ROOT / "console" / "node_modules" / "axe-core" / "axe.min.js"
PICTURES = ROOT / "build" / "console"
PATIENCE_MS = 20_000
WIDE = {"width": 1200, "height": 900}
ADMIN, READER = "ana_admin_of_the_console", "ana_reader_of_the_console"
QUIET = 3
"""So many tasks of the page in a row in which nothing is asked for: what answers lead to is drawn by then."""
ANOTHER_TASK = """() => new Promise(resolve => {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = resolve
  port2.postMessage(0)
}).then(() => undefined)"""
KINDS_OF_TROUBLE = ("error", "warning")
ELSEWHERE = "console.example"
"""This machine, by a name that browsers do not trust without TLS."""
START = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
]

SAID = {
    "zh": [
        ("你好，我头痛三天了，有点恶心。", "请问您有慢性病或者过敏吗？"),
        ("我有高血压，每天早上吃一片氨氯地平。我对青霉素过敏，打针以后全身起过荨麻疹。", "已经记下：不能用青霉素。"),
        ("2015年做过阑尾切除手术。", "好的，谢谢。"),
    ],
    "en": [
        ("Hi, I have had a headache for three days and I feel sick.", "Do you have any lasting diseases or allergies?"),
        ("I have high blood pressure and take amlodipine 5 mg every morning. I am allergic to penicillin, I got hives.",
         "Noted: no penicillin."),
        ("My appendix was taken out in 2015.", "Thank you."),
    ],
}  # fmt: skip
TAKEN_BACK = {
    "zh": ("我说错了，我不是对青霉素过敏，是头孢。", "好的，已经更正。"),
    "en": (
        "Sorry, I said that wrong: I'm not allergic to penicillin, I'm allergic to cephalexin.",
        "Thank you, noted.",
    ),
}
GOES_ON = {"zh": ("今天头痛好一些了。", "很好。"), "en": ("My headache is better today.", "Good.")}


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """The machine's own Chromium: no browser is downloaded."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        missing("chromium")
    require_page()
    if not AXE.is_file():
        missing("axe-core (`make test-console`)")
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect.set_options(timeout=PATIENCE_MS)
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=path, args=START)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GatewayProcess]:
    """A gateway without keys, where somebody of each language is remembered."""
    gateway = start_gateway(tmp_path_factory.mktemp("console"))
    for language in LANGUAGES:
        tell(gateway, f"patient-{language}", language)
    yield gateway
    gateway.kill()


def tell(gateway: GatewayProcess, user: str, language: str, *, key: str | None = None) -> None:
    """A first conversation, a second one in which something is taken back, both ended; and one that goes on."""
    for number, turns in enumerate((SAID[language], [TAKEN_BACK[language]], [GOES_ON[language]]), 1):
        conversation = f"{user}-{number}"
        for said, answered in turns:
            body = {"conversation_id": conversation, "user_id": user, "user_query": said, "agent_response": answered}
            assert gateway.post("WriteTurn", body, key=key).status == 200
        if turns != [GOES_ON[language]]:
            end = {"conversation_id": conversation, "wait_ms": 20_000}
            assert gateway.post("FinalizeSessionMemory", end, key=key).json()["state"] == "ENDED"


def keys_of_both() -> str:
    """The setting auth.keys."""
    keys = [
        {"hash": hash_key(ADMIN), "tenant": "t", "scopes": ["admin"], "name": "nurse"},
        {"hash": hash_key(READER), "tenant": "t", "scopes": ["read"], "name": "guest"},
    ]
    return json.dumps(keys)


@pytest.fixture
def keyed(tmp_path: Path) -> Iterator[GatewayProcess]:
    """A gateway with keys, for those that sign in."""
    gateway = start_gateway(tmp_path, environment={"ANAMNESIS_AUTH__KEYS": keys_of_both()})
    yield gateway
    gateway.kill()


@dataclass
class Visit:
    """One browser window at one gateway, and what went wrong in it."""

    gateway: GatewayProcess
    page: "Page"
    trouble: list[str] = field(default_factory=list)
    refused: bool = False
    """Whether answers of 400 and more are expected: a browser logs each as an error."""
    asking: set["Request"] = field(default_factory=set)
    """What the page asks for and has not yet; what is watched never ends and is not among it."""

    def go(self, path: str = "/") -> "Page":
        """Show a screen, and wait until it has all it asked for."""
        self.page.goto("about:blank")
        self.asking.clear()
        self.page.goto(f"{self.gateway.url}/console/#{path}")
        self.settle()
        return self.page

    def settle(self) -> None:
        """Wait until nothing is being asked for, also after a change of the screen, which loads no document."""
        self.page.wait_for_load_state("networkidle")
        quiet, until = 0, time.monotonic() + PATIENCE_MS / 1000
        while quiet < QUIET:
            assert time.monotonic() < until, f"never answered: {[asked.url for asked in self.asking]}"
            self.page.evaluate(ANOTHER_TASK)
            quiet = 0 if self.asking else quiet + 1

    def picture(self, name: str) -> None:
        """Keep what is seen now, for those that look at it."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=PICTURES / f"{name}.png", full_page=True)

    def _note(self, message: Any) -> None:
        if message.type in KINDS_OF_TROUBLE and not (self.refused and "Failed to load resource" in message.text):
            self.trouble.append(message.text)

    def _ask(self, request: "Request") -> None:
        if request.resource_type != "eventsource":
            self.asking.add(request)

    def _have(self, request: "Request") -> None:
        self.asking.discard(request)

    def listen(self) -> None:
        """Note every error of the page, and what it asks for."""
        self.page.on("request", self._ask)
        self.page.on("requestfinished", self._have)
        self.page.on("requestfailed", self._have)
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.trouble.append(str(error)))
        self.page.on("response", lambda answer: answer.status >= 500 and self.trouble.append(answer.url))


Visiting = Callable[..., Visit]


@pytest.fixture
def visiting(chromium: "Browser", gateway: GatewayProcess) -> Iterator[Visiting]:
    """Opens windows."""
    visits: list[Visit] = []
    contexts: list[BrowserContext] = []

    def visit(language: str = "en", scheme: str = "light", at: GatewayProcess | None = None, **more: Any) -> Visit:
        context = chromium.new_context(
            locale=LANGUAGES[language], color_scheme=scheme, viewport=more.pop("viewport", WIDE), **more
        )
        contexts.append(context)
        made = Visit(at or gateway, context.new_page())
        made.page.set_default_timeout(PATIENCE_MS)
        made.listen()
        visits.append(made)
        return made

    yield visit
    for context in contexts:
        context.close()
    assert [trouble for visit in visits for trouble in visit.trouble] == []
