"""Who a thing belongs to. A `Scope` is the first argument of every port method and has no "all" value."""

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, NamedTuple

from memory.errors import FieldError, InvalidInput
from memory.limits import ID_CHARS_MAX

ID_PATTERN = rf"^[A-Za-z0-9_.:@-]{{1,{ID_CHARS_MAX}}}$"
_ID = re.compile(rf"[A-Za-z0-9_.:@-]{{1,{ID_CHARS_MAX}}}")


def require_id(field: str, value: object) -> str:
    """Return `value` when it is a well-formed id; raise InvalidInput (naming `field`) otherwise.

    The alphabet has neither `/` nor braces, so joining ids with `/` never makes two ids meet in one key.
    """
    if not isinstance(value, str) or _ID.fullmatch(value) is None:
        message = f"must match [A-Za-z0-9_.:@-]{{1,{ID_CHARS_MAX}}}"
        raise InvalidInput(f"{field} {message}", fields=(FieldError(field, message),))
    return value


class Fence(NamedTuple):
    """What a write stands under: a store refuses it (Overtaken) when it has seen a higher number under this name.

    Names hold no id in the clear (memory/fences.py).
    """

    name: str
    number: int


_SCOPES_REMEMBERED: Final = 16_384


@dataclass(frozen=True, slots=True)
class ConversationScope:
    """One conversation of one tenant. Construction refuses anything that is not two well-formed ids."""

    tenant: str
    conversation: str

    def __post_init__(self) -> None:
        require_id("tenant", self.tenant)
        require_id("conversation_id", self.conversation)

    def __str__(self) -> str:
        return f"{self.tenant}/{self.conversation}"

    @staticmethod
    @lru_cache(maxsize=_SCOPES_REMEMBERED)
    def of(tenant: str, conversation: str) -> "ConversationScope":
        """As the constructor, remembered: a conversation is asked for again and again."""
        return ConversationScope(tenant, conversation)

    @classmethod
    def parse(cls, text: str) -> "ConversationScope":
        """Inverse of `str()`; raises InvalidInput on anything else."""
        tenant, _, conversation = text.partition("/")
        return cls(tenant, conversation)


@dataclass(frozen=True, slots=True)
class UserScope:
    """One user of one tenant. Construction refuses anything that is not two well-formed ids.

    `fences`: what writes with this scope stand under; it says nothing of who it is.
    """

    tenant: str
    user: str
    fences: tuple[Fence, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        require_id("tenant", self.tenant)
        require_id("user_id", self.user)

    def __str__(self) -> str:
        return f"{self.tenant}/{self.user}"

    @classmethod
    def parse(cls, text: str) -> "UserScope":
        """Inverse of `str()`; raises InvalidInput on anything else."""
        tenant, _, user = text.partition("/")
        return cls(tenant, user)

    def under(self, fences: tuple[Fence, ...]) -> "UserScope":
        """The same user; what is written stands under these fences."""
        return replace(self, fences=fences)
