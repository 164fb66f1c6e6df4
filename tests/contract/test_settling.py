"""Staged to consolidated: entries completed, labels written alike made one, others suggested, by both stores."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from memory.consolidation.derive import indexed
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.consolidation.upkeep import tidy
from memory.consolidation.upkeep.tidy import Tidied, Tidier
from memory.errors import InvariantBroken, ModelUnavailable
from memory.extraction.rules_mind import RulesMind
from memory.graph.created import Creation, created
from memory.graph.identity import DIFFERENT, LAPSES_MS, MAYBE, SAME, Telling, is_verdict, suggested, verdict
from memory.model.extraction import Likely
from memory.model.memory import Kind, Memory, Type
from memory.model.search import Filter, IndexEntry, Vector
from memory.ports import MemoryStore
from memory.scope import UserScope
from tests.contract.memory_stores import DIMENSION, NOW_MS, SPACE, U1, direction


class Clock:
    def __init__(self, now_ms: int = NOW_MS) -> None:
        self.at_ms = now_ms

    def now_ms(self) -> int:
        return self.at_ms


class Near:
    """The Embedder port: 心情 and 情绪 lie next to each other, all else somewhere."""

    space, dimension = SPACE, DIMENSION

    async def passages(self, texts: Sequence[str]) -> list[Vector]:
        return [direction(hash_of("心情" if text == "情绪" else text)) for text in texts]

    queries = passages


class Judge:
    """The Judge port: what it was told to say, once for each label pair."""

    name = "a judge"

    def __init__(self, says: dict[frozenset[str], bool | None], error: Exception | None = None) -> None:
        self.says, self.error = says, error
        self.asked: list[Likely] = []

    async def same(self, tenant: str, locale: str, pairs: Sequence[Likely]) -> list[bool | None]:  # noqa: ARG002
        self.asked += pairs
        if self.error is not None:
            raise self.error
        return [self.says.get(frozenset((pair.one, pair.other))) for pair in pairs]


def hash_of(text: str) -> int:
    return sum(ord(sign) * (31**place) for place, sign in enumerate(text)) % 100_003


def told(topic: str, thing: str, **changes: Any) -> IndexEntry:
    memory = replace(created(U1, Creation("我", Type.FACT, topic, NOW_MS, object=thing, quote=f"我{topic}{thing}"),
                             stage=""), **changes)  # fmt: skip
    return IndexEntry(memory, indexed(memory).terms, None)


def tidier(store: MemoryStore, clock: Clock | None = None, **changes: Any) -> Tidier:
    minds = replace(Minds(RulesMind(), RulesMind(), None, "zh"), **changes)
    return Tidier(store, Rememberer(store, minds), minds, clock or Clock())


async def verdicts(store: MemoryStore) -> list[Memory]:
    page = await store.page(U1, Filter(kinds=(Kind.LINK,)), "", 1000)
    return [each for each in page.memories if is_verdict(each)]


def ends(found: Sequence[Memory], word: str) -> set[frozenset[str]]:
    return {
        frozenset(end.partition(":")[2] for end in (each.subject, each.object))
        for each in found
        if each.predicate == word and each.valid_to_ms is None
    }


LOTS = [told("有", f"物件{number}号柜") for number in range(40)]


async def test_what_is_written_alike_becomes_one_and_a_second_run_changes_nothing(store: MemoryStore) -> None:
    await store.put(U1, [told("有", "过敏性鼻炎"), told("查", "過敏性鼻炎"), told("量", "1型"), told("看", "2型")])
    assert await tidier(store).tidy(U1) == Tidied(checked=4, merged=1)
    assert ends(await verdicts(store), SAME) == {frozenset(("过敏性鼻炎", "過敏性鼻炎"))}
    (made,) = await verdicts(store)
    assert (made.mind, made.source.quote, made.importance) == ("rules", "spelling", 1.0)
    assert await tidier(store).tidy(U1) == Tidied(checked=4)
    assert await verdicts(store) == [made]
    assert await tidier(store).tidy(UserScope("t1", "u2")) == Tidied()


async def test_what_somebody_split_is_not_made_one_again(store: MemoryStore) -> None:
    await store.put(U1, [told("有", "colour"), told("做", "color")])
    split = verdict(U1, DIFFERENT, "thing:colour", "thing:color", Telling(NOW_MS))
    await store.put(U1, [IndexEntry(split, indexed(split).terms, None)])
    assert (await tidier(store).tidy(U1)).merged == 0


async def test_what_must_not_be_one_is_not_made_one_through_a_third(store: MemoryStore) -> None:
    """Somebody said that a colour is the first examination; two labels of other years stay two."""
    await store.put(U1, [told("做", "colour"), told("约", "color"), told("付", "第1次体检"), told("补", "第2次体检")])
    for one, other in (("colour", "第1次体检"), ("color", "第2次体检")):
        said = verdict(U1, SAME, f"thing:{one}", f"thing:{other}", Telling(NOW_MS))
        await store.put(U1, [IndexEntry(said, indexed(said).terms, None)])
    assert (await tidier(store).tidy(U1)).merged == 0


async def test_what_lies_near_is_suggested_and_decides_nothing(store: MemoryStore) -> None:
    await store.put(U1, [told("说", "心情"), told("谈", "情绪"), *LOTS])
    done = await tidier(store, embedder=Near()).tidy(U1)
    assert (done.checked, done.merged) == (42, 0)
    found = await verdicts(store)
    assert frozenset(("心情", "情绪")) in ends(found, MAYBE)
    assert ends(found, SAME) == set()
    assert done.suggested == len(found)
    assert (await tidier(store, embedder=Near()).tidy(U1)).suggested == 0, "what was suggested once is not again"
    now = suggested(found, NOW_MS)
    assert now[0].importance == max(each.importance for each in found)
    assert suggested(found, NOW_MS + LAPSES_MS) == []


async def test_too_few_labels_are_not_compared_by_meaning(store: MemoryStore) -> None:
    await store.put(U1, [told("说", "心情"), told("谈", "情绪"), *LOTS[:10]])
    assert (await tidier(store, embedder=Near()).tidy(U1)).suggested == 0


async def test_a_user_has_so_many_suggestions_at_most_and_the_surest_are_kept(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidy, "SUGGESTIONS_PER_USER_MAX", 2)
    things = ("dinner party", "party dinner", "garden chair", "chair garden", "rain coat", "coat rain")
    await store.put(U1, [told("有", thing) for thing in things[:2]])
    assert (await tidier(store).tidy(U1)).suggested == 1
    await store.put(U1, [told("有", thing) for thing in things[2:]])
    assert (await tidier(store).tidy(U1)).suggested == 1
    assert len(ends(await verdicts(store), MAYBE)) == 2
    monkeypatch.setattr(tidy, "SUGGESTIONS_PER_USER_MAX", 3)
    assert (await tidier(store).tidy(U1)).suggested == 1


@pytest.mark.parametrize(("most", "compared"), [(41, False), (42, True), (43, True)])
async def test_only_so_many_labels_are_compared_by_meaning_and_all_by_their_writing(
    store: MemoryStore, monkeypatch: pytest.MonkeyPatch, most: int, *, compared: bool
) -> None:
    """The latest: what was recorded first is left out."""
    monkeypatch.setattr(tidy, "LABELS_COMPARED_MAX", most)
    asked: list[str] = []

    class Counting(Near):
        async def passages(self, texts: Sequence[str]) -> list[Vector]:
            asked.extend(texts)
            return await super().passages(texts)

    await store.put(U1, [told("说", "心情", recorded_ms=NOW_MS - 1), told("谈", "情绪"), *LOTS])
    await tidier(store, embedder=Counting()).tidy(U1)
    assert len(asked) == min(most, 42)
    assert ("心情" in asked) is compared


async def test_a_mind_says_which_suggestions_are_so_and_guards_still_hold(store: MemoryStore) -> None:
    await store.put(U1, [told("说", "心情"), told("谈", "情绪"), *LOTS])
    pair = frozenset(("心情", "情绪"))
    others = {ends_: False for ends_ in await _suggested_pairs(store) if ends_ != pair}
    judge = Judge({pair: True, **others})
    done = await tidier(store, embedder=Near(), judge=judge).tidy(U1)
    assert done.merged == 1
    found = await verdicts(store)
    assert ends(found, SAME) == {pair}
    assert next(each for each in found if each.predicate == SAME).mind == "a judge"
    (asked,) = [each for each in judge.asked if frozenset((each.one, each.other)) == pair]
    assert {asked.said_of_one, asked.said_of_other} == {"我说心情", "我谈情绪"}
    assert suggested(found, NOW_MS) == [], "what was denied is suggested no more"


async def test_what_a_mind_makes_one_is_not_made_one_with_what_differs_from_it(store: MemoryStore) -> None:
    """It says of both pairs of a batch that they are so; the first and the third are two, as somebody said."""
    await store.put(U1, [told("说", "心情"), told("谈", "情绪"), told("问", "情感")])
    said = [(DIFFERENT, "心情", "情感"), (MAYBE, "心情", "情绪"), (MAYBE, "情绪", "情感")]
    for word, one, other in said:
        made = verdict(U1, word, f"thing:{one}", f"thing:{other}", Telling(NOW_MS))
        await store.put(U1, [IndexEntry(made, indexed(made).terms, None)])
    judge = Judge({frozenset(pair): True for _, *pair in said})
    assert (await tidier(store, judge=judge).tidy(U1)).merged == 1
    assert len(judge.asked) == 2
    assert len(ends(await verdicts(store), SAME)) == 1


async def _suggested_pairs(store: MemoryStore) -> set[frozenset[str]]:
    await tidier(store, embedder=Near()).tidy(U1)
    return ends(await verdicts(store), MAYBE)


async def test_a_mind_is_asked_of_a_suggestion_once_also_where_it_cannot_tell(store: MemoryStore) -> None:
    await store.put(U1, [told("喝", "dinner party"), told("办", "party dinner")])
    judge = Judge({})
    for _ in range(3):
        await tidier(store, judge=judge).tidy(U1)
    assert len(judge.asked) == 1
    assert len(suggested(await verdicts(store), NOW_MS)) == 1, "it stays for somebody who can"


async def test_an_endpoint_of_embeddings_that_answers_nonsense_costs_the_comparison_alone(store: MemoryStore) -> None:
    class Broken(Near):
        async def passages(self, texts: Sequence[str]) -> list[Vector]:  # noqa: ARG002
            raise InvariantBroken("no vectors")

    await store.put(U1, [told("有", "colour"), told("做", "color"), *LOTS])
    assert (await tidier(store, embedder=Broken()).tidy(U1)).merged == 1


@pytest.mark.parametrize("error", [ModelUnavailable("down"), InvariantBroken("nonsense")])
async def test_a_mind_that_does_not_answer_costs_its_verdicts_alone(store: MemoryStore, error: Exception) -> None:
    await store.put(U1, [told("有", "colour"), told("做", "color"), told("说", "心情"), told("谈", "情绪"), *LOTS])
    done = await tidier(store, embedder=Near(), judge=Judge({}, error)).tidy(U1)
    assert done.merged == 1
    assert done.suggested > 0


async def test_two_who_tidy_at_once_come_to_the_same(store: MemoryStore) -> None:
    await store.put(U1, [told("有", "colour"), told("做", "color"), told("约", "Colour"), told("说", "心情")])
    done = await asyncio.gather(*(tidier(store).tidy(U1) for _ in range(4)))
    found = await verdicts(store)
    assert {label for pair in ends(found, SAME) for label in pair} == {"colour", "color"}
    assert len({each.memory_id for each in found}) == len(found) == 1
    assert sum(each.merged for each in done) >= 1


async def test_settling_by_the_wire_shows_and_undoes(make_world: Any) -> None:
    world = await make_world()
    for topic, thing in (("有", "过敏性鼻炎"), ("查", "過敏性鼻炎"), ("喝", "dinner party"), ("办", "party dinner")):
        body = {"user_id": "u1", "subject": "我", "memory_type": "事实", "topic": topic, "object": thing}
        await world.call("CreateMemory", **body)
    done = await world.call("SettleMemories", user_id="u1")
    steps = {"completed": 0, "checked": 4, "merged": 1, "suggested": 1, "conflicts": 0}
    assert done == {"state": "settled", "steps": steps, "left": 0}
    shown = await world.call("GetGraph", user_id="u1", include=["suggestions", "merged"])
    assert [node.get("aliases") for node in shown["nodes"] if node.get("aliases")] == [["過敏性鼻炎"]]
    (merged,) = shown["merged"]
    assert {merged["a"], merged["b"]} == {"过敏性鼻炎", "過敏性鼻炎"}
    assert (merged["by"], merged["why"]) == ("rules", "spelling")
    (maybe,) = shown["suggestions"]
    assert ({maybe["a"], maybe["b"]}, maybe["why"]) == ({"dinner party", "party dinner"}, "order")

    await world.call("SplitNodes", user_id="u1", a=merged["a"], b=merged["b"])
    await world.call("MergeNodes", user_id="u1", a=maybe["a"], b=maybe["b"])
    again = await world.call("SettleMemories", user_id="u1")
    assert (again["steps"]["merged"], again["steps"]["suggested"]) == (0, 0)
    shown = await world.call("GetGraph", user_id="u1", include=["suggestions", "merged"])
    assert shown["suggestions"] == []
    assert [each["by"] for each in shown["merged"]] == ["tool"]
    nobody = await world.call("SettleMemories", user_id="u2")
    assert nobody["steps"]["checked"] == 0


async def test_a_suggestion_goes_with_the_last_memory_that_says_its_label(make_world: Any) -> None:
    world = await make_world()
    ids = []
    for topic, thing in (("喝", "dinner party"), ("办", "party dinner")):
        body = {"user_id": "u1", "subject": "我", "memory_type": "事实", "topic": topic, "object": thing}
        ids.append((await world.call("CreateMemory", **body))["memory_id"])
    await world.call("SettleMemories", user_id="u1")
    await world.call("ForgetMemory", user_id="u1", memory_id=ids[0])
    listed = await world.call("ListMemories", user_id="u1", kinds=["link"])
    assert listed["items"] == []


async def test_a_deep_search_goes_on_by_labels_that_are_one(make_world: Any) -> None:
    world = await make_world()
    for subject, topic, thing in (("小明", "老师", "王芳芳老师"), ("王老师", "单位", "一中")):
        body = {"user_id": "u1", "subject": subject, "memory_type": "事实", "topic": topic, "object": thing}
        await world.call("CreateMemory", **body)
    asked = {"user_id": "u1", "query": "小明的老师", "search_mode": "deep", "expand_depth": 1}
    before = await world.call("SearchMemories", **asked)
    assert [each["predicate"] for each in before["memories"] if each["distance"]] == []
    await world.call("MergeNodes", user_id="u1", a="王芳芳老师", b="王老师")
    after = await world.call("SearchMemories", **asked)
    assert {each["predicate"]: each["distance"] for each in after["memories"]}.get("单位") == 1
    await world.call("CreateMemory", user_id="u1", subject="班主任", memory_type="事实", topic="住址", object="城西")
    await world.call("MergeNodes", user_id="u1", a="王老师", b="班主任")
    chain = await world.call("SearchMemories", **asked)
    assert {each["predicate"]: each["distance"] for each in chain["memories"]}.get("住址") == 1, "what is one with one"


async def test_labels_of_another_case_are_one_to_verdicts_too(make_world: Any) -> None:
    world = await make_world()
    for subject, topic, thing in (("Migraine", "since", "May"), ("migraine", "with", "aura"), ("长尾山雀", "叫", "早")):
        body = {"user_id": "u1", "subject": subject, "memory_type": "事实", "topic": topic, "object": thing}
        await world.call("CreateMemory", **body)
    await world.call("MergeNodes", user_id="u1", a="Migraine", b="长尾山雀")
    asked = {"user_id": "u1", "query": "migraine with aura", "search_mode": "deep", "expand_depth": 1}
    found = {each["predicate"] for each in (await world.call("SearchMemories", **asked))["memories"]}
    assert "叫" in found
