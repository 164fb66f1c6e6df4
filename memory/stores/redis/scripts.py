"""Loading and running the Lua scripts. Every atomic change of a session is one of these files.

A line `-- include <file>` is replaced by that file. Scripts start with `#!lua`: with it Redis refuses the
whole script up front when it is out of memory, so that there are no half writes; those that must go on then
(they free memory) say `flags=allow-oom`.
"""

import hashlib
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any, Final

from memory.stores.redis.connection import require
from memory.stores.redis.wire import Commands

_INCLUDE: Final = re.compile(r"^-- include (\w+\.lua)$", re.MULTILINE)


def _source(name: str) -> str:
    text = resources.files("memory.stores.redis").joinpath("lua", name).read_text(encoding="utf-8")
    return _INCLUDE.sub(lambda match: _source(match[1]), text)


class Script:
    """One Lua script. Sent by its hash; by its text only when the server does not know it (any more)."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.text = _source(f"{name}.lua")
        self.sha = hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest()

    async def run(self, connection: Commands, keys: tuple[str, ...], args: tuple[str | bytes | int, ...]) -> Any:
        """Run atomically; raises what `require` makes of an error reply."""
        (reply,) = await connection.run(("EVALSHA", self.sha, len(keys), *keys, *args))
        if isinstance(reply, Exception) and str(reply).startswith("NOSCRIPT"):
            (reply,) = await connection.run(("EVAL", self.text, len(keys), *keys, *args))
        return require(reply)

    async def run_each(
        self, connection: Commands, calls: Sequence[tuple[tuple[str, ...], tuple[str | bytes | int, ...]]]
    ) -> list[Any]:
        """Run a script that changes nothing with each (keys, args), in one write. Each sees one moment of its own."""
        replies = await connection.run(*(("EVALSHA", self.sha, len(keys), *keys, *args) for keys, args in calls))
        if any(isinstance(reply, Exception) and str(reply).startswith("NOSCRIPT") for reply in replies):
            replies = await connection.run(*(("EVAL", self.text, len(keys), *keys, *args) for keys, args in calls))
        return [require(reply) for reply in replies]


APPEND: Final = Script("append")
OPEN: Final = Script("open")
CHECKPOINT: Final = Script("checkpoint")
RECORD: Final = Script("record")
SEAL: Final = Script("seal")
LIST_UNFINISHED: Final = Script("list_unfinished")
START_ATTEMPT: Final = Script("start_attempt")
REFUND_ATTEMPT: Final = Script("refund_attempt")
NOTE_STEP: Final = Script("note_step")
KEEP_DECISIONS: Final = Script("keep_decisions")
CLOSE: Final = Script("close")
GIVE_UP: Final = Script("give_up")
REPLAY: Final = Script("replay")
TAKE_DUE: Final = Script("take_due")
SCHEDULE: Final = Script("schedule")
SETTLE: Final = Script("settle")
ROOM: Final = Script("room")
UNLOCK: Final = Script("unlock")
LIST_CONVERSATION: Final = Script("list_conversation")
UNLIST_CONVERSATIONS: Final = Script("unlist_conversations")
LIST_USER: Final = Script("list_user")
UNLIST_USER: Final = Script("unlist_user")
ACTIVE_USERS: Final = Script("active_users")
ERASE: Final = Script("erase")
TAIL: Final = Script("tail")
PAGE: Final = Script("page")
RENEW_LOCK: Final = Script("renew_lock")
REQUIRE_FENCE: Final = Script("require_fence")
RAISE_FENCE: Final = Script("raise_fence")
PUT_PROFILE: Final = Script("put_profile")
BEGIN_ERASURE: Final = Script("begin_erasure")
END_ERASURE: Final = Script("end_erasure")
ADOPT_ERASURES: Final = Script("adopt_erasures")
ERASE_PROFILE: Final = Script("erase_profile")
BEAT: Final = Script("beat")
START_BATCH: Final = Script("start_batch")
BEGIN_BATCH: Final = Script("begin_batch")
END_BATCH: Final = Script("end_batch")
LEAVE_BATCHES: Final = Script("leave_batches")
ADVANCE_BATCH: Final = Script("advance_batch")
CANCEL_BATCH: Final = Script("cancel_batch")
