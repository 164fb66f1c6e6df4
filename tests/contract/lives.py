"""A user's sessions, lived through one after another, and what is held of them then."""

from typing import Final

import pytest

from tests.inprocess import World

ON_ONE_STORE: Final = pytest.mark.parametrize("commands", ["valkey"], indirect=True)
"""For what is read in texts: that the session stores do the same is shown by others."""

IN_WEAVIATE: Final = "weaviate"
ON_EITHER_STORE: Final = pytest.mark.parametrize(
    "commands",
    ["fakeredis", "valkey", pytest.param(IN_WEAVIATE, marks=[pytest.mark.integration, pytest.mark.long])],
    indirect=True,
)
"""For what memories do: on SQLite, and on a real Weaviate with sessions in memory."""


async def held(here: World) -> set[tuple[str, str]]:
    """What is held as true of the user now, by predicate and object."""
    items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    return {
        (fact["predicate"], fact["object"])
        for fact in items
        if fact["polarity"] == "+" and not fact.get("valid_to") and not fact.get("superseded_by")
    }


async def live(here: World, *sessions: str, first: int = 0) -> None:
    """Say something in one session after another, each of which becomes memory before the next."""
    for number, said in enumerate(sessions, first):
        await here.write(said, "好的。", f"c{number}", user_id="u1")
        await here.finalize(f"c{number}")
