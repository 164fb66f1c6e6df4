"""What no rule has read, and is asked about all the same: by how its words stand, and by a medicine that is taken."""

import pytest

from benchmarks.triage.ordinary import TOLD, ordinary
from benchmarks.triage.train import HELD_OUT, PLAIN
from memory.clinical.drawing import drawn_of
from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding
from memory.clinical.languages import in_use
from memory.clinical.likely import FAMILIES, MAY_BE, Likely
from memory.clinical.people import USER
from memory.clinical.safety import read_safety
from tests.growth import assert_grows


def own(text: str, before: str = "") -> list[Finding]:
    return [each for each in read_safety(text, before) if each.subject == USER and not each.denied]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("Fun party trick: hand me a cashew and watch my head turn into a balloon", ALLERGY, "cashew"),
        ("一碰芒果嘴就没法看了", ALLERGY, "芒果"),
        ("Iodine on my skin, no thanks, I peel for a week after", ALLERGY, "iodine"),
    ],
)
def test_what_sounds_like_one_is_asked_about(text: str, kind: str, name: str) -> None:
    told = [each for each in own(text) if each.kind == kind]
    assert any(name in each.text.lower() for each in told), read_safety(text)


@pytest.mark.parametrize(
    ("text", "disease"),
    [
        ("我降压药吃完了，能帮我开一点吗", "高血压"),
        ("my blood pressure tablets ran out", "high blood pressure"),
        ("I'm on insulin four times a day", "diabetes"),
        ("我每天打胰岛素", "糖尿病"),
    ],
)
def test_a_medicine_that_is_taken_for_one_disease_asks_about_it(text: str, disease: str) -> None:
    assert (DISEASE, disease, True) in [(each.kind, each.text, each.possible) for each in own(text)]


@pytest.mark.parametrize(
    "text",
    [
        "my mum's blood pressure tablets ran out",
        "can I take blood pressure tablets?",
        "降压药能和西柚一起吃吗",
        "我不吃降压药",
        "I don't take insulin",
        "我爸在吃降压药",
    ],
)
def test_a_medicine_of_somebody_else_or_of_nobody_does_not(text: str) -> None:
    assert [each for each in own(text) if each.kind == DISEASE] == []


def test_a_disease_that_is_told_is_not_asked_about_under_another_name() -> None:
    told = own("I have hypertension and my blood pressure tablets ran out")
    assert [each.text for each in told if each.kind == DISEASE] == ["hypertension"]


@pytest.mark.parametrize(
    "text",
    [
        "No spleen since the motorbike in '98, surgeon took it out",
        "I've got no spleen, it was removed after a crash",
        "only got the one kidney, donated the left to my brother",
    ],
)
def test_an_organ_that_is_not_there_was_taken_out(text: str) -> None:
    told = [each for each in own(text) if each.kind == SURGERY]
    assert [each.possible for each in told] == [False], told
    assert [each.possible for each in own(text) if each.kind == DISEASE] == [False]


@pytest.mark.parametrize(
    "text", ["我脑子里有个动脉瘤夹，能做磁共振吗", "they put a VP shunt in my head when I was six"]
)
def test_what_was_put_into_somebody_was_an_operation(text: str) -> None:
    assert SURGERY in [each.kind for each in own(text) if not each.possible]


@pytest.mark.parametrize(
    "text",
    [
        "阿莫西林吃了三天没什么用",
        "thanks, I'll try the antihistamine cream",
        "My stomach hurts after dinner",
        "左边肋骨下面疼",
        "I ate two eggs and toast",
        "The appendix is still there",
        "I was diagnosed with diabetes in 2010.",
        "My knee replacement is planned for January",
        "My collarbone aches in the cold",
        "Took paracetamol and still have a fever and a cough",
        "Peanuts I can eat by the jar",
    ],
)
def test_ordinary_words_of_medicine_are_not(text: str) -> None:
    assert [each for each in own(text) if each.kind in TOLD] == []


def test_what_is_denied_is_not_asked_about() -> None:
    assert own("I'm not allergic to penicillin, never had a rash from it") == []


def test_of_very_much_a_few_are_asked_about() -> None:
    taken = (
        "降压药",
        "降糖药",
        "降脂药",
        "降尿酸药",
        "哮喘药",
        "抗癫痫药",
        "抗帕金森药",
        "抗结核药",
        "抗艾药",
        "抗抑郁药",
    )
    asked = [own(f"我在吃{each}") for each in taken]
    assert all(len(each) == 1 and each[0].possible for each in asked)
    assert len({each[0].text for each in asked}) == len(taken)
    assert len(own("，".join(f"我在吃{each}" for each in taken))) == 8


PASTED = (
    "Before exercise: a banana with yoghurt, or toast with eggs, or porridge with nuts. Avoid alcohol and fried food.\n"
    "During exercise up to an hour only water. Afterwards protein and vitamin C within half an hour.\n"
    "运动前1-2小时推荐（选1种）：无糖酸奶150ml，或1片全麦面包+水煮蛋，或燕麦粥30g，或杂粮粥+坚果5-6颗。避免：空腹、火锅、油炸、甜饮料、酒精。"
    "时间：正餐后1.5-2小时，小加餐后30-60分钟。运动中≤60分钟只补水，每15分钟100ml。运动后30分钟内补蛋白。"
)


def test_of_advice_that_somebody_pastes_nothing_is() -> None:
    for text in (PASTED, PASTED.partition("\n运")[0], PASTED.rpartition("\n")[2]):
        assert [each for each in own(text) if each.kind in TOLD] == []


def test_of_five_hundred_ordinary_messages_few_are_asked_about() -> None:
    messages = ordinary(PLAIN.with_name("ordinary_frozen.jsonl"))
    told = [[each for each in own(message.text, message.before) if each.kind in TOLD] for message in messages]
    assert len(messages) == 500
    assert sum(any(not each.possible for each in here) for here in told) <= 10
    assert sum(map(bool, told)) <= 35
    assert "ordinary_frozen" in HELD_OUT


def test_words_alike_are_weighed_alike() -> None:
    one, other = (drawn_of(text) for text in ("一碰芒果嘴就肿", "一碰腰果嘴就肿"))
    at = next(iter(one.groups))
    assert Likely(one, "").of(ALLERGY, at) == Likely(other, "").of(ALLERGY, at) > MAY_BE


def test_the_question_counts() -> None:
    drawn = drawn_of("芒果")
    asked, ate = (Likely(drawn, before).of(ALLERGY, 0) for before in ("您对什么过敏？", "您今天吃了什么？"))
    assert asked > ate


def test_every_medicine_that_stands_for_a_disease_is_in_the_lexicon() -> None:
    lines = (
        (PLAIN.parent.parent.parent / "memory/language/words/taken_for.tsv").read_text(encoding="utf-8").splitlines()
    )
    for medicine, disease, _ in (line.split("\t") for line in lines if not line.startswith("#")):
        (mention,) = in_use().lexicon.mentions(medicine)
        assert (mention.kind, mention.term.name) == ("drug", medicine)
        assert disease


def test_weighing_grows_with_the_text() -> None:
    def weighed(text: str) -> None:
        drawn = drawn_of(text)
        sounds = Likely(drawn, "")
        for kind, families in FAMILIES.items():
            for at, _ in drawn.groups_in(0, len(drawn.drawn), families):
                sounds.of(kind, at)

    assert_grows(weighed, lambda size: "我一碰芒果就肿，后来切了胆囊。" * size, 60)


@pytest.mark.parametrize("before", ["You are booked for Monday at 10:30.", "Have you had any operations?"])
@pytest.mark.parametrize(
    "said", ["I am back. The swelling has gone down.", "im back again", "They called me back on Monday"]
)
def test_who_is_back_had_no_operation_on_it(said: str, before: str) -> None:
    assert not [each for each in own(said, before) if each.kind == SURGERY]


@pytest.mark.parametrize("said", ["my problems were back and neck", "it is my back", "my back went"])
def test_a_back_behind_another_word_is_a_part_of_a_body(said: str) -> None:
    assert any("back" in said[each.start : each.end] for each in in_use().lexicon.mentions(said))


def test_a_joint_of_titanium_was_put_in() -> None:
    (found,) = own("My left hip's been titanium since August")
    assert (found.kind, found.possible) == (SURGERY, False)
