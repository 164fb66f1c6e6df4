"""What a judge says that a dialogue takes back of what is held: how far it is believed, and what becomes of it.

A judge ends nothing by itself. What it names becomes a denial in the person's own words, and what holds instead a fact,
each of the message that says it: so both are explained, superseded and forgotten as all facts are. What safety rests on
is not ended: the denial asks, and a person decides.
"""

import asyncio
import json
import logging
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memory.clinical.findings import CORRECTS, ENDED, TAKEN_BACK
from memory.clinical.people import USER
from memory.consolidation.derive import facts_of, is_guarded, said_in
from memory.consolidation.fitting import fitting
from memory.consolidation.knowledge.profiles import safety_detail
from memory.consolidation.pages import all_of
from memory.consolidation.remember import Rememberer
from memory.errors import InvariantBroken, TemporaryError
from memory.language.choice import AUTO, spoken
from memory.model.extraction import Correction, FoundFact, Held, Said
from memory.model.memory import CALLER, Kind, Memory
from memory.model.memunit import MemUnit
from memory.model.predicates import ends
from memory.model.search import Filter
from memory.ports import Judge, MemoryStore
from memory.retrieval.decay import NEVER
from memory.retrieval.used import telling
from memory.scope import UserScope
from memory.session.safety import POSSIBLE_PREFIX

_LOG: Final = logging.getLogger("anamnesis.curation")
EFFECTS_MAX: Final = 3
"""Corrections of one unit that are applied; a model that names more has misread it."""
_SHOWN_MAX: Final = 60
"""Facts that a judge is shown with a unit: those whose words fit it best, then the newest."""
_LISTED_MAX: Final = 20_000
_RIGHT_CHARS_MAX: Final = 300
_WORDS_MAX: Final = 2_000
_FACTS: Final = Filter(kinds=(Kind.FACT,))
_SPACE: Final = re.compile(r"\s+")
_QUOTE_CHARS_MAX: Final = 2_000
"""Of a message, in which words are looked for; a judge is shown less of it."""
_DOSE: Final = re.compile(
    r"(?<![A-Za-z0-9.-])\d+(?:\.\d+)?\s?(?P<unit>mg|mcg|µg|ug|g|ml|iu|units?|毫克|微克|克|毫升|单位)(?![\w/])",
    re.IGNORECASE,
)
_AMOUNT: Final = re.compile(
    r"[\d.,一二两三四五六七八九十半/ ]+\s?(?:[A-Za-zµ%]{1,5}|[片粒次颗支毫微克升单位天周月年]{0,3})"
)
"""How much, without of what."""
_ASSENT: Final = re.compile(
    r"[\W_]*(?:好[的了吧呀]?|嗯+|对[的啊]?|是[的啊]?|行|可以|没错|谢谢.?|知道了|不|没有?|ok(?:ay)?|yes|yeah|yep|no|nope|right"
    r"|sure|fine|thanks?|thank you|correct|true|i see|.)[\W_]*",
    re.IGNORECASE,
)
"""What says yes or no to an agent, and nothing itself."""


class Decision(NamedTuple):
    """One correction that is believed, as `by` says: of this memory, by words of message `seq`, said at `at_ms`.

    `right`: what holds instead; empty: nothing. `asks`: safety rests on it, so a person is asked.
    """

    memory_id: str
    seq: int
    quote: str
    at_ms: int
    by: str
    right: str = ""
    asks: bool = False


def to_text(decisions: Iterable[Decision]) -> str:
    """Decisions as text, to be kept; the inverse of `from_text`."""
    return json.dumps([each._asdict() for each in decisions], ensure_ascii=False)


def from_text(text: str) -> list[Decision]:
    """The decisions that `to_text` wrote down."""
    return [Decision(**each) for each in json.loads(text)]


def believed(
    corrections: Iterable[Correction], shown: Sequence[Memory], said: Sequence[Said], speakers: Container[str], by: str
) -> tuple[list[Decision], Counter[str]]:
    """Those of a judge that stand, and why the others do not, counted by reason. Pure.

    A quote has to stand in a message of the very person whom the fact is of, or who told of somebody absent (none of
    `speakers`), not said before the fact: rules may have read the fact in that very message. What is always kept in
    mind and is no matter of safety is not a judge's, nor is what a caller told and nothing ends; nor are more than
    EFFECTS_MAX.
    """
    messages = {each.seq: each for each in said}
    refused: Counter[str] = Counter()
    kept: dict[str, Decision] = {}
    for each in corrections:
        memory = shown[each.held] if 0 <= each.held < len(shown) else None
        message = messages.get(each.seq)
        why = _refusal(each, memory, message, speakers)
        if memory is None or message is None or why:
            refused[why] += 1
        elif memory.memory_id in kept or len(kept) >= EFFECTS_MAX:
            refused["more than is applied"] += 1
        else:
            kept[memory.memory_id] = Decision(
                memory.memory_id,
                each.seq,
                _as_said(each.quote, message),
                message.at_ms,
                by,
                right=_right(each, memory, message),
                asks=_is_safety(memory),
            )
    return list(kept.values()), refused


def _refusal(correction: Correction, memory: Memory | None, message: Said | None, speakers: Container[str]) -> str:
    """Why a correction is not believed; empty: it is."""
    if memory is None or message is None:
        return "not what was shown"
    quote = _as_said(correction.quote, message)
    is_another = memory.subject != message.speaker and (memory.subject == USER or memory.subject in speakers)
    reasons = {
        "not by a person": not message.own,
        "no words of its message": not quote,
        "no more than an assent": _ASSENT.fullmatch(quote) is not None,
        "by somebody else": is_another,
        "told by a caller": memory.mind == CALLER and not (_is_safety(memory) or ends(memory.predicate)),
        "said after it": memory.occurred_ms > message.at_ms,
        "always kept in mind": memory.category in NEVER and not _is_safety(memory),
    }
    return next((why for why, holds in reasons.items() if holds), "")


def _is_safety(memory: Memory) -> bool:
    return is_guarded(memory) and safety_detail(memory) is not None


def _right(correction: Correction, memory: Memory, message: Said) -> str:
    """What holds instead, as far as the message says it; the words that correct are more than its name.

    A dose alone takes the place of the one that was held, of the same unit: of sertraline 100 mg, 150 mg.
    """
    right = _as_said(correction.right, message)
    is_name = _plain(right) not in {"", _plain(memory.object), _plain(correction.quote)}
    if not is_name or len(right) > _RIGHT_CHARS_MAX:
        return ""
    if not _AMOUNT.fullmatch(right):
        return right
    dose, held = _DOSE.fullmatch(right), list(_DOSE.finditer(memory.object))
    if dose is None or len(held) != 1 or dose["unit"].casefold() != held[0]["unit"].casefold():
        return ""
    return memory.object[: held[0].start()] + right + memory.object[held[0].end() :]


def _as_said(words: str, message: Said) -> str:
    """Words as the message has them, whatever their case and spaces; empty where it has them not."""
    signs, text = _SPACE.sub("", words)[:_QUOTE_CHARS_MAX], message.text[:_QUOTE_CHARS_MAX]
    found = re.search(r"\s*".join(map(re.escape, signs)), text, re.IGNORECASE) if signs else None
    return found.group() if found else ""


def _plain(text: str) -> str:
    return _SPACE.sub("", text).casefold()


def facts_by(decision: Decision, memory: Memory, message: Said) -> Iterator[FoundFact]:
    """The denial of what was held, and what holds instead."""
    subject = USER if memory.subject == message.speaker else memory.subject
    kind = memory.predicate.removeprefix(POSSIBLE_PREFIX)
    attribute = TAKEN_BACK if decision.asks else ENDED
    over = FoundFact(
        seq=message.seq,
        subject=subject,
        predicate=kind,
        object=memory.object,
        polarity="-",
        quote=decision.quote,
        importance=memory.importance,
        mind=decision.by,
        attributes={attribute: "true", **_of(memory, memory.object, decision)},
    )
    yield over
    if decision.right:
        predicate = POSSIBLE_PREFIX + kind if decision.asks else kind
        of = _of(memory, decision.right, decision)
        yield replace(over, predicate=predicate, object=decision.right, polarity="+", attributes=of)


def _of(memory: Memory, object_: str, decision: Decision) -> Mapping[str, str]:
    """Which memory the object is from, where the words that correct do not say it: it goes when that one goes."""
    return {} if _plain(object_) in _plain(decision.quote) else {CORRECTS: memory.memory_id}


class Corrector:
    """Asks a judge about the units of ended sessions. What is decided is applied in a step of its own, also again."""

    def __init__(self, memories: MemoryStore, rememberer: Rememberer, judge: Judge) -> None:
        self._memories = memories
        self._rememberer = rememberer
        self._judge = judge

    async def decide(self, scope: UserScope, unit: MemUnit) -> list[Decision] | None:
        """What a unit takes back of what is held of its user; None: the judge cannot be asked, or makes no sense.

        One request at most. Raises what the store raises.
        """
        said = await asyncio.to_thread(_said, unit)
        shown = await self._shown(scope, said)
        if not shown:
            return []
        held = [Held(each.subject, each.predicate, each.object, each.text, each.occurred_ms) for each in shown]
        locale = spoken(AUTO, (each.text for each in said))
        try:
            corrections = await self._judge.corrected(scope.tenant, locale, said, held)
        except (TemporaryError, InvariantBroken) as error:
            _LOG.warning("what is taken back is read by rules alone", extra={"reason": error.code})
            return None
        speakers = await self._speakers(scope, said)
        decisions, refused = believed(corrections, shown, said, speakers, self._judge.name)
        for reason, count in refused.items():
            _LOG.warning("a correction is not believed", extra={"reason": reason, "count": count})
        return decisions

    async def apply(self, scope: UserScope, unit: MemUnit, decisions: Sequence[Decision]) -> None:
        """Apply what was decided of a unit.

        What is no longer held stays as it is: so it may be done again. Profiles are not made anew.
        """
        there = await self._memories.get(scope, [each.memory_id for each in decisions])
        held = {each.memory_id: each for each in there if each.archived_ms is None and each.holds}
        said = {each.seq: each for each in await asyncio.to_thread(_said, unit)}
        found = [
            fact
            for each in decisions
            if each.memory_id in held and each.seq in said
            for fact in facts_by(each, held[each.memory_id], said[each.seq])
        ]
        if found:
            await self._rememberer.add(scope, list(facts_of(unit, found, said, self._judge.name, Counter())))

    async def _shown(self, scope: UserScope, said: Sequence[Said]) -> list[Memory]:
        """Facts that are held by a person's last word: those that fit what people say, then the newest.

        None where nothing of it was held before the first: what a session says of itself rules and mind have read.
        """
        own = [each.at_ms for each in said if each.own]
        every = (await all_of(self._memories, scope, _FACTS, _LISTED_MAX))[0] if own else []
        if not any(min(each.occurred_ms, each.valid_from_ms or each.occurred_ms) < min(own) for each in every):
            return []
        held = [each for each in every if _may_be_corrected(each) and each.occurred_ms <= max(own)]
        if len(held) > _SHOWN_MAX:
            held = await self._likeliest(scope, [each for each in said if each.own], held)
        return sorted(held, key=lambda each: (each.occurred_ms, each.memory_id))

    async def _likeliest(self, scope: UserScope, own: Sequence[Said], held: Sequence[Memory]) -> list[Memory]:
        words = list(dict.fromkeys(word for each in own for word in sorted(telling(each.text))))[:_WORDS_MAX]
        fit = {each.memory_id for each in await fitting(self._memories, scope, words, _FACTS, _SHOWN_MAX)}
        return sorted(held, key=lambda each: (each.memory_id not in fit, -each.occurred_ms))[:_SHOWN_MAX]

    async def _speakers(self, scope: UserScope, said: Sequence[Said]) -> frozenset[str]:
        """Who speaks for themself: in this unit, or anywhere that is remembered."""
        return frozenset((*(each.speaker for each in said if each.own), *await self._memories.speakers(scope)))


def _said(unit: MemUnit) -> list[Said]:
    """What was said; an agent that has a name is no person."""
    people = {entry["seq"] for entry in json.loads(unit.messages) if entry["role"] == "user"}
    return [replace(each, own=each.seq in people) for each in said_in(unit)]


def _may_be_corrected(memory: Memory) -> bool:
    return memory.holds and memory.archived_ms is None and memory.polarity == "+"
