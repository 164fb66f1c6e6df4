# Made by `make generate` from the table of operations. Do not edit.
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Final, Self

from pydantic import BaseModel

from gateway.operations import Operation
from memory.model import brain_calls, responses

DEFAULT_URL: Final[str]
METHODS: Final[dict[str, Operation]]

def method_name(operation: Operation) -> str: ...

class ProblemError(Exception):
    status: int
    code: str
    problem: Mapping[str, Any]
    retry_after_s: int | None
    def __init__(self, status: int, problem: Mapping[str, Any], retry_after_s: int | None) -> None: ...

class AsyncClient:
    def __init__(self, url: str = ..., api_key: str | None = ..., timeout_s: float = ...) -> None: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    async def close(self) -> None: ...
    async def call(self, operation: Operation, fields: Mapping[str, Any]) -> BaseModel: ...
    async def post(self, path: str, body: Mapping[str, Any]) -> Any: ...
    async def create_short_memory(
        self,
        *,
        conversation_id: str,
        user_id: str,
        agent_code: str | None = ...,
    ) -> responses.CreateShortMemoryResponse: ...
    async def query_memory_context(
        self,
        *,
        conversation_id: str,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        query: str | None = ...,
        token_threshold_ratio: float | None = ...,
        recent_turns: int | None = ...,
        model_context_window: int | None = ...,
        from_checkpoint: str | None = ...,
        include: Any = ...,
    ) -> responses.QueryMemoryContextResponse: ...
    async def write_turn(
        self,
        *,
        conversation_id: str,
        user_query: str,
        agent_response: str,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        idempotency_key: str | None = ...,
        if_rev: int | None = ...,
        occurred_at: str | None = ...,
        state: Any = ...,
    ) -> responses.WriteResponse: ...
    async def write_messages(
        self,
        *,
        conversation_id: str,
        messages: Any,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        idempotency_key: str | None = ...,
        if_rev: int | None = ...,
    ) -> responses.WriteResponse: ...
    async def checkpoint_short_memory(
        self,
        *,
        conversation_id: str,
        summary: str | None = ...,
        recent_turns: int | None = ...,
        covers_seq: int | None = ...,
    ) -> responses.CheckpointShortMemoryResponse: ...
    async def update_global_state(
        self,
        *,
        conversation_id: str,
        entities: Any = ...,
        slot: Any = ...,
        current_intent: str | None = ...,
        pending_action: Any = ...,
        clear_pending_action: bool | None = ...,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        if_rev: int | None = ...,
        idempotency_key: str | None = ...,
    ) -> responses.UpdateGlobalStateResponse: ...
    async def get_session(
        self,
        *,
        conversation_id: str,
        agent_code: str | None = ...,
    ) -> responses.GetSessionResponse: ...
    async def finalize_session_memory(
        self,
        *,
        conversation_id: str,
        summary: str | None = ...,
        recent_turns: int | None = ...,
        wait_ms: int | None = ...,
    ) -> responses.FinalizationResponse: ...
    async def get_finalization(
        self,
        *,
        conversation_id: str,
    ) -> responses.FinalizationResponse: ...
    async def list_finalizations(
        self,
        *,
        limit: int | None = ...,
    ) -> responses.FinalizationList: ...
    async def replay_finalization(
        self,
        *,
        conversation_id: str,
        finalization_id: str | None = ...,
    ) -> responses.ReplayFinalizationResponse: ...
    async def upsert_facts(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        facts: Any = ...,
        remove: Any = ...,
        triples: Any = ...,
    ) -> responses.ProfileResponse: ...
    async def upsert_preferences(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        preferences: Any = ...,
        name: str | None = ...,
    ) -> responses.ProfileResponse: ...
    async def get_profile(
        self,
        *,
        user_id: str,
    ) -> responses.ProfileResponse: ...
    async def search_memories(
        self,
        *,
        user_id: str,
        query: str,
        mode: str | None = ...,
        limit: int | None = ...,
        kinds: Any = ...,
        categories: Any = ...,
        types: Any = ...,
        conversation_id: str | None = ...,
        time_from: str | None = ...,
        time_to: str | None = ...,
        as_of: str | None = ...,
        radius: float | None = ...,
        group_by: str | None = ...,
        explain: bool | None = ...,
    ) -> responses.SearchMemoriesResponse: ...
    async def get_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
    ) -> responses.MemoryAnswer: ...
    async def list_memories(
        self,
        *,
        user_id: str,
        kinds: Any = ...,
        conversation_id: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> responses.ListMemoriesResponse: ...
    async def explain_memory(
        self,
        *,
        user_id: str | None = ...,
        memory_id: str | None = ...,
        conversation_id: str | None = ...,
        seq: int | None = ...,
    ) -> responses.ExplainMemoryResponse: ...
    async def forget_memory(
        self,
        *,
        user_id: str = ...,
        memory_id: str = ...,
        conversation_id: str = ...,
        dry_run: bool = ...,
        wait_ms: int = ...,
    ) -> responses.ForgetMemoryResponse: ...
    async def get_erasure(
        self,
        *,
        erasure_id: str,
        wait_ms: int | None = ...,
    ) -> responses.ErasureResponse: ...
    async def process_memory(
        self,
        *,
        input: str,
        user_id: str,
    ) -> brain_calls.ProcessMemoryResponse: ...
    async def end_session(
        self,
        *,
        user_id: str,
    ) -> brain_calls.EndSessionResponse: ...
    async def get_session_status(
        self,
        *,
        user_id: str,
    ) -> brain_calls.GetSessionStatusResponse: ...
    async def debug_process_memory(
        self,
        *,
        input: str,
        user_id: str,
    ) -> brain_calls.DebugProcessMemoryResponse: ...
    async def get_user_graph(
        self,
        *,
        user_id: str,
        format: str | None = ...,
    ) -> brain_calls.GetUserGraphResponse: ...

class Client:
    def __init__(self, url: str = ..., api_key: str | None = ..., timeout_s: float = ...) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def close(self) -> None: ...
    def call(self, operation: Operation, fields: Mapping[str, Any]) -> BaseModel: ...
    def create_short_memory(
        self,
        *,
        conversation_id: str,
        user_id: str,
        agent_code: str | None = ...,
    ) -> responses.CreateShortMemoryResponse: ...
    def query_memory_context(
        self,
        *,
        conversation_id: str,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        query: str | None = ...,
        token_threshold_ratio: float | None = ...,
        recent_turns: int | None = ...,
        model_context_window: int | None = ...,
        from_checkpoint: str | None = ...,
        include: Any = ...,
    ) -> responses.QueryMemoryContextResponse: ...
    def write_turn(
        self,
        *,
        conversation_id: str,
        user_query: str,
        agent_response: str,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        idempotency_key: str | None = ...,
        if_rev: int | None = ...,
        occurred_at: str | None = ...,
        state: Any = ...,
    ) -> responses.WriteResponse: ...
    def write_messages(
        self,
        *,
        conversation_id: str,
        messages: Any,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        idempotency_key: str | None = ...,
        if_rev: int | None = ...,
    ) -> responses.WriteResponse: ...
    def checkpoint_short_memory(
        self,
        *,
        conversation_id: str,
        summary: str | None = ...,
        recent_turns: int | None = ...,
        covers_seq: int | None = ...,
    ) -> responses.CheckpointShortMemoryResponse: ...
    def update_global_state(
        self,
        *,
        conversation_id: str,
        entities: Any = ...,
        slot: Any = ...,
        current_intent: str | None = ...,
        pending_action: Any = ...,
        clear_pending_action: bool | None = ...,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        if_rev: int | None = ...,
        idempotency_key: str | None = ...,
    ) -> responses.UpdateGlobalStateResponse: ...
    def get_session(
        self,
        *,
        conversation_id: str,
        agent_code: str | None = ...,
    ) -> responses.GetSessionResponse: ...
    def finalize_session_memory(
        self,
        *,
        conversation_id: str,
        summary: str | None = ...,
        recent_turns: int | None = ...,
        wait_ms: int | None = ...,
    ) -> responses.FinalizationResponse: ...
    def get_finalization(
        self,
        *,
        conversation_id: str,
    ) -> responses.FinalizationResponse: ...
    def list_finalizations(
        self,
        *,
        limit: int | None = ...,
    ) -> responses.FinalizationList: ...
    def replay_finalization(
        self,
        *,
        conversation_id: str,
        finalization_id: str | None = ...,
    ) -> responses.ReplayFinalizationResponse: ...
    def upsert_facts(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        facts: Any = ...,
        remove: Any = ...,
        triples: Any = ...,
    ) -> responses.ProfileResponse: ...
    def upsert_preferences(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        preferences: Any = ...,
        name: str | None = ...,
    ) -> responses.ProfileResponse: ...
    def get_profile(
        self,
        *,
        user_id: str,
    ) -> responses.ProfileResponse: ...
    def search_memories(
        self,
        *,
        user_id: str,
        query: str,
        mode: str | None = ...,
        limit: int | None = ...,
        kinds: Any = ...,
        categories: Any = ...,
        types: Any = ...,
        conversation_id: str | None = ...,
        time_from: str | None = ...,
        time_to: str | None = ...,
        as_of: str | None = ...,
        radius: float | None = ...,
        group_by: str | None = ...,
        explain: bool | None = ...,
    ) -> responses.SearchMemoriesResponse: ...
    def get_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
    ) -> responses.MemoryAnswer: ...
    def list_memories(
        self,
        *,
        user_id: str,
        kinds: Any = ...,
        conversation_id: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> responses.ListMemoriesResponse: ...
    def explain_memory(
        self,
        *,
        user_id: str | None = ...,
        memory_id: str | None = ...,
        conversation_id: str | None = ...,
        seq: int | None = ...,
    ) -> responses.ExplainMemoryResponse: ...
    def forget_memory(
        self,
        *,
        user_id: str = ...,
        memory_id: str = ...,
        conversation_id: str = ...,
        dry_run: bool = ...,
        wait_ms: int = ...,
    ) -> responses.ForgetMemoryResponse: ...
    def get_erasure(
        self,
        *,
        erasure_id: str,
        wait_ms: int | None = ...,
    ) -> responses.ErasureResponse: ...
    def process_memory(
        self,
        *,
        input: str,
        user_id: str,
    ) -> brain_calls.ProcessMemoryResponse: ...
    def end_session(
        self,
        *,
        user_id: str,
    ) -> brain_calls.EndSessionResponse: ...
    def get_session_status(
        self,
        *,
        user_id: str,
    ) -> brain_calls.GetSessionStatusResponse: ...
    def debug_process_memory(
        self,
        *,
        input: str,
        user_id: str,
    ) -> brain_calls.DebugProcessMemoryResponse: ...
    def get_user_graph(
        self,
        *,
        user_id: str,
        format: str | None = ...,
    ) -> brain_calls.GetUserGraphResponse: ...
