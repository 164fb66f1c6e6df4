"""A gateway of today over the data of one that listed no users: everybody is listed, by its own doing, once."""

from collections.abc import Callable
from typing import Any

import pytest
import redis
from processes import Gateway

from gateway.process.sockets import socket_path
from memory.stores.redis.keys import PREFIX
from tests.waiting import wait_until

pytestmark = pytest.mark.integration

BARE = {"EMBEDDINGS__PROVIDER": "none", "DECAY__SWEEP_INTERVAL_S": "1", "LOG__LEVEL": "info"}
TOLD = "users are listed"


def ok(gateway: Gateway, operation: str, **body: Any) -> dict[str, Any]:
    status, answer = gateway.post(operation, body, timeout_s=40)
    assert status == 200, (operation, answer)
    return answer


def all_listed(gateway: Gateway) -> None:
    def are() -> bool:
        items = ok(gateway, "ListUsers", order="name")["items"]
        return {each["user_id"]: each["conversations"] for each in items} == {"u-alive": 1, "u-ended": 1, "u-told": 0}

    wait_until(are, "all are listed")


def test_who_was_there_before_the_list_is_on_it_after_an_update(make_gateway: Callable[..., Gateway]) -> None:
    old = make_gateway(**BARE).start()
    for name in ("ended", "alive"):
        ok(old, "WriteTurn", conversation_id=name, user_id=f"u-{name}", user_query="我头痛。", agent_response="好的。")
    ok(old, "FinalizeSessionMemory", conversation_id="ended", wait_ms=20_000)
    ok(old, "UpsertFacts", user_id="u-told", facts={"allergies": ["青霉素"]})
    wait_until(lambda: TOLD in old.text(), "its own list is made")
    with redis.Redis(unix_socket_path=str(socket_path(old.data.resolve() / "valkey", "valkey"))) as client:
        client.delete(*client.keys(f"{PREFIX}:users*"), *client.keys(f"{PREFIX}:begun:*"))
    old.stop()

    today = make_gateway(**BARE).start()
    wait_until(lambda: TOLD in today.text(), "it says that it has listed them")
    all_listed(today)
    today.stop()
    again = make_gateway(**BARE).start()
    all_listed(again)
    again.stop()
    assert TOLD not in again.text(), "once"
