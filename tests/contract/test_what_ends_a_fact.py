"""Of random facts only those end that share subject and predicate with what came later, and cannot both be so."""

import random

from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.triples import Told
from memory.extraction.rules_mind import RulesMind
from memory.model.memory import Kind, Memory
from memory.model.predicates import PREDICATES
from memory.ports import MemoryStore
from memory.stores.sqlite.memories import SqliteMemoryStore
from tests.contract.memory_stores import NOW_MS, U1

FACTS, FACTS_ON_WEAVIATE = 5_000, 1_000
TOGETHER = 250
ONE_VALUE = frozenset({"name", "sex", "age", "job", "residence"})
"""Of what somebody has one at a time, a new value ends the old; of all else only its denial, or what confirms it."""
FREE = ("喜欢", "讨厌", "认识", "works with", "owns", "老师", "单位")


async def test_only_what_shares_subject_and_predicate_ends_a_fact(store: MemoryStore) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    dice = random.Random(seed)
    minds = Minds(RulesMind(), RulesMind(), None, "zh")
    rememberer = Rememberer(store, minds)
    predicates = (*FREE, *PREDICATES)
    facts_told = FACTS if isinstance(store, SqliteMemoryStore) else FACTS_ON_WEAVIATE
    for start in range(0, facts_told, TOGETHER):
        told = [
            Told(
                subject=dice.choice(("user", "妈妈", "小明", "Tom")),
                predicate=dice.choice(predicates),
                object=f"{dice.choice(('花生', '杭州', 'tea', '跑步', '头孢'))}{dice.randrange(8)}",
                quote="",
                conversation="",
                told_ms=NOW_MS + start + number,
                polarity=dice.choice("+++-"),
            )
            for number in range(TOGETHER)
        ]
        await rememberer.tell(U1, told)
    facts = {each.memory.memory_id: each.memory async for each in store.entries(U1) if each.memory.kind is Kind.FACT}
    ended = [each for each in facts.values() if each.superseded_by]
    wrongly = [each for each in ended if not _rightly(each, facts[each.superseded_by])]
    assert wrongly == []
    assert len(ended) < len(facts) / 2


def _rightly(old: Memory, new: Memory) -> bool:
    if old.subject != new.subject or old.predicate.removeprefix("possible_") != new.predicate.removeprefix("possible_"):
        return False
    if old.predicate in ONE_VALUE and new.polarity == "+":
        return True
    return old.object == new.object and (old.polarity != new.polarity or old.predicate != new.predicate)
