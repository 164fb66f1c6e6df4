"""Names of fences. They are digests: a name outlives what was forgotten under it, so it must not say of whom it was.

There are two kinds. That of a user is raised with everything of his that is forgotten: whoever read before writes no
more. That of an ended session is raised by each attempt at its finalisation: an attempt that was overtaken writes no
more. What belongs to nobody stands under that of its conversation.
"""

import hashlib
from typing import Final

from memory.model.finalization import FinalizationKey
from memory.scope import ConversationScope, Fence, UserScope

_DIGEST_CHARS: Final = 32


def of_user(scope: UserScope) -> str:
    """Raised when something of this user is forgotten."""
    return _name("user", str(scope))


def of_nobody(scope: ConversationScope) -> str:
    """Raised when what belongs to nobody in this conversation is forgotten."""
    return _name("nobody", str(scope))


def of_owner(scope: ConversationScope, user: str) -> str:
    """That of the user, or of nobody, who has something in a conversation."""
    return of_user(UserScope(scope.tenant, user)) if user else of_nobody(scope)


def of_attempt(key: FinalizationKey, number: int) -> Fence:
    """What attempt `number` (1: the first) at a finalisation writes under. The first one overtakes nobody."""
    return Fence(_name("session", str(key)), number - 1)


def _name(kind: str, text: str) -> str:
    return f"{kind}:{hashlib.sha256(f'{kind}:{text}'.encode()).hexdigest()[:_DIGEST_CHARS]}"
