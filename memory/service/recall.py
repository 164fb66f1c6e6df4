"""What comes back into a context: the memories of its user that fit the query, within a deadline and a budget."""

import asyncio
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Final, NamedTuple

from memory.clinical.people import USER
from memory.consolidation.reviews import strengthened
from memory.errors import TemporaryError
from memory.graph.triples import relative_named
from memory.language.fenced import RECALLED
from memory.language.personal import asks_what_was_answered
from memory.model.change import Op
from memory.model.history import Doing
from memory.model.memory import Memory
from memory.model.session import ProfileCopy, Role
from memory.ports import Background, Clock, TokenCounter
from memory.retrieval.bearing import Bearing, Heard, hear
from memory.retrieval.decay import USUAL_BOOST, BoostSettings, DecaySettings, shown
from memory.retrieval.deep import depth_of
from memory.retrieval.render import block, head, line
from memory.scope import UserScope
from memory.service.core import NO_STANDING, CoreBlock, Standing, wordless
from memory.service.linked import DeepSearch, Way
from memory.service.memories import Remembered
from memory.service.memory_answers import memory_fields
from memory.service.search import KEYWORD, Found, Scored, Wanted
from memory.service.unfinished import NOT_READ
from memory.session.context import text_json

_SHARE_OF_THE_VECTOR: Final = 0.5
"""Of the deadline; the rest is the store's."""
_SHARE_OF_THE_TAIL: Final = 0.3
"""Of the deadline, for what is not in memory yet; without it the rest is recalled still."""
_STEPS: Final = 1
"""How far a recall goes on by links."""
_LOOKED_AT: Final = 10
"""The best of a search that may bear on a query."""
_LOOKED_AT_FOR_OTHERS: Final = 200
"""The same, where some of those say what is shown already, or are an agent's and hold places of what a user said."""
_RECALL: Final = "recall"
_USERS_OWN: Final = ("", USER)
_LOG: Final = logging.getLogger("anamnesis.recall")
_Source = tuple[frozenset[int], str]
"""Of which messages of its conversation something is, and what it says."""


@dataclass(frozen=True, slots=True)
class RecallSettings:
    """Section `recall`. What fits less than `least_score` stays out of a context.

    So does what bears on the query less surely than `least_bearing`, but for what a memory that does leads to.
    `search_mode`: fast, deep, or auto: deep for what asks why, or what belongs together; `asked_mode`: of a
    SearchMemories that names none (section `graph`). `core_budget_tokens`: of the lines that always stand there.
    `boost`: what a use adds to a memory (None: nothing); `boost_shown`: being shown counts as one (section `curation`).
    """

    enabled: bool
    deadline_s: float
    budget_tokens: int
    limit: int
    least_score: float
    least_bearing: float
    search_mode: str
    asked_mode: str
    decay: DecaySettings
    time_weight: float
    core_budget_tokens: int = 0
    boost: BoostSettings | None = USUAL_BOOST
    boost_shown: bool = False


class Reader(NamedTuple):
    """For whom it is shown: in which locale, by whose clock (None: that of the settings).

    `looks`: only to look at; then nothing counts as shown. `standing`: what stands in the context anyway.
    """

    locale: str
    zone: tzinfo | None = None
    looks: bool = False
    standing: Standing = NO_STANDING


class Recalled(NamedTuple):
    """What was recalled: finished JSON of `memories`, the block for the context (a JSON string), its tokens, ids.

    `standing`: what stands in the context anyway.
    """

    memories_json: bytes
    block_json: bytes
    tokens: int
    degraded: tuple[str, ...] = ()
    memory_ids: tuple[str, ...] = ()
    standing: Standing = NO_STANDING

    @property
    def tokens_of_all(self) -> int:
        """With those of what stands there anyway."""
        return self.tokens + self.standing.tokens


NOTHING: Final = Recalled(b"[]", b'""', 0)


class Recaller:
    """Recalls for a query. It never fails: what is down is left out and named."""

    def __init__(
        self,
        remembered: Remembered,
        search: DeepSearch,
        tokens: TokenCounter,
        clock: Clock,
        background: Background,
        settings: RecallSettings,
    ) -> None:
        self._remembered = remembered
        self._search = search
        self._tokens = tokens
        self._clock = clock
        self._background = background
        self._settings = settings

    @property
    def deadline_s(self) -> float:
        """Within which a caller may wait for what is remembered."""
        return self._settings.deadline_s

    def wants(self, query: str) -> bool:
        """Whether there is anything to recall for."""
        return self._settings.enabled and bool(query.strip())

    async def recall(
        self,
        scope: UserScope,
        query: str,
        *,
        without_conversation: str,
        profile: ProfileCopy,
        others: Sequence[str] | None,
        reader: Reader,
    ) -> Recalled:
        """Recall for a query. What the conversation itself still shows is not recalled into it.

        What stands there anyway has no line once more.

        `profile` says whether anything is stored of the user; `others`: in which other conversations may be what is not
        stored yet (None: not known, it is asked for). Where there is neither, nothing is searched.
        """
        nothing = NOTHING._replace(standing=reader.standing)
        if not self.wants(query):
            return nothing
        deadline_s = self._settings.deadline_s
        try:
            async with asyncio.timeout(deadline_s):
                others, missed = await self._others(scope, without_conversation, others)
                if not (profile.remembers or others):
                    return nothing._replace(degraded=missed)
                way = Way(depth_of(self._settings.search_mode, query, _STEPS).links)
                wanted = self._wanted(query, others, profile.speakers, reader.zone)
                found = await self._search.find(scope, wanted, way)
                if not found.results:
                    return nothing._replace(degraded=(*found.degraded, *missed))
                heard = hear(query)
                chosen, has_room = self._chosen(found, wanted, heard, without_conversation)
                if has_room and found.further is not None and len(found.results) == wanted.limit:
                    found = await found.further(_LOOKED_AT_FOR_OTHERS)
                    chosen, _ = self._chosen(found, wanted, heard, without_conversation)
        except (TemporaryError, TimeoutError) as error:
            _LOG.info("nothing recalled", extra={"reason": type(error).__name__})
            return nothing._replace(degraded=("memories",))
        recalled, tokens = await self._within_budget(chosen, reader)
        if not reader.looks:
            self._note_shown(scope, [one.memory for one, _ in recalled if not one.pending])
        made = await self._present(recalled, tokens, (*found.degraded, *missed), reader.locale)
        return made._replace(standing=reader.standing)

    def _chosen(
        self, found: Found, wanted: Wanted, heard: Heard, without_conversation: str
    ) -> tuple[list[Scored], bool]:
        """What is shown of what was found; and whether what stands further down may find a place in it."""
        settings = self._settings
        fits = [
            one
            for one in found.results
            if one.score >= settings.least_score and one.memory.source.conversation != without_conversation
        ]
        fitting = found._replace(results=fits)
        bears = self._bearing(heard, fitting, wanted.speakers or (), settings.least_bearing)
        once = _each_said_once(bears)
        ordered, agents_max = _said_before_echoed(once), settings.limit
        if not asks_what_was_answered(wanted.query):
            ordered, agents_max = _agents_behind(ordered), 1
        chosen = ordered[: settings.limit]
        repeated = len(once) < len(bears) and len(chosen) < settings.limit
        return chosen, repeated or sum(map(_is_agents, chosen)) > agents_max

    async def find(
        self, scope: UserScope, wanted: Wanted, *, least_score: float, least_bearing: float, note: bool = True
    ) -> Found:
        """The memories that fit at least so well and bear on the query so surely, within the deadline. Never fails.

        With `note` they count as shown.
        """
        deadline_s = self._settings.deadline_s
        try:
            async with asyncio.timeout(deadline_s):
                timed = replace(wanted, vector_deadline_s=deadline_s * _SHARE_OF_THE_VECTOR)
                found = await self._search.plain.find(scope, timed)
        except (TemporaryError, TimeoutError) as error:
            _LOG.info("nothing found", extra={"reason": type(error).__name__})
            return Found((), KEYWORD, ("memories",))
        fitting = found._replace(results=[one for one in found.results if one.score >= least_score])
        if not fitting.results:
            return fitting
        chosen = self._bearing(hear(wanted.query), fitting, (*wanted.names, *(wanted.speakers or ())), least_bearing)
        if note:
            self._note_shown(scope, [one.memory for one in chosen if not one.pending])
        return found._replace(results=chosen)

    def _bearing(self, heard: Heard, found: Found, names: Sequence[str], least: float) -> list[Scored]:
        """Of what was found, best first, what bears on a query at all."""
        names = [*names, *filter(None, (relative_named(one.memory) for one in found.results))]
        asked = Bearing.of(heard, names, self._search.plain.scale, found.vector)
        bears = [one for one in found.results if asked.on(_told(one.memory), one.cosine) >= least]
        begun = {one.memory.memory_id for one in bears}
        return [one for one in found.results if one.memory.memory_id in begun or (one.path and one.path[0] in begun)]

    def explained(self, one: Scored) -> dict[str, object]:
        """A memory with every part of its score."""
        return memory_fields(one.memory, self._settings.decay, one, explain=True)

    async def _others(
        self, scope: UserScope, conversation: str, known: Sequence[str] | None
    ) -> tuple[Sequence[str], tuple[str, ...]]:
        if known is not None:
            return known, ()
        try:
            return await self._search.plain.others(scope, conversation), ()
        except TemporaryError:
            return (), (NOT_READ,)

    def _wanted(self, query: str, others: Sequence[str], speakers: Sequence[str], zone: tzinfo | None) -> Wanted:
        deadline_s = self._settings.deadline_s
        return Wanted(
            query,
            limit=max(self._settings.limit, _LOOKED_AT),
            speakers=speakers,
            vector_deadline_s=deadline_s * _SHARE_OF_THE_VECTOR,
            tail=others,
            tail_deadline_s=deadline_s * _SHARE_OF_THE_TAIL,
            tail_vectors_s=0.0,
            zone=zone,
        )

    async def _within_budget(self, chosen: list[Scored], reader: Reader) -> tuple[list[tuple[Scored, str]], int]:
        """The best with their lines (empty: its words stand there), and how many tokens the lines have."""
        tokens, kept, zone = 0, list[tuple[Scored, str]](), reader.zone or self._search.plain.zone
        for one in chosen:
            if _stands(one.memory, reader.standing.core):
                kept.append((one, ""))
                continue
            shown = line(one.memory, zone)
            tokens_of_line = await self._count(shown)
            if tokens + tokens_of_line > self._settings.budget_tokens:
                break
            tokens += tokens_of_line
            kept.append((one, shown))
        return kept, tokens

    async def _present(
        self, recalled: list[tuple[Scored, str]], tokens: int, degraded: tuple[str, ...], locale: str
    ) -> Recalled:
        """The block is not counted as a whole: no token reaches over the end of one of its lines."""
        if not recalled:
            return NOTHING._replace(degraded=degraded)
        fields = [memory_fields(one.memory, self._settings.decay, one) for one, _ in recalled]
        lines = {one.memory.memory_id: shown for one, shown in recalled if shown}
        if lines:
            tokens += await self._count(head(locale)) + await self._count(RECALLED.close)
        told = json.dumps(fields, ensure_ascii=False).encode()
        return Recalled(told, text_json(block(list(lines.values()), locale)), tokens, degraded, tuple(lines))

    async def _count(self, text: str) -> int:
        """Tokens of a line with its end; most were counted before."""
        tokens = self._tokens.count_short(text + "\n")
        return await self._tokens.count(text + "\n") if tokens is None else tokens

    def _note_shown(self, scope: UserScope, memories: list[Memory]) -> None:
        """What is shown does not age as what nobody sees. Within the cool-down there is nothing to write."""
        now_ms, boost = self._clock.now_ms(), self._settings.boost if self._settings.boost_shown else None
        due = [each.memory_id for each in memories if shown(each, now_ms) is not each]

        def seen(memory: Memory) -> Memory:
            after = shown(memory, now_ms)
            if boost is None or after is memory:
                return after
            return strengthened(after, Doing(Op.USED, _RECALL, now_ms), boost)

        async def note() -> None:
            changed = await self._remembered.memories.change(scope, due, seen)
            if boost is not None:
                await self._remembered.changed(scope, changed)

        if due:
            self._background.start(note, "note-shown")


def _stands(memory: Memory, core: CoreBlock) -> bool:
    """Whether a line of the core says it, and nobody else than the user does."""
    said_by_user = memory.speaker in _USERS_OWN and wordless(memory.text) in core.words
    return said_by_user or memory.memory_id in core.memory_ids


def _told(memory: Memory) -> str:
    """What a memory says, with what a fact is of."""
    return f"{memory.object} {memory.text}" if memory.object else memory.text


def _each_said_once(chosen: list[Scored]) -> list[Scored]:
    """One line for one message: leave out what was said in the messages of a better one, and the same words again."""
    kept: list[Scored] = []
    said: set[tuple[str, str]] = set()
    of_conversation: dict[str, list[_Source]] = {}
    for one in chosen:
        memory = one.memory
        words = memory.speaker, wordless(memory.text)
        source = frozenset(memory.source.seqs), memory.text
        beside = of_conversation.setdefault(memory.source.conversation, [])
        if words not in said and not any(_is_part_of(source, better) for better in beside):
            kept.append(one)
            said.add(words)
            beside.append(source)
    return kept


def _is_part_of(source: _Source, better: _Source) -> bool:
    """Whether it is of the messages of a better one, or its words stand in it; both of one conversation."""
    (seqs, text), (theirs, longer) = source, better
    return bool(seqs) and (seqs == theirs or (seqs <= theirs and text in longer))


def _said_before_echoed(chosen: list[Scored]) -> list[Scored]:
    """The words of a user before those of the agent who answered them, where both are recalled."""
    ordered: list[Scored] = []
    said = {(one.memory.source.conversation, one.memory.position): one for one in chosen if one.memory.position}
    for one in chosen:
        echoes = one.memory.position and one.memory.speaker not in _USERS_OWN
        answered = said.get((one.memory.source.conversation, one.memory.position - 1)) if echoes else None
        ordered += (answered, one) if answered is not None else (one,)
    return list({one.memory.memory_id: one for one in ordered}.values())


def _agents_behind(chosen: list[Scored]) -> list[Scored]:
    """The best of the agents' lines keeps its place, their others stand behind what else there is.

    An agent sums up, thanks and advises: its lines share more words with a question than what the user answered.
    """
    agents = [one.memory.memory_id for one in chosen if _is_agents(one)]
    behind = frozenset(agents[1:])
    return sorted(chosen, key=lambda one: one.memory.memory_id in behind)


def _is_agents(one: Scored) -> bool:
    return one.memory.speaker == Role.ASSISTANT
