"""ListReviews, DecideReview: what a person, or a model, is asked about memories, and what they say."""

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memory.clinical.findings import CONTRADICTS
from memory.clinical.people import USER
from memory.clinical.sameness import is_of_one
from memory.consolidation.knowledge.profiles import places_of
from memory.consolidation.pages import all_of
from memory.consolidation.remember import Rememberer, told_of
from memory.consolidation.reviews import ReviewSettings, question_of
from memory.errors import AlreadyDecided, FieldError, InvalidInput, NotFound
from memory.model.caller import Caller
from memory.model.change import Change, Op
from memory.model.curation_calls import (
    DecideReviewRequest,
    DecideReviewResponse,
    ListReviewsRequest,
    ListReviewsResponse,
    ReviewItem,
    VerdictMeans,
)
from memory.model.history import Doing, noted
from memory.model.memory import CALLER, Category, Kind, Memory
from memory.model.memory_calls import MemoryAnswer
from memory.model.requests import ConfirmFactsRequest
from memory.model.review import (
    SAFETY,
    VERDICTS,
    Cause,
    OpenReview,
    Question,
    ReviewPlace,
    Verdict,
    item_id,
    item_of,
)
from memory.model.search import Filter
from memory.ports import Clock, MemoryStore
from memory.privacy.replacer import Replacer
from memory.retrieval.decay import DecaySettings, fades_below, kept
from memory.scope import UserScope
from memory.service.confirmation import FactConfirmation
from memory.service.memories import Remembered
from memory.service.memory_answers import memory_fields
from memory.service.review_words import asked, meant
from memory.session.safety import POSSIBLE_PREFIX
from memory.session.times import rfc3339

_LOOKED_AT_MAX: Final = 20_000
"""Records of one user who is asked for."""
_BESIDE_MAX: Final = 5
_MOMENT: Final = re.compile(r"[0-9]{1,15}")
_OPS: Final = {Verdict.PROMOTE: Op.PROMOTED, Verdict.KEEP: Op.KEPT, Verdict.DELETE: Op.ARCHIVED}
_SAID: Final = Filter(kinds=(Kind.FACT, Kind.EVENT, Kind.CREATED))


class By(NamedTuple):
    """By what it is asked, and what the store is given instead of identifiers in reasons."""

    decay: DecaySettings
    reviews: ReviewSettings
    replacer: Replacer


class Opened(NamedTuple):
    """A question that is open, of whose memory."""

    memory: Memory
    scope: UserScope
    question: Question

    @property
    def place(self) -> ReviewPlace:
        """Where it stands in the order."""
        return ReviewPlace(self.question.opened_ms, self.memory.memory_id)


class Reviews:
    """Questions are views of records: they come with them, and go with them. A verdict is written into the record."""

    def __init__(
        self,
        remembered: Remembered,
        rememberer: Rememberer,
        confirmation: FactConfirmation,
        clock: Clock,
        rules: By,
    ) -> None:
        self._remembered = remembered
        self._memories: MemoryStore = remembered.memories
        self._rememberer = rememberer
        self._confirmation = confirmation
        self._clock = clock
        self._decay, self._settings, self._replacer = rules

    async def page(self, caller: Caller, request: ListReviewsRequest) -> ListReviewsResponse:
        """A page of what is open. Raises InvalidInput for a cursor that is none."""
        after, limit = _place(request.cursor), request.limit
        causes = list(Cause) if request.cause is None else [Cause(request.cause)]
        now_ms = self._clock.now_ms()
        if request.user_id is None:
            found, more = await self._of_tenant(caller.tenant, causes, now_ms, after, limit)
            counted = await asyncio.gather(
                *(self._memories.count_reviews(caller.tenant, each, now_ms) for each in Cause)
            )
            counts = dict(zip(Cause, counted, strict=True))
        else:
            every = await self._of_user(UserScope(caller.tenant, request.user_id), now_ms)
            counts = {cause: sum(each.question.cause is cause for each in every) for cause in Cause}
            behind = [each for each in every if each.question.cause in causes and each.place > after]
            found, more = behind[:limit], len(behind) > limit
        items = await asyncio.gather(*(self._item(each, request.locale) for each in found))
        cursor = f"{found[-1].place.opened_ms}.{found[-1].place.memory_id}" if found and more else ""
        return ListReviewsResponse(items=list(items), cursor=cursor, counts=counts)

    async def open_of(self, tenant: str, causes: Iterable[Cause], limit: int) -> tuple[list[Opened], bool]:
        """So many of what is open of all users, the longest open first, and whether there is more."""
        return await self._of_tenant(tenant, causes, self._clock.now_ms(), ReviewPlace(), limit)

    async def _of_tenant(
        self, tenant: str, causes: Iterable[Cause], now_ms: int, after: ReviewPlace, limit: int
    ) -> tuple[list[Opened], bool]:
        """So many of what is open, and whether there are more. What is listed and asks no longer is passed over."""
        found: list[Opened] = []
        while True:
            pages = [await self._memories.reviews(tenant, each, now_ms, after, limit + 1) for each in causes]
            listed = sorted(((each, cause) for cause, page in zip(causes, pages, strict=True) for each in page))
            some = listed[: limit + 1]
            found += await self._still_open(tenant, some, now_ms)
            if len(found) > limit or len(listed) <= limit:
                return found[:limit], len(found) > limit
            last, _ = some[-1]
            after = ReviewPlace(last.opened_ms, last.memory_id)

    async def _still_open(self, tenant: str, listed: Sequence[tuple[OpenReview, Cause]], now_ms: int) -> list[Opened]:
        by_user: dict[str, list[str]] = {}
        for each, _ in listed:
            by_user.setdefault(each.user, []).append(each.memory_id)
        reads = (self._memories.get(UserScope(tenant, user), ids) for user, ids in by_user.items())
        read = zip(by_user, await asyncio.gather(*reads), strict=True)
        there = {(user, memory.memory_id): memory for user, memories in read for memory in memories}
        found = []
        for each, cause in listed:
            memory = there.get((each.user, each.memory_id))
            opened = self._open(memory, UserScope(tenant, each.user), now_ms) if memory else None
            if opened is not None and opened.question == Question(cause, each.opened_ms):
                found.append(opened)
        return found

    async def _of_user(self, scope: UserScope, now_ms: int) -> list[Opened]:
        """All that is open of one user, in order."""
        memories, _ = await all_of(self._memories, scope, _SAID, _LOOKED_AT_MAX)
        found = [each for memory in memories if (each := self._open(memory, scope, now_ms)) is not None]
        return sorted(found, key=lambda each: each.place)

    def _open(self, memory: Memory, scope: UserScope, now_ms: int) -> Opened | None:
        question = question_of(memory, self._decay, self._settings)
        return Opened(memory, scope, question) if question is not None and question.opened_ms <= now_ms else None

    async def _beside(self, opened: Opened) -> list[Memory]:
        """Of safety: what is held of the same subject and predicate, that which says the same thing first."""
        memory, scope = opened.memory, opened.scope
        predicate = memory.predicate.removeprefix(POSSIBLE_PREFIX)
        if opened.question.cause not in SAFETY:
            return []
        facts = await self._memories.facts(scope, memory.subject, predicate)
        others = [each for each in facts if each.holds and each.memory_id != memory.memory_id]
        return sorted(others, key=lambda each: (not _is_of(each, memory), each.occurred_ms, each.memory_id))

    async def _as_recorded(self, opened: Opened, beside: Sequence[Memory]) -> str:
        """What is asked about, as it was told: what is denied, in a memory beside it or in the profile's lists."""
        memory = opened.memory
        denied = memory.attributes.get(CONTRADICTS, "")
        told = next((each.object for each in beside if each.memory_id == denied), "")
        if denied and not told and memory.subject == USER:
            profile = await self._remembered.units.get_profile(opened.scope)
            listed = (each.object for each in told_of(profile) if each.predicate == memory.predicate)
            told = next((each for each in listed if is_of_one(each, memory.object)), "")
        return told or memory.object

    async def _item(self, opened: Opened, locale: str | None) -> ReviewItem:
        memory, cause = opened.memory, opened.question.cause
        beside = await self._beside(opened)
        named = await self._as_recorded(opened, beside)
        leaves_ms = fades_below(memory, self._decay.forget_below, self._decay) if self._decay.forgets else None
        return ReviewItem(
            item_id=item_id(memory.memory_id, opened.question),
            cause=cause,
            user_id=opened.scope.user,
            memory=self._answer(memory),
            beside=[self._answer(each) for each in beside[:_BESIDE_MAX]],
            why=asked(memory, cause, locale, named),
            verdicts=[
                VerdictMeans(verdict=each, means=meant(memory, cause, each, locale, named)) for each in VERDICTS[cause]
            ],
            opened_at=rfc3339(opened.question.opened_ms),
            forget_at=None if leaves_ms is None else rfc3339(leaves_ms),
        )

    async def decide(self, caller: Caller, request: DecideReviewRequest) -> DecideReviewResponse:
        """Decide one. Raises NotFound, InvalidInput for a verdict that does not answer it, AlreadyDecided.

        The verdict is stored before it is applied: cut off between the two, the same again applies it.
        """
        memory_id, question = item_of(request.item_id)
        verdict = Verdict(request.verdict)
        _require_fitting(question.cause, verdict)
        owner = await self._remembered.owner(caller, request.user_id, memory_id)
        scope = await self._rememberer.standing(owner)
        now_ms = self._clock.now_ms()
        why = self._replacer.text(scope.tenant, request.why or "")
        op = Op.REVIEWED if question.cause in SAFETY else _OPS[verdict]
        deciding = Doing(op, caller.by, now_ms, why, request.item_id, verdict)
        replayed = False

        def change(memory: Memory) -> Memory:
            nonlocal replayed
            before = _decision(memory, request.item_id)
            replayed = before is not None
            if before is not None:
                _require_same(before, verdict)
                return memory
            if question_of(memory, self._decay, self._settings) != question or question.opened_ms > now_ms:
                raise AlreadyDecided("this question is open no longer: the memory has changed since it was asked")
            return noted(memory, self._effect(memory, question.cause, verdict, now_ms), deciding)

        changed = await self._memories.change(scope, (memory_id,), change)
        if not changed:
            raise NotFound("no such memory is stored")
        memory = changed[0]
        await self._remembered.changed(scope, changed)
        if question.cause in SAFETY:
            await self._confirm(caller, scope, memory, question.cause, verdict, why)
        elif verdict is Verdict.DELETE and memory.kind is Kind.FACT:
            await self._rememberer.settle_again(scope, changed, *places_of(scope, changed))
        now = (await self._memories.get(scope, (memory_id,))) or [memory]
        return _decided(request.item_id, now[0], self._answer(now[0]), replayed=replayed)

    def _effect(self, memory: Memory, cause: Cause, verdict: Verdict, now_ms: int) -> Memory:
        after = replace(memory, reviewed_ms=now_ms, updated_ms=now_ms)
        if verdict is Verdict.PROMOTE:
            return replace(after, category=Category.CORE)
        if verdict is Verdict.DELETE:
            return replace(after, archived_ms=now_ms)
        if verdict is Verdict.KEEP and cause is Cause.FADING:
            return kept(after, now_ms, self._settings.keep_level, self._decay)
        return after

    async def _confirm(
        self, caller: Caller, scope: UserScope, memory: Memory, cause: Cause, verdict: Verdict, why: str
    ) -> None:
        """A person's word on safety, as ConfirmFacts takes it. Of a denial: what is denied is wrong, or is so.

        Also where a caller's word stands in its place already: that may be this one, cut off before it had all been
        applied. One that says otherwise, or holds no longer, came later.
        """
        applies = verdict is Verdict.APPLY
        if memory.superseded_by:
            (by,) = await self._memories.get(scope, (memory.superseded_by,)) or (None,)
            if by is None or by.mind != CALLER:
                raise AlreadyDecided("the memory has changed since this was decided: ask ListReviews again")
            if not by.holds or (by.polarity == memory.polarity) is not applies:
                return
        fact_ids, is_right = [memory.memory_id], applies
        if cause is Cause.CONTRADICTION and applies:
            claimed = await self._confirmation.claims_of(scope, memory)
            fact_ids, is_right = (claimed, False) if claimed else (fact_ids, True)
        await self._confirmation.confirm(
            caller,
            ConfirmFactsRequest(
                user_id=scope.user,
                fact_ids=fact_ids,
                verdict="confirmed" if is_right else "wrong",
                why=why or None,
            ),
        )

    def _answer(self, memory: Memory) -> MemoryAnswer:
        return MemoryAnswer.model_validate(memory_fields(memory, self._decay))


def _is_of(one: Memory, other: Memory) -> bool:
    """Whether two facts are of one thing, whatever they say of it."""
    return one.object.casefold() == other.object.casefold()


def _place(cursor: str) -> ReviewPlace:
    if not cursor:
        return ReviewPlace()
    opened, _, memory_id = cursor.partition(".")
    if not _MOMENT.fullmatch(opened):
        message = "is not one that ListReviews gave"
        raise InvalidInput(f"cursor {message}", fields=(FieldError("cursor", message),))
    return ReviewPlace(int(opened), memory_id)


def _require_fitting(cause: Cause, verdict: Verdict) -> None:
    if verdict not in VERDICTS[cause]:
        message = f"must be one of {', '.join(VERDICTS[cause])} for {cause}"
        raise InvalidInput(f"verdict {message}", fields=(FieldError("verdict", message),))


def _decision(memory: Memory, item: str) -> Change | None:
    return next((each for each in memory.changes if each.decides == item), None)


def _require_same(before: Change, verdict: Verdict) -> None:
    if before.verdict != verdict:
        told: Mapping[str, object] = {"verdict": before.verdict, "by": before.by, "decided_at": rfc3339(before.at_ms)}
        raise AlreadyDecided(f"{before.by} has decided {before.verdict}", more=told)


def _decided(item: str, memory: Memory, answer: MemoryAnswer, *, replayed: bool) -> DecideReviewResponse:
    change = _decision(memory, item)
    if change is None:
        raise NotFound("the memory was forgotten meanwhile")
    return DecideReviewResponse(
        item_id=item,
        verdict=Verdict(change.verdict),
        by=change.by,
        decided_at=rfc3339(change.at_ms),
        why=change.why or None,
        replayed=replayed,
        memory=answer,
    )
