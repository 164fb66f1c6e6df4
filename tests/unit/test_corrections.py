"""What somebody takes back of their health: what is right, what was wrong, and what only sounds like it."""

import pytest

from memory.clinical.corrections.held import Held, before, held_of, put_right
from memory.clinical.corrections.reading import corrections
from memory.clinical.safety import read_safety
from memory.extraction.endings.known import Known
from memory.extraction.endings.put_right import facts_put_right, says_right
from memory.model.extraction import Dialogue, Said
from tests.growth import assert_grows

PENICILLIN = ("我对青霉素过敏。", "I'm allergic to penicillin.")


def told(first: str, then: str) -> tuple[set[str], set[str], set[str]]:
    """What the second message puts right: firm, possible, denied."""
    held = before(held_of(read_safety(first)))
    found = put_right(corrections(then), [*held, *held_of(read_safety(then))])
    firm = {each.text for each in found if not each.possible and not each.denied}
    return firm, {each.text for each in found if each.possible}, {each.text for each in found if each.denied}


@pytest.mark.parametrize(
    ("then", "right"),
    [
        ("我说错了，不是青霉素，是头孢", "头孢"),
        ("我记错了，过敏的是头孢，不是青霉素", "头孢"),
        ("更正一下，我对头孢过敏，青霉素没事", "头孢"),
        ("刚才说错了，我不是对青霉素过敏，是对头孢过敏", "头孢"),
        ("不对不对，是头孢过敏，青霉素我能用", "头孢"),
        ("口误，是头孢", "头孢"),
        ("我把头孢说成青霉素了", "头孢"),
        ("青霉素那个说错了，应该是头孢", "头孢"),
        ("麻烦把青霉素改成头孢，我记混了", "头孢"),
        ("看了病历，其实是磺胺过敏，我一直记反了", "磺胺"),
        ("我妈说不是青霉素过敏，是头孢过敏", "头孢"),
        ("我說錯了，不是青黴素，是頭孢", "头孢 (頭孢)"),
    ],
)
def test_a_correction_in_chinese(then: str, right: str) -> None:
    assert told(PENICILLIN[0], then) == ({right}, set(), {"青霉素"})


@pytest.mark.parametrize(
    ("then", "right"),
    [
        ("Sorry, I was wrong, it's not penicillin, it's cephalosporin.", "cephalosporin"),
        ("Actually not penicillin, I'm allergic to cefalexin.", "cephalexin (cefalexin)"),
        ("I misspoke: the allergy is to cephalosporins, not penicillin.", "cephalosporins"),
        ("I meant sulfa.", "sulfa"),
        ("scratch that, it was sulfa drugs", "sulfa drugs"),
        ("I said penicillin but I meant sulfa.", "sulfa"),
        ("it's sulfa rather than penicillin", "sulfa"),
        ("Turns out it was amoxicillin, not penicillin.", "amoxicillin"),
        ("I mixed them up. It's aspirin I react to.", "aspirin"),
        ("correction - codeine, not penicillin", "codeine"),
    ],
)
def test_a_correction_in_english(then: str, right: str) -> None:
    assert told(PENICILLIN[1], then) == ({right}, set(), {"penicillin"})


@pytest.mark.parametrize(
    ("first", "then", "right"),
    [
        ("我有糖尿病", "说错了，不是糖尿病，是高血压", "高血压"),
        ("I have asthma", "I got that wrong, it's COPD not asthma", "copd"),
        ("我做过阑尾手术", "记错了，不是阑尾，是胆囊切除", "胆囊切除"),
        ("I had my appendix out in 2010", "my mistake, it was my gallbladder, not my appendix", "gallbladder surgery"),
    ],
)
def test_diseases_and_operations_are_taken_back_too(first: str, then: str, right: str) -> None:
    firm, possible, denied = told(first, then)
    assert (firm, possible, len(denied)) == ({right}, set(), 1)


@pytest.mark.parametrize(
    "then",
    [
        "不对，昨天吃的不是布洛芬，是对乙酰氨基酚",
        "还有，头孢也过敏",
        "我没说错，就是青霉素",
        "是青霉素过敏还是头孢过敏怎么区分？",
        "我妹不是青霉素过敏，是头孢",
        "不是青霉素的问题，是我胃不好",
        "不要青霉素，要头孢可以吗",
        "说错了，复查是周三不是周二",
        "医生把青霉素改成头孢了",
        "不只是青霉素，头孢也是",
        "如果不是青霉素，是头孢呢",
        "我同事还以为我是头孢过敏，他记错了",
        "别跟头孢弄混了啊，我是青霉素过敏",
    ],
)
def test_what_only_sounds_like_one_in_chinese(then: str) -> None:
    assert told(PENICILLIN[0], then) == (set(), set(), set())


@pytest.mark.parametrize(
    "then",
    [
        "it's not just penicillin, it's sulfa too",
        "Sorry, wrong day, it's Monday",
        "I was wrong about the dose of metformin, it's 500 mg",
        "My sister is allergic to sulfa, not penicillin",
        "No, I took ibuprofen, not aspirin",
        "Is it sulfa, not penicillin, that causes rashes?",
        "I'd rather have azithromycin instead of penicillin",
        "That's wrong. You wrote erythromycin. I said penicillin.",
        "About her, I misspoke, it's sulfa, not penicillin",
    ],
)
def test_what_only_sounds_like_one_in_english(then: str) -> None:
    assert told(PENICILLIN[1], then) == (set(), set(), set())


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("我对青霉素过敏。", "医生给的这个药不是青霉素，是头孢。"),
        ("我对青霉素过敏。", "阿奇霉素不是青霉素，是大环内酯类，我听说过。"),
        ("我对青霉素过敏。", "我想问的不是青霉素，是头孢。"),
        ("我对青霉素过敏。", "护士搞错了，吊瓶里不是青霉素，是头孢。"),
        ("我对青霉素过敏。", "说错了，头孢我能用。"),
        ("我对青霉素过敏。", "不对，头孢我一直没事的。"),
        ("我对青霉素过敏。", "口误，我是说头孢可以吃。"),
        ("我对阿司匹林过敏。", "家里常备的不是阿司匹林，是布洛芬。"),
        ("我对花生过敏。", "这个酱不是花生，是芝麻。"),
        ("我对花生过敏。", "我最喜欢的不是花生，是核桃。"),
        ("我有哮喘。", "今天来不是因为哮喘，是因为湿疹。"),
        ("我有糖尿病。", "我最担心的不是糖尿病，是高血压。"),
        ("我做过阑尾切除手术。", "肚子右边疼不是阑尾，是肾结石。"),
        ("我做过阑尾切除手术。", "医生说这次不是阑尾，是胆囊炎。"),
        ("I'm allergic to penicillin.", "The medicine here isn't penicillin, it's cephalexin."),
        ("I'm allergic to penicillin.", "What's in the bottle is cephalexin, not penicillin."),
        ("I'm allergic to penicillin.", "Azithromycin isn't penicillin, it's a macrolide."),
        ("I'm allergic to penicillin.", "Sorry, I meant to say cephalexin works fine for me."),
        ("I'm allergic to penicillin.", "Wait, no, cephalexin is fine."),
        ("I'm allergic to aspirin.", "Ignore that, my ibuprofen just kicked in."),
        ("I'm allergic to aspirin.", "Turns out ibuprofen helps a lot."),
        ("I'm allergic to peanuts.", "The sauce is sesame, not peanut."),
        ("I have asthma.", "I'm here for eczema, not asthma."),
        ("I have diabetes.", "The pills I got are for hypertension, not diabetes."),
        ("I had my appendix removed.", "The pain is my gallbladder, not my appendix."),
    ],
)
def test_what_is_said_of_something_else_takes_nothing_back(first: str, then: str) -> None:
    firm, _, denied = told(first, then)
    assert (firm, denied) == (set(), set())


def after(*messages: str) -> tuple[set[str], set[str]]:
    """What the last of some messages puts right: firm, denied."""
    held = list[Held]()
    for message in messages:
        found = read_safety(message)
        right = put_right(corrections(message), [*held, *held_of(found)])
        held = before([*held, *held_of([*found, *right])])
    firm = {each.text for each in right if not each.possible and not each.denied}
    return firm, {each.text for each in right if each.denied}


def test_who_names_nothing_corrects_what_was_said_last() -> None:
    assert after("我对青霉素过敏。", "说错了，是头孢") == ({"头孢"}, {"青霉素"})
    assert after("我对青霉素过敏。", "今天早上我吃了布洛芬。", "记错了，是对乙酰氨基酚。") == (set(), set())
    assert after("I'm allergic to penicillin.", "I took ibuprofen.", "Sorry, I meant acetaminophen.") == (set(), set())
    assert after("我对青霉素过敏。", "两天了。", "过敏的药我说错了，是头孢") == ({"头孢"}, {"青霉素"})


def test_who_names_nothing_after_a_relative_corrects_nothing_of_their_own() -> None:
    assert after("我有高血压。", "我爸有冠心病。", "说错了，是糖尿病。") == (set(), set())
    assert after("I'm allergic to penicillin.", "My son is allergic to peanuts.", "Sorry, I meant cashews.")[1] == set()
    relative = dialogue("我对青霉素过敏", "我女儿对花生过敏", "说错了，是鸡蛋")
    known = [Known("allergy", "青霉素", 1)]
    assert list(facts_put_right(relative, known, of_others={2})) == []


def test_where_no_form_decides_a_new_name_is_possible() -> None:
    assert told(PENICILLIN[1], "wait just checked my chart, azithromycin") == (set(), {"azithromycin"}, set())
    assert told(PENICILLIN[0], "看了下病历，写的是阿奇霉素") == (set(), {"阿奇霉素"}, set())
    assert told(PENICILLIN[0], "等下 我翻了下病历 写的是阿奇霉素") == ({"阿奇霉素"}, set(), {"青霉素"}), "it sounds so"


def test_who_tells_a_story_corrects_nothing_that_is_not_named() -> None:
    story = "昨天去超市，走了很远的路，" * 14 + "说错了，是头孢"
    assert told(PENICILLIN[0], story) == (set(), set(), set())
    assert told(PENICILLIN[0], story[-7:])[0] == {"头孢"}
    named = story.replace("是头孢", "不是青霉素，是头孢")
    assert told(PENICILLIN[0], named)[0] == {"头孢"}, "what is named is read in a long message too"


def test_a_disease_is_no_operation_and_a_report_may_only_be_asked_about() -> None:
    held = [Held("surgery", "阑尾切除"), Held("allergy", "青霉素")]
    assert put_right(corrections("体检结果显示感染了幽门螺杆菌"), held) == []
    (asked,) = put_right(corrections("过敏原报告出来了，写的是尘螨"), held)
    assert (asked.kind, asked.text, asked.possible) == ("allergy", "尘螨", True)


def test_nothing_is_put_right_of_what_nobody_holds() -> None:
    found = corrections("我说错了，不是青霉素，是头孢")
    assert found
    assert put_right(found, []) == []
    assert put_right(found, [Held("disease", "高血压")]) == []


def test_a_word_in_another_language_names_the_same() -> None:
    found = put_right(corrections("I was wrong, it's not penicillin, it's sulfa"), [Held("allergy", "青霉素")])
    assert {(each.text, each.denied) for each in found} == {("sulfa", False), ("青霉素", True)}


def test_what_was_only_possible_is_so_when_it_is_put_right() -> None:
    (right, wrong) = put_right(corrections("说错了，不是青霉素，是头孢"), [Held("allergy", "青霉素", possible=True)])
    assert (right.text, right.possible) == ("头孢", True)
    assert (wrong.text, wrong.denied) == ("青霉素", True)


def test_of_another_conversation_only_what_is_named_is_taken_back() -> None:
    elsewhere = Held("allergy", "青霉素", here=False)
    assert put_right(corrections("口误，是头孢"), [elsewhere]) == []
    assert len(put_right(corrections("口误，不是青霉素，是头孢"), [elsewhere])) == 2


def dialogue(*texts: str) -> Dialogue:
    return Dialogue([Said(seq, "user", own=True, text=text, at_ms=seq) for seq, text in enumerate(texts, 1)], "", "zh")


def test_a_dialogue_is_put_right_step_by_step() -> None:
    said = dialogue("我对青霉素过敏", "说错了，不是青霉素，是头孢", "又错了，不是头孢，是磺胺")
    assert says_right(said)
    found = list(facts_put_right(said, [Known("allergy", "青霉素", 1)]))
    assert [(each.seq, each.object, each.polarity) for each in found] == [
        (2, "头孢", "+"),
        (2, "青霉素", "-"),
        (3, "磺胺", "+"),
        (3, "头孢", "-"),
    ]
    assert not says_right(dialogue("我对青霉素过敏", "谢谢，不是很疼"))


@pytest.mark.parametrize(
    ("beginning", "filler"),
    [
        ("i meant penicillin ", "to "),
        ("i meant penicillin ", "a "),
        ("sorry i meant not penicillin ", "actually "),
        ("sorry i meant ", "not penicillin, it's sulfa, "),
        ("Note: not penicillin ", "-"),
        ("Note: not penicillin ", " — "),
        ("说错了，不是青霉素，是头孢。", "我"),
        ("说错了，不是青霉素", "过敏"),
        ("说错了，青霉素", "不是青霉素是头孢 "),
        ("说错了，", "过敏的是"),
    ],
)
def test_no_run_of_fillers_is_tried_in_many_ways(beginning: str, filler: str) -> None:
    def text(size: int) -> str:
        return beginning + filler * (size // len(filler))

    assert_grows(corrections, text, 1_000)


def test_reading_them_grows_with_the_text() -> None:
    def text(size: int) -> str:
        return "不是青霉素，是头孢，不对，" * (size // 13)

    assert_grows(corrections, text, 16_000)
