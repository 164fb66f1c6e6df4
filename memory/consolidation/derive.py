"""From a MemUnit, and what a mind made of it, to memories with their index texts. Pure.

Nothing is believed: a fact or event whose quote does not stand in the message it names is dropped, and counted.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from memory.clinical.findings import ANYTHING, CONTRADICTS, DISEASE, DURATION, SINCE, TAKEN_BACK
from memory.clinical.lasting import disease_lasts
from memory.clinical.people import USER
from memory.clinical.relatives import is_relative
from memory.consolidation.index_texts import embed_text, entry_terms, own_terms, passage_terms, passage_text
from memory.consolidation.led_to import led_to
from memory.language.choice import spoken
from memory.language.dates.onset import onset
from memory.language.fenced import without_fenced
from memory.language.speech import asks
from memory.model.brain import is_brain
from memory.model.extraction import Dialogue, Extraction, FoundEvent, FoundFact, Said
from memory.model.memory import Category, Kind, Memory, Source, Type, fact_id, memory_id
from memory.model.memunit import MemUnit
from memory.model.predicates import NAME, PREDICATES
from memory.privacy.gate.decision import classify
from memory.retrieval.plan import timed
from memory.session.context import without_safety_line
from memory.session.safety import GUARDED
from memory.session.times import moment_ms, offset_minutes
from memory.zones import ahead_minutes, clock_at, zone_of

_SPOKEN: Final = ("user", "assistant")
_OPEN: Final = frozenset({TAKEN_BACK, CONTRADICTS})
_COURTESY_CHARS_MAX: Final = 24
"""Of an agent: what is longer says more than thanks."""
_UNSAID: Final = "an attribute that is not in its message"
_SPACE: Final = re.compile(r"\s+")
_CLAUSE: Final = re.compile(r"[，。,.;；!！?？\n]")


@dataclass(frozen=True, slots=True)
class Derived:
    """One memory to be stored. `terms` are of its index text; `embed` is what its vector is made of."""

    memory: Memory
    terms: Sequence[str]
    embed: str


@dataclass(frozen=True, slots=True)
class Derivation:
    """All that a unit gives, the links between its facts and events, and what was dropped by reason."""

    memories: Sequence[Derived]
    dropped: Mapping[str, int]
    links: Sequence[Memory] = ()


class Gist(NamedTuple):
    """What a passage needs of its text: the terms it is found by, and whether it says nothing worth keeping."""

    terms: Sequence[str]
    noise: bool


def gist(text: str) -> Gist:
    """Read a text; costs some hundred microseconds."""
    return Gist(own_terms(text), classify(text).is_noise)


def dialogue_of(unit: MemUnit, locale: str, zone: tzinfo = UTC) -> Dialogue:
    """What people and agents said in a unit: no tool results, no system prompts, no memories recalled into it.

    `zone`: of the clocks of those who don't say when they spoke.
    """
    alone = is_brain(unit.scope.conversation)
    said = tuple(said_in(unit, zone))
    locale = spoken(locale, (message.text for message in said))
    return Dialogue(said, user_name="", locale=locale, tenant=unit.scope.tenant, alone=alone)


def said_in(unit: MemUnit, zone: tzinfo = UTC) -> Iterator[Said]:
    """The messages of a unit that its memories are derived from."""
    for entry in json.loads(unit.messages):
        role = entry["role"]
        text = without_safety_line(without_fenced(entry["content"])).strip() if role in _SPOKEN else ""
        if text:
            name = entry.get("name", "")
            speaker = name or (USER if role == "user" else entry.get("agent", "") or role)
            own = role == "user" or bool(name)
            at_ms, ahead = _moment(entry, zone)
            yield Said(entry["seq"], speaker, own, text, at_ms, ahead)


def _moment(entry: Mapping[str, Any], zone: tzinfo) -> tuple[int, int]:
    """When it was said, and by how many minutes the speaker's clock was ahead of UTC.

    An offset of its own says that, unless it is UTC's, which programs write wherever they run; else the session's zone.
    """
    occurred = entry.get("occurred_at", "")
    at_ms = moment_ms(occurred) if occurred else int(entry["at"])
    ahead = offset_minutes(occurred) if occurred else 0
    return at_ms, ahead or ahead_minutes(at_ms, zone_of(entry.get("zone", "")) or zone)


def derive(unit: MemUnit, dialogue: Dialogue, extraction: Extraction, mind: str) -> Derivation:
    """The unit's memories: a passage for each message, an episode for each person, facts and events."""
    said = {message.seq: message for message in dialogue.messages}
    dropped: Counter[str] = Counter(extraction.dropped)
    if is_brain(unit.scope.conversation):
        found = list(_statements(unit, dialogue, extraction, mind))
    else:
        found = [*passages(unit, dialogue), *_episodes(unit, dialogue, extraction, mind)]
    found += facts_of(unit, extraction.facts, said, mind, dropped)
    for event in extraction.events:
        if _supported(event, said):
            found.append(_event(unit, event, said[event.seq], mind))
        else:
            dropped["an event whose quote is not in its message"] += 1
    made = list({one.memory.memory_id: one for one in found}.values())
    links = led_to(unit, [one.memory for one in made], said, extraction.causes, mind)
    return Derivation(made, +dropped, links)


def facts_of(
    unit: MemUnit, facts: Iterable[FoundFact], said: Mapping[int, Said], mind: str, dropped: Counter[str]
) -> Iterator[Derived]:
    """The facts of a unit as memories; what is left out is counted in `dropped`, by reason."""
    for fact in facts:
        if _supported(fact, said):
            known = _attributes(fact, said[fact.seq])
            dropped[_UNSAID] += len(fact.attributes) - len(known)
            known |= _begun(fact, known, said[fact.seq])
            yield _fact(unit, replace(fact, attributes=known), said[fact.seq], mind)
        else:
            dropped["a fact whose quote is not in its message"] += 1


def _supported(found: FoundFact | FoundEvent, said: Mapping[int, Said]) -> bool:
    message = said.get(found.seq)
    return message is not None and bool(found.quote.strip()) and _plain(found.quote) in _plain(message.text)


def _attributes(fact: FoundFact, message: Said) -> dict[str, str]:
    """What else is said of it: of a mind only what stands in the message; our rules say some in words of their own."""
    if fact.mind:
        return dict(fact.attributes)
    said = _plain(message.text).casefold()
    return {name: text for name, text in fact.attributes.items() if _plain(text).casefold() in said}


def _begun(fact: FoundFact, known: Mapping[str, str], message: Said) -> dict[str, str]:
    """Since when it is, where the message says for how long; a disease says it right behind its name."""
    lasting = known.get(DURATION, "")
    if fact.predicate == DISEASE and not lasting:
        lasting = _CLAUSE.split(fact.quote.partition(fact.object)[2], maxsplit=1)[0]
    if SINCE in known or not lasting or fact.polarity != "+":
        return {}
    begun = onset(lasting, clock_at(message.at_ms, message.clock))
    return {SINCE: begun} if begun else {}


def _plain(text: str) -> str:
    return _SPACE.sub("", text)


def passages(unit: MemUnit, dialogue: Dialogue, read: Callable[[str], Gist] = gist) -> Iterator[Derived]:
    """Messages as they were said. Courtesies and what everybody knows only stand in the context of the others.

    `read` is `gist`, or something that remembers what `gist` said.
    """
    gists = {message.seq: read(message.text) for message in dialogue.messages}
    found = passage_terms({seq: each.terms for seq, each in gists.items()})
    for message in dialogue.messages:
        if gists[message.seq].noise and (message.own or len(message.text) <= _COURTESY_CHARS_MAX):
            continue
        text = passage_text(message.text)
        memory = Memory(
            memory_id=memory_id(unit.scope, unit.user_id, (message.seq,), Kind.EPISODE, text),
            user_id=unit.user_id,
            kind=Kind.EPISODE,
            category=Category.EPISODE,
            type=Type.EVENT,
            text=text,
            source=Source(unit.scope.conversation, unit.unit_id, (message.seq,), text),
            occurred_ms=message.at_ms,
            recorded_ms=unit.ended_ms,
            speaker=message.speaker,
            position=message.seq,
        )
        yield indexed(memory, found)


def _statements(unit: MemUnit, dialogue: Dialogue, extraction: Extraction, mind: str) -> Iterator[Derived]:
    """What the user said to the brain, as sentences that stand alone; what none of them holds is not kept."""
    said = {message.seq: message for message in dialogue.messages}
    for each in extraction.statements:
        memory = Memory(
            memory_id=memory_id(unit.scope, unit.user_id, each.seqs, Kind.EPISODE, each.text),
            user_id=unit.user_id,
            kind=Kind.EPISODE,
            category=Category.FACT,
            type=Type.FACT,
            text=each.text,
            source=Source(unit.scope.conversation, unit.unit_id, tuple(each.seqs), each.quotes[0]),
            occurred_ms=said[each.seqs[0]].at_ms,
            recorded_ms=unit.ended_ms,
            subject=USER,
            mind=mind,
        )
        yield indexed(memory)


def _episodes(unit: MemUnit, dialogue: Dialogue, extraction: Extraction, mind: str) -> Iterator[Derived]:
    for episode in extraction.episodes:
        seqs = tuple(message.seq for message in dialogue.messages if message.speaker == episode.participant)
        if not seqs:
            continue
        memory = Memory(
            memory_id=memory_id(
                unit.scope, unit.user_id, (unit.seq_from, unit.seq_to), Kind.EPISODE, episode.participant
            ),
            user_id=unit.user_id,
            kind=Kind.EPISODE,
            category=Category.EPISODE,
            type=Type.EVENT,
            text=episode.text,
            source=Source(unit.scope.conversation, unit.unit_id, seqs, ""),
            occurred_ms=min(message.at_ms for message in dialogue.messages),
            recorded_ms=unit.ended_ms,
            subject=episode.participant,
            mind=mind,
        )
        yield indexed(memory)


def _fact(unit: MemUnit, fact: FoundFact, message: Said, mind: str) -> Derived:
    subject = message.speaker if fact.subject == USER else fact.subject
    triple, is_open = (subject, fact.predicate, fact.object), not _OPEN.isdisjoint(fact.attributes)
    memory = Memory(
        memory_id=fact_id(unit.scope, unit.user_id, fact.seq, triple, fact.polarity),
        user_id=unit.user_id,
        kind=Kind.FACT,
        category=fact_category(fact.predicate, fact.polarity, fact.object, subject=fact.subject, is_open=is_open),
        type=fact_type(fact.predicate),
        text=fact.quote,
        source=Source(unit.scope.conversation, unit.unit_id, (fact.seq,), fact.quote),
        occurred_ms=message.at_ms,
        recorded_ms=unit.ended_ms,
        importance=fact.importance,
        subject=subject,
        predicate=fact.predicate,
        object=fact.object,
        polarity=fact.polarity,
        attributes=dict(fact.attributes),
        mind=fact.mind or mind,
        valid_from_ms=message.at_ms,
    )
    return indexed(memory)


def fact_category(predicate: str, polarity: str, object_: str = "", *, subject: str, is_open: bool = False) -> Category:
    """What a user claims of lasting health never fades, their own and that of relatives; nor does their name.

    Nor does it that they know of no allergy, or what a person has to decide: that they took such a claim back.
    """
    passes = predicate == DISEASE and object_ != ANYTHING and not disease_lasts(object_)
    whose = subject == USER or (predicate != NAME and is_relative(subject))
    core = whose and predicate in GUARDED and (polarity == "+" or object_ == ANYTHING or is_open) and not passes
    return Category.CORE if core else Category.FACT


def is_guarded(memory: Memory) -> bool:
    """Whether it is one that safety rests on, or a name: what was promoted because it is used often is not."""
    return memory.category is Category.CORE and memory.predicate in GUARDED


def fact_type(predicate: str) -> Type:
    """As its row says; what callers name themselves is fact."""
    return PREDICATES[predicate].type if predicate in PREDICATES else Type.FACT


def _event(unit: MemUnit, event: FoundEvent, message: Said, mind: str) -> Derived:
    memory = Memory(
        memory_id=memory_id(unit.scope, unit.user_id, (event.seq,), Kind.EVENT, event.text),
        user_id=unit.user_id,
        kind=Kind.EVENT,
        category=Category.FACT,
        type=event.type,
        text=event.text,
        source=Source(unit.scope.conversation, unit.unit_id, (event.seq,), event.quote),
        occurred_ms=event.occurred_ms,
        recorded_ms=unit.ended_ms,
        importance=event.importance,
        subject=message.speaker,
        mind=mind,
    )
    return indexed(memory)


def indexed(memory: Memory, passages: Mapping[int, Sequence[str]] = MappingProxyType({})) -> Derived:
    """A memory with its index texts; `passages` are the terms of the messages of its unit."""
    return Derived(memory, entry_terms(memory, passages), embed_text(memory))


def flags(memory: Memory) -> tuple[bool, bool]:
    """Whether a memory's text ends as a question, and whether it has a word of time."""
    return asks(memory.text), timed(memory.text)
