"""What has changed is told in passing: a dose without its medicine, a brand for its ingredient, another bedtime."""

import pytest

from tests.contract.lives import ON_ONE_STORE, held, live
from tests.inprocess import World

pytestmark = ON_ONE_STORE

THYROID = "I'm on levothyroxine 50 micrograms."
METFORMIN = "二甲双胍，一天两次，每次一片。"

DOSES = [
    (THYROID, "My husband drove me; the doctor increased it to 100 mcg.", "100 mcg"),
    ("优甲乐我吃半片。", "我女儿说得对，剂量加到一片了。", "一片"),
    (THYROID, "TSH too high still. So it's 75 micrograms from tomorrow, same tablet otherwise.", "75 micrograms"),
    ("优甲乐我吃半片，早上空腹。", "还差点意思，大夫让改成一片，一个半月后再抽血。", "一片"),
    (METFORMIN, "让我中午也加一片，现在是一天三次。", "一天三次"),
]
SAME_DOSES = [
    (THYROID, "So it's 75 micrograms of B12 from tomorrow.", "50 micrograms"),
    (THYROID, "My dog's on pills too, 20 mg is doing wonders for her.", "50 micrograms"),
    (THYROID, "My mum's on pills too, 20 mg is doing wonders for her.", "50 micrograms"),
    ("优甲乐我吃半片。", "狗的药改成两片了。", "半片"),
    ("优甲乐我吃半片。", "老伴的改成两片了。", "半片"),
    (THYROID, "The ferret? So it's 2 mg now.", "50 micrograms"),
    (THYROID, "The rash cream, 20 mg is doing fine.", "50 micrograms"),
    (METFORMIN, "医生说也加一颗蛋，每天一次。", "一天两次"),
    (METFORMIN, "现在每天一片面膜。", "一天两次"),
    (METFORMIN, "维生素D现在每天一粒。", "一天两次"),
    (METFORMIN, "要不要中午也加一片？", "一天两次"),
]
OVER = [
    (
        "I've been on sertraline since spring.",
        "The zoloft did nothing, we tapered it off.",
        ("medication", "sertraline"),
    ),
    ("I have heel pain in the morning.", "heel's completely fine since the insoles", ("symptom", "heel pain")),
    ("我咳嗽快三周了。", "对了，咳嗽上礼拜就好利索了。", ("symptom", "咳嗽")),
    ("我一般凌晨两点才睡。", "十一点准时关灯，坚持一个多月了。", ("habit", "两点才睡")),
    ("I sleep from 9am to 4pm.", "In bed by ten pm these days.", ("habit", "sleep from 9am to 4pm")),
    ("我吃素好几年了。", "早开荤啦，啥肉都吃。", ("habit", "吃素")),
    ("女朋友老生气。", "我跟小冉上周二领的证。", ("family", "女朋友")),
]
TOLD = [
    ("三月份跟老公搬来厦门了。", ("residence", "厦门")),
    ("我这学期转到江宁实验中学了。", ("job", "江宁实验中学")),
    ("嗯，跳到云峰数据了。", ("job", "云峰数据")),
    ("夜跑停了，现在一周游三次泳。", ("habit", "游三次泳")),
    ("I dropped out, I'm at Tidewater College doing welding.", ("job", "Tidewater College")),
    ("Took up pottery this fall.", ("habit", "pottery")),
    ("I have a glass of red with dinner most nights.", ("habit", "glass of red with dinner")),
    ("The one that lit up was cat dander.", ("possible_allergy", "cat dander")),
    ("What did react was fragrance mix.", ("possible_allergy", "fragrance")),
    ("我花生过敏去了急诊。", ("allergy", "花生")),
    ("海鲜过敏都去了医院三次了。", ("allergy", "海鲜")),
    ("我头孢过敏已经取消了手术。", ("allergy", "头孢")),
    ("The nurse wants my numbers: 18 units of Lantus at bedtime.", ("medication", "insulin glargine (Lantus)")),
    ("Eliquis twice a day.", ("medication", "apixaban (Eliquis)")),
]
NOT_TOLD = [
    ("五一在大理住五天。", ("residence", "大理")),
    ("我跳到床上了。", ("job", "床上")),
    ("心跳到嗓子眼了。", ("job", "嗓子眼")),
    ("想学吉他。", ("habit", "吉他")),
    ("That sofa took up space.", ("habit", "space")),
    ("头孢过敏可以划掉了。", ("allergy", "头孢")),
    ("血压跳到一百八十了。", ("job", "一百八十")),
    ("我跟教练领的证，潜水的。", ("state", "已婚")),
    ("话题跳到孩子身上。", ("job", "孩子身上")),
    ("大学摄影专业。", ("habit", "摄影")),
    ("I don't have a glass of wine every night.", ("habit", "glass of wine")),
    ("千万不要是肺癌。", ("disease", "肺癌")),
]


async def test_a_medicine_that_was_left_under_its_brand_is_held_under_no_name(here: World) -> None:
    await live(here, "I've been on sertraline since spring.")
    await here.write("ugh the zoloft did nothing for me honestly", "Oh?", "later", user_id="u1")
    await here.write("we tapered it off and i'm on venlafaxine now", "Good.", "later", user_id="u1")
    await here.finalize("later")
    assert {each for each in await held(here) if each[0] == "medication"} == {("medication", "venlafaxine")}


async def doses(here: World) -> str:
    """All that is told of the medicines that are taken."""
    items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    taken = [each for each in items if each["predicate"] == "medication" and not each.get("valid_to")]
    return " ".join(" ".join((each.get("attributes") or {}).values()) for each in taken if each["polarity"] == "+")


@pytest.mark.parametrize(("told", "later", "dose"), [*DOSES, *SAME_DOSES])
async def test_a_dose_is_of_the_medicine_that_is_meant(here: World, told: str, later: str, dose: str) -> None:
    await live(here, told, later)
    assert dose in await doses(here)


@pytest.mark.parametrize(("told", "later", "fact"), OVER)
async def test_what_has_changed_is_held_no_longer(here: World, told: str, later: str, fact: tuple[str, str]) -> None:
    await live(here, told)
    assert fact in await held(here)
    await live(here, later, first=1)
    assert fact not in await held(here)


@pytest.mark.parametrize(
    ("told", "later", "fact"),
    [
        ("我十一点睡。", "周末一般两点睡。", ("habit", "十一点睡")),
        ("我吃素好几年了。", "我不小心吃肉了。", ("habit", "吃素")),
        ("我十一点睡。", "十一点准时睡。", ("habit", "十一点睡")),
        ("女朋友老生气。", "我和她还没分了。", ("family", "女朋友")),
        ("女朋友老生气。", "和合伙人分了利润。", ("family", "女朋友")),
    ],
)
async def test_what_has_not_changed_is_held(here: World, told: str, later: str, fact: tuple[str, str]) -> None:
    await live(here, told)
    assert fact in await held(here)
    await live(here, later, first=1)
    assert fact in await held(here)


@pytest.mark.parametrize(("said", "fact"), TOLD)
async def test_what_is_told_in_passing_is_held(here: World, said: str, fact: tuple[str, str]) -> None:
    await live(here, said)
    assert fact in await held(here)


@pytest.mark.parametrize(("said", "fact"), NOT_TOLD)
async def test_what_only_sounds_like_it_is_not(here: World, said: str, fact: tuple[str, str]) -> None:
    await live(here, said)
    assert fact not in await held(here)
