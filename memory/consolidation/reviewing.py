"""How a model comes to a verdict about a memory: in at most three rounds, in which it may ask to see more."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import tzinfo
from typing import Final

from memory.errors import InvariantBroken
from memory.language.choice import AUTO, spoken
from memory.model.memory import Memory
from memory.model.review import Case, Cause, Ruling, Shown, Verdict
from memory.ports import Clock, Reviewer
from memory.scope import UserScope
from memory.zones import day_of

_LOG: Final = logging.getLogger("anamnesis.curation")
ROUNDS: Final = 3
"""In the last one it has to decide."""
BESIDE_MAX: Final = 5
"""Memories that are shown for what is asked about, and for each search."""
_LOOKED_AT: Final = 3 * BESIDE_MAX
"""Of these itself is left out, and what only says again what another one says: a message and the fact in it."""
_ENDS: Final = " \n。！？，.!?,"
_NO_VERDICT: Final = Ruling(Verdict.KEEP, "the model gave no verdict that can be used")

Look = Callable[[UserScope, str, int], Awaitable[Sequence[Memory]]]
"""So many memories of a user that fit a text best, best first. Raises what the store raises."""


class ReviewDecider:
    """Asks a reviewer. Changes nothing."""

    def __init__(self, reviewer: Reviewer, look: Look, clock: Clock, zone: tzinfo) -> None:
        """`zone`: of the clock by which days are shown."""
        self._reviewer = reviewer
        self._look = look
        self._clock = clock
        self._zone = zone
        self.name = reviewer.name

    async def decide(self, scope: UserScope, memory: Memory, cause: Cause) -> Ruling:
        """What is to become of a memory; kept where the answer cannot be used.

        Raises TemporaryError when the model or the store cannot be asked now.
        """
        searched, beside = list[str](), await self._fitting(scope, memory, memory.text, ())
        locale = spoken(AUTO, (memory.text,))
        for left in reversed(range(ROUNDS)):
            case = Case(
                cause,
                self._shown(memory),
                [self._shown(each) for each in beside],
                self._day(self._clock.now_ms()),
                searched,
                may_search=left > 0,
            )
            try:
                answer = await self._reviewer.review(scope.tenant, locale, case)
            except InvariantBroken as error:
                _LOG.info("a memory is kept without a verdict", extra={"reason": str(error)})
                return _NO_VERDICT
            if isinstance(answer, Ruling):
                return answer
            searched = [*searched, answer.words]
            beside = [*beside, *await self._fitting(scope, memory, answer.words, beside)]
        return _NO_VERDICT

    async def _fitting(self, scope: UserScope, memory: Memory, text: str, known: Sequence[Memory]) -> list[Memory]:
        """What fits a text best, and says anything that is not shown yet."""
        said = {self._words(each) for each in (memory, *known)}
        found = list[Memory]()
        for each in await self._look(scope, text, _LOOKED_AT + len(known)):
            if self._words(each) not in said:
                found.append(each)
                said.add(self._words(each))
        return found[:BESIDE_MAX]

    def _words(self, memory: Memory) -> tuple[str, str]:
        return memory.text.strip(_ENDS), self._day(memory.occurred_ms)

    def _shown(self, memory: Memory) -> Shown:
        denied = "not " if memory.polarity == "-" else ""
        fact = f"{memory.subject} {denied}{memory.predicate}: {memory.object}" if memory.predicate else ""
        return Shown(memory.text, self._day(memory.occurred_ms), memory.accesses, fact)

    def _day(self, at_ms: int) -> str:
        return day_of(at_ms, self._zone).isoformat()
