"""The memory store's contract, over SQLite and a real Weaviate."""

import asyncio
import math
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory.errors import InvariantBroken, SetupError
from memory.language.terms import terms
from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.model.search import DueMemory, Filter, IndexEntry, Pool, Probe, Vector
from memory.ports import MemoryStore
from memory.retrieval.lexical import joined
from memory.scope import UserScope
from memory.stores.sqlite.database import Database
from memory.stores.sqlite.memories import SqliteMemoryStore
from memory.stores.weaviate.client import WeaviateConnection
from memory.stores.weaviate.memories import WeaviateMemoryStore
from tests.stores import empty
from tests.weaviate_server import DueTimes, WeaviateServer

DIMENSION = 8
SPACE = "test/8"
U1 = UserScope("t1", "u1")
EVERYONE = [U1, UserScope("t1", "u2"), UserScope("t2", "u1"), UserScope("t2", "u2")]
HOUR_MS = 3_600_000
NOW_MS = 1_700_000_000_000


def fades(memory: Memory) -> int | None:
    """For these tests: an hour after the last access; never what was not accessed."""
    return None if memory.accessed_ms is None else memory.accessed_ms + HOUR_MS


async def in_sqlite(path: Path, space: str = SPACE) -> tuple[MemoryStore, Callable[[], Any]]:
    database = Database(path / "store.sqlite3")
    await database.start()
    store = SqliteMemoryStore(database, space, DIMENSION, fades)
    try:
        await store.start()
    except SetupError:
        await database.close()
        raise
    return store, database.close


async def in_weaviate(server: WeaviateServer, space: str = SPACE) -> tuple[MemoryStore, Callable[[], Any]]:
    store = WeaviateMemoryStore(WeaviateConnection(server.settings()), space, DIMENSION, fades, DueTimes())
    try:
        await store.start()
    except SetupError:
        await store.close()
        raise
    return store, store.close


@pytest.fixture(params=["sqlite", pytest.param("weaviate", marks=pytest.mark.integration)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Any]:
    """Opens the store (again)."""
    if request.param == "sqlite":
        return lambda space=SPACE: in_sqlite(tmp_path, space)
    server = request.getfixturevalue("weaviate")
    asyncio.run(empty(server))
    return lambda space=SPACE: in_weaviate(server, space)


@pytest.fixture
async def store(opened: Callable[..., Any]) -> AsyncIterator[MemoryStore]:
    made, close = await opened()
    yield made
    await close()


def key(number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"memory {number}"))


def direction(number: int) -> Vector:
    vector = np.random.default_rng(number).normal(size=DIMENSION).astype(np.float32)
    return vector / np.float32(np.linalg.norm(vector))


def memory(number: int = 1, **changes: Any) -> Memory:
    made = Memory(
        memory_id=key(number),
        user_id="u1",
        kind=Kind.EPISODE,
        category=Category.EPISODE,
        type=Type.EVENT,
        text=f"text {number}",
        source=Source("c1", "unit-1", (number,), f"quote {number}"),
        occurred_ms=NOW_MS + number,
        recorded_ms=NOW_MS + number,
        position=number,
    )
    return replace(made, **changes)


def entry(number: int = 1, words: str = "", *, vector: bool = True, **changes: Any) -> IndexEntry:
    return IndexEntry(memory(number, **changes), terms(words), direction(number) if vector else None)


async def ids(store: MemoryStore, wanted: Filter, scope: UserScope = U1) -> set[str]:
    """What a filter lets in, by the page and by the pool: they agree."""
    paged = {each.memory_id for each in (await store.page(scope, wanted, "", 100)).memories}
    pooled = {each.memory_id for each in (await store.pool(scope, Probe((), None, wanted))).candidates}
    assert paged == pooled
    return paged


SAID = (
    *("我对青霉素过敏，吃了会起皮疹", "上周三开始头痛，吃了布洛芬", "医生让我去神经内科", "头痛好多了，皮疹还在"),
    *("明天去复查皮疹", "布洛芬饭后吃", "I run every morning before work", "my daughter plays the violin"),
    *("the doctor asked about penicillin and ibuprofen", "the rash is gone since Monday", "cats purr"),
)


async def test_records_beside_the_pool_score_nearly_as_if_they_were_stored(store: MemoryStore) -> None:
    entries = [entry(number, text * 2, vector=False) for number, text in enumerate(SAID, 1)]
    fresh, texts = entries[::3], {one.memory.memory_id: " ".join(one.terms) for one in entries}
    await store.put(U1, entries)
    await store.put(EVERYONE[1], [one for one in entries if one not in fresh])
    for query in ("青霉素 皮疹", "头痛 布洛芬", "penicillin rash doctor", "violin"):
        probe = Probe(terms(query), None, Filter(), with_words=True)
        stored, part = await store.pool(U1, probe), await store.pool(EVERYONE[1], probe)
        assert part.words == {one: texts[one] for one, (lexical, _) in scores(part).items() if lexical > 0}
        true, about = scores(stored), scores(joined(part, fresh, probe))
        with_words = [{one for one, (lexical, _) in found.items() if lexical > 0} for found in (true, about)]
        assert with_words[0] == with_words[1], query
        assert max(true, key=lambda one: true[one]) == max(about, key=lambda one: about[one]), query


def scores(pool: Pool) -> dict[str, tuple[float, float]]:
    return {
        each.memory_id: (float(lexical), float(cosine))
        for each, lexical, cosine in zip(pool.candidates, pool.lexical, pool.cosine, strict=True)
    }


FULL = memory(
    kind=Kind.FACT,
    category=Category.CORE,
    type=Type.RELATION,
    text='她说"青霉素过敏"\n\x00 \\ 🌊',
    source=Source("c-9", "unit-9", (3, 4, 8), "青霉素 'quoted'"),
    importance=0.125,
    strength=1.75,
    subject="user",
    predicate="allergic_to",
    object="青霉素",
    polarity="-",
    speaker="小明",
    mind="model:x",
    valid_from_ms=0,
    valid_to_ms=2**53 - 1,
    superseded_by=key(77),
    archived_ms=5,
    accesses=3,
    accessed_ms=NOW_MS,
    boost_day=19_000,
    boosted=0.3,
)


async def test_memory_reads_back_with_every_field(store: MemoryStore) -> None:
    await store.put(U1, [IndexEntry(FULL, terms(FULL.text), direction(1), asks=True, timed=True), entry(2)])
    assert await store.get(U1, [key(2), key(1)]) == [memory(2), FULL]


async def test_get_unknown_ids_are_left_out(store: MemoryStore) -> None:
    await store.put(U1, [entry(1)])
    assert await store.get(U1, ["no-uuid", key(9), key(1), "", key(1).upper()]) == [memory(1)]


async def test_put_again_changes_nothing(store: MemoryStore) -> None:
    await store.put(U1, [entry(1, "kidney stones"), entry(1, "other words", text="other")])
    await store.change(U1, [key(1)], lambda found: replace(found, accesses=4))
    await store.put(U1, [entry(1, "other words", text="other"), entry(2, "kidney")])
    assert await store.get(U1, [key(1)]) == [memory(1, accesses=4)]
    assert await store.count(U1) == 2
    found = scores(await store.pool(U1, Probe(terms("other"), direction(1), Filter())))
    assert found[key(1)][0] == 0.0
    assert found[key(1)][1] == pytest.approx(1.0, abs=1e-4)


async def test_store_opened_again_has_what_was_put(opened: Callable[..., Any]) -> None:
    first, close = await opened()
    await first.put(U1, [entry(1, "kidney stones")])
    await close()
    second, close = await opened()
    await second.put(U1, [entry(1, "kidney stones")])
    found = scores(await second.pool(U1, Probe(terms("kidney"), direction(1), Filter())))
    await close()
    assert found[key(1)] == pytest.approx((found[key(1)][0], 1.0), abs=1e-4)
    assert found[key(1)][0] > 0


async def test_another_vector_space_is_refused_and_told_to_reindex(opened: Callable[..., Any]) -> None:
    store, close = await opened()
    await store.put(U1, [entry(1)])
    await close()
    for space in ("other/8", ""):
        with pytest.raises(SetupError, match=r"test/8, terms version 1.*anamnesis reindex"):
            await opened(space)
    _, close = await opened()
    await close()


async def test_scopes_never_see_one_another(store: MemoryStore) -> None:
    for scope in EVERYONE:
        mine = entry(
            1, f"kidney {scope.tenant}{scope.user}", text=str(scope), subject="s", predicate="p", kind=Kind.FACT
        )
        await store.put(scope, [mine, entry(2)])
    for scope in EVERYONE:
        assert [each.text for each in await store.get(scope, [key(1)])] == [str(scope)]
        assert [each.text for each in await store.facts(scope, "s", "p")] == [str(scope)]
        assert {each.text for each in (await store.page(scope, Filter(), "", 9)).memories} == {str(scope), "text 2"}
        theirs = [word for other in EVERYONE if other != scope for word in terms(f"{other.tenant}{other.user}")]
        pool = await store.pool(scope, Probe(theirs, direction(1), Filter()))
        assert len(pool.candidates) == 2
        assert not pool.lexical.any()


async def test_changes_and_erasure_stay_within_the_scope(store: MemoryStore) -> None:
    for scope in EVERYONE:
        await store.put(scope, [entry(1), entry(2), entry(3, source=Source("c2", "unit-2", (3,), ""))])
    await store.change(U1, [key(1)], lambda found: replace(found, accesses=1, accessed_ms=NOW_MS))
    assert await store.due(NOW_MS + HOUR_MS, 9) == [DueMemory("t1", "u1", key(1))]
    assert await store.erase(U1, [key(1)]) == 1
    assert await store.erase_conversation(U1, "c2") == 1
    assert await store.erase_user(U1) == 1
    assert await store.count(U1) == 0
    for scope in EVERYONE[1:]:
        assert await store.count(scope) == 3
        assert await store.get(scope, [key(1)]) == [memory(1)]


async def test_pages_follow_the_ids_to_the_end(store: MemoryStore) -> None:
    await store.put(U1, [entry(number) for number in range(25)])
    found: list[str] = []
    cursor = ""
    for size in (10, 10, 5):
        page = await store.page(U1, Filter(), cursor, 10)
        assert len(page.memories) == size
        found += [each.memory_id for each in page.memories]
        cursor = page.cursor
    assert cursor == ""
    assert found == sorted(key(number) for number in range(25))


async def test_page_of_exactly_the_rest_has_no_cursor(store: MemoryStore) -> None:
    await store.put(U1, [entry(1), entry(2)])
    assert (await store.page(U1, Filter(), "", 2)).cursor == ""
    first = await store.page(U1, Filter(), "", 1)
    assert first.cursor == first.memories[0].memory_id
    assert (await store.page(U1, Filter(), first.cursor, 1)).cursor == ""


KINDS = [
    (Filter(), {1, 2, 3, 4}),
    (Filter(kinds=(Kind.FACT,)), {1}),
    (Filter(kinds=(Kind.FACT, Kind.EVENT)), {1, 2}),
    (Filter(categories=(Category.CORE, Category.SYSTEM)), {2, 3}),
    (Filter(types=(Type.OPINION,)), {1, 3}),
    (Filter(conversation="c1"), {1, 2}),
    (Filter(conversation="C1"), set()),
    (Filter(conversation='c1" OR "1"="1'), set()),
    (Filter(from_ms=NOW_MS + 2), {2, 3, 4}),
    (Filter(to_ms=NOW_MS + 2), {1}),
    (Filter(from_ms=NOW_MS + 2, to_ms=NOW_MS + 4), {2, 3}),
    (Filter(kinds=(Kind.EPISODE,), categories=(Category.CORE,), types=(Type.OPINION,)), {3}),
    (Filter(kinds=(Kind.PROFILE,)), set()),
]


@pytest.mark.parametrize(("wanted", "numbers"), KINDS)
async def test_filter_lets_in_what_it_names(store: MemoryStore, wanted: Filter, numbers: set[int]) -> None:
    other = Source("c2", "unit-2", (1,), "")
    await store.put(
        U1,
        [
            entry(1, kind=Kind.FACT, category=Category.FACT, type=Type.OPINION),
            entry(2, kind=Kind.EVENT, category=Category.SYSTEM),
            entry(3, category=Category.CORE, type=Type.OPINION, source=other),
            entry(4, source=other, vector=False),
            entry(5, archived_ms=0),
            entry(6, superseded_by=key(1)),
        ],
    )
    assert await ids(store, wanted) == {key(number) for number in numbers}


@pytest.mark.parametrize(
    ("as_of_ms", "numbers"),
    [(9, set()), (10, {3}), (99, {3}), (100, {1, 3, 5}), (199, {1, 3, 5}), (200, {2, 3}), (300, {2, 3, 4})],
)
async def test_as_of_shows_what_was_held_then(store: MemoryStore, as_of_ms: int, numbers: set[int]) -> None:
    await store.put(
        U1,
        [
            entry(1, occurred_ms=150, valid_from_ms=100, valid_to_ms=200, superseded_by=key(2)),
            entry(2, occurred_ms=200),
            entry(3, occurred_ms=500, valid_from_ms=10),
            entry(4, occurred_ms=300, valid_to_ms=2**53 - 1),
            entry(5, occurred_ms=100, valid_to_ms=200),
            entry(6, occurred_ms=1, archived_ms=2),
        ],
    )
    assert await ids(store, Filter(as_of_ms=as_of_ms)) == {key(number) for number in numbers}


async def test_changed_records_are_filtered_as_they_are_now(store: MemoryStore) -> None:
    await store.put(U1, [entry(1), entry(2), entry(3), entry(4, valid_to_ms=50, occurred_ms=1)])
    await store.change(U1, [key(1)], lambda found: replace(found, archived_ms=NOW_MS))
    await store.change(U1, [key(2)], lambda found: replace(found, superseded_by=key(3), valid_to_ms=NOW_MS + 9))
    await store.change(U1, [key(3)], lambda found: replace(found, kind=Kind.EVENT, category=Category.CORE))
    await store.change(U1, [key(4)], lambda found: replace(found, valid_to_ms=None))
    assert await ids(store, Filter()) == {key(3), key(4)}
    assert await ids(store, Filter(as_of_ms=NOW_MS + 8)) == {key(2), key(3), key(4)}
    assert await ids(store, Filter(kinds=(Kind.EVENT,), categories=(Category.CORE,))) == {key(3)}
    pool = await store.pool(U1, Probe((), direction(3), Filter(kinds=(Kind.EVENT,))))
    assert pool.candidates[0].kind == "event"
    assert pool.cosine[0] == pytest.approx(1.0, abs=1e-4)
    await store.change(U1, [key(1)], lambda found: replace(found, archived_ms=None))
    assert await ids(store, Filter()) == {key(1), key(3), key(4)}


async def test_pool_is_in_the_order_of_unit_and_position(store: MemoryStore) -> None:
    places = [("unit-2", 5), ("unit-1", 30), ("unit-2", 1), ("unit-1", 4), ("unit-10", 2)]
    await store.put(
        U1,
        [
            IndexEntry(
                memory(number, source=Source("c1", unit, (1,), ""), position=position, speaker=f"s{number}"),
                ("word",),
                direction(number),
                asks=number % 2 == 0,
                timed=number > 2,
            )
            for number, (unit, position) in enumerate(places)
        ],
    )
    found = (await store.pool(U1, Probe(("word",), direction(1), Filter()))).candidates
    assert [(each.unit_id, each.position) for each in found] == sorted(places)
    assert found[0] == (key(3), "episode", "unit-1", 4, "s3", NOW_MS + 3, False, True)
    assert [each.asks for each in found] == [False, False, True, True, True]


TEXTS = [
    "My kidney stones came back last summer",
    "上海浦东的天气很热，我去了医院",
    "He lives in Shanghai and runs marathons",
    "医生说肾结石要多喝水",
    "kidney KIDNEYS kidney",
    "",
]


@pytest.mark.parametrize("question", ["kidney stones", "浦东医院", "肾结石", "running in Shanghai", "zebra", "", "我"])
async def test_lexical_is_positive_exactly_where_a_term_is_shared(store: MemoryStore, question: str) -> None:
    await store.put(U1, [entry(number, text) for number, text in enumerate(TEXTS)])
    asked = terms(question)
    found = scores(await store.pool(U1, Probe(asked, None, Filter())))
    sharing = {key(number) for number, text in enumerate(TEXTS) if set(terms(text)) & set(asked)}
    assert {memory_id for memory_id, (lexical, _) in found.items() if lexical > 0} == sharing
    assert all(lexical >= 0 and math.isnan(cosine) for lexical, cosine in found.values())


async def test_lexical_ranks_the_rarer_word_and_the_shorter_text_first(store: MemoryStore) -> None:
    texts = [
        "kidney pain",
        "kidney pain day night week",
        "pain",
        "pain day",
        "pain night",
        "pain week",
        "sleep",
        "rain",
    ]
    await store.put(U1, [entry(number, text) for number, text in enumerate(texts)])
    found = scores(await store.pool(U1, Probe(terms("kidney pain"), None, Filter())))
    lexical = [found[key(number)][0] for number in range(len(texts))]
    assert lexical[0] > lexical[1] > lexical[3] > 0
    assert lexical[6] == 0


@pytest.mark.parametrize(
    "hostile", ["'\") OR 1=1", "*", '"', "kidn*", "words:kidney", "^kidney", "NEAR", "-kidney", " "]
)
async def test_terms_in_a_stores_own_syntax_are_data(store: MemoryStore, hostile: str) -> None:
    await store.put(U1, [entry(1, "kidney stones"), entry(2, "sleep")])
    await store.put(EVERYONE[1], [entry(1, "kidney stones")])
    alone = await store.pool(U1, Probe((hostile,), None, Filter()))
    assert len(alone.candidates) == 2
    beside = scores(await store.pool(U1, Probe(("stone", hostile), None, Filter())))
    assert beside[key(1)][0] > 0
    assert beside[key(2)][0] == 0


async def test_cosines_are_those_of_numpy_and_nan_without_a_vector(store: MemoryStore) -> None:
    await store.put(U1, [entry(number, "word", vector=number != 7) for number in range(20)])
    asked = direction(99)
    found = scores(await store.pool(U1, Probe((), asked, Filter())))
    for number in range(20):
        if number == 7:
            assert math.isnan(found[key(number)][1])
        else:
            assert found[key(number)][1] == pytest.approx(float(direction(number) @ asked), abs=1e-4)
    assert all(lexical == 0 for lexical, _ in found.values())


async def test_facts_are_those_that_nothing_supersedes(store: MemoryStore) -> None:
    about = {"kind": Kind.FACT, "subject": "user", "predicate": "lives_in"}
    await store.put(
        U1,
        [
            entry(1, **about),
            entry(2, **{**about, "predicate": "likes"}),
            entry(3, **{**about, "subject": "User"}),
            entry(4, **about, superseded_by=key(1)),
            entry(5, **about, archived_ms=1),
            entry(6, **about),
            entry(7),
        ],
    )
    assert await store.facts(U1, "user", "lives_in") == [memory(1, **about), memory(6, **about)]
    assert await store.facts(U1, "user", "nothing") == []


async def test_changes_in_parallel_lose_nothing(store: MemoryStore) -> None:
    await store.put(U1, [entry(1), entry(2)])

    def count(found: Memory) -> Memory:
        return replace(found, accesses=found.accesses + 1)

    answers = await asyncio.gather(*(store.change(U1, [key(2), key(1)], count) for _ in range(20)))
    assert [each.accesses for each in await store.get(U1, [key(1), key(2)])] == [20, 20]
    assert sorted(answer[0].accesses for answer in answers) == list(range(1, 21))
    assert all([each.memory_id for each in answer] == [key(2), key(1)] for answer in answers)


async def test_change_that_fails_changes_nothing(store: MemoryStore) -> None:
    await store.put(U1, [entry(1), entry(2)])

    def fail(found: Memory) -> Memory:
        if found.memory_id == key(2):
            raise InvariantBroken("a rule does not hold")
        return replace(found, accesses=9)

    with pytest.raises(InvariantBroken, match="a rule"):
        await store.change(U1, [key(1), key(2)], fail)
    assert await store.get(U1, [key(1)]) == [memory(1)]
    assert await store.change(U1, [key(9), "no-uuid"], fail) == []


async def test_due_comes_in_the_order_of_time_up_to_the_limit(store: MemoryStore) -> None:
    for number, accessed in ((1, 300), (2, 100), (3, 200), (4, 400), (5, None)):
        await store.put(EVERYONE[number % 2], [entry(number, accessed_ms=accessed)])

    def named(*numbers: int) -> list[DueMemory]:
        return [DueMemory("t1", "u2" if number % 2 else "u1", key(number)) for number in numbers]

    assert await store.due(HOUR_MS + 99, 9) == []
    assert await store.due(HOUR_MS + 300, 9) == named(2, 3, 1)
    assert await store.due(HOUR_MS + 300, 2) == named(2, 3)
    await store.change(EVERYONE[1], [key(3)], lambda found: replace(found, accessed_ms=350))
    assert await store.due(HOUR_MS + 400, 9) == named(2, 1, 3, 4)
    await store.change(EVERYONE[0], [key(2)], lambda found: replace(found, accessed_ms=None))
    await store.change(EVERYONE[1], [key(5)], lambda found: replace(found, accessed_ms=1))
    assert await store.due(HOUR_MS + 400, 9) == named(5, 1, 3, 4)
    await store.erase(EVERYONE[1], [key(1)])
    await store.erase_user(EVERYONE[0])
    assert await store.due(HOUR_MS + 400, 9) == named(5, 3)
    await store.erase_conversation(EVERYONE[1], "c1")
    assert await store.due(HOUR_MS + 400, 9) == []


async def test_erase_counts_what_was_there_and_leaves_the_rest(store: MemoryStore) -> None:
    await store.put(U1, [entry(number, "kidney") for number in range(5)])
    assert await store.erase(U1, [key(1), key(3), key(9), "no-uuid"]) == 2
    assert await store.erase(U1, [key(1)]) == 0
    assert await ids(store, Filter()) == {key(0), key(2), key(4)}
    found = await store.pool(U1, Probe(terms("kidney"), direction(1), Filter()))
    assert len(found.candidates) == 3
    assert (found.lexical > 0).all()
    assert await store.get(U1, [key(1)]) == []


async def test_erased_record_can_be_put_again(store: MemoryStore) -> None:
    await store.put(U1, [entry(1, "kidney")])
    await store.erase(U1, [key(1)])
    await store.put(U1, [entry(1, "kidney")])
    found = scores(await store.pool(U1, Probe(terms("kidney"), direction(1), Filter())))
    assert found[key(1)][0] > 0
    assert found[key(1)][1] == pytest.approx(1.0, abs=1e-4)


async def test_erase_conversation_takes_what_came_from_it(store: MemoryStore) -> None:
    other = Source("c2", "unit-2", (1,), "")
    hidden = entry(4, source=other, archived_ms=1, superseded_by=key(1))
    await store.put(U1, [entry(1), entry(2, source=other), entry(3), hidden])
    assert await store.erase_conversation(U1, "c2") == 2
    assert await store.erase_conversation(U1, "c2") == 0
    assert await store.get(U1, [key(number) for number in (1, 2, 3, 4)]) == [memory(1), memory(3)]


async def test_erase_user_takes_everything(store: MemoryStore) -> None:
    await store.put(U1, [*(entry(number) for number in range(30)), entry(30, archived_ms=1)])
    assert await store.erase_user(U1) == 31
    assert await store.count(U1) == 0
    assert await store.get(U1, [key(1)]) == []
    assert await store.erase_user(U1) == 0
    await store.put(U1, [entry(1)])
    assert await store.count(U1) == 1


@pytest.mark.parametrize(
    "spoilt",
    [
        np.full(DIMENSION, np.nan, np.float32),
        np.full(DIMENSION, np.inf, np.float32),
        np.zeros(DIMENSION, np.float32),
        2 * direction(1),
        np.ones(1, np.float32),
        np.zeros(0, np.float32),
    ],
)
async def test_spoilt_vector_is_refused_and_nothing_stored(store: MemoryStore, spoilt: Vector) -> None:
    await store.put(U1, [entry(1)])
    with pytest.raises(InvariantBroken):
        await store.put(U1, [entry(2), IndexEntry(memory(3), (), spoilt)])
    assert await ids(store, Filter()) == {key(1)}
    pool = await store.pool(U1, Probe((), direction(1), Filter()))
    assert np.isfinite(pool.cosine).all()


async def test_unknown_user_has_nothing(store: MemoryStore) -> None:
    nobody = UserScope("t9", "nobody")
    await store.put(nobody, [])
    assert await store.get(nobody, [key(1)]) == []
    assert await store.page(nobody, Filter(), "", 10) == ([], "")
    pool = await store.pool(nobody, Probe(("word",), direction(1), Filter()))
    assert (len(pool.candidates), len(pool.lexical), len(pool.cosine)) == (0, 0, 0)
    assert await store.facts(nobody, "user", "likes") == []
    assert await store.change(nobody, [key(1)], lambda found: found) == []
    erased: Sequence[int] = (
        await store.erase(nobody, [key(1)]),
        await store.erase_conversation(nobody, "c1"),
        await store.erase_user(nobody),
        await store.count(nobody),
    )
    assert list(erased) == [0, 0, 0, 0]
    assert await store.due(NOW_MS, 10) == []


@pytest.mark.parametrize("way", ["erase", "erase_conversation", "erase_user"])
async def test_erased_text_is_not_in_the_bytes_of_sqlite(tmp_path: Path, way: str) -> None:
    store, close = await in_sqlite(tmp_path)
    canary = "canaryquartz"
    await store.put(U1, [entry(1, f"{canary} kidney", text=f"my {canary} word"), entry(2, "kidney")])
    assert canary.encode() in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    argument = {"erase": ([key(1)],), "erase_conversation": ("c1",), "erase_user": ()}[way]
    assert await getattr(store, way)(U1, *argument) >= 1
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    await close()
    assert [name for name, content in left.items() if canary.encode() in content] == []


async def test_words_erased_later_leave_the_bytes_of_sqlite_as_more_is_erased(tmp_path: Path) -> None:
    store, close = await in_sqlite(tmp_path)
    canary = "canaryquartz"
    await store.put(U1, [entry(1, f"{canary} kidney", text=f"my {canary} word")])
    for number in range(2, 36):  # one at a time: the index has parts, and the canary is in the oldest
        await store.put(U1, [entry(number, "liver")])
    assert await store.erase(U1, [key(1)], at_once=False) == 1
    assert await store.get(U1, [key(1)]) == []
    assert (await store.pool(U1, Probe((canary,), None, Filter()))).lexical.max() == 0
    for number in (8, 16, 24, 32):  # every eighth record that is erased takes the cleaning a step on
        await store.erase(U1, [key(number)], at_once=False)
    left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    await close()
    assert [name for name, content in left.items() if canary.encode() in content] == []


async def test_speakers_are_those_of_the_user_once_each(store: MemoryStore) -> None:
    spoken = (("Ann", 1), ("Bob", 2), ("Ann", 3), ("", 4))
    await store.put(U1, [entry(number, speaker=name) for name, number in spoken])
    assert sorted(await store.speakers(U1)) == ["Ann", "Bob"]
    assert await store.speakers(EVERYONE[1]) == []
