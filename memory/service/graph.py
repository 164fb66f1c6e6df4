"""CreateMemory, LinkMemories, UnlinkMemories, UpdateMemory: what tools make of memory, and how it hangs together."""

import contextlib
import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Final, NamedTuple, TypeVar

from memory.clinical.languages import in_use
from memory.consolidation.derive import flags, indexed
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.errors import (
    Ambiguous,
    FieldError,
    GraphIsFull,
    InvalidInput,
    NotFound,
    Overtaken,
    TemporaryError,
    UnsupportedQuote,
)
from memory.graph.created import Creation, created
from memory.graph.described import decided, ranked
from memory.graph.links import Joining, link, link_id
from memory.graph.times import Understood, understood, written
from memory.language.choice import has_han
from memory.limits import CREATED_PER_USER_MAX, LINKS_PER_MEMORY_MAX, LINKS_PER_USER_MAX
from memory.model.caller import Caller
from memory.model.change import Op
from memory.model.graph_calls import (
    NO_SAFETY_FACT,
    CreateMemoryRequest,
    CreateMemoryResponse,
    LinkMemoriesRequest,
    LinkMemoriesResponse,
    TimeRead,
    UnlinkMemoriesRequest,
    UnlinkMemoriesResponse,
)
from memory.model.history import Doing, noted
from memory.model.memory import CONSOLIDATED, STAGED, Kind, Memory
from memory.model.memory_calls import MemoryAnswer
from memory.model.predicates import nearest
from memory.model.relations import reads
from memory.model.search import Filter, IndexEntry
from memory.ports import Clock, JobQueue
from memory.retrieval.decay import DecaySettings
from memory.retrieval.plan import timed
from memory.scope import ConversationScope, UserScope
from memory.service.memories import Remembered
from memory.service.memory_answers import memory_fields
from memory.service.memory_updates import ask_to_settle, require_nothing_recalled, zone_of_user
from memory.service.memunits import memunit_at, messages_of
from memory.service.retold import standing
from memory.service.search import MemorySearch, Wanted
from memory.session.safety import LIST_OF
from memory.session.times import rfc3339

_LOG: Final = logging.getLogger("anamnesis.graph")
T = TypeVar("T")
_TRIES: Final = 5
_DESCRIBED_AMONG: Final = 20
"""What a search for a description's words finds at most."""
_CANDIDATES: Final = 5
_JOINED_KINDS: Final = (Kind.CREATED, Kind.FACT, Kind.EVENT)
_ENDS: Final = (*_JOINED_KINDS, Kind.EPISODE)
_ALLERGY: Final = re.compile("过敏|allerg|anaphyla|intoleran")
_SAFETY_TERMS: Final = frozenset({"disease", "operation", "device"})
_ID: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_MESSAGES: Final = {
    (True, STAGED): "remembered; it is found by its words at once, by its meaning in some seconds",
    (True, CONSOLIDATED): "remembered",
    (False, STAGED): "remembered already; nothing was changed",
    (False, CONSOLIDATED): "remembered already; nothing was changed",
}


class GraphParts(NamedTuple):
    """What the operations use."""

    remembered: Remembered
    search: MemorySearch
    rememberer: Rememberer
    minds: Minds
    jobs: JobQueue
    clock: Clock
    decay: DecaySettings


class GraphOperations:
    """What a tool call says is an agent's word: it makes no safety fact, nothing of another user, nothing lasting."""

    def __init__(self, parts: GraphParts) -> None:
        remembered = self._remembered = parts.remembered
        self._memories, self._units, self._tail = remembered.memories, remembered.units, remembered.tail
        self._search = parts.search
        self._rememberer = parts.rememberer
        self._minds = parts.minds
        self._copies = remembered.copies
        self._jobs = parts.jobs
        self._clock = parts.clock
        self._decay = parts.decay

    async def create(self, caller: Caller, request: CreateMemoryRequest) -> CreateMemoryResponse:
        """Store a memory; the same again is the same. Raises InvalidInput, UnsupportedQuote, GraphIsFull."""
        return await _again(partial(self._create, caller, request))

    async def link(self, caller: Caller, request: LinkMemoriesRequest) -> LinkMemoriesResponse:
        """Join two memories. Raises NotFound, Ambiguous, InvalidInput, GraphIsFull."""
        return await _again(partial(self._link, caller, request))

    async def _create(self, caller: Caller, request: CreateMemoryRequest) -> CreateMemoryResponse:
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        texts = {name: getattr(request, name) for name in ("subject", "topic", "object", "quote")}
        require_nothing_recalled(texts, request.attributes)
        await self._require_quote(scope, request)
        now = await self._now(scope, request)
        times = understood(request.attributes or {}, now)
        stage = STAGED if self._minds.embedder is not None else ""
        memory = created(scope, self._covered(scope, self._creation(scope, request, times, now)), stage=stage)
        memory, there = await standing(self._memories, scope, memory)
        held = there if there is not None and there.state == "held" else None
        kept = held or await self._kept(scope, memory, is_there=there is not None, by=caller.by)
        status = kept.stage or CONSOLIDATED
        if status == STAGED:  # also where it is told again: who told it first may have died before asking
            await ask_to_settle(self._jobs, scope)
        return CreateMemoryResponse(
            success=True,
            memory_id=kept.memory_id,
            status="staged" if status == STAGED else "consolidated",
            created=held is None,
            memory=self._answer(kept),
            times=[_time_read(each) for each in times],
            message=_MESSAGES[held is None, status],
            warnings=[NO_SAFETY_FACT] if _touches_safety(request) else None,
        )

    async def _kept(self, scope: UserScope, memory: Memory, *, is_there: bool, by: str) -> Memory:
        """Store a new memory, or let one that no longer held hold again; as it is then."""
        if is_there:
            again = partial(_told_again, made=memory, by=by)
            await self._remembered.changed(scope, await self._memories.change(scope, (memory.memory_id,), again))
        else:
            await self._put(scope, memory)
        stored = await self._memories.get(scope, (memory.memory_id,))
        return stored[0] if stored else memory

    async def _link(self, caller: Caller, request: LinkMemoriesRequest) -> LinkMemoriesResponse:
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        require_nothing_recalled({"quote": request.quote})
        for which in ("source", "target"):
            _require_named(request, which)
        ground = await self._end(scope, request, "source")
        follows = await self._end(scope, request, "target")
        if ground.memory_id == follows.memory_id:
            message = "source and target are the same memory"
            raise InvalidInput(message, fields=(FieldError("target_memory_id", message),))
        relation, quote = request.relation_type, self._minds.replacer.text(scope.tenant, request.quote or "")
        joining = Joining(ground, relation, follows, request.importance, quote, self._clock.now_ms())
        is_new = await self._join(scope, link(scope, joining), caller.by)
        locale = "zh" if has_han(ground.text + follows.text) else "en"
        return LinkMemoriesResponse(
            success=True,
            link_id=link_id(scope, ground.memory_id, relation, follows.memory_id),
            source_memory_id=ground.memory_id,
            target_memory_id=follows.memory_id,
            relation=relation,
            reads=reads(relation, ground.text, follows.text, locale),
            created=is_new,
        )

    async def unlink(self, caller: Caller, request: UnlinkMemoriesRequest) -> UnlinkMemoriesResponse:
        """Take a link off. Raises NotFound."""
        scope = await self._rememberer.standing(UserScope(caller.tenant, request.user_id))
        there = [each for each in await self._memories.get(scope, (request.link_id,)) if each.kind is Kind.LINK]
        if not there:
            raise NotFound("this user has no such link")
        held, now_ms = there[0].holds, self._clock.now_ms()
        if held:
            ending = Doing(Op.ENDED, caller.by, now_ms)
            await self._memories.change(
                scope, (request.link_id,), lambda each: noted(each, replace(each, valid_to_ms=now_ms), ending)
            )
        return UnlinkMemoriesResponse(link_id=request.link_id, ended=held)

    def _creation(
        self, scope: UserScope, request: CreateMemoryRequest, times: list[Understood], now: datetime
    ) -> Creation:
        spans = [each.span for each in times if each.span is not None and not self._is_withheld(scope, each)]
        attributes = dict(request.attributes or {}) | {each.key: written(each) for each in times}
        return Creation(
            subject=request.subject,
            type=request.memory_type,
            topic=request.topic,
            told_ms=self._clock.now_ms(),
            object=request.object or "",
            attributes=attributes,
            importance=request.importance,
            polarity=request.polarity or "+",
            conversation=request.conversation_id or "",
            seqs=(request.seq,) if request.seq else (),
            quote=request.quote or "",
            happened_ms=_ms(spans[0].begin) if spans else _ms(now) if request.occurred_at else None,
        )

    def _is_withheld(self, scope: UserScope, time: Understood) -> bool:
        """Whether it is a date of birth that the store may not have: then it is no memory's time either."""
        if "birth" not in self._minds.replacer.kinds:
            return False
        texts = self._minds.replacer.dialogue(scope.tenant)
        texts.beside(time.key, time.said)
        return texts.counts["birth"] > 0

    def _covered(self, scope: UserScope, creation: Creation) -> Creation:
        """As the store may have it."""
        said = [(creation.topic, creation.object), *creation.attributes.items()]
        alone = (creation.subject, creation.quote)
        ((topic, object_), *attributes), (subject, quote) = self._minds.replacer.fields(scope.tenant, said, alone)
        return replace(creation, subject=subject, topic=topic, object=object_, quote=quote, attributes=dict(attributes))

    async def _put(self, scope: UserScope, memory: Memory) -> None:
        before = await self._memories.count(scope, Kind.CREATED)
        if before >= CREATED_PER_USER_MAX:
            raise GraphIsFull(f"this user has {CREATED_PER_USER_MAX} created memories already")
        made = indexed(memory)
        entry = IndexEntry(memory, made.terms, None, *flags(memory), is_open=memory.stage == STAGED)
        await self._memories.put(scope, (entry,))
        if not before:  # a copy of the profile may say that nothing is remembered of the user
            with contextlib.suppress(TemporaryError):
                await self._copies.drop_profile(scope)

    async def _join(self, scope: UserScope, made: Memory, by: str) -> bool:
        """Store a link, or let one hold again; False when it holds already."""
        there = await self._memories.get(scope, (made.memory_id,))
        if there and there[0].holds:
            return False
        if there:
            await self._memories.change(scope, (made.memory_id,), partial(_told_again, made=made, by=by))
            return True
        beside = [each for each in await self._memories.links(scope, (made.subject, made.object)) if each.holds]
        for end in (made.subject, made.object):
            if sum(end in {each.subject, each.object} for each in beside) >= LINKS_PER_MEMORY_MAX:
                raise GraphIsFull(f"the memory {end} has {LINKS_PER_MEMORY_MAX} links already")
        if await self._memories.count(scope, Kind.LINK) >= LINKS_PER_USER_MAX:
            raise GraphIsFull(f"this user has {LINKS_PER_USER_MAX} links already")
        await self._memories.put(scope, (IndexEntry(made, indexed(made).terms, None),))
        return True

    async def _end(self, scope: UserScope, request: LinkMemoriesRequest, which: str) -> Memory:
        """One end of a link, by its id or as it is described."""
        named: str | None = getattr(request, f"{which}_memory_id")
        described: str | None = getattr(request, f"{which}_memory_description")
        if named is None and described is not None and _ID.fullmatch(described.strip()):
            named = described.strip()
        if named is not None:
            found = await self._memories.get(scope, (named,))
            if not found or found[0].kind not in _ENDS:
                field = f"{which}_memory_id"
                raise NotFound("this user has no such memory", fields=(FieldError(field, "names no memory"),))
            return found[0]
        return await self._described(scope, described or "", f"{which}_memory_description", request.occurred_at)

    async def _described(self, scope: UserScope, description: str, field: str, said: str | None) -> Memory:
        zone = await zone_of_user(self._units, scope, self._search.zone) if timed(description) else self._search.zone
        wanted = Wanted(description, limit=_DESCRIBED_AMONG, filter=Filter(kinds=_JOINED_KINDS), speakers=(), zone=zone)
        found = [one.memory for one in (await self._search.find(scope, wanted)).results]
        now = datetime.fromisoformat(said) if said else datetime.fromtimestamp(self._clock.now_ms() / 1000, zone)
        meant = ranked(self._minds.replacer.text(scope.tenant, description), found, now)
        chosen = decided(meant)
        if chosen is None:
            candidates = [
                {"memory_id": one.memory.memory_id, "text": one.memory.text, "score": round(one.score, 3)}
                for one in meant[:_CANDIDATES]
            ]
            message = "fits no memory of this user" if not candidates else "fits none surely enough, or more than one"
            raise Ambiguous(
                f"{field} {message}: name the memory by its id",
                fields=(FieldError(field, message),),
                more={"candidates": candidates},
            )
        return chosen

    async def _require_quote(self, scope: UserScope, request: CreateMemoryRequest) -> None:
        """Raise when a message is named that is not there, or does not say what is quoted."""
        if request.seq is None:
            return
        if request.conversation_id is None:
            message = "a seq is one of a conversation: give conversation_id too"
            raise InvalidInput(message, fields=(FieldError("seq", message),))
        place = ConversationScope(scope.tenant, request.conversation_id)
        units = [*(await self._tail.read(scope, (place.conversation,))).units]
        kept = await memunit_at(self._units, place, request.seq)
        units += [kept] if kept is not None and kept.user_id == scope.user else []
        texts = [message.content for unit in units for message in messages_of(unit, (request.seq,))]
        if not texts:
            raise NotFound("this user has no such message", fields=(FieldError("seq", "names no message"),))
        quote = self._minds.replacer.text(scope.tenant, request.quote or "")
        if not any(quote in text or (request.quote or "") in text for text in texts):
            message = "does not stand in that message"
            raise UnsupportedQuote(f"quote {message}", fields=(FieldError("quote", message),))

    async def _now(self, scope: UserScope, request: CreateMemoryRequest) -> datetime:
        """When it was said, by the clock of who said it."""
        said = None if request.occurred_at is None else datetime.fromisoformat(request.occurred_at)
        if said is not None and said.tzinfo != UTC:
            return said
        zone = await zone_of_user(self._units, scope, self._search.zone) if request.attributes else UTC
        return said.astimezone(zone) if said else datetime.fromtimestamp(self._clock.now_ms() / 1000, zone)

    def _answer(self, memory: Memory) -> MemoryAnswer:
        return MemoryAnswer.model_validate(memory_fields(memory, self._decay))


def _require_named(request: LinkMemoriesRequest, which: str) -> None:
    """Raise InvalidInput for an end that nothing says."""
    if getattr(request, f"{which}_memory_id") is None and getattr(request, f"{which}_memory_description") is None:
        message = f"give {which}_memory_id or {which}_memory_description"
        raise InvalidInput(message, fields=(FieldError(f"{which}_memory_description", message),))


async def _again(work: Callable[[], Awaitable[T]]) -> T:
    """Do it once more, from the beginning, where something else of the user was forgotten meanwhile."""
    for _ in range(_TRIES - 1):
        try:
            return await work()
        except Overtaken:
            _LOG.info("begun again: something was forgotten meanwhile")
    return await work()


def _touches_safety(request: CreateMemoryRequest) -> bool:
    """Whether it speaks of what safety rests on: an allergy, a disease, an operation."""
    if nearest(request.topic) in LIST_OF:
        return True
    said = f"{request.topic} {request.object or ''}".lower()
    return _ALLERGY.search(said) is not None or any(
        each.kind in _SAFETY_TERMS for each in in_use().lexicon.mentions(said)
    )


def _told_again(there: Memory, made: Memory, by: str) -> Memory:
    """What had ended holds again, as it was told now."""
    again = replace(
        there,
        importance=made.importance,
        source=made.source,
        occurred_ms=made.occurred_ms,
        valid_from_ms=made.valid_from_ms,
        valid_to_ms=None,
        superseded_by="",
        archived_ms=None,
        updated_ms=made.recorded_ms,
    )
    return noted(there, again, Doing(Op.RENEWED, by, made.recorded_ms))


def _time_read(time: Understood) -> TimeRead:
    if time.span is None:
        return TimeRead(key=time.key, said=time.said, understood=False)
    start, end = rfc3339(_ms(time.span.begin)), rfc3339(_ms(time.span.until))
    return TimeRead(key=time.key, said=time.said, understood=True, start=start, end=end, grain=time.span.grain)


def _ms(moment: datetime) -> int:
    return int(moment.timestamp() * 1000)
