"""Profiles: the long-term store is their truth, the session tier carries a copy that is never stale."""

import json
import logging
from collections.abc import Mapping
from typing import Final

from memory.errors import TemporaryError
from memory.model.profile import SAFETY_KINDS, Profile, ProfileChange, apply_change
from memory.model.requests import SafetyFacts, UpsertFactsRequest, UpsertPreferencesRequest
from memory.model.responses import ProfileResponse
from memory.model.session import ProfileCopy
from memory.ports import LongTermStore, MemoryStore, SessionStore, TokenCounter
from memory.scope import ConversationScope, UserScope
from memory.service.settings import Caller, SessionSettings
from memory.session.context import safety_line_text, text_json

_LOG: Final = logging.getLogger("anamnesis.profiles")
_NO_SAFETY: Final = b'{"allergies":[],"chronic_diseases":[],"surgery_history":[]}'
NOBODY: Final = ProfileCopy(0, _NO_SAFETY, b'""', 0, b"null", remembers=False)


class ProfileKeeper:
    """Reads, changes and copies profiles."""

    def __init__(
        self,
        sessions: SessionStore,
        store: LongTermStore,
        memories: MemoryStore,
        tokens: TokenCounter,
        settings: SessionSettings,
    ) -> None:
        self._sessions = sessions
        self._store = store
        self._memories = memories
        self._tokens = tokens
        self._settings = settings

    async def load(self, scope: UserScope) -> ProfileCopy:
        """Read the truth and leave a copy of it in the session tier. Raises StoreUnavailable."""
        copy = await self._copy(scope, await self._store.get_profile(scope))
        try:
            await self._sessions.put_profile(scope, copy, self._settings.stamp)
        except TemporaryError as error:  # a reader needs no copy: the next one reads the truth again
            _LOG.warning("profile copy not stored: %s", error.code)
        return copy

    async def kept(self, scope: UserScope) -> ProfileCopy:
        """What was last known, for when the truth can't be read: an allergy is shown rather than hidden.

        It may be older than the truth, so whoever shows it says so.
        """
        copy = await self._sessions.kept_profile(scope)
        if copy is None:
            return NOBODY
        line = safety_line_text(json.loads(copy.safety_json), self._settings.locale)
        return copy._replace(safety_line_json=text_json(line), safety_tokens=await self._tokens_of(line))

    async def change(self, scope: UserScope, change: ProfileChange) -> Profile:
        """Drop the copy, change the truth, store the new copy; only then is the change acknowledged.

        What is kept for an outage stays until there is a new copy: a change that fails hides no allergy.
        A crash or an error between leaves no copy, or one that a repetition of the request replaces.
        """
        await self._sessions.drop_profile(scope)
        profile = await self._store.update_profile(scope, lambda before: apply_change(before, change))
        await self._sessions.put_profile(scope, await self._copy(scope, profile), self._settings.stamp)
        return profile

    async def _copy(self, scope: UserScope, profile: Profile) -> ProfileCopy:
        safety = profile.safety()
        line = safety_line_text(safety, self._settings.locale)
        return ProfileCopy(
            version=profile.version,
            safety_json=_json(safety),
            safety_line_json=text_json(line),
            safety_tokens=await self._tokens_of(line),
            snapshot_json=_json(snapshot(profile)),
            remembers=await self._memories.count(scope) > 0,
        )

    async def _tokens_of(self, line: str) -> int:
        return await self._tokens.count(line + "\n") if line else 0


class ProfileOperations:
    """UpsertFacts, UpsertPreferences, GetProfile."""

    def __init__(self, keeper: ProfileKeeper, sessions: SessionStore, store: LongTermStore) -> None:
        self._keeper = keeper
        self._sessions = sessions
        self._store = store

    async def upsert_facts(self, caller: Caller, request: UpsertFactsRequest) -> ProfileResponse:
        """Add or take off safety facts; noted in the journal of the conversation, when one is named."""
        change = ProfileChange(add=_kinds(request.facts), remove=_kinds(request.remove))
        profile = await self._keeper.change(UserScope(caller.tenant, request.user_id), change)
        await self._note(caller, request.conversation_id, "facts", request.model_dump(include={"facts", "remove"}))
        return _response(profile)

    async def upsert_preferences(self, caller: Caller, request: UpsertPreferencesRequest) -> ProfileResponse:
        """Set preferences and name; noted in the journal of the conversation, when one is named."""
        change = ProfileChange(preferences=request.preferences, name=request.name)
        profile = await self._keeper.change(UserScope(caller.tenant, request.user_id), change)
        noted = request.model_dump(include={"preferences", "name"})
        await self._note(caller, request.conversation_id, "preferences", noted)
        return _response(profile)

    async def get(self, caller: Caller, user_id: str) -> ProfileResponse:
        """Read the truth."""
        return _response(await self._store.get_profile(UserScope(caller.tenant, user_id)))

    async def _note(self, caller: Caller, conversation: str | None, kind: str, fields: Mapping[str, object]) -> None:
        if conversation is not None:
            scope = ConversationScope(caller.tenant, conversation)
            await self._sessions.record(scope, kind, _json(fields)[1:-1])


def snapshot(profile: Profile) -> dict[str, object]:
    """The original's user part: what is empty is left out."""
    parts = {"name": profile.name, **profile.safety(), "preferences": dict(profile.preferences)}
    return {"user_id": profile.user_id, **{name: value for name, value in parts.items() if value}}


def _kinds(facts: SafetyFacts | None) -> dict[str, tuple[str, ...]]:
    return {kind: getattr(facts, kind) or () for kind in SAFETY_KINDS} if facts else {}


def _response(profile: Profile) -> ProfileResponse:
    return ProfileResponse(
        user_id=profile.user_id,
        name=profile.name or None,
        preferences=dict(profile.preferences),
        version=profile.version,
        memory_ids=[],
        **profile.safety(),
    )


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
