import asyncio
import inspect
import re
from pathlib import Path
from typing import Any

import pytest

from memory import ports
from memory.errors import InvalidInput, InvariantBroken, SetupError
from memory.model.lifecycle import TRANSITIONS, Event, SessionState, after
from memory.model.profile import Profile, ProfileChange, apply_change
from memory.providers.tiktoken_counter import TiktokenCounter, encoding_name
from memory.scope import ConversationScope, UserScope
from memory.stores.redis.endings import RedisSessionStore
from memory.stores.redis.keys import ConversationKeys
from memory.stores.redis.scripts import Script
from memory.stores.sqlite.long_term import SqliteLongTermStore

NO_SCOPES = ["", "*", None, [], ["c"], "a/b", "{a}", "a b", "é", "x" * 129, ".." + "/", "%2f\x00", 7]


@pytest.mark.parametrize("bad", NO_SCOPES)
@pytest.mark.parametrize("scope", [ConversationScope, UserScope])
def test_scope_that_is_no_id_is_refused(scope: Any, bad: object) -> None:
    for pair in ((bad, "ok"), ("ok", bad)):
        with pytest.raises(InvalidInput):
            scope(*pair)


@pytest.mark.parametrize("port", [ports.SessionStore, ports.LongTermStore])
def test_every_port_method_takes_a_scope_a_key_or_a_named_reason(port: type) -> None:
    without_scope = {
        "take_due": "all tenants' deadlines, for the sweeper",
        "settle": "takes what take_due gave",
        "note_given": "of several conversations, each named by its scope",
        "check": "asks nothing of anybody",
        "fences": "a name of a fence says whose it is",
        "all_memunits": "all tenants', for operators who move a store",
        "all_profiles": "all tenants', for operators who move a store",
    }
    for name, method in inspect.getmembers(port, inspect.isfunction):
        if not name.startswith("_") and name not in without_scope:
            first = list(inspect.signature(method).parameters.values())[1]
            assert first.name in {"scope", "key", "tenant", "unit"}, f"{port.__name__}.{name} takes no scope first"


@pytest.mark.parametrize(("adapter", "port"), [(RedisSessionStore, ports.SessionStore),
                                               (SqliteLongTermStore, ports.LongTermStore)])  # fmt: skip
def test_adapter_has_every_method_of_its_port(adapter: type, port: type) -> None:
    for name, method in inspect.getmembers(port, inspect.isfunction):
        if not name.startswith("_"):
            assert inspect.signature(getattr(adapter, name)) == inspect.signature(method), name


def test_ids_that_differ_never_share_a_key() -> None:
    scopes = [("a", "b"), ("a:b", "c"), ("a", "b:c"), ("a.b", "c"), ("a", "b.c"), ("A", "b"), ("a", "b-")]
    keys = [key for pair in scopes for key in ConversationKeys.of(ConversationScope(*pair))]
    assert len(set(keys)) == len(keys)


def test_lifecycle_follows_its_table_and_nothing_else() -> None:
    for state in SessionState:
        for event in Event:
            if (state, event) in TRANSITIONS:
                assert after(state, event) is TRANSITIONS[state, event]
            else:
                with pytest.raises(InvariantBroken):
                    after(state, event)
    assert {state for state, _ in TRANSITIONS} == {s for s in SessionState if s is not SessionState.ENDED}


def test_profile_change_that_says_nothing_new_keeps_the_version() -> None:
    profile = apply_change(Profile("u"), ProfileChange(add={"allergies": ["青霉素", "青霉素 "]}))
    assert (profile.version, profile.allergies) == (1, ("青霉素",))
    assert apply_change(profile, ProfileChange(add={"allergies": ["青霉素"]})) is profile


@pytest.mark.parametrize(("name", "encoding"), [("o200k_base", "o200k_base"), ("gpt-4o", "o200k_base"),
                                                ("gpt-4", "cl100k_base"), ("gpt-5", "o200k_base")])  # fmt: skip
def test_model_or_encoding_selects_the_encoding(name: str, encoding: str) -> None:
    assert encoding_name(name) == encoding


def test_unknown_encoding_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SetupError, match="o200k_base"):
        encoding_name("no-such-model")


def test_counts_are_exact_and_special_tokens_are_text(counter: TiktokenCounter) -> None:
    assert counter.count_short("我头痛三天了") == len(counter._encoding.encode("我头痛三天了"))
    assert counter.count_short("<|endoftext|>") > 1
    assert counter.count_short("") == 0


async def test_long_text_is_counted_off_the_loop(counter: TiktokenCounter) -> None:
    text = "头痛三天。" * 40_000
    assert counter.count_short(text) is None
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            await asyncio.sleep(0)
            ticks += 1

    ticking = asyncio.create_task(tick())
    assert await counter.count(text) == counter.count_now(text)
    ticking.cancel()
    assert ticks > 1


def test_every_lua_script_is_used_and_refuses_half_writes() -> None:
    folder = Path(inspect.getfile(Script)).parent
    used = (folder / "scripts.py").read_text(encoding="utf-8")
    scripts = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "lua").glob("*.lua")}
    text = used + "".join(scripts.values())
    for name, source in scripts.items():
        assert f'"{name}"' in used or f"-- include {name}.lua" in text, f"{name} is used by nobody"
        if f'"{name}"' in used:
            assert source.startswith("#!lua"), f"{name} would half-write when Redis is full"


def test_scripts_move_sessions_only_as_the_lifecycle_says() -> None:
    folder = Path(inspect.getfile(Script)).parent / "lua"
    moves = {
        "seal_journal": (SessionState.ACTIVE, Event.SEALED),
        "close": (SessionState.ENDING, Event.CLOSED),
        "give_up": (SessionState.ENDING, Event.GAVE_UP),
        "replay": (SessionState.FAILED, Event.REPLAYED),
    }
    written = {path.stem: path.read_text(encoding="utf-8") for path in folder.glob("*.lua")}
    assert {name for name, source in written.items() if re.search(r"'HSET'.*'state', '", source)} == set(moves)
    for name, (before, event) in moves.items():
        assert f"'state', '{after(before, event)}'" in written[name]
        assert name == "seal_journal" or f"~= '{before}'" in written[name]
