"""GetSettings and RunDoctor."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import cached_property
from typing import Final

from gateway.config.settings import Settings
from gateway.config.sources import Origins
from gateway.operating.findings import Check, Finding, found_by
from gateway.operating.masking import Masking
from gateway.operating.operating_calls import (
    Checked,
    GetSettingsRequest,
    GetSettingsResponse,
    RunDoctorRequest,
    RunDoctorResponse,
    SettingItem,
    Versions,
)
from gateway.operating.shown import shown
from memory.model.caller import Caller

_DEADLINE_S: Final = 10.0


class Doctor:
    """Looks at what a gateway runs on, all at once. One look at a time: who comes meanwhile is told what it finds."""

    def __init__(self, checks: Mapping[str, Check], masking: Masking, deadline_s: float = _DEADLINE_S) -> None:
        """`deadline_s`: how long each check may take."""
        self._checks = checks
        self._masking = masking
        self._deadline_s = deadline_s
        self._one = asyncio.Lock()
        self._looks: dict[frozenset[str], asyncio.Task[list[Finding]]] = {}

    async def look(self, without: frozenset[str]) -> list[Finding]:
        """What every check finds, but for those left out; in their order. A caller who leaves ends no look."""
        looking = self._looks.get(without)
        if looking is None:
            looking = self._looks[without] = asyncio.create_task(self._look(without), name="doctor")
            looking.add_done_callback(lambda _: self._looks.pop(without))
        return await asyncio.shield(looking)

    async def close(self) -> None:
        """End a look that goes on."""
        looks = list(self._looks.values())
        for look in looks:
            look.cancel()
        await asyncio.gather(*looks, return_exceptions=True)

    async def _look(self, without: frozenset[str]) -> list[Finding]:
        async with self._one:
            return await asyncio.gather(
                *(
                    found_by(name, check, self._masking, self._deadline_s)
                    for name, check in self._checks.items()
                    if name not in without
                )
            )


class Operating:
    """What answers who runs the gateway. Its methods are named as the operations."""

    def __init__(
        self,
        settings: Settings,
        origins: Origins,
        versions: Callable[[], Awaitable[Versions]],
        doctor: Doctor,
        models: frozenset[str],
    ) -> None:
        """`models`: the checks that may ask a model."""
        self._settings = settings
        self._origins = origins
        self._versions = versions
        self._doctor = doctor
        self._models = models

    @cached_property
    def _shown(self) -> list[SettingItem]:
        return shown(self._settings, self._origins)

    async def get_settings(self, _caller: Caller, request: GetSettingsRequest) -> GetSettingsResponse:
        """The settings, and what runs."""
        wanted = [item for item in self._shown if request.section in {None, item.key.partition(".")[0]}]
        return GetSettingsResponse(settings=wanted, versions=await self._versions())

    async def run_doctor(self, _caller: Caller, request: RunDoctorRequest) -> RunDoctorResponse:
        """How the parts are."""
        found = await self._doctor.look(frozenset() if request.models else self._models)
        checks = [Checked(subject=each.subject, ok=each.ok, text=each.text) for each in found]
        return RunDoctorResponse(ok=all(each.ok for each in found), checks=checks)
