"""What changes as patients tell it to a bot: booked by the agent, drunk less, operated as planned, measured anew.

A story is lines of `u:` and `a:`; `--` stands between two sessions. What is over is held no longer, what is so now is.
"""

import pytest

from tests.contract.lives import ON_ONE_STORE, held
from tests.inprocess import World

pytestmark = ON_ONE_STORE

BOOKED = [
    (
        (
            "u: 帮我约一下皮肤科，周三上午有号吗\na: 周三上午有号，贵姓？\nu: 林。就约周三上午吧\na: 已经为您登记。\n"
            "u: 周三单位要开会，能不能改到周五上午\na: 可以的，已经改好了，到时见。"
        ),
        "appointment:周三",
        "appointment:周五",
    ),
    (
        (
            "u: Can I get in with the physio on Monday for my shoulder?\na: There's one at 10 am. Shall I take it?\n"
            "u: yes pls\na: That's booked for you.\nu: oh no, Monday is the school trip. anything Thursday?\n"
            "a: Thursday at 4 pm is free, I've moved you to that."
        ),
        "appointment:Monday",
        "appointment:Thursday at 4 pm",
    ),
    (
        (
            "u: Can I book physio please, any day next week\na: There's Tuesday at 2:15 pm. Would that suit?\n"
            "u: Tuesday's perfect, book me in.\na: Done. You'll get a text reminder.\n--\n"
            "u: Sorry, I can't make physio. Is Thursday possible?\na: Yes, 10:40 am is free.\nu: Great, I'll take it"
        ),
        "appointment:Tuesday",
        "appointment:Thursday",
    ),
    (
        "u: 我挂了王医生的号，周三上午。\n--\nu: 王医生出差，我改挂了李医生的号，还是周三。",
        "appointment:王医生",
        "appointment:李医生",
    ),
    (
        "u: I have physical therapy on Wednesdays at 4.\n--\nu: My physical therapy is on Mondays from now on.",
        "appointment:Wednesday",
        "appointment:Monday",
    ),
    (
        "u: 我报了这个周六去打带状疱疹疫苗。\n--\nu: 疫苗改到周日上午了，社区周六不上班。",
        "appointment:周六",
        "appointment:周日",
    ),
]
HEALTH = [
    ("u: My last A1c was 8.1.\n--\nu: New A1c result came in: 6.7.", "test:8.1", "test:6.7"),
    ("u: My weight is 212 pounds.\n--\nu: Stepped on the scale this morning: 194 pounds.", "vital:212", "vital:194"),
    ("u: 谷丙86\n--\nu: 查了，谷丙41，降下来了", "test:86", "test:41"),
    ("u: I'm 39.\n--\nu: Turned 40 on Saturday! Can I book that health check now?", "age:39", "age:40"),
    ("u: 我今年50岁\n--\nu: 刚才打错了，我56，不是50", "age:50", "age:56"),
    ("u: I have hepatitis C.\n--\nu: The doctor says I'm cured of the hepatitis C.", "disease:hepatitis", None),
    ("u: 我有湿疹\n--\nu: 湿疹全消了", "disease:湿疹", None),
    ("u: 我有胃溃疡\n--\nu: 复查胃镜，溃疡已经愈合了", "disease:胃溃疡", None),
    ("u: 我有肾结石\n--\nu: 结石前天排出来了", "disease:肾结石", None),
    ("u: 社区医生说我是胃溃疡\n--\nu: 胃镜做完了，没有溃疡，就是慢性胃炎", "disease:胃溃疡", "disease:慢性胃炎"),
    (
        "u: 社区医院说我是类风湿关节炎\n--\nu: 去大医院重新查了\na: 医生怎么说?\nu: 说不是类风湿,就是骨关节炎",
        "disease:类风湿",
        "disease:骨关节炎",
    ),
    (
        "u: My bloods said prediabetes\n--\nu: So bloods came back and I'm now officially type 2 diabetic.",
        "disease:prediabetes",
        "disease:type 2 diabetes",
    ),
    (
        (
            "u: I'm allergic to strawberries\n--\n"
            "u: They tested me properly and I'm not allergic to strawberries, it's birch pollen that sets it all off"
        ),
        "allergy:strawberr",
        "allergy:birch",
    ),
    ("u: I'm allergic to eggs.\n--\nu: My egg allergy is gone.", "allergy:egg", None),
    (
        (
            "u: 我从小青霉素过敏，虾也不能吃，吃了起疹子。\n--\n"
            "u: 做了青霉素的皮试和激发，都没事，医生说我不算过敏，以后可以用。"
        ),
        "allergy:青霉素",
        "allergy:虾",
    ),
    (
        "u: 胆囊结石老是疼，医生排了下个月8号做胆囊切除\n--\nu: 手术做完了，微创的，昨天出院",
        "appointment:胆囊",
        "surgery:胆囊",
    ),
    ("u: 身上起了荨麻疹，好痒\n--\nu: 荨麻疹全退了，也不痒了。", "symptom:痒", None),
    ("u: 大腿有点酸\n--\nu: 停了五天,已经不酸了", "symptom:酸", None),
    ("u: 有点白痰\n--\nu: 咳嗽好了 痰也没了", "symptom:痰", None),
    ("u: 头疼，还有点怕光\n--\nu: 头不疼了\na: 还有其他不舒服吗？\nu: 没了 谢谢", "symptom:怕光", None),
    (
        (
            "u: I'm breastfeeding my daughter\n--\n"
            "u: now that I've weaned her can I go back to sumatriptan for my migraines?"
        ),
        "breast_feeding:",
        "disease:migraine",
    ),
    ("u: I'm 9 weeks pregnant\n--\nu: I wanted to let you know I lost the baby last week.", "pregnancy:", None),
]
MEDICINES = [
    (
        "u: I'm on sertraline for anxiety\n--\nu: dr changed my meds, im on lexapro now",
        "medication:sertraline",
        "medication:lexapro",
    ),
    (
        "u: 医生给开了阿托伐他汀,晚上吃\na: 好的\nu: 说错了,是瑞舒伐他汀",
        "medication:阿托伐他汀",
        "medication:瑞舒伐他汀",
    ),
    ("u: 我在吃阿司匹林。\n--\nu: 医生拿氯吡格雷替了阿司匹林。", "medication:阿司匹林", "medication:氯吡格雷"),
    (
        "u: I take sumatriptan\n--\nu: The neurologist says I can drop the sumatriptan, and I have.",
        "medication:sumatriptan",
        None,
    ),
    ("u: I'm on the birth control pill, Yasmin.\n--\nu: I gave up the pill in spring.", "medication:Yasmin", None),
    (
        (
            "u: 医生开了右佐匹克隆,每晚吃半片\n--\n"
            "u: 想问乙肝疫苗\na: 您近期睡眠怎么样,药还在用吗?\nu: 睡眠正常了,那个药停了一个月了"
        ),
        "medication:佐匹克隆",
        None,
    ),
    (
        (
            "u: I've started lansoprazole and amoxicillin.\n--\nu: The breath test was negative!\n"
            "a: Are you still on any tablets?\nu: No, finished everything a month ago"
        ),
        "medication:",
        None,
    ),
]
LIVES = [
    ("u: 我晚上只能睡四个小时。\n--\nu: 调整以后，我现在能睡七个小时了。", "habit:四个小时", "habit:七个小时"),
    (
        "u: I get about 5 hours a night\n--\nu: He's started sleeping through so I'm getting 7 or 8 hours now.",
        "habit:5 hours",
        "habit:7 or 8 hours",
    ),
    (
        (
            "u: I have about a bottle of wine most nights\n--\nu: it's going ok\na: How much are you drinking now?\n"
            "u: One small glass on a Saturday, that's it"
        ),
        "habit:bottle",
        "habit:small glass",
    ),
    ("u: I drink wine every night\n--\nu: Five weeks without a drink today", "habit:wine", "state:quit drinking"),
    ("u: I smoke 10 a day\n--\nu: Hi again. Day 63 without a cigarette!", "habit:10 a day", "state:quit smoking"),
    (
        "u: 我每天晚上跑5公里\n--\nu: 医生叫我别跑了\na: 那现在呢？\nu: 改游泳了，一周三次",
        "habit:跑5公里",
        "habit:游泳",
    ),
    ("u: I've gone gluten free\n--\nu: I'm eating bread again", "habit:gluten", "habit:bread"),
    ("u: 我跟男朋友小周住一起。\n--\nu: 我跟小周分手了，现在一个人住。", None, "state:单身"),
    ("u: I work as a barista\n--\nu: I'm training as a dental assistant now", "job:barista", "job:dental assistant"),
    ("u: 我在华为上班\n--\nu: 我从华为辞职了，现在去了比亚迪。", "job:华为", "job:比亚迪"),
    ("u: 我养了一只猫\n--\nu: 家里现在没有猫了", "pet:猫", None),
    ("u: 我打算五一回老家\n--\nu: 五一不回老家了，公司要值班", "plan:老家", None),
]
NOTHING_ENDS = [
    (
        "u: I've got lower back pain\n--\nu: No back pain this morning, but it usually comes back by evening.",
        "symptom:back pain",
    ),
    (
        "u: I use albuterol\n--\nu: My albuterol ran out last night. I'm picking up a new one at noon.",
        "medication:albuterol",
    ),
    ("u: 我吃美托洛尔控制心率。\n--\nu: 美托洛尔昨天吃完了，下午去药店再拿一盒。", "medication:美托洛尔"),
    ("u: We have a cat called Pepper.\n--\nu: Our neighbor's cat died yesterday. My kids are upset.", "pet:cat Pepper"),
    (
        "u: I live in Tucson\n--\nu: A guy I work with moved to Denver and now his route is mine too.",
        "residence:Tucson",
    ),
    ("u: 我有胃溃疡\n--\nu: 口腔溃疡好了", "disease:胃溃疡"),
    ("u: I take ramipril\n--\nu: my doctor told me I could stop the ramipril", "medication:ramipril"),
    ("u: 我对青霉素过敏\n--\nu: 我青霉素过敏好了", "allergy:青霉素"),
    (
        (
            "u: I see the physio on Friday\na: Ok\n"
            "u: Can you book my mum in for Monday?\na: That's booked for you, Monday at 10."
        ),
        "appointment:Friday",
    ),
    ("u: 下周8号做胆囊切除\n--\nu: 我爸手术做完了", "appointment:胆囊切除"),
]


async def _live(here: World, story: str) -> set[str]:
    for number, session in enumerate(story.split("\n--\n")):
        messages = [
            {"role": "user" if line.startswith("u:") else "assistant", "content": line[2:].strip()}
            for line in session.splitlines()
        ]
        await here.call("WriteMessages", conversation_id=f"c{number}", user_id="u1", messages=messages)
        await here.finalize(f"c{number}")
    return {f"{predicate}:{said}" for predicate, said in await held(here)}


def _has(facts: set[str], wanted: str) -> bool:
    predicate, _, words = wanted.partition(":")
    return any(each.startswith(f"{predicate}:") and words in each for each in facts)


@pytest.mark.parametrize(("story", "gone", "now"), [*BOOKED, *HEALTH, *MEDICINES, *LIVES])
async def test_what_has_changed_is_held_as_it_is_now(
    here: World, story: str, gone: str | None, now: str | None
) -> None:
    first = await _live(here, story.rpartition("\n--\n")[0] or story)
    if gone and "\n--\n" in story:
        assert _has(first, gone), first
    facts = await _live(here, story)
    assert gone is None or not _has(facts, gone), facts
    assert now is None or _has(facts, now), facts


@pytest.mark.parametrize(("story", "stays"), NOTHING_ENDS)
async def test_what_only_looks_like_an_ending_ends_nothing(here: World, story: str, stays: str) -> None:
    facts = await _live(here, story)
    assert _has(facts, stays), facts
