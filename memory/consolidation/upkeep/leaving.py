"""When memories leave is stored beside them: made anew for all once the settings are others. Goes on where it ended."""

from typing import Final

from memory.ports import LeavingTimes, MemoryArchive
from memory.scope import UserScope

_UNKNOWN: Final = ""
_TOGETHER: Final = 200
"""Memories that are written at once: others of the same user wait for it."""


class LeavingMaker:
    """Makes the times anew that were made with other settings. Any number of them may run, each for nothing."""

    def __init__(self, memories: MemoryArchive, times: LeavingTimes, settings: str) -> None:
        """`settings` names those with which `memories` says when one leaves."""
        self._memories = memories
        self._times = times
        self._settings = settings

    async def run(self) -> int | None:
        """Once, for everybody; returns of how many memories, or None where nothing was to do.

        Cut off, it begins again. Raises what the stores raise. What a gateway with other settings writes meanwhile has
        the times of those: they are stopped first.
        """
        if await self._times.made_with() == self._settings:
            return None
        await self._times.are_made_with(_UNKNOWN)  # cut off, they are of neither
        count = sum([await self._anew(scope) async for scope in self._memories.users()])
        await self._times.are_made_with(self._settings)
        return count

    async def _anew(self, scope: UserScope) -> int:
        ids = [entry.memory.memory_id async for entry in self._memories.entries(scope)]
        for start in range(0, len(ids), _TOGETHER):
            await self._memories.retime(scope, ids[start : start + _TOGETHER])
        return len(ids)
