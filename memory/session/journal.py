"""The journal's encoding: finished JSON, so that a read splices bytes and parses nothing.

An entry is one JSON object whose keys stand in this order:

    {"seq":7,"turn":4,"at":1763764800123,  ["zone":…,] ["agent":…,] ["occurred_at":…,] ["raw":…,]
     "tok":17,  ["name":…,]  "role":"user","content":"…"}

The first line is the store's (seq, turn, time and the session's time zone are of the append), the rest the gateway's.
Inside a JSON string every quote is escaped, so `,"role":"` can occur as a key only: `split` is a parser here.
"""

import json
import re
from collections.abc import Iterable, Sequence
from json.encoder import encode_basestring
from typing import Any, Final

from memory.model.session import CheckpointRecord, EncodedMessage, JournalMessage, Message, Role

_ROLE: Final = b',"role":"'
_TAIL: Final = -2  # `"}`
_TOOL: Final = ord("t")
_TOOL_AS: Final = b'user","content":"'
"""A model's API takes a tool's result only beside its call, which is not kept; the label says what it is."""
_QUOTE: Final = 34
_CHECKPOINT: Final = re.compile(rb'\{"seq":\d+,"kind":"checkpoint",')
"""By its place: further on in a record stands what callers have named as they liked."""

LABELS: Final = {
    "zh": {"user": "用户", "assistant": "AI", "tool": "工具", "system": "系统", "summary": "历史摘要"},
    "en": {"user": "User", "assistant": "AI", "tool": "Tool", "system": "System", "summary": "Summary"},
}
"""How a history names its speakers. The Chinese labels are the original's."""

_SPEAKERS: Final = {
    locale: {
        ord(role[0]): (f"{labels[role]}: ".encode(), len(f'{role}","content":"'))
        for role in labels
        if role != "summary"
    }
    for locale, labels in LABELS.items()
}
"""By a role's first letter: its label, and where its content begins after `"role":"`."""


def encode_text(text: str) -> bytes:
    """A JSON string literal, quotes included, in UTF-8."""
    return encode_basestring(text).encode()


def history_line(message: Message, locale: str) -> str:
    """One line of the history, newline included: what a message costs a model."""
    name = f"({message.name})" if message.name else ""
    return f"{LABELS[locale][message.role]}{name}: {message.content}\n"


def encode_message(message: Message, tokens: int, *, starts_turn: bool) -> EncodedMessage:
    """Everything of the entry but its first line."""
    head = ""
    if message.agent:
        head = f'"agent":{encode_basestring(message.agent)},'
    if message.occurred_at:
        head += f'"occurred_at":{encode_basestring(message.occurred_at)},'
    if message.raw:
        head += f'"raw":{encode_basestring(message.raw)},'
    name = f'"name":{encode_basestring(message.name)},' if message.name else ""
    content = encode_basestring(message.content)
    entry = f'{head}"tok":{tokens},{name}"role":"{message.role}","content":{content}}}'
    return EncodedMessage(entry.encode(), tokens, starts_turn)


def render(entries: Iterable[bytes], locale: str) -> tuple[bytes, bytes]:
    """Return (inside of the history's JSON string, JSON array of chat messages) of encoded entries.

    What a tool gave is a message of the user there, with its label before it: every model's API takes that. Costs about
    half a microsecond an entry: it is what most of a query's time would go into.
    """
    speakers = _SPEAKERS[locale]
    lines: list[bytes] = []
    messages: list[bytes] = []
    for entry in entries:
        head, message = entry.split(_ROLE, 1)
        label, content_at = speakers[message[0]]
        if head[-1] == _QUOTE:  # a name stands before the role, else the token count
            label = label[:-2] + _name_of(head) + b": "
        lines.append(label + message[content_at:_TAIL])
        messages.append(_TOOL_AS + label + message[content_at:] if message[0] == _TOOL else message)
    array = b"[{" + _ROLE[1:] + (b",{" + _ROLE[1:]).join(messages) + b"]" if messages else b"[]"
    return b"\\n".join(lines), array


def _name_of(head: bytes) -> bytes:
    name_at = head.rindex(b'"name":"') + 8
    return b"(" + head[name_at:-1] + b")"


def header(entry: bytes) -> tuple[int, int, int]:
    """Return (seq, turn, tokens) of an encoded entry without parsing the rest."""
    seq_end = entry.index(b",", 7)
    turn_end = entry.index(b",", seq_end + 8)
    token_at = entry.index(b'"tok":', turn_end) + 6
    return (
        int(entry[7:seq_end]),
        int(entry[seq_end + 8 : turn_end]),
        int(entry[token_at : entry.index(b",", token_at)]),
    )


def with_tokens(entry: bytes, tokens: int) -> bytes:
    """The entry with another token count."""
    return entry.replace(b'"tok":%d,"' % header(entry)[2], b'"tok":%d,"' % tokens, 1)


def decode(entry: bytes) -> JournalMessage:
    """Parse one entry of the journal."""
    fields: dict[str, Any] = json.loads(entry)
    message = Message(
        role=Role(fields["role"]),
        content=fields["content"],
        name=fields.get("name", ""),
        agent=fields.get("agent", ""),
        occurred_at=fields.get("occurred_at", ""),
        raw=fields.get("raw", ""),
    )
    return JournalMessage(fields["seq"], fields["turn"], fields["at"], fields["tok"], message)


def decode_checkpoints(records: Sequence[bytes]) -> list[CheckpointRecord]:
    """The checkpoints among a journal's records, oldest first."""
    parsed = (json.loads(record) for record in records if _CHECKPOINT.match(record))
    return [
        CheckpointRecord(
            checkpoint_id=fields["checkpoint_id"],
            seq=fields["seq"],
            at_ms=fields["at"],
            covers_seq=fields["covers_seq"],
            recent_turns=fields["recent_turns"],
            summary=fields["summary"],
            summary_tokens=fields["tok"],
        )
        for fields in parsed
    ]


def session_start(records: Sequence[bytes]) -> dict[str, Any]:
    """The record that opened this session: number, base_seq, turn_base, seed summary, what that covers."""
    fields: dict[str, Any] = json.loads(records[0])
    return fields
