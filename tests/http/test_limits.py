"""Each limit of memory/limits.py asked at n-1, n and n+1, for every field that it bounds."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from memory import limits
from tests.gateways import Answer, GatewayProcess
from tests.waiting import wait_until

Body = dict[str, Any]
TURN: Body = {"conversation_id": "limits", "user_query": "q", "agent_response": "a"}
CONVERSATION: Body = {"conversation_id": "limits"}
USER: Body = {"user_id": "limits"}
REVIEW = ".contradiction.1"
BEHIND = "/00000000-0000-4000-8000-000000000001"
CREATED: Body = USER | {"subject": "user", "memory_type": "fact", "topic": "tea"}
CHANGED: Body = USER | {"memory_id": "limits-nothing"}
WAY: Body = USER | {"source": "a", "target": "b"}
JOINED: Body = USER | {"source_memory_id": "a", "target_memory_id": "b", "relation_type": "causes"}
SAFE_CHARACTER = "头"


@dataclass(frozen=True, slots=True)
class Bound:
    """One field and its limit: `make(n)` is a body in which the field has the size n."""

    limit: str
    field: str
    operation: str
    make: Callable[[int], Body]

    @property
    def at(self) -> int:
        return int(getattr(limits, self.limit))


def _text(limit: str, field: str, operation: str, start: Body, letter: str = SAFE_CHARACTER) -> Bound:
    return Bound(limit, field, operation, lambda n: start | {field: letter * n})


def _number(limit: str, field: str, operation: str, start: Body) -> Bound:
    return Bound(limit, field, operation, lambda n: start | {field: n})


def _as_json(chars: int) -> str:
    """A text whose JSON has so many characters."""
    return SAFE_CHARACTER * (chars - 2)


def _slot(chars: int) -> Body:
    return {"k": SAFE_CHARACTER * (chars - len(json.dumps({"k": ""})))}


def _messages(count: int) -> list[Body]:
    return [{"role": "user", "content": "x"}] * count


def _triples(*parts: Body) -> Body:
    return USER | {"triples": [{"subject": "user", "predicate": "like", "object": "tea"} | part for part in parts]}


BOUNDS = (
    *(_text("ID_CHARS_MAX", field, "WriteTurn", TURN, "i") for field in ("conversation_id", "user_id", "agent_code")),
    _text("ID_CHARS_MAX", "user_id", "GetProfile", {}, "i"),
    _text("ID_CHARS_MAX", "from_checkpoint", "QueryMemoryContext", CONVERSATION, "i"),
    Bound("ID_CHARS_MAX", "patient_id", "QueryMemoryContext", lambda n: CONVERSATION | {"patient_id": "i" * n}),
    Bound(
        "ID_CHARS_MAX",
        "messages.0.agent_code",
        "WriteMessages",
        lambda n: CONVERSATION | {"messages": [{"role": "user", "content": "x", "agent_code": "i" * n}]},
    ),
    _text("QUERY_CHARS_MAX", "user_query", "WriteTurn", TURN),
    _text("QUERY_CHARS_MAX", "user_query", "WriteTurn", TURN, "\U0001f600"),
    _text("QUERY_CHARS_MAX", "query", "QueryMemoryContext", CONVERSATION),
    _text("ANSWER_CHARS_MAX", "agent_response", "WriteTurn", TURN),
    Bound(
        "ANSWER_CHARS_MAX",
        "messages.0.content",
        "WriteMessages",
        lambda n: CONVERSATION | {"messages": [{"role": "user", "content": SAFE_CHARACTER * n}]},
    ),
    _text("SUMMARY_CHARS_MAX", "summary", "CheckpointShortMemory", CONVERSATION),
    _text("SUMMARY_CHARS_MAX", "summary", "FinalizeSessionMemory", {"conversation_id": "limits-ended"}),
    _text("NAME_CHARS_MAX", "name", "UpsertPreferences", USER),
    Bound(
        "NAME_CHARS_MAX",
        "messages.0.name",
        "WriteMessages",
        lambda n: CONVERSATION | {"messages": [{"role": "tool", "content": "x", "name": "n" * n}]},
    ),
    Bound(
        "NAME_CHARS_MAX",
        "pending_action.tool_name",
        "UpdateGlobalState",
        lambda n: CONVERSATION | {"pending_action": {"tool_name": "n" * n}},
    ),
    Bound(
        "FACT_CHARS_MAX",
        "facts.allergies.0",
        "UpsertFacts",
        lambda n: USER | {"facts": {"allergies": [SAFE_CHARACTER * n]}},
    ),
    Bound("FACT_CHARS_MAX", "triples.0.object", "UpsertFacts", lambda n: _triples({"object": SAFE_CHARACTER * n})),
    Bound("PREDICATE_CHARS_MAX", "triples.0.predicate", "UpsertFacts", lambda n: _triples({"predicate": "p" * n})),
    Bound("QUOTE_CHARS_MAX", "triples.0.quote", "UpsertFacts", lambda n: _triples({"quote": SAFE_CHARACTER * n})),
    Bound(
        "TRIPLES_PER_UPDATE_MAX", "triples", "UpsertFacts", lambda n: _triples(*({"object": f"{i}"} for i in range(n)))
    ),
    _text("QUERY_CHARS_MAX", "input", "ProcessMemory", USER),
    Bound(
        "FACTS_PER_KIND_MAX",
        "facts.surgery_history",
        "UpsertFacts",
        lambda n: USER | {"facts": {"surgery_history": [f"{i}" for i in range(n)]}},
    ),
    Bound(
        "FACTS_PER_KIND_MAX",
        "remove.chronic_diseases",
        "UpsertFacts",
        lambda n: USER | {"remove": {"chronic_diseases": [f"{i}" for i in range(n)]}},
    ),
    _text("INTENT_CHARS_MAX", "current_intent", "UpdateGlobalState", CONVERSATION),
    Bound(
        "REASON_CHARS_MAX",
        "pending_action.reason",
        "UpdateGlobalState",
        lambda n: CONVERSATION | {"pending_action": {"tool_name": "t", "reason": SAFE_CHARACTER * n}},
    ),
    Bound("IDEMPOTENCY_KEY_CHARS_MAX", "idempotency_key", "WriteTurn", lambda n: TURN | {"idempotency_key": "k" * n}),
    Bound(
        "IDEMPOTENCY_KEY_CHARS_MAX",
        "idempotency_key",
        "UpdateGlobalState",
        lambda n: CONVERSATION | {"idempotency_key": "s" * n},
    ),
    Bound("ENTITY_KEY_CHARS_MAX", "entities", "UpdateGlobalState", lambda n: CONVERSATION | {"entities": {"k" * n: 1}}),
    Bound("ENTITY_KEY_CHARS_MAX", "preferences", "UpsertPreferences", lambda n: USER | {"preferences": {"k" * n: 1}}),
    Bound("MESSAGES_PER_WRITE_MAX", "messages", "WriteMessages", lambda n: CONVERSATION | {"messages": _messages(n)}),
    _number("RECENT_TURNS_MAX", "recent_turns", "QueryMemoryContext", CONVERSATION),
    _number("RECENT_TURNS_MAX", "recent_turns", "CheckpointShortMemory", CONVERSATION),
    _number("RECENT_TURNS_MAX", "recent_turns", "FinalizeSessionMemory", {"conversation_id": "limits-ended"}),
    Bound(
        "ENTITIES_PER_UPDATE_MAX",
        "entities",
        "UpdateGlobalState",
        lambda n: CONVERSATION | {"entities": {f"e{i}": i for i in range(n)}},
    ),
    Bound(
        "PREFERENCES_MAX",
        "preferences",
        "UpsertPreferences",
        lambda n: USER | {"preferences": {f"p{i}": i for i in range(n)}},
    ),
    _number("FINALIZATIONS_PER_PAGE_MAX", "limit", "ListFinalizations", {}),
    _number("MEMORIES_PER_SEARCH_MAX", "limit", "SearchMemories", USER | {"query": "q"}),
    _number("MEMORIES_PER_PAGE_MAX", "limit", "ListMemories", USER),
    _number("MEMUNITS_PER_PAGE_MAX", "limit", "ListMemUnits", USER),
    Bound(
        "FACTS_PER_VERDICT_MAX",
        "fact_ids",
        "ConfirmFacts",
        lambda n: USER | {"verdict": "wrong", "fact_ids": [f"f{i}" for i in range(n)]},
    ),
    _text("QUOTE_CHARS_MAX", "why", "ConfirmFacts", USER | {"verdict": "wrong", "fact_ids": ["f"]}),
    _text("QUERY_CHARS_MAX", "query", "SearchMemories", USER),
    _number("MODEL_CONTEXT_WINDOW_TOKENS_MAX", "model_context_window", "QueryMemoryContext", CONVERSATION),
    _number("REVISION_MAX", "if_rev", "WriteTurn", TURN),
    _number("REVISION_MAX", "if_rev", "UpdateGlobalState", CONVERSATION),
    Bound(
        "ENTITY_JSON_CHARS_MAX",
        "entities.k",
        "UpdateGlobalState",
        lambda n: CONVERSATION | {"entities": {"k": _as_json(n)}},
    ),
    Bound(
        "SLOT_JSON_CHARS_MAX",
        "slot",
        "UpdateGlobalState",
        lambda n: CONVERSATION | {"agent_code": "a", "slot": _slot(n)},
    ),
    Bound(
        "SLOT_JSON_CHARS_MAX",
        "pending_action.tool_params",
        "UpdateGlobalState",
        lambda n: CONVERSATION | {"pending_action": {"tool_name": "t", "tool_params": _slot(n)}},
    ),
    Bound(
        "PREFERENCE_JSON_CHARS_MAX",
        "preferences.k",
        "UpsertPreferences",
        lambda n: USER | {"preferences": {"k": _as_json(n)}},
    ),
    _text("FACT_CHARS_MAX", "object", "UpdateMemory", CHANGED),
    _text("CREATED_TEXT_CHARS_MAX", "text", "UpdateMemory", CHANGED),
    _text("REASON_CHARS_MAX", "why", "UpdateMemory", CHANGED | {"importance": 0.5}),
    _text("TOPIC_CHARS_MAX", "topic", "CreateMemory", CREATED),
    _text("FACT_CHARS_MAX", "subject", "CreateMemory", CREATED),
    _text("FACT_CHARS_MAX", "object", "CreateMemory", CREATED),
    _text("QUOTE_CHARS_MAX", "quote", "CreateMemory", CREATED),
    Bound(
        "ATTRIBUTES_MAX",
        "attributes",
        "CreateMemory",
        lambda n: CREATED | {"attributes": {f"k{i}": "v" for i in range(n)}},
    ),
    Bound("ATTRIBUTE_CHARS_MAX", "attributes.k", "CreateMemory", lambda n: CREATED | {"attributes": {"k": "v" * n}}),
    Bound("ATTRIBUTE_KEY_CHARS_MAX", "attributes", "CreateMemory", lambda n: CREATED | {"attributes": {"k" * n: "v"}}),
    _text("DESCRIPTION_CHARS_MAX", "source_memory_description", "LinkMemories", JOINED),
    _text("DESCRIPTION_CHARS_MAX", "target_memory_description", "LinkMemories", JOINED),
    _number("EXPAND_DEPTH_MAX", "expand_depth", "SearchMemories", USER | {"query": "q"}),
    _number("EXPAND_DEPTH_MAX", "depth", "GetGraph", USER),
    _number("EDGES_PER_PAGE_MAX", "limit", "GetGraph", USER),
    _number("USERS_EDGES_MAX", "limit", "GetUserGraph", USER),
    _number("HOPS_MAX", "hops_max", "FindPath", WAY),
    _number("PATHS_MAX", "paths_max", "FindPath", WAY),
    Bound("RELATIONS_MAX", "relations", "GetGraph", lambda n: USER | {"relations": [f"r{i}" for i in range(n)]}),
    Bound(
        "TOOL_RESULTS_MAX",
        "tool_results",
        "WriteTurn",
        lambda n: TURN | {"tool_results": [{"name": "t", "content": "x"}] * n},
    ),
    Bound("MARKED_MAX", "memory_ids", "MarkUsed", lambda n: USER | {"memory_ids": [f"m{i}" for i in range(n)]}),
    _number("REVIEWS_PER_PAGE_MAX", "limit", "ListReviews", {}),
    _number("DECAY_DAYS_MAX", "days", "GetDecay", USER | {"memory_id": "m"}),
    _number("CONVERSATIONS_PER_PAGE_MAX", "limit", "ListConversations", USER),
    _number("USERS_PER_PAGE_MAX", "limit", "ListUsers", {}),
    _number("STATS_DAYS_MAX", "days", "GetStats", {}),
    Bound(
        "BATCH_MEMORIES_MAX",
        "memory_ids",
        "PreviewBatch",
        lambda n: USER | {"op": "archive", "memory_ids": [f"m{i}" for i in range(n)]},
    ),
    _number("JOBS_PER_PAGE_MAX", "limit", "ListJobs", {}),
    _number("AUDIT_PER_PAGE_MAX", "limit", "ListAudit", {}),
    _text("NAME_CHARS_MAX", "key", "ListAudit", {}, "i"),
    _number("RECORDS_PER_PAGE_MAX", "limit", "ExportMemories", USER),
    Bound(
        "EXPORT_CURSOR_CHARS_MAX", "cursor", "ExportMemories", lambda n: {"cursor": "u" * (n - len(BEHIND)) + BEHIND}
    ),
    Bound("RECORDS_PER_PAGE_MAX", "records", "ImportMemories", lambda n: USER | {"records": [{}] * n, "dry_run": True}),
    _text("USER_CURSOR_CHARS_MAX", "cursor", "ListUsers", {"order": "name"}, "i"),
    _text("ID_CHARS_MAX", "prefix", "ListUsers", {}, "i"),
    _number("TIMELINE_PER_PAGE_MAX", "limit", "GetTimeline", {"conversation_id": "limits-nobody"}),
    Bound(
        "ITEM_ID_CHARS_MAX",
        "item_id",
        "DecideReview",
        lambda n: {"verdict": "APPLY", "item_id": "m" * (n - len(REVIEW)) + REVIEW},
    ),
    # A conversation that does not exist: the wait is bounded by the schema, and nobody waits.
    _number("WAIT_MS_MAX", "wait_ms", "FinalizeSessionMemory", {"conversation_id": "limits-nobody"}),
    _number("SETTLE_WAIT_MS_MAX", "wait_ms", "SettleMemories", {"user_id": "limits-nobody"}),
)

ASKED_ELSEWHERE = {
    "CREATED_PER_USER_MAX": "tests/contract/test_memory_graph.py",
    "LINKS_PER_MEMORY_MAX": "tests/contract/test_memory_graph.py",
    "LINKS_PER_USER_MAX": "tests/contract/test_memory_graph.py",
    "GRAPH_RECORDS_MAX": "how much a graph is made of; the answer says that there is more",
    "LABELS_COMPARED_MAX": "tests/contract/test_settling.py",
    "SUGGESTIONS_PER_USER_MAX": "tests/contract/test_settling.py",
    "LINKS_WALKED_MAX": "how much of a walk looks at, not what it takes",
    "WALKED_MAX": "how much of a walk goes on, not what it takes",
    "RECORD_TEXT_CHARS_MAX": "tests/contract/test_transfer.py",
    "RECORD_NAME_CHARS_MAX": "tests/contract/test_transfer.py",
    "RECORD_SEQS_MAX": "tests/contract/test_transfer.py",
    "EXPORT_PAGE_CHARS_MAX": "tests/contract/test_transfer.py",
    "IMPORT_KEYS_MAX": "tests/unit/test_wire.py",
    "HISTORY_PAGE_BYTES_MAX": "tests/contract/test_full_history.py",
    "SAID_BYTES_MAX": "tests/contract/test_safety_at_once.py",
    "SAID_CONVERSATIONS_MAX": "tests/contract/test_safety_at_once.py",
    "TAIL_BYTES_MAX": "tests/contract/test_tail.py",
    "TAIL_CONVERSATIONS_MAX": "tests/contract/test_tail.py",
    "TAIL_MESSAGES_MAX": "tests/contract/test_tail.py",
    "ERASURE_WAIT_MS": "tests/contract/test_erasures.py",
    "INDEXES_KEPT_BYTES_MAX": "how much of the indexes a process keeps, not what it takes",
    "LARGE_INDEXES_KEPT_BYTES_MAX": "how much of the indexes of large users a process keeps, not what it takes",
    "PROFILE_DROPPED_S": "tests/contract/test_forgetting.py",
    "PROFILE_FACTS_PER_KIND_MAX": "tests/contract/test_profiles.py",
    "PROFILE_PREFERENCES_MAX": "tests/contract/test_profiles.py",
    "SESSION_STATES_MAX": "tests/contract/test_sessions.py",
    "BODY_BYTES_MAX": "tests/hostile_corpus.py",
    "JSON_DEPTH_MAX": "tests/hostile_corpus.py",
    "JSON_KEYS_MAX": "tests/hostile_corpus.py",
    "JSON_NUMBER_CHARS_MAX": "tests/hostile_corpus.py",
    "MCP_ENVELOPE_DEPTH": "tests/http/test_mcp_hostile.py",
    "MCP_ENVELOPE_KEYS_MAX": "tests/http/test_mcp_hostile.py",
    "CUMULATIVE_SUMMARY_CHARS_MAX": "a summary that the gateway writes itself",
    "COUNT_INLINE_CHARS_MAX": "where a text is counted, not whether",
}


def test_every_limit_is_asked() -> None:
    every = {name for name in vars(limits) if name.isupper()}
    assert {bound.limit for bound in BOUNDS} | set(ASKED_ELSEWHERE) == every


def once_listed(gateway: GatewayProcess, bound: Bound, size: int) -> Answer:
    """The answer, once the worker of a gateway that has just started has listed its users."""

    def answer() -> Answer | None:
        found = gateway.post(bound.operation, bound.make(size))
        return None if found.status == 503 else found

    found: Answer = wait_until(answer, "the worker has listed the users")
    return found


@pytest.mark.parametrize("bound", BOUNDS, ids=lambda b: f"{b.limit}-{b.operation}-{b.field}")
def test_field_at_its_limit_is_accepted_and_above_it_refused(open_gateway: GatewayProcess, bound: Bound) -> None:
    for size in (bound.at - 1, bound.at):
        answer = once_listed(open_gateway, bound, size)
        assert answer.status in {200, 404, 409}, answer  # 404, 409: the schema let it pass
    answer = open_gateway.post(bound.operation, bound.make(bound.at + 1))
    assert (answer.status, answer.json()["code"]) == (400, "invalid_input")
    assert any(error["field"].startswith(bound.field) for error in answer.json()["errors"]), answer


def test_texts_at_every_limit_come_back_whole(open_gateway: GatewayProcess) -> None:
    query, response = SAFE_CHARACTER * limits.QUERY_CHARS_MAX, "复" * limits.ANSWER_CHARS_MAX
    body = {"conversation_id": "limits-whole", "user_query": query, "agent_response": response}
    assert open_gateway.post("WriteTurn", body).status == 200
    asked = {"conversation_id": "limits-whole", "model_context_window": 1_000_000}
    messages = open_gateway.post("QueryMemoryContext", asked).json()["messages"]
    assert [message["content"] for message in messages] == [query, response]
