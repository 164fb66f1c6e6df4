"""Where one stretch of a conversation ends and the next begins. Pure: the same messages are always cut alike.

Cuts fall between turns only: a question stays with its tools and its answer. Three things cut: a gap in time, a
stretch that would grow past its limits, and another topic. The topic is told by words: what was said before and what
is said after a point share next to none. Short messages share few words anyway, so that both sides must have enough
of them, and where a turn opens as a new matter does ("您好", "by the way") less difference is enough.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import sqrt
from typing import Final

from memory.language.fenced import without_fenced
from memory.language.terms import terms
from memory.model.session import JournalMessage, Role
from memory.session.times import moment_ms

_SPOKEN: Final = (Role.USER, Role.ASSISTANT)
_SIDE_TURNS: Final = 2
"""How many turns before a point are compared with how many after it."""
_SIDE_WORDS_MIN: Final = 60
_SIMILAR_MAX: Final = 0.08
_SIMILAR_MAX_AT_AN_OPENING: Final = 0.2
_STRETCH_TURNS_MIN: Final = 2
_UNDECIDED_TURNS: Final = _SIDE_TURNS + 1
"""What the next point is like counts too; and the last turn may not be whole."""
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
    """How many messages a turn has, and what its cutting depends on."""

    messages: int
    tokens: int
    first_ms: int
    last_ms: int
    opens: bool
    words: Counter[str]


class Cutter:
    """Cuts messages as they come, and keeps only those of the last few turns: a journal may be of any length."""

    def __init__(self, settings: BoundarySettings) -> None:
        self._settings = settings
        self._turns: list[_Turn] = []
        self._dropped = 0
        """So many turns came before the first of `_turns`."""
        self._decided = 0
        self._new_topic = 0
        self._number: int | None = None
        self._messages = 0
        self._tokens = 0
        self._similar: dict[int, float] = {}

    def add(self, messages: Iterable[JournalMessage]) -> list[int]:
        """The lengths of the stretches that are complete now. There is always one more to come."""
        for message in messages:
            self._take(message)
        return self._cuts(self._total - _UNDECIDED_TURNS)

    def end(self) -> list[int]:
        """The lengths of what is left. Nothing may be added any more."""
        lengths = self._cuts(self._total)
        return [*lengths, self._messages] if self._messages else lengths

    @property
    def _total(self) -> int:
        return self._dropped + len(self._turns)

    def _take(self, message: JournalMessage) -> None:
        moment = _moment(message)
        if message.turn != self._number:
            self._number = message.turn
            opens = _OPENING.match(message.message.content) is not None
            self._turns.append(_Turn(0, 0, moment, moment, opens, Counter()))
        turn = self._turns[-1]
        turn.messages, turn.last_ms = turn.messages + 1, moment
        turn.tokens += message.tokens
        if self._settings.by_topic and message.message.role in _SPOKEN:
            turn.words.update(word for word in terms(without_fenced(message.message.content)) if len(word) > 1)

    def _cuts(self, until: int) -> list[int]:
        """Decide of the turns before `until` whether a stretch begins with them."""
        found = []
        while self._decided < until:
            number, self._decided = self._decided, self._decided + 1
            turn = self._turn(number)
            if number > 0 and self._begins(number, turn):
                found.append(self._messages)
                self._messages = self._tokens = 0
            self._messages += turn.messages
            self._tokens += turn.tokens
        self._forget(self._decided - _SIDE_TURNS - 1)
        return found

    def _begins(self, number: int, turn: _Turn) -> bool:
        settings = self._settings
        new_topic = settings.by_topic and self._is_new_topic(number, turn)
        over = (
            self._messages + turn.messages > settings.messages_max or self._tokens + turn.tokens > settings.tokens_max
        )
        late = turn.first_ms - self._turn(number - 1).last_ms >= settings.gap_ms
        return over or late or new_topic

    def _is_new_topic(self, number: int, turn: _Turn) -> bool:
        """Whether it is the least similar point among its neighbours, and not too near to the last one or the ends."""
        if number - self._new_topic < _STRETCH_TURNS_MIN or number > self._total - _STRETCH_TURNS_MIN:
            return False
        similar = self._similarity(number)
        limit = _SIMILAR_MAX_AT_AN_OPENING if turn.opens else _SIMILAR_MAX
        if similar > limit or similar > min(self._similarity(number - 1), self._similarity(number + 1)):
            return False
        self._new_topic = number
        return True

    def _similarity(self, number: int) -> float:
        """Cosine of the words on both sides of a turn's begin; 1 when a side has too few to say."""
        if number not in self._similar:
            low = number - self._dropped
            before = _words(self._turns[max(0, low - _SIDE_TURNS) : low])
            self._similar[number] = _cosine(before, _words(self._turns[low : low + _SIDE_TURNS]))
        return self._similar[number]

    def _turn(self, number: int) -> _Turn:
        return self._turns[number - self._dropped]

    def _forget(self, before: int) -> None:
        """Keep nothing of turns that no later point looks at."""
        if before > self._dropped:
            del self._turns[: before - self._dropped]
            self._dropped = before
            self._similar = {number: similar for number, similar in self._similar.items() if number >= before}


def stretches(messages: Sequence[JournalMessage], settings: BoundarySettings) -> list[range]:
    """Index ranges of the stretches, which together are all messages in their order. No messages, no stretch."""
    cutter = Cutter(settings)
    ends = list(accumulate([*cutter.add(messages), *cutter.end()]))
    return [range(begin, end) for begin, end in pairwise([0, *ends])]


def _moment(message: JournalMessage) -> int:
    occurred = message.message.occurred_at
    return moment_ms(occurred) if occurred else message.at_ms


def _words(turns: Iterable[_Turn]) -> Counter[str]:
    found = Counter[str]()
    for turn in turns:
        found.update(turn.words)
    return found


def _cosine(before: Counter[str], after: Counter[str]) -> float:
    if min(before.total(), after.total()) < _SIDE_WORDS_MIN:
        return 1.0
    shared = sum(count * after[word] for word, count in before.items())
    return shared / sqrt(_square(before) * _square(after))


def _square(words: Counter[str]) -> int:
    return sum(count * count for count in words.values())
