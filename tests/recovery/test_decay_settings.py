"""A gateway that starts with other settings of how memories fade: what is stored leaves by those, by its own doing."""

from collections.abc import Callable
from typing import Any

import pytest
from processes import Gateway

from tests.waiting import wait_until

pytestmark = pytest.mark.integration

BARE = {"EMBEDDINGS__PROVIDER": "none", "DECAY__FORGET": "true", "DECAY__SWEEP_INTERVAL_S": "1", "LOG__LEVEL": "info"}


def ok(gateway: Gateway, operation: str, **body: Any) -> dict[str, Any]:
    status, answer = gateway.post(operation, body, timeout_s=40)
    assert status == 200, (operation, answer)
    return answer


def held(gateway: Gateway) -> int:
    return len(ok(gateway, "ListMemories", user_id="u1", kinds=["episode"])["items"])


def test_what_is_stored_leaves_by_the_settings_of_today(make_gateway: Callable[..., Gateway]) -> None:
    first = make_gateway(**BARE).start()
    ok(first, "WriteTurn", conversation_id="c", user_id="u1", user_query="上周我搬到了苏州。", agent_response="好的。")
    ok(first, "FinalizeSessionMemory", conversation_id="c", wait_ms=20_000)
    there = held(first)
    assert there > 0
    first.stop()

    stricter = make_gateway(**BARE, DECAY__FORGET_BELOW="5").start()
    wait_until(lambda: held(stricter) == 0, "nothing is vital enough for these settings")
    assert "memories leave and ask by the settings of sections decay and curation" in stricter.text()
    stricter.stop()

    again = make_gateway(**BARE, DECAY__FORGET_BELOW="5").start()
    assert held(again) == 0
    assert "memories leave and ask by" not in again.text(), "the times are made once"
    again.stop()
