"""What the gateway's faces call: one method an operation."""

from collections.abc import Awaitable
from functools import partial

from memory.consolidation.judging import UNJUDGED, Judging
from memory.consolidation.remember import Rememberer
from memory.consolidation.reviews import USUAL_REVIEWS, ReviewSettings
from memory.consolidation.upkeep.count import MemoryCounter
from memory.consolidation.upkeep.settle import settler_of
from memory.consolidation.upkeep.users import UserLister
from memory.model import brain_calls as own
from memory.model import conversation_calls as talk
from memory.model import curation_calls as care
from memory.model import erasure_calls as gone
from memory.model import graph_calls as made
from memory.model import graph_view_calls as view
from memory.model import memory_calls as mem
from memory.model import memunit_calls as unit
from memory.model import requests as ask
from memory.model import responses as told
from memory.model.caller import Caller
from memory.service.about_user import AboutUser
from memory.service.administration import Administration
from memory.service.audit import AuditReader
from memory.service.batch_runs import BatchRunner, Doers
from memory.service.batches import BatchOperations
from memory.service.brain import Brain, BrainParts, BrainSettings
from memory.service.checkpoints import Checkpointer
from memory.service.confirmation import FactConfirmation
from memory.service.conversations import Conversations
from memory.service.core import CoreReader
from memory.service.curation import Curation
from memory.service.erasures import Erasures
from memory.service.fading import Fading
from memory.service.finalizations import Finalizations
from memory.service.forgetting import Elsewhere, Forgetting
from memory.service.graph import GraphOperations, GraphParts
from memory.service.graph_nodes import NodeOperations
from memory.service.graph_view import GraphReader
from memory.service.linked import DeepSearch
from memory.service.memories import MemoryOperations, Remembered
from memory.service.memory_tools import memory_tools
from memory.service.memory_updates import MemoryUpdates
from memory.service.memunits import MemUnitOperations
from memory.service.opening import Opener
from memory.service.profiles import ProfileKeeper, ProfileOperations
from memory.service.query import ContextReader
from memory.service.recall import Recaller, RecallSettings
from memory.service.reviewing import ReviewRunner, reviewing_of
from memory.service.reviews import By, Reviews
from memory.service.safety import SafetyReader
from memory.service.search import MemorySearch, SearchSettings
from memory.service.sessions import SessionInspector, SessionStarter
from memory.service.settings import Ports, SessionSettings
from memory.service.settling import SettlingOperations
from memory.service.stats import Stats
from memory.service.transfer import Transfer
from memory.service.unfinished import TailReader
from memory.service.used import Marking, ToldWithWrites
from memory.service.users import Users
from memory.service.watching import UNWATCHED, Watching
from memory.service.write import Hooks, Writer
from memory.session.context import MemoryContext

__all__ = [
    "BatchRunner",
    "BrainSettings",
    "Caller",
    "MemoryService",
    "Ports",
    "RecallSettings",
    "ReviewRunner",
    "SessionSettings",
    "Watching",
]


class MemoryService(Administration):
    """The product without its faces. Every method takes who asks and one validated request, and is awaited."""

    def __init__(
        self,
        ports: Ports,
        *,
        settings: SessionSettings,
        recall: RecallSettings,
        brain: BrainSettings | None = None,
        reviews: ReviewSettings = USUAL_REVIEWS,
        judging: Judging = UNJUDGED,
        watching: Watching = UNWATCHED,
    ) -> None:
        sessions, store, memories, jobs = ports.sessions, ports.store, ports.memories, ports.jobs
        tokens, clock, background, minds, decay = ports.tokens, ports.clock, ports.background, ports.minds, recall.decay
        self._audit, lister = AuditReader(ports), UserLister(ports.users, sessions, store, memories)
        self._users = Users(ports.users, lister, background, settings.active_exact_ms)
        after_write = (self._users.after_write, *watching.after_write)
        opener = Opener(sessions, store, tokens, settings)
        rememberer = Rememberer(memories, minds)
        safety = SafetyReader(sessions, rememberer, tokens, clock, minds.replacer, settings.copies)
        keeper = ProfileKeeper(sessions, store, _core(ports, recall), rememberer, safety, settings)
        tail = TailReader(sessions, rememberer, minds.embedder, background)
        deep = DeepSearch(memories, _search(ports, recall, tail), recall.asked_mode, watching.walking)
        remembered = Remembered(memories, store, tail, sessions)
        recaller = Recaller(remembered, deep, tokens, clock, background, recall)
        self._inspector = SessionInspector(sessions, opener, keeper, safety, clock)
        self._checkpoints = Checkpointer(sessions, tokens, settings, background)
        self._endings = Finalizations(sessions, store, jobs, ports.announcements, settings)
        hooks = Hooks((self._checkpoints.after_write, *after_write), self._endings.queue)
        self._writer = Writer(sessions, tokens, opener, safety, settings, hooks)
        self._starter = SessionStarter(sessions, opener, self._writer, clock, settings)
        user = AboutUser.of(ports, keeper, recaller, safety)
        self._reader = ContextReader(sessions, tokens, opener, user, self._inspector, settings)
        parts = BrainParts(
            sessions, memories, self._writer, self._endings, keeper, recaller, clock, settings, minds.rules, after_write
        )
        self._brain = Brain(parts, brain or BrainSettings())
        self._profiles = ProfileOperations(keeper, safety, sessions, store, rememberer, clock)
        self._confirmation = FactConfirmation(keeper, safety, store, memories, rememberer, clock)
        self._memories = MemoryOperations(remembered, deep, rememberer, clock, decay)
        self._graph = GraphOperations(GraphParts(remembered, deep.plain, rememberer, minds, jobs, clock, decay))
        self._updates = MemoryUpdates(remembered, rememberer, minds, jobs, clock, decay)
        self._reviews = Reviews(remembered, rememberer, self._confirmation, clock, By(decay, reviews, minds.replacer))
        self.reviewing = reviewing_of(ports, self._reviews, deep.plain)
        self._told = ToldWithWrites(Marking(remembered, rememberer, clock, recall.boost), sessions, background, clock)
        self._curation = Curation(remembered, rememberer, sessions, judging)
        self._graph_reader = GraphReader(memories, settings.locale, clock)
        settler = settler_of(memories, store, rememberer, minds, clock)
        self._settling = SettlingOperations(settler, jobs, watching.after_settling)
        self._nodes = NodeOperations(remembered, self._graph_reader, rememberer, minds, clock, decay)
        self._transfer = Transfer(ports, lister, rememberer)
        self._conversations = Conversations(sessions, store, clock)
        self.counting = MemoryCounter(ports.counts, memories, lister, clock, minds.zone)
        self._stats = Stats(ports, self.counting, self._conversations)
        self._fading = Fading(remembered, rememberer, clock, decay, reviews, minds.replacer)
        self._memunits = MemUnitOperations(store, memories, decay)
        erasing = self._erasures = Erasures(ports.erasures, memories)
        self._forgetting = Forgetting(sessions, remembered, rememberer, Elsewhere(jobs, lister, ports.batches), erasing)
        self._batches = BatchOperations(ports.batches, remembered, minds.replacer, clock, decay)
        doers = Doers(self._fading, self._forgetting, erasing)
        self.batches = BatchRunner(ports.batches, remembered, rememberer, doers, clock)

    def create_short_memory(
        self, caller: Caller, request: ask.CreateShortMemoryRequest
    ) -> Awaitable[told.CreateShortMemoryResponse]:
        """Start a session, or say that it is there."""
        return self._starter.create(caller, request)

    def query_memory_context(self, caller: Caller, request: ask.QueryMemoryContextRequest) -> Awaitable[MemoryContext]:
        """What a bot should send to its model now."""
        return self._reader.query(caller, request)

    def write_turn(self, caller: Caller, request: ask.WriteTurnRequest) -> Awaitable[told.WriteResponse]:
        """Record one turn."""
        return self._told.after(caller, request, self._writer.write_turn(caller, request))

    def write_messages(self, caller: Caller, request: ask.WriteMessagesRequest) -> Awaitable[told.WriteResponse]:
        """Record messages, all or none."""
        return self._told.after(caller, request, self._writer.write_messages(caller, request))

    def checkpoint_short_memory(
        self, caller: Caller, request: ask.CheckpointShortMemoryRequest
    ) -> Awaitable[told.CheckpointShortMemoryResponse]:
        """Cover the journal with a cumulative summary."""
        return self._checkpoints.checkpoint(caller, request)

    def finalize_session_memory(
        self, caller: Caller, request: ask.FinalizeSessionMemoryRequest
    ) -> Awaitable[told.FinalizationResponse]:
        """End the session now."""
        return self._endings.finalize(caller, request)

    def get_finalization(
        self, caller: Caller, request: ask.GetFinalizationRequest
    ) -> Awaitable[told.FinalizationResponse]:
        """Where the last ended session stands."""
        return self._endings.get(caller, request.conversation_id)

    def get_session(self, caller: Caller, request: ask.GetSessionRequest) -> Awaitable[told.GetSessionResponse]:
        """The working state."""
        return self._inspector.get(caller, request)

    def update_global_state(
        self, caller: Caller, request: ask.UpdateGlobalStateRequest
    ) -> Awaitable[told.UpdateGlobalStateResponse]:
        """Change the working state."""
        return self._writer.update_state(caller, request)

    def upsert_facts(self, caller: Caller, request: ask.UpsertFactsRequest) -> Awaitable[told.ProfileResponse]:
        """Add safety facts to a profile, or take wrong ones off."""
        return self._users.told(caller, request.user_id, partial(self._profiles.upsert_facts, caller, request))

    def confirm_facts(self, caller: Caller, request: ask.ConfirmFactsRequest) -> Awaitable[told.ProfileResponse]:
        """A person's word on safety facts."""
        return self._confirmation.confirm(caller, request)

    def upsert_preferences(
        self, caller: Caller, request: ask.UpsertPreferencesRequest
    ) -> Awaitable[told.ProfileResponse]:
        """Set preferences and name."""
        return self._users.told(caller, request.user_id, partial(self._profiles.upsert_preferences, caller, request))

    def get_profile(self, caller: Caller, request: ask.GetProfileRequest) -> Awaitable[told.ProfileResponse]:
        """A user's profile."""
        return self._profiles.get(caller, request.user_id)

    def search_memories(
        self, caller: Caller, request: mem.SearchMemoriesRequest
    ) -> Awaitable[mem.SearchMemoriesResponse]:
        """The memories that fit a query, best first."""
        return self._memories.search(caller, request)

    def get_memory(self, caller: Caller, request: mem.GetMemoryRequest) -> Awaitable[mem.MemoryAnswer]:
        """One memory."""
        return self._memories.get(caller, request)

    def list_memories(self, caller: Caller, request: mem.ListMemoriesRequest) -> Awaitable[mem.ListMemoriesResponse]:
        """A user's memories, page by page."""
        return self._memories.list(caller, request)

    def create_memory(self, caller: Caller, request: made.CreateMemoryRequest) -> Awaitable[made.CreateMemoryResponse]:
        """Make one memory."""
        return self._users.told(caller, request.user_id, partial(self._graph.create, caller, request))

    def link_memories(self, caller: Caller, request: made.LinkMemoriesRequest) -> Awaitable[made.LinkMemoriesResponse]:
        """Join two memories."""
        return self._graph.link(caller, request)

    def unlink_memories(
        self, caller: Caller, request: made.UnlinkMemoriesRequest
    ) -> Awaitable[made.UnlinkMemoriesResponse]:
        """Take a link off."""
        return self._graph.unlink(caller, request)

    def mark_used(self, caller: Caller, request: care.MarkUsedRequest) -> Awaitable[care.MarkUsedResponse]:
        """Strengthen what an answer rested on."""
        return self._told.marking.mark(caller, request)

    def curate_memories(
        self, caller: Caller, request: care.CurateMemoriesRequest
    ) -> Awaitable[care.CurateMemoriesResponse]:
        """What a session says of memories from before it."""
        return self._curation.curate(caller, request)

    def archive_memory(self, caller: Caller, request: care.ArchiveMemoryRequest) -> Awaitable[mem.MemoryAnswer]:
        """Take a memory out of the way."""
        return self._fading.archive(caller, request)

    def restore_memory(self, caller: Caller, request: care.RestoreMemoryRequest) -> Awaitable[mem.MemoryAnswer]:
        """Take an archived memory back."""
        return self._fading.restore(caller, request)

    def get_decay(self, caller: Caller, request: care.GetDecayRequest) -> Awaitable[care.GetDecayResponse]:
        """The curve that a memory goes down."""
        return self._fading.decay(caller, request)

    def get_memory_history(
        self, caller: Caller, request: care.GetMemoryHistoryRequest
    ) -> Awaitable[care.GetMemoryHistoryResponse]:
        """What was done to a memory."""
        return self._memories.history(caller, request)

    def update_memory(self, caller: Caller, request: made.UpdateMemoryRequest) -> Awaitable[made.UpdateMemoryResponse]:
        """Change what is said about a memory."""
        return self._updates.update(caller, request)

    def get_graph(self, caller: Caller, request: view.GetGraphRequest) -> Awaitable[view.GetGraphResponse]:
        """What is known of a user as a graph, page by page."""
        return self._graph_reader.get(caller, request)

    def find_path(self, caller: Caller, request: view.FindPathRequest) -> Awaitable[view.FindPathResponse]:
        """How two things hang together."""
        return self._graph_reader.path(caller, request)

    def merge_nodes(self, caller: Caller, request: view.MergeNodesRequest) -> Awaitable[view.MergeNodesResponse]:
        """Say that two nodes are one thing."""
        return self._nodes.merge(caller, request)

    def split_nodes(self, caller: Caller, request: view.SplitNodesRequest) -> Awaitable[view.SplitNodesResponse]:
        """Say that two nodes are two things."""
        return self._nodes.split(caller, request)

    def resolve_memory_conflict(
        self, caller: Caller, request: view.ResolveMemoryConflictRequest
    ) -> Awaitable[view.ResolveMemoryConflictResponse]:
        """Say which of two memories holds."""
        return self._nodes.resolve(caller, request)

    def settle_memories(
        self, caller: Caller, request: made.SettleMemoriesRequest
    ) -> Awaitable[made.SettleMemoriesResponse]:
        """Complete what is staged of a user, and tidy the graph."""
        return self._settling.settle(caller, request)

    async def get_memory_tools(
        self, _caller: Caller, request: made.GetMemoryToolsRequest
    ) -> made.GetMemoryToolsResponse:
        """The tools by which a model builds memory."""
        return memory_tools(request)

    def list_conversations(
        self, caller: Caller, request: talk.ListConversationsRequest
    ) -> Awaitable[talk.ListConversationsResponse]:
        """A user's conversations, page by page."""
        return self._conversations.page(caller, request)

    def get_timeline(self, caller: Caller, request: talk.GetTimelineRequest) -> Awaitable[talk.GetTimelineResponse]:
        """What was said and done in a conversation."""
        return self._conversations.timeline(caller, request)

    def watch_conversation(
        self, caller: Caller, request: talk.WatchConversationRequest
    ) -> Awaitable[talk.ConversationChanged | None]:
        """How a conversation stands, unless that is known."""
        return self._conversations.changed(caller, request)

    def get_mem_unit(self, caller: Caller, request: unit.GetMemUnitRequest) -> Awaitable[unit.MemUnitAnswer]:
        """One MemUnit with all that was made of it."""
        return self._memunits.get(caller, request)

    def list_mem_units(self, caller: Caller, request: unit.ListMemUnitsRequest) -> Awaitable[unit.ListMemUnitsResponse]:
        """A user's MemUnits, page by page."""
        return self._memunits.page(caller, request)

    def forget_memory(self, caller: Caller, request: gone.ForgetMemoryRequest) -> Awaitable[gone.ForgetMemoryResponse]:
        """Erase for good."""
        return self._forgetting.forget(caller, request)

    def get_erasure(self, caller: Caller, request: gone.GetErasureRequest) -> Awaitable[gone.ErasureResponse]:
        """Where an erasure stands."""
        return self._erasures.get(caller, request)

    def explain_memory(self, caller: Caller, request: mem.ExplainMemoryRequest) -> Awaitable[mem.ExplainMemoryResponse]:
        """Why a memory is there, or what became of a message."""
        return self._memories.explain(caller, request)

    def process_memory(self, caller: Caller, request: own.ProcessMemoryRequest) -> Awaitable[own.ProcessMemoryResponse]:
        """What is known of what the user says; it is kept."""
        return self._brain.process(caller, request)

    def end_session(self, caller: Caller, request: own.EndSessionRequest) -> Awaitable[own.EndSessionResponse]:
        """End the user's session with the brain."""
        return self._brain.end(caller, request)

    def get_session_status(
        self, caller: Caller, request: own.GetSessionStatusRequest
    ) -> Awaitable[own.GetSessionStatusResponse]:
        """The user's session with the brain."""
        return self._brain.status(caller, request)

    def debug_process_memory(
        self, caller: Caller, request: own.DebugProcessMemoryRequest
    ) -> Awaitable[own.DebugProcessMemoryResponse]:
        """What `process_memory` would do."""
        return self._brain.debug(caller, request)

    def get_user_graph(self, caller: Caller, request: own.GetUserGraphRequest) -> Awaitable[own.GetUserGraphResponse]:
        """What is known of a user as a graph."""
        return self._graph_reader.of_user(caller, request)


def _core(ports: Ports, recall: RecallSettings) -> CoreReader:
    return CoreReader(ports.memories, ports.tokens, ports.minds.zone, recall.core_budget_tokens)


def _search(ports: Ports, recall: RecallSettings, tail: TailReader) -> MemorySearch:
    settings = SearchSettings(recall.decay, recall.time_weight, ports.minds.replacer, ports.minds.zone)
    return MemorySearch(ports.memories, ports.minds.embedder, ports.clock, settings, tail)
