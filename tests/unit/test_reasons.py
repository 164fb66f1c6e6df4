"""A no of an allergy or a lasting disease ends it only for a reason, and that is one only of what it is said of."""

import pytest

from memory.clinical.languages import in_use
from memory.clinical.sketch import sketch
from memory.extraction.endings.reasons import reason_for

PENICILLIN, ZH = "penicillin", "青霉素"


def why(text: str, quote: str, named: str) -> str:
    assert quote in text
    return reason_for(sketch(text, in_use().lexicon), quote, named)


@pytest.mark.parametrize(
    ("text", "quote", "named"),
    [
        ("医生说要做皮试，我对青霉素不过敏。", "我对青霉素不过敏", ZH),
        ("我对青霉素不过敏，皮试还没做。", "我对青霉素不过敏", ZH),
        ("明天做皮试，我对青霉素不过敏。", "我对青霉素不过敏", ZH),
        ("我对青霉素不过敏。头疼已经好了。", "我对青霉素不过敏", ZH),
        ("头疼已经好了，我对青霉素不过敏。", "头疼已经好了，我对青霉素不过敏", ZH),
        ("头孢皮试阴性。我对青霉素不过敏。", "我对青霉素不过敏", ZH),
        ("我妈妈皮试阴性，我对青霉素不过敏。", "我对青霉素不过敏", ZH),
        ("我跟医生说我对青霉素不过敏。", "我跟医生说我对青霉素不过敏", ZH),
        ("医生说我对青霉素过敏，可是我对青霉素不过敏。", "可是我对青霉素不过敏", ZH),
        ("我吃了饭没事，我对青霉素不过敏。", "我对青霉素不过敏", ZH),
        ("我没有糖尿病，下周做检查，结果正常就好。", "我没有糖尿病", "糖尿病"),
        ("我没有哮喘。今天早上头疼，吃了布洛芬没事了。", "我没有哮喘", "哮喘"),
        ("I'm not allergic to penicillin. My headache is gone.", "I'm not allergic to penicillin", PENICILLIN),
        ("I'm not allergic to cats. The cat is gone.", "I'm not allergic to cats", "cats"),
        ("I can't sleep any more. I am not allergic to penicillin.", "I am not allergic to penicillin", PENICILLIN),
        (
            "The test for peanuts was negative, I'm not allergic to peanuts. I'm not allergic to penicillin.",
            "I'm not allergic to penicillin",
            PENICILLIN,
        ),
        ("They said the wait is two hours, I don't have epilepsy.", "I don't have epilepsy", "epilepsy"),
        ("I don't have asthma. My covid test was negative.", "I don't have asthma", "asthma"),
        ("I don't have diabetes, I passed my driving test.", "I don't have diabetes", "diabetes"),
        ("My cough cleared. I don't have diabetes.", "I don't have diabetes", "diabetes"),
        (
            "The doctor said I have asthma but I don't have asthma.",
            "The doctor said I have asthma but I don't have asthma",
            "asthma",
        ),
        ("I'm not allergic to penicillin, my skin test is next week.", "I'm not allergic to penicillin", PENICILLIN),
        ("I'm not allergic to penicillin", "I'm not allergic to penicillin", PENICILLIN),
    ],
)
def test_what_is_said_of_something_else_is_no_reason(text: str, quote: str, named: str) -> None:
    assert why(text, quote, named) == ""


@pytest.mark.parametrize(
    ("text", "quote", "named", "reason"),
    [
        ("皮试阴性，我对青霉素不过敏。", "我对青霉素不过敏", ZH, "皮试阴"),
        ("我对青霉素不过敏。皮试是阴性。", "我对青霉素不过敏", ZH, "皮试是阴"),
        ("做了皮试，阴性，我对青霉素不过敏。", "我对青霉素不过敏", ZH, "阴性"),
        ("医生说了，我对青霉素不过敏。", "我对青霉素不过敏", ZH, "医生说"),
        ("专家看过，说我没有哮喘，是慢阻肺。", "说我没有哮喘", "哮喘", "专家看过"),
        ("牛奶过敏已经好了，现在喝没事。", "牛奶过敏已经好了", "牛奶", "已经好了"),
        ("芒果我吃了，没事，不过敏。", "不过敏", "芒果", "吃了，没事"),
        ("复查血糖正常，我没有糖尿病。", "我没有糖尿病", "糖尿病", "复查血糖正常"),
        ("I had a skin test. It was negative. I'm not allergic to penicillin.", "I'm not allergic to penicillin",
         PENICILLIN, "negative"),
        ("The allergist says I'm not allergic to penicillin.", "The allergist says I'm not allergic to penicillin",
         PENICILLIN, "allergist says"),
        ("I don't have asthma. It was misdiagnosed.", "I don't have asthma", "asthma", "misdiagnosed"),
        ("Well it's not IBS, it's coeliac.", "Well it's not IBS", "IBS", "not ibs, it's"),
        ("They removed latex from my record.", "They removed latex from my record", "latex", "they removed"),
        ("I ate cashews. Nothing happened, I'm not allergic.", "I'm not allergic", "cashews", "nothing happened"),
    ],
)  # fmt: skip
def test_a_reason_is_read_beside_what_it_is_said_of(text: str, quote: str, named: str, reason: str) -> None:
    assert why(text, quote, named) == reason
