"""What has changed: two sides of one thing never hold at once, and what is forgotten changes nothing."""

import pytest

from tests.contract.lives import ON_ONE_STORE, held, live
from tests.inprocess import World

pytestmark = ON_ONE_STORE


@pytest.mark.parametrize(
    ("sessions", "gone", "stays"),
    [
        (
            ("我一直吃硝苯地平，每天一片。", "硝苯地平停了，换成氨氯地平10mg。"),
            ("medication", "硝苯地平"),
            ("medication", "氨氯地平"),
        ),
        (
            ("I take omeprazole 40 mg for reflux.", "I came off omeprazole last week."),
            ("medication", "omeprazole"),
            None,
        ),
        (("最近老是咳嗽，头也晕。", "咳嗽已经完全好了。"), ("symptom", "咳嗽"), ("symptom", "头也晕")),
        (("我超喜欢喝奶茶。", "奶茶早就不爱喝了。"), ("like", "喝奶茶"), None),
        (("我对头孢过敏。", "做了皮试，医生说我对头孢不过敏。"), ("allergy", "头孢"), None),
        (
            ("我12月15号上午去心内科复查。", "心内科复查改到12月18号了。"),
            ("appointment", "我12月15号上午去心内科复查"),
            ("appointment", "心内科复查改到12月18号了"),
        ),
    ],
)
async def test_what_was_ended_is_held_no_longer(
    here: World, sessions: tuple[str, str], gone: tuple[str, str], stays: tuple[str, str] | None
) -> None:
    await live(here, sessions[0])
    assert gone in await held(here)
    await live(here, sessions[1], first=1)
    after = await held(here)
    assert gone not in after
    assert stays is None or stays in after


@pytest.mark.parametrize(
    "second", ["最近在考虑要不要把舍曲林停了。", "我姐把她的舍曲林停了。", "舍曲林能停吗？", "差点忘了吃舍曲林。"]
)
async def test_what_is_only_thought_of_or_done_by_others_ends_nothing(here: World, second: str) -> None:
    await live(here, "我每天吃舍曲林50mg。", second)
    assert ("medication", "舍曲林") in await held(here)


async def test_new_dose_takes_the_place_of_the_old_one_and_the_rest_stays(here: World) -> None:
    await live(here, "我在吃二甲双胍500mg，一天两次。", "现在二甲双胍一次850mg。")
    items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    (now,) = [each for each in items if each["object"] == "二甲双胍" and not each.get("superseded_by")]
    assert now["attributes"]["dose"] == "一次850mg"
    assert now["attributes"]["frequency"] == "一天两次"


async def test_forgotten_change_has_changed_nothing(here: World) -> None:
    await live(here, "我一直吃硝苯地平。", "硝苯地平停了。")
    assert ("medication", "硝苯地平") not in await held(here)
    await here.call("ForgetMemory", user_id="u1", conversation_id="c1")
    assert ("medication", "硝苯地平") in await held(here)


@pytest.mark.parametrize(
    "second",
    ["这次吃了头孢没反应，还是发烧。", "头孢打了没反应。", "跟头孢没关系吧。", "皮试还没做，头孢没反应就好了。"],
)
async def test_a_medicine_that_does_nothing_is_not_borne_for_that(here: World, second: str) -> None:
    await live(here, "我对头孢过敏。", second)
    assert ("allergy", "头孢") in await held(here)


@pytest.mark.parametrize(
    ("first", "later", "predicate", "gone", "held"),
    [
        ("社区医生说我得了甲亢。", "专家说不是甲亢，是亚急性甲状腺炎。", "disease", "甲亢", None),
        ("I was told I have asthma.", "It turned out not to be asthma.", "disease", "asthma", None),
        ("我对鸡蛋过敏。", "做了激发试验，鸡蛋这条划掉了。", "allergy", "鸡蛋", None),
        ("我怀孕34周了。", "卸货啦，母子平安。", "pregnancy", "怀孕", None),
        ("I'm 30 weeks pregnant.", "I gave birth on Friday.", "pregnancy", "pregnant", None),
        ("I'm 35 weeks pregnant.", "She came on Sunday, 6lb 11.", "pregnancy", "pregnant", None),
        ("I drink red wine every night.", "Two months now, not a drop.", "habit", "wine", None),
        ("我对虾过敏。", "抽血查了过敏原，虾根本没事，真正过敏的是尘螨。", "allergy", "虾", "尘螨"),
        ("I'm allergic to latex.", "They removed latex from my record.", "allergy", "latex", None),
        ("我拉肚子两天了。", "拉肚子止住了。", "symptom", "拉肚子", None),
        ("我有脂肪肝。", "复查了，脂肪肝已经没有了。", "disease", "脂肪肝", None),
        ("I have asthma.", "The specialist says it was never asthma.", "disease", "asthma", None),
        (
            "I'm allergic to cashews.",
            "I ate cashews in the clinic. Nothing happened, I'm not allergic.",
            "allergy",
            "cash",
            None,
        ),
        ("社区医院说我是类风湿关节炎。", "风湿科看了，是痛风，不是类风湿关节炎。", "disease", "类风湿", "痛风"),
        ("My GP says it's asthma.", "It's vocal cord dysfunction, not asthma.", "disease", "asthma", "vocal cord"),
        ("我对狗毛过敏。", "抽血结果出来了，狗毛完全没事，罪魁祸首是尘螨。", "allergy", "狗毛", "尘螨"),
        (
            "I'm allergic to cats.",
            "Allergy blood test is back: cats were fine, the culprit is dust mites.",
            "allergy",
            "cats",
            "dust mite",
        ),
        ("我芒果过敏。", "皮肤科做了点刺，芒果没反应。", "allergy", "芒果", None),
        ("我芒果过敏。", "斑贴查出来是香料过敏，跟芒果没关系。", "allergy", "芒果", "香料"),
        (
            "I'm allergic to shellfish.",
            "Skin prick negative, and I ate prawns in the clinic. I'm not allergic to shellfish at all.",
            "allergy",
            "shellfish",
            None,
        ),
        ("骨科说是腰椎间盘突出。", "结论改了：不是椎间盘突出，是强直性脊柱炎。", "disease", "椎间盘", "强直性脊柱炎"),
        (
            "I've been told I have rheumatoid arthritis.",
            "The new consultant changed the diagnosis: psoriatic arthritis, not rheumatoid.",
            "disease",
            "rheumatoid",
            "psoriatic",
        ),
        (
            "My dermatology appointment is on December 3.",
            "Dermatology got moved. It's December 17 now.",
            "appointment",
            "December 3",
            "December 17",
        ),
        (
            "I take sertraline.",
            "It's bupropion now, fully off the old one since May.",
            "medication",
            "sertraline",
            None,
        ),
        ("I take prednisone 40 mg.", "They've been stepping me down, I'm at 15 mg now.", "medication", "40", "15"),
        ("My fiancé Callum wants a bagpiper.", "The wedding is off, I'm single again.", "family", "fiancé", None),
        ("腰上带状疱疹疼。", "腰上早就不疼了，痂都掉光了。", "disease", "疱疹", None),
        ("查出幽门螺杆菌。", "吹气结果阴性。", "disease", "幽门", None),
        ("I have shingles.", "Shingles is history.", "disease", "shingles", None),
        ("睡前吃半片佐匹克隆。", "我上个月底就彻底停了。", "medication", "佐匹克隆", None),
        ("我体重96公斤。", "我现在体重83公斤。", "vital", "96", "83"),
        ("My haemoglobin was 10.4.", "My haemoglobin is 12.6 now.", "test", "10.4", "12.6"),
        ("We have a dog called Biscuit.", "We lost Biscuit on Saturday.", "pet", "Biscuit", None),
        (
            "I'm on warfarin.",
            "Good news, they switched me from warfarin to apixaban.",
            "medication",
            "warfarin",
            "apixaban",
        ),
        ("I'm single.", "I got married in June!", "state", "single", "married"),
        ("I'm a line cook.", "The restaurant closed, I lost my job.", "job", "cook", None),
        ("我打算明年春天去做全飞秒。", "全飞秒这事我不打算做了。", "plan", "全飞秒", None),
        ("I wear a knee brace.", "The knee brace came off on Monday!", "device", "brace", None),
        (
            "I take ramipril 5 mg.",
            "The nurse rang, she doubled it. It's 10 mg once a day now.",
            "medication",
            "5",
            "10 mg",
        ),
    ],
)
async def test_what_is_ruled_out_over_or_changed_is_held_no_longer(
    here: World, first: str, later: str, predicate: str, gone: str, held: str | None
) -> None:
    for conversation, text in (("a", first), ("b", later)):
        await here.write(text, "好的。", conversation, user_id="u1")
        await here.finalize(conversation)
    items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    facts = [each for each in items if each["predicate"] == predicate and "superseded_by" not in each]
    now = [
        f"{each['object']} {' '.join(each.get('attributes', {}).values())}" for each in facts if each["polarity"] == "+"
    ]
    assert not any(gone in each for each in now), now
    assert held is None or any(held in each for each in now), now


async def test_an_answer_ends_the_complaint_that_was_asked_about(here: World) -> None:
    await live(here, "My elbow hurts when I lift the kettle.")
    (elbow,) = {each for each in await held(here) if each[0] == "symptom"}
    await here.write("Back again.", "How is the elbow these days?", "later", user_id="u1")
    await here.write("Not at all bad, thanks for asking.", "Does your elbow still hurt?", "later", user_id="u1")
    assert elbow in await held(here)
    await here.write("Completely gone.", "Good.", "later", user_id="u1")
    await here.finalize("later")
    assert elbow not in await held(here)


@pytest.mark.parametrize(
    ("first", "later", "stays"),
    [
        ("我特别爱吃榴莲。", "我讨厌下雨天。不过还是天天吃榴莲，太爱了。", "榴莲"),
        ("My elbow hurts when I lift the kettle.", "The kettle is fine now, we bought a new one.", "elbow"),
        ("I take metformin.", "The metformin works fine now.", "metformin"),
        ("I have chest pain.", "No chest tightness though.", "chest"),
        ("We have a dog called Biscuit.", "We lost the match on Saturday.", "Biscuit"),
        ("我打算明年春天去做全飞秒。", "我不打算换眼镜了，等全飞秒。", "全飞秒"),
    ],
)
async def test_endings_of_other_things_end_nothing(here: World, first: str, later: str, stays: str) -> None:
    await live(here, first, later)
    assert [each for each in await held(here) if stays in each[1]]


async def test_somebody_elses_ending_ends_nothing_of_the_user(here: World) -> None:
    await here.write("I take ramipril 5 mg and I have asthma.", "Noted.", "a", user_id="u1")
    await here.finalize("a")
    said = "My mum stopped her ramipril. The article said “I quit ramipril and it was not asthma at all”."
    await here.write(said, "I see.", "b", user_id="u1")
    await here.finalize("b")
    items = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    own = {
        each["object"]
        for each in items
        if each["subject"] == "user" and each["polarity"] == "+" and "superseded_by" not in each
    }
    assert {"ramipril", "asthma"} <= own


@pytest.mark.parametrize(
    ("first", "later", "held"),
    [
        ("I am allergic to peanuts.", "I never outgrew my peanut allergy.", "peanuts"),
        ("我对青霉素过敏。", "青霉素过敏住院花了好多冤枉钱", "青霉素"),
        ("我怀孕20周了。", "我以前流产过一次，有点担心。", "怀孕"),
        ("I'm 20 weeks pregnant.", "I miscarried once in 2019, is that a risk?", "pregnant"),
        ("I have asthma.", "I don't have asthma attacks very often.", "asthma"),
        ("I have asthma.", "No more asthma attacks since the new inhaler.", "asthma"),
        ("I have asthma.", "My asthma inhaler is gone, where do I get one?", "asthma"),
        (
            "I am allergic to penicillin.",
            "They gave me penicillin by mistake. My covid test was negative.",
            "penicillin",
        ),
        ("我有糖尿病。", "糖尿病的药没了，去哪里开？", "糖尿病"),
        ("我有糖尿病。", "医生说我没有糖尿病足。", "糖尿病"),
        ("我有糖尿病。", "医生说脚麻不是糖尿病引起的。", "糖尿病"),
        ("我在吃华法林，房颤。", "我一直没停用华法林。", "华法林"),
    ],
)
async def test_what_only_sounds_like_an_ending_ends_nothing(here: World, first: str, later: str, held: str) -> None:
    for conversation, text in (("a", first), ("b", later)):
        await here.write(text, "好的。", conversation, user_id="u1")
        await here.finalize(conversation)
    found = await here.query("new", user_id="u1")
    assert held in {each["text"] for each in found["safety"]["details"] if not each.get("denied")}


async def test_the_new_day_is_an_answer_to_who_asks_for_it(here: World) -> None:
    await live(here, "My smear is on Tuesday the 8th at twenty past nine.")
    await here.write("The surgery rang.", "Did they rebook you?", "later", user_id="u1")
    await here.write("yes for Thursday 17th, 4.40pm. We fly home on the 20th", "Noted.", "later", user_id="u1")
    await here.finalize("later")
    (day,) = {each[1] for each in await held(here) if each[0] == "appointment"}
    assert "17th" in day


@pytest.mark.parametrize(
    "text",
    [
        "I'm on metoprolol 50 mg twice daily after the palpitations last year.",
        "Started on gabapentin after the rash I had.",
    ],
)
async def test_what_is_taken_after_an_illness_has_done_no_harm(here: World, text: str) -> None:
    await live(here, text)
    assert not [each for each in await held(here) if "allergy" in each[0]]


async def test_what_is_taken_no_more_after_harm_has_done_it(here: World) -> None:
    await live(here, "I can't take amoxicillin after the rash last time.")
    assert ("allergy", "amoxicillin") in await held(here)


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("I work nights, blackout blinds and all.", "symptom"),
        ("I've been allergic to eggs since I was a toddler.", "job"),
        ("I run payroll at Halden Foods.", "habit"),
        ("31 weeks now and I can't see my feet.", "symptom"),
    ],
)
async def test_what_only_sounds_like_it_is_not_held(here: World, text: str, predicate: str) -> None:
    await live(here, text)
    assert predicate not in {each[0] for each in await held(here)}
