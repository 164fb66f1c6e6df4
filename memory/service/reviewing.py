"""A model decides the routine about memories, as a person would: by DecideReview, one question after the other."""

from collections.abc import Sequence
from typing import Final

from memory.consolidation.reviewing import ReviewDecider
from memory.errors import AlreadyDecided, NotFound
from memory.model.curation_calls import DecideReviewRequest
from memory.model.memory import Memory
from memory.model.review import OF_MODELS, item_id
from memory.ports import Claims
from memory.scope import UserScope
from memory.service.reviews import Opened, Reviews
from memory.service.search import MemorySearch, Wanted
from memory.service.settings import Caller, Ports

_TOGETHER: Final = 10
"""Questions of a tenant, before the next one's."""
_ROUTINE: Final = tuple(OF_MODELS)


class ReviewRunner:
    """Any number of them may run: a tenant's questions are asked by one at a time, so none is paid for twice."""

    def __init__(self, reviews: Reviews, decider: ReviewDecider, claims: Claims, tenants: Sequence[str]) -> None:
        self._reviews = reviews
        self._decider = decider
        self._claims = claims
        self.tenants = tenants

    async def run(self, tenant: str) -> bool:
        """Decide some of what is open of a tenant, the longest open first; returns whether there is more.

        Raises TemporaryError when model or stores cannot be asked now: what is left stays open.
        """
        async with self._claims.claim(f"reviews:{tenant}") as mine:
            if not mine:
                return False
            some, more = await self._reviews.open_of(tenant, _ROUTINE, _TOGETHER)
            for each in some:
                await self._decide(each)
            return more

    async def _decide(self, opened: Opened) -> None:
        """One. What somebody has decided meanwhile, or forgotten, stays as it is."""
        scope, question = opened.scope, opened.question
        ruling = await self._decider.decide(scope, opened.memory, question.cause)
        request = DecideReviewRequest(
            item_id=item_id(opened.memory.memory_id, question),
            user_id=scope.user,
            verdict=ruling.verdict.value,
            why=ruling.why or None,
        )
        try:
            await self._reviews.decide(Caller(scope.tenant, frozenset(), self._decider.name), request)
        except (AlreadyDecided, NotFound):
            return


def reviewing_of(ports: Ports, reviews: Reviews, search: MemorySearch) -> ReviewRunner | None:
    """By the reviewer of the minds; None where there is none."""
    minds = ports.minds
    if minds.reviewer is None:
        return None

    async def look(scope: UserScope, text: str, limit: int) -> Sequence[Memory]:
        found = await search.find(scope, Wanted(text, limit=limit))
        return [each.memory for each in found.results]

    decider = ReviewDecider(minds.reviewer, look, ports.clock, minds.zone)
    return ReviewRunner(reviews, decider, ports.claims, ports.keys.tenants)
