"""What stands for a user in a note of what was given is the same wherever it is made."""

from pathlib import Path
from typing import Final

import fakeredis
from hypothesis import given
from hypothesis import strategies as st

from memory.scope import ID_PATTERN
from memory.session.given import fact_ids, whose

LUA: Final = Path(__file__).parents[2] / "memory" / "stores" / "redis" / "lua"
NOW: Final = "local function whole(number) return string.format('%.0f', number) end\n"
SCRIPT: Final = NOW + (LUA / "given.lua").read_text(encoding="utf-8") + "\nreturn whose(ARGV[1])"


@given(st.from_regex(ID_PATTERN, fullmatch=True).map(str.strip))
def test_scripts_name_a_user_as_python_does(user: str) -> None:
    assert fakeredis.FakeRedis().eval(SCRIPT, 0, user) == whose(user).encode()


def test_users_are_told_apart() -> None:
    users = [f"{letter}{number}" for letter in ("u", "U", "user_", "u-") for number in range(5_000)]
    assert len({whose(user) for user in users}) == len(users)


def test_fact_ids_stand_once_in_their_order() -> None:
    safety = b'{"details":[{"text":"\\"fact_id\\":\\"x\\"","fact_id":"b"},{"fact_id":"a"},{"fact_id":"b"}]}'
    assert fact_ids(safety, b'[{"fact_id":"c"}]') == ("b", "a", "c")


def test_of_very_many_facts_the_first_hundred_are_noted() -> None:
    every = [f"f{number}" for number in range(101)]
    assert fact_ids("".join(f'{{"fact_id":"{each}"}}' for each in every).encode()) == tuple(every[:100])
