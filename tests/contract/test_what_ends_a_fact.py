"""Of random facts only those end that share subject and predicate with what came later, and cannot both be so."""

import random

from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.supersession import in_order, replaces, rivals
from memory.consolidation.triples import Told
from memory.extraction.rules_mind import RulesMind
from memory.model.memory import Kind, Memory
from memory.model.predicates import PREDICATES
from memory.ports import MemoryStore
from tests.contract.memory_stores import NOW_MS, U1

FACTS = 1_000
TOGETHER = 100
FREE = ("喜欢", "讨厌", "认识", "works with", "owns", "老师", "单位")


async def test_only_what_shares_subject_and_predicate_ends_a_fact(store: MemoryStore) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    dice = random.Random(seed)
    minds = Minds(RulesMind(), RulesMind(), None, "zh")
    rememberer = Rememberer(store, minds)
    predicates = (*FREE, *PREDICATES)
    for start in range(0, FACTS, TOGETHER):
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
    earlier, later = in_order(old, new)
    return old.subject == new.subject and old.predicate in rivals(new.predicate) and replaces(earlier, later)
