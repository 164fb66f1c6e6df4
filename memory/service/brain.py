"""The plug-in brain: a caller sends what the user said and gets back what the long-term memory knows of it.

Sessions make and end themselves. They are those of one conversation for each user (`memory.model.brain`), on the same
journal, sweeper and finalisation as every other: so there is one at a time, on any number of gateways.
"""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from memory.errors import Overloaded, SessionIsFull, TemporaryError
from memory.graph.triples import Relation, relations
from memory.language.choice import spoken
from memory.language.coreference.resolving import Resolution, Utterance, resolve
from memory.model.brain import BRAIN_AGENT, brain_conversation
from memory.model.brain_calls import (
    DebugProcessMemoryRequest,
    DebugProcessMemoryResponse,
    DebugStep,
    EndSessionRequest,
    EndSessionResponse,
    FoundMemory,
    FoundRelation,
    GetSessionStatusRequest,
    GetSessionStatusResponse,
    ProcessMemoryRequest,
    ProcessMemoryResponse,
    ProcessMetadata,
    SessionEnded,
    SessionLiving,
)
from memory.model.caller import Caller
from memory.model.extraction import Dialogue, Said
from memory.model.lifecycle import SessionState
from memory.model.memory import Kind, Memory
from memory.model.search import Filter
from memory.model.session import Append, Appended, Message, ProfileCopy, Reading, Role
from memory.ports import Clock, MemoryStore, Mind, SessionStore
from memory.privacy.gate.decision import classify
from memory.scope import ConversationScope, UserScope
from memory.service.finalizations import Finalizations
from memory.service.profiles import NOBODY, ProfileKeeper
from memory.service.recall import Recaller
from memory.service.search import Found, Scored, Wanted
from memory.service.settings import SessionSettings
from memory.service.write import AfterWrite, Writer
from memory.session.journal import decode
from memory.session.times import rfc3339

_LOG: Final = logging.getLogger("anamnesis.brain")
_SUCCESS: Final = "success"
_SEARCHED: Final = (Kind.EPISODE, Kind.EVENT, Kind.CREATED, Kind.FACT)
_RESULTS_FOR_EACH_MEMORY: Final = 2
"""Facts are searched beside memories, and are answered as relations."""
_TRIES_MAX: Final = 64
"""As many calls of one user as may come at once: each of them may find the session full in turn."""
_FACTS_OF_A_CONVERSATION_MAX: Final = 500
_RELATED_MAX: Final = 3
"""Of so many memories the facts are looked up."""
_NAMING: Final = ("name", "family")
_NOTHING: Final = Found((), "keyword", ())


@dataclass(frozen=True, slots=True)
class BrainSettings:
    """Section `brain`. `context_events`: how many of the last events a pronoun is looked up in."""

    events_max: int = 100
    context_events: int = 5
    memories_max: int = 10
    least_score: float = 0.1
    least_bearing: float = 0.3


@dataclass(frozen=True, slots=True)
class BrainParts:
    """What the brain is made of: parts that serve every other conversation too."""

    sessions: SessionStore
    memories: MemoryStore
    writer: Writer
    endings: Finalizations
    keeper: ProfileKeeper
    recaller: Recaller
    clock: Clock
    session: SessionSettings
    rules: Mind
    after_write: Sequence[AfterWrite]


class _Told(NamedTuple):
    """What is known of a call before anything is searched."""

    user: UserScope
    place: ConversationScope
    reading: Reading
    resolution: Resolution


class Brain:
    """process_memory, end_session, get_session_status, debug_process_memory, get_user_graph."""

    def __init__(self, parts: BrainParts, settings: BrainSettings) -> None:
        self._sessions = parts.sessions
        self._memories = parts.memories
        self._writer = parts.writer
        self._endings = parts.endings
        self._keeper = parts.keeper
        self._recaller = parts.recaller
        self._clock = parts.clock
        self._session = parts.session
        self._rules = parts.rules
        self._after_write = parts.after_write
        self._settings = settings

    async def process(self, caller: Caller, request: ProcessMemoryRequest) -> ProcessMemoryResponse:
        """Search with what the words stand for, and keep them as they were said. Raises StoreUnavailable.

        What was said is in the journal when this returns. A memory store that is down costs the memories, not the
        answer: the metadata name it.
        """
        told = await self._told(caller, request.user_id, request.input)
        loop = asyncio.get_running_loop()
        began = loop.time()
        _, found = await asyncio.gather(self._append(told, request), self._retrieve(told))
        memories, triples, degraded = await self._split(told.user, found)
        took_ms = round((loop.time() - began) * 1000)
        return ProcessMemoryResponse(
            status=_SUCCESS,
            resolved_query=told.resolution.text,
            memories=[FoundMemory(content=one.memory.text, score=round(one.score, 6)) for one in memories],
            relations=[FoundRelation(source=one.source, relation=one.relation, target=one.target) for one in triples],
            metadata=ProcessMetadata(
                retrieval_time_ms=took_ms,
                has_memory=bool(memories or triples),
                degraded=list(degraded) or None,
            ),
        )

    async def end(self, caller: Caller, request: EndSessionRequest) -> EndSessionResponse:
        """End the user's session: at once; it becomes memory in the background. Without one nothing happens."""
        place = brain_conversation(UserScope(caller.tenant, request.user_id))
        head = (await self._sessions.read(place, None, profile_stamp=self._session.stamp)).head
        sealed = head is not None and await self._endings.seal(place, cause="asked")
        if head is None or not sealed:
            return EndSessionResponse(status=_SUCCESS, message="No active session", session_info=None)
        now_ms = max(self._clock.now_ms(), head.started_ms)
        info = SessionEnded(
            event_count=head.turns,
            duration_seconds=(now_ms - head.started_ms) // 1000,
            created_at=rfc3339(head.started_ms),
            ended_at=rfc3339(now_ms),
        )
        message = "Session ending, consolidation started"
        return EndSessionResponse(status=_SUCCESS, message=message, session_info=info)

    async def status(self, caller: Caller, request: GetSessionStatusRequest) -> GetSessionStatusResponse:
        """The living session, or how the last one stands."""
        place = brain_conversation(UserScope(caller.tenant, request.user_id))
        head = (await self._sessions.read(place, None, profile_stamp=self._session.stamp)).head
        info = None
        if head is not None:
            left_ms = await self._sessions.expires_in_ms(place)
            info = SessionLiving(
                event_count=head.turns,
                created_at=rfc3339(head.started_ms),
                last_active_at=rfc3339(head.updated_ms),
                time_until_timeout_seconds=left_ms // 1000,
            )
        state = "active" if head is not None else await self._state(place)
        return GetSessionStatusResponse(
            status=_SUCCESS, has_active_session=head is not None, state=state, session_info=info
        )

    async def debug(self, caller: Caller, request: DebugProcessMemoryRequest) -> DebugProcessMemoryResponse:
        """What `process` would do, step by step, with times and reasons. Nothing is stored, nothing is noted."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        told = await self._told(caller, request.user_id, request.input)
        read = loop.time()
        found = await self._retrieve(told, note=False)
        memories, triples, degraded = await self._split(told.user, found)
        searched = loop.time()
        verdict = classify(request.input)
        facts = await self._facts_in(told, request.input)
        judged = loop.time()
        head = told.reading.head
        details: list[tuple[str, float, dict[str, object]]] = [
            (
                "session and resolution",
                read - began,
                {
                    "session": "a new one would be made" if head is None else f"alive, {head.turns} events",
                    "context": self._context(told.reading),
                    "resolved_query": told.resolution.text,
                    "reason": told.resolution.reason,
                },
            ),
            (
                "retrieval",
                searched - read,
                {
                    "mode": found.mode,
                    "degraded": list(degraded),
                    "memories": [self._recaller.explained(one) for one in memories],
                    "relations": [one._asdict() for one in triples],
                },
            ),
            (
                "storage",
                judged - searched,
                {
                    "event": request.input,
                    "privacy": verdict.label,
                    "reason": verdict.reason,
                    "facts": facts,
                    "stored": False,
                },
            ),
        ]
        steps = [DebugStep(step=name, took_ms=round(took * 1000, 3), details=what) for name, took, what in details]
        return DebugProcessMemoryResponse(status=_SUCCESS, resolved_query=told.resolution.text, steps=steps)

    async def _told(self, caller: Caller, user_id: str, text: str) -> _Told:
        user = UserScope(caller.tenant, user_id)
        place = brain_conversation(user)
        reading = await self._sessions.read(place, user_id, profile_stamp=self._session.copies)
        context = [Utterance("user", said) for said in self._context(reading)]
        return _Told(user, place, reading, resolve(text, context, _name_in(reading.profile or NOBODY)))

    async def _facts_in(self, told: _Told, text: str) -> list[dict[str, object]]:
        """What rules find in it, after what was said before."""
        now_ms = self._clock.now_ms()
        texts = [*self._context(told.reading), text]
        said = [Said(seq, "user", own=True, text=each, at_ms=now_ms) for seq, each in enumerate(texts)]
        locale = spoken(self._session.locale, texts)
        found = await self._rules.extract(Dialogue(said, "", locale, told.user.tenant, alone=True))
        last = len(texts) - 1
        return [
            {"subject": fact.subject, "predicate": fact.predicate, "object": fact.object, "polarity": fact.polarity}
            for fact in found.facts
            if fact.seq == last
        ]

    def _context(self, reading: Reading) -> list[str]:
        """What was said last in the living session, the oldest first."""
        last = self._settings.context_events
        return [decode(entry).message.content for entry in reading.live[-last:]] if reading.head and last else []

    async def _append(self, told: _Told, request: ProcessMemoryRequest) -> Appended:
        """Keep what was said as it was. A session that has all its events ends; this one is the next one's first."""
        message = Message(Role.USER, request.input)
        append = Append(
            messages=(await self._writer.encoded(message, starts_turn=True),),
            said=await self._writer.said_in(told.place, request.user_id, (message,)),
            user_id=request.user_id,
            agent=BRAIN_AGENT,
            stamp=self._session.stamped((request.input,)),
            turns_max=self._settings.events_max,
        )
        for _ in range(_TRIES_MAX):
            try:
                appended = await self._writer.append(told.place, append, resumes=False)
            except SessionIsFull:
                await self._endings.seal(told.place, cause="full", turns_min=self._settings.events_max)
                continue
            for each in self._after_write:
                each(told.place, append, appended)
            return appended
        raise Overloaded("the session was full again and again while this was on its way")

    async def _retrieve(self, told: _Told, *, note: bool = True) -> Found:
        """What the long-term memory has; nothing of sessions that go on: the caller knows that. It never fails."""
        try:
            profile = told.reading.profile or await self._keeper.load(told.user)
        except TemporaryError as error:
            _LOG.info("not searched", extra={"reason": error.code})
            return _NOTHING._replace(degraded=("memories",))
        if not profile.remembers:
            return _NOTHING
        name = _name_in(profile)
        wanted = Wanted(
            told.resolution.text,
            limit=self._settings.memories_max * _RESULTS_FOR_EACH_MEMORY,
            filter=Filter(kinds=_SEARCHED),
            names=(name,) if name else (),
            speakers=profile.speakers,
            tail=(),
        )
        least = {"least_score": self._settings.least_score, "least_bearing": self._settings.least_bearing}
        return await self._recaller.find(told.user, wanted, **least, note=note)

    async def _split(self, user: UserScope, found: Found) -> tuple[Sequence[Scored], Sequence[Relation], Sequence[str]]:
        """Memories, the relations that the found facts are, and what was down. It never fails."""
        memories = [one for one in found.results if one.memory.kind is not Kind.FACT][: self._settings.memories_max]
        facts = [one.memory for one in found.results if one.memory.kind is Kind.FACT]
        try:
            async with asyncio.timeout(self._recaller.deadline_s):
                return memories, await self._related(user, memories, facts), found.degraded
        except (TemporaryError, TimeoutError) as error:
            _LOG.info("no relations found", extra={"reason": type(error).__name__})
            return memories, (), (*found.degraded, "relations")

    async def _related(self, user: UserScope, memories: Sequence[Scored], facts: list[Memory]) -> list[Relation]:
        """The relations that facts are; names come from what is known of the user's people."""
        facts = facts + await self._facts_of(user, [one.memory for one in memories])
        if not facts:
            return []
        named: list[Memory] = []
        for predicate in _NAMING:
            named += await self._memories.facts(user, "user", predicate)
        ids = {fact.memory_id for fact in facts}
        every = {fact.memory_id: fact for fact in (*named, *facts)}
        triples = relations(list(every.values()), self._session.locale)
        return [one for one in triples if one.memory_id in ids]

    async def _facts_of(self, user: UserScope, memories: Sequence[Memory]) -> list[Memory]:
        """The facts that were found in the messages that the best memories are made of."""
        found = []
        best = [memory.source for memory in memories[:_RELATED_MAX]]
        for conversation in dict.fromkeys(source.conversation for source in best):
            seqs = {seq for source in best if source.conversation == conversation for seq in source.seqs}
            wanted = Filter(kinds=(Kind.FACT,), conversation=conversation)
            page = await self._memories.page(user, wanted, "", _FACTS_OF_A_CONVERSATION_MAX)
            found += [fact for fact in page.memories if seqs & set(fact.source.seqs)]
        return found

    async def _state(self, place: ConversationScope) -> str:
        standing = await self._sessions.standing(place)
        if standing.expired:
            return "ending"
        if standing.last_ended is None:
            return "ended" if standing.number else "none"
        return "ending" if standing.last_ended.state is SessionState.ENDING else "ended"


def _name_in(profile: ProfileCopy) -> str:
    """What the user is called, as far as it is known."""
    return str((json.loads(profile.snapshot_json) or {}).get("name", ""))
