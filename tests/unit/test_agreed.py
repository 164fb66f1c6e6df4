"""What an agent proposes and the user agrees to."""

from typing import Any

import pytest

from memory.clinical.health.reading import read_health
from tests.growth import assert_grows


def agreed(before: str, text: str, about: str = "user") -> list[tuple[str, bool, dict[str, Any], str]]:
    found = read_health(text, before, about)
    of_it = [each for each in found if each.kind in {"medication", "appointment"}]
    return [(each.text, each.denied, dict(each.attributes), each.subject) for each in of_it]


@pytest.mark.parametrize(
    ("before", "text", "wanted"),
    [
        (
            "好的。医生建议二甲双胍加到每次1克,一天两次,可以吗?",
            "可以,今晚就加",
            [("二甲双胍", False, {"dose": "1克", "frequency": "一天两次"})],
        ),
        (
            "建议停依那普利,改缬沙坦80毫克一天一次。",
            "好 明天就换。CT约什么时候",
            [("依那普利", True, {}), ("缬沙坦", False, {"dose": "80毫克", "frequency": "一天一次"})],
        ),
        (
            "Please stop St John's wort. The doctor suggests sertraline 100 mg from tomorrow.",
            "ok ill bin it today. 100 from tomorrow then",
            [("st john's wort", True, {}), ("sertraline", False, {"dose": "100 mg"})],
        ),
        (
            "The GP has sent a prescription for amoxicillin 250 mg three times a day to your pharmacy. Ok?",
            "ok will pick it up at lunch",
            [("amoxicillin", False, {"dose": "250 mg", "frequency": "three times a day"})],
        ),
        (
            "Friday 14 March at 15:40 with the audiology nurse. Does that work?",
            "perfect",
            [("Friday 14 March at 15:40 with the audiology nurse", False, {"when": "Friday 14 March at 15:40"})],
        ),
        ("明天上午9点半,妇产科B超室。", "可以", [("明天上午9点半,妇产科B超室", False, {"when": "明天上午9点半"})]),
        (
            "What about Wednesday 12 March at 17:00?",
            "wed is good",
            [("What about Wednesday 12 March at 17:00", False, {"when": "Wednesday 12 March at 17:00"})],
        ),
    ],
)
def test_yes_takes_what_was_proposed(before: str, text: str, wanted: list[Any]) -> None:
    assert agreed(before, text) == [(*each, "user") for each in wanted]


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("建议试试氯雷他定,晚上吃一片。", "也困吧,我开车,不要这个"),
        ("The doctor suggests raising levothyroxine to 100 mcg. OK?", "i'd rather not"),
        ("医生建议华法林加到3毫克,可以吗?", "能不能再等等?"),
        ("医生建议停药。INR降到2以下再开始利伐沙班。", "好的,明天开始"),
        ("Stop the colchicine if you get diarrhoea.", "ok will do"),
        ("建议服用布洛芬。", "好的，谢谢"),
        ("Thursday 13 March at 11:30 is free.", "cant do thursday"),
        ("Bring your readings. Take care!", "thanks"),
        ("Your last smear was on 3 March at the clinic.", "thanks"),
        ("If it is no better by Friday come to the clinic.", "ok"),
        ("The clinic is open Monday to Friday.", "great thanks"),
    ],
)
def test_what_is_refused_conditional_or_only_thanked_for_is_not(before: str, text: str) -> None:
    assert agreed(before, text) == []


def test_it_is_whose_the_dialogue_is() -> None:
    (found,) = agreed("医生建议华法林加到3毫克。", "好,明天开始3毫克", "我爸")
    assert (found[0], found[3]) == ("华法林", "我爸")


def test_long_proposal_is_read_in_linear_time() -> None:
    assert_grows(
        lambda before: agreed(before, "好,明天就换"), lambda n: "建议停依那普利,改缬沙坦80毫克一天一次。" * n, 200
    )
