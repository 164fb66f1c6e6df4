"""SearchMemories, GetMemory, ListMemories, ExplainMemory."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from typing import NamedTuple

from memory.consolidation.remember import Rememberer
from memory.errors import FieldError, InvalidInput, NotFound
from memory.language.dates.reading import find_dates
from memory.model.caller import Caller
from memory.model.curation_calls import ChangeAnswer, GetMemoryHistoryRequest, GetMemoryHistoryResponse
from memory.model.memory import Category, Memory
from memory.model.memory_calls import (
    ExplainMemoryRequest,
    ExplainMemoryResponse,
    GetMemoryRequest,
    ListMemoriesRequest,
    ListMemoriesResponse,
    MemoryAnswer,
    Searched,
    SearchMemoriesRequest,
    SearchMemoriesResponse,
)
from memory.model.memunit import MemUnit
from memory.model.profile import timezone_in
from memory.model.search import Filter
from memory.ports import Clock, LongTermStore, MemoryStore, ProfileCopies
from memory.retrieval.decay import DecaySettings
from memory.retrieval.deep import depth_of
from memory.retrieval.plan import timed
from memory.scope import ConversationScope, UserScope
from memory.service.choosing import chosen
from memory.service.explain_words import not_yet, what_became, why_it_is
from memory.service.linked import DeepSearch, Way
from memory.service.memory_answers import change_answer, memory_fields
from memory.service.memunits import memunit_at, messages_of
from memory.service.search import Scored, Wanted
from memory.service.unfinished import TailReader
from memory.session.times import moment_ms
from memory.zones import zone_of

_EXPLAINED_MEMORIES_MAX = 5_000
_TOWARDS = (
    re.compile(r"^(?:(?:since|from|after)(?![a-z])|自从|从|自)\s*|(?:以来|起|开始|之后)$", re.IGNORECASE),
    re.compile(r"^(?:(?:until|till|up to|to)(?![a-z])|直到|到|至)\s*|(?:为止|之前|以前)$", re.IGNORECASE),
)
"""What stands before or behind a time where a stretch begins, and where it ends."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_NOW = frozenset({"现在", "刚才", "目前", "now", "just now", "right now", "at present"})


class Remembered(NamedTuple):
    """Where memories are: stored, with the units they are from, in the tail of a session, in copies of profiles."""

    memories: MemoryStore
    units: LongTermStore
    tail: TailReader
    copies: ProfileCopies

    async def changed(self, scope: UserScope, memories: Iterable[Memory]) -> None:
        """Let go of the copy of the profile where it may show one of these: the next context has it as it is now."""
        if any(memory.category is Category.CORE for memory in memories):
            await self.copies.drop_profile(scope)

    async def owner(self, caller: Caller, user_id: str | None, memory_id: str) -> UserScope:
        """The user who is named, or has this memory. Raises NotFound."""
        if user_id is not None:
            return UserScope(caller.tenant, user_id)
        owner = await self.memories.owner(caller.tenant, memory_id)
        if owner is None:
            raise NotFound("no such memory is stored; one that is still pending is found with its user_id only")
        return owner


class MemoryOperations:
    """Reads of long-term memory. What is another tenant's is not found, nor another user's where a user is named."""

    def __init__(
        self, remembered: Remembered, search: DeepSearch, rememberer: Rememberer, clock: Clock, decay: DecaySettings
    ) -> None:
        self._remembered = remembered
        self._memories, self._units, self._tail = remembered.memories, remembered.units, remembered.tail
        self._search = search
        self._rememberer = rememberer
        self._clock = clock
        self._decay = decay

    async def search(self, caller: Caller, request: SearchMemoriesRequest) -> SearchMemoriesResponse:
        """Search; the best first."""
        zone = await self._zone(caller, request)
        from_ms, to_ms = self._between(request, zone)
        wanted = Wanted(
            query=request.query,
            mode=request.mode,
            limit=request.limit,
            filter=Filter(
                kinds=tuple(request.kinds or ()),
                categories=tuple(request.categories or ()),
                types=tuple(request.types or ()),
                conversation=request.conversation_id or "",
                from_ms=from_ms,
                to_ms=to_ms,
                as_of_ms=_ms(request.as_of),
            ),
            radius=request.radius,
            per_conversation=request.group_by is not None,
            zone=zone,
        )
        scope, mode = UserScope(caller.tenant, request.user_id), request.goes(self._search.mode)
        depth = depth_of(mode, request.query, request.steps)
        found = await self._search.find(scope, wanted, Way(depth.links, request.relations or ()))
        return SearchMemoriesResponse(
            memories=[self._answer(one.memory, one, explain=request.explain) for one in found.results],
            mode=found.mode,
            searched=Searched(mode=mode, went_deep=bool(depth.links), why=depth.why),
            degraded=list(found.degraded),
        )

    async def _zone(self, caller: Caller, request: SearchMemoriesRequest) -> tzinfo | None:
        """By whose clock the days of a query are read; that of a user is only asked for where it names any."""
        said = request.time_range
        named = timed(request.query) or (said is not None and timed(f"{said.start} {said.end}"))
        if request.timezone is None and named:
            profile = await self._units.get_profile(UserScope(caller.tenant, request.user_id))
            return zone_of(timezone_in(profile.preferences))
        return zone_of(request.timezone or "")

    def _between(self, request: SearchMemoriesRequest, zone: tzinfo | None) -> tuple[int | None, int | None]:
        """From when to when. Raises InvalidInput for a time that is not understood, or said in two ways."""
        said = request.time_range
        if said is None:
            return _ms(request.time_from), _ms(request.time_to)
        if request.time_from is not None or request.time_to is not None:
            message = "give time_range, or time_from and time_to"
            raise InvalidInput(message, fields=(FieldError("time_range", message),))
        now = datetime.fromtimestamp(self._clock.now_ms() / 1000, zone or self._search.plain.zone)
        return _end_of(said.start, "start", now, 0), _end_of(said.end, "end", now, 1)

    async def get(self, caller: Caller, request: GetMemoryRequest) -> MemoryAnswer:
        """Read one, stored or not yet. Raises NotFound."""
        scope = await self._remembered.owner(caller, request.user_id, request.memory_id)
        memory, unit = await self._one(scope, request.memory_id)
        return self._answer(memory, pending=unit is not None)

    async def history(self, caller: Caller, request: GetMemoryHistoryRequest) -> GetMemoryHistoryResponse:
        """What was done to one, stored or not yet. Raises NotFound."""
        scope = await self._remembered.owner(caller, request.user_id, request.memory_id)
        memory, unit = await self._one(scope, request.memory_id)
        changes = [ChangeAnswer.model_validate(change_answer(each)) for each in memory.changes]
        return GetMemoryHistoryResponse(memory=self._answer(memory, pending=unit is not None), changes=changes)

    async def list(self, caller: Caller, request: ListMemoriesRequest) -> ListMemoriesResponse:
        """A page of what is stored, in the order of ids."""
        scope = UserScope(caller.tenant, request.user_id)
        page = await chosen(self._memories, scope, request, request.cursor, request.limit)
        return ListMemoriesResponse(items=[self._answer(memory) for memory in page.memories], cursor=page.cursor)

    async def explain(self, caller: Caller, request: ExplainMemoryRequest) -> ExplainMemoryResponse:
        """Why a memory is there, or what became of a message. Raises NotFound, InvalidInput."""
        if request.memory_id is not None:
            scope = await self._remembered.owner(caller, request.user_id, request.memory_id)
            memory, unit = await self._one(scope, request.memory_id)
            tail = unit
            if unit is None and memory.source.unit_id:
                conversation = ConversationScope(caller.tenant, memory.source.conversation)
                unit = await self._units.get_memunit(conversation, memory.source.unit_id)
            return ExplainMemoryResponse(
                memory=self._answer(memory, pending=tail is not None),
                memories=[],
                messages=messages_of(unit, memory.source.seqs) if unit else [],
                reasons=[not_yet(request.locale)] if tail else why_it_is(memory, request.locale),
            )
        if request.conversation_id is None or request.seq is None:
            message = "give a memory_id, or a conversation_id and a seq"
            raise InvalidInput(message, fields=(FieldError("memory_id", message),))
        place = ConversationScope(caller.tenant, request.conversation_id)
        return await self._explain_message(place, request.user_id, request.seq, request.locale)

    async def _explain_message(
        self, place: ConversationScope, user_id: str | None, seq: int, locale: str
    ) -> ExplainMemoryResponse:
        unit, conversation = await memunit_at(self._units, place, seq), place.conversation
        if unit is None or user_id not in {None, unit.user_id} or not unit.user_id:
            users = [user_id] if user_id else await self._tail.users_of(place)
            scopes = [UserScope(place.tenant, user) for user in users]
            return await self._explain_unfinished(scopes, conversation, seq, locale)
        scope = UserScope(place.tenant, unit.user_id)
        page = await self._memories.page(scope, Filter(conversation=conversation), "", _EXPLAINED_MEMORIES_MAX)
        made = [memory for memory in page.memories if seq in memory.source.seqs]
        skipped = await self._rememberer.skipped(unit)
        messages = messages_of(unit, (seq,))
        return ExplainMemoryResponse(
            memories=[self._answer(memory) for memory in made],
            messages=messages,
            reasons=what_became(made, skipped.get(seq, ""), messages, locale),
        )

    async def _explain_unfinished(
        self, scopes: Sequence[UserScope], conversation: str, seq: int, locale: str
    ) -> ExplainMemoryResponse:
        for scope in scopes:
            read = await self._tail.read(scope, (conversation,))
            messages = [message for unit in read.units for message in messages_of(unit, (seq,))]
            if messages:
                made = [one.memory for one in read.found if seq in one.memory.source.seqs]
                memories = [self._answer(memory, pending=True) for memory in made]
                return ExplainMemoryResponse(memories=memories, messages=messages, reasons=[not_yet(locale)])
        raise NotFound("no conversation of this user has this message in memory, or among its newest words")

    async def _one(self, scope: UserScope, memory_id: str) -> tuple[Memory, MemUnit | None]:
        """A memory; with the unit that it is to be of, when it is not stored yet."""
        found = await self._memories.get(scope, (memory_id,))
        if found:
            return found[0], None
        return await self._tail.one(scope, memory_id)

    def _answer(
        self, memory: Memory, scored: Scored | None = None, *, explain: bool = False, pending: bool = False
    ) -> MemoryAnswer:
        fields = memory_fields(memory, self._decay, scored, explain=explain, pending=pending)
        return MemoryAnswer.model_validate(fields)


def _ms(moment: str | None) -> int | None:
    return None if moment is None else moment_ms(moment)


def _end_of(said: str | None, name: str, now: datetime, which: int) -> int | None:
    """The beginning (0) or the end (1) of the stretch that is named, in ms."""
    if not said:
        return None
    bare = _TOWARDS[which].sub("", said.strip())
    if bare.lower() in _NOW:
        return int(now.timestamp() * 1000)
    if _YEAR.fullmatch(bare):
        counts = which and not said.strip().endswith(("之前", "以前"))
        return int(datetime(int(bare) + counts, 1, 1, tzinfo=now.tzinfo).timestamp() * 1000)
    spans = find_dates(bare, now)
    if len(spans) != 1 or bare[: spans[0].start].strip() or bare[spans[0].end :].strip(" 的.。"):
        message = "is not understood as a time"
        raise InvalidInput(f"time_range.{name} {message}", fields=(FieldError(f"time_range.{name}", message),))
    return int((spans[0].begin, spans[0].until)[which].timestamp() * 1000)
