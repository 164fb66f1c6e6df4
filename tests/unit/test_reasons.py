"""A no of an allergy or a lasting disease ends it only for a reason, and that is one only of what it is said of."""

import re
from collections import Counter

import pytest

from memory.clinical.findings import ALLERGY, DISEASE
from memory.clinical.languages import in_use
from memory.clinical.lexicon import Lexicon
from memory.clinical.sketch import Sketch, sketch
from memory.extraction.endings import known
from memory.extraction.endings.changes import changes
from memory.extraction.endings.reasons import reason_for
from memory.model.extraction import Dialogue, Said
from tests.growth import assert_grows

_DISEASES = {"哮喘", "糖尿病", "癫痫", "asthma", "epilepsy", "diabetes", "IBS", "MS", "RA", "COPD", "贫血",
             "类风湿关节炎", "rheumatoid arthritis", "幽门螺杆菌"}  # fmt: skip
PENICILLIN, ZH = "penicillin", "青霉素"


def why(text: str, quote: str, named: str) -> str:
    assert quote in text
    predicate = DISEASE if named in _DISEASES else ALLERGY
    return reason_for(sketch(text, in_use().lexicon), quote, named, predicate)


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
        ("I don't have MS, my symptoms are gone", "I don't have MS", "MS"),
        ("I don't have RA, my migraine is gone", "I don't have RA", "RA"),
        ("I'm not allergic to rice, my licorice allergy is gone", "I'm not allergic to rice", "rice"),
        ("I'm not allergic to egg, I outgrew the eggplant one", "I'm not allergic to egg", "egg"),
        ("我对鱼不过敏，鱼腥草过敏已经好了", "我对鱼不过敏", "鱼"),
        ("我对花不过敏，花生过敏已经好了", "我对花不过敏", "花"),
        ("我对zorbalin不过敏，bizorbalin过敏已经好了", "我对zorbalin不过敏", "zorbalin"),
        ("我对青霉素不过敏。查过了。拿了报告。回来了。皮试阴性。", "我对青霉素不过敏", ZH),
        ("皮试阴性，我很开心，我走了，我吃了饭，我对青霉素不过敏", "我对青霉素不过敏", ZH),
        ("I'm not allergic to penicillin. I went in. I sat down. The skin test was negative.",
         "I'm not allergic to penicillin", PENICILLIN),
        ("The skin test was negative, I went home, I ate, I slept, I'm not allergic to penicillin",
         "I'm not allergic to penicillin", PENICILLIN),
    ],
)  # fmt: skip
def test_what_is_said_of_something_else_is_no_reason(text: str, quote: str, named: str) -> None:
    assert why(text, quote, named) == ""


NO_REASONS = {
    ZH: [
        "护士问我，我说我对青霉素不过敏，胸片结果没问题。",
        "我对青霉素不过敏啦，昨天快筛阴性。",
        "皮试结果显示阳性，我对青霉素不过敏。",
        "我做了皮试，阳性，我对青霉素不过敏。",
        "检查结果不正常，我对青霉素不过敏。",
        "我对青霉素不过敏，皮试做过了，红了一大片。",
        "我对青霉素不过敏，跟客服反映了，没有反应。",
        "医生说不能排除，我对青霉素不过敏。",
        "管医生怎么说，我对青霉素不过敏。",
        "我对青霉素不过敏，不想做脱敏。",
    ],
    "花生": ["我对花生不过敏，昨天吃了火锅没事。", "我对花生不过敏，朋友吃了花生都没事。"],
    "牛奶": ["我对牛奶不过敏，我妹妹喝了牛奶没事。"],
    "虾": [
        "虾没事，我就是随便说说。",
        "报告还没出，虾暂时没事。",
        "朋友抽了血，她吃虾没事。",
        "抽血结果出来了，虾有事。",
    ],
    "糖尿病": [
        "我担心的是高血压，不是糖尿病。",
        "主要是高血压，不是糖尿病。",
        "我怕的是高血压，不是糖尿病。",
        "我爸是高血压，不是糖尿病。",
        "是高血压，不是糖尿病引起的。",
    ],
    "COPD": [
        "It's my asthma, not my COPD, that's playing up.",
        "It's my asthma, not COPD that worries me.",
        "It's my asthma, not COPD.",
        "What I came for is asthma, not COPD.",
    ],
    "哮喘": ["我没有哮喘钱包没了。", "我这次不是哮喘，是感冒。", "医生说不能排除哮喘，我没有哮喘。"],
    "癫痫": ["脑电图不正常，我没有癫痫。"],
    PENICILLIN: [
        "I'm not allergic to penicillin lol. my strep test came back negative btw",
        "I'm not allergic to penicillin. The skin test came back positive.",
        "I'm not allergic to penicillin. The test wasn't negative though.",
        "I'm not allergic to penicillin. The results were not normal.",
        "I'm not allergic to penicillin, but my head hurts.",
        "I'm not allergic to penicillin, it's fine.",
        "I'm not allergic to penicillin, my chest x-ray was normal.",
        "I'm not allergic to penicillin. The results of the election came back.",
        "I'm not allergic to penicillin, I had a nap and feel fine.",
        "I'm not allergic to penicillin no matter what the doctors say.",
        "I'm not allergic to penicillin and they said lunch is at 12.",
        "I'm not allergic to penicillin and my cough is gone.",
        "I never had a negative skin test, I'm not allergic to penicillin.",
        "I refuse to be desensitised, I'm not allergic to penicillin.",
        "I'm not allergic to penicillin, maybe it was misdiagnosed.",
    ],
    "asthma": [
        "I don't have asthma and I can't sleep any more.",
        "I do not have asthma, but I cough at night.",
        "I don't have asthma. It was never ruled out.",
        "I don't have asthma. My neighbour was misdiagnosed.",
        "I don't have asthma. My TB test was negative.",
    ],
    "epilepsy": ["The EEG showed spikes. I don't have epilepsy."],
    "eggs": [
        "I'm not allergic to eggs, it's raining here.",
        "I'm not allergic to eggs, my sister ate them and was fine.",
    ],
}


@pytest.mark.parametrize(("named", "text"), [(named, text) for named, texts in NO_REASONS.items() for text in texts])
def test_nothing_that_only_looks_like_a_reason_is_one(named: str, text: str) -> None:
    for quote in (text[:-1], *filter(None, re.split("[.,。，]", text))):
        assert why(text, quote.strip(), named) == ""


@pytest.mark.parametrize(
    ("text", "quote", "named", "reason"),
    [
        ("皮试阴性，我对青霉素不过敏。", "我对青霉素不过敏", ZH, "皮试阴性"),
        ("我对青霉素不过敏。皮试是阴性。", "我对青霉素不过敏", ZH, "皮试是阴性"),
        ("做了皮试，阴性，我对青霉素不过敏。", "我对青霉素不过敏", ZH, "做了皮试，阴性"),
        ("医生说了，我对青霉素不过敏。", "我对青霉素不过敏", ZH, "医生说了，我对青霉素不过敏"),
        ("专家看过，说我没有哮喘，是慢阻肺。", "说我没有哮喘", "哮喘", "专家看过，说我没有哮喘，是慢阻肺"),
        ("牛奶过敏已经好了，现在喝没事。", "牛奶过敏已经好了", "牛奶", "牛奶过敏已经好了"),
        ("芒果我吃了，没事，不过敏。", "不过敏", "芒果", "芒果我吃了，没事，不过敏"),
        ("复查血糖正常，我没有糖尿病。", "我没有糖尿病", "糖尿病", "复查血糖正常"),
        ("I had a skin test. It was negative. I'm not allergic to penicillin.", "I'm not allergic to penicillin",
         PENICILLIN, "I had a skin test. It was negative"),
        ("The allergist says I'm not allergic to penicillin.", "The allergist says I'm not allergic to penicillin",
         PENICILLIN, "The allergist says I'm not allergic to penicillin"),
        ("I don't have asthma. It was misdiagnosed.", "I don't have asthma", "asthma", "It was misdiagnosed"),
        ("Well it's not IBS, it's coeliac.", "Well it's not IBS", "IBS",
         "Well it's not IBS, it's coeliac"),
        ("They removed latex from my record.", "They removed latex from my record", "latex",
         "They removed latex from my record"),
        ("专家看过了，是声带功能障碍，不是哮喘", "不是哮喘", "哮喘", "专家看过了，是声带功能障碍，不是哮喘"),
        ("风湿科看了，是痛风，不是类风湿关节炎", "不是类风湿关节炎", "类风湿关节炎", "是痛风，不是类风湿关节炎"),
        ("It's vocal cord dysfunction, not asthma.", "not asthma", "asthma", "It's vocal cord dysfunction, not asthma"),
        ("it's psoriatic arthritis, not rheumatoid arthritis", "not rheumatoid arthritis", "rheumatoid arthritis",
         "it's psoriatic arthritis, not rheumatoid arthritis"),
        ("抽血结果出来了，狗毛完全没事，罪魁祸首是尘螨", "狗毛完全没事", "狗毛", "狗毛完全没事"),
        ("allergy blood test is back: cats were fine, dust mites weren't", "cats were fine", "cats",
         "allergy blood test is back: cats were fine"),
        ("医生说贫血已经纠正", "医生说贫血已经纠正", "贫血", "医生说贫血已经纠正"),
        ("吹气结果阴性", "吹气结果阴性", "幽门螺杆菌", "吹气结果阴性"),
        ("我对花不过敏了，对花早就不过敏了", "我对花不过敏了", "花", "我对花不过敏了"),
        ("I'm not allergic to zorbalin-x, my zorbalin x allergy is gone", "I'm not allergic to zorbalin-x",
         "zorbalin-x", "I'm not allergic to zorbalin-x, my zorbalin x allergy is gone"),
        ("我对青霉素不过敏。查过了。皮试阴性。", "我对青霉素不过敏", ZH, "查过了。皮试阴性"),
        ("皮试阴性，我很开心，我走了，我对青霉素不过敏", "我对青霉素不过敏", ZH, "皮试阴性，我很开心，我走了"),
        ("I ate cashews. Nothing happened, I'm not allergic.", "I'm not allergic", "cashews",
         "I ate cashews. Nothing happened, I'm not allergic"),
    ],
)  # fmt: skip
def test_a_reason_is_read_beside_what_it_is_said_of(text: str, quote: str, named: str, reason: str) -> None:
    assert why(text, quote, named) == reason


def test_many_denials_in_one_sentence_take_time_linear_in_them() -> None:
    def read(text: str) -> None:
        drawn = sketch(text, in_use().lexicon)
        for clause in drawn.clauses:
            reason_for(drawn, drawn.quote(clause.start, clause.end), ZH, ALLERGY)

    assert_grows(read, lambda times: "我对青霉素不过敏，" * times, 400)


BORNE = ("青霉素", "花生", "鸡蛋", "牛奶", "乳胶", "虾", "阿司匹林", "布洛芬", "大豆", "小麦", "芝麻", "可待因", "头孢")


def test_each_clause_is_read_once_however_much_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Counter[str]()

    def counted(text: str, lexicon: Lexicon) -> Sketch:
        read[text] += 1
        return sketch(text, lexicon)

    monkeypatch.setattr(known, "sketch", counted)
    text = "，".join(f"第{number}次查了，我对{'、'.join(BORNE)}都不过敏了" for number in range(9))
    said = Dialogue([Said(2, "user", own=True, text=text, at_ms=0)], "", "")
    ended = list(changes(said, [known.Known(ALLERGY, name, 1) for name in BORNE]))
    assert {fact.object for fact in ended} == set(BORNE)
    assert len(read) > 1
    assert max(read.values()) <= 9, "a clause that is said nine times is read nine times"


def test_what_is_told_again_and_again_in_one_sentence_takes_time_linear_in_it() -> None:
    held = [known.Known(ALLERGY, name, 1) for name in BORNE]

    def read(text: str) -> None:
        list(changes(Dialogue([Said(2, "user", own=True, text=text, at_ms=0)], "", ""), held))

    assert_grows(read, lambda chars: ("我对青霉素不过敏了，" * chars)[:chars], 4_000, at_most=5)
