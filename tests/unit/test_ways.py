"""What a way through a graph says: each step stands at the one before it. Against random graphs."""

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest

from memory.clinical.people import USER
from memory.graph.paths import Step, Way, Web
from memory.graph.triples import Graph, graph
from memory.graph.view import places, whole
from memory.model.memory import Memory, Type
from tests.unit.test_graph_view import joined, made

TIRED, SLEEPLESS, WORK = made("我", "头痛", kind=Type.EVENT), made("我", "失眠"), made("我", "加班")
ANGRY = made("我", "烦躁")
TOLD = [TIRED, SLEEPLESS, WORK, ANGRY]
LINKS = [joined(WORK, SLEEPLESS), joined(SLEEPLESS, TIRED)]


def web(told: Sequence[Memory], links: Sequence[Memory], crossed: Sequence[str] | None = None) -> Web:
    view = whole(graph(told, "zh"), links)
    return Web(Graph(view.nodes, view.edges), view.links, places(view, USER), crossed)


def test_between_two_memories_the_causes_come_before_the_person_that_both_are_of() -> None:
    found = web(TOLD, LINKS).ways(TIRED.memory_id, WORK.memory_id, steps_max=4, ways_max=2)
    assert [[(step.relation, step.forward) for step in way.steps] for way in found.ways] == [
        [("causes", False), ("causes", False)],
        [("事件", False), ("事实", True)],
    ]
    by_person = found.ways[1]
    assert [(step.source, step.target) for step in by_person.steps] == [
        (TIRED.memory_id, "user:user"),
        ("user:user", WORK.memory_id),
    ]


def test_from_behind_a_link_to_the_person_is_a_step_of_its_own() -> None:
    found = web(TOLD, LINKS).ways("thing:失眠", "thing:烦躁", steps_max=4, ways_max=9)
    assert [step.relation for step in found.ways[0].steps] == ["事实", "事实"]
    through = [way for way in found.ways if TIRED.memory_id in way.places]
    assert [[step.relation for step in way.steps] for way in through] == [["causes", "事件", "事实"]]
    assert not web(TOLD, LINKS, ["causes"]).ways("thing:失眠", "thing:烦躁", steps_max=4, ways_max=9).ways


@pytest.mark.parametrize("number", range(40))
def test_every_step_begins_where_the_one_before_it_ends(number: int) -> None:
    chance = random.Random(number)
    who, what = ["我", "小明", "小红"], ["茶", "咖啡", "书", "小明"]
    told = list({each.memory_id: each for each in (
        made(chance.choice(who), chance.choice(["喜欢", "送"]), chance.choice(what)) for _ in range(9)
    )}.values())  # fmt: skip
    links = [joined(*chance.sample(told, 2)) for _ in range(4)] if len(told) > 1 else []
    view = whole(graph(told, "zh"), links)
    about = {edge.memory_id: edge.target for edge in view.edges}
    ends = [*(node.key for node in view.nodes), *(edge.memory_id for edge in view.edges)]
    for start, goal in zip(chance.sample(ends, 5), chance.sample(ends, 5), strict=True):
        found = web(told, links).ways(start, goal, steps_max=5, ways_max=5)
        assert [len(way.steps) for way in found.ways] == sorted(len(way.steps) for way in found.ways)
        for way in found.ways:
            _check(way, start, goal, about)


def _check(way: Way, start: str, goal: str, about: dict[str, str]) -> None:
    """Between a memory behind a link and what it is about there is no step, and nowhere else."""

    def same(one: str, other: str) -> bool:
        shared = {one, about.get(one, one)} & {other, about.get(other, other)}
        return bool(shared)

    assert 1 <= len(way.steps) <= 5
    assert same(start, way.steps[0].source)
    assert same(way.steps[-1].target, goal)
    for before, after in pairwise(way.steps):
        assert same(before.target, after.source)
        assert before.target == after.source or _is_link(before) or _is_link(after)
    assert all(bool(step.memory_id) != bool(step.link_id) for step in way.steps)
    assert len({(step.source, step.target) for step in way.steps}) == len(way.steps)


def _is_link(step: Step) -> bool:
    return bool(step.link_id)
