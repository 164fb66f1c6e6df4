"""Shares: how many places a caller has, who waits for one, and that each is given back."""

import asyncio

import pytest

from gateway.http.turns import Callers, Shares, Turns
from memory.errors import TooManyRequests

USER = (("u", 2),)


async def test_place_that_is_free_is_taken_at_once_and_another_when_it_is_given_back() -> None:
    turns = Turns(wait_s=5)
    await turns.take(USER)
    await turns.take(USER)
    third = asyncio.create_task(turns.take(USER))
    await asyncio.sleep(0)
    assert not third.done()
    await turns.take((("another", 1),))
    turns.give(USER)
    await asyncio.wait_for(third, 1)


async def test_places_are_handed_on_in_the_order_of_waiting() -> None:
    turns = Turns(wait_s=5)
    order: list[int] = []

    async def work(number: int) -> None:
        await turns.take(USER)
        order.append(number)
        await asyncio.sleep(0)
        turns.give(USER)

    await asyncio.gather(*(work(number) for number in range(20)))
    assert order == list(range(20))


async def test_place_that_is_not_free_in_time_is_refused_and_nothing_of_it_stays() -> None:
    turns = Turns(wait_s=0.01)
    claims = (("k", 2), ("u", 1))
    await turns.take(claims)
    with pytest.raises(TooManyRequests):
        await turns.take(claims)
    await turns.take((("k", 2),))
    turns.give((("k", 2),))
    turns.give(claims)
    await turns.take(claims)
    turns.give(claims)
    assert vars(turns)["_taken"] == {}
    assert vars(turns)["_waiting"] == {}


async def test_who_gives_up_waiting_loses_no_place() -> None:
    turns = Turns(wait_s=5)
    await turns.take((("u", 1),))
    waiting = [asyncio.create_task(turns.take((("u", 1),))) for _ in range(3)]
    await asyncio.sleep(0)
    turns.give((("u", 1),))
    waiting[0].cancel()  # in the moment in which it is its turn
    waiting[1].cancel()
    await asyncio.wait_for(waiting[2], 1)
    turns.give((("u", 1),))
    assert vars(turns)["_taken"] == {}


def test_shares_that_do_not_matter_are_not_claimed() -> None:
    user = ("t", "u")
    assert Callers(Shares(None, None, 2, 100)).claims(1, "10.0.0.1", user) == [(user, 2)]
    assert Callers(Shares(5, 4, 2, 100)).claims(1, "10.0.0.1", None) == [(1, 5), ("10.0.0.1", 4)]
    assert Callers(Shares(5, 4, 2, 100)).claims(1, "", user) == [(user, 2), (1, 5)]


def test_user_has_few_places_at_first_more_with_small_answers_and_as_many_as_fit_with_large_ones() -> None:
    callers = Callers(Shares(None, None, 10, user_bytes=10_000_000))
    user = ("t", "u")
    places = []
    for size in (100, 100, 100, 100, 3_000_000, 50_000_000, 100, 100):
        callers.learn(user, size)
        places.append(callers.claims(1, "", user)[0][1])
    assert places == [4, 8, 10, 10, 3, 1, 2, 4]
    assert callers.claims(1, "", ("t", "another"))[0][1] == 2


def test_users_that_are_known_are_bounded() -> None:
    callers = Callers(Shares(None, None, 10, user_bytes=1))
    for number in range(20_000):
        callers.learn(("t", str(number)), 1)
    assert len(vars(callers)["_places"]) <= 10_000
