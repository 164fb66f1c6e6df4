"""What the gateway's faces call: one method an operation."""

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
from memory.service.write import Writer
from memory.session.context import MemoryContext

__all__ = ["Caller", "MemoryService", "SessionSettings"]


class MemoryService:
    """The product without its faces. Every method takes who asks and one validated request."""

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
    ) -> None:
        opener = Opener(sessions, store, tokens, settings)
        keeper = ProfileKeeper(sessions, store, tokens, settings)
        inspector = SessionInspector(sessions, store, opener, clock)
        self._checkpoints = Checkpointer(sessions, tokens, settings, background)
        self._writer = Writer(sessions, tokens, opener, settings, self._checkpoints.after_write)
        self._starter = SessionStarter(sessions, opener, self._writer, clock, settings)
        self._inspector = inspector
        self._reader = ContextReader(sessions, tokens, opener, keeper, inspector, settings)
        self._endings = Endings(sessions, store, jobs, settings)
        self._profiles = ProfileOperations(keeper, sessions, store)

    async def create_short_memory(self, caller: Caller, request: CreateShortMemoryRequest) -> CreateShortMemoryResponse:
        """Start a session, or say that it is there."""
        return await self._starter.create(caller, request)

    async def query_memory_context(self, caller: Caller, request: QueryMemoryContextRequest) -> MemoryContext:
        """What a bot should send to its model now."""
        return await self._reader.query(caller, request)

    async def write_turn(self, caller: Caller, request: WriteTurnRequest) -> WriteResponse:
        """Record one turn."""
        return await self._writer.write_turn(caller, request)

    async def write_messages(self, caller: Caller, request: WriteMessagesRequest) -> WriteResponse:
        """Record messages, all or none."""
        return await self._writer.write_messages(caller, request)

    async def checkpoint_short_memory(
        self, caller: Caller, request: CheckpointShortMemoryRequest
    ) -> CheckpointShortMemoryResponse:
        """Cover the journal with a cumulative summary."""
        return await self._checkpoints.checkpoint(caller, request)

    async def finalize_session_memory(
        self, caller: Caller, request: FinalizeSessionMemoryRequest
    ) -> FinalizationResponse:
        """End the session now."""
        return await self._endings.finalize(caller, request)

    async def get_finalization(self, caller: Caller, request: GetFinalizationRequest) -> FinalizationResponse:
        """Where the last ended session stands."""
        return await self._endings.get(caller, request.conversation_id)

    async def get_session(self, caller: Caller, request: GetSessionRequest) -> GetSessionResponse:
        """The working state."""
        return await self._inspector.get(caller, request)

    async def update_global_state(self, caller: Caller, request: UpdateGlobalStateRequest) -> UpdateGlobalStateResponse:
        """Change the working state."""
        return await self._writer.update_state(caller, request)

    async def upsert_facts(self, caller: Caller, request: UpsertFactsRequest) -> ProfileResponse:
        """Add safety facts to a profile, or take wrong ones off."""
        return await self._profiles.upsert_facts(caller, request)

    async def upsert_preferences(self, caller: Caller, request: UpsertPreferencesRequest) -> ProfileResponse:
        """Set preferences and name."""
        return await self._profiles.upsert_preferences(caller, request)

    async def get_profile(self, caller: Caller, request: GetProfileRequest) -> ProfileResponse:
        """A user's profile."""
        return await self._profiles.get(caller, request.user_id)

    async def list_finalizations(self, caller: Caller, request: ListFinalizationsRequest) -> FinalizationList:
        """Ended sessions that are not in memory yet."""
        return await self._endings.list_unfinished(caller, request)

    async def replay_finalization(
        self, caller: Caller, request: ReplayFinalizationRequest
    ) -> ReplayFinalizationResponse:
        """Try failed sessions again."""
        return await self._endings.replay(caller, request)
