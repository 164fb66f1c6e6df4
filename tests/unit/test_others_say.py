"""What others say of somebody, or want of them, is not so for that; what nobody has done is not done."""

import pytest

from memory.clinical.safety import read_safety
from memory.consolidation.with_changes import with_changes
from memory.extraction.endings.known import Known
from memory.extraction.endings.reading import may_end
from memory.extraction.facts.clinical import with_health
from memory.extraction.rules_mind import extract
from memory.model.extraction import Dialogue, FoundFact, Said

HELD = [
    Known("habit", "喝酒"), Known("habit", "two beers a night"), Known("medication", "西替利嗪"),
    Known("medication", "metformin"), Known("residence", "济南"), Known("habit", "smoking"), Known("habit", "抽烟"),
]  # fmt: skip


def found(text: str) -> list[FoundFact]:
    """What rules find, and what of what is held they end."""
    said = Dialogue([Said(5, "user", own=True, text=text, at_ms=10**12)], "", "auto")
    made = with_health(extract(said), said, by_rules=True)
    return list((with_changes(made, said, HELD) if may_end(said, made.facts) else made).facts)


@pytest.mark.parametrize(
    "text",
    [
        "她还说我住上海呢", "我这辈子都没在上海住过", "女儿喊我去柳州跟她住", "奶奶老以为我在北京工作",
        "我从没在天津住过",
        "He's asked me to move to Aberdeen.", "Gran told the carer I'm a pilot living in Spain.",
        "My boss thinks I live in Leeds.", "They begged us to move to York.",
    ],
)  # fmt: skip
def test_what_others_say_or_want_is_no_home_and_no_job(text: str) -> None:
    assert [each.object for each in found(text) if each.predicate in {"residence", "job"}] == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("我跟你说过我住苏州。", "苏州"), ("我跟医生说我住在北京。", "北京"),
        ("我刚才说我住在北京，你忘了吗？", "北京"),
        ("老实说我住在北京", "北京"), ("I already told you I live in York.", "York"),
        ("To tell you the truth I live in York", "York"), ("We told them we live in York", "York"),
        ("my doctor told me to rest and I live in York", "York"), ("我住上海。", "上海"), ("我现在在上海住。", "上海"),
        ("公司派我去深圳工作。", "深圳"), ("I told you I live in Leeds.", "Leeds"),
        ("I moved to Aberdeen.", "Aberdeen"),
    ],
)  # fmt: skip
def test_what_somebody_says_of_themselves_is(text: str, place: str) -> None:
    assert [each.object for each in found(text) if each.predicate == "residence"] == [place]


@pytest.mark.parametrize(
    "text",
    [
        "大夫又叫我把酒戒喽", "老婆要我把酒戒了", "假设我把西替利嗪停了会怎么样", "万一我把西替利嗪停了呢",
        "Doc told me to quit the beer. Again.", "My wife wants me to give up the beer.",
        "Suppose I stopped the metformin, what then?",
    ],
)  # fmt: skip
def test_what_others_want_or_somebody_supposes_ends_nothing(text: str) -> None:
    assert [each.object for each in found(text) if each.polarity == "-"] == []


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("我把酒戒了。", "喝酒"),
        ("我妈让我戒烟我就戒烟了", "抽烟"),
        ("为了让我闺女放心我戒烟了", "抽烟"),
        ("I no longer smoke since my wife asked me to stop.", "smoking"),
        ("I gave up smoking the day my wife told me she was pregnant.", "smoking"),
        ("医生让我把西替利嗪停了。", "西替利嗪"),
        ("I stopped the metformin.", "metformin"),
    ],
)
def test_what_was_done_ends_it(text: str, over: str) -> None:
    assert over in [each.object for each in found(text) if each.polarity == "-"]


@pytest.mark.parametrize(
    ("text", "firm"),
    [
        ("医生让我别吃二甲双胍了", False), ("医生说以后别吃头孢了", True), ("医生叫我别再吃布洛芬了", True),
        ("The doctor told me not to take metformin any more", False),
        ("My doctor said never to take ibuprofen again", True), ("The doctor told me to avoid penicillin", True),
    ],
)  # fmt: skip
def test_what_a_doctor_stops_is_to_be_asked_and_what_is_never_to_be_taken_again_is_an_allergy(
    text: str, *, firm: bool
) -> None:
    (each,) = [each for each in read_safety(text, "") if each.kind == "allergy"]
    assert each.possible is not firm


@pytest.mark.parametrize(
    "text",
    [
        "婆婆让我别吃二甲双胍了。", "我妈叫我不要再吃西替利嗪了。", "朋友劝我停了西替利嗪，我没听。",
        "我妈想让我把西替利嗪停了。", "婆婆说西替利嗪不能吃了。", "网上说要停西替利嗪。",
        "My mother-in-law told me to stop taking metformin.", "My sister says I don't need metformin any more.",
        "My friend said I should stop metformin, but I didn't.", "My husband wants me off metformin.",
    ],
)  # fmt: skip
def test_medicine_that_somebody_who_is_no_doctor_wants_stopped_is_taken_still(text: str) -> None:
    assert [each.object for each in found(text) if each.predicate == "medication"] == []


@pytest.mark.parametrize(
    ("text", "over"),
    [
        ("婆婆让我停了西替利嗪，我就停了。", "西替利嗪"),
        ("我妈让我停药，我听了，停了西替利嗪。", "西替利嗪"),
        ("我妈说医生让我停了西替利嗪。", "西替利嗪"),
        ("我儿子把我的西替利嗪停了。", "西替利嗪"),
        ("My husband told me to stop metformin, so I stopped it.", "metformin"),
        ("My husband told me to, so I stopped metformin.", "metformin"),
        ("My mum says the doctor told me to stop metformin.", "metformin"),
        ("My doctor took me off metformin.", "metformin"),
        ("我停了西替利嗪因为我妈让我别吃。", "西替利嗪"),
        ("婆婆让我停了西替利嗪，血糖升到15了。", "西替利嗪"),
        ("婆婆让我停西替利嗪，我听了。", "西替利嗪"),
        ("我老公是药剂师，老公让我停西替利嗪。", "西替利嗪"),
        ("妈妈让我停西替利嗪，医生同意了。", "西替利嗪"),
        ("因为孩子要吃奶我把西替利嗪停了", "西替利嗪"),
        ("I came off metformin because my friend said I should stop.", "metformin"),
        ("My wife told me to stop metformin, so I did.", "metformin"),
        ("My family and the nurses told me to stop metformin.", "metformin"),
        ("My mum told me to stop metformin, and my GP agreed.", "metformin"),
    ],
)
def test_medicine_that_was_stopped_as_somebody_wanted_is_over(text: str, over: str) -> None:
    assert over in [each.object for each in found(text) if each.polarity == "-"]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("我妈让我每天吃钙片，我在吃。", "钙片"),
        ("我姐给的二甲双胍我一直在吃。", "二甲双胍"),
        ("My wife says I take metformin twice a day.", "metformin"),
        ("I take metformin and my wife told me to stop smoking.", "metformin"),
        ("I take metformin 500 mg and my mum wants me off the beer.", "metformin"),
        ("老公让我别忘了吃二甲双胍。", "二甲双胍"),
        ("我妈要我每天吃二甲双胍一天都不能停", "二甲双胍"),
    ],
)
def test_medicine_that_somebody_speaks_of_is_taken(text: str, taken: str) -> None:
    assert taken in [each.object for each in found(text) if each.polarity == "+"]
