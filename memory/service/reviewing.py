"""A model decides the routine about memories, as a person would: by DecideReview, one question after the other."""

import logging
from collections.abc import Sequence
from typing import Final

from memory.consolidation.reviewing import ReviewDecider
from memory.errors import AlreadyDecided, DeadlineExceeded, NotFound, TemporaryError
from memory.model.caller import Caller
from memory.model.curation_calls import DecideReviewRequest
from memory.model.memory import Memory
from memory.model.review import OF_MODELS, item_id
from memory.ports import Claims
from memory.scope import UserScope
from memory.service.reviews import Opened, Reviews
from memory.service.search import MemorySearch, Wanted
from memory.service.settings import Ports

_LOG: Final = logging.getLogger("anamnesis.curation")
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
        self._cut_off: dict[str, DecideReviewRequest] = {}

    async def run(self, tenant: str) -> bool:
        """Decide some of what is open of a tenant, the longest open first; returns whether more can be done at once.

        Raises TemporaryError when model or stores cannot be asked now: what is left stays open.
        """
        async with self._claims.claim(f"reviews:{tenant}") as mine:
            if not mine:
                return False
            if (cut_off := self._cut_off.pop(tenant, None)) is not None:
                await self._apply(tenant, cut_off)
            some, more = await self._reviews.open_of(tenant, _ROUTINE, _TOGETHER)
            done = [await self._decide(each) for each in some]
            return more and all(done)

    async def _decide(self, opened: Opened) -> bool:
        scope, question = opened.scope, opened.question
        try:
            ruling = await self._decider.decide(scope, opened.memory, question.cause)
            request = DecideReviewRequest(
                item_id=item_id(opened.memory.memory_id, question),
                user_id=scope.user,
                verdict=ruling.verdict.value,
                why=ruling.why or None,
            )
            await self._apply(scope.tenant, request)
        except DeadlineExceeded:  # of this one; what is behind it is not held up
            _LOG.warning("a memory is not reviewed in time")
            return False
        except TemporaryError:
            raise
        except Exception:  # noqa: BLE001 - the border: one memory must not hold up the others, nor end the worker
            _LOG.exception("a memory cannot be reviewed")
            return False
        return True

    async def _apply(self, tenant: str, request: DecideReviewRequest) -> None:
        """As DecideReview does. What somebody has decided meanwhile, or forgotten, stays as it is.

        What a store in trouble cuts off is applied by the next run: the model is not paid for it again.
        """
        try:
            await self._reviews.decide(Caller(tenant, frozenset(), self._decider.name), request)
        except (AlreadyDecided, NotFound):
            return
        except TemporaryError:
            self._cut_off[tenant] = request
            raise


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
