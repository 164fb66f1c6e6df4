# Made by `make generate` from the table of operations. Do not edit.
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Literal, Self

from pydantic import BaseModel

from gateway.operations import Operation
from memory.model import brain_calls, erasure_calls, memunit_calls, responses

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
        timezone: str | None = ...,
    ) -> responses.CreateShortMemoryResponse:
        """Start a session, or say that it is there.

        Args:
            conversation_id: Which conversation.
            user_id: Whose conversation it is; nobody else can then write to it.
            agent_code: The agent that starts it.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: in the session that this starts.
        """

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
        include: Sequence[Literal["full_history", "session", "turns", "explain", "no_memories"]] | None = ...,
        full_history_cursor: str | None = ...,
    ) -> responses.QueryMemoryContextResponse:
        """Ask for what a bot should send to its model now. Changes nothing but a lease on the next summary.

        Args:
            conversation_id: Which conversation.
            user_id: Whose safety facts and memories to add; `patient_id` is the same.
            agent_code: Which agent asks: `session` then holds its private slot.
            query: What the user says now: counted, not stored.
            token_threshold_ratio: Share of the window (above 0, up to 1) at which a summary is due; default: the
                setting.
            recent_turns: Show so many turns beside the summary, up to 1,000; default: as the last checkpoint said.
            model_context_window: Tokens that your model takes; default: `session.model_context_window`.
            from_checkpoint: An earlier checkpoint's id: its summary, its window, and all since.
            include: More to answer: full_history, session, turns, explain; or less: no_memories.
            full_history_cursor: Where `full_history` goes on: the `full_history_cursor` of the answer before.
        """

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
        state: Mapping[str, Any] | None = ...,
        timezone: str | None = ...,
    ) -> responses.WriteResponse:
        """Record one turn: what the user said and what the agent answered.

        Args:
            conversation_id: Which conversation.
            user_query: What the user said, up to 10,000 characters.
            agent_response: What the agent answered, up to 50,000 characters.
            user_id: Whose conversation it is; without it nothing is remembered beyond the conversation.
            agent_code: The agent that writes; kept with its messages.
            idempotency_key: Your name for this write, 1 to 128 characters: the same again is not written twice for 24
                hours.
            if_rev: Write only if the session still has this `rev`; else 409.
            occurred_at: When it was said, RFC 3339; default: now. An offset other than Z is the speaker's clock.
            state: A change of the working state, in the same write.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: from here on in the session.
        """

    async def write_messages(
        self,
        *,
        conversation_id: str,
        messages: Sequence[Mapping[str, Any]],
        user_id: str | None = ...,
        agent_code: str | None = ...,
        idempotency_key: str | None = ...,
        if_rev: int | None = ...,
        timezone: str | None = ...,
    ) -> responses.WriteResponse:
        """Record messages in their order, all or none. A user message begins a turn.

        Args:
            conversation_id: Which conversation.
            messages: In the order in which they were said; 1 to 500.
            user_id: Whose conversation it is; without it nothing is remembered beyond the conversation.
            agent_code: The agent that writes; kept with its messages.
            idempotency_key: Your name for this write, 1 to 128 characters: the same again is not written twice for 24
                hours.
            if_rev: Write only if the session still has this `rev`; else 409.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: from here on in the session.
        """

    async def checkpoint_short_memory(
        self,
        *,
        conversation_id: str,
        summary: str | None = ...,
        recent_turns: int | None = ...,
        covers_seq: int | None = ...,
    ) -> responses.CheckpointShortMemoryResponse:
        """Cover the journal with a summary. Without one the gateway writes it, by rules, from the dialogue.

        Args:
            conversation_id: Which conversation.
            summary: What was said so far, up to 2,000 characters; default: written by rules.
            recent_turns: Turns to keep in full beside it, up to 1,000; default: `session.recent_turns`.
            covers_seq: The last seq that the summary covers; default: all there is.
        """

    async def update_global_state(
        self,
        *,
        conversation_id: str,
        entities: Mapping[str, Any] | None = ...,
        slot: Mapping[str, Any] | None = ...,
        current_intent: str | None = ...,
        pending_action: Mapping[str, Any] | None = ...,
        clear_pending_action: bool | None = ...,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        if_rev: int | None = ...,
        idempotency_key: str | None = ...,
    ) -> responses.UpdateGlobalStateResponse:
        """Change the working state alone.

        Args:
            conversation_id: Which conversation.
            entities: Shared by all agents; merged key by key.
            slot: The agent's private slot; replaces what was in it.
            current_intent: What the user wants now, up to 500 characters; empty: unknown.
            pending_action: An empty tool call is not possible: send `clear_pending_action`.
            clear_pending_action: Take the pending action off: it was done, or refused.
            user_id: Whose conversation it is.
            agent_code: The agent that changes it; `slot` is its own.
            if_rev: Write only if the session still has this `rev`; else 409.
            idempotency_key: Your name for this write, 1 to 128 characters: the same again is not written twice for 24
                hours.
        """

    async def get_session(
        self,
        *,
        conversation_id: str,
        agent_code: str | None = ...,
    ) -> responses.GetSessionResponse:
        """Ask for the working state. Only the caller's own agent slot is shown.

        Args:
            conversation_id: Which conversation.
            agent_code: Which agent asks: only its private slot is shown.
        """

    async def finalize_session_memory(
        self,
        *,
        conversation_id: str,
        summary: str | None = ...,
        recent_turns: int | None = ...,
        wait_ms: int | None = ...,
    ) -> responses.FinalizationResponse:
        """End the session now and turn it into long-term memory.

        Args:
            conversation_id: Which conversation.
            summary: Your last word on the session, up to 2,000 characters; added to its own summary.
            recent_turns: Turns that the next session of the conversation starts with, up to 1,000.
            wait_ms: How long to wait for the end; the answer comes at once by default.
        """

    async def get_finalization(
        self,
        *,
        conversation_id: str,
    ) -> responses.FinalizationResponse:
        """Ask where the last ended session of a conversation stands.

        Args:
            conversation_id: Which conversation.
        """

    async def list_finalizations(
        self,
        *,
        limit: int | None = ...,
    ) -> responses.FinalizationList:
        """List the tenant's ended sessions that are on their way or have failed, oldest first.

        Args:
            limit: Sessions at most, 1 to 1,000.
        """

    async def replay_finalization(
        self,
        *,
        conversation_id: str,
        finalization_id: str | None = ...,
    ) -> responses.ReplayFinalizationResponse:
        """Try a FAILED session again from its kept journal.

        Args:
            conversation_id: Which conversation.
            finalization_id: Which one; default: every failed session of the conversation.
        """

    async def upsert_facts(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        facts: Mapping[str, Any] | None = ...,
        remove: Mapping[str, Any] | None = ...,
        triples: Sequence[Mapping[str, Any]] | None = ...,
    ) -> responses.ProfileResponse:
        """Add safety facts to a user's profile, or take wrong ones off. A fact that is there is not doubled.

        Triples become facts of the long-term memory at once.

        Args:
            user_id: Whose profile.
            conversation_id: The conversation in which it came up; noted in its journal.
            facts: Safety facts to add.
            remove: Safety facts that are wrong or over; they no longer hold from now on.
            triples: Other facts, up to 200.
        """

    async def confirm_facts(
        self,
        *,
        user_id: str,
        fact_ids: Sequence[str],
        verdict: Literal["confirmed", "wrong"],
        why: str | None = ...,
    ) -> responses.ProfileResponse:
        """A person's word on safety facts: they are so, or they are wrong. It holds at once, in every conversation.

        What was wrong stays away until it is said again. What a user said in a session that goes on can be confirmed
        too.

        Args:
            user_id: Whose facts.
            fact_ids: Which, as `safety.details` names them: `fact_id`. 1 to 100; all of them, or none.
            verdict: confirmed: it is so; wrong: it is not.
            why: The reason, for whoever reads it later.
        """

    async def upsert_preferences(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        preferences: Mapping[str, Any] | None = ...,
        name: str | None = ...,
        timezone: str | None = ...,
    ) -> responses.ProfileResponse:
        """Set preferences of a user. A preference of null is taken off.

        Args:
            user_id: Whose profile.
            conversation_id: The conversation in which it came up; noted in its journal.
            preferences: What to set, up to 200; each value up to 4,000 characters as JSON.
            name: What the user is called, 1 to 128 characters.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: where a session says none; the preference
                `timezone`.
        """

    async def get_profile(
        self,
        *,
        user_id: str,
    ) -> responses.ProfileResponse:
        """Ask for a user's profile.

        Args:
            user_id: Whose profile.
        """

    async def search_memories(
        self,
        *,
        user_id: str,
        query: str,
        mode: Literal["keyword", "vector", "hybrid"] | None = ...,
        limit: int | None = ...,
        kinds: Sequence[Literal["episode", "fact", "event", "profile"]] | None = ...,
        categories: Sequence[Literal["system", "core", "fact", "episode"]] | None = ...,
        types: Sequence[Literal["event", "fact", "relation", "opinion"]] | None = ...,
        conversation_id: str | None = ...,
        time_from: str | None = ...,
        time_to: str | None = ...,
        as_of: str | None = ...,
        radius: float | None = ...,
        group_by: Literal["conversation"] | None = ...,
        explain: bool | None = ...,
        timezone: str | None = ...,
    ) -> responses.SearchMemoriesResponse:
        """Search a user's long-term memories by words, by meaning, or both. The best come first, each with its source.

        Args:
            user_id: Whose memories.
            query: What to look for, up to 10,000 characters.
            mode: keyword: by words; vector: by meaning; hybrid: both.
            limit: Memories at most, 1 to 200.
            kinds: Only these kinds: episode, fact, event, profile. Default: all but profiles.
            categories: Only these: system, core, fact, episode.
            types: Only these: event, fact, relation, opinion.
            conversation_id: Only what comes from this conversation.
            time_from: What happened at this time or later.
            time_to: What happened before this time.
            as_of: What was held to be true then, superseded since or not.
            radius: The least cosine of a match by meaning.
            group_by: The best of each conversation only.
            explain: Show each part of the scores.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: for days that the query names; default: the
                user's, else `session.timezone`.
        """

    async def get_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
    ) -> responses.MemoryAnswer:
        """Read one memory by its id. With `user_id` nothing of another user is found, and it is found at once.

        Args:
            memory_id: Which memory, as a search or a list named it.
            user_id: Look among this user's memories only.
        """

    async def list_memories(
        self,
        *,
        user_id: str,
        kinds: Sequence[Literal["episode", "fact", "event", "profile"]] | None = ...,
        conversation_id: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> responses.ListMemoriesResponse:
        """List a user's memories page by page, in the order of their ids.

        Args:
            user_id: Whose memories.
            kinds: Only these kinds: episode, fact, event, profile. Default: all.
            conversation_id: Only what comes from this conversation.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Memories of a page, 1 to 1,000.
        """

    async def explain_memory(
        self,
        *,
        user_id: str | None = ...,
        memory_id: str | None = ...,
        conversation_id: str | None = ...,
        seq: int | None = ...,
    ) -> responses.ExplainMemoryResponse:
        """Why a memory is what it is, or what became of one message of a conversation and why.

        With `user_id` nothing of another user is found.

        Args:
            user_id: Look among this user's memories only.
            memory_id: Explain this memory.
            conversation_id: Explain a message of this conversation; send `seq` too.
            seq: Number of the message in its conversation, from 1.
        """

    async def get_mem_unit(
        self,
        *,
        user_id: str,
        unit_id: str,
    ) -> memunit_calls.MemUnitAnswer:
        """Read one MemUnit: a stretch of a conversation that has ended, as it was said, with all that was made of it.

        Args:
            user_id: Whose.
            unit_id: Which, as a list or the `source` of a memory names it.
        """

    async def list_mem_units(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        include: Sequence[Literal["original_data"]] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> memunit_calls.ListMemUnitsResponse:
        """List a user's MemUnits page by page, in the order of their ids: what their memories are derived from.

        Args:
            user_id: Whose.
            conversation_id: Only those of this conversation.
            include: ["original_data"]: with the messages as they were said.
            cursor: Where the page before ended; empty: from the beginning.
            limit: MemUnits of a page, 1 to 100.
        """

    async def forget_memory(
        self,
        *,
        user_id: str = ...,
        memory_id: str = ...,
        conversation_id: str = ...,
        dry_run: bool = ...,
        wait_ms: int = ...,
    ) -> erasure_calls.ForgetMemoryResponse:
        """Erase for good: one memory, all of one conversation, or all of the user. The receipt says what is gone.

        Only a `memory_id` may stand without its `user_id`.

        Args:
            user_id: Whose; alone it erases all of the user.
            memory_id: This memory only.
            conversation_id: All of this conversation only.
            dry_run: Only count what would be gone; nothing is changed.
            wait_ms: How long to wait for files to be cleaned; then they are `pending`.
        """

    async def get_erasure(
        self,
        *,
        erasure_id: str,
        wait_ms: int | None = ...,
    ) -> erasure_calls.ErasureResponse:
        """Ask whether the bytes of what was erased are gone from our files by now: for 30 days, by a receipt's id.

        Args:
            erasure_id: `erasure_id` of a receipt of ForgetMemory.
            wait_ms: How long to wait for it; the answer comes at once by default.
        """

    async def process_memory(
        self,
        *,
        input: str,
        user_id: str,
    ) -> brain_calls.ProcessMemoryResponse:
        """Say what the user said; get back what the long-term memory knows of it. Sessions make and end themselves.

        Args:
            input: What the user said, 1 to 10,000 characters.
            user_id: Who said it.
        """

    async def end_session(
        self,
        *,
        user_id: str,
    ) -> brain_calls.EndSessionResponse:
        """End the user's session now; it becomes long-term memory in the background.

        Args:
            user_id: Whose session.
        """

    async def get_session_status(
        self,
        *,
        user_id: str,
    ) -> brain_calls.GetSessionStatusResponse:
        """Ask for the user's session: how many events it has, and when it ends by itself.

        Args:
            user_id: Whose session.
        """

    async def debug_process_memory(
        self,
        *,
        input: str,
        user_id: str,
    ) -> brain_calls.DebugProcessMemoryResponse:
        """See what process_memory would do, step by step, with times and reasons. Nothing is stored.

        Args:
            input: What the user said, 1 to 10,000 characters.
            user_id: Who said it.
        """

    async def get_user_graph(
        self,
        *,
        user_id: str,
        format: Literal["json", "mermaid", "graphml"] | None = ...,
    ) -> brain_calls.GetUserGraphResponse:
        """Ask for what is known of a user as a graph: people and things, and what holds between them, with provenance.

        Args:
            user_id: Whose memories.
            format: json: nodes and edges; mermaid, graphml: a drawing in `text` too.
        """

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
        timezone: str | None = ...,
    ) -> responses.CreateShortMemoryResponse:
        """Start a session, or say that it is there.

        Args:
            conversation_id: Which conversation.
            user_id: Whose conversation it is; nobody else can then write to it.
            agent_code: The agent that starts it.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: in the session that this starts.
        """

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
        include: Sequence[Literal["full_history", "session", "turns", "explain", "no_memories"]] | None = ...,
        full_history_cursor: str | None = ...,
    ) -> responses.QueryMemoryContextResponse:
        """Ask for what a bot should send to its model now. Changes nothing but a lease on the next summary.

        Args:
            conversation_id: Which conversation.
            user_id: Whose safety facts and memories to add; `patient_id` is the same.
            agent_code: Which agent asks: `session` then holds its private slot.
            query: What the user says now: counted, not stored.
            token_threshold_ratio: Share of the window (above 0, up to 1) at which a summary is due; default: the
                setting.
            recent_turns: Show so many turns beside the summary, up to 1,000; default: as the last checkpoint said.
            model_context_window: Tokens that your model takes; default: `session.model_context_window`.
            from_checkpoint: An earlier checkpoint's id: its summary, its window, and all since.
            include: More to answer: full_history, session, turns, explain; or less: no_memories.
            full_history_cursor: Where `full_history` goes on: the `full_history_cursor` of the answer before.
        """

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
        state: Mapping[str, Any] | None = ...,
        timezone: str | None = ...,
    ) -> responses.WriteResponse:
        """Record one turn: what the user said and what the agent answered.

        Args:
            conversation_id: Which conversation.
            user_query: What the user said, up to 10,000 characters.
            agent_response: What the agent answered, up to 50,000 characters.
            user_id: Whose conversation it is; without it nothing is remembered beyond the conversation.
            agent_code: The agent that writes; kept with its messages.
            idempotency_key: Your name for this write, 1 to 128 characters: the same again is not written twice for 24
                hours.
            if_rev: Write only if the session still has this `rev`; else 409.
            occurred_at: When it was said, RFC 3339; default: now. An offset other than Z is the speaker's clock.
            state: A change of the working state, in the same write.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: from here on in the session.
        """

    def write_messages(
        self,
        *,
        conversation_id: str,
        messages: Sequence[Mapping[str, Any]],
        user_id: str | None = ...,
        agent_code: str | None = ...,
        idempotency_key: str | None = ...,
        if_rev: int | None = ...,
        timezone: str | None = ...,
    ) -> responses.WriteResponse:
        """Record messages in their order, all or none. A user message begins a turn.

        Args:
            conversation_id: Which conversation.
            messages: In the order in which they were said; 1 to 500.
            user_id: Whose conversation it is; without it nothing is remembered beyond the conversation.
            agent_code: The agent that writes; kept with its messages.
            idempotency_key: Your name for this write, 1 to 128 characters: the same again is not written twice for 24
                hours.
            if_rev: Write only if the session still has this `rev`; else 409.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: from here on in the session.
        """

    def checkpoint_short_memory(
        self,
        *,
        conversation_id: str,
        summary: str | None = ...,
        recent_turns: int | None = ...,
        covers_seq: int | None = ...,
    ) -> responses.CheckpointShortMemoryResponse:
        """Cover the journal with a summary. Without one the gateway writes it, by rules, from the dialogue.

        Args:
            conversation_id: Which conversation.
            summary: What was said so far, up to 2,000 characters; default: written by rules.
            recent_turns: Turns to keep in full beside it, up to 1,000; default: `session.recent_turns`.
            covers_seq: The last seq that the summary covers; default: all there is.
        """

    def update_global_state(
        self,
        *,
        conversation_id: str,
        entities: Mapping[str, Any] | None = ...,
        slot: Mapping[str, Any] | None = ...,
        current_intent: str | None = ...,
        pending_action: Mapping[str, Any] | None = ...,
        clear_pending_action: bool | None = ...,
        user_id: str | None = ...,
        agent_code: str | None = ...,
        if_rev: int | None = ...,
        idempotency_key: str | None = ...,
    ) -> responses.UpdateGlobalStateResponse:
        """Change the working state alone.

        Args:
            conversation_id: Which conversation.
            entities: Shared by all agents; merged key by key.
            slot: The agent's private slot; replaces what was in it.
            current_intent: What the user wants now, up to 500 characters; empty: unknown.
            pending_action: An empty tool call is not possible: send `clear_pending_action`.
            clear_pending_action: Take the pending action off: it was done, or refused.
            user_id: Whose conversation it is.
            agent_code: The agent that changes it; `slot` is its own.
            if_rev: Write only if the session still has this `rev`; else 409.
            idempotency_key: Your name for this write, 1 to 128 characters: the same again is not written twice for 24
                hours.
        """

    def get_session(
        self,
        *,
        conversation_id: str,
        agent_code: str | None = ...,
    ) -> responses.GetSessionResponse:
        """Ask for the working state. Only the caller's own agent slot is shown.

        Args:
            conversation_id: Which conversation.
            agent_code: Which agent asks: only its private slot is shown.
        """

    def finalize_session_memory(
        self,
        *,
        conversation_id: str,
        summary: str | None = ...,
        recent_turns: int | None = ...,
        wait_ms: int | None = ...,
    ) -> responses.FinalizationResponse:
        """End the session now and turn it into long-term memory.

        Args:
            conversation_id: Which conversation.
            summary: Your last word on the session, up to 2,000 characters; added to its own summary.
            recent_turns: Turns that the next session of the conversation starts with, up to 1,000.
            wait_ms: How long to wait for the end; the answer comes at once by default.
        """

    def get_finalization(
        self,
        *,
        conversation_id: str,
    ) -> responses.FinalizationResponse:
        """Ask where the last ended session of a conversation stands.

        Args:
            conversation_id: Which conversation.
        """

    def list_finalizations(
        self,
        *,
        limit: int | None = ...,
    ) -> responses.FinalizationList:
        """List the tenant's ended sessions that are on their way or have failed, oldest first.

        Args:
            limit: Sessions at most, 1 to 1,000.
        """

    def replay_finalization(
        self,
        *,
        conversation_id: str,
        finalization_id: str | None = ...,
    ) -> responses.ReplayFinalizationResponse:
        """Try a FAILED session again from its kept journal.

        Args:
            conversation_id: Which conversation.
            finalization_id: Which one; default: every failed session of the conversation.
        """

    def upsert_facts(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        facts: Mapping[str, Any] | None = ...,
        remove: Mapping[str, Any] | None = ...,
        triples: Sequence[Mapping[str, Any]] | None = ...,
    ) -> responses.ProfileResponse:
        """Add safety facts to a user's profile, or take wrong ones off. A fact that is there is not doubled.

        Triples become facts of the long-term memory at once.

        Args:
            user_id: Whose profile.
            conversation_id: The conversation in which it came up; noted in its journal.
            facts: Safety facts to add.
            remove: Safety facts that are wrong or over; they no longer hold from now on.
            triples: Other facts, up to 200.
        """

    def confirm_facts(
        self,
        *,
        user_id: str,
        fact_ids: Sequence[str],
        verdict: Literal["confirmed", "wrong"],
        why: str | None = ...,
    ) -> responses.ProfileResponse:
        """A person's word on safety facts: they are so, or they are wrong. It holds at once, in every conversation.

        What was wrong stays away until it is said again. What a user said in a session that goes on can be confirmed
        too.

        Args:
            user_id: Whose facts.
            fact_ids: Which, as `safety.details` names them: `fact_id`. 1 to 100; all of them, or none.
            verdict: confirmed: it is so; wrong: it is not.
            why: The reason, for whoever reads it later.
        """

    def upsert_preferences(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        preferences: Mapping[str, Any] | None = ...,
        name: str | None = ...,
        timezone: str | None = ...,
    ) -> responses.ProfileResponse:
        """Set preferences of a user. A preference of null is taken off.

        Args:
            user_id: Whose profile.
            conversation_id: The conversation in which it came up; noted in its journal.
            preferences: What to set, up to 200; each value up to 4,000 characters as JSON.
            name: What the user is called, 1 to 128 characters.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: where a session says none; the preference
                `timezone`.
        """

    def get_profile(
        self,
        *,
        user_id: str,
    ) -> responses.ProfileResponse:
        """Ask for a user's profile.

        Args:
            user_id: Whose profile.
        """

    def search_memories(
        self,
        *,
        user_id: str,
        query: str,
        mode: Literal["keyword", "vector", "hybrid"] | None = ...,
        limit: int | None = ...,
        kinds: Sequence[Literal["episode", "fact", "event", "profile"]] | None = ...,
        categories: Sequence[Literal["system", "core", "fact", "episode"]] | None = ...,
        types: Sequence[Literal["event", "fact", "relation", "opinion"]] | None = ...,
        conversation_id: str | None = ...,
        time_from: str | None = ...,
        time_to: str | None = ...,
        as_of: str | None = ...,
        radius: float | None = ...,
        group_by: Literal["conversation"] | None = ...,
        explain: bool | None = ...,
        timezone: str | None = ...,
    ) -> responses.SearchMemoriesResponse:
        """Search a user's long-term memories by words, by meaning, or both. The best come first, each with its source.

        Args:
            user_id: Whose memories.
            query: What to look for, up to 10,000 characters.
            mode: keyword: by words; vector: by meaning; hybrid: both.
            limit: Memories at most, 1 to 200.
            kinds: Only these kinds: episode, fact, event, profile. Default: all but profiles.
            categories: Only these: system, core, fact, episode.
            types: Only these: event, fact, relation, opinion.
            conversation_id: Only what comes from this conversation.
            time_from: What happened at this time or later.
            time_to: What happened before this time.
            as_of: What was held to be true then, superseded since or not.
            radius: The least cosine of a match by meaning.
            group_by: The best of each conversation only.
            explain: Show each part of the scores.
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: for days that the query names; default: the
                user's, else `session.timezone`.
        """

    def get_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
    ) -> responses.MemoryAnswer:
        """Read one memory by its id. With `user_id` nothing of another user is found, and it is found at once.

        Args:
            memory_id: Which memory, as a search or a list named it.
            user_id: Look among this user's memories only.
        """

    def list_memories(
        self,
        *,
        user_id: str,
        kinds: Sequence[Literal["episode", "fact", "event", "profile"]] | None = ...,
        conversation_id: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> responses.ListMemoriesResponse:
        """List a user's memories page by page, in the order of their ids.

        Args:
            user_id: Whose memories.
            kinds: Only these kinds: episode, fact, event, profile. Default: all.
            conversation_id: Only what comes from this conversation.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Memories of a page, 1 to 1,000.
        """

    def explain_memory(
        self,
        *,
        user_id: str | None = ...,
        memory_id: str | None = ...,
        conversation_id: str | None = ...,
        seq: int | None = ...,
    ) -> responses.ExplainMemoryResponse:
        """Why a memory is what it is, or what became of one message of a conversation and why.

        With `user_id` nothing of another user is found.

        Args:
            user_id: Look among this user's memories only.
            memory_id: Explain this memory.
            conversation_id: Explain a message of this conversation; send `seq` too.
            seq: Number of the message in its conversation, from 1.
        """

    def get_mem_unit(
        self,
        *,
        user_id: str,
        unit_id: str,
    ) -> memunit_calls.MemUnitAnswer:
        """Read one MemUnit: a stretch of a conversation that has ended, as it was said, with all that was made of it.

        Args:
            user_id: Whose.
            unit_id: Which, as a list or the `source` of a memory names it.
        """

    def list_mem_units(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        include: Sequence[Literal["original_data"]] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> memunit_calls.ListMemUnitsResponse:
        """List a user's MemUnits page by page, in the order of their ids: what their memories are derived from.

        Args:
            user_id: Whose.
            conversation_id: Only those of this conversation.
            include: ["original_data"]: with the messages as they were said.
            cursor: Where the page before ended; empty: from the beginning.
            limit: MemUnits of a page, 1 to 100.
        """

    def forget_memory(
        self,
        *,
        user_id: str = ...,
        memory_id: str = ...,
        conversation_id: str = ...,
        dry_run: bool = ...,
        wait_ms: int = ...,
    ) -> erasure_calls.ForgetMemoryResponse:
        """Erase for good: one memory, all of one conversation, or all of the user. The receipt says what is gone.

        Only a `memory_id` may stand without its `user_id`.

        Args:
            user_id: Whose; alone it erases all of the user.
            memory_id: This memory only.
            conversation_id: All of this conversation only.
            dry_run: Only count what would be gone; nothing is changed.
            wait_ms: How long to wait for files to be cleaned; then they are `pending`.
        """

    def get_erasure(
        self,
        *,
        erasure_id: str,
        wait_ms: int | None = ...,
    ) -> erasure_calls.ErasureResponse:
        """Ask whether the bytes of what was erased are gone from our files by now: for 30 days, by a receipt's id.

        Args:
            erasure_id: `erasure_id` of a receipt of ForgetMemory.
            wait_ms: How long to wait for it; the answer comes at once by default.
        """

    def process_memory(
        self,
        *,
        input: str,
        user_id: str,
    ) -> brain_calls.ProcessMemoryResponse:
        """Say what the user said; get back what the long-term memory knows of it. Sessions make and end themselves.

        Args:
            input: What the user said, 1 to 10,000 characters.
            user_id: Who said it.
        """

    def end_session(
        self,
        *,
        user_id: str,
    ) -> brain_calls.EndSessionResponse:
        """End the user's session now; it becomes long-term memory in the background.

        Args:
            user_id: Whose session.
        """

    def get_session_status(
        self,
        *,
        user_id: str,
    ) -> brain_calls.GetSessionStatusResponse:
        """Ask for the user's session: how many events it has, and when it ends by itself.

        Args:
            user_id: Whose session.
        """

    def debug_process_memory(
        self,
        *,
        input: str,
        user_id: str,
    ) -> brain_calls.DebugProcessMemoryResponse:
        """See what process_memory would do, step by step, with times and reasons. Nothing is stored.

        Args:
            input: What the user said, 1 to 10,000 characters.
            user_id: Who said it.
        """

    def get_user_graph(
        self,
        *,
        user_id: str,
        format: Literal["json", "mermaid", "graphml"] | None = ...,
    ) -> brain_calls.GetUserGraphResponse:
        """Ask for what is known of a user as a graph: people and things, and what holds between them, with provenance.

        Args:
            user_id: Whose memories.
            format: json: nodes and edges; mermaid, graphml: a drawing in `text` too.
        """
