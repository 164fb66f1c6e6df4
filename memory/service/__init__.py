"""What the gateway's faces call: one method an operation."""

from collections.abc import Awaitable, Sequence

from memory.model.requests import (
    CheckpointShortMemoryRequest,
    CreateShortMemoryRequest,
    FinalizeSessionMemoryRequest,
    GetFinalizationRequest,
    GetProfileRequest,
    GetSessionRequest,
    ListFinalizationsRequest,
    QueryMemoryContextRequest,
    ReplayFinalizationRequest,
    UpdateGlobalStateRequest,
    UpsertFactsRequest,
    UpsertPreferencesRequest,
    WriteMessagesRequest,
    WriteTurnRequest,
)
from memory.model.responses import (
    CheckpointShortMemoryResponse,
    CreateShortMemoryResponse,
    FinalizationList,
    FinalizationResponse,
    GetSessionResponse,
    ProfileResponse,
    ReplayFinalizationResponse,
    UpdateGlobalStateResponse,
    WriteResponse,
)
from memory.ports import Background, Clock, JobQueue, LongTermStore, SessionStore, TokenCounter
from memory.service.checkpoints import Checkpointer
from memory.service.endings import Endings
from memory.service.opening import Opener
from memory.service.profiles import ProfileKeeper, ProfileOperations
from memory.service.query import ContextReader
from memory.service.sessions import SessionInspector, SessionStarter
from memory.service.settings import Caller, SessionSettings
from memory.service.write import AfterWrite, Writer
from memory.session.context import MemoryContext

__all__ = ["Caller", "MemoryService", "SessionSettings"]


class MemoryService:
    """The product without its faces. Every method takes who asks and one validated request, and is awaited."""

    def __init__(
        self,
        *,
        sessions: SessionStore,
        store: LongTermStore,
        tokens: TokenCounter,
        jobs: JobQueue,
        clock: Clock,
        background: Background,
        settings: SessionSettings,
        after_write: Sequence[AfterWrite] = (),
    ) -> None:
        opener = Opener(sessions, store, tokens, settings)
        keeper = ProfileKeeper(sessions, store, tokens, settings)
        inspector = SessionInspector(sessions, store, opener, clock)
        self._checkpoints = Checkpointer(sessions, tokens, settings, background)
        self._writer = Writer(sessions, tokens, opener, settings, (self._checkpoints.after_write, *after_write))
        self._starter = SessionStarter(sessions, opener, self._writer, clock, settings)
        self._inspector = inspector
        self._reader = ContextReader(sessions, tokens, opener, keeper, inspector, settings)
        self._endings = Endings(sessions, store, jobs, settings)
        self._profiles = ProfileOperations(keeper, sessions, store)

    def create_short_memory(
        self, caller: Caller, request: CreateShortMemoryRequest
    ) -> Awaitable[CreateShortMemoryResponse]:
        """Start a session, or say that it is there."""
        return self._starter.create(caller, request)

    def query_memory_context(self, caller: Caller, request: QueryMemoryContextRequest) -> Awaitable[MemoryContext]:
        """What a bot should send to its model now."""
        return self._reader.query(caller, request)

    def write_turn(self, caller: Caller, request: WriteTurnRequest) -> Awaitable[WriteResponse]:
        """Record one turn."""
        return self._writer.write_turn(caller, request)

    def write_messages(self, caller: Caller, request: WriteMessagesRequest) -> Awaitable[WriteResponse]:
        """Record messages, all or none."""
        return self._writer.write_messages(caller, request)

    def checkpoint_short_memory(
        self, caller: Caller, request: CheckpointShortMemoryRequest
    ) -> Awaitable[CheckpointShortMemoryResponse]:
        """Cover the journal with a cumulative summary."""
        return self._checkpoints.checkpoint(caller, request)

    def finalize_session_memory(
        self, caller: Caller, request: FinalizeSessionMemoryRequest
    ) -> Awaitable[FinalizationResponse]:
        """End the session now."""
        return self._endings.finalize(caller, request)

    def get_finalization(self, caller: Caller, request: GetFinalizationRequest) -> Awaitable[FinalizationResponse]:
        """Where the last ended session stands."""
        return self._endings.get(caller, request.conversation_id)

    def get_session(self, caller: Caller, request: GetSessionRequest) -> Awaitable[GetSessionResponse]:
        """The working state."""
        return self._inspector.get(caller, request)

    def update_global_state(
        self, caller: Caller, request: UpdateGlobalStateRequest
    ) -> Awaitable[UpdateGlobalStateResponse]:
        """Change the working state."""
        return self._writer.update_state(caller, request)

    def upsert_facts(self, caller: Caller, request: UpsertFactsRequest) -> Awaitable[ProfileResponse]:
        """Add safety facts to a profile, or take wrong ones off."""
        return self._profiles.upsert_facts(caller, request)

    def upsert_preferences(self, caller: Caller, request: UpsertPreferencesRequest) -> Awaitable[ProfileResponse]:
        """Set preferences and name."""
        return self._profiles.upsert_preferences(caller, request)

    def get_profile(self, caller: Caller, request: GetProfileRequest) -> Awaitable[ProfileResponse]:
        """A user's profile."""
        return self._profiles.get(caller, request.user_id)

    def list_finalizations(self, caller: Caller, request: ListFinalizationsRequest) -> Awaitable[FinalizationList]:
        """Ended sessions that are not in memory yet."""
        return self._endings.list_unfinished(caller, request)

    def replay_finalization(
        self, caller: Caller, request: ReplayFinalizationRequest
    ) -> Awaitable[ReplayFinalizationResponse]:
        """Try failed sessions again."""
        return self._endings.replay(caller, request)
