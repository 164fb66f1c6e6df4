"""What nurses found wrong when they read what became of whole dialogues: each with the words that were said."""

import pytest

from memory.clinical.findings import Finding
from memory.clinical.health.reading import read_health
from memory.clinical.lasting import disease_lasts
from memory.clinical.people import OTHER, USER
from memory.clinical.safety import read_safety
from memory.clinical.spoken import Spoken

DAUGHTER = "my 4 year old daughter"


def safety(text: str, before: str = "", about: str = USER) -> list[tuple[str, str, bool, str]]:
    """Kind, name, whether it is possible only, of whom."""
    return [(each.kind, each.text, each.possible, each.subject) for each in read_safety(text, before, about)]


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        ("有过敏吗？", "鸡蛋不过敏，紫杉醇那次第一次输的时候胸闷脸红", [("紫杉醇", False)]),
        ("对抗生素有不良反应吗？", "青霉素打过好多次，从来没事", []),
        ("有什么过敏吗？", "花生。别的没事", [("花生", False)]),
        ("Any allergies?", "Penicillin, otherwise fine", [("Penicillin", False)]),
        (
            "Any allergies?",
            "Latex. And I can't take codeine, makes me sick as a dog",
            [("codeine", False), ("Latex", False)],
        ),
        ("有什么过敏吗？", "可能对磺胺有点过敏吧，很多年前吃了起过疹子", [("磺胺", True)]),
        ("", "我记得我对阿莫西林过敏……哦不对，那是我老公，我自己没有药物过敏", [("*", False)]),
        ("", "Skin test done. Peanuts are fine, it's cashews I'm allergic to.", [("cashews", False)]),
        ("", "I can't tolerate erythromycin, threw up every single dose", [("erythromycin", False)]),
        ("", "Please note sulfa drugs are off limits for me", [("sulfa drugs", False)]),
        ("", "别给我开别嘌醇，过敏", [("别嘌醇", False)]),
        ("", "破伤风皮试阳性，改打的免疫球蛋白", [("破伤风抗毒素 (破伤风皮试)", False)]),
        ("", "We keep a parrot in the living room. Could that cause my cough?", []),
        ("", "平时就爱钓鱼，一坐一天，腰受不了", []),
        ("有药物过敏吗?", "甲硝唑吃了会起疹子,阿莫西林可以吃的", [("甲硝唑", False)]),
        ("有药物过敏吗?", "青霉素过敏,头孢可以用", [("青霉素", False)]),
        ("", "泼尼松5天吃完了,晚上不憋醒了", []),
        ("Any allergies?", "Morphine makes me itch but they've said it isn't a true allergy.", []),
        ("有没有对药物过敏？", "阿司匹林吃了就是胃不舒服，不算过敏吧。", []),
        ("Any medicines?", "Migraine. I used to be on candesartan but my blood pressure dropped.", []),
        ("Any allergies?", "used to be told i was allergic to eggs but had it tested and its not true", []),
        ("Any allergies?", "erythromycin makes me sick but not allergic", []),
        ("Any allergies?", "tree nuts only, peanuts I can eat by the jar", [("tree nuts", False)]),
        ("请问海鲜过敏吗？", "能吃，就是嫌腥，不爱碰", []),
        ("", "早上空腹喝咖啡手抖心慌了一阵，中午就好了", []),
        ("", "我心跳快，吃美托洛尔47.5毫克", []),
        ("", "I take propranolol 40 mg when I'm panicky", []),
        ("", "I take co-codamol for my back and I'm constipated", []),
        ("", "Amlodipine 10 and indapamide. My ankles are swelling", []),
        ("", "身上起红疹，皮肤痒，从吃甲巯咪唑第五天开始的", [("甲巯咪唑", True)]),
    ],
)
def test_allergies(before: str, text: str, wanted: list[tuple[str, bool]]) -> None:
    found = [(name, possible) for kind, name, possible, _ in safety(text, before) if kind == "allergy"]
    assert sorted((name.lower(), possible) for name, possible in found) == sorted((n.lower(), p) for n, p in wanted)


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        ("做过腹部手术吗？", "剖腹产过一次，2021年。阑尾还在", ["剖宫产 (剖腹产)"]),
        ("做过什么手术？", "左乳全切，化疗做完了六次", ["左乳全切"]),
        ("", "My gallbladder operation is set for June.", []),
        ("", "Left hip was replaced in May and I'm walking well", ["hip was replaced"]),
        ("", "装起搏器的人能不能用微波炉啊", []),
        ("", "我有糖尿病，白内障两只眼都做了", ["白内障两只眼都做了"]),
        ("", "Sticking plasters take my skin off", []),
    ],
)
def test_operations(before: str, text: str, wanted: list[str]) -> None:
    assert [name for kind, name, _, _ in safety(text, before) if kind == "surgery"] == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("coeliac blood test came back negative, phew", []),
        ("been a bit wheezy this week, hope I'm not getting asthma", []),
        ("这破挂号系统真是要把我气出脑溢血", []),
        ("约了风湿免疫科", []),
        ("我有糖尿病，白内障两只眼都做了", ["糖尿病"]),
        ("重症肌无力在吃溴吡斯的明，哪些抗生素要避开？", ["重症肌无力"]),
        ("lupus patient here, should i avoid the sun completely", ["lupus"]),
        ("Stop asking about my diabetes, I haven't got diabetes", []),
        ("小时候有哮喘，后来二十年没犯，医生说早好了", []),
        ("Had asthma as a kid, grew out of it at 12", []),
        ("um i should probably mention im epileptic", ["epilepsy (epileptic)"]),
        ("Aspirin sets off my asthma", ["asthma"]),
    ],
)
def test_diseases(text: str, wanted: list[str]) -> None:
    assert [name for kind, name, possible, _ in safety(text) if kind == "disease" and not possible] == wanted


def test_name_with_what_was_said_lasts_as_the_name_does() -> None:
    assert not disease_lasts("稽留流产 (胎停)")
    assert disease_lasts("hypertension (high blood pressure)")


def test_who_writes_for_a_child_and_says_we_writes_of_the_child() -> None:
    said = "She has a peanut allergy, we carry an EpiPen. No drug allergies"
    assert [(name, who) for _, name, _, who in safety(said, "Is she allergic to anything?", DAUGHTER)] == [
        ("peanut", DAUGHTER),
    ]
    given = read_health("39.1 at 6 am, I gave her Calpol 5 ml", "Does she have a fever?", DAUGHTER)
    assert {each.subject for each in given} == {DAUGHTER}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("Hi, I'm writing for my son, he is six", "my son"),
        ("我替我妈问问", "我妈"),
        ("I'm writing about my knee", USER),
        ("Since my mum died in September", USER),
        ("My mum passed away in May", USER),
        ("My dad is 78", "my dad"),
    ],
)
def test_whom_somebody_writes_for(text: str, who: str) -> None:
    spoken = Spoken()
    spoken.hear(text, ())
    assert spoken.about("Any allergies?") == who


def test_a_complaint_of_a_relative_is_no_aside() -> None:
    spoken = Spoken()
    for text in ("I've had a cough for three weeks", "My daughter has a fever of 39"):
        spoken.hear(text, (*read_safety(text), *read_health(text)))
    assert spoken.about("Any other conditions?") == "my daughter"


def test_who_tells_of_a_stranger_is_asked_about_themselves() -> None:
    spoken = Spoken()
    spoken.hear("Asthma, that colleague of mine", [Finding("disease", "asthma", "Asthma", OTHER)])
    assert spoken.about("Any other conditions?") == OTHER
    assert spoken.about("Do you have any conditions yourself?") == USER


@pytest.mark.parametrize(
    ("text", "complaints"),
    [
        ("我对青霉素过敏，打针以后全身起荨麻疹", []),
        ("Allergic to penicillin, my throat closed up when I was 12", []),
        ("我对青霉素过敏，今天嗓子疼", ["嗓子疼"]),
        ("我对青霉素过敏，以前打过起疹子，今天嗓子疼", ["嗓子疼"]),
        ("青霉素过敏，嗓子疼", ["嗓子疼"]),
        ("I'm allergic to penicillin and I have a sore throat", ["sore throat"]),
        ("I'm allergic to bee stings. My ankle is swollen", ["ankle swelling (ankle is swollen)"]),
        ("I'm allergic to nuts, stomach pain and vomiting", ["stomach pain", "vomiting"]),
    ],
)
def test_a_reaction_of_once_is_no_complaint_of_today(text: str, complaints: list[str]) -> None:
    assert [each.text for each in read_health(text) if each.kind == "symptom"] == complaints


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        ("Are you having thoughts of harming yourself?", "I thought about it last week but I wouldn't do it", 1),
        ("Are you having thoughts of harming yourself?", "No, never", 0),
        ("有没有伤害自己的想法？", "有时候会", 1),
        ("有没有伤害自己的想法？", "没有，从来没有", 0),
        ("How is your sleep?", "I thought about it last week", 0),
        ("", "上周还想过吃一瓶安眠药，但没真做", 1),
        ("", "I don't want to be here anymore", 1),
    ],
)
def test_thoughts_of_ending_ones_life_are_kept(before: str, text: str, wanted: int) -> None:
    kept = [each for each in read_health(text, before) if each.kind == "symptom" and not each.denied]
    assert min(1, len(kept)) == wanted


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        ("Have you ever had a stomach ulcer?", "yeah a bleeding one in 2016", []),
        ("Any allergies?", "latex gives me hives. nothing else", []),
        ("Ok?", "ok. last time it gave me the runs", []),
        ("Any chest pain?", "no just jittery and not sleeping", ["jittery", "insomnia (not sleeping)"]),
        ("有胸痛放射到手臂吗？", "没有放射痛。夜里能平躺。", []),
        ("", "膝盖疼，下楼疼得厉害", ["膝盖疼"]),
        ("", "脚踝肿，不是很痛", ["脚踝肿"]),
        ("", "吃了犯困就不吃了", ["犯困"]),
        ("", "ive started thinking everyone would be better off without me", ["better off without me"]),
        ("", "医生说可能是替格瑞洛的副作用", []),
        ("", "抬肩膀的时候感觉力量下降，晚上难以入睡", ["力量下降", "难以入睡"]),
    ],
)
def test_complaints(before: str, text: str, wanted: list[str]) -> None:
    found = [each for each in read_health(text, before) if each.kind == "symptom" and not each.denied]
    assert sorted(each.text for each in found) == sorted(wanted)


def test_complaint_that_is_felt_no_more_is_denied_by_its_name() -> None:
    assert [(each.text, each.denied) for each in read_health("胃不疼了")] == [("胃疼", True)]


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("拉肚子,一天三四趟", ""),
        ("我怀孕20周,有点咳嗽", ""),
        ("心慌，休息五分钟就好，大概有一个月了", "大概有一个月了"),
        ("咳嗽三个晚上了", "三个晚上了"),
        ("vomiting once a day", ""),
        ("I've had a cough for a week", "for a week"),
    ],
)
def test_how_often_is_not_how_long(text: str, duration: str) -> None:
    (found,) = (each for each in read_health(text) if each.kind == "symptom")
    assert dict(found.attributes).get("duration", "") == duration


def test_vaccine_that_was_had_is_no_disease() -> None:
    asked = "Have you had any travel vaccines before?"
    assert not read_health("hep A and typhoid in 2018, yellow fever never", asked)
    assert not read_safety("hep B last year", asked)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("体温39.2，不对，是38.6", {"体温 38.6"}),
        ("BP was 182/95, sorry, 128/95", {"blood pressure 128/95"}),
        ("糖化上个月7.8%。哦不对，是8.7%，我看反了", {"糖化 8.7%"}),
        ("今早空腹11.2,昨天饭后2小时16.8", {"空腹血糖 11.2", "饭后血糖 16.8"}),
        ("The swab was positive for strep and I finished five days of cephalexin", {"swab was positive for strep"}),
        ("went up after my bloods, TSH was 8.1", {"TSH was 8.1"}),
        ("I've got a smear test coming up on the 3rd", set()),
    ],
)
def test_values_and_what_tests_showed(text: str, wanted: set[str]) -> None:
    assert {each.text for each in read_health(text) if each.kind in {"vital", "test"}} == wanted


def test_a_temperature_that_was_not_measured_is_none() -> None:
    assert [each.text for each in read_health("是38.6，不是39.2") if each.kind == "vital"] == ["体温 38.6"]


def test_age_of_a_child_is_no_duration() -> None:
    (ache,) = (each for each in read_health("My 4 year old daughter has an ear ache") if each.kind == "symptom")
    assert (ache.subject, dict(ache.attributes)) == (DAUGHTER, {})
