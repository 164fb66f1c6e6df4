"""What callers have told of users elsewhere, added to their profiles here."""

from collections.abc import Sequence
from functools import partial, reduce

from memory import fences as fence_names
from memory.consolidation.remember import Rememberer
from memory.consolidation.transfer import Fault, with_told
from memory.errors import InvalidInput
from memory.model.memory import Kind
from memory.model.transfer_calls import RecordOutcome, ToldProfile
from memory.ports import LongTermStore, ProfileCopies
from memory.scope import UserScope


class ToldProfiles:
    """What is there stays: lists grow, and a name or preference is set where there is none."""

    def __init__(self, store: LongTermStore, sessions: ProfileCopies, rememberer: Rememberer) -> None:
        self._store = store
        self._sessions = sessions
        self._rememberer = rememberer

    async def standing(self, scope: UserScope) -> UserScope:
        """Under the user's fence as it is now: what is forgotten from here on does not come back."""
        return scope.under(await self._store.fences([fence_names.of_user(scope)]))

    async def take(
        self, scope: UserScope, told: Sequence[ToldProfile], *, dry_run: bool
    ) -> list[RecordOutcome | Fault]:
        """Add them; what becomes of each, in their order. Repeated it changes nothing, or finishes what was cut off."""
        profile = before = await self._store.get_profile(scope)
        outcomes: list[RecordOutcome | Fault] = []
        fitting: list[ToldProfile] = []
        for each in told:
            try:
                after = with_told(profile, each)
            except InvalidInput:
                outcomes.append(Fault("full", Kind.PROFILE))
                continue
            outcomes.append(RecordOutcome(outcome="added" if after.version > profile.version else "same"))
            fitting.append(each)
            profile = after
        if not dry_run:
            await self._sessions.drop_profile(scope)
            if profile.version > before.version:
                profile = await self._store.update_profile(scope, partial(reduce, with_told, fitting))
            await self._rememberer.settle_doubts(scope, profile)
            await self._sessions.drop_profile(scope)
        return outcomes
