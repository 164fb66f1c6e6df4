"""With which settings the times in the file were made at which memories leave."""

from typing import Final

from memory.stores.sqlite.database import Database, setting

_KEY: Final = "leaving_times"


class SqliteLeavingTimes:
    """The LeavingTimes port over the file in which the times stand."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def made_with(self) -> str:
        """One row."""
        return await self._database.read(lambda session: setting(session, _KEY))

    async def are_made_with(self, settings: str) -> None:
        """One row."""
        await self._database.write(lambda session: session.write("change_setting", {"key": _KEY, "value": settings}))
