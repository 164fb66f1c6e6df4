"""Which denials are moot, and who took over from whom: by what facts say, and in time linear in them."""

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from memory.clinical.findings import CONTRADICTS, ENDED
from memory.consolidation.supersession import contradicts, heirs_of, in_order, meeting, moot_denials, replaces
from memory.extraction.endings.known import Known
from memory.model.change import Change, Op
from memory.model.memory import Category, Kind, Memory, Source, Type
from tests.growth import assert_grows


def fact(name: str, what: str, polarity: str = "+", predicate: str = "allergy", subject: str = "user") -> Memory:
    source = Source("c1", "", (1,), what)
    attributes = {CONTRADICTS: "x"} if polarity == "-" else {}
    return Memory(
        name, "u", Kind.FACT, Category.FACT, Type.EVENT, what, source, 0, 0, subject=subject, predicate=predicate,
        object=what, polarity=polarity, attributes=attributes,
    )  # fmt: skip


@pytest.mark.parametrize("names", [("a", "b"), ("b", "a")])
def test_what_one_message_ends_it_ends_whatever_the_ids_are(names: tuple[str, str]) -> None:
    claim, denial = (fact(name, "tea", polarity, "like") for name, polarity in zip(names, "+-", strict=True))
    over = replace(denial, attributes={ENDED: "true"})
    assert in_order(claim, over) == in_order(over, claim) == (claim, over)
    assert replaces(claim, over)


def taking(name: str, *of: str) -> Memory:
    changes = [Change(number, 0, Op.UPDATED, "rules", of=each) for number, each in enumerate(of)]
    return replace(fact(name, name), changes=changes)


@pytest.mark.parametrize(
    ("claim", "denied", "moot"),
    [
        ("penicillin", "青霉素", False),
        ("青霉素钠", "青霉素", False),
        ("penicillins", "penicillin", False),
        ("zorbalin cream", "zorbalin", False),
        ("licorice", "rice", True),
        ("花生", "花", True),
    ],
)
def test_denial_is_moot_where_nothing_of_the_same_thing_is_claimed(claim: str, denied: str, *, moot: bool) -> None:
    denial = fact("d", denied, "-")
    held = fact("c", claim)
    possible = fact("p", claim, predicate="possible_allergy")
    assert moot_denials([denial, held], ()) == ([denial] if moot else [])
    assert moot_denials([denial, possible], ()) == ([denial] if moot else [])
    assert moot_denials([denial], [Known("allergy", claim)]) == ([denial] if moot else [])
    assert contradicts(held, denial) != moot
    others = [replace(held, subject="dad"), replace(held, predicate="disease"), replace(held, superseded_by="x")]
    assert moot_denials([denial, *others], [Known("disease", claim)]) == [denial]


@pytest.mark.parametrize("predicate", ["likes", "residence", "vital", "allergy", "possible_allergy", "disease", "plan"])
def test_those_meet_that_would_be_found_pair_by_pair(predicate: str) -> None:
    dice = random.Random(predicate)
    for _ in range(200):
        said = [
            replace(
                fact(f"f{each}", dice.choice(("tea", "Tea", "green tea", "血压 120", "血压 130", "青霉素", "感冒")),
                     dice.choice("++-"), predicate=predicate),
                occurred_ms=dice.randrange(4), mind=dice.choice(("rules", "caller")),
                attributes=dice.choice(({}, {"ended": "x"}, {"taken_back": "x"})),
            )
            for each in range(dice.randrange(1, 9))
        ]  # fmt: skip
        pairs = [(one, *in_order(one, other)) for one in said for other in said if one is not other]
        expected = {one.memory_id for one, old, new in pairs if replaces(old, new) or contradicts(old, new)}
        assert {each.memory_id for each in meeting(said, said)} == expected


def test_many_facts_that_come_in_take_time_linear_in_them() -> None:
    def work(times: int) -> None:
        said = [fact(f"f{each}", f"zorbalin{each}", predicate="likes") for each in range(times)]
        meeting(said, said)

    assert_grows(work, lambda times: times, 4_000)


def test_many_denials_beside_many_claims_take_time_linear_in_them() -> None:
    def work(times: int) -> None:
        claims = [fact(f"c{each}", f"zorbalin{each} of {each}") for each in range(times)]
        moot_denials([*claims, *(fact(f"d{each}", f"krimbol{each} at {each}x", "-") for each in range(times))], ())

    assert_grows(work, lambda times: times, 3_000)


@pytest.mark.parametrize(
    ("what", "denied", "over"),
    [("coffee", "black coffee", True), ("跑步", "晨间跑步", True), ("tea", "steak", False)],
)
def test_taste_ends_by_a_no_of_its_own_words(what: str, denied: str, *, over: bool) -> None:
    old, later = (fact(name, text, sign, "like") for name, text, sign in (("a", what, "+"), ("b", denied, "-")))
    assert replaces(old, later) == over


def test_passing_disease_ends_by_a_no_of_the_same_thing_only() -> None:
    cold, sore = fact("a", "cold sore", predicate="disease"), fact("b", "cold", "-", "disease")
    assert not replaces(cold, sore)
    assert replaces(fact("a", "seasonal flu", predicate="disease"), fact("b", "flu", "-", "disease"))


def names(memories: Sequence[Memory]) -> list[str]:
    return [each.memory_id for each in memories]


def test_heirs_come_after_those_they_took_from() -> None:
    every = [taking("d", "b", "c"), taking("c", "b"), taking("b", "a"), taking("x", "y"), taking("a")]
    assert names(heirs_of(every, {"a"})) == ["b", "c", "d"]
    assert names(heirs_of(every, {"a", "b"})) == ["c", "d"]
    assert heirs_of(every, {"x"}) == []


def test_heirs_that_took_from_each_other_come_once() -> None:
    every = [taking("b", "a", "c", "b"), taking("c", "b"), taking("e", "a")]
    assert names(heirs_of(every, {"a"})) == ["e", "b", "c"]


@pytest.mark.parametrize("seed", range(20))
def test_heirs_are_those_that_can_be_reached_in_turn(seed: int) -> None:
    dice = random.Random(seed)
    every = [taking(str(each), *map(str, dice.sample(range(each), min(each, 2)))) for each in range(30)]
    dice.shuffle(every)
    heirs = names(heirs_of(every, {"0", "7"}))
    took = {each.memory_id: {change.of for change in each.changes} for each in every}
    reached = {"0", "7"}
    for each in map(str, range(30)):
        reached |= {each} if took[each] & reached else set()
    assert sorted(heirs) == sorted(reached - {"0", "7"})
    assert all(heirs.index(of) < place for place, each in enumerate(heirs) for of in took[each] if of in heirs)


def test_long_chain_of_heirs_takes_time_linear_in_it() -> None:
    def work(times: int) -> None:
        heirs_of([taking(str(each), str(each - 1)) for each in range(times, 0, -1)], {"0"})

    assert_grows(work, lambda times: times, 8_000)
