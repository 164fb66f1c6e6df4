"""What a doctor finds, part by part."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from gateway.operating.masking import Masking
from memory.errors import MemoryGatewayError


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: what was looked at, how it is, and what to do."""

    subject: str
    ok: bool
    text: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.ok else 'FAIL'}  {self.subject:<10} {self.text}"


Check = Callable[[], Awaitable[Finding]]
"""A look at one part. One that cannot be made may raise MemoryGatewayError or OSError."""


async def found_by(name: str, check: Check, masking: Masking, deadline_s: float | None = None) -> Finding:
    """What the check finds; that it cannot be made, or not in time, is a finding too. Its text has no secret in it."""
    try:
        async with asyncio.timeout(deadline_s):
            found = await check()
    except MemoryGatewayError as error:
        found = Finding(name, ok=False, text=error.detail)
    except OSError as error:
        found = Finding(name, ok=False, text=str(error) or "no answer in time")
    return replace(found, text=masking.masked(found.text))
