import json
from itertools import cycle
from pathlib import Path

import pytest

from memory.language.coreference.resolving import Resolution, Utterance, choose_antecedent, resolve
from memory.language.tagger import RjiebaTagger, Token, default_tagger
from tests.growth import assert_grows

FIXTURES = Path(__file__).parents[1] / "fixtures"
CASES = [
    json.loads(line)
    for name in ("coreference_zh.jsonl", "coreference_en.jsonl")
    for line in (FIXTURES / name).read_text(encoding="utf-8").splitlines()
]
REWRITTEN = [case for case in CASES if case["expected"] != case["query"]]
KNOWS = [Utterance("user", "你认识周杰伦吗"), Utterance("assistant", "认识")]


def talk(*texts):
    """Utterances of user and assistant in turn, so that the query is the user's."""
    speakers = cycle(("assistant", "user"))
    said = [Utterance(speaker, text) for speaker, text in zip(speakers, reversed(texts), strict=False)]
    if len(said) == 1:
        return [Utterance("user", texts[0])]
    return said[::-1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["query"][:20])
def test_resolve_of_a_known_case_gives_its_rewriting(case):
    result = resolve(case["query"], talk(*case["context"]))

    assert result.text == case["expected"], result.reason
    assert result.changed is (case["expected"] != case["query"])


@pytest.mark.parametrize("case", REWRITTEN, ids=lambda case: case["expected"][:20])
def test_resolve_of_its_own_rewriting_changes_nothing(case):
    again = resolve(case["expected"], talk(*case["context"]))

    assert not again.changed, again.reason


@pytest.mark.parametrize(
    ("query", "context", "reason"),
    [
        ("今天天气怎么样", KNOWS, "no_pronoun"),
        ("他" * 41, KNOWS, "too_long"),
        ("他是谁", [], "no_context"),
        ("他是谁", talk("吃饭了吗", "吃了"), "no_antecedent"),
        ("他是谁", talk("林俊杰和周杰伦都好", "是啊"), "two_rivals"),
        ("周杰伦说他累了", KNOWS, "antecedent_in_query"),
        ("管他呢", KNOWS, "idiom"),
        ("他叫什么名字", KNOWS, "name_asked"),
        ("它们在哪", KNOWS, "plural"),
        ("他是谁", KNOWS, "person.topic: 他 -> 周杰伦"),
        ("her dog is big. " * 20, talk("Anna came."), "too_long"),
        ("Where is he?", talk("John came.", "Peter came too."), "two_rivals"),
    ],
)
def test_resolve_says_why(query, context, reason):
    assert resolve(query, context).reason == reason


def test_resolve_with_forty_characters_still_looks_and_with_one_more_does_not():
    query = "他唱歌" + "好" * 37

    assert resolve(query, KNOWS).changed
    assert resolve(query + "好", KNOWS) == Resolution(query + "好", changed=False, reason="too_long")


def test_resolve_with_six_utterances_hears_only_the_last_five():
    silence = [Utterance("user", "嗯")] * 3

    assert resolve("他是谁", [*KNOWS, *silence]).changed
    assert not resolve("他是谁", [*KNOWS, *silence, *silence]).changed


def test_resolve_of_the_users_own_name_never_puts_it_in():
    context = talk("刘建国来了", "刘建国好")

    assert resolve("他在哪", context).text == "刘建国在哪"
    assert not resolve("他在哪", context, user_name="刘建国").changed
    assert resolve("Where is he?", talk("John came.", "Nice")).changed
    assert not resolve("Where is he?", talk("John came.", "Nice"), user_name="John").changed


def test_resolve_of_a_role_in_the_last_utterance_trusts_it_only_from_the_user():
    said = "我妈妈今天住院了"

    assert resolve("她要注意什么", [Utterance("user", said)]).text == "妈妈要注意什么"
    assert not resolve("她要注意什么", [Utterance("assistant", said)]).changed
    assert not resolve("她要注意什么", [Utterance("", "你好吗"), Utterance("", said)]).changed


@pytest.mark.parametrize("name", ["灿灿", "豆豆", "李小萌", "Lily"])
def test_resolve_of_an_introduced_child_needs_no_dictionary(name):
    assert resolve("她今年几岁了？", [Utterance("user", f"我女儿叫{name}。")]).text == f"{name}今年几岁了？"


@pytest.mark.parametrize(
    "text", ["", " ", "他", "她们", "它", "这", "那个", "he", "it", "\ud800他", "他\x00", "《》它", "🙂她"]
)
@pytest.mark.parametrize(
    "said", ["", "，", "《》", "我叫", "X吗", "《《》》", "\ud800", "My is called", "他叫。", "🙂"]
)
def test_resolve_of_odd_text_neither_raises_nor_empties(text, said):
    result = resolve(text, [Utterance("user", said)])

    assert bool(result.text) is bool(text)
    assert result.changed is (result.text != text)


@pytest.mark.parametrize(
    "piece", ["他", "这个", "《", "和", "爱", "王", "a", "是我", "的吗", "你好", "A ", "He is. ", "my "]
)
def test_resolve_in_a_long_talk_takes_time_linear_in_its_length(piece):
    def ask_all(long_text):
        context = [Utterance("user", long_text)] * 5
        for query in ("他是谁", "它好吃吗", "那里好吗", "How old is she?", "Where did I buy it?", long_text):
            resolve(query, context)

    assert_grows(ask_all, lambda chars: piece * (chars // len(piece)), 10_000)


@pytest.mark.parametrize(
    ("text", "pronoun", "names", "expected"),
    [
        ("Anna Smith met Emma in Paris. She was late, and Anna Smith said sorry.", "She", ["Anna", "Emma"], 0),
        ("Mary talked to the sister of Jane. Later she left. Mary was tired.", "she", ["Mary", "Jane"], 0),
        ("It was Anna or Emma. She ran.", "She", ["Anna", "Emma"], None),
        ("Of Anna, Emma and Zoe, one was late. She ran.", "She", ["Anna", "Zoe"], None),
    ],
)
def test_choose_antecedent_takes_only_a_clear_winner(text, pronoun, names, expected):
    start = text.index(pronoun)
    spans = [(text.index(name), text.index(name) + len(name)) for name in names]

    assert choose_antecedent(text, (start, start + len(pronoun)), spans) == expected


def test_choose_antecedent_without_a_candidate_in_reach_gives_none():
    text = "Anna slept. " + "Nothing came of it. " * 200 + "She woke."

    assert choose_antecedent(text, (text.index("She"), text.index("She") + 3), [(0, 4)]) is None
    assert choose_antecedent(text, (text.index("She"), text.index("She") + 3), []) is None


@pytest.mark.parametrize("text", ["你认识周杰伦吗", "我买了iPhone 7 plus。", "易烊千玺很帅🙂", ""])
def test_tagger_gives_the_text_back_with_places(text):
    tokens = RjiebaTagger().tag(text) if not text else default_tagger().tag(text)

    assert "".join(token.text for token in tokens) == text
    assert all(text[token.start : token.end] == token.text for token in tokens)


@pytest.mark.parametrize(
    ("word", "kind"),
    [("周杰伦", "H"), ("易烊千玺", "H"), ("北京", "P"), ("火锅", "T"), ("iPhone", "T"), ("喜欢", "V"), ("的", "V")],
)
def test_tagger_classes_are_four(word, kind):
    assert default_tagger().tag(word) == [Token(word, kind, 0)]


def test_resolve_with_another_tagger_uses_its_classes():
    class Letters:
        def tag(self, text):
            return [Token(letter, "V", place) for place, letter in enumerate(text)]

    assert resolve("他唱歌好听吗", KNOWS).changed
    assert resolve("他唱歌好听吗", KNOWS, tagger=Letters()).changed  # asked about by name: the pattern suffices
    assert not resolve("她多大了", talk("我遇到王小红", "嗯"), tagger=Letters()).changed
