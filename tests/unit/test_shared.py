"""What memories name in common, as a walk goes by it."""

from collections.abc import Sequence

import pytest

from memory.graph.created import Creation, created, normal
from memory.graph.links import Reached, behind
from memory.graph.shared import NAMED_BY_MAX, SHARED, labels_of, named_too, says_how, things_of
from memory.model.memory import Memory, Type
from memory.scope import UserScope

U1 = UserScope("t1", "u1")


def made(subject: str, topic: str, object_: str) -> Memory:
    return created(U1, Creation(subject, Type.RELATION, topic, 1_000, object=object_), stage="")


FRIEND, TEACHER, SCHOOL = made("小明", "老师", "王芳"), made("小红", "老师", "王芳"), made("王芳", "单位", "一中")


def found(scores: Sequence[tuple[Memory, float]], told: list[Memory]) -> dict[str, Reached]:
    reached = {memory.memory_id: Reached(score) for memory, score in scores}
    return named_too(told, reached, {memory.memory_id: labels_of(memory) for memory, _ in scores})


def test_the_better_reached_of_two_that_name_a_thing_leads_on() -> None:
    for worse, better in ((FRIEND, TEACHER), (TEACHER, FRIEND)):
        reached = found([(worse, 0.3), (better, 0.8)], [FRIEND, TEACHER, SCHOOL])
        school = reached[SCHOOL.memory_id]
        assert school.score == behind(0.8, SHARED)
        assert list(school.path) == [better.memory_id, "王芳", SCHOOL.memory_id]
        assert reached.keys() == {worse.memory_id, SCHOOL.memory_id}, "the worse one is reached by the better, too"


def test_what_was_reached_better_stays_so() -> None:
    assert SCHOOL.memory_id not in found([(FRIEND, 0.5), (SCHOOL, 0.5)], [FRIEND, SCHOOL])


def test_what_too_many_name_joins_nothing() -> None:
    at_most = [made("王芳", "学生", f"学生{number}") for number in range(NAMED_BY_MAX - 1)]
    one_more = [*at_most, SCHOOL]
    assert len(found([(FRIEND, 0.5)], [FRIEND, *at_most])) == NAMED_BY_MAX - 1
    assert not found([(FRIEND, 0.5)], [FRIEND, *one_more])


def test_their_user_is_in_all_and_joins_none() -> None:
    assert not labels_of(made("我", "同学", "用户"))


@pytest.mark.parametrize(
    "label", ["不好", "偏高", "Normal", "yes", "38.5", "38.5℃", "5 mg", "120/80", "3次", "<0.5", "1.2 mmol/L"]
)
def test_what_only_says_how_something_is_joins_nothing(label: str) -> None:
    mood, sleep = made("我", "心情", label), made("我", "睡眠", label)
    assert says_how(normal(label))
    assert not things_of(mood)
    assert labels_of(mood) == labels_of(sleep), "yet they say the same, as who forgets one of them must know"


@pytest.mark.parametrize(
    "label",
    [
        "王芳",
        "好友",
        "high school",
        "2025-11-05",
        "11月5日",
        "13800001111",
        "3号楼",
        "B12",
        "5A病房",
        "mild cheddar",
    ],
)
def test_things_and_days_are_joined_by(label: str) -> None:
    assert not says_how(normal(label))
    assert things_of(made("我", "说", label)) == [f"thing:{normal(label)}"]
