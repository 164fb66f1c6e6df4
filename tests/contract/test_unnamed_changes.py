"""What has changed is often not named: a medicine of its family, another dose, the only allergy, the only value."""

import pytest

from tests.contract.lives import ON_ONE_STORE, held, live
from tests.inprocess import World

pytestmark = ON_ONE_STORE

_CHANGED = [
    ("房颤，我吃华法林。", "医生嫌那药太难伺候，换利伐沙班了，晚饭时吃一粒。", ("medication", "华法林")),
    ("房颤，我吃华法林。", "医生嫌那药太难伺候，换利伐沙班了，晚饭时吃一粒。", ("anticoagulant", "华法林")),
    (
        "I take atorvastatin.",
        "Doc took me off the statin and put me on ezetimibe instead.",
        ("medication", "atorvastatin"),
    ),
    ("I take lisinopril for BP.", "They pulled the lisinopril and put me on losartan.", ("medication", "lisinopril")),
    ("社区给开了别嘌醇。", "吃到第九天浑身起红疹，别嘌醇这辈子不能碰，病历上写了红字。", ("medication", "别嘌醇")),
    ("我对青霉素过敏。", "我专门去过敏科查了，皮试做了，大夫说我根本不过敏。", ("allergy", "青霉素")),
    ("I'm allergic to lidocaine.", "The allergy clinic says it was never the lidocaine!", ("allergy", "lidocaine")),
    (
        "I'm allergic to penicillin.",
        "Had the challenge at the allergy clinic, the doctor says I'm not allergic.",
        ("allergy", "penicillin"),
    ),
    ("查血红蛋白只有78", "补了三个月铁，刚复查118了", ("test", "血红蛋白 只有78")),
    ("睡眠中心让我夜里戴呼吸机。", "呼吸机挂闲鱼了，一晚上就出手。", ("device", "呼吸机")),
    ("It's my own collie, Moss.", "Had to have Moss put down in October.", ("pet", "collie Moss")),
    ("我怀孕36周了。", "四天前生的，闺女六斤八两。", ("pregnancy", "怀孕")),
    ("We're trying for a baby.", "I'm pregnant, seven weeks!", ("plan", "trying for a baby")),
    ("在准备备孕。", "怀上了，六周。", ("plan", "备孕")),
    ("I'm constipated.", "I'm regular again, no constipation.", ("symptom", "constipated")),
    ("I have gestational diabetes.", "The gestational diabetes is gone.", ("disease", "gestational diabetes")),
    ("I'm single.", "I have a boyfriend now.", ("state", "single")),
    ("My resting heart rate is 110.", "My heart rate is 72 now.", ("vital", "110")),
    ("我对青霉素过敏。", "昨天做了青霉素皮试，结果都是阴性，大夫让放心。", ("allergy", "青霉素")),
    ("我对青霉素过敏。", "昨天做了青霉素皮试和口服激发，都是阴性，大夫让放心。", ("allergy", "青霉素")),
    ("我对虾过敏。", "过敏原查了，虾是阴性，医生很高兴。", ("allergy", "虾")),
    ("我对虾过敏。", "专门去查了，虾我可以放心吃了。", ("allergy", "虾")),
    ("我约了12月3号去眼科看白内障。", "眼科来电话，我的号改到12月17号了。", ("plan", "去眼科看白内障")),
    (
        "I've got a dermatology appointment on January 14.",
        "They've brought my appointment forward from January 14 to December 2.",
        ("appointment", "on January 14"),
    ),
    ("我计划国庆后把胆囊切了。", "10月15号做完了，腹腔镜切的胆囊。", ("plan", "胆囊")),
    ("I have a colonoscopy booked for the 21st.", "Colonoscopy's done!", ("plan", "booked for the 21st")),
    ("12月2号周三上午要去眼科复查", "改到12月7号下午两点", ("appointment", "12月2号")),
    ("12月2号周三上午要去眼科复查", "改到12月7号下午两点", ("plan", "眼科复查")),
    ("我腰疼", "腰早没事了，就是这膝盖", ("symptom", "腰疼")),
    ("失眠一个多月了", "现在十一点就着，失眠那事儿算翻篇了", ("symptom", "失眠")),
    (
        "I get headaches every afternoon",
        "I haven't had a single headache since the new glasses",
        ("symptom", "headache"),
    ),
]
_STAYS = [
    ("我在吃二甲双胍。", "血压药换成缬沙坦了，我现在吃缬沙坦。", ("medication", "二甲双胍")),
    ("我在吃氨氯地平。", "医生又给我加了缬沙坦，一起吃。", ("medication", "氨氯地平")),
    ("我在吃氨氯地平。", "换了个医院，我现在也吃缬沙坦。", ("medication", "氨氯地平")),
    ("我在吃氨氯地平。", "原来的改成晚上吃，又加了缬沙坦，我在吃缬沙坦。", ("medication", "氨氯地平")),
    ("我对青霉素过敏。", "大夫说这次根本不是过敏，就是晒伤。", ("allergy", "青霉素")),
    ("我在吃氨氯地平。", "缬沙坦吃上以后血压改善了，我每天吃缬沙坦。", ("medication", "氨氯地平")),
    (
        "I take metformin.",
        "My BP tablets made me cough so she put me on losartan instead.",
        ("medication", "metformin"),
    ),
    ("I take ramipril.", "I changed jobs. I take losartan now.", ("medication", "ramipril")),
    ("I take ramipril.", "I moved to Leeds. I take losartan now.", ("medication", "ramipril")),
    ("I take amlodipine.", "Bisoprolol made me tired so they changed it to ramipril.", ("medication", "amlodipine")),
    ("我在吃华法林。", "上次开的感冒药不吃了。", ("medication", "华法林")),
    ("I take warfarin.", "I've finished the tablets for my chest.", ("medication", "warfarin")),
    ("我对花生过敏。", "我儿子去过敏科查了，皮试做了，大夫说根本不过敏。", ("allergy", "花生")),
    ("I'm allergic to peanuts.", "My son had skin tests, they say he's not allergic at all.", ("allergy", "peanuts")),
    (
        "I'm allergic to penicillin.",
        "The doctor said it was not an allergic reaction, just a virus.",
        ("allergy", "penicillin"),
    ),
    ("我对青霉素过敏。", "我不过敏，就是普通感冒。", ("allergy", "青霉素")),
    ("查血红蛋白只有78", "体重降到60了，高兴。", ("test", "血红蛋白 只有78")),
    ("我对青霉素过敏。", "跟你提过青霉素过敏的，上周体检乙肝阴性。", ("allergy", "青霉素")),
    ("我对青霉素过敏。", "护士说青霉素皮试不是阴性。", ("allergy", "青霉素")),
    ("我对虾过敏。", "查了，虾还是不可以放心吃。", ("allergy", "虾")),
    ("我对青霉素过敏。", "上周体检，乙肝是阴性，头孢我可以正常用。", ("allergy", "青霉素")),
    ("My ferritin was 7.", "I'm down to 5 cigarettes.", ("test", "ferritin was 7")),
    ("I have a cough.", "My cough has gone to my chest.", ("symptom", "cough")),
    ("我腰疼", "膝盖早没事了", ("symptom", "腰疼")),
    ("我腰疼", "腰好了点", ("symptom", "腰疼")),
]


@pytest.mark.parametrize(("first", "later", "gone"), _CHANGED)
async def test_what_is_changed_without_its_name_is_held_no_longer(
    here: World, first: str, later: str, gone: tuple[str, str]
) -> None:
    await live(here, first)
    assert any(gone[0] == name and gone[1] in thing for name, thing in await held(here)), await held(here)
    await live(here, later, first=1)
    assert not any(gone[0] == name and gone[1] in thing for name, thing in await held(here)), await held(here)


@pytest.mark.parametrize(("first", "later", "stays"), _STAYS)
async def test_what_is_said_of_another_medicine_allergy_or_value_ends_nothing(
    here: World, first: str, later: str, stays: tuple[str, str]
) -> None:
    await live(here, first, later)
    assert any(stays[0] == name and stays[1] in thing for name, thing in await held(here)), await held(here)


@pytest.mark.parametrize(
    ("said", "asked", "answer", "gone"),
    [
        ("My hands shake in the morning.", "Are the shakes gone?", "Yes, steady as a rock.", "hands shake"),
        ("I have a bad headache.", "Has the headache gone away?", "Yes, since Monday.", "headache"),
        ("夜里干咳得睡不着。", "咳嗽好些了吗？", "换了五六天就不咳了。", "干咳"),
        (
            "I've had a tickly cough for weeks.",
            "Has the cough improved?",
            "Haven't coughed once since.",
            "tickly cough",
        ),
    ],
)
async def test_complaint_is_over_where_an_answer_says_so(
    here: World, said: str, asked: str, answer: str, gone: str
) -> None:
    await live(here, said)
    assert any(gone in thing for _, thing in await held(here))
    await here.write("我想问一下复查。" if "咳" in said else "Just checking in.", asked, "c1", user_id="u1")
    await live(here, answer, first=1)
    assert not any(gone in thing for _, thing in await held(here)), await held(here)


@pytest.mark.parametrize(
    ("said", "asked", "answer"),
    [
        ("I have a bad cough.", "Has your cough gone worse?", "Yes."),
        ("I have a bad cough.", "Is the cough medicine over the counter?", "Yes, from the chemist."),
        ("头疼三天了。", "头疼好了吗？", "嗯，还没好。"),
        ("头疼三天了。", "头疼好些了吗？", "嗯。"),
        ("头疼三天了。", "头疼有没有吃药？", "一次都没吃。"),
        ("头疼三天了。", "头疼去看医生了吗？", "都没再去。"),
    ],
)
async def test_yes_to_another_question_ends_no_complaint(here: World, said: str, asked: str, answer: str) -> None:
    await live(here, said)
    before = {each for each in await held(here) if each[0] == "symptom"}
    await here.write("…", asked, "c1", user_id="u1")
    await live(here, answer, first=1)
    assert before
    assert before <= await held(here)


async def test_what_was_measured_is_no_dose(here: World) -> None:
    await live(here, "I take 500 mg of metformin twice a day.", "Fastings are down to 128, so it's working.")
    items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    assert {each["attributes"]["dose"] for each in items if each["object"] == "metformin"} == {"500 mg"}


async def test_a_dose_that_was_changed_takes_the_place_of_the_old_one(here: World) -> None:
    await live(here, "我在吃舍曲林，每天50mg。", "复诊完了，加到100了，早饭后吃。")
    items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    doses = [
        each["attributes"].get("dose") for each in items if each["object"] == "舍曲林" and not each.get("valid_to")
    ]
    assert doses == ["100"]
