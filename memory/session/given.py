"""What stood in the context that a bot was given, as it lies in the journal: a member `given` of the answer's entry.

It names memories and safety facts by their ids alone, so that nothing is in it that might be forgotten elsewhere.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from memory.model.conversation_calls import GivenContext
from memory.model.session import Given, Mode
from memory.session.times import rfc3339

_FACTS_MAX: Final = 100
"""Of one answer: some 4 KB at the most."""
_ENCODER: Final = json.JSONEncoder(separators=(",", ":"))
"""Made once: making one costs as much as what it writes."""
_FACT: Final = re.compile(rb'"fact_id":"([^"\\]+)"')


def fact_ids(*safety_json: bytes) -> Sequence[str]:
    """The ids of the first hundred safety facts in finished JSON, as `safety.details` and `relatives` have them."""
    found = dict.fromkeys(each[1].decode() for part in safety_json for each in _FACT.finditer(part))
    return tuple(islice(found, _FACTS_MAX))


@lru_cache(maxsize=4096)
def whose(user: str) -> str:
    """What stands for a user in a note, which must not name them: two numbers, compared by given.lua."""
    first = second = 0
    for byte in user.encode():
        first, second = (first * 257 + byte) % 2147483647, (second * 263 + byte) % 2147483629
    return f"{first}.{second}"


def encode_given(given: Given) -> str:
    """`last message it could know of|whose|agent|JSON`, as append.lua takes it."""
    fields = {
        "at": given.at_ms,
        "agent": given.agent,
        "mode": given.mode,
        "from": given.from_seq,
        "tokens": given.tokens,
        "memories": given.memory_ids,
        "facts": given.fact_ids,
    }
    told = {name: value for name, value in fields.items() if value}
    return f"{given.last_seq}|{whose(given.user)}|{given.agent}|{_ENCODER.encode(told)}"


def given_in(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, GivenContext]]:
    """What was given for each answer of a journal, by the answer's number."""
    return ((each["seq"], given_context(each["given"])) for each in entries if "given" in each)


def given_context(fields: dict[str, Any]) -> GivenContext:
    """The same, read from an entry, as it is answered."""
    return GivenContext(
        at=rfc3339(fields["at"]),
        agent_code=fields.get("agent"),
        mode=Mode(fields["mode"]),
        from_seq=fields.get("from"),
        tokens=fields["tokens"],
        memory_ids=fields.get("memories", []),
        fact_ids=fields.get("facts", []),
    )
