"""F5: one of 100 users is erased, through a real gateway: no byte of his in any file, the others untouched."""

import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from processes import Gateway, RedisServer, finalizations

from tests.waiting import wait_until

if TYPE_CHECKING:
    from tests.weaviate_server import WeaviateServer

USERS = 100
ERASED = 7


def canary(number: int) -> str:
    return f"canary{number:03}quartz"


def user(number: int) -> str:
    return f"user-{number:03}"


def tell(gateway: Gateway, number: int, name: str, *, end: bool) -> None:
    """A conversation of a user with his canary wherever a caller can put one."""
    said, about = canary(number), {"conversation_id": f"{name}-{number:03}"}
    turn = {"user_id": user(number), "user_query": f"{said}，我对青霉素过敏。", "agent_response": f"{said}，好的。"}
    steps: list[tuple[str, dict[str, Any]]] = [
        ("WriteTurn", about | turn),
        ("CheckpointShortMemory", about | {"summary": said}),
        ("FinalizeSessionMemory", about | {"summary": said}),
    ]
    for operation, body in steps if end else steps[:2]:
        status, answer = gateway.post(operation, body)
        assert status == 200, answer


def files(*folders: Path) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file() and not path.name.endswith(".log"))


def holding(text: str, *folders: Path) -> list[str]:
    return [str(path) for path in files(*folders) if text.encode() in path.read_bytes()]


def views(gateway: Gateway, numbers: list[int]) -> list[Any]:
    """What the product answers about users: their memories and their profiles."""
    asked = itertools.product(numbers, ("ListMemories", "GetProfile"))
    return [gateway.post(operation, {"user_id": user(number)}) for number, operation in asked]


@pytest.mark.parametrize("store", ["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
def test_f5_erased_user_leaves_no_byte_in_any_file_and_99_others_are_untouched(
    request: pytest.FixtureRequest,
    redis_server: RedisServer,
    make_gateway: Callable[..., Gateway],
    store: str,
) -> None:
    settings = {"EMBEDDINGS__PROVIDER": "none"}
    folders = [redis_server.folder]
    if store == "weaviate":
        server: WeaviateServer = request.getfixturevalue("weaviate")
        settings |= server.gateway_settings()
        folders.append(server.folder / "data")
    gateway = make_gateway(redis_server, **settings).start()
    folders.append(gateway.data)
    for number in range(USERS):
        tell(gateway, number, "ended", end=True)
    tell(gateway, ERASED, "alive", end=False)
    facts = {"user_id": user(ERASED), "facts": {"allergies": [canary(ERASED)]}}
    assert gateway.post("UpsertFacts", facts)[0] == 200
    with redis_server.client() as client:
        wait_until(
            lambda: [f["state"] for f in finalizations(client).values()] == ["ENDED"] * USERS, "all is in memory"
        )
        others = [number for number in range(USERS) if number != ERASED]
        before = views(gateway, others)
        assert all(canary(number) in json.dumps(before[2 * place]) for place, number in enumerate(others))
        in_files = holding(canary(ERASED), *folders)

        status, receipt = gateway.post("ForgetMemory", {"user_id": user(ERASED)})
        assert (status, receipt["memunits"], receipt["sessions"], receipt["profile"]) == (200, 1, 2, True)
        assert receipt["store"] == store
        assert receipt["session_files"]["state"] == "not ours to rewrite"
        client.bgrewriteaof()  # what the receipt tells its operator; test_erased_files.py is without this help
        wait_until(lambda: not rewriting(client), "the append-only file is written anew")
    left = holding(canary(ERASED), *folders)
    found = sum(bool(holding(canary(number), *folders)) for number in others[::10])
    print(f"F5 {store}: canary in {len(in_files)} files before, {len(left)} after; others found {found} of 10")
    assert left == []
    assert len(in_files) >= 2
    assert found == 10
    assert views(gateway, others) == before
    assert gateway.post("ListMemories", {"user_id": user(ERASED)})[1]["items"] == []
    assert gateway.post("GetProfile", {"user_id": user(ERASED)})[1]["version"] == 0


def rewriting(client: Any) -> bool:
    persistence = client.info("persistence")
    return bool(persistence["aof_rewrite_in_progress"] or persistence["aof_rewrite_scheduled"])
