"""Shares: how many places a caller has, who waits for one, and that each is given back."""

import asyncio

import pytest

from gateway.http.turns import Shares, Turns
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
    assert Shares(of_key=None, of_peer=None, of_user=3).claims(1, "10.0.0.1", ("t", "u")) == ((("t", "u"), 3),)
    assert Shares(of_key=5, of_peer=4, of_user=3).claims(1, "10.0.0.1", None) == ((1, 5), ("10.0.0.1", 4))
    assert Shares(of_key=5, of_peer=4, of_user=3).claims(1, "", ("t", "u")) == ((("t", "u"), 3), (1, 5))
