"""What was staged when Redis lost its jobs: `verify-store` says of how many, and completes them with `--repair`."""

import http
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from processes import Gateway, RedisServer
from test_store_commands import NANO, Operator, kept_by

from tests.waiting import wait_until

pytestmark = pytest.mark.integration

LATER: Final = {"GRAPH__SETTLE_DELAY_S": "600"}
USERS: Final = ("u1", "u2", "u3")
NOT_WHOLE: Final = "index: {} records not complete, {} mended"


def call(gateway: Gateway, operation: str, **body: Any) -> dict[str, Any]:
    status, answer = gateway.post(operation, body)
    assert status == http.HTTPStatus.OK, answer
    return answer


def by_meaning(gateway: Gateway, user: str, query: str) -> list[dict[str, Any]]:
    return list(call(gateway, "SearchMemories", user_id=user, query=query, mode="vector")["memories"])


def last_line(told: tuple[int, str]) -> tuple[int, str]:
    code, text = told
    return code, text.splitlines()[-1]


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("weaviate", marks=pytest.mark.long)])
def test_what_was_staged_when_redis_was_flushed_is_found_and_mended(
    kind: str,
    request: pytest.FixtureRequest,
    redis_server: RedisServer,
    make_gateway: Callable[..., Gateway],
    tmp_path: Path,
) -> None:
    """No job is left, and nothing but the records themselves says that they are staged."""
    where = {} if kind == "sqlite" else kept_by(request.getfixturevalue("weaviate"), redis_server)
    gateway = make_gateway(redis_server, **(where | NANO | LATER)).start()
    for user in USERS:
        told = {"subject": "user", "memory_type": "event", "topic": "dog chews shoes"}
        assert call(gateway, "CreateMemory", user_id=user, **told)["status"] == "staged"
    gateway.stop()
    with redis_server.client() as client:
        client.flushall()
    operator = Operator(tmp_path / "data", where | NANO)
    code, told_of = last_line(operator.run("verify-store"))
    number = int(told_of.split()[1])
    # a gateway completes everybody once when it starts: on a slow machine that round comes to who is first
    assert 0 < number <= len(USERS)
    assert (code, told_of) == (1, NOT_WHOLE.format(number, 0))
    assert last_line(operator.run("verify-store", "--repair")) == (0, NOT_WHOLE.format(number, number))
    assert last_line(operator.run("verify-store")) == (0, NOT_WHOLE.format(0, 0))
    gateway.start()
    for user in USERS:
        (found,) = wait_until(partial(by_meaning, gateway, user, "my dog chews my shoes"), "the model to be loaded")
        assert (found["predicate"], found["status"]) == ("dog chews shoes", "consolidated")
