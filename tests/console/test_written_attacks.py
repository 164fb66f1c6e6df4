"""What people, agents and tools write stays text, wherever the console shows it."""

from typing import Any, Final

import pytest
from playwright.sync_api import expect

from tests.console.conftest import Visiting
from tests.gateways import GatewayProcess

PAYLOADS: Final = (
    "<script>alert(1)</script>",
    "<SCRIPT>alert(1)</SCRIPT>",
    "<script src=//localhost/x.js></script>",
    "<script/src=data:,alert(1)>",
    "<scr<script>ipt>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "--><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img/src/onerror=alert(1)>",
    "<img src=x:x onerror=alert`1`>",
    "<IMG SRC=javascript:alert(1)>",
    '"><img src=x onerror=alert(1)>',
    "'><img src=x onerror=alert(1)>",
    "`><img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    '"><svg onload=alert(1)>',
    "<svg><script>alert(1)</script></svg>",
    "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
    "<svg><a xlink:href=javascript:alert(1)><text y=20>x</text></a>",
    "<math><mi xlink:href=javascript:alert(1)>x</mi></math>",
    "<body onload=alert(1)>",
    "<iframe src=javascript:alert(1)></iframe>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<object data=javascript:alert(1)></object>",
    "<embed src=javascript:alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "<form action=javascript:alert(1)><button>x</button></form>",
    "<input autofocus onfocus=alert(1)>",
    "<details open ontoggle=alert(1)>x</details>",
    "<video><source onerror=alert(1)></video>",
    "<meta http-equiv=refresh content=0;url=javascript:alert(1)>",
    "<base href=//localhost/>",
    "<link rel=stylesheet href=//localhost/x.css>",
    "<template><img src=x onerror=alert(1)></template>",
    "javascript:alert(1)",
    "{{constructor.constructor('alert(1)')()}}",
    "${alert(1)}",
)
PARTS: Final = 4
PLANTED: Final = (
    "main script, main iframe, main object, main embed, main base, main link, main meta, main [onload], "
    "main [onerror], main [onfocus], main [ontoggle], main [onbegin], main a[href^='javascript:'], img[src=x], "
    "main form[action]"
)
"""What stands on a page only if a payload has become a part of it."""


def post(gateway: GatewayProcess, operation: str, **body: Any) -> dict[str, Any]:
    answer = gateway.post(operation, body)
    assert answer.status == 200, (operation, body, answer.body)
    told: dict[str, Any] = answer.json()
    return told


def write(gateway: GatewayProcess, user: str, payload: str) -> None:
    """A payload wherever a caller may write a text about somebody."""
    about = {"user_id": user}
    post(gateway, "UpsertFacts", **about, facts={"allergies": [payload]},
         triples=[{"subject": payload, "predicate": "likes", "object": payload}])  # fmt: skip
    post(gateway, "UpsertPreferences", **about, name=payload[:64], preferences={payload[:32]: payload})
    post(gateway, "WriteTurn", **about, conversation_id=user, user_query=payload, agent_response=payload,
         tool_results=[{"name": "search", "content": payload}])  # fmt: skip
    post(gateway, "UpdateGlobalState", **about, conversation_id=user, entities={payload[:32]: payload})
    made = post(gateway, "CreateMemory", **about, subject=payload, memory_type="fact", topic=payload,
                attributes={payload[:32]: payload})["memory"]  # fmt: skip
    post(gateway, "ArchiveMemory", **about, memory_id=made["memory_id"], why=payload)
    post(gateway, "RestoreMemory", **about, memory_id=made["memory_id"], why=payload)


@pytest.mark.parametrize("part", range(PARTS))
def test_what_people_write_stays_text(visiting: Visiting, gateway: GatewayProcess, part: int) -> None:
    user, payloads = f"attacker-{part}", PAYLOADS[part::PARTS]
    for payload in payloads:
        write(gateway, user, payload)
    visit = visiting()
    visit.page.on("dialog", lambda dialog: (visit.trouble.append(dialog.message), dialog.dismiss()))
    made = post(gateway, "ListMemories", user_id=user, kinds=["created"], limit=1)["items"][0]["memory_id"]
    everywhere = ("", "/conversations", f"/conversations/{user}", "/memories", f"/memories/{made}", "/graph", "/batch")
    for screen in [*(f"/people/{user}{each}" for each in everywhere), "/", "/reviews", f"/audit?user={user}"]:
        page = visit.go(screen)
        assert page.locator(PLANTED).count() == 0, screen
    page = visit.go(f"/people/{user}")
    for payload in payloads:
        expect(page.get_by_text(payload).first).to_be_visible()
