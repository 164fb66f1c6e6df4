"""Profiles: the long-term store is their truth, the session tier carries a copy that is never stale."""

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from memory import fences as fence_names
from memory.clinical.people import USER
from memory.consolidation.knowledge.profiles import name_of
from memory.consolidation.remember import Rememberer
from memory.consolidation.triples import Told, name_told, verdict_on
from memory.errors import DeadlineExceeded, StoreUnavailable, TemporaryError
from memory.limits import PROFILE_DROPPED_S
from memory.model.caller import Caller
from memory.model.change import Op
from memory.model.history import Doing
from memory.model.memory import CALLER, id_of
from memory.model.profile import SAFETY_KINDS, TIMEZONE, Profile, ProfileChange, apply_change, require_room, timezone_in
from memory.model.requests import SafetyFacts, Triple, UpsertFactsRequest, UpsertPreferencesRequest
from memory.model.responses import ProfileResponse
from memory.model.session import CoreLines, ProfileCopy
from memory.ports import Clock, LivingSessions, LongTermStore, ProfileCopies
from memory.scope import ConversationScope, UserScope
from memory.service.core import NO_CORE, CoreBlock, CoreReader
from memory.service.safety import SafetyReader, details_of
from memory.service.search import named
from memory.service.settings import SessionSettings
from memory.session.context import safety_line_text, text_json
from memory.session.safety import LIST_OF, RELATIVES, Detail, Status, safety_view, shown, users_own
from memory.session.times import moment_ms
from memory.zones import zone_of

_LOG: Final = logging.getLogger("anamnesis.profiles")
_LOADED_WITHIN_S: Final = 0.8 * PROFILE_DROPPED_S
"""A copy of what was read before a drop must find its mark."""


class ProfileKeeper:
    """Reads, changes and copies profiles."""

    def __init__(
        self,
        sessions: ProfileCopies,
        store: LongTermStore,
        core: CoreReader,
        rememberer: Rememberer,
        safety: SafetyReader,
        settings: SessionSettings,
    ) -> None:
        self._sessions = sessions
        self._store = store
        self._memories = core.memories
        self._core = core
        self._rememberer = rememberer
        self._safety = safety
        self._settings = settings

    @property
    def counting(self) -> str:
        """The locale in which copies have their safety line."""
        return self._settings.counting

    async def load(self, scope: UserScope, *, keeps: bool = True) -> ProfileCopy:
        """Read the truth and leave a copy of it in the session tier, unless it `keeps` none.

        Raises StoreUnavailable, DeadlineExceeded.
        """
        try:
            async with asyncio.timeout(_LOADED_WITHIN_S):
                forgotten = await self._forgotten(scope)
                copy = await self._copy(scope, await self._store.get_profile(scope))
        except TimeoutError as error:
            raise DeadlineExceeded("the long-term store did not answer in time") from error
        try:
            if forgotten is not None and keeps:
                await self._sessions.put_profile(scope, copy, self._settings.copies, forgotten)
        except TemporaryError as error:  # a reader needs no copy: the next one reads the truth again
            _LOG.warning("profile copy not stored: %s", error.code)
        return copy

    async def _forgotten(self, scope: UserScope) -> int | None:
        """For a copy; None while the session tier does not answer: then there is none."""
        try:
            return await self._sessions.forgotten(scope)
        except TemporaryError:
            return None

    async def kept(self, scope: UserScope) -> ProfileCopy:
        """What was last known, for when the truth can't be read: an allergy is shown rather than hidden.

        It may be older than the truth, so whoever shows it says so.
        """
        copy = await self._sessions.kept_profile(scope)
        if copy is None:
            return NOBODY
        return await self._worded(copy, self._settings.counting)

    async def in_locale(self, copy: ProfileCopy, locale: str) -> ProfileCopy:
        """The copy with its safety line in this locale; as they are kept they have it in that of counting."""
        if locale == self._settings.counting or not copy.safety_tokens:
            return copy
        return await self._worded(copy, locale)

    async def core(self, copy: ProfileCopy, locale: str) -> CoreBlock:
        """What stands in a context in this locale beside safety."""
        return await self._core.block(copy.core, locale) if copy.core.tokens else NO_CORE

    async def change(self, scope: UserScope, change: ProfileChange) -> Profile:
        """Drop the copy, change the truth, store the new copy; only then is the change acknowledged.

        What is kept for an outage stays until there is a new copy: a change that fails hides no allergy.
        A crash or an error between leaves no copy, or one that a repetition of the request replaces.
        """
        forgotten = await self._sessions.forgotten(scope)
        dropped = await self._sessions.drop_profile(scope)

        def changed(before: Profile) -> Profile:
            return require_room(before, apply_change(before, change))

        profile = await self._store.update_profile(scope, changed)
        copy = await self._copy(scope, profile)
        await self._sessions.put_profile(scope, copy, self._settings.copies, forgotten, dropped)
        return profile

    async def settle_doubts(self, scope: UserScope, profile: Profile) -> None:
        """Ask no more of denials whose claim is held nowhere now; the copy is let go, as it may show them."""
        if await self._rememberer.settle_doubts(scope, profile):
            await self._sessions.drop_profile(scope)

    async def known(self, scope: UserScope, profile: Profile) -> tuple[Profile, list[Detail]]:
        """The profile with the name that was said or told last, and what is known of safety, told or found."""
        facts = await self._rememberer.core_facts(scope)
        name = name_of(profile, facts)
        return replace(profile, name=name), [*told_details(scope, profile), *self._safety.known(facts, name)]

    async def details(self, scope: UserScope, *, whole: bool = False) -> list[Detail]:
        """All that is known of a user's safety, and all that was said of it and is not in memory yet.

        With `whole` StoreUnavailable is raised where what was said cannot be read; without it that is left out.
        """
        said = await self._safety.elsewhere(scope, None)  # first: what becomes memory meanwhile is found there
        if whole and said.degraded:
            raise StoreUnavailable("what was said and is not in memory yet cannot be read now; nothing was changed")
        _, known = await self.known(scope, await self._store.get_profile(scope))
        return [*known, *details_of(said.said, scope.tenant, scope.user)]

    async def _copy(self, scope: UserScope, profile: Profile) -> ProfileCopy:
        remembers = await self._memories.count(scope) > 0
        speakers = named(await self._memories.speakers(scope)) if remembers else ()
        details = told_details(scope, profile)
        if remembers:
            profile, details = await self.known(scope, profile)
        safety = safety_view({}, map(shown, details))
        line = safety_line_text(safety, self._settings.counting)
        return ProfileCopy(
            version=profile.version,
            safety_json=_json(users_own(safety)),
            safety_line_json=text_json(line),
            safety_tokens=await self._safety.tokens_of(line),
            snapshot_json=_json(snapshot(profile, safety)),
            remembers=remembers,
            speakers=speakers,
            relatives_json=_json(safety[RELATIVES]),
            core=await self._core.lines(scope, zone_of(timezone_in(profile.preferences))) if remembers else CoreLines(),
        )

    async def _worded(self, copy: ProfileCopy, locale: str) -> ProfileCopy:
        known = json.loads(copy.safety_json)
        every = [*known.get("details", ()), *json.loads(copy.relatives_json)]  # gateways up to 0.1 kept the lists alone
        view = safety_view(known, every)
        line = safety_line_text(view, locale)
        return copy._replace(
            safety_json=_json(users_own(view)),
            safety_line_json=text_json(line),
            safety_tokens=await self._safety.tokens_of(line),
        )


class ProfileOperations:
    """UpsertFacts, UpsertPreferences, GetProfile."""

    def __init__(
        self,
        keeper: ProfileKeeper,
        safety: SafetyReader,
        sessions: LivingSessions,
        store: LongTermStore,
        rememberer: Rememberer,
        clock: Clock,
    ) -> None:
        self._keeper = keeper
        self._safety = safety
        self._sessions = sessions
        self._store = store
        self._rememberer = rememberer
        self._clock = clock

    async def upsert_facts(self, caller: Caller, request: UpsertFactsRequest) -> ProfileResponse:
        """Add or take off facts; noted in the journal of the conversation, when one is named.

        What is taken off no longer holds from now on, whoever told it or found it: what is only said is denied, so that
        it does not come back with its session. Triples become memories at once.
        """
        scope, now_ms = UserScope(caller.tenant, request.user_id), self._clock.now_ms()
        standing, remembering = await self._standing(scope), await self._rememberer.standing(scope)
        change = ProfileChange(add=_kinds(request.facts), remove=_kinds(request.remove))
        told = [_told(request, triple, now_ms) for triple in request.triples or ()]
        if any(change.add.values()) or any(change.remove.values()):
            details = await self._keeper.details(scope, whole=any(change.remove.values()))
            gone = _meant(details, change.remove)
            told += [verdict_on(each, holds=False, now_ms=now_ms) for each in gone if not each.is_memory]
            ended = [*gone, *_meant(details, change.add, denied=True)]
            ids = [each.fact_id for each in ended if each.is_memory]
            await self._rememberer.end(remembering, ids, Doing(Op.ENDED, caller.by, now_ms), now_ms)
        memories = await self._rememberer.tell(remembering, told)
        profile = await self._keeper.change(standing, change)
        await self._keeper.settle_doubts(remembering, profile)
        noted = request.model_dump(include={"facts", "remove", "triples"}, exclude_none=True)
        if noted:
            await self._note(caller, request, "facts", noted)
        told_ids = [memory.memory_id for memory in memories]
        return await profile_response(self._keeper, self._safety, scope, profile, told_ids)

    async def upsert_preferences(self, caller: Caller, request: UpsertPreferencesRequest) -> ProfileResponse:
        """Set preferences and name; noted in the journal of the conversation, when one is named.

        A name becomes a memory too, at once: it stands wherever one does that the user said, and ends that one.
        """
        preferences = dict(request.preferences)
        if request.timezone is not None:
            preferences[TIMEZONE] = request.timezone
        change = ProfileChange(preferences=preferences, name=request.name)
        scope, now_ms = UserScope(caller.tenant, request.user_id), self._clock.now_ms()
        standing = await self._standing(scope)
        if request.name is not None:
            remembering = await self._rememberer.standing(scope)
            await self._rememberer.tell(remembering, [name_told(request.name, now_ms)])
        profile = await self._keeper.change(standing, change)
        noted = {"preferences": preferences, "name": request.name}
        await self._note(caller, request, "preferences", noted)
        return await profile_response(self._keeper, self._safety, scope, profile)

    async def _standing(self, scope: UserScope) -> UserScope:
        """Asked for first: a request that sleeps while the user is forgotten changes nothing when it wakes."""
        return scope.under(await self._store.fences([fence_names.of_user(scope)]))

    async def get(self, caller: Caller, user_id: str) -> ProfileResponse:
        """Read the truth."""
        scope = UserScope(caller.tenant, user_id)
        return await profile_response(self._keeper, self._safety, scope, await self._store.get_profile(scope))

    async def _note(
        self,
        caller: Caller,
        request: UpsertFactsRequest | UpsertPreferencesRequest,
        kind: str,
        fields: Mapping[str, object],
    ) -> None:
        if request.conversation_id is not None:
            scope = ConversationScope(caller.tenant, request.conversation_id)
            await self._sessions.record(scope, request.user_id, kind, _json(fields)[1:-1])


async def profile_response(
    keeper: ProfileKeeper, safety: SafetyReader, scope: UserScope, profile: Profile, told: Sequence[str] = ()
) -> ProfileResponse:
    """The profile with what was found; `memory_ids` are those of the memories that are behind this answer."""
    said = await safety.elsewhere(scope, None)  # first: what becomes memory meanwhile is found there
    whole, details = await keeper.known(scope, profile)
    found = [detail.fact_id for detail in details if detail.is_memory]
    return ProfileResponse(
        user_id=whole.user_id,
        name=whole.name or None,
        preferences=dict(whole.preferences),
        version=whole.version,
        memory_ids=list(dict.fromkeys((*told, *found))),
        degraded=list(said.degraded),
        **safety_view({}, map(shown, (*details, *details_of(said.said, scope.tenant, scope.user)))),
    )


def told_details(scope: UserScope, profile: Profile) -> list[Detail]:
    """What callers have told of a user's safety."""
    return [
        Detail(kind, text, Status.CONFIRMED, fact_id=_told_id(scope, kind, text))
        for kind, name in LIST_OF.items()
        if name in SAFETY_KINDS
        for text in getattr(profile, name)
    ]


def _told_id(scope: UserScope, kind: str, text: str) -> str:
    return id_of(f"{scope}/{CALLER}/{kind}/{text.casefold()}", scope.tenant, scope.user)


def snapshot(profile: Profile, safety: Mapping[str, object]) -> dict[str, object]:
    """The original's user part: what is empty is left out."""
    parts = {"name": profile.name, **safety, "preferences": dict(profile.preferences)}
    return {"user_id": profile.user_id, **{name: value for name, value in parts.items() if value}}


def _kinds(facts: SafetyFacts | None) -> dict[str, tuple[str, ...]]:
    return {kind: getattr(facts, kind) or () for kind in SAFETY_KINDS} if facts else {}


def _meant(details: Sequence[Detail], texts: Mapping[str, Sequence[str]], *, denied: bool = False) -> list[Detail]:
    """Those that are known of these texts, by the names of lists; not what a list alone holds."""
    named = {(name, text.strip().casefold()) for name, each in texts.items() for text in each}
    return [
        detail
        for detail in details
        if detail.said_ms
        and detail.subject == USER
        and detail.denied == denied
        and (LIST_OF[detail.kind], detail.text.casefold()) in named
    ]


def _told(request: UpsertFactsRequest, triple: Triple, now_ms: int) -> Told:
    return Told(
        subject=triple.subject,
        predicate=triple.predicate,
        object=triple.object,
        quote=triple.quote or "",
        conversation=request.conversation_id or "",
        told_ms=now_ms,
        valid_from_ms=None if triple.valid_from is None else moment_ms(triple.valid_from),
    )


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


NOBODY: Final = ProfileCopy(0, _json(users_own(safety_view({}, ()))), b'""', 0, b"null", remembers=False)
