"""Cleaning the files of our stores of what was erased: soon after it is asked for, and after a restart."""

import asyncio
import logging
from typing import Final

from memory.errors import MemoryGatewayError
from memory.ports import ErasedFiles

_LOG: Final = logging.getLogger("anamnesis.erasure")
_LOOK_S: Final = 0.2
_REST: Final = 4
"""So many times as long as the last cleaning took, files rest before the next: it takes up to a fifth of the time."""
_TROUBLE_S: Final = 5.0


class CleaningLoop:
    """Looks whether files hold what was erased, and cleans them; one cleaning takes all that was erased before it."""

    def __init__(self, files: ErasedFiles, name: str) -> None:
        self._files = files
        self._name = name

    async def run(self) -> None:
        """Run until cancelled; trouble is waited out, and told once."""
        loop, in_trouble = asyncio.get_running_loop(), False
        while True:
            began = loop.time()
            try:
                if await self._files.cleaned() < await self._files.asked():
                    await self._files.clean()
                in_trouble = False
            except (MemoryGatewayError, OSError) as error:
                if not in_trouble:
                    _LOG.warning("erased bytes wait to be cleaned", extra={"files": self._name, "reason": str(error)})
                in_trouble = True
                await asyncio.sleep(_TROUBLE_S)
            await asyncio.sleep(max(_LOOK_S, _REST * (loop.time() - began)))
