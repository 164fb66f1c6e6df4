"""What people say when a medicine changes: by its kind, by what came instead, by the last tablet, by another dose."""

import pytest

from tests.contract.lives import ON_ONE_STORE, held, live
from tests.inprocess import World

pytestmark = ON_ONE_STORE

_OVER = [
    (
        "I take amlodipine 10 mg and indapamide.",
        "They cut my amlodipine back to 5 mg and stopped the indapamide.",
        "indapamide",
    ),
    ("I take ferrous sulfate every other day.", "Ferritin is 60 so she said stop the iron.", "ferrous sulfate"),
    ("嗓子发炎，医生开了头孢克肟，一天两次。", "消炎药昨天全吃完了。", "头孢克肟"),
    ("我睡前吃艾司唑仑。", "艾司唑仑慢慢减，现在已经一粒不吃了。", "艾司唑仑"),
    ("偏头痛，睡前吃氟桂利嗪。", "神内的大夫给我换成托吡酯了，能不能喝咖啡？", "氟桂利嗪"),
    ("I take lisinopril.", "The GP swapped it for losartan. Should I worry about the dizziness?", "lisinopril"),
    ("高血脂，吃立普妥，每晚一片。", "医院只有集采的了，给开了国产的阿托伐他汀。", "阿托伐他汀 (立普妥)"),
    ("I'm on Ozempic.", "My last pen was three weeks ago. Off it for good.", "semaglutide (Ozempic)"),
    ("I take zopiclone at night.", "I haven't taken any in five weeks.", "zopiclone"),
    ("吃帕罗西汀四年了。", "上上周彻底停了，过电的感觉没了。", "帕罗西汀"),
    ("I use Flovent twice a day.", "It's Symbicort now, two puffs, replaces the Flovent.", "fluticasone (Flovent)"),
    ("I take methotrexate.", "Methotrexate stopped as of this week.", "methotrexate"),
    ("哮喘，用舒利迭，早晚各一吸。", "呼吸科改成信必可了，以前那个紫色的就不用了。", "沙美特罗替卡松 (舒利迭)"),
    ("I take prednisone.", "The steroids ended on Sunday.", "prednisone"),
    ("I take hydroxyzine and vitamin D.", "They swapped it for buspirone.", "hydroxyzine"),
    ("格列美脲一天一片。", "格列美脲因为低血糖给我拿掉了。", "格列美脲"),
]
_STAYS = [
    (
        "I take amlodipine 10 mg and indapamide.",
        "They cut my amlodipine back to 5 mg and stopped the indapamide.",
        "amlodipine",
    ),
    ("我吃阿托伐他汀，每晚一片。", "楼下老陈说他汀伤肝，他自己就停了，老陈爱停他停。", "阿托伐他汀"),
    ("I take keppra.", "Been thinking maybe I don't need the keppra any more.", "levetiracetam (keppra)"),
    ("房颤，我吃华法林。", "拔牙前华法林停了两天又接着吃了。", "华法林"),
    ("我在吃氨氯地平。", "过敏又犯了，给我换成西替利嗪了。", "氨氯地平"),
    ("I take iron and warfarin.", "They told me to stop the statin.", "warfarin"),
    ("我在吃二甲双胍。", "我妈的药换成缬沙坦了。", "二甲双胍"),
    ("我吃阿司匹林。", "医生把我老伴的阿司匹林停了，她胃出血。", "阿司匹林"),
    ("I take warfarin.", "My appointment was on Monday, they changed it to Friday.", "warfarin"),
    ("I take warfarin.", "It rained so we watched a movie instead.", "warfarin"),
    ("I take warfarin.", "I got a new phone, the old one is finished.", "warfarin"),
    ("I take warfarin.", "No warfarin problems at all.", "warfarin"),
    ("I take warfarin.", "My warfarin is out in the car.", "warfarin"),
    ("I take metformin.", "I skipped my metformin this morning.", "metformin"),
    ("I take propranolol.", "My migraines are better, haven't had one in three weeks.", "propranolol"),
    ("I take insulin glargine every night.", "I took my last dose at 9pm.", "insulin glargine"),
    ("I take rosuvastatin.", "I stopped atorvastatin because of cramps.", "rosuvastatin"),
    ("I take hydroxyzine and vitamin D.", "They swapped it for buspirone.", "vitamin d"),
    ("I take spironolactone.", "I stopped the iron.", "spironolactone"),
    ("我吃华法林。", "雨终于停了。", "华法林"),
    ("我吃华法林。", "晚饭改吃素了，还换了副眼镜。", "华法林"),
    ("我一直吃泼尼松。", "泼尼松减了。", "泼尼松"),
    ("我吃阿托伐他汀。", "阿托伐他汀快吃完了，要续。", "阿托伐他汀"),
    ("我吃二甲双胍。", "二甲双胍刚去药店拿了。", "二甲双胍"),
]


@pytest.mark.parametrize(("before", "now", "medicine"), _OVER)
async def test_medicine_is_held_no_longer(here: World, before: str, now: str, medicine: str) -> None:
    await live(here, before)
    assert ("medication", medicine) in await held(here)
    await live(here, now, first=2)
    assert ("medication", medicine) not in await held(here)


@pytest.mark.parametrize(("before", "now", "medicine"), _STAYS)
async def test_medicine_is_held_still(here: World, before: str, now: str, medicine: str) -> None:
    await live(here, before, now)
    assert ("medication", medicine) in await held(here)


@pytest.mark.parametrize(
    ("sessions", "medicine", "dose"),
    [
        (("甲减，优甲乐每天50微克。", "甲功出来了，从昨天开始吃75微克。"), "左甲状腺素 (优甲乐)", "75微克"),
        (("打甘精胰岛素，晚上12个单位。", "医生叫我加到16个单位了 甘精 还是睡前打"), "甘精胰岛素", "16个单位"),
        (
            ("I take insulin glargine 30 units.", "I also take insulin lispro 6 units with meals."),
            "insulin glargine",
            "30 units",
        ),
        (("睡前打甘精胰岛素14个单位。", "胰岛素加到18单位了，还是睡前打。"), "甘精胰岛素", "18单位"),
        (("I take lexapro 10mg.", "The doc bumped me up to 20 of the lexapro."), "escitalopram (lexapro)", "20"),
        (("I take gabapentin 600mg three times a day.", "She cut me back, it's 300mg now."), "gabapentin", "300mg"),
        (("二甲双胍 0.5的 早晚各一片", "把二甲双胍换成0.85一片的了，还是早晚。"), "二甲双胍", "0.85"),
    ],
)
async def test_dose_is_the_last_one_told(here: World, sessions: tuple[str, ...], medicine: str, dose: str) -> None:
    await live(here, *sessions)
    items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    now = [
        each for each in items if each["object"] == medicine and not (each.get("valid_to") or each.get("superseded_by"))
    ]
    assert [each["attributes"]["dose"] for each in now] == [dose]


@pytest.mark.parametrize(
    ("said", "held_then"),
    [
        (("吃二甲双胍", "左氧氟沙星吃着，一天一次", "医生让我停了，换成阿莫西林一天三次"), {"二甲双胍", "阿莫西林"}),
        (
            ("I take metformin.", "And ciprofloxacin since Monday", "They stopped it and put me on amoxicillin"),
            {"metformin", "amoxicillin"},
        ),
        (("吃二甲双胍和左氧氟沙星", "医生让我停了，换成阿莫西林一天三次"), {"二甲双胍", "左氧氟沙星", "阿莫西林"}),
    ],
)
async def test_the_one_that_was_spoken_of_last_is_what_was_stopped(
    here: World, said: tuple[str, ...], held_then: set[str]
) -> None:
    """Where two were, nobody knows."""
    for each in said:
        await here.write(each, "好的。", "c", user_id="u1")
    await here.finalize("c")
    assert {name for predicate, name in await held(here) if predicate == "medication"} == held_then
