"""What the best of a search have in common: the same words and vectors over SQLite and a real Weaviate."""

from dataclasses import replace

import numpy as np
import pytest

from memory.language.terms import number_of, terms
from memory.model.memory import Source
from memory.model.search import Compared, Filter, IndexEntry, Pool, Probe
from memory.ports import MemoryStore
from memory.retrieval.lexical import joined
from memory.retrieval.walks import walks
from memory.scope import UserScope
from memory.service.search import MemorySearch, SearchSettings, Wanted
from tests.contract.memory_stores import NOW_MS, U1, direction, entry, key


class Clock:
    def now_ms(self) -> int:
        return NOW_MS


def every(pool: Pool) -> list[int]:
    return list(range(len(pool.candidates)))


def words_of(compared: Compared) -> dict[tuple[int, int], int]:
    records, words, often = compared.said
    return {(int(a), int(b)): int(c) for a, b, c in zip(records, words, often, strict=True)}


async def test_compared_gives_the_words_and_vectors_of_the_places_that_are_named(store: MemoryStore) -> None:
    await store.put(U1, [entry(1, "apple pie apple"), entry(2, "plum"), entry(3, "", vector=False), entry(4, "pear")])
    await store.put(UserScope("t1", "u2"), [entry(5, "apple")])
    pool = await store.pool(U1, Probe((), direction(1), Filter(), compared=lambda _: [3, 0, 2]))
    assert pool.compared is not None
    assert list(pool.compared.places) == [3, 0, 2]
    apple, pie, pear = (number_of(*terms(word)) for word in ("apple", "pie", "pear"))
    assert words_of(pool.compared) == {(0, pear): 1, (1, apple): 2, (1, pie): 1}
    assert pool.compared.vectors[:2] == pytest.approx(np.array([direction(4), direction(1)]), abs=1e-6)
    assert np.isnan(pool.compared.vectors[2]).all()


async def test_compared_is_nothing_where_nobody_asks_or_names_a_place(store: MemoryStore) -> None:
    await store.put(U1, [entry(1, "apple")])
    assert (await store.pool(U1, Probe((), None, Filter()))).compared is None
    named_none = (await store.pool(U1, Probe((), None, Filter(), compared=lambda _: []))).compared
    assert named_none is None or not named_none.places
    strangers = await store.pool(UserScope("t2", "u9"), Probe((), None, Filter(), compared=every))
    assert strangers.compared is None or not strangers.compared.places


async def test_a_record_that_is_still_to_be_stored_is_compared_as_if_it_were(store: MemoryStore) -> None:
    first, second = entry(1, "apple pie"), entry(2, "plum apple")
    await store.put(U1, [first, second])
    probe = Probe(terms("apple"), direction(1), Filter(), with_words=True, compared=every)
    whole = await store.pool(U1, probe)
    await store.erase(U1, [key(2)])
    beside = joined(await store.pool(U1, probe), [second], probe)
    assert whole.compared is not None
    assert beside.compared is not None
    assert words_of(whole.compared) == words_of(beside.compared)
    assert beside.compared.vectors == pytest.approx(whole.compared.vectors, abs=1e-6)


def passage(number: int, words: str) -> IndexEntry:
    """A message that nothing stands beside, whose words count."""
    source = Source("c1", f"unit-{number}", (1,), f"quote {number}")
    return entry(number, f"{words} {words}", vector=False, source=source, position=1)


async def test_a_message_that_shares_rare_words_with_what_fits_comes_before_one_that_shares_none(
    store: MemoryStore,
) -> None:
    """Tom's marathon names 2019 and the marathon; what else happened there names the marathon alone."""
    others = [passage(10 + number, f"weather rain tom day{number}") for number in range(40)]
    led_to = passage(1, "knee blister harbourrun tom")
    fits = passage(2, "tom medal trophy harbourrun")
    await store.put(U1, [led_to, fits, *others])
    search = MemorySearch(store, None, Clock(), SearchSettings())
    wanted = Wanted("what trophy and medal did tom get", limit=50, speakers=())
    fast = await search.find(U1, wanted)
    deep = await search.find(U1, replace(wanted, walks=True))
    assert [one.memory.memory_id for one in fast.results[:1]] == [key(2)]
    places = [[one.memory.memory_id for one in found.results].index(key(1)) for found in (fast, deep)]
    assert places[1] == 1 < len(others)
    reached = deep.results[places[1]]
    assert reached.parts["words_walk"] > 0.5
    assert {one.memory.memory_id: one.score for one in fast.results} == pytest.approx(
        {one.memory.memory_id: one.score for one in deep.results}
    )


async def test_what_asks_hands_nothing_on_and_a_word_of_every_tenth_record_joins_nothing(store: MemoryStore) -> None:
    asking = passage(1, "trophy harbourrun")._replace(asks=True)
    plain, beside = passage(2, "trophy common"), passage(3, "harbourrun")
    others = [passage(10 + number, f"common day{number}") for number in range(30)]
    await store.put(U1, [asking, plain, beside, *others])
    pool = await store.pool(U1, Probe(terms("trophy"), None, Filter(), compared=every))
    assert pool.compared is not None
    fit = np.array([1.0 if each.memory_id in {key(1), key(2)} else 0.0 for each in pool.candidates])
    got = walks(pool.compared, pool.candidates, fit)["words_walk"]
    by_id = {each.memory_id: float(value) for each, value in zip(pool.candidates, got, strict=True)}
    assert by_id[key(3)] == by_id[key(1)] == by_id[key(10)] == min(got)


async def test_a_walk_begins_again_from_where_it_has_led(store: MemoryStore) -> None:
    """The first shares a word with the second, and the second alone one with the third."""
    chain = [passage(1, "medal harbourrun"), passage(2, "harbourrun blister"), passage(3, "blister ointment")]
    others = [passage(10 + number, f"day{number}") for number in range(25)]
    await store.put(U1, [*chain, *others])
    pool = await store.pool(U1, Probe(terms("medal"), None, Filter(), compared=every))
    assert pool.compared is not None
    fits = {key(1): 5.0, key(2): 0.0, key(3): 0.0}
    fit = np.array([fits.get(each.memory_id, 1.0) for each in pool.candidates])
    got = walks(pool.compared, pool.candidates, fit)["words_walk"]
    by_id = {each.memory_id: float(value) for each, value in zip(pool.candidates, got, strict=True)}
    assert by_id[key(2)] > by_id[key(3)] > by_id[key(10)]


async def test_by_meaning_what_lies_near_to_the_best_is_walked_to_though_it_shares_no_word(store: MemoryStore) -> None:
    def at(number: int, word: str, angle: float) -> IndexEntry:
        vector = np.zeros(8, np.float32)
        vector[0], vector[1 + number % 7] = np.cos(angle), np.sin(angle)
        return passage(number, word)._replace(vector=vector)

    near = passage(2, "kayak")._replace(vector=direction(5))
    fits = passage(1, "canoe")._replace(vector=direction(5))
    await store.put(U1, [fits, near, *(at(10 + number, f"w{number}", 0.3) for number in range(20))])
    pool = await store.pool(U1, Probe(terms("canoe"), None, Filter(), compared=every))
    assert pool.compared is not None
    fit = np.array([5.0 if each.memory_id == key(1) else 0.0 for each in pool.candidates])
    got = walks(pool.compared, pool.candidates, fit)["meaning_walk"]
    best = [pool.candidates[place].memory_id for place in np.argsort(-got)[:2]]
    assert set(best) == {key(1), key(2)}
