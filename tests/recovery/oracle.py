"""What memory must hold after trouble: what the same conversations leave in a gateway that nothing disturbs.

Compared are the records themselves, read beside the product: those of a Weaviate and those of a SQLite file. Times of
recording, what recall has added, and ids (each holds the seqs) are left out: what is told is the same without them.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from processes import Gateway, rows

from memory.model.memory import STAGED
from memory.stores.weaviate.schema import COLLECTION, DOCUMENT, LONG_TERM, MESSAGES, PENDING
from tests.weaviate_server import WeaviateServer

SAME = ("user_id", "kind", "category", "type", "text", "occurred_ms", "subject", "predicate", "object", "polarity",
        "speaker", "mind")  # fmt: skip
SAID = (
    ("我对青霉素过敏。头又痛了，编号{}。", "记下了，编号{}。体温多少？"),
    ("我有高血压，上周三去医院做了检查，编号{}。", "检查结果怎么样，编号{}？"),
    ("我住在上海，编号{}。我喜欢跑步。", "好的，编号{}。注意休息。"),
    ("医生让我吃布洛芬，编号{}。", "按说明服用，编号{}。"),
)
FIRST_MS = 1_760_000_000_000


@dataclass(frozen=True, slots=True)
class Told:
    """One acknowledged turn: what is to be in memory, whatever happened on the way."""

    number: int
    conversation: str
    user: str
    session: int = 0

    def body(self) -> dict[str, Any]:
        """The WriteTurn. Each number is said once, with a time of its own."""
        asked, answered = SAID[self.number % len(SAID)]
        return {
            "conversation_id": self.conversation,
            "user_id": self.user,
            "user_query": asked.format(self.number),
            "agent_response": answered.format(self.number),
            "idempotency_key": f"told-{self.number}",
            "occurred_at": _rfc3339(FIRST_MS + self.number * 60_000),
        }


def _rfc3339(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat().replace("+00:00", "Z")


def in_weaviate(server: WeaviateServer, of_tenant: str = "") -> list[dict[str, Any]]:
    """Every memory of every user, as it lies there; with `of_tenant` of one Weaviate tenant."""
    found = server.objects(of_tenant)
    return [json.loads(each["properties"][DOCUMENT]) for each in found if each["class"].startswith(COLLECTION)]


def units_in_weaviate(server: WeaviateServer, of_tenant: str) -> list[list[dict[str, Any]]]:
    """The messages of every MemUnit on one shelf, in their order."""
    shelf = [each["properties"] for each in server.objects(of_tenant) if each["class"] == LONG_TERM]
    found = [json.loads(each[MESSAGES]) for each in shelf if each.get(MESSAGES)]
    return sorted(found, key=lambda messages: messages[0]["seq"])


def in_sqlite(data: Path) -> list[dict[str, Any]]:
    """Every memory of every user, as it lies there."""
    return [json.loads(row["document"]) for row in rows(data, "SELECT document FROM memories")]


def unsettled(data: Path, of_user: str = "") -> list[str]:
    """Ids of memories in SQLite that are staged, or whose index entry is open or has no vector, in any generation.

    With `of_user` those of one user.
    """
    tables = [row["name"] for row in rows(data, "SELECT name FROM sqlite_master WHERE name GLOB 'entries_[0-9]*'")]
    assert tables
    lacking = "pending OR (json_extract(document, '$.kind') = 'created' AND entry.vector IS NULL)"
    staged = "json_extract(document, '$.stage') = 'staged'"
    query = "SELECT memory_id, user_id FROM memories JOIN {} AS entry USING (rid) WHERE {} OR {}"
    found = [row for table in tables for row in rows(data, query.format(table, lacking, staged))]
    return sorted({row["memory_id"] for row in found if of_user in {"", row["user_id"]}})


def unsettled_in_weaviate(server: WeaviateServer, of_tenant: str) -> list[str]:
    """The same in Weaviate, of one tenant; vectors are not looked at."""
    found = [each for each in server.objects(of_tenant) if each["class"].startswith(COLLECTION)]
    return [
        each["id"]
        for each in found
        if each["properties"].get(PENDING) or json.loads(each["properties"][DOCUMENT]).get("stage") == STAGED
    ]


def content(memories: Iterable[Mapping[str, Any]]) -> Counter[str]:
    """What the records say, each as often as it is there."""
    return Counter(
        json.dumps(
            [each[name] for name in SAME]
            + [each["source"]["conversation"], each["source"]["quote"], bool(each["superseded_by"])],
            ensure_ascii=False,
        )
        for each in memories
    )


def undisturbed(gateway: Gateway, told: Iterable[Told]) -> Counter[str]:
    """Play the turns to a gateway on SQLite, end their sessions one after the other; what it remembers."""
    sessions: dict[tuple[str, int], list[Told]] = {}
    for one in told:
        sessions.setdefault((one.conversation, one.session), []).append(one)
    gateway.start()
    for (conversation, _), turns in sorted(sessions.items()):
        for one in turns:
            assert gateway.post("WriteTurn", one.body())[0] == 200
        ended = gateway.post("FinalizeSessionMemory", {"conversation_id": conversation, "wait_ms": 20_000}, 30)
        assert ended[1]["state"] == "ENDED", ended
    gateway.stop()
    return content(in_sqlite(gateway.data))
