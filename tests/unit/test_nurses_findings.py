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
        ("*", DAUGHTER),
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


def test_a_temperature_that_was_not_measured_is_none() -> None:
    assert [each.text for each in read_health("是38.6，不是39.2") if each.kind == "vital"] == ["体温 38.6"]


def test_age_of_a_child_is_no_duration() -> None:
    (ache,) = (each for each in read_health("My 4 year old daughter has an ear ache") if each.kind == "symptom")
    assert (ache.subject, dict(ache.attributes)) == (DAUGHTER, {})
