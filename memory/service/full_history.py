"""Every turn of a living session, a page an answer: what `include: ["full_history"]` asks for."""

import re
from typing import Final, NamedTuple

from memory.errors import FieldError, InvalidInput
from memory.limits import HISTORY_PAGE_BYTES_MAX
from memory.ports import LivingSessions
from memory.scope import ConversationScope
from memory.session.journal import header, render

_CURSOR: Final = re.compile(r"([0-9]{1,16})\.([0-9]{1,9})")
_FIELD: Final = "full_history_cursor"


class _Cursor(NamedTuple):
    """A session by its start, in ms, and a place among its messages."""

    started_ms: int
    place: int

    @classmethod
    def parse(cls, text: str) -> "_Cursor":
        match = _CURSOR.fullmatch(text)
        if match is None:
            raise refused_cursor("is not one that an answer gave")
        return cls(int(match[1]), int(match[2]))

    def __str__(self) -> str:
        return f"{self.started_ms}.{self.place}"


class FullHistory:
    """Reads the pages."""

    def __init__(self, sessions: LivingSessions) -> None:
        self._sessions = sessions

    async def page(self, scope: ConversationScope, after: str | None, locale: str) -> tuple[tuple[str, bytes], ...]:
        """Finished JSON members: the text, and when there is more the cursor that the next request names.

        Raises InvalidInput for a cursor of another session than the one that lives.
        """
        cursor = _Cursor.parse(after) if after else None
        page = await self._sessions.page(scope, cursor.place if cursor else 0, HISTORY_PAGE_BYTES_MAX)
        if cursor and (page is None or page.started_ms != cursor.started_ms):
            raise refused_cursor("belongs to a session that has ended: begin anew without it")
        if page is None:
            return (("full_history", b'""'),)
        own = [entry for entry in page.entries if header(entry)[0] > page.base_seq]
        text = ("full_history", b'"' + render(own, locale)[0] + b'"')
        if page.next_place is None:
            return (text,)
        return text, (_FIELD, f'"{_Cursor(page.started_ms, page.next_place)}"'.encode())


def refused_cursor(message: str) -> InvalidInput:
    """What a request hears whose cursor cannot be followed."""
    return InvalidInput(f"{_FIELD} {message}", fields=(FieldError(_FIELD, message),))
