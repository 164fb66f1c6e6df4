"""The conversation of the plug-in brain: each user has one, in which only the user speaks, made by itself."""

import hashlib
from typing import Final

from memory.limits import ID_CHARS_MAX
from memory.scope import ConversationScope, UserScope

BRAIN_AGENT: Final = "brain"
"""The agent that its sessions are opened by."""
_PREFIX: Final = "brain:"
_LONG_PREFIX: Final = "brain-long:"
"""For users whose id leaves no room for the prefix: a hash stands for it. No plain name begins like that."""


def brain_conversation(user: UserScope) -> ConversationScope:
    """Where what a user says to the brain is kept."""
    name = _PREFIX + user.user
    if len(name) > ID_CHARS_MAX:
        name = _LONG_PREFIX + hashlib.sha256(user.user.encode()).hexdigest()
    return ConversationScope(user.tenant, name)


def is_brain(conversation: str) -> bool:
    """Whether a conversation is the brain's: its messages become statements that stand alone, not passages."""
    return conversation.startswith((_PREFIX, _LONG_PREFIX))
