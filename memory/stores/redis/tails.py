"""What is said but not yet in memory: which conversations of a user may hold such, and what it is.

The list lies with the user, its conversations elsewhere, so it only hints: a conversation is listed before its session
begins, its own keys say whose it is, and it is noted as over when a reader finds nothing there any more.
"""

import asyncio
from collections.abc import Sequence
from itertools import chain
from typing import Final

from memory.limits import SAID_CONVERSATIONS_MAX, TAIL_BYTES_MAX, TAIL_MESSAGES_MAX
from memory.model.brain import is_brain
from memory.model.session import Tail
from memory.scope import ConversationScope, UserScope
from memory.stores.redis import scripts
from memory.stores.redis.keys import (
    ConversationKeys,
    begun_key,
    conversation_number,
    conversations_key,
    sealed_prefixes,
)
from memory.stores.redis.users import RedisUsers
from memory.stores.redis.wire import Command, Commands

LISTED_MAX: Final = SAID_CONVERSATIONS_MAX + 2
"""The one that asks stands among them, and one more says that there are more."""
FAILED_LISTED_MS: Final = 366 * 86_400_000
"""A failed session waits for its replay without a limit of time; this list does for a year."""
_ABOUT_TO_BEGIN_MS: Final = 60_000
"""A conversation is listed before its session is there, at most by the deadline of a command."""


def listing(scope: UserScope) -> Command:
    """The command that reads a user's list, the last begun first; without those that are over."""
    return ("ZREVRANGEBYSCORE", conversations_key(scope), "+inf", "(0", "LIMIT", 0, LISTED_MAX)


def names(reply: Sequence[bytes], without: str = "") -> list[str]:
    """The conversations of a list, but for one."""
    return [name for name in (member.decode() for member in reply) if name != without]


async def enlist(redis: Commands, scope: UserScope, conversation: str, ttl_ms: int) -> None:
    """One script: put a conversation on its user's list, or to its front. Those of the brain are not counted."""
    number = "" if is_brain(conversation) else conversation_number(conversation)
    keys = (conversations_key(scope), begun_key(scope))
    await scripts.LIST_CONVERSATION.run(redis, keys, (conversation, ttl_ms, number))


async def begin(redis: Commands, scope: UserScope, conversation: str, ttl_ms: int) -> None:
    """As `enlist`, and with it the user among those of the tenant, as active now. Two scripts at once."""
    await asyncio.gather(RedisUsers(redis).enlist(scope), enlist(redis, scope, conversation, ttl_ms))


async def tails(redis: Commands, scope: UserScope, conversations: Sequence[str], keep_ms: int) -> list[Tail]:
    """One script for each conversation, all in one write; another round trip only to note that some are over.

    Those stay on the list for `keep_ms`: as long as anything of them may be here.
    """
    calls = []
    for conversation in conversations:
        keys = ConversationKeys.of(ConversationScope(scope.tenant, conversation))
        named = (keys.session, keys.live, keys.archive, keys.conversation, *sealed_prefixes(keys.tag))
        calls.append((named, (scope.user, TAIL_MESSAGES_MAX, TAIL_BYTES_MAX)))
    replies = await scripts.TAIL.run_each(redis, calls) if calls else []
    over = [(name, latest) for name, (there, latest, *_) in zip(conversations, replies, strict=True) if not there]
    if over:
        args = (_ABOUT_TO_BEGIN_MS, keep_ms, *chain.from_iterable(over))
        await scripts.UNLIST_CONVERSATIONS.run(redis, (conversations_key(scope),), args)
    return [
        Tail(name, int(number), tuple(reversed(entries)), complete == 1)
        for name, (_, _, *sessions) in zip(conversations, replies, strict=True)
        for number, complete, entries in sessions
    ]
