"""A user's profile: what outlives every session and stands first in every context."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memory.errors import InvalidInput
from memory.limits import PROFILE_FACTS_PER_KIND_MAX, PROFILE_PREFERENCES_MAX

SAFETY_KINDS: Final = ("allergies", "chronic_diseases", "surgery_history")
TIMEZONE: Final = "timezone"
"""The preference that is a time zone."""
_PREFERENCES: Final = ("preferences", PROFILE_PREFERENCES_MAX)


@dataclass(frozen=True, slots=True)
class Profile:
    """Safety facts and preferences of one user. `version` grows by one with every change; 0: nothing known."""

    user_id: str
    version: int = 0
    name: str = ""
    allergies: Sequence[str] = ()
    chronic_diseases: Sequence[str] = ()
    surgery_history: Sequence[str] = ()
    preferences: Mapping[str, object] = field(default_factory=dict)

    def safety(self) -> dict[str, list[str]]:
        """The three safety lists by name, empty ones included."""
        return {kind: list(getattr(self, kind)) for kind in SAFETY_KINDS}


def timezone_in(preferences: Mapping[str, object]) -> str:
    """The user's time zone by IANA name, as far as they prefer one; else empty."""
    name = preferences.get(TIMEZONE)
    return name if isinstance(name, str) else ""


@dataclass(frozen=True, slots=True)
class ProfileChange:
    """What to add to a profile and what to take off it. A preference of None is taken off."""

    add: Mapping[str, Sequence[str]] = field(default_factory=dict)
    remove: Mapping[str, Sequence[str]] = field(default_factory=dict)
    preferences: Mapping[str, object] = field(default_factory=dict)
    name: str | None = None


def apply_change(profile: Profile, change: ProfileChange) -> Profile:
    """Return the profile after the change: the same version when nothing changed, one more otherwise.

    Facts are sets that keep the order in which they were told; names compare without case and outer space.
    """
    after = replace(
        profile,
        name=profile.name if change.name is None else change.name,
        preferences=_merged(profile.preferences, change.preferences),
        allergies=_facts(profile, change, "allergies"),
        chronic_diseases=_facts(profile, change, "chronic_diseases"),
        surgery_history=_facts(profile, change, "surgery_history"),
    )
    return profile if after == profile else replace(after, version=profile.version + 1)


def require_room(before: Profile, after: Profile) -> Profile:
    """The profile after a change. Raises InvalidInput when it grew beyond its limits."""
    for name, most in (*((kind, PROFILE_FACTS_PER_KIND_MAX) for kind in SAFETY_KINDS), _PREFERENCES):
        if len(getattr(after, name)) > max(most, len(getattr(before, name))):
            raise InvalidInput(f"a profile has up to {most} {name}: take some off first")
    return after


def _facts(profile: Profile, change: ProfileChange, kind: str) -> tuple[str, ...]:
    gone = {_key(text) for text in change.remove.get(kind, ())}
    kept = {
        _key(text): text.strip()
        for text in reversed((*getattr(profile, kind), *change.add.get(kind, ())))
        if _key(text) not in gone
    }
    return tuple(reversed(kept.values()))


def _key(text: str) -> str:
    return text.strip().casefold()


def _merged(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
    return {key: value for key, value in {**old, **new}.items() if value is not None}
