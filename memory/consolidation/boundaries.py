"""Where one stretch of a conversation ends and the next begins. Pure: the same messages are always cut alike.

Cuts fall between turns only: a question stays with its tools and its answer. Three things cut: a gap in time, a
stretch that would grow past its limits, and another topic. The topic is told by words: what was said before and what
is said after a point share next to none. Short messages share few words anyway, so that both sides must have enough
of them, and where a turn opens as a new matter does ("您好", "by the way") less difference is enough.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from memory.language.terms import terms
from memory.model.session import JournalMessage, Role
from memory.retrieval.render import without_recalled
from memory.session.times import moment_ms

_SPOKEN: Final = (Role.USER, Role.ASSISTANT)
_SIDE_TURNS: Final = 2
"""How many turns before a point are compared with how many after it."""
_SIDE_WORDS_MIN: Final = 60
_SIMILAR_MAX: Final = 0.08
_SIMILAR_MAX_AT_AN_OPENING: Final = 0.2
_STRETCH_TURNS_MIN: Final = 2
_OPENING: Final = re.compile(
    r"\s*(?:你好|您好|医生|大夫|请问|对了|另外|顺便|再问|换个话题|还有一?个问题"
    r"|(?:hi|hello|by the way|also|another (?:question|thing))\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class BoundarySettings:
    """Section `memunit`. A single turn is never cut, however long it is."""

    gap_ms: int = 1_800_000
    messages_max: int = 100
    tokens_max: int = 8_000
    by_topic: bool = True


@dataclass(slots=True)
class _Turn:
    """The messages of one turn by index, and what its cutting depends on."""

    begin: int
    end: int
    tokens: int
    first_ms: int
    last_ms: int
    opens: bool
    words: Counter[str]


def stretches(messages: Sequence[JournalMessage], settings: BoundarySettings) -> list[range]:
    """Index ranges of the stretches, which together are all messages in their order. No messages, no stretch."""
    turns = _turns(messages)
    if not turns:
        return []
    new_topics = _topic_changes(turns) if settings.by_topic else set()
    found = []
    begin = count = tokens = 0
    for number, turn in enumerate(turns):
        length = turn.end - turn.begin
        over = count + length > settings.messages_max or tokens + turn.tokens > settings.tokens_max
        late = number > 0 and turn.first_ms - turns[number - 1].last_ms >= settings.gap_ms
        if number > 0 and (over or late or number in new_topics):
            found.append(range(begin, turn.begin))
            begin, count, tokens = turn.begin, 0, 0
        count += length
        tokens += turn.tokens
    found.append(range(begin, len(messages)))
    return found


def _turns(messages: Sequence[JournalMessage]) -> list[_Turn]:
    turns: list[_Turn] = []
    number = None
    for index, message in enumerate(messages):
        moment = _moment(message)
        if message.turn != number:
            number = message.turn
            opens = _OPENING.match(message.message.content) is not None
            turns.append(_Turn(index, index, 0, moment, moment, opens, Counter()))
        turn = turns[-1]
        turn.end, turn.last_ms = index + 1, moment
        turn.tokens += message.tokens
        if message.message.role in _SPOKEN:
            turn.words.update(word for word in terms(without_recalled(message.message.content)) if len(word) > 1)
    return turns


def _moment(message: JournalMessage) -> int:
    occurred = message.message.occurred_at
    return moment_ms(occurred) if occurred else message.at_ms


def _topic_changes(turns: Sequence[_Turn]) -> set[int]:
    """Numbers of the turns that begin another topic: the least similar points among their neighbours."""
    similar = [1.0] + [_similarity(turns, number) for number in range(1, len(turns))] + [1.0]
    found: set[int] = set()
    last = 0
    for number in range(_STRETCH_TURNS_MIN, len(turns) - _STRETCH_TURNS_MIN + 1):
        limit = _SIMILAR_MAX_AT_AN_OPENING if turns[number].opens else _SIMILAR_MAX
        lowest = similar[number] == min(similar[number - 1 : number + 2])
        if lowest and similar[number] <= limit and number - last >= _STRETCH_TURNS_MIN:
            found.add(number)
            last = number
    return found


def _similarity(turns: Sequence[_Turn], number: int) -> float:
    """Cosine of the words on both sides of a turn's begin; 1 when a side has too few to say."""
    before, after = Counter[str](), Counter[str]()
    for turn in turns[max(0, number - _SIDE_TURNS) : number]:
        before.update(turn.words)
    for turn in turns[number : number + _SIDE_TURNS]:
        after.update(turn.words)
    if min(before.total(), after.total()) < _SIDE_WORDS_MIN:
        return 1.0
    shared = sum(count * after[word] for word, count in before.items())
    return shared / sqrt(_square(before) * _square(after))


def _square(words: Counter[str]) -> int:
    return sum(count * count for count in words.values())
