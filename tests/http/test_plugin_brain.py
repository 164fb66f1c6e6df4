"""The plug-in brain by its own paths: the seed's examples over HTTP and MCP, its faces, and two gateways at once."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import redis

from gateway.operations import OPERATIONS
from tests.gateways import GatewayProcess
from tests.http.conftest import Keys, Start
from tests.mcp_clients import call, post
from tests.servers import redis_binary, running
from tests.waiting import wait_until

Say = Callable[..., dict[str, Any]]


@pytest.fixture(params=["http", "mcp"])
def say(request: pytest.FixtureRequest, open_gateway: GatewayProcess) -> Say:
    """One of the brain's tools, by either face."""
    paths = {"process_memory": "/process", "end_session": "/end-session", "debug_process_memory": "/debug"}

    def over_http(tool: str, **fields: Any) -> dict[str, Any]:
        if tool in paths:
            answer = open_gateway.send(paths[tool], json.dumps(fields, ensure_ascii=False).encode())
        else:
            path = {"get_session_status": "/session-status/", "get_user_graph": "/graph/"}[tool]
            answer = open_gateway.get(path + fields["user_id"])
        assert answer.status == 200, answer
        return dict(answer.json())

    def over_mcp(tool: str, **fields: Any) -> dict[str, Any]:
        result = json.loads(post(open_gateway, call(tool, fields)).body)["result"]
        assert not result["isError"], result
        return dict(result["structuredContent"])

    return over_http if request.param == "http" else over_mcp


def process(say: Say, user: str, *texts: str) -> dict[str, Any]:
    answer: dict[str, Any] = {}
    for text in texts:
        answer = say("process_memory", input=text, user_id=user)
    return answer


def into_memory(say: Say, user: str) -> None:
    assert say("end_session", user_id=user)["message"] == "Session ending, consolidation started"
    wait_until(lambda: say("get_session_status", user_id=user)["state"] == "ended", "it is in memory")


def test_seed_examples_10_1_to_10_4(say: Say, request: pytest.FixtureRequest) -> None:
    user, other = (f"{name}-{request.node.callspec.id}" for name in ("zhu", "orange"))
    first = process(say, user, "我叫小朱")
    assert set(first) == {"status", "resolved_query", "memories", "relations", "metadata"}
    assert (first["memories"], first["metadata"]["has_memory"]) == ([], False)
    assert process(say, user, "我女儿叫灿灿", "她今年几岁了？")["resolved_query"] == "灿灿今年几岁了？"
    into_memory(say, user)
    process(say, user, "我女儿叫灿灿", "她今年5岁", "她喜欢画画", "北京是中国的首都")
    into_memory(say, user)
    found = process(say, user, "小朱的女儿喜欢什么？")
    contents = [memory["content"] for memory in found["memories"]]
    assert contents[0] == "灿灿是我的女儿，今年5岁，喜欢画画"
    assert not any("北京" in content or "几岁" in content for content in contents)
    assert {"source": "灿灿", "relation": "喜欢", "target": "画画"} in found["relations"]
    assert {"source": "小朱", "relation": "女儿", "target": "灿灿"} in found["relations"]
    assert all(0 <= memory["score"] <= 1 for memory in found["memories"])
    assert process(say, other, "桔子熟了", "很甜", "你喜欢吃这个吗？")["resolved_query"] == "你喜欢吃桔子吗？"
    graph = say("get_user_graph", user_id=user)
    assert {node["label"] for node in graph["nodes"]} >= {"小朱", "灿灿", "画画"}
    assert say("debug_process_memory", input="她几岁了？", user_id=user)["steps"]


@pytest.mark.parametrize(
    ("path", "media", "start"),
    [
        ("/graph/nobody?format=mermaid", "text/plain; charset=utf-8", b"graph LR"),
        ("/graph/nobody?format=graphml", "application/xml; charset=utf-8", b"<"),
        ("/graph/nobody?format=dot", "text/vnd.graphviz; charset=utf-8", b"digraph"),
        ("/graph/nobody?format=json", "application/json", b"{"),
    ],
)
def test_graph_is_shown_as_what_was_asked_for(
    open_gateway: GatewayProcess, path: str, media: str, start: bytes
) -> None:
    answer = open_gateway.get(path)
    assert (answer.status, answer.headers["content-type"], answer.body[: len(start)]) == (200, media, start)


@pytest.mark.parametrize("drawing", ["mermaid", "graphml", "dot", "json"])
def test_a_large_graph_is_shown_page_by_page(open_gateway: GatewayProcess, drawing: str) -> None:
    user = f"paged-{drawing}"
    for thing in ("red apples", "green pears", "blue plums"):
        made = {"user_id": user, "subject": "user", "memory_type": "opinion", "topic": "likes", "object": thing}
        assert open_gateway.send("/v1/CreateMemory", json.dumps(made).encode()).status == 200
    seen, next_page = list[bytes](), f"?format={drawing}&limit=2"
    while next_page:
        answer = open_gateway.get(f"/graph/{user}{next_page}")
        assert answer.status == 200, answer
        seen.append(answer.body)
        link = re.fullmatch(r'<(\?[^>]+)>; rel="next"', answer.headers.get("link", ""))
        next_page = link[1] if link else ""
        if drawing == "json":
            assert not link
            cursor = answer.json()["cursor"]
            next_page = f"?limit=2&cursor={cursor}" if cursor else ""
    assert len(seen) == 2
    shown = b"".join(seen)
    assert [shown.count(name) > 0 for name in (b"red apples", b"green pears", b"blue plums")] == [True] * 3


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/graph/u?cursor=e", 400),
        ("GET", "/graph/u?cursor=l000000000000000000000000000000000000", 400),
        ("GET", "/graph/u?limit=0", 400),
        ("GET", "/graph/u?limit=5001", 400),
        ("GET", "/graph/u?limit=two", 400),
        ("GET", "/process", 405),
        ("POST", "/graph/u", 405),
        ("DELETE", "/session-status/u", 405),
        ("GET", "/session-status/", 400),
        ("GET", "/session-status/a%2fb", 400),
        ("GET", "/session-status/%ff", 400),
        ("GET", "/session-status/u?user_id=v", 400),
        ("GET", "/graph/u?format=png", 400),
        ("GET", "/graph/u?tenant=t", 400),
        ("GET", "/graph/u?" + "&".join(f"a{n}=1" for n in range(50)), 400),
        ("GET", "/session-status/u/v", 404),
        ("GET", "/nowhere/u", 404),
    ],
)
def test_path_that_is_wrong_is_a_problem(open_gateway: GatewayProcess, method: str, path: str, status: int) -> None:
    headers = {} if method == "POST" else {"Content-Type": "", "Content-Length": ""}
    answer = open_gateway.send(path, b"", headers, method=method)
    assert (answer.status, answer.media) == (status, "application/problem+json")


def test_paths_need_the_keys_of_their_operations(keyed_gateway: GatewayProcess, keys: Keys) -> None:
    for operation in OPERATIONS:
        if operation.also is None:
            continue
        method, path = operation.also[0], operation.also[1].replace("{user_id}", "u")
        body = json.dumps(operation.example).encode() if method == "POST" else b""
        for key, status in ((None, 401), ("ana_wrong", 401), (keys.reader, 403 if operation.scope == "write" else 200)):
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            headers |= {"Content-Type": "", "Content-Length": ""} if method == "GET" else {}
            answer = keyed_gateway.send(path, body, headers, method=method)
            assert answer.status == status, (path, key)


EVENTS_MAX = 7


@pytest.fixture
def pair(start: Start) -> Iterator[tuple[list[GatewayProcess], redis.Redis]]:
    """Two gateways on one Redis, and that."""
    with running(redis_binary()) as url, redis.Redis.from_url(url) as client:
        environment = {
            "REDIS_URL": url,
            "ANAMNESIS_BRAIN__EVENTS_MAX": str(EVENTS_MAX),
            "ANAMNESIS_EMBEDDINGS__PROVIDER": "none",
            "ANAMNESIS_FINALIZATION__ENABLED": "false",
        }
        yield [start(name, environment=environment) for name in ("first", "second")], client


@pytest.mark.long
def test_two_gateways_share_every_users_session(pair: tuple[list[GatewayProcess], redis.Redis]) -> None:
    """1,000 users, each with several events on their way at once: none is lost or in two sessions."""
    gateways, client = pair
    users, events = 1_000, EVENTS_MAX + 1
    told = [(f"u{user}", event) for start in range(0, users, 50) for event in range(events)
            for user in range(start, start + 50)]  # fmt: skip
    dice = random.Random(1)

    def tell(one: tuple[str, int]) -> int:
        user, event = one
        body = {"input": f"我的第{event}句", "user_id": user}
        return dice.choice(gateways).post("ProcessMemory", body).status

    with ThreadPoolExecutor(16) as pool:
        assert Counter(pool.map(tell, told)) == {200: users * events}

    journals = {name: [json.loads(entry)["content"] for entry in client.lrange(name, 0, -1)]
                for name in client.scan_iter("short_term_memory:*journal*", count=10_000)
                if client.type(name) == b"list"}  # fmt: skip
    sessions = Counter(len(texts) for texts in journals.values())
    kept = Counter(text for texts in journals.values() for text in texts)
    print(f"{users * events} events of {users} users: {kept.total()} kept in {len(journals)} sessions {dict(sessions)}")
    assert sessions == {EVENTS_MAX: users, 1: users}, "a session is left open, or begun twice"
    assert kept == {f"我的第{event}句": users for event in range(events)}
    assert {gateways[0].get(f"/session-status/u{n}").json()["session_info"]["event_count"] for n in range(users)} == {1}
    waiting = gateways[1].post("ListFinalizations", {"limit": 1000}).json()["finalizations"]
    assert Counter(each["conversation_id"] for each in waiting) == {f"brain:u{number}": 1 for number in range(users)}
