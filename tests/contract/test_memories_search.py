"""The memory store's contract: filters, words and vectors."""

import math
from dataclasses import replace

import pytest

from memory.language.terms import terms
from memory.model.memory import Category, Kind, Source, Type
from memory.model.search import Filter, IndexEntry, Probe
from memory.ports import MemoryStore
from memory.retrieval.lexical import joined
from tests.contract.memory_stores import EVERYONE, NOW_MS, U1, direction, entry, ids, key, memory, scores

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
    (Filter(with_past=True), {1, 2, 3, 4, 6}),
    (Filter(kinds=(Kind.EPISODE,), with_past=True), {3, 4, 6}),
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
    everything = await store.get(U1, [key(number) for number in range(1, 7)])
    assert {each.memory_id for each in everything if wanted.lets_in(each)} == {key(number) for number in numbers}


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


async def test_the_best_by_words_are_those_of_the_whole_pool(store: MemoryStore) -> None:
    texts = [
        "kidney stones",
        "kidney stones kidney pain",
        "a long talk about a kidney and much else",
        "weather",
        "stones",
    ]
    await store.put(U1, [entry(number, text) for number, text in enumerate(texts, 1)])
    await store.put(U1, [entry(6, "kidney stones", kind=Kind.EVENT)])
    episodes, asked = Filter(kinds=(Kind.EPISODE,)), terms("kidney stones")
    whole = scores(await store.pool(U1, Probe(asked, None, episodes)))
    for most in (1, 2, 10):
        pool = await store.pool(U1, Probe(asked, None, episodes, best=most))
        found = scores(pool)
        for score, memory_id in sorted((score, memory_id) for memory_id, (score, _) in whole.items() if score > 0)[
            -most:
        ]:
            assert found[memory_id][0] == pytest.approx(score, rel=1e-4)
        assert all(each.memory_id == memory_id for memory_id, each in pool.read.items())
    assert not any(float(each) for each in (await store.pool(U1, Probe((), None, episodes, best=3))).lexical)


async def test_scores_depend_on_the_words_of_the_own_user_alone(store: MemoryStore) -> None:
    await store.put(U1, [entry(1, "kidney stones"), entry(2, "liver"), entry(3, "kidney pain at night")])
    probe = Probe(terms("kidney stones"), direction(1), Filter())
    before = scores(await store.pool(U1, probe))
    for scope in EVERYONE[1:]:
        await store.put(scope, [entry(number, "stones stones and stones") for number in range(30)])
    assert scores(await store.pool(U1, probe)) == before


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


async def test_speakers_are_those_of_the_user_once_each(store: MemoryStore) -> None:
    spoken = (("Ann", 1), ("Bob", 2), ("Ann", 3), ("", 4))
    await store.put(U1, [entry(number, speaker=name) for name, number in spoken])
    assert sorted(await store.speakers(U1)) == ["Ann", "Bob"]
    assert await store.speakers(EVERYONE[1]) == []


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


async def test_pool_is_what_is_stored_now_however_often_it_was_asked_for(store: MemoryStore) -> None:
    """With and without vectors, as records come, change and go."""
    there: dict[int, str] = {}

    async def is_pool() -> None:
        for probe in (Probe((), direction(99), Filter()), Probe(terms("kidney"), direction(99), Filter())):
            for _ in range(2):
                pool = await store.pool(U1, probe)
                assert {each.memory_id for each in pool.candidates} == {key(number) for number in there}
                read = {memory_id: pool.read[memory_id] for memory_id in pool.read}
                assert read == {each.memory_id: each for each in await store.get(U1, list(read))}
        lexical = scores(pool)
        assert {n for n in there if lexical[key(n)][0] > 0} == {n for n, words in there.items() if words == "kidney"}

    await is_pool()
    for number, words, vector in ((1, "kidney", True), (2, "sleep", True), (3, "sleep", False), (4, "kidney", False)):
        there[number] = words
        await store.put(U1, [entry(number, words, vector=vector)])
        await is_pool()
    for gone in (3, 1, 4):
        del there[gone]
        await store.erase(U1, [key(gone)])
        await is_pool()
    await store.change(U1, [key(2)], lambda found: replace(found, text="changed"))
    await is_pool()
