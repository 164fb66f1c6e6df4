"""ListKeys: which API keys a tenant has, and nothing of the keys."""

import json

from gateway.auth import hash_key
from tests.gateways import GatewayProcess
from tests.http.conftest import Start
from tests.waiting import wait_until

NURSE, BOT, GONE, STRANGER = "ana_key_of_the_nurse", "ana_key_of_the_bot", "ana_key_that_is_gone", "ana_key_of_another"
KEYS = [
    {"hash": hash_key(NURSE), "tenant": "t1", "scopes": ["admin"], "name": "nurse"},
    {"key": BOT, "tenant": "t1", "scopes": ["read", "write"], "name": "bot"},
    {"hash": hash_key(GONE), "tenant": "t1", "name": "gone", "revoked": True},
    {"hash": hash_key(STRANGER), "tenant": "t2", "scopes": ["admin"]},
]


def test_an_admin_sees_the_keys_of_the_own_tenant_and_when_each_was_used(start: Start) -> None:
    gateway = start(environment={"ANAMNESIS_AUTH__KEYS": json.dumps(KEYS)})
    assert gateway.post("ListKeys", {}, key=BOT).status == 403
    wait_until(lambda: gateway.post("ListAudit", {"key": "bot"}, key=NURSE).json()["items"])
    answer = gateway.post("ListKeys", {}, key=NURSE)
    items = answer.json()["items"]
    assert [(each["name"], each["scopes"], each["revoked"]) for each in items] == [
        ("bot", ["read", "write"], False),
        ("gone", ["read", "write"], True),
        ("nurse", ["admin"], False),
    ]
    assert [each["name"] for each in items if "last_used_at" in each] == ["bot", "nurse"]
    held = gateway.post("ListKeys", {"revoked": False}, key=NURSE).json()["items"]
    assert [each["name"] for each in held] == ["bot", "nurse"]
    text = answer.body.decode()
    for key in (NURSE, BOT, GONE, STRANGER):
        assert key not in text
        assert hash_key(key).removeprefix("sha256:") not in text
    (own,) = gateway.post("ListKeys", {}, key=STRANGER).json()["items"]
    assert "name" not in own, "it has none"


def test_without_keys_the_gateway_says_that_it_is_open(open_gateway: GatewayProcess) -> None:
    assert open_gateway.post("ListKeys", {}).json() == {"items": [], "open": True}
