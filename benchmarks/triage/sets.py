"""Sets that were labelled by hand: JSON lines, the first of which says who wrote them and how they were drawn."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from benchmarks.processes import BenchmarkError
from gateway.client import AsyncClient

T = TypeVar("T")
_WAIT_MS: Final = 30_000
OURS: Final[Mapping[str, tuple[str, ...]]] = {
    "occupation": ("job",),
    "employer": ("job",),
    "smoking": ("habit", "state"),
    "drinking": ("habit", "state"),
    "sleep": ("habit", "symptom"),
    "hobby": ("habit", "like"),
    "school": ("job",),
    "city": ("residence",),
    "hometown": ("residence",),
    "test": ("test", "vital"),
    "vital": ("vital", "test"),
    "exercise": ("habit", "like"),
    "diet": ("habit", "like"),
    "plan": ("plan", "appointment"),
    "gender": ("sex",),
    "pregnancy": ("pregnancy", "breast_feeding"),
    "relationship": ("family", "state"),
    "operation": ("surgery",),
    "dose": ("medication",),
    "condition": ("disease",),
}
"""Which of our predicates say what a label calls by another name."""


def read_set(path: Path, make: Callable[[Mapping[str, Any]], T]) -> list[T]:
    """The items of a set. Raises BenchmarkError."""
    try:
        lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
        return [make(each) for each in lines if "about" not in each]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BenchmarkError(f"{path}: not a set of this kind ({error})") from None


async def live_through(client: AsyncClient, user: str, sessions: Sequence[Sequence[Mapping[str, str]]]) -> None:
    """Write sessions of a user, one after another, each into a conversation of its own that becomes memory."""
    for number, messages in enumerate(sessions, 1):
        conversation = f"{user}-{number}"
        said = [{"role": each["role"], "content": each["text"]} for each in messages]
        await client.write_messages(conversation_id=conversation, user_id=user, messages=said)
        await client.finalize_session_memory(conversation_id=conversation, wait_ms=_WAIT_MS)


def plain(text: str) -> str:
    """A text without spaces, in lower case: what labels are compared by."""
    return "".join(text.split()).casefold()
