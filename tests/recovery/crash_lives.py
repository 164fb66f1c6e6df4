"""What a client does in the lives that crash_driver.py plays: each call is repeated until it is answered."""

import json
import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

from oracle import Told

from tests.waiting import wait_until

Answer = dict[str, Any]
SAID: Final = (
    "我对青霉素过敏。我住在上海。我喜欢下围棋。我喜欢看话剧。",
    "我说错了，不是青霉素，是头孢。围棋那东西，我早就扔一边了。",
)
LABELS: Final = (("有", "colour"), ("做", "color"), ("约", "dinner party"), ("订", "party dinner"))
"""The first two become one by their writing, the others are suggested."""
TOPICS: Final = ("keep one", "drop one", "drop two", "drop three", "keep two")
_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_DIFFERENT: Final = frozenset(
    {
        "memory_id",
        "user_id",
        "unit_id",
        "boost_day",
        "superseded_by",
        "decides",
        "of",
        "conversation",
        "valid_from",
        "at",
    }
)
"""Fields of an export that are ids or times: another one in each play."""


class Client(NamedTuple):
    """Calls a gateway until it answers. `user` and `conversation` are of this play alone."""

    ask: Callable[[str, Answer], Answer]
    user: str
    conversation: str

    def write(self, text: str, said: str = "", answer: str = "") -> None:
        """A turn, which may be repeated."""
        body = {"conversation_id": self.conversation, "user_id": self.user, "idempotency_key": text}
        self.ask("WriteTurn", body | {"user_query": said or f"q:{text}", "agent_response": answer or f"a:{text}"})

    def end(self) -> None:
        """The session becomes memory."""
        self.ask("FinalizeSessionMemory", {"conversation_id": self.conversation, "wait_ms": 30_000})


def idle(client: Client) -> None:
    """The sweeper ends it."""
    client.write("1")
    client.write("2")


def full(client: Client) -> None:
    """Writes, facts, a checkpoint, an asked-for end, and back again."""
    client.write("1")
    client.write("2")
    facts = {"allergies": ["penicillin"]}
    client.ask("UpsertFacts", {"user_id": client.user, "conversation_id": client.conversation, "facts": facts})
    summary = {"conversation_id": client.conversation, "summary": "what was said", "recent_turns": 1}
    client.ask("CheckpointShortMemory", summary)
    client.write("3")
    client.end()
    client.write("4")
    client.end()


def remembered(client: Client) -> None:
    """The second session takes back what the first one told."""
    first, second = (Told(number, client.conversation, client.user).body() for number in (2, 6))
    client.ask("WriteTurn", first)
    client.end()
    client.ask("WriteTurn", second | {"user_query": second["user_query"].replace("上海", "北京")})
    client.end()


def curated(client: Client) -> None:
    """Judged, decided by a person, many forgotten at once, and all of it carried over to somebody else."""
    for number, said in enumerate(SAID):
        client.write(f"said {number}", said, "好的。")
        client.end()
    asked = set[str]()
    while questions := client.ask("ListReviews", {"user_id": client.user})["items"]:
        assert not asked & {questions[0]["item_id"]}, "what was decided is asked again"
        asked.add(questions[0]["item_id"])
        verdict = {"item_id": questions[0]["item_id"], "verdict": questions[0]["verdicts"][0]["verdict"]}
        client.ask("DecideReview", verdict)  # one verdict may settle other questions too
    made = [
        client.ask("CreateMemory", {"user_id": client.user, "subject": "她", "memory_type": "fact", "topic": topic})
        for topic in TOPICS
    ]
    ends = {"source_memory_id": made[0]["memory_id"], "target_memory_id": made[-1]["memory_id"]}
    client.ask("LinkMemories", {"user_id": client.user, "relation_type": "causes", **ends})
    chosen = {"user_id": client.user, "op": "forget", "choice": {"contains": "drop"}}
    seen = client.ask("PreviewBatch", chosen)
    started = {"user_id": client.user, "batch_token": seen["batch_token"], "confirm_count": seen["count"]}
    job = client.ask("StartBatch", started)
    wait_until(lambda: client.ask("GetJob", {"job_id": job["job_id"]})["state"] == "done", "the batch is done")
    client.ask("ImportMemories", {"user_id": _copied(client.user), "records": exported(client, client.user)})


def settled(client: Client) -> None:
    """What tools tell: completed by the worker, tidied when it is asked for, changed, and completed again."""
    made = [created(client, topic, thing) for topic, thing in LABELS]
    linked(client, made[0], "causes", made[1])
    taken_off = linked(client, made[2], "related", made[3])
    wait_settled(client)
    tidied(client)
    client.ask("UpdateMemory", {"user_id": client.user, "memory_id": made[0], "attributes": {"颜色": "红"}})
    client.ask("UpdateMemory", {"user_id": client.user, "memory_id": made[1], "text": "我做了 color"})
    client.ask("UnlinkMemories", {"user_id": client.user, "link_id": taken_off})
    linked(client, made[1], "based_on", created(client, "看", "雪山"))
    wait_settled(client)


def alone(client: Client) -> None:
    """Nothing else is told of the user, so nobody else asks for it to be settled."""
    only = created(client, "看", "雪山")
    wait_settled(client)
    client.ask("UpdateMemory", {"user_id": client.user, "memory_id": only, "text": "我看了雪山"})
    wait_settled(client)


def created(client: Client, topic: str, thing: str) -> str:
    """A memory of a tool; its id."""
    told = {"user_id": client.user, "subject": "我", "memory_type": "事实", "topic": topic, "object": thing}
    return str(client.ask("CreateMemory", told)["memory_id"])


def linked(client: Client, source: str, relation: str, target: str) -> str:
    """A link of a tool; its id."""
    ends = {"source_memory_id": source, "target_memory_id": target}
    return str(client.ask("LinkMemories", {"user_id": client.user, "relation_type": relation, **ends})["link_id"])


def tidied(client: Client) -> None:
    """It is asked for, again as long as it goes on: a machine that others use too is slow."""
    asked = {"user_id": client.user, "wait_ms": 30_000}

    def is_tidy() -> dict[str, Any] | None:
        answer = client.ask("SettleMemories", asked)
        return answer if answer["state"] == "settled" else None

    answer = wait_until(is_tidy, "it is settled")
    assert not answer.get("left"), answer  # unknown while the store cannot say


def wait_settled(client: Client) -> None:
    """Until nothing of it is staged; nobody asks for that."""
    wait_until(lambda: not any(each["status"] == "staged" for each in _created(client)), "nothing is staged")


LIVES: Final = {
    "idle": idle,
    "full": full,
    "remembered": remembered,
    "curated": curated,
    "settled": settled,
    "alone": alone,
}


def exported(client: Client, user: str) -> list[Answer]:
    """All of a user, page by page."""
    found, cursor = list[Answer](), ""
    while True:
        page = client.ask("ExportMemories", {"user_id": user, "limit": 5, "cursor": cursor})
        found += page["records"]
        cursor = page["cursor"]
        if not cursor:
            return found


def kept(client: Client) -> dict[str, list[str]]:
    """What both have in the end, and what is asked about it: without ids and times."""
    users = (client.user, _copied(client.user))
    theirs, copied = (sorted(map(_plain, exported(client, user))) for user in users)
    asked = [each["cause"] for user in users for each in client.ask("ListReviews", {"user_id": user})["items"]]
    return {"theirs": theirs, "copied": copied, "open": asked}


def drawn(client: Client) -> dict[str, list[str]]:
    """What tools made, the graph of it, and what is found by its meaning: without ids and times."""
    every = {"user_id": client.user, "include": ["suggestions", "merged", "past"]}
    graph = client.ask("GetGraph", every)
    shown = {name: sorted(map(_plain, graph[name])) for name in ("nodes", "edges", "links", "suggestions", "merged")}
    search = {"user_id": client.user, "query": "雪山", "mode": "vector", "kinds": ["created"], "limit": 50}
    found = client.ask("SearchMemories", search)["memories"]
    by_id = {each["memory_id"]: each["text"] for each in _created(client)}
    links = client.ask("ListMemories", {"user_id": client.user, "kinds": ["link"], "limit": 100})["items"]
    joined = [f"{by_id.get(each['subject'], each['subject'])} {each['predicate']} "
              f"{by_id.get(each['object'], each['object'])}" for each in links]  # fmt: skip
    return {
        **shown,
        "records": sorted(map(_plain, exported(client, client.user))),
        "joined": sorted(joined),
        "near": sorted(each["text"] for each in found),
    }


def _created(client: Client) -> list[Answer]:
    asked = {"user_id": client.user, "kinds": ["created"], "limit": 100}
    items: list[Answer] = client.ask("ListMemories", asked)["items"]
    return items


ENDS: Final = {"curated": kept, "settled": drawn, "alone": drawn}
"""What is told of a life when it is over."""


def _copied(user: str) -> str:
    return f"{user}-copied"


def _plain(record: Answer) -> str:
    return json.dumps(_without_ids(record), ensure_ascii=False, sort_keys=True)


def _without_ids(value: Any) -> Any:
    match value:
        case dict():
            kept = {name: _without_ids(each) for name, each in value.items() if not name.endswith("_ms")}
            return {name: bool(each) if name in _DIFFERENT else each for name, each in kept.items()}
        case list():
            return [_without_ids(each) for each in value]
        case str():
            return _ID.sub("id", value)
        case _:
            return value
