"""A MemUnit: one finalised stretch of conversation, the base that every later memory is derived from."""

import hashlib
import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memory.scope import ConversationScope

NAMESPACE: Final = uuid.UUID("6f0f3f5c-5d4e-5b0e-9c35-0a7d9b9b6c11")


@dataclass(frozen=True, slots=True)
class MemUnit:
    """Subject, summary and narrative of a stretch of dialogue, with the original messages.

    `messages` is a JSON array of the journal entries as they were; `seq_from` and `seq_to` are inclusive.
    Times are milliseconds since the epoch by the clock of the session store. `recent_turns` is how many
    turns a session that resumes this conversation starts with.
    """

    unit_id: str
    scope: ConversationScope
    user_id: str
    session_number: int
    seq_from: int
    seq_to: int
    turn_from: int
    turn_to: int
    started_ms: int
    ended_ms: int
    subject: str
    summary: str
    narrative: str
    participants: Sequence[str]
    recent_turns: int
    messages: bytes

    def content_hash(self) -> str:
        """SHA-256 over everything but the id, as hex: equal when, and only when, two units say the same."""
        fields = [getattr(self, name) for name in self.__slots__ if name not in {"unit_id", "messages", "scope"}]
        head = json.dumps([str(self.scope), *map(_plain, fields)], ensure_ascii=False).encode()
        return hashlib.sha256(head + b"\n" + self.messages).hexdigest()


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def memunit_id(scope: ConversationScope, seq_from: int, seq_to: int, messages: bytes) -> str:
    """Deterministic id: uuid5 of tenant, conversation, seq range, kind and hash of the messages.

    A finalisation that is run again therefore writes the same record again, and changes nothing.
    """
    digest = hashlib.sha256(messages).hexdigest()
    return str(uuid.uuid5(NAMESPACE, f"{scope}/{seq_from}-{seq_to}/memunit/{digest}"))
