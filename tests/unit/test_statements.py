"""Statements: what a user said in a session, as sentences that stand alone."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.extraction.statements.reading import STATEMENT_CHARS_MAX, STATEMENT_CLAUSES_MAX, make_statements
from memory.model.extraction import Said


def of(*texts):
    return make_statements([Said(seq, "user", own=True, text=text, at_ms=0) for seq, text in enumerate(texts, 1)])


def texts_of(*texts):
    return [statement.text for statement in of(*texts).statements]


@pytest.mark.parametrize(
    ("said", "stated", "skipped"),
    [
        (["我女儿叫灿灿", "她今年5岁", "她喜欢画画"], ["灿灿是我的女儿，今年5岁，喜欢画画"], {}),
        (["我叫小朱", "我女儿叫灿灿", "她今年几岁了？"], ["我叫小朱", "灿灿是我的女儿"], {3: "question"}),
        (
            ["我女儿叫灿灿", "她今年5岁", "她喜欢画画", "北京是中国的首都"],
            ["灿灿是我的女儿，今年5岁，喜欢画画"],
            {4: "public"},
        ),
        (["桔子熟了", "很甜", "你喜欢吃这个吗？"], [], {1: "public", 2: "public", 3: "question"}),
        (
            ["My daughter is called Mia", "She is 5", "She likes drawing"],
            ["Mia is my daughter, is 5 and likes drawing"],
            {},
        ),
        (["My name is Ann", "Paris is the capital of France."], ["My name is Ann"], {2: "public"}),
        (["她今年5岁"], [], {1: "unresolved"}),
        (["She is 5"], [], {1: "unresolved"}),
        (["三四天了"], [], {1: "unresolved"}),
        (["你好", "帮我写一首诗", "谢谢", " "], [], {1: "small_talk", 2: "command", 3: "small_talk", 4: "empty"}),
        (["Hello!", "Tell me a joke", "How are you?"], [], {1: "small_talk", 2: "command", 3: "question"}),
    ],
)
def test_statements_of_a_session_stand_alone_and_the_rest_has_a_reason(said, stated, skipped):
    made = of(*said)
    assert [statement.text for statement in made.statements] == stated
    assert made.skipped == skipped


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        # Not next to each other, and two people in turn.
        (
            ["我妈有高血压", "她吃氨氯地平", "我爸喜欢钓鱼", "我妈住在上海"],
            ["我妈有高血压，吃氨氯地平，住在上海", "我爸喜欢钓鱼"],
        ),
        (
            ["我女儿叫灿灿", "我儿子叫小宝", "灿灿怕黑", "小宝3岁"],
            ["灿灿是我的女儿，怕黑", "小宝是我的儿子，3岁"],
        ),
        (
            ["My mother has gout.", "I like tea.", "She lives in Paris."],
            ["My mother has gout and lives in Paris", "I like tea."],
        ),
        (["我家的狗叫豆豆", "它今年3岁"], ["豆豆是我家的狗，今年3岁"]),
        (["我女儿灿灿今年5岁", "她喜欢画画"], ["灿灿是我的女儿，今年5岁，喜欢画画"]),
        (["我女儿叫灿灿", "我女儿喜欢画画"], ["灿灿是我的女儿，喜欢画画"]),
        (["My daughter Mia is 5. She likes drawing."], ["Mia is my daughter, is 5 and likes drawing"]),
    ],
)
def test_statements_of_one_subject_are_put_together(said, stated):
    assert texts_of(*said) == stated


@pytest.mark.parametrize(
    ("said", "stated"),
    [
        # Two values of one thing, and yes and no, stay in order.
        (["我女儿叫灿灿，今年5岁", "灿灿今年6岁了"], ["灿灿是我的女儿，今年5岁", "灿灿今年6岁了"]),
        (["我女儿叫灿灿", "她不喜欢画画", "灿灿喜欢画画"], ["灿灿是我的女儿，不喜欢画画", "灿灿喜欢画画"]),
        # Somebody else's, or a clause with a subject of its own.
        (["我女儿叫灿灿", "灿灿的老师有哮喘"], ["灿灿是我的女儿", "灿灿的老师有哮喘"]),
        (["我女儿叫灿灿", "灿灿5岁，我很爱她", "她怕黑"], ["灿灿是我的女儿", "灿灿5岁，我很爱她", "灿灿怕黑"]),
        (["我女儿叫灿灿", "灿灿和我去了北京"], ["灿灿是我的女儿", "灿灿和我去了北京"]),
        # What is supposed or reported would reach over its neighbours.
        (["我妈有高血压", "我妈如果头疼就吃药"], ["我妈有高血压", "我妈如果头疼就吃药"]),
        (
            ["My mother has gout.", "She thinks I work too much."],
            ["My mother has gout.", "My mother thinks I work too much."],
        ),
        # Nothing moves before what was said of the same person in between.
        (
            ["我女儿叫灿灿", "灿灿3岁", "昨天灿灿发烧了", "灿灿好了"],
            ["灿灿是我的女儿，3岁", "昨天灿灿发烧了", "灿灿好了"],
        ),
        (["我老公叫李雷。他在腾讯工作，今年35岁。"], ["李雷是我的老公，在腾讯工作，今年35岁"]),
        # Two daughters: nobody knows which one is meant.
        (
            ["我女儿叫灿灿", "我女儿叫朵朵", "我女儿喜欢画画"],
            ["灿灿是我的女儿", "朵朵是我的女儿", "我女儿喜欢画画"],
        ),
        # The user's own stays as it was said.
        (["我今年30岁。我喜欢爬山！谢谢！"], ["我今年30岁。我喜欢爬山！"]),
        (["我怀孕三个月了，能吃布洛芬吗？"], ["我怀孕三个月了"]),
    ],
)
def test_statements_that_would_change_their_meaning_stay_apart(said, stated):
    assert texts_of(*said) == stated


def test_statement_keeps_the_words_it_is_made_of():
    made = of("我女儿叫灿灿", "你好", "她今年5岁")
    assert made.statements[0].seqs == (1, 3)
    assert made.statements[0].quotes == ("我女儿叫灿灿", "她今年5岁")


def test_statements_say_which_messages_are_stated_in_part() -> None:
    made = of("我怀孕三个月了，能吃布洛芬吗？", "我喜欢爬山。你呢？", "我叫小朱")
    assert [statement.seqs for statement in made.statements] == [(1,), (2,), (3,)]
    assert (made.skipped, made.partly) == ({}, {1: "question", 2: "question"})


def test_statements_leave_out_what_agents_said():
    said = [
        Said(1, "user", own=True, text="我女儿叫灿灿", at_ms=0),
        Said(2, "bot", own=False, text="我喜欢她", at_ms=0),
    ]
    made = make_statements(said)
    assert [statement.seqs for statement in made.statements] == [(1,)]
    assert made.skipped == {}


def test_statement_that_is_full_is_followed_by_another_of_the_same_subject():
    likes = [
        f"她喜欢{what}" for what in ("画画", "唱歌", "跳舞", "游泳", "爬山", "下棋", "看书", "弹琴", "滑冰", "骑车")
    ]
    made = of("我女儿叫灿灿", *(like.replace("她", "灿灿") for like in likes)).statements
    assert [text.text.count("，") + 1 for text in made] == [
        STATEMENT_CLAUSES_MAX,
        len(likes) + 1 - STATEMENT_CLAUSES_MAX,
    ]
    assert made[1].text.startswith("灿灿喜欢")
    assert all(len(one.text) <= STATEMENT_CHARS_MAX for one in made)


NAMES = {"我女儿": "灿灿", "我儿子": "小宝", "我老婆": "丽丽"}
PREDICATES = ["今年5岁", "喜欢画画", "不喜欢吃鱼", "住在上海", "昨天发烧了", "对花生过敏", "每天游泳", "怕黑"]
NAMED = st.tuples(st.sampled_from(sorted(NAMES)), st.sampled_from(PREDICATES)).map(
    lambda pair: NAMES[pair[0]] + pair[1]
)
OWN = st.sampled_from(
    ["我叫小朱", "我今年30岁", "我喜欢爬山", "你好", "北京是中国的首都", "天气怎么样？", "他住在南京"]
)
INTRODUCED = [f"{role}叫{name}" for role, name in NAMES.items()]


@given(st.lists(NAMED | OWN, max_size=12))
def test_statements_lose_no_clause_without_a_reason_and_keep_the_order(said):
    made = of(*INTRODUCED, *said)
    for seq, text in enumerate([*INTRODUCED, *said], 1):
        holding = [one for one in made.statements if seq in one.seqs]
        assert (seq in made.skipped) != bool(holding)
        if holding:
            content = re.sub(r"[叫我他]", "", text)
            assert any(all(char in one.text for char in content) and text in one.quotes for one in holding)
    for name in NAMES.values():
        asked = list(dict.fromkeys(text.removeprefix(name) for text in said if text.startswith(name)))
        whole = "".join(one.text for one in made.statements if one.text.startswith(name))
        places = [whole.index(predicate) for predicate in asked]
        assert places == sorted(places)
    first = [min(one.seqs) for one in made.statements]
    assert first == sorted(first)


@given(st.lists(NAMED | OWN, max_size=12))
def test_statements_of_statements_are_the_same(said):
    once = texts_of(*INTRODUCED, *said)
    alone = [texts_of(one) for one in once if "是我" in one or one.startswith("我")]
    assert alone == [[one] for one in once if "是我" in one or one.startswith("我")]


@given(st.lists(st.text(max_size=60), max_size=6))
def test_statements_of_any_text_have_a_place_for_each_message(said):
    made = of(*said)
    for seq in range(1, len(said) + 1):
        assert (seq in made.skipped) != any(seq in one.seqs for one in made.statements)
