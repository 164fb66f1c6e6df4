"""A memory, a conversation, a user are forgotten, each with a word of its own in every place that a graph has for one.

Looked for in all files of the gateway, its Valkey and its store, and in all that the operations answer. Weaviate keeps
the bytes of single records until it compacts (docs/weaviate.md): there its objects are looked at, and its files after
a user was forgotten.
"""

import json
import string
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from processes import Gateway, scaled
from test_erased_files import files, ok, settled

if TYPE_CHECKING:
    from tests.weaviate_server import WeaviateServer

OTHERS = {"sqlite": 99, "weaviate": scaled(20)}
"""TEST_SCALE=4.95 makes them 99 there too: each is a tenant of its own, which takes seconds."""
WHO = "victim4711onyx"
CONVERSATION = f"{WHO}-c"
OF_ONE = ("subject", "topic", "object", "key", "value", "quote", "link", "unlinked", "merge", "split", "apart")
"""Said by the first memory, and by what was told of its labels and links."""
OF_OTHERS = ("alias", "pair", "text", "why")
SAID = ("turn", "heard")
STATES = ["held", "ended", "superseded", "archived"]
Words = Callable[[str], str]


def canary(place: str) -> str:
    return f"canary{place}quartz"


def words_of(number: int) -> Words:
    """Without a numeral: labels of other numbers are never one."""
    name = "".join(string.ascii_lowercase[digit] for digit in divmod(number, len(string.ascii_lowercase)))
    return lambda place: f"plain{place}topaz{name}x"


def tell(gateway: Gateway, user: str, said: Words) -> dict[str, list[str]]:
    """A conversation that ended, what tools made of it, and two memories that stand by themselves, which stay."""
    about: dict[str, Any] = {"user_id": user}
    conversation = f"{user}-c"
    turn = {"user_query": f"我喜欢{said('turn')}，昨天去了河边。", "agent_response": f"好的，{said('heard')}。"}
    ok(gateway, "WriteTurn", **about, **turn, conversation_id=conversation)
    assert ok(gateway, "FinalizeSessionMemory", conversation_id=conversation, wait_ms=30_000)["state"] == "ENDED"

    def create(subject: str, topic: str, thing: str, **fields: Any) -> str:
        body = {"memory_type": "fact", **fields, "subject": subject, "topic": topic, "object": thing}
        return str(ok(gateway, "CreateMemory", **about, **body)["memory_id"])

    kept = [create("小店", "卖", "清茶"), create("河", "旁边有", "竹林"), create("竹林", "挨着", "小店")]
    more = {"attributes": {said("key"): said("value")}, "quote": said("quote"), "conversation_id": conversation}
    made = [create(said("subject"), said("topic"), said("object"), **more)]
    rest = {"conversation_id": conversation}
    made.append(create("小朱", "别名", said("alias"), memory_type="relation", **rest))
    made += [create("柜子", topic, thing, **rest) for topic, thing in _alike(said("pair"))]
    decide(gateway, about, said, made, kept)
    return {"made": made, "kept": kept}


def _alike(word: str) -> list[tuple[str, str]]:
    """Two that are written alike, and one that may be the same."""
    return [("有", f"{word} colour"), ("放", f"{word} color"), ("装", f"color {word}")]


def decide(gateway: Gateway, about: dict[str, Any], said: Words, made: list[str], kept: list[str]) -> None:
    """Links, verdicts and words put right, each with its reason."""
    ends = {"source_memory_id": made[0], "target_memory_id": kept[0]}
    ok(gateway, "LinkMemories", **about, **ends, relation_type="causes", quote=said("link"))
    ended = ok(gateway, "LinkMemories", **about, **ends, relation_type="related", quote=said("unlinked"))
    ok(gateway, "UnlinkMemories", **about, link_id=ended["link_id"])
    ok(gateway, "MergeNodes", **about, a=said("object"), b="清茶", reason=said("merge"))
    ok(gateway, "MergeNodes", **about, a=said("subject"), b="河", reason=said("apart"))
    ok(gateway, "SplitNodes", **about, a=said("subject"), b="河", reason=said("split"))
    ok(gateway, "UpdateMemory", **about, memory_id=made[2], text=f"柜子有{said('text')}", why=said("why"))
    steps = ok(gateway, "SettleMemories", **about)["steps"]
    assert (steps["merged"], steps["suggested"]) == (1, 1), steps


def texts(gateway: Gateway, user: str, words: list[str]) -> Iterator[str]:
    """What every operation that reads answers, refusals and their candidates too."""
    every = " ".join(words)
    asked: list[tuple[str, dict[str, Any]]] = [
        ("GetGraph", {"include": ["conflicts", "suggestions", "merged", "past"]}),
        ("GetGraph", {"include": ["evidence"], "format": "graphml"}),
        ("GetGraph", {"include": ["past"], "format": "mermaid"}),
        ("GetGraph", {"about": "清茶", "depth": 3, "format": "dot"}),
        ("GetUserGraph", {"format": "mermaid"}),
        ("FindPath", {"source": "竹林", "target": "清茶", "hops_max": 4}),
        ("FindPath", {"source": "河", "target": "小店", "hops_max": 4}),
        *(("SearchMemories", {"query": query, "search_mode": mode, "limit": 50, "explain": True})
          for query in (every, "清茶为什么在河边") for mode in ("fast", "deep")),
        *(("ListMemories", {"states": STATES} | kinds) for kinds in ({}, {"kinds": ["link"]}, {"kinds": ["created"]})),
        *(("ListMemories", {"states": STATES, "contains": word}) for word in words),
        *(("LinkMemories", {"source": "河 竹林 清茶", "target": word, "relation_type": "causes"}) for word in words),
        ("GetProfile", {}),
        ("ListConversations", {}),
        ("ListMemUnits", {"include": ["original_data"]}),
        ("ListReviews", {}),
        ("ExportMemories", {"states": STATES}),
        ("QueryMemoryContext", {"conversation_id": "next", "query": every}),
        ("SettleMemories", {}),
    ]  # fmt: skip
    for operation, body in asked:
        yield _text(gateway, operation, {"user_id": user} | body)
    for memory in ok(gateway, "ListMemories", user_id=user, states=STATES)["items"]:
        for operation in ("GetMemory", "ExplainMemory", "GetMemoryHistory"):
            yield _text(gateway, operation, {"user_id": user, "memory_id": memory["memory_id"]})


def _text(gateway: Gateway, operation: str, body: dict[str, Any]) -> str:
    status, answer = gateway.post(operation, body)
    assert status in {200, 404, 409}, (operation, status, answer)
    return f"{operation} {json.dumps(answer, ensure_ascii=False)}"


def told_of(gateway: Gateway, user: str, words: list[str]) -> set[tuple[str, str]]:
    """Which word is still said, and by which operation."""
    every = list(texts(gateway, user, words))
    return {(word, text.partition(" ")[0]) for word in words for text in every if word in text}


def in_files(gateway: Gateway, words: list[str], *folders: Path) -> set[str]:
    """Which words stand in a file of the gateway, or of these folders."""
    more = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    found = set[str]()
    for path in (*files(gateway), *more):
        try:
            content = path.read_bytes()
        except OSError:  # it has gone, or is somebody else's
            continue
        found |= {word for word in words if word.encode() in content}
    return found


def views(gateway: Gateway, others: int) -> list[Any]:
    """What the others are answered."""
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("ListMemories", {"states": STATES}),
        ("ListMemories", {"kinds": ["link"], "states": STATES}),
        ("GetGraph", {"include": ["conflicts", "suggestions", "merged", "past"]}),
        ("FindPath", {"source": "竹林", "target": "清茶"}),
        ("GetProfile", {}),
    )
    return [
        ok(gateway, operation, user_id=f"other-{number:03}", **body)
        for number in range(others)
        for operation, body in asked
    ]


def forget(gateway: Gateway, what: str, made: list[str]) -> None:
    """Each memory that says a canary by its id; or the conversation, or the user."""
    bodies: dict[str, list[dict[str, str]]] = {
        "memory": [{"memory_id": each} for each in made],
        "conversation": [{"conversation_id": CONVERSATION}],
        "user": [{}],
    }
    for body in bodies[what]:
        settled(gateway, ok(gateway, "ForgetMemory", user_id=WHO, **body))


@pytest.mark.long
@pytest.mark.timeout(scaled(900))
@pytest.mark.parametrize("what", ["memory", "conversation", "user"])
@pytest.mark.parametrize("store", ["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
def test_no_word_of_a_graph_is_left_of_what_is_forgotten_and_others_keep_all_of_theirs(
    request: pytest.FixtureRequest, make_gateway: Callable[..., Gateway], store: str, what: str
) -> None:
    server: WeaviateServer | None = request.getfixturevalue("weaviate") if store == "weaviate" else None
    settings = {"EMBEDDINGS__PROVIDER": "none"} | (server.gateway_settings() if server else {})
    gateway = make_gateway(**settings).start()
    others = OTHERS[store]
    for number in range(others):
        tell(gateway, f"other-{number:03}", words_of(number))
    made = tell(gateway, WHO, canary)
    words = [canary(place) for place in (*OF_ONE, *OF_OTHERS, *([] if what == "memory" else SAID))]
    folders = [server.folder / "data"] if server else []
    before = views(gateway, others)
    assert in_files(gateway, words, *folders) == set(words)
    assert {word for word, _ in told_of(gateway, WHO, words)} == set(words)

    if what == "memory":
        settled(gateway, ok(gateway, "ForgetMemory", user_id=WHO, memory_id=made["made"].pop(0)))
        assert {word for word, _ in told_of(gateway, WHO, words)} == {canary(place) for place in OF_OTHERS}
    forget(gateway, what, made["made"])

    assert told_of(gateway, WHO, words) == set()
    left = _kept_by_weaviate(server) if server and what != "user" else ""
    assert [word for word in words if word in left] == []
    whole = folders if what == "user" else []
    assert in_files(gateway, words, *whole) == set()
    assert views(gateway, others) == before
    assert in_files(gateway, [words_of(others - 1)(place) for place in OF_ONE], *folders)
    items = ok(gateway, "ListMemories", user_id=WHO, kinds=["created"])["items"]
    assert {each["memory_id"] for each in items} == (set() if what == "user" else set(made["kept"]))


def _kept_by_weaviate(server: "WeaviateServer") -> str:
    return json.dumps(server.objects(), ensure_ascii=False)
