"""The table of operations. HTTP routes, OpenAPI, Python client and CLI are made from it; they can't drift apart.

To add an operation, add one entry here and one method to `memory.service.MemoryService`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel

from memory.model import brain_calls as brain
from memory.model import requests as ask
from memory.model import responses as answer
from memory.service import Caller, MemoryService

READ: Final = "read"
WRITE: Final = "write"
ADMIN: Final = "admin"
SCOPES: Final = (READ, WRITE, ADMIN)

Method = Callable[[MemoryService, Caller, Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation: its name on the wire, its models, the service method behind it, the scope it needs.

    `cli` is its command-line name; `example` a request that works; `also` a second way to it, as (method, path): what
    stands in braces there, and a query string, are fields of the request.
    """

    name: str
    request: type[BaseModel]
    response: type[BaseModel]
    method: Method
    scope: str
    cli: str
    tag: str
    example: dict[str, Any] = field(default_factory=dict)
    also: tuple[str, str] | None = None

    @property
    def path(self) -> str:
        """The HTTP path."""
        return f"/v1/{self.name}"

    @property
    def description(self) -> str:
        """What it does: the request's docstring."""
        return (self.request.__doc__ or "").strip()


_S: Final = MemoryService

OPERATIONS: Final = (
    Operation(
        "CreateShortMemory", ask.CreateShortMemoryRequest, answer.CreateShortMemoryResponse,
        _S.create_short_memory, WRITE, "create", "Session",
        {"conversation_id": "conv_1", "user_id": "user_1"},
    ),
    Operation(
        "QueryMemoryContext", ask.QueryMemoryContextRequest, answer.QueryMemoryContextResponse,
        _S.query_memory_context, READ, "query", "Session",
        {"conversation_id": "conv_1", "query": "我最近感觉头痛"},
    ),
    Operation(
        "WriteTurn", ask.WriteTurnRequest, answer.WriteResponse, _S.write_turn, WRITE, "write-turn", "Session",
        {
            "conversation_id": "conv_1",
            "user_id": "user_1",
            "agent_code": "triage_agent",
            "user_query": "我头痛三天了",
            "agent_response": "请问体温多少？",
        },
    ),
    Operation(
        "WriteMessages", ask.WriteMessagesRequest, answer.WriteResponse,
        _S.write_messages, WRITE, "write-messages", "Session",
        {"conversation_id": "conv_1", "messages": [{"role": "user", "content": "I have had a headache for 3 days."}]},
    ),
    Operation(
        "CheckpointShortMemory", ask.CheckpointShortMemoryRequest, answer.CheckpointShortMemoryResponse,
        _S.checkpoint_short_memory, WRITE, "checkpoint", "Session",
        {"conversation_id": "conv_1", "summary": "用户头痛三天，体温38.5度", "recent_turns": 8},
    ),
    Operation(
        "UpdateGlobalState", ask.UpdateGlobalStateRequest, answer.UpdateGlobalStateResponse,
        _S.update_global_state, WRITE, "update-state", "Session",
        {"conversation_id": "conv_1", "agent_code": "triage_agent", "entities": {"target_dept": "神经内科"}},
    ),
    Operation(
        "GetSession", ask.GetSessionRequest, answer.GetSessionResponse, _S.get_session, READ, "session", "Session",
        {"conversation_id": "conv_1"},
    ),
    Operation(
        "FinalizeSessionMemory", ask.FinalizeSessionMemoryRequest, answer.FinalizationResponse,
        _S.finalize_session_memory, WRITE, "finalize", "End of a session",
        {"conversation_id": "conv_1", "wait_ms": 5000},
    ),
    Operation(
        "GetFinalization", ask.GetFinalizationRequest, answer.FinalizationResponse,
        _S.get_finalization, READ, "finalization", "End of a session",
        {"conversation_id": "conv_1"},
    ),
    Operation(
        "ListFinalizations", ask.ListFinalizationsRequest, answer.FinalizationList,
        _S.list_finalizations, ADMIN, "finalizations", "End of a session", {"limit": 100},
    ),
    Operation(
        "ReplayFinalization", ask.ReplayFinalizationRequest, answer.ReplayFinalizationResponse,
        _S.replay_finalization, ADMIN, "replay-finalization", "End of a session",
        {"conversation_id": "conv_1"},
    ),
    Operation(
        "UpsertFacts", ask.UpsertFactsRequest, answer.ProfileResponse, _S.upsert_facts, WRITE, "facts", "Profile",
        {"user_id": "user_1", "facts": {"allergies": ["青霉素"]}},
    ),
    Operation(
        "UpsertPreferences", ask.UpsertPreferencesRequest, answer.ProfileResponse,
        _S.upsert_preferences, WRITE, "preferences", "Profile",
        {"user_id": "user_1", "preferences": {"language": "zh"}},
    ),
    Operation(
        "GetProfile", ask.GetProfileRequest, answer.ProfileResponse, _S.get_profile, READ, "profile", "Profile",
        {"user_id": "user_1"},
    ),
    Operation(
        "SearchMemories", ask.SearchMemoriesRequest, answer.SearchMemoriesResponse,
        _S.search_memories, READ, "search", "Memories",
        {"user_id": "user_1", "query": "上次头痛是什么时候？"},
    ),
    Operation(
        "GetMemory", ask.GetMemoryRequest, answer.MemoryAnswer, _S.get_memory, READ, "memory", "Memories",
        {"user_id": "user_1", "memory_id": "00000000-0000-0000-0000-000000000000"},
    ),
    Operation(
        "ListMemories", ask.ListMemoriesRequest, answer.ListMemoriesResponse,
        _S.list_memories, READ, "memories", "Memories", {"user_id": "user_1"},
    ),
    Operation(
        "ExplainMemory", ask.ExplainMemoryRequest, answer.ExplainMemoryResponse,
        _S.explain_memory, READ, "explain", "Memories", {"user_id": "user_1", "conversation_id": "conv_1", "seq": 2},
    ),
    Operation(
        "ForgetMemory", ask.ForgetMemoryRequest, answer.ForgetMemoryResponse,
        _S.forget_memory, WRITE, "forget", "Memories", {"user_id": "user_1", "conversation_id": "conv_1"},
    ),
    Operation(
        "ProcessMemory", brain.ProcessMemoryRequest, brain.ProcessMemoryResponse,
        _S.process_memory, WRITE, "process", "Plug-in brain",
        {"input": "她今年几岁了？", "user_id": "user_1"}, ("POST", "/process"),
    ),
    Operation(
        "EndSession", brain.EndSessionRequest, brain.EndSessionResponse,
        _S.end_session, WRITE, "end-session", "Plug-in brain", {"user_id": "user_1"}, ("POST", "/end-session"),
    ),
    Operation(
        "GetSessionStatus", brain.GetSessionStatusRequest, brain.GetSessionStatusResponse,
        _S.get_session_status, READ, "session-status", "Plug-in brain",
        {"user_id": "user_1"}, ("GET", "/session-status/{user_id}"),
    ),
    Operation(
        "DebugProcessMemory", brain.DebugProcessMemoryRequest, brain.DebugProcessMemoryResponse,
        _S.debug_process_memory, READ, "debug", "Plug-in brain",
        {"input": "她今年几岁了？", "user_id": "user_1"}, ("POST", "/debug"),
    ),
    Operation(
        "GetUserGraph", brain.GetUserGraphRequest, brain.GetUserGraphResponse,
        _S.get_user_graph, READ, "graph", "Plug-in brain",
        {"user_id": "user_1"}, ("GET", "/graph/{user_id}"),
    ),
)  # fmt: skip

BY_NAME: Final = MappingProxyType({operation.name: operation for operation in OPERATIONS})
