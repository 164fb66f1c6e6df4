"""What was found of safety facts in what was said, as it lies in the session tier until it is in memory.

A line for each write that held some, `number|user|at|first seq|JSON array`; the store writes the first four
(memory/stores/redis/lua/said.lua). An item names the message it was found in by its place in the write.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from memory.clinical.findings import Finding
from memory.clinical.people import USER
from memory.model.memory import fact_id
from memory.scope import ConversationScope
from memory.session.safety import POSSIBLE_PREFIX, Detail, Status

_FIELDS: Final = 4
_QUOTE_CHARS_MAX: Final = 300
_FINDINGS_MAX: Final = 50
"""Of one write: some 50 KB at the most."""
_LEFT_OUT: Final = "left_out"
_NO_ROOM: Final = b"0|!|"


class Said(NamedTuple):
    """What was found in a conversation, as it lies there: never empty.

    `session`: the one that lives and asks; 0: none.
    """

    conversation: str
    lines: bytes
    session: int = 0


def encode_said(found: Sequence[Sequence[Finding]]) -> bytes:
    """What was found in each message of a write; empty when there is nothing. Of very much the rest is left out."""
    items: list[dict[str, object]] = [
        {
            "m": place,
            "kind": each.kind,
            "text": each.text,
            "quote": each.quote[:_QUOTE_CHARS_MAX],
            **({"subject": each.subject} if each.subject != USER else {}),
            **({"possible": True} if each.possible else {}),
            **({"denied": True} if each.denied else {}),
            **({"reaction": each.reaction} if each.reaction else {}),
        }
        for place, findings in enumerate(found)
        for each in findings
    ]
    if len(items) > _FINDINGS_MAX:
        items = [*items[:_FINDINGS_MAX], {_LEFT_OUT: True}]
    return json.dumps(items, ensure_ascii=False, separators=(",", ":")).encode() if items else b""


def decode_said(said: Said, tenant: str, user: str) -> Iterator[Detail]:
    """The safety facts that this user has said; of the session that lives also those of nobody."""
    scope = ConversationScope.of(tenant, said.conversation)
    for line in said.lines.split(b"\n"):
        session, by, at, seq, items = line.split(b"|", _FIELDS)
        if by.decode() != user and (by or int(session) != said.session):
            continue
        for item in json.loads(items):
            if _LEFT_OUT in item:
                continue
            possible, denied, place = item.get("possible", False), item.get("denied", False), int(seq) + item["m"]
            subject = item.get("subject", USER)
            triple = (subject, (POSSIBLE_PREFIX if possible else "") + item["kind"], item["text"])
            yield Detail(
                kind=item["kind"],
                text=item["text"],
                status=Status.POSSIBLE if possible else Status.SAID,
                quote=item["quote"],
                conversation=said.conversation,
                seq=place,
                said_ms=int(at),
                reaction=item.get("reaction", ""),
                fact_id=fact_id(scope, user, place, triple, "-" if denied else "+"),
                denied=denied,
                subject=subject,
            )


def is_full(said: Said) -> bool:
    """Whether something is left out: of one write, or because there was no more room (lua/said.lua leaves a mark)."""
    return b'"left_out":true' in said.lines or said.lines.startswith(_NO_ROOM)
