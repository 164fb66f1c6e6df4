"""What ends because something else has happened, and what is said to be over by its signs."""

import pytest

from tests.contract.lives import ON_ONE_STORE, held, live
from tests.inprocess import World

pytestmark = ON_ONE_STORE

_OVER = [
    ("I have gallstones.", "I had my gallbladder out on Tuesday.", ("disease", "gallstones")),
    ("我有胆囊结石。", "胆切了，上周二做的。", ("disease", "胆囊结石")),
    ("胆囊结石，下个月要做腹腔镜切胆。", "胆切了，上周二做的。", ("plan", "下个月做腹腔镜切胆")),
    ("跟老公吵架了，心口堵。", "离婚证拿了，上周三。", ("family", "老公")),
    ("My boyfriend Tom snores.", "I'm single again.", ("family", "boyfriend Tom")),
    ("My husband snores.", "The decree came through in October.", ("family", "husband")),
    ("I'm vegan now.", "I've been eating fish again.", ("habit", "vegan")),
    ("吃素三年了。", "从上周开始吃牛肉了，挺香。", ("habit", "吃素")),
    ("我一天一包烟。", "戒了！整整四十天了。", ("habit", "一天一包")),
    ("烟戒了，第四十天。", "没忍住，又抽上了，现在一天半包。", ("state", "已戒烟")),
    ("怀孕33周，腿抽筋。", "卸货了，腿不抽了。", ("symptom", "腿抽筋")),
    ("最近夜里咳。", "换了药以后一声都不咳。", ("symptom", "夜里咳")),
    ("这几天睡不着。", "睡眠好多了，能睡整觉了。", ("symptom", "睡不着")),
    ("幽门螺杆菌阳性。", "今天去吹气复查，转阴了。", ("disease", "幽门螺杆菌")),
    ("GP says it's IBS.", "Remember me with the IBS? Well it's not IBS, it's coeliac.", ("disease", "ibs")),
    ("我对青霉素过敏。", "做了皮试和激发试验，结果都没事，病历里那条划掉了。", ("allergy", "青霉素")),
    ("约了周四下午看内分泌。", "那个周四的号我退了。", ("appointment", "约了周四下午看内分泌")),
    (
        "My cardiology appointment is on December 14.",
        "Moved again. December 21 at 2pm.",
        ("appointment", "My cardiology appointment is on December 14"),
    ),
]
_STAYS = [
    ("I have diabetes.", "I had my gallbladder out on Tuesday.", ("disease", "diabetes")),
    ("失眠半年了。", "每天只能睡三个小时。", ("symptom", "失眠")),
    ("My husband snores.", "My sister's divorce came through.", ("family", "husband")),
    (
        "My eye appointment is on December 22.",
        "They texted that my eye appointment was cancelled. Rang them: wrong number.",
        ("appointment", "My eye appointment is on December 22"),
    ),
    ("我对青霉素过敏。", "做了皮试，结果都没事，头孢可以打，青霉素还是不行。", ("allergy", "青霉素")),
    (
        "I'm allergic to penicillin.",
        "I'm allergic to penicillin. The nickel patch test was negative.",
        ("allergy", "penicillin"),
    ),
    ("我对青霉素过敏。", "我对青霉素过敏。头孢皮试阴性。", ("allergy", "青霉素")),
    ("I have a hiatal hernia.", "I had an inguinal hernia repair.", ("disease", "hiatal hernia")),
    ("我有痔疮。", "2010年做过痔疮手术。", ("disease", "痔疮")),
    ("I smoke 20 a day.", "I quit. My new job starts on Monday.", ("habit", "smoke")),
    ("我没食欲。", "今天又没食欲了。", ("symptom", "没食欲")),
    ("I have no appetite.", "I have no appetite any more.", ("symptom", "loss of appetite (no appetite)")),
    ("I'm vegetarian now.", "Just meat, obviously.", ("habit", "vegetarian")),
    ("I'm vegetarian now.", "My brother eats meat again.", ("habit", "vegetarian")),
]


@pytest.mark.parametrize(("before", "now", "fact"), _OVER)
async def test_what_has_ended_is_held_no_longer(here: World, before: str, now: str, fact: tuple[str, str]) -> None:
    await live(here, before)
    assert fact in await held(here)
    await live(here, now, first=2)
    assert fact not in await held(here)


@pytest.mark.parametrize(("before", "now", "fact"), _STAYS)
async def test_what_has_not_ended_is_held_still(here: World, before: str, now: str, fact: tuple[str, str]) -> None:
    await live(here, before, now)
    assert fact in await held(here)


async def test_who_has_quit_without_saying_what_is_held_to_have_quit_it(here: World) -> None:
    await live(here, "我抽电子烟，一天一颗弹。", "戒了 21天了")
    assert ("state", "已戒烟") in await held(here)


async def test_work_and_the_place_of_it_are_held_of_one_message(here: World) -> None:
    await live(here, "换了家做跨境电商的公司 还是运营")
    assert {each for kind, each in await held(here) if kind == "job"} == {"做跨境电商的公司", "运营"}
    await live(here, "我现在是老师。", first=2)
    assert {each for kind, each in await held(here) if kind == "job"} == {"老师"}
