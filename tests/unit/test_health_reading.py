"""Complaints, medicines, values, tests and appointments, read of what a user says."""

import pytest

from memory.clinical.findings import SYMPTOM, Finding
from memory.clinical.health.reading import read_health
from memory.clinical.languages import in_use
from memory.clinical.people import USER
from memory.clinical.safety import read_safety
from memory.clinical.spoken import Spoken
from tests.growth import assert_grows


def read(text: str, before: str = "", about: str = USER) -> dict[tuple[str, bool], list[Finding]]:
    """By kind, and whether it is so."""
    found: dict[tuple[str, bool], list[Finding]] = {}
    for each in read_health(text, before, about):
        found.setdefault((each.kind, not each.denied), []).append(each)
    return found


@pytest.mark.parametrize(
    ("text", "kind", "words", "attributes"),
    [
        ("右侧膝盖疼了三天，上楼时加重", "symptom", "膝盖疼", {"duration": "三天", "side": "右侧"}),
        ("晚上咳嗽得厉害，有两个星期了", "symptom", "咳嗽", {"duration": "有两个星期了", "severity": "厉害"}),
        ("鼻塞嗓子干痒不发热头不痛", "symptom", "鼻塞", {}),
        ("小腹不舒服3个月", "symptom", "小腹不舒服", {"duration": "3个月"}),
        ("肚子断断续续不舒服", "symptom", "肚子断断续续不舒服", {}),
        ("能止痒但消不下去，又开始严重痒", "symptom", "痒", {"severity": "严重"}),
        ("有窒息感", "symptom", "窒息感", {}),
        ("鼻腔内长了肉粒几年了", "symptom", "肉粒", {"duration": "几年了"}),
        ("肚子咕噜咕噜老放屁", "symptom", "肚子咕噜咕噜", {}),
        ("喝了感冒冲剂", "medication", "感冒冲剂", {}),
        ("My left knee has been swollen for two weeks", "symptom", "swollen", {"duration": "for two weeks"}),
        ("I've got a terrible headache since this morning", "symptom", "headache", {"severity": "terrible"}),
        ("氨氯地平5mg每日一次", "medication", "氨氯地平", {"dose": "5mg"}),
        ("每天吃两次二甲双胍，一次0.5克", "medication", "二甲双胍", {"dose": "一次0.5克"}),
        ("taking losartan 50 mg once a day", "medication", "losartan", {"dose": "50 mg", "frequency": "once a day"}),
        ("they cut my omeprazole down from 40 to 20 mg", "medication", "omeprazole", {"dose": "20 mg"}),
        ("优甲乐从75减到50了", "medication", "左甲状腺素 (优甲乐)", {"dose": "50"}),
        ("二甲双胍我现在一天两次", "medication", "二甲双胍", {"frequency": "一天两次"}),
        ("复诊了，缬沙坦加量了，每次160毫克", "medication", "缬沙坦", {"dose": "每次160毫克"}),
        ("优甲乐现在吃75微克", "medication", "左甲状腺素 (优甲乐)", {"dose": "75微克"}),
        ("gliclazide now, one in the morning", "medication", "gliclazide", {"frequency": "in the morning"}),
        ("so I'm at 100 mg of the sertraline from today", "medication", "sertraline", {"dose": "100 mg"}),
        ("今天发烧38.5度", "vital", "体温 38.5度", {"value": "38.5度"}),
        ("血压早上145/90左右", "vital", "血压 145/90", {"value": "145/90"}),
        ("my blood pressure was 150 over 95", "vital", "blood pressure 150 over 95", {"value": "150 over 95"}),
        ("上周做了胃镜，显示浅表性胃炎", "test", "胃镜", {"name": "胃镜"}),
        ("B超显示有胆结石", "test", "B超 显示有胆结石", {"result": "显示有胆结石"}),
        ("my blood test came back normal", "test", "blood test came back normal", {"name": "blood test"}),
        ("我12月15号上午去市一院心内科复查", "appointment", "心内科复查", {"when": "12月15号"}),
        ("they moved my scan from Dec 4 to Dec 14", "appointment", "scan", {"when": "Dec 14", "moved": "true"}),
        ("I've got a dermatology appointment on Jan 4", "appointment", "dermatology", {"when": "Jan 4"}),
        ("I have a cardiology follow up on Dec 14", "appointment", "cardiology follow up", {"when": "Dec 14"}),
    ],
)
def test_what_is_told_is_found_with_what_belongs_to_it(
    text: str, kind: str, words: str, attributes: dict[str, str]
) -> None:
    (found, *_) = [each for each in read(text)[kind, True] if words in each.text]
    assert attributes.items() <= dict(found.attributes).items()
    assert found.subject == USER


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("这个药会引起头晕吗", "symptom"),
        ("怎么预防感冒咳嗽", "symptom"),
        ("要不要吃点布洛芬", "medication"),
        ("布洛芬一天能吃几次", "medication"),
        ("我在考虑要不要把舍曲林停了", "medication"),
        ("Should I take ibuprofen for this?", "medication"),
        ("I've never taken statins", "medication"),
        ("要不要做个胃镜", "test"),
        ("do I need a blood test?", "test"),
        ("上周三去医院做了复查", "appointment"),
        ("下周三可以去复查吗", "appointment"),
        ("帮我翻译：我头疼三天了", "symptom"),
        ("I can't stand spicy food any more", "symptom"),
    ],
)
def test_what_is_asked_feared_or_only_thought_of_is_none(text: str, kind: str) -> None:
    assert (kind, True) not in read(text)
    assert (kind, False) not in read(text)


@pytest.mark.parametrize(
    ("text", "kind", "words"),
    [
        ("没有发热或者腹泻", "symptom", "腹泻"),
        ("咳嗽已经完全好了", "symptom", "咳嗽"),
        ("no fever, thank god", "symptom", "fever"),
        ("the rash has cleared up", "symptom", "rash"),
        ("硝苯地平给我停了", "medication", "硝苯地平"),
        ("奥美拉唑吃满八周了，上周五医生让停了", "medication", "奥美拉唑"),
        ("I came off Zoloft in September", "medication", "zoloft"),
        ("医生说我对头孢不过敏", "allergy", "头孢"),
    ],
)
def test_what_is_denied_has_passed_or_was_stopped_is_told_as_such(text: str, kind: str, words: str) -> None:
    assert [each for each in read(text)[kind, False] if words in each.text.lower()]
    assert not [each for each in read(text).get((kind, True), []) if words in each.text.lower()]


@pytest.mark.parametrize(
    ("text", "left", "taken"),
    [
        ("硝苯地平换成氨氯地平10mg了", "硝苯地平", "氨氯地平"),
        ("she switched me from lisinopril to losartan 50 mg", "lisinopril", "losartan"),
        ("I use Tylenol instead of ibuprofen now", "ibuprofen", "acetaminophen (tylenol)"),
    ],
)
def test_a_switch_leaves_one_medicine_and_begins_another(text: str, left: str, taken: str) -> None:
    found = read(text)
    assert [each.text.lower() for each in found["medication", False]] == [left]
    assert [each.text.lower() for each in found["medication", True]] == [taken]


def spoken_of(*messages: tuple[str, str], question: str = "") -> str:
    """Of whom the next message is, after these, each with what it answers."""
    spoken = Spoken()
    for before, text in messages:
        about = spoken.about(before)
        spoken.hear(text, (*read_safety(text, before, about), *read_health(text, before, about)), before)
    return spoken.about(question)


def test_complaint_goes_on_with_the_relative_of_whom_it_is_told() -> None:
    assert spoken_of(("", "我妈最近老头晕")) == "我妈"
    assert spoken_of(("", "我爸今年七十了")) == "我爸"
    assert spoken_of(("", "给宝宝喂完奶，我就开始头疼")) == USER
    (found,) = read("头晕三天了", about="我妈")["symptom", True]
    assert found.subject == "我妈"
    assert spoken_of(("", "我妈最近老头晕"), ("", "我自己也头晕")) == USER
    assert spoken_of(("", "我妈最近老头晕"), ("", "知道了")) == "我妈"


@pytest.mark.parametrize(
    ("own", "aside", "question"),
    [
        ("I've had a cough for three weeks", "My uncle had TB, he lived with us", "Any other conditions?"),
        ("我咳嗽三个星期了", "我爸有糖尿病", "还有别的病吗？"),
    ],
)
def test_who_names_a_relative_in_passing_is_asked_about_themselves(own: str, aside: str, question: str) -> None:
    assert spoken_of(("", own), ("Anybody ill at home?", aside), question=question) == USER
    assert spoken_of(("", aside), question=question) != USER
    about_him = "Does he have anything else?" if aside.isascii() else "他还有别的病吗？"
    assert spoken_of(("", own), ("", aside), question=about_him) != USER


@pytest.mark.parametrize(
    ("asked", "answer", "is_so"),
    [
        ("头疼好了吗？", "好了", False),
        ("头疼好了吗？", "没有", True),
        ("Has the headache gone away?", "Yes.", False),
        ("Has the headache gone away?", "No.", True),
        ("Do you have a headache?", "Yes.", True),
    ],
)
def test_yes_to_whether_a_complaint_is_over_says_that_it_is(asked: str, answer: str, *, is_so: bool) -> None:
    found = read(answer, asked)
    assert ("symptom", not is_so) not in found
    assert ("symptom", is_so) in found or answer == "好了"


@pytest.mark.parametrize(("answer", "is_so"), [("有", True), ("没有", False)])
def test_short_answer_says_yes_or_no_to_the_complaint_that_was_asked_for(answer: str, *, is_so: bool) -> None:
    (found,) = read(answer, "有没有咳嗽？")["symptom", is_so]
    assert found.text == "咳嗽"
    assert [each.text for each in read("有点恶心，没吐", "有没有恶心、呕吐？")["symptom", True]] == ["恶心"]


@pytest.mark.parametrize(
    ("asked", "answer", "medicine"),
    [
        ("开铁剂了吗？", "开了，琥珀酸亚铁。", "琥珀酸亚铁"),
        ("吃的什么药？", "就氨氯地平。", "氨氯地平"),
        ("Did they suggest any treatment?", "Metronidazole cream, twice a day.", "metronidazole"),
        ("What medication are you on?", "Yes, ramipril.", "ramipril"),
    ],
)
def test_medicine_alone_is_taken_where_that_was_asked(asked: str, answer: str, medicine: str) -> None:
    assert medicine in {each.text for each in read(answer, asked)["medication", True]}
    assert ("medication", True) not in read(f"{medicine}?", asked)
    assert medicine not in {each.text for each in read(f"{medicine}.", "好的。").get(("medication", True), [])}


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("开了什么药？", "没开药，就是阿司匹林不让吃了"),
        ("用药了吗？", "没有，怕布洛芬伤胃"),
        ("Are you taking any medication?", "No, ibuprofen upsets my stomach."),
        ("Are you taking any medication?", "Should I take ibuprofen?"),
    ],
)
def test_medicine_of_an_answer_that_turns_it_down_is_not_taken(asked: str, answer: str) -> None:
    assert ("medication", True) not in read(answer, asked)


@pytest.mark.parametrize(
    ("answer", "asked", "dose"),
    [("一次850mg，还是一天两次", "加到多少了？", "一次850mg"), ("10 mg now", "What dose are you on?", "10 mg")],
)
def test_dose_alone_is_of_the_medicine_that_was_spoken_of(answer: str, asked: str, dose: str) -> None:
    (found,) = [each for each in read_health(answer, asked, medicine="x") if each.kind == "medication"]
    assert (found.text, dict(found.attributes)["dose"]) == ("x", dose)
    assert [each for each in read_health(answer, "好的。", medicine="x") if each.kind == "medication"] == []


@pytest.mark.parametrize(
    "piece",
    ["头疼，", "吃了布洛芬0.3g一天两次，", "膝盖有点肿", "my head hurts ", "on losartan 50 mg, ", "血压", "没有"],
)
def test_reading_grows_with_the_text(piece: str) -> None:
    in_use()
    assert_grows(read_health, lambda chars: (piece * chars)[:chars], 4_000)


def test_reaction_to_a_medicine_is_no_medicine_that_is_taken_and_no_complaint() -> None:
    found = read("吃了阿莫西林浑身起疹子")
    assert ("medication", True) not in found
    assert ("symptom", True) not in found


@pytest.mark.parametrize(
    "text",
    [
        "吃了两天999感冒灵，今天打了几个喷嚏，鼻塞严重",
        "Took paracetamol and still have a fever and a cough",
        "I ran out of my inhaler last week and I'm wheezing at night",
    ],
)
def test_illness_that_goes_on_after_a_medicine_is_no_allergy_to_it(text: str) -> None:
    assert [each for each in read_safety(text) if each.kind == "allergy"] == []


def test_what_only_speaks_of_allergies_asks_for_none() -> None:
    assert read_safety("三四天了", "是荨麻疹，过敏引起的。") == []
    assert read_safety("青霉素", "有药物过敏吗？")
    assert read_safety("No, nothing like that", "Do you have any chest pain?") == [], "of diseases nothing was asked"


@pytest.mark.parametrize("text", ["I came off amoxicillin because I got hives", "一吃罗红霉素就咳得喘不上气"])
def test_medicine_that_was_left_for_what_it_did_is_an_allergy(text: str) -> None:
    (found,) = [each for each in read_safety(text) if each.kind == "allergy"]
    assert not found.possible


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("上回说的头疼又犯了", "头疼"),
        ("上次吃了头孢就头疼", ""),
        ("The headache I told you about last time is back", "headache"),
        ("The last time I took codeine I had a headache", ""),
    ],
)
def test_complaint_of_another_time_is_none_now_but_one_spoken_of_then_is(text: str, complaint: str) -> None:
    assert [each.text for each in read_health(text) if each.kind == SYMPTOM] == complaint.split()
