"""The memory graph as a function of records: what stands round something, pages, ways, pictures."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import pytest

from memory.clinical.people import USER
from memory.graph.created import Creation, created
from memory.graph.drawing import dot, graphml, mermaid
from memory.graph.links import FOLLOWED, Joining, Reached, behind, followed, link
from memory.graph.paths import BEGUN_MAX, Web
from memory.graph.triples import Graph, graph
from memory.graph.view import View, around, by_relations, drawn, known_as, page, places, subjects_of, whole
from memory.model.memory import Kind, Memory, Type
from memory.model.predicates import PREDICATES
from memory.scope import UserScope

U1 = UserScope("t1", "u1")


def made(subject: str, topic: str, object_: str = "", kind: Type = Type.FACT) -> Memory:
    return created(U1, Creation(subject, kind, topic, 1_000, object=object_), stage="")


def joined(ground: Memory, follows: Memory, relation: str = "causes", importance: float = 0.6) -> Memory:
    return link(U1, Joining(ground, relation, follows, importance, "", 1_000))


SLEEPLESS, TIRED, IDLE = made("我", "失眠", kind=Type.EVENT), made("我", "身体", "很困"), made("我", "工作", "没心情")
FRIEND, EXAM = made("我", "朋友", "小明", Type.RELATION), made("小明", "考试", "满分", Type.EVENT)
TOLD = [SLEEPLESS, TIRED, IDLE, FRIEND, EXAM]
LINKS = [joined(SLEEPLESS, TIRED), joined(TIRED, IDLE)]


@pytest.fixture
def view() -> View:
    return whole(graph(TOLD, "zh"), LINKS)


def labels(view: View) -> set[str]:
    return {node.label for node in view.nodes}


def web(view: View) -> Web:
    return Web(Graph(view.nodes, view.edges), view.links, places(view, USER))


def ways(view: View, start: str, goal: str, steps_max: int = 4, ways_max: int = 3) -> list[list[str]]:
    """What each step says, of each way."""
    (begin,), (end,) = places(view, start), places(view, goal)
    found = web(view).ways(begin, end, steps_max=steps_max, ways_max=ways_max)
    return [[("" if step.forward else "<") + step.relation for step in way.steps] for way in found.ways]


def test_created_memories_are_edges_of_people_and_things(view: View) -> None:
    assert {(edge.source, edge.relation, edge.target) for edge in view.edges} == {
        ("user:user", "事件", "thing:失眠"),
        ("user:user", "身体", "thing:很困"),
        ("user:user", "工作", "thing:没心情"),
        ("user:user", "朋友", "person:小明"),
        ("person:小明", "考试", "thing:满分"),
    }
    assert len(view.links) == 2


def test_labels_that_look_the_same_are_one_node_and_opposites_are_two() -> None:
    told = [
        made("我", "喜欢", "Ｔea"),
        made("小明", "喜欢", "tea "),
        made("我", "态度", "喜欢"),
        made("我", "态度", "不喜欢"),
    ]
    assert sorted(node.label for node in graph(told, "zh").nodes) == ["不喜欢", "喜欢", "小明", "用户", "Ｔea"]


@pytest.mark.parametrize("named", ["我", "用户", "user"])
def test_the_user_is_named_in_many_ways(view: View, named: str) -> None:
    assert places(view, named) == ["user:user"]


@pytest.mark.parametrize("me", ["我", "用户", "本人", "me", "The user"])
def test_to_whom_somebody_stands_in_a_relation_may_be_the_user(me: str) -> None:
    classmate = made("小红", "同学", me, Type.RELATION)
    assert classmate.text == "小红同学：用户"
    assert classmate == made("小红", "同学", "我", Type.RELATION), "told in other words it is the same"
    (edge,) = graph([classmate], "zh").edges
    assert (edge.source, edge.target) == ("person:小红", "user:user")


@pytest.mark.parametrize(
    ("locale", "relation"), [("zh", f"可能{PREDICATES['surgery'].holds['zh']}"), ("en", "possibly had")]
)
def test_what_is_possible_is_said_so_in_words(locale: str, relation: str) -> None:
    fact = replace(made("我", "x", "y"), kind=Kind.FACT, predicate="possible_surgery")
    (edge,) = graph([fact], locale).edges
    assert edge.relation == relation


@pytest.mark.parametrize("who", ["孩子", "我家孩子", "我的孩子", "的孩子", "宝宝"])
def test_a_relative_without_a_name_is_one_node(who: str) -> None:
    (edge,) = graph([made(who, "喜欢", "画画")], "zh").edges
    assert edge.source == "kin:孩子"


def test_a_thing_that_is_called_like_a_person_stays_a_thing() -> None:
    (edge,) = graph([made("小红", "研究", "AI", Type.RELATION)], "zh").edges
    assert edge.target == "person:AI"
    assert made("小红", "密码", "me").text == "小红密码：me"


def test_a_memory_names_both_ends_of_its_edge_and_what_is_not_there_names_nothing(view: View) -> None:
    assert known_as(view, U1, EXAM.memory_id) == ["person:小明", "thing:满分"]
    assert places(view, "nobody") == []


def test_what_stands_round_something_grows_by_edges_and_links(view: View) -> None:
    steps = [labels(around(view, places(view, "很困"), depth)) for depth in range(3)]
    assert steps == [{"很困"}, {"很困", "用户", "失眠", "没心情"}, {"很困", "用户", "失眠", "没心情", "小明"}]
    assert len(around(view, places(view, "很困"), 1).links) == 2


def test_only_some_relations(view: View) -> None:
    causes = by_relations(view, ["导致"])
    assert (len(causes.edges), len(causes.links)) == (0, 2)
    assert labels(causes) == {"失眠", "很困", "没心情", "用户"}
    assert labels(by_relations(view, ["考试"])) == {"小明", "满分"}


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 8])
def test_pages_hold_each_edge_and_link_once(view: View, limit: int) -> None:
    edges: list[Any] = []
    links: list[Any] = []
    cursor, pages = "", 0
    while True:
        part = page(view, cursor, limit)
        edges, links, pages = [*edges, *part.view.edges], [*links, *part.view.links], pages + 1
        assert len(part.view.edges) + len(part.view.links) <= limit
        touched = {end for edge in part.view.edges for end in (edge.source, edge.target)}
        assert touched <= {node.key for node in part.view.nodes}
        cursor = part.cursor
        if not cursor:
            break
    assert (edges, links) == (list(view.edges), list(view.links))
    assert pages == -(-7 // limit)


def test_a_way_by_links_comes_before_one_through_the_user_who_joins_everything(view: View) -> None:
    assert ways(view, "失眠", "没心情")[:2] == [["causes", "causes"], ["<事件", "工作"]]
    assert ways(view, "没心情", "失眠")[0] == ["<causes", "<causes"]


def test_a_way_goes_through_people(view: View) -> None:
    assert ways(view, "满分", "我", ways_max=1) == [["<考试", "<朋友"]]
    assert ways(view, "满分", "很困", ways_max=1) == [["<考试", "<朋友", "身体"]]


def test_a_way_is_no_longer_than_asked_for_and_there_are_no_more_than_asked_for(view: View) -> None:
    assert ways(view, "满分", "很困", steps_max=2) == []
    assert len(ways(view, "失眠", "没心情", ways_max=2)) == 2
    assert ways(view, "失眠", "失眠") == []


def test_a_ring_and_a_hub_end(view: View) -> None:
    ring = [made("我", f"第{number}件") for number in range(300)]
    links = [joined(one, ring[(number + 1) % 300]) for number, one in enumerate(ring)]
    round_ = whole(graph(ring, "zh"), links)
    found = web(round_).ways("thing:第0件", "thing:第3件", steps_max=6, ways_max=5)
    assert [step.relation for step in found.ways[0].steps] == ["事实", "事实"]
    assert all(len(way.steps) <= 6 for way in found.ways)
    assert len({way.places for way in found.ways}) == 5


def test_a_hub_of_more_than_is_looked_at_hides_no_way_through_it() -> None:
    star = [made("中心", "连", f"叶{number}") for number in range(BEGUN_MAX + 1)]
    found = web(whole(graph(star, "zh"), [])).ways("thing:叶5", "thing:叶77", steps_max=6, ways_max=5)
    assert [len(way.steps) for way in found.ways] == [2]
    assert found.truncated


def test_a_picture_joins_what_linked_memories_are_about(view: View) -> None:
    made_of = drawn(view, subjects_of(view), "zh")
    assert '-->|"导致"|' in mermaid(made_of)
    part = by_relations(view, ["导致"])
    assert len(drawn(part, subjects_of(view), "en").edges) == 2
    assert "leads to" in dot(drawn(part, subjects_of(view), "en"))


@pytest.mark.parametrize("label", ['a"b', "a\\", 'a\\"b', "x];n1->n2", "</graph>", "line\nbreak", "\x1b[31m", "a]:::b"])
def test_no_label_gets_out_of_a_picture(label: str) -> None:
    made_of = graph([made(label, label, label + "2")], "en")
    assert len(made_of.edges) == 1
    document = dot(made_of)
    strings = re.findall(r'"(?:[^"\\]|\\.)*"', document)
    assert len(strings) == 3
    assert re.sub(r'"(?:[^"\\]|\\.)*"', "S", document).count("\n") == 6
    assert "\x1b" not in document + mermaid(made_of)
    assert ET.fromstring(graphml(made_of)) is not None  # noqa: S314 - our own text


def test_following_links_takes_the_best_way_and_less_at_each() -> None:
    begun = {SLEEPLESS.memory_id: Reached(0.8), IDLE.memory_id: Reached(0.1)}
    better = followed(LINKS, begun, list(begun))
    reached = begun | better
    path = (SLEEPLESS.memory_id, LINKS[0].memory_id, TIRED.memory_id)
    assert better[TIRED.memory_id] == Reached(behind(0.8, FOLLOWED), path)
    again = followed(LINKS, reached, list(better))
    assert again[IDLE.memory_id].score == pytest.approx(behind(0.8, FOLLOWED**2))
    assert again[IDLE.memory_id].distance == 2
    assert not followed(LINKS, reached | again, list(again))
