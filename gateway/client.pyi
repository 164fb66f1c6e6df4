# Made by `make generate` from the table of operations. Do not edit.
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Literal, Self

from pydantic import BaseModel

from gateway.operating import operating_calls
from gateway.operations import Operation
from memory.model import (
    audit_calls,
    batch_calls,
    brain_calls,
    conversation_calls,
    curation_calls,
    erasure_calls,
    graph_calls,
    graph_view_calls,
    memory_calls,
    memunit_calls,
    responses,
    stats_calls,
    transfer_calls,
    user_calls,
)

DEFAULT_URL: Final[str]
METHODS: Final[dict[str, Operation]]
WATCHING: Final[dict[str, Operation]]

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
    def watch(self, watch: Operation, fields: Mapping[str, Any]) -> AsyncGenerator[BaseModel]: ...
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
        include: Sequence[Literal["full_history", "session", "turns", "explain", "blocks", "time", "no_memories"]]
        | None = ...,
        full_history_cursor: str | None = ...,
        preview: bool | None = ...,
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
            include: More to answer: full_history, session, turns, explain, blocks; time: `context` tells the time by
                the user's clock; or less: no_memories.
            full_history_cursor: Where `full_history` goes on: the `full_history_cursor` of the answer before.
            preview: Only look: as the answer would be, but nobody is asked for a summary and nothing counts as shown.
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
        tool_results: Sequence[Mapping[str, Any]] | None = ...,
        used_memory_ids: Sequence[str] | None = ...,
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
            tool_results: What tools gave for this turn, up to 16: in short it stands in `context` until the next write
                of what was said, and nowhere else. It is not journaled and never remembered.
            used_memory_ids: The memories of the user that the answer rests on, 1 to 50: each grows stronger, as by
                MarkUsed, once the write is done.
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
        tool_results: Sequence[Mapping[str, Any]] | None = ...,
        used_memory_ids: Sequence[str] | None = ...,
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
            tool_results: What tools gave for this turn, up to 16: in short it stands in `context` until the next write
                of what was said, and nowhere else. It is not journaled and never remembered.
            used_memory_ids: The memories of the user that the answer rests on, 1 to 50: each grows stronger, as by
                MarkUsed, once the write is done.
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
            summary: What was said so far, up to 2,000 characters; default, and if it is empty: written by rules.
            recent_turns: Turns to keep in full beside it, up to 1,000; default: `session.recent_turns`.
            covers_seq: The last seq that the summary covers; default: all there is.
        """

    async def list_users(
        self,
        *,
        prefix: str | None = ...,
        order: Literal["active", "name"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> user_calls.ListUsersResponse:
        """List the tenant's users, page by page: the last active first, or by their ids. Changes nothing.

        Active is in whose name something is written in a conversation, or of whom something is told (UpsertFacts,
        UpsertPreferences, CreateMemory); reading is not. By name nobody is left out who is there all the while,
        whatever is written meanwhile. By activity nobody comes twice, and only those who become active between two
        pages may be left out: they stand at the front, on a first page that is asked for anew.

        Args:
            prefix: Only those whose id begins like this.
            order: active: the last active first; name: by id.
            cursor: Where the page before ended, with the same order; empty: from the beginning.
            limit: Users of a page, 1 to 200; with `prefix` by activity it may have fewer.
        """

    async def get_stats(
        self,
        *,
        user_id: str | None = ...,
        days: int | None = ...,
    ) -> stats_calls.GetStatsResponse:
        """How much is remembered, by state, kind, category and who found it, and on which days it was recorded.

        Of a user it is counted now: it costs what they have. Of all users, which needs the scope `admin`, the
        numbers of memories and sessions are those that a worker counted last; those who ask when they are older than
        a minute have them counted anew. Changes nothing else.

        Args:
            user_id: Whose; absent: of all users of the tenant.
            days: How many days, 1 to 90, up to the one on which it was counted.
        """

    async def list_audit(
        self,
        *,
        user_id: str | None = ...,
        conversation_id: str | None = ...,
        operation: str | None = ...,
        key: str | None = ...,
        outcome: Literal["all", "refused"] | None = ...,
        since: str | None = ...,
        until: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> audit_calls.ListAuditResponse:
        """List who asked for what in this tenant, the newest first; never what was asked or answered.

        Of somebody who was forgotten the entries stay, and no longer say of whom they are: ask by `user_id` to find
        them. Changes nothing, but is an entry itself.

        Args:
            user_id: Only what was about this user, in conversations of theirs that are known too.
            conversation_id: Only what was about this conversation.
            operation: Only this operation, or SignIn at the console.
            key: Only what was asked with the API key of this name.
            outcome: refused: what was not answered with 200.
            since: Not what was written down before.
            until: Not what was written down then or later.
            cursor: Where the page before ended; empty: from the newest.
            limit: Entries of a page, 1 to 500; where few of very many match it may have fewer.
        """

    async def list_keys(
        self,
        *,
        revoked: bool | None = ...,
    ) -> audit_calls.ListKeysResponse:
        """List the API keys of this tenant by name; nothing of the keys themselves.

        A new one is made by `anamnesis new-key` and put into `auth.keys`. Changes nothing.

        Args:
            revoked: Also those that were revoked, and are not let in any more.
        """

    async def list_conversations(
        self,
        *,
        user_id: str,
        state: Literal["ACTIVE", "ENDING", "ENDED", "FAILED"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> conversation_calls.ListConversationsResponse:
        """List a user's conversations, living and ended, page by page in the order of their ids. Changes nothing.

        Args:
            user_id: Whose.
            state: Only those that stand so; a page may then have fewer than `limit`.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Conversations of a page, 1 to 200.
        """

    async def get_timeline(
        self,
        *,
        conversation_id: str,
        user_id: str | None = ...,
        after_seq: int | None = ...,
        limit: int | None = ...,
    ) -> conversation_calls.GetTimelineResponse:
        """What was said and done in a conversation, over all its sessions, in order: a look that changes nothing.

        It takes no lease, renews no session and counts nothing as shown.

        Args:
            conversation_id: Which conversation.
            user_id: Look at what is this user's only.
            after_seq: Go on after this number; 0: from the beginning.
            limit: Entries of a page, about, 1 to 500.
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
            clear_pending_action: Take the pending action off: it was done, or refused. Not with `pending_action`.
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
        state: Literal["ENDING", "FAILED"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> responses.FinalizationList:
        """List the tenant's ended sessions that are on their way or have failed, oldest first, page by page.

        Args:
            state: Only those that stand so.
            cursor: Where the page before ended; empty: from the beginning.
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
            name: What the user is called, 1 to 128 characters; a memory too, which ends the name before it.
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
        kinds: Sequence[Literal["episode", "fact", "event", "profile", "created", "link"]] | None = ...,
        categories: Sequence[Literal["system", "core", "fact", "episode"]] | None = ...,
        types: Sequence[Literal["event", "fact", "relation", "opinion"]] | None = ...,
        conversation_id: str | None = ...,
        time_range: Mapping[str, Any] | None = ...,
        time_from: str | None = ...,
        time_to: str | None = ...,
        as_of: str | None = ...,
        radius: float | None = ...,
        group_by: Literal["conversation"] | None = ...,
        explain: bool | None = ...,
        search_mode: Literal["fast", "auto", "deep"] | None = ...,
        expand_depth: int | None = ...,
        relations: Sequence[Literal["based_on", "causes", "cites", "related"]] | None = ...,
        timezone: str | None = ...,
    ) -> memory_calls.SearchMemoriesResponse:
        """Search a user's long-term memories by words, by meaning, or both. The best come first, each with its source.

        Args:
            user_id: Whose memories.
            query: What to look for, up to 10,000 characters.
            mode: keyword: by words; vector: by meaning; hybrid: both.
            limit: Memories at most, 1 to 200; `max_results` is the same.
            kinds: Only these kinds: episode, fact, event, created, profile. Default: all but profiles.
            categories: Only these: system, core, fact, episode.
            types: Only these: event (事件), fact (事实), relation (关系), opinion (观点); also `memory_types`.
            conversation_id: Only what comes from this conversation.
            time_range: What happened between these, instead of `time_from` and `time_to`.
            time_from: What happened at this time or later.
            time_to: What happened before this time.
            as_of: What was held to be true then, superseded since or not.
            radius: The least cosine of a match by meaning.
            group_by: The best of each conversation only.
            explain: Show each part of the scores.
            search_mode: fast: what fits the query; deep: also what hangs together with that; auto: deep where it asks
                why, or what belongs together. Default: deep where `expand_depth` or `relations` is sent, else
                `graph.search_mode`.
            expand_depth: How many steps a deep search goes on, up to 3; default: 1.
            relations: Follow only these: causes (因为, 所以, 导致), cites (引用), based_on (基于), related (相关).
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: for days that the query names; default: the
                user's, else `session.timezone`.
        """

    async def get_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
    ) -> memory_calls.MemoryAnswer:
        """Read one memory by its id. With `user_id` nothing of another user is found, and it is found at once.

        Args:
            memory_id: Which memory, as a search or a list named it.
            user_id: Look among this user's memories only.
        """

    async def list_memories(
        self,
        *,
        user_id: str,
        kinds: Sequence[Literal["episode", "fact", "event", "profile", "created", "link"]] | None = ...,
        categories: Sequence[Literal["system", "core", "fact", "episode"]] | None = ...,
        types: Sequence[Literal["event", "fact", "relation", "opinion"]] | None = ...,
        states: Sequence[Literal["held", "ended", "superseded", "archived"]] | None = ...,
        contains: str | None = ...,
        conversation_id: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> memory_calls.ListMemoriesResponse:
        """List a user's memories page by page, in the order of their ids; a page may have fewer than `limit`.

        Args:
            user_id: Whose memories.
            kinds: Only these kinds: episode, fact, event, created, profile, link. Default: all but links.
            categories: Only these: system, core, fact, episode.
            types: Only these: event, fact, relation, opinion.
            states: Only these: held; ended (denied or over); superseded (another took its place); archived. Default:
                held and ended.
            contains: Only what has these letters in its text or object, whatever their case.
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
        locale: Literal["zh", "en"] | None = ...,
    ) -> memory_calls.ExplainMemoryResponse:
        """Why a memory is what it is, or what became of one message of a conversation and why.

        With `user_id` nothing of another user is found.

        Args:
            user_id: Look among this user's memories only.
            memory_id: Explain this memory.
            conversation_id: Explain a message of this conversation; send `seq` too.
            seq: Number of the message in its conversation, from 1.
            locale: Language of `reasons`: zh or en.
        """

    async def mark_used(
        self,
        *,
        user_id: str,
        memory_ids: Sequence[str],
        used: bool | None = ...,
        occurred_at: str | None = ...,
    ) -> curation_calls.MarkUsedResponse:
        """Say which memories an answer rested on: a bot knows it best. Each grows stronger, and fades later.

        What stood in a context is not strengthened by that. Where nobody says anything, a rule looks at the answers
        when a conversation ends; both together count once.

        Args:
            user_id: Whose memories.
            memory_ids: Which memories, by their ids, 1 to 50.
            used: False: the answer did not rest on them; nothing is added.
            occurred_at: When it was answered, RFC 3339, not in the future; default: now.
        """

    async def curate_memories(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        dry_run: bool | None = ...,
    ) -> curation_calls.CurateMemoriesResponse:
        """What a session says of memories from before it: which its answers rested on, and what somebody took back.

        The same happens by itself when a session becomes memory; so this is for looking at it, and for sessions that
        ended before a model was there to judge them. What is new in a session became memory with it.

        Args:
            user_id: Whose memories.
            conversation_id: The conversation, of which the last ended session is judged; default: the last one.
            dry_run: True: nothing is changed. False: what is decided is applied.
        """

    async def archive_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
        why: str | None = ...,
    ) -> memory_calls.MemoryAnswer:
        """Take a memory out of the way: no search finds it, no profile says it. RestoreMemory takes it back.

        Where memories are forgotten it is erased after `decay.retention_s`; ForgetMemory erases at once. Safety
        facts are changed by UpsertFacts, ConfirmFacts and DecideReview.

        Args:
            memory_id: Which memory.
            user_id: Look among this user's memories only.
            why: The reason, for whoever reads it later.
        """

    async def restore_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
        why: str | None = ...,
    ) -> memory_calls.MemoryAnswer:
        """Take an archived memory back: it is found again, and begins to fade anew.

        Args:
            memory_id: Which memory.
            user_id: Look among this user's memories only.
            why: The reason, for whoever reads it later.
        """

    async def get_decay(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
        days: int | None = ...,
        used_at: str | None = ...,
    ) -> curation_calls.GetDecayResponse:
        """How alive a memory is, was, and will be: the curve that it goes down, and when it is reviewed and leaves.

        Args:
            memory_id: Which memory.
            user_id: Look among this user's memories only.
            days: How many days from now on, up to 3,650.
            used_at: The same if an answer rested on it then, RFC 3339; nothing is changed.
        """

    async def get_memory_history(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
    ) -> curation_calls.GetMemoryHistoryResponse:
        """What was done to a memory: each change with before and after, by whom, when and why; the oldest first.

        Args:
            memory_id: Which memory.
            user_id: Look among this user's memories only.
        """

    async def list_reviews(
        self,
        *,
        user_id: str | None = ...,
        cause: Literal["contradiction", "uncertain", "fading", "promote"] | None = ...,
        locale: Literal["zh", "en"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> curation_calls.ListReviewsResponse:
        """List what a person has to decide about memories, the longest open first: page by page, over all users.

        Of safety: what somebody took back, and what may be so. Where `curation.review` is human also what fades, and
        what was used so often that it may never fade; where it is model until a model has decided these. A question
        goes with its memory, and when it is answered elsewhere.

        Args:
            user_id: Only what is open of this user.
            cause: Only these: contradiction, uncertain, fading, promote. Default: all.
            locale: zh or en, for the sentences; default: the language of the memory's words.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Questions of a page, 1 to 200.
        """

    async def decide_review(
        self,
        *,
        item_id: str,
        verdict: Literal["APPLY", "REJECT", "PROMOTE", "KEEP", "DELETE"],
        user_id: str | None = ...,
        why: str | None = ...,
    ) -> curation_calls.DecideReviewResponse:
        """Decide an open question about a memory. What is decided of safety holds at once, in every conversation.

        The same verdict again changes nothing; another one is refused with what was decided.

        Args:
            item_id: Which, as ListReviews names it.
            verdict: Of safety APPLY (it is as the memory in question says) or REJECT (it is not); else PROMOTE (it
                never fades), KEEP, or DELETE (archived: it leaves the usual searches, and is erased after
                `decay.retention_s` where memories are forgotten).
            user_id: Look among this user's memories only.
            why: The reason, for whoever reads it later.
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

    async def export_memories(
        self,
        *,
        user_id: str | None = ...,
        states: Sequence[Literal["held", "ended", "superseded", "archived"]] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> transfer_calls.ExportMemoriesResponse:
        """Whole memories page by page, of one user or of all, for ImportMemories. Changes nothing.

        Ordered by user and id, so each comes once; what is written meanwhile may be left out. A page may have fewer
        than `limit`. Before the memories of a user stands what callers have told of them (`profile`), if they have.
        Dialogues are not among them.

        Args:
            user_id: Whose memories; left out: those of all users of the tenant.
            states: Only these: held; ended (denied or over); superseded (another took its place); archived. Default:
                all.
            cursor: Where the page before ended, with the same `user_id`; empty: from the beginning.
            limit: Memories of a page, 1 to 1,000.
        """

    async def import_memories(
        self,
        *,
        user_id: str,
        records: Sequence[Mapping[str, Any]],
        dry_run: bool | None = ...,
        locale: Literal["zh", "en"] | None = ...,
    ) -> transfer_calls.ImportMemoriesResponse:
        """Store whole memories, as ExportMemories gave them, for a user. The same again changes nothing.

        Memories of that very user of this tenant keep their ids; of anybody else they become a copy, whose ids
        follow from the old ones, and name each other by these. What is there stays as it is; to a profile is added
        what callers have told. Those that cannot be are refused one by one, and the others go in. They are found by
        their words at once, by their meaning in some seconds.

        Args:
            user_id: Whose memories they become.
            records: Records as ExportMemories gave them, up to 1,000.
            dry_run: Only say what would become of each; nothing is changed.
            locale: Language of reasons: zh or en.
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

    async def preview_batch(
        self,
        *,
        user_id: str,
        op: Literal["forget", "archive", "restore"],
        memory_ids: Sequence[str] | None = ...,
        choice: Mapping[str, Any] | None = ...,
        include_core: bool | None = ...,
    ) -> batch_calls.PreviewBatchResponse:
        """See what would be done to many memories of a user at once, before StartBatch does it. Changes nothing.

        What it counts is fixed: memories that come later are no part of it. It can be begun for ten minutes.

        Args:
            user_id: Whose memories.
            op: forget: erase for good; archive: take out of the way, as ArchiveMemory does; restore: take back.
            memory_ids: These memories, 1 to 10,000; one that is named twice counts once.
            choice: Instead of ids: those that ListMemories would list, the first 10,000 by id.
            include_core: True: also what never fades (core, system). Of safety only `forget` takes anything, and only
                so.
        """

    async def start_batch(
        self,
        *,
        batch_token: str,
        user_id: str,
        confirm_count: int,
        why: str | None = ...,
    ) -> batch_calls.JobResponse:
        """Do what PreviewBatch has shown, in the background. The same token again begins nothing anew.

        Args:
            batch_token: As PreviewBatch gave it.
            user_id: Whose memories: as it was previewed, or nothing is done.
            confirm_count: The `count` that was previewed: with another number nothing is done.
            why: The reason, for whoever reads it later.
        """

    async def get_job(
        self,
        *,
        job_id: str,
    ) -> batch_calls.JobResponse:
        """How far a batch has come. What is known of it stays for a week.

        Args:
            job_id: As StartBatch gave it.
        """

    async def cancel_job(
        self,
        *,
        job_id: str,
    ) -> batch_calls.JobResponse:
        """Stop a batch: what is not done yet stays as it is; what is done stays done. One that has ended stays ended.

        Args:
            job_id: As StartBatch gave it.
        """

    async def list_jobs(
        self,
        *,
        user_id: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> batch_calls.ListJobsResponse:
        """List the tenant's batches of the last week, the newest first.

        Args:
            user_id: Only those of this user.
            cursor: Where the page before ended; empty: from the newest.
            limit: Batches of a page, 1 to 200.
        """

    async def create_memory(
        self,
        *,
        user_id: str,
        subject: str,
        memory_type: Literal["event", "fact", "relation", "opinion"],
        topic: str,
        object: str | None = ...,
        attributes: Mapping[str, Any] | None = ...,
        importance: float | None = ...,
        polarity: Literal["+", "-"] | None = ...,
        conversation_id: str | None = ...,
        seq: int | None = ...,
        quote: str | None = ...,
        occurred_at: str | None = ...,
    ) -> graph_calls.CreateMemoryResponse:
        """Create one memory of what a user tells: who, what kind, about what, what.

        It is found at once. Safety facts (allergies, diseases, operations) are told by UpsertFacts; this makes none.
        Split what is complex into several memories and join them by LinkMemories.

        Args:
            user_id: Whose memory.
            subject: Who or what it is of, 1 to 500 characters: `user` (or 我) for the user, else a name; no pronoun.
            memory_type: event (事件), fact (事实), relation (关系: between people) or opinion (观点).
            topic: What it is about: an action or a state, 1 to 64 characters.
            object: What or whom, 1 to 500 characters.
            attributes: What else is said of it, up to 16: time (时间), place (地点), or any; `more` may hold a list of
                {key, value}. Times are understood (昨天, 2025-11-04 evening).
            importance: 0 to 1: 0.3 everyday, 0.5 usual, 0.8 important, 1.0 key.
            polarity: `-`: it is not so. Default `+`.
            conversation_id: The conversation in which it was said.
            seq: Number of the message that says it; with conversation_id.
            quote: The words that say it; with `seq` they must stand in that message.
            occurred_at: When it was said, RFC 3339; default: now. Words like 昨天 are read from there.
        """

    async def link_memories(
        self,
        *,
        user_id: str,
        relation_type: Literal["based_on", "causes", "cites", "related"],
        source_memory_id: str | None = ...,
        source_memory_description: str | None = ...,
        target_memory_id: str | None = ...,
        target_memory_description: str | None = ...,
        importance: float | None = ...,
        quote: str | None = ...,
        occurred_at: str | None = ...,
    ) -> graph_calls.LinkMemoriesResponse:
        """Join two memories: a reason and what came of it, a statement and what rests on it, what belongs together.

        The source is the ground, the target what follows from it. Name each by its id, or describe it in words.

        Args:
            user_id: Whose memories.
            relation_type: causes (因为, 所以, 导致), cites (引用), based_on (基于) or related (相关).
            source_memory_id: The ground, by its id, which counts before a description.
            source_memory_description: The ground in words, up to 500 characters (我昨晚没睡好); `source` is the same.
            target_memory_id: What follows, by its id, which counts before a description.
            target_memory_description: What follows in words, up to 500 characters (我今天不开心); `target` is the same.
            importance: How firmly they belong together, 0 to 1.
            quote: The words that say so.
            occurred_at: When it was said, RFC 3339; default: now. 今天 in a description is that day.
        """

    async def unlink_memories(
        self,
        *,
        user_id: str,
        link_id: str,
    ) -> graph_calls.UnlinkMemoriesResponse:
        """Take a link off. What it joined stays.

        Args:
            user_id: Whose link.
            link_id: Which link, as LinkMemories or a path of a search names it.
        """

    async def update_memory(
        self,
        *,
        user_id: str,
        memory_id: str,
        importance: float | None = ...,
        attributes: Mapping[str, Any] | None = ...,
        valid_to: str | None = ...,
        object: str | None = ...,
        polarity: Literal["+", "-"] | None = ...,
        text: str | None = ...,
        why: str | None = ...,
        if_updated_at: str | None = ...,
    ) -> graph_calls.UpdateMemoryResponse:
        """Change how much a memory matters, what else is said of it, until when it holds, or put right what it says.

        A fact is put right by `object` and `polarity`: the right one is a new memory, which takes its place; forget
        that one, and the other holds again. A created memory is put right where it is, by `text`. Safety and names
        are put right by UpsertFacts, UpsertPreferences, ConfirmFacts and DecideReview.

        Args:
            user_id: Whose memory.
            memory_id: Which memory.
            importance: 0 to 1.
            attributes: To set, up to 16; one of null is taken off. Times are understood. Of a fact that is put right:
                those of the right one, which takes none over.
            valid_to: Until when it held, RFC 3339; not in the future.
            object: Of a fact: what or whom it is rightly, 1 to 500 characters. Not with `valid_to`.
            polarity: Of a fact: `-`: it is not so, `+`: it is. Not with `valid_to`.
            text: Of a created memory: its words, 1 to 2,000 characters; found by its meaning in some seconds.
            why: Why, up to 2,000 characters; kept in its history.
            if_updated_at: Change nothing (409) unless this is its `updated_at`, or its `recorded_at` while it has none.
        """

    async def get_graph(
        self,
        *,
        user_id: str,
        about: str | None = ...,
        depth: int | None = ...,
        as_of: str | None = ...,
        relations: Sequence[str] | None = ...,
        kinds: Sequence[Literal["fact", "created", "link"]] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
        include: Sequence[Literal["conflicts", "suggestions", "merged", "past", "evidence"]] | None = ...,
        format: Literal["json", "mermaid", "graphml", "dot"] | None = ...,
    ) -> graph_view_calls.GetGraphResponse:
        """Ask for what is known of a user as a graph: people and things, what holds between them, what led to what.

        Every edge names the memory that says it, every link itself. Large graphs come page by page.

        Args:
            user_id: Whose memories.
            about: Only what stands round this: a label, the id of a node, or of a memory.
            depth: How many steps round it, up to 3; with `about`.
            as_of: What was held to be true then. Default: now.
            relations: Only these: labels of edges, names of relations of links. Up to 32.
            kinds: Only what these say: fact (conversations and UpsertFacts), created (CreateMemory), link. Default:
                all.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Edges and links of a page, 1 to 2,000.
            include: conflicts: memories that cannot both be so; suggestions: labels that may be one thing; merged: by
                what labels are one; past: also what holds no longer, marked as not valid; evidence: of each edge all
                memories that say it (what was replaced counts among the 20,000 then).
            format: json: nodes, edges, links; mermaid, graphml, dot: a drawing in `text` too.
        """

    async def find_path(
        self,
        *,
        user_id: str,
        source: str,
        target: str,
        hops_max: int | None = ...,
        paths_max: int | None = ...,
        as_of: str | None = ...,
        relations: Sequence[str] | None = ...,
    ) -> graph_view_calls.FindPathResponse:
        """Ask how two things hang together: the shortest ways between them, each step with the words that say it.

        Args:
            user_id: Whose memories.
            source: Where to begin: a label, the id of a node or a memory; `from` is the same.
            target: Where to end: a label, the id of a node or a memory; `to` is the same.
            hops_max: Steps at most, up to 6.
            paths_max: Ways at most, up to 5.
            as_of: By what was held to be true then. Default: now.
            relations: Only by these: labels of edges, names of relations of links. Up to 32.
        """

    async def merge_nodes(
        self,
        *,
        user_id: str,
        a: str,
        b: str,
        reason: str | None = ...,
    ) -> graph_view_calls.MergeNodesResponse:
        """Say that two nodes are one thing, under two labels. Nothing is rewritten: SplitNodes undoes it.

        People are never merged so; numbers, opposites, denials, medicines and places that differ are refused.

        Args:
            user_id: Whose graph.
            a: A node by its label or id.
            b: The other one.
            reason: Why, for whoever reads it later.
        """

    async def split_nodes(
        self,
        *,
        user_id: str,
        a: str,
        b: str,
        reason: str | None = ...,
    ) -> graph_view_calls.SplitNodesResponse:
        """Say that two nodes are two things: what made them one is taken off, and does not come back by itself.

        Args:
            user_id: Whose graph.
            a: A label or the id of a node.
            b: The other one.
            reason: Why, for whoever reads it later.
        """

    async def resolve_memory_conflict(
        self,
        *,
        user_id: str,
        memory_ids: Sequence[str],
        keep: str,
    ) -> graph_view_calls.ResolveMemoryConflictResponse:
        """Say which of two memories that cannot both be so holds. The other one ends now; both are kept.

        Safety facts are decided by ConfirmFacts.

        Args:
            user_id: Whose memories.
            memory_ids: The two, as GetGraph names them with `include: [conflicts]`.
            keep: Which of them holds.
        """

    async def settle_memories(
        self,
        *,
        user_id: str,
        wait_ms: int | None = ...,
    ) -> graph_calls.SettleMemoriesResponse:
        """Complete what is staged of a user, and tidy the graph: labels written alike become one, others are suggested.

        The worker does both by itself, some seconds after a memory was created and every `graph.settle_interval_s`.

        Args:
            user_id: Whose memories.
            wait_ms: How long to wait for it, up to 60,000 ms; what is left then the worker does.
        """

    async def get_memory_tools(
        self,
        *,
        format: Literal["openai", "openai_strict", "mcp", "prompt"] | None = ...,
        locale: Literal["zh", "en"] | None = ...,
    ) -> graph_calls.GetMemoryToolsResponse:
        """Get the tools by which a model builds and searches memory, in the form that your model takes, or its prompt.

        Args:
            format: openai: functions; openai_strict: the same for strict mode; mcp: MCP tools; prompt: the system
                prompt that says when to use them.
            locale: The language of descriptions and prompt.
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
        format: Literal["json", "mermaid", "graphml", "dot"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> brain_calls.GetUserGraphResponse:
        """Ask for what is known of a user as a graph: people and things, and what holds between them, with provenance.

        Args:
            user_id: Whose memories.
            format: json: nodes and edges; mermaid, graphml, dot: a drawing in `text` too.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Edges of a page, 1 to 5,000.
        """

    async def get_settings(
        self,
        *,
        section: str | None = ...,
    ) -> operating_calls.GetSettingsResponse:
        """Every setting of this gateway: its value, its default, what set it, its unit and what it is for.

        Nothing secret: of keys and passwords only whether they are set. Also which versions of what run. Changes
        nothing.

        Args:
            section: Only the settings of this section of config.yaml.
        """

    async def run_doctor(
        self,
        *,
        models: bool | None = ...,
    ) -> operating_calls.RunDoctorResponse:
        """Look at what this gateway runs on, as `anamnesis doctor` does: what is wrong, and what to do about it.

        With a model it makes one real call of a few tokens, past the budget. One process looks, at its own
        connections, once at a time: who asks meanwhile is answered with the same. A part that does not answer is
        given up after 10 s.

        Args:
            models: False: leave out the mind and the embedder, and call no model.
        """

    def watch_conversation(
        self,
        *,
        conversation_id: str,
        user_id: str | None = ...,
        since: str | None = ...,
    ) -> AsyncGenerator[conversation_calls.ConversationChanged]:
        """Follow a conversation: an event at once, and one after each change of it. Changes nothing.

        Whichever process makes the change, it is told of within 1.5 s. An event says how the conversation stands and
        not what was said: GetTimeline has that. It takes no lease, renews no session and counts nothing as shown.

        Args:
            conversation_id: Which conversation.
            user_id: Follow what is this user's only.
            since: A revision that is known: no event tells of it. The header Last-Event-ID counts more.
        """

    def watch_job(
        self,
        *,
        job_id: str,
        since: str | None = ...,
    ) -> AsyncGenerator[batch_calls.JobAnswer]:
        """Follow a batch: an event at once, and one as it goes on, until it has ended. Changes nothing.

        Whichever process works on it, it is told of within 1.5 s.

        Args:
            job_id: As StartBatch gave it.
            since: A revision that is known: no event tells of it. The header Last-Event-ID counts more.
        """

    def watch_stats(
        self,
        *,
        days: int | None = ...,
        since: str | None = ...,
    ) -> AsyncGenerator[stats_calls.GetStatsResponse]:
        """Follow how much is remembered of all users: an event at once, and one each time it has been counted.

        Also when there are more or fewer users or open questions.

        As long as somebody does, it is counted anew as GetStats says. Changes nothing else.

        Args:
            days: As GetStats takes it.
            since: A revision that is known: no event tells of it. The header Last-Event-ID counts more.
        """

class Client:
    def __init__(self, url: str = ..., api_key: str | None = ..., timeout_s: float = ...) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
    def close(self) -> None: ...
    def call(self, operation: Operation, fields: Mapping[str, Any]) -> BaseModel: ...
    def watch(self, watch: Operation, fields: Mapping[str, Any]) -> Iterator[BaseModel]: ...
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
        include: Sequence[Literal["full_history", "session", "turns", "explain", "blocks", "time", "no_memories"]]
        | None = ...,
        full_history_cursor: str | None = ...,
        preview: bool | None = ...,
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
            include: More to answer: full_history, session, turns, explain, blocks; time: `context` tells the time by
                the user's clock; or less: no_memories.
            full_history_cursor: Where `full_history` goes on: the `full_history_cursor` of the answer before.
            preview: Only look: as the answer would be, but nobody is asked for a summary and nothing counts as shown.
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
        tool_results: Sequence[Mapping[str, Any]] | None = ...,
        used_memory_ids: Sequence[str] | None = ...,
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
            tool_results: What tools gave for this turn, up to 16: in short it stands in `context` until the next write
                of what was said, and nowhere else. It is not journaled and never remembered.
            used_memory_ids: The memories of the user that the answer rests on, 1 to 50: each grows stronger, as by
                MarkUsed, once the write is done.
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
        tool_results: Sequence[Mapping[str, Any]] | None = ...,
        used_memory_ids: Sequence[str] | None = ...,
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
            tool_results: What tools gave for this turn, up to 16: in short it stands in `context` until the next write
                of what was said, and nowhere else. It is not journaled and never remembered.
            used_memory_ids: The memories of the user that the answer rests on, 1 to 50: each grows stronger, as by
                MarkUsed, once the write is done.
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
            summary: What was said so far, up to 2,000 characters; default, and if it is empty: written by rules.
            recent_turns: Turns to keep in full beside it, up to 1,000; default: `session.recent_turns`.
            covers_seq: The last seq that the summary covers; default: all there is.
        """

    def list_users(
        self,
        *,
        prefix: str | None = ...,
        order: Literal["active", "name"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> user_calls.ListUsersResponse:
        """List the tenant's users, page by page: the last active first, or by their ids. Changes nothing.

        Active is in whose name something is written in a conversation, or of whom something is told (UpsertFacts,
        UpsertPreferences, CreateMemory); reading is not. By name nobody is left out who is there all the while,
        whatever is written meanwhile. By activity nobody comes twice, and only those who become active between two
        pages may be left out: they stand at the front, on a first page that is asked for anew.

        Args:
            prefix: Only those whose id begins like this.
            order: active: the last active first; name: by id.
            cursor: Where the page before ended, with the same order; empty: from the beginning.
            limit: Users of a page, 1 to 200; with `prefix` by activity it may have fewer.
        """

    def get_stats(
        self,
        *,
        user_id: str | None = ...,
        days: int | None = ...,
    ) -> stats_calls.GetStatsResponse:
        """How much is remembered, by state, kind, category and who found it, and on which days it was recorded.

        Of a user it is counted now: it costs what they have. Of all users, which needs the scope `admin`, the
        numbers of memories and sessions are those that a worker counted last; those who ask when they are older than
        a minute have them counted anew. Changes nothing else.

        Args:
            user_id: Whose; absent: of all users of the tenant.
            days: How many days, 1 to 90, up to the one on which it was counted.
        """

    def list_audit(
        self,
        *,
        user_id: str | None = ...,
        conversation_id: str | None = ...,
        operation: str | None = ...,
        key: str | None = ...,
        outcome: Literal["all", "refused"] | None = ...,
        since: str | None = ...,
        until: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> audit_calls.ListAuditResponse:
        """List who asked for what in this tenant, the newest first; never what was asked or answered.

        Of somebody who was forgotten the entries stay, and no longer say of whom they are: ask by `user_id` to find
        them. Changes nothing, but is an entry itself.

        Args:
            user_id: Only what was about this user, in conversations of theirs that are known too.
            conversation_id: Only what was about this conversation.
            operation: Only this operation, or SignIn at the console.
            key: Only what was asked with the API key of this name.
            outcome: refused: what was not answered with 200.
            since: Not what was written down before.
            until: Not what was written down then or later.
            cursor: Where the page before ended; empty: from the newest.
            limit: Entries of a page, 1 to 500; where few of very many match it may have fewer.
        """

    def list_keys(
        self,
        *,
        revoked: bool | None = ...,
    ) -> audit_calls.ListKeysResponse:
        """List the API keys of this tenant by name; nothing of the keys themselves.

        A new one is made by `anamnesis new-key` and put into `auth.keys`. Changes nothing.

        Args:
            revoked: Also those that were revoked, and are not let in any more.
        """

    def list_conversations(
        self,
        *,
        user_id: str,
        state: Literal["ACTIVE", "ENDING", "ENDED", "FAILED"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> conversation_calls.ListConversationsResponse:
        """List a user's conversations, living and ended, page by page in the order of their ids. Changes nothing.

        Args:
            user_id: Whose.
            state: Only those that stand so; a page may then have fewer than `limit`.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Conversations of a page, 1 to 200.
        """

    def get_timeline(
        self,
        *,
        conversation_id: str,
        user_id: str | None = ...,
        after_seq: int | None = ...,
        limit: int | None = ...,
    ) -> conversation_calls.GetTimelineResponse:
        """What was said and done in a conversation, over all its sessions, in order: a look that changes nothing.

        It takes no lease, renews no session and counts nothing as shown.

        Args:
            conversation_id: Which conversation.
            user_id: Look at what is this user's only.
            after_seq: Go on after this number; 0: from the beginning.
            limit: Entries of a page, about, 1 to 500.
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
            clear_pending_action: Take the pending action off: it was done, or refused. Not with `pending_action`.
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
        state: Literal["ENDING", "FAILED"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> responses.FinalizationList:
        """List the tenant's ended sessions that are on their way or have failed, oldest first, page by page.

        Args:
            state: Only those that stand so.
            cursor: Where the page before ended; empty: from the beginning.
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
            name: What the user is called, 1 to 128 characters; a memory too, which ends the name before it.
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
        kinds: Sequence[Literal["episode", "fact", "event", "profile", "created", "link"]] | None = ...,
        categories: Sequence[Literal["system", "core", "fact", "episode"]] | None = ...,
        types: Sequence[Literal["event", "fact", "relation", "opinion"]] | None = ...,
        conversation_id: str | None = ...,
        time_range: Mapping[str, Any] | None = ...,
        time_from: str | None = ...,
        time_to: str | None = ...,
        as_of: str | None = ...,
        radius: float | None = ...,
        group_by: Literal["conversation"] | None = ...,
        explain: bool | None = ...,
        search_mode: Literal["fast", "auto", "deep"] | None = ...,
        expand_depth: int | None = ...,
        relations: Sequence[Literal["based_on", "causes", "cites", "related"]] | None = ...,
        timezone: str | None = ...,
    ) -> memory_calls.SearchMemoriesResponse:
        """Search a user's long-term memories by words, by meaning, or both. The best come first, each with its source.

        Args:
            user_id: Whose memories.
            query: What to look for, up to 10,000 characters.
            mode: keyword: by words; vector: by meaning; hybrid: both.
            limit: Memories at most, 1 to 200; `max_results` is the same.
            kinds: Only these kinds: episode, fact, event, created, profile. Default: all but profiles.
            categories: Only these: system, core, fact, episode.
            types: Only these: event (事件), fact (事实), relation (关系), opinion (观点); also `memory_types`.
            conversation_id: Only what comes from this conversation.
            time_range: What happened between these, instead of `time_from` and `time_to`.
            time_from: What happened at this time or later.
            time_to: What happened before this time.
            as_of: What was held to be true then, superseded since or not.
            radius: The least cosine of a match by meaning.
            group_by: The best of each conversation only.
            explain: Show each part of the scores.
            search_mode: fast: what fits the query; deep: also what hangs together with that; auto: deep where it asks
                why, or what belongs together. Default: deep where `expand_depth` or `relations` is sent, else
                `graph.search_mode`.
            expand_depth: How many steps a deep search goes on, up to 3; default: 1.
            relations: Follow only these: causes (因为, 所以, 导致), cites (引用), based_on (基于), related (相关).
            timezone: IANA name of the user's time zone, e.g. Asia/Shanghai: for days that the query names; default: the
                user's, else `session.timezone`.
        """

    def get_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
    ) -> memory_calls.MemoryAnswer:
        """Read one memory by its id. With `user_id` nothing of another user is found, and it is found at once.

        Args:
            memory_id: Which memory, as a search or a list named it.
            user_id: Look among this user's memories only.
        """

    def list_memories(
        self,
        *,
        user_id: str,
        kinds: Sequence[Literal["episode", "fact", "event", "profile", "created", "link"]] | None = ...,
        categories: Sequence[Literal["system", "core", "fact", "episode"]] | None = ...,
        types: Sequence[Literal["event", "fact", "relation", "opinion"]] | None = ...,
        states: Sequence[Literal["held", "ended", "superseded", "archived"]] | None = ...,
        contains: str | None = ...,
        conversation_id: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> memory_calls.ListMemoriesResponse:
        """List a user's memories page by page, in the order of their ids; a page may have fewer than `limit`.

        Args:
            user_id: Whose memories.
            kinds: Only these kinds: episode, fact, event, created, profile, link. Default: all but links.
            categories: Only these: system, core, fact, episode.
            types: Only these: event, fact, relation, opinion.
            states: Only these: held; ended (denied or over); superseded (another took its place); archived. Default:
                held and ended.
            contains: Only what has these letters in its text or object, whatever their case.
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
        locale: Literal["zh", "en"] | None = ...,
    ) -> memory_calls.ExplainMemoryResponse:
        """Why a memory is what it is, or what became of one message of a conversation and why.

        With `user_id` nothing of another user is found.

        Args:
            user_id: Look among this user's memories only.
            memory_id: Explain this memory.
            conversation_id: Explain a message of this conversation; send `seq` too.
            seq: Number of the message in its conversation, from 1.
            locale: Language of `reasons`: zh or en.
        """

    def mark_used(
        self,
        *,
        user_id: str,
        memory_ids: Sequence[str],
        used: bool | None = ...,
        occurred_at: str | None = ...,
    ) -> curation_calls.MarkUsedResponse:
        """Say which memories an answer rested on: a bot knows it best. Each grows stronger, and fades later.

        What stood in a context is not strengthened by that. Where nobody says anything, a rule looks at the answers
        when a conversation ends; both together count once.

        Args:
            user_id: Whose memories.
            memory_ids: Which memories, by their ids, 1 to 50.
            used: False: the answer did not rest on them; nothing is added.
            occurred_at: When it was answered, RFC 3339, not in the future; default: now.
        """

    def curate_memories(
        self,
        *,
        user_id: str,
        conversation_id: str | None = ...,
        dry_run: bool | None = ...,
    ) -> curation_calls.CurateMemoriesResponse:
        """What a session says of memories from before it: which its answers rested on, and what somebody took back.

        The same happens by itself when a session becomes memory; so this is for looking at it, and for sessions that
        ended before a model was there to judge them. What is new in a session became memory with it.

        Args:
            user_id: Whose memories.
            conversation_id: The conversation, of which the last ended session is judged; default: the last one.
            dry_run: True: nothing is changed. False: what is decided is applied.
        """

    def archive_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
        why: str | None = ...,
    ) -> memory_calls.MemoryAnswer:
        """Take a memory out of the way: no search finds it, no profile says it. RestoreMemory takes it back.

        Where memories are forgotten it is erased after `decay.retention_s`; ForgetMemory erases at once. Safety
        facts are changed by UpsertFacts, ConfirmFacts and DecideReview.

        Args:
            memory_id: Which memory.
            user_id: Look among this user's memories only.
            why: The reason, for whoever reads it later.
        """

    def restore_memory(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
        why: str | None = ...,
    ) -> memory_calls.MemoryAnswer:
        """Take an archived memory back: it is found again, and begins to fade anew.

        Args:
            memory_id: Which memory.
            user_id: Look among this user's memories only.
            why: The reason, for whoever reads it later.
        """

    def get_decay(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
        days: int | None = ...,
        used_at: str | None = ...,
    ) -> curation_calls.GetDecayResponse:
        """How alive a memory is, was, and will be: the curve that it goes down, and when it is reviewed and leaves.

        Args:
            memory_id: Which memory.
            user_id: Look among this user's memories only.
            days: How many days from now on, up to 3,650.
            used_at: The same if an answer rested on it then, RFC 3339; nothing is changed.
        """

    def get_memory_history(
        self,
        *,
        memory_id: str,
        user_id: str | None = ...,
    ) -> curation_calls.GetMemoryHistoryResponse:
        """What was done to a memory: each change with before and after, by whom, when and why; the oldest first.

        Args:
            memory_id: Which memory.
            user_id: Look among this user's memories only.
        """

    def list_reviews(
        self,
        *,
        user_id: str | None = ...,
        cause: Literal["contradiction", "uncertain", "fading", "promote"] | None = ...,
        locale: Literal["zh", "en"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> curation_calls.ListReviewsResponse:
        """List what a person has to decide about memories, the longest open first: page by page, over all users.

        Of safety: what somebody took back, and what may be so. Where `curation.review` is human also what fades, and
        what was used so often that it may never fade; where it is model until a model has decided these. A question
        goes with its memory, and when it is answered elsewhere.

        Args:
            user_id: Only what is open of this user.
            cause: Only these: contradiction, uncertain, fading, promote. Default: all.
            locale: zh or en, for the sentences; default: the language of the memory's words.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Questions of a page, 1 to 200.
        """

    def decide_review(
        self,
        *,
        item_id: str,
        verdict: Literal["APPLY", "REJECT", "PROMOTE", "KEEP", "DELETE"],
        user_id: str | None = ...,
        why: str | None = ...,
    ) -> curation_calls.DecideReviewResponse:
        """Decide an open question about a memory. What is decided of safety holds at once, in every conversation.

        The same verdict again changes nothing; another one is refused with what was decided.

        Args:
            item_id: Which, as ListReviews names it.
            verdict: Of safety APPLY (it is as the memory in question says) or REJECT (it is not); else PROMOTE (it
                never fades), KEEP, or DELETE (archived: it leaves the usual searches, and is erased after
                `decay.retention_s` where memories are forgotten).
            user_id: Look among this user's memories only.
            why: The reason, for whoever reads it later.
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

    def export_memories(
        self,
        *,
        user_id: str | None = ...,
        states: Sequence[Literal["held", "ended", "superseded", "archived"]] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> transfer_calls.ExportMemoriesResponse:
        """Whole memories page by page, of one user or of all, for ImportMemories. Changes nothing.

        Ordered by user and id, so each comes once; what is written meanwhile may be left out. A page may have fewer
        than `limit`. Before the memories of a user stands what callers have told of them (`profile`), if they have.
        Dialogues are not among them.

        Args:
            user_id: Whose memories; left out: those of all users of the tenant.
            states: Only these: held; ended (denied or over); superseded (another took its place); archived. Default:
                all.
            cursor: Where the page before ended, with the same `user_id`; empty: from the beginning.
            limit: Memories of a page, 1 to 1,000.
        """

    def import_memories(
        self,
        *,
        user_id: str,
        records: Sequence[Mapping[str, Any]],
        dry_run: bool | None = ...,
        locale: Literal["zh", "en"] | None = ...,
    ) -> transfer_calls.ImportMemoriesResponse:
        """Store whole memories, as ExportMemories gave them, for a user. The same again changes nothing.

        Memories of that very user of this tenant keep their ids; of anybody else they become a copy, whose ids
        follow from the old ones, and name each other by these. What is there stays as it is; to a profile is added
        what callers have told. Those that cannot be are refused one by one, and the others go in. They are found by
        their words at once, by their meaning in some seconds.

        Args:
            user_id: Whose memories they become.
            records: Records as ExportMemories gave them, up to 1,000.
            dry_run: Only say what would become of each; nothing is changed.
            locale: Language of reasons: zh or en.
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

    def preview_batch(
        self,
        *,
        user_id: str,
        op: Literal["forget", "archive", "restore"],
        memory_ids: Sequence[str] | None = ...,
        choice: Mapping[str, Any] | None = ...,
        include_core: bool | None = ...,
    ) -> batch_calls.PreviewBatchResponse:
        """See what would be done to many memories of a user at once, before StartBatch does it. Changes nothing.

        What it counts is fixed: memories that come later are no part of it. It can be begun for ten minutes.

        Args:
            user_id: Whose memories.
            op: forget: erase for good; archive: take out of the way, as ArchiveMemory does; restore: take back.
            memory_ids: These memories, 1 to 10,000; one that is named twice counts once.
            choice: Instead of ids: those that ListMemories would list, the first 10,000 by id.
            include_core: True: also what never fades (core, system). Of safety only `forget` takes anything, and only
                so.
        """

    def start_batch(
        self,
        *,
        batch_token: str,
        user_id: str,
        confirm_count: int,
        why: str | None = ...,
    ) -> batch_calls.JobResponse:
        """Do what PreviewBatch has shown, in the background. The same token again begins nothing anew.

        Args:
            batch_token: As PreviewBatch gave it.
            user_id: Whose memories: as it was previewed, or nothing is done.
            confirm_count: The `count` that was previewed: with another number nothing is done.
            why: The reason, for whoever reads it later.
        """

    def get_job(
        self,
        *,
        job_id: str,
    ) -> batch_calls.JobResponse:
        """How far a batch has come. What is known of it stays for a week.

        Args:
            job_id: As StartBatch gave it.
        """

    def cancel_job(
        self,
        *,
        job_id: str,
    ) -> batch_calls.JobResponse:
        """Stop a batch: what is not done yet stays as it is; what is done stays done. One that has ended stays ended.

        Args:
            job_id: As StartBatch gave it.
        """

    def list_jobs(
        self,
        *,
        user_id: str | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> batch_calls.ListJobsResponse:
        """List the tenant's batches of the last week, the newest first.

        Args:
            user_id: Only those of this user.
            cursor: Where the page before ended; empty: from the newest.
            limit: Batches of a page, 1 to 200.
        """

    def create_memory(
        self,
        *,
        user_id: str,
        subject: str,
        memory_type: Literal["event", "fact", "relation", "opinion"],
        topic: str,
        object: str | None = ...,
        attributes: Mapping[str, Any] | None = ...,
        importance: float | None = ...,
        polarity: Literal["+", "-"] | None = ...,
        conversation_id: str | None = ...,
        seq: int | None = ...,
        quote: str | None = ...,
        occurred_at: str | None = ...,
    ) -> graph_calls.CreateMemoryResponse:
        """Create one memory of what a user tells: who, what kind, about what, what.

        It is found at once. Safety facts (allergies, diseases, operations) are told by UpsertFacts; this makes none.
        Split what is complex into several memories and join them by LinkMemories.

        Args:
            user_id: Whose memory.
            subject: Who or what it is of, 1 to 500 characters: `user` (or 我) for the user, else a name; no pronoun.
            memory_type: event (事件), fact (事实), relation (关系: between people) or opinion (观点).
            topic: What it is about: an action or a state, 1 to 64 characters.
            object: What or whom, 1 to 500 characters.
            attributes: What else is said of it, up to 16: time (时间), place (地点), or any; `more` may hold a list of
                {key, value}. Times are understood (昨天, 2025-11-04 evening).
            importance: 0 to 1: 0.3 everyday, 0.5 usual, 0.8 important, 1.0 key.
            polarity: `-`: it is not so. Default `+`.
            conversation_id: The conversation in which it was said.
            seq: Number of the message that says it; with conversation_id.
            quote: The words that say it; with `seq` they must stand in that message.
            occurred_at: When it was said, RFC 3339; default: now. Words like 昨天 are read from there.
        """

    def link_memories(
        self,
        *,
        user_id: str,
        relation_type: Literal["based_on", "causes", "cites", "related"],
        source_memory_id: str | None = ...,
        source_memory_description: str | None = ...,
        target_memory_id: str | None = ...,
        target_memory_description: str | None = ...,
        importance: float | None = ...,
        quote: str | None = ...,
        occurred_at: str | None = ...,
    ) -> graph_calls.LinkMemoriesResponse:
        """Join two memories: a reason and what came of it, a statement and what rests on it, what belongs together.

        The source is the ground, the target what follows from it. Name each by its id, or describe it in words.

        Args:
            user_id: Whose memories.
            relation_type: causes (因为, 所以, 导致), cites (引用), based_on (基于) or related (相关).
            source_memory_id: The ground, by its id, which counts before a description.
            source_memory_description: The ground in words, up to 500 characters (我昨晚没睡好); `source` is the same.
            target_memory_id: What follows, by its id, which counts before a description.
            target_memory_description: What follows in words, up to 500 characters (我今天不开心); `target` is the same.
            importance: How firmly they belong together, 0 to 1.
            quote: The words that say so.
            occurred_at: When it was said, RFC 3339; default: now. 今天 in a description is that day.
        """

    def unlink_memories(
        self,
        *,
        user_id: str,
        link_id: str,
    ) -> graph_calls.UnlinkMemoriesResponse:
        """Take a link off. What it joined stays.

        Args:
            user_id: Whose link.
            link_id: Which link, as LinkMemories or a path of a search names it.
        """

    def update_memory(
        self,
        *,
        user_id: str,
        memory_id: str,
        importance: float | None = ...,
        attributes: Mapping[str, Any] | None = ...,
        valid_to: str | None = ...,
        object: str | None = ...,
        polarity: Literal["+", "-"] | None = ...,
        text: str | None = ...,
        why: str | None = ...,
        if_updated_at: str | None = ...,
    ) -> graph_calls.UpdateMemoryResponse:
        """Change how much a memory matters, what else is said of it, until when it holds, or put right what it says.

        A fact is put right by `object` and `polarity`: the right one is a new memory, which takes its place; forget
        that one, and the other holds again. A created memory is put right where it is, by `text`. Safety and names
        are put right by UpsertFacts, UpsertPreferences, ConfirmFacts and DecideReview.

        Args:
            user_id: Whose memory.
            memory_id: Which memory.
            importance: 0 to 1.
            attributes: To set, up to 16; one of null is taken off. Times are understood. Of a fact that is put right:
                those of the right one, which takes none over.
            valid_to: Until when it held, RFC 3339; not in the future.
            object: Of a fact: what or whom it is rightly, 1 to 500 characters. Not with `valid_to`.
            polarity: Of a fact: `-`: it is not so, `+`: it is. Not with `valid_to`.
            text: Of a created memory: its words, 1 to 2,000 characters; found by its meaning in some seconds.
            why: Why, up to 2,000 characters; kept in its history.
            if_updated_at: Change nothing (409) unless this is its `updated_at`, or its `recorded_at` while it has none.
        """

    def get_graph(
        self,
        *,
        user_id: str,
        about: str | None = ...,
        depth: int | None = ...,
        as_of: str | None = ...,
        relations: Sequence[str] | None = ...,
        kinds: Sequence[Literal["fact", "created", "link"]] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
        include: Sequence[Literal["conflicts", "suggestions", "merged", "past", "evidence"]] | None = ...,
        format: Literal["json", "mermaid", "graphml", "dot"] | None = ...,
    ) -> graph_view_calls.GetGraphResponse:
        """Ask for what is known of a user as a graph: people and things, what holds between them, what led to what.

        Every edge names the memory that says it, every link itself. Large graphs come page by page.

        Args:
            user_id: Whose memories.
            about: Only what stands round this: a label, the id of a node, or of a memory.
            depth: How many steps round it, up to 3; with `about`.
            as_of: What was held to be true then. Default: now.
            relations: Only these: labels of edges, names of relations of links. Up to 32.
            kinds: Only what these say: fact (conversations and UpsertFacts), created (CreateMemory), link. Default:
                all.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Edges and links of a page, 1 to 2,000.
            include: conflicts: memories that cannot both be so; suggestions: labels that may be one thing; merged: by
                what labels are one; past: also what holds no longer, marked as not valid; evidence: of each edge all
                memories that say it (what was replaced counts among the 20,000 then).
            format: json: nodes, edges, links; mermaid, graphml, dot: a drawing in `text` too.
        """

    def find_path(
        self,
        *,
        user_id: str,
        source: str,
        target: str,
        hops_max: int | None = ...,
        paths_max: int | None = ...,
        as_of: str | None = ...,
        relations: Sequence[str] | None = ...,
    ) -> graph_view_calls.FindPathResponse:
        """Ask how two things hang together: the shortest ways between them, each step with the words that say it.

        Args:
            user_id: Whose memories.
            source: Where to begin: a label, the id of a node or a memory; `from` is the same.
            target: Where to end: a label, the id of a node or a memory; `to` is the same.
            hops_max: Steps at most, up to 6.
            paths_max: Ways at most, up to 5.
            as_of: By what was held to be true then. Default: now.
            relations: Only by these: labels of edges, names of relations of links. Up to 32.
        """

    def merge_nodes(
        self,
        *,
        user_id: str,
        a: str,
        b: str,
        reason: str | None = ...,
    ) -> graph_view_calls.MergeNodesResponse:
        """Say that two nodes are one thing, under two labels. Nothing is rewritten: SplitNodes undoes it.

        People are never merged so; numbers, opposites, denials, medicines and places that differ are refused.

        Args:
            user_id: Whose graph.
            a: A node by its label or id.
            b: The other one.
            reason: Why, for whoever reads it later.
        """

    def split_nodes(
        self,
        *,
        user_id: str,
        a: str,
        b: str,
        reason: str | None = ...,
    ) -> graph_view_calls.SplitNodesResponse:
        """Say that two nodes are two things: what made them one is taken off, and does not come back by itself.

        Args:
            user_id: Whose graph.
            a: A label or the id of a node.
            b: The other one.
            reason: Why, for whoever reads it later.
        """

    def resolve_memory_conflict(
        self,
        *,
        user_id: str,
        memory_ids: Sequence[str],
        keep: str,
    ) -> graph_view_calls.ResolveMemoryConflictResponse:
        """Say which of two memories that cannot both be so holds. The other one ends now; both are kept.

        Safety facts are decided by ConfirmFacts.

        Args:
            user_id: Whose memories.
            memory_ids: The two, as GetGraph names them with `include: [conflicts]`.
            keep: Which of them holds.
        """

    def settle_memories(
        self,
        *,
        user_id: str,
        wait_ms: int | None = ...,
    ) -> graph_calls.SettleMemoriesResponse:
        """Complete what is staged of a user, and tidy the graph: labels written alike become one, others are suggested.

        The worker does both by itself, some seconds after a memory was created and every `graph.settle_interval_s`.

        Args:
            user_id: Whose memories.
            wait_ms: How long to wait for it, up to 60,000 ms; what is left then the worker does.
        """

    def get_memory_tools(
        self,
        *,
        format: Literal["openai", "openai_strict", "mcp", "prompt"] | None = ...,
        locale: Literal["zh", "en"] | None = ...,
    ) -> graph_calls.GetMemoryToolsResponse:
        """Get the tools by which a model builds and searches memory, in the form that your model takes, or its prompt.

        Args:
            format: openai: functions; openai_strict: the same for strict mode; mcp: MCP tools; prompt: the system
                prompt that says when to use them.
            locale: The language of descriptions and prompt.
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
        format: Literal["json", "mermaid", "graphml", "dot"] | None = ...,
        cursor: str | None = ...,
        limit: int | None = ...,
    ) -> brain_calls.GetUserGraphResponse:
        """Ask for what is known of a user as a graph: people and things, and what holds between them, with provenance.

        Args:
            user_id: Whose memories.
            format: json: nodes and edges; mermaid, graphml, dot: a drawing in `text` too.
            cursor: Where the page before ended; empty: from the beginning.
            limit: Edges of a page, 1 to 5,000.
        """

    def get_settings(
        self,
        *,
        section: str | None = ...,
    ) -> operating_calls.GetSettingsResponse:
        """Every setting of this gateway: its value, its default, what set it, its unit and what it is for.

        Nothing secret: of keys and passwords only whether they are set. Also which versions of what run. Changes
        nothing.

        Args:
            section: Only the settings of this section of config.yaml.
        """

    def run_doctor(
        self,
        *,
        models: bool | None = ...,
    ) -> operating_calls.RunDoctorResponse:
        """Look at what this gateway runs on, as `anamnesis doctor` does: what is wrong, and what to do about it.

        With a model it makes one real call of a few tokens, past the budget. One process looks, at its own
        connections, once at a time: who asks meanwhile is answered with the same. A part that does not answer is
        given up after 10 s.

        Args:
            models: False: leave out the mind and the embedder, and call no model.
        """

    def watch_conversation(
        self,
        *,
        conversation_id: str,
        user_id: str | None = ...,
        since: str | None = ...,
    ) -> Iterator[conversation_calls.ConversationChanged]:
        """Follow a conversation: an event at once, and one after each change of it. Changes nothing.

        Whichever process makes the change, it is told of within 1.5 s. An event says how the conversation stands and
        not what was said: GetTimeline has that. It takes no lease, renews no session and counts nothing as shown.

        Args:
            conversation_id: Which conversation.
            user_id: Follow what is this user's only.
            since: A revision that is known: no event tells of it. The header Last-Event-ID counts more.
        """

    def watch_job(
        self,
        *,
        job_id: str,
        since: str | None = ...,
    ) -> Iterator[batch_calls.JobAnswer]:
        """Follow a batch: an event at once, and one as it goes on, until it has ended. Changes nothing.

        Whichever process works on it, it is told of within 1.5 s.

        Args:
            job_id: As StartBatch gave it.
            since: A revision that is known: no event tells of it. The header Last-Event-ID counts more.
        """

    def watch_stats(
        self,
        *,
        days: int | None = ...,
        since: str | None = ...,
    ) -> Iterator[stats_calls.GetStatsResponse]:
        """Follow how much is remembered of all users: an event at once, and one each time it has been counted.

        Also when there are more or fewer users or open questions.

        As long as somebody does, it is counted anew as GetStats says. Changes nothing else.

        Args:
            days: As GetStats takes it.
            since: A revision that is known: no event tells of it. The header Last-Event-ID counts more.
        """
