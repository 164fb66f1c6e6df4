"""Identifiers replaced in texts: what stands for them, what comes back, and what is left as it is."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.errors import SetupError
from memory.language.terms import terms
from memory.privacy.gate.decision import classify
from memory.privacy.identifier_rules import RULES
from memory.privacy.identifiers import find_identifiers
from memory.privacy.placeholders import MARK, kinds_in, revealed
from memory.privacy.policy import KINDS, Policy
from memory.privacy.replacer import Replacer
from memory.providers.siv_pseudonyms import SivPseudonyms, new_key
from tests.fixtures.identifiers_zh import sentences
from tests.growth import assert_grows

KEYS = SivPseudonyms({"a": [b"1" * 64], "b": [b"2" * 64], "c": [b"1" * 64]})
PSEUDONYMS = Replacer(Policy.of({"default": "pseudonym"}), KEYS)
REDACTED = Replacer(Policy.of({"default": "redact"}))
PIECES = st.one_of(
    st.sampled_from([text for text, _ in sentences(1, 40)]),
    st.sampled_from(["[mobile]", "[card_2]", "[mobile:", "]", "[", "call me at +1 (415) 555-0100. ", "à l'été ", "🙂"]),
    st.text(alphabet="0123456789 -.@:[]Xx京Aa号手机\u200b１２", max_size=30),
    st.text(max_size=10),
)
TEXTS = st.lists(PIECES, max_size=5).map("".join).filter(lambda text: text.encode(errors="ignore").decode() == text)


def back(text: str, tenant: str = "a", keys: SivPseudonyms = KEYS) -> str:
    return revealed(text, lambda kind, body: keys.value(tenant, kind, body))


def test_kinds_are_those_that_the_rules_find() -> None:
    assert set(KINDS) == {rule.kind for rule in RULES}


@settings(deadline=None)
@given(TEXTS)
def test_replaced_and_revealed_is_the_text_again(text: str) -> None:
    assert back(PSEUDONYMS.text("a", text)) == text


@settings(deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=4))
def test_dialogue_replaced_and_revealed_is_the_dialogue_again(texts: list[str]) -> None:
    dialogue = PSEUDONYMS.dialogue("a")
    dialogue.learn(texts, ())
    assert [back(dialogue.text(text)) for text in texts] == texts


@settings(deadline=None)
@given(st.lists(st.sampled_from([text for text, _ in sentences(2, 60)]), max_size=4).map("。".join))
def test_replaced_twice_is_replaced_once(text: str) -> None:
    for replacer in (PSEUDONYMS, REDACTED):
        once = replacer.text("a", text)
        assert replacer.text("a", once) == once
        assert [span for span in find_identifiers(once) if MARK.search(once, span.start, span.end)] == []


def test_every_identifier_of_made_sentences_is_gone() -> None:
    for text, labelled in sentences(3, 300):
        found = [text[span.start : span.end] for span in find_identifiers(text)]
        for replacer in (PSEUDONYMS, REDACTED):
            replaced = replacer.text("a", text)
            assert not any(value in replaced for value in found), (text, labelled)
            assert sum(kinds_in(replaced).values()) == len(found)


def test_mark_says_the_kind_and_is_one_thing_for_the_search() -> None:
    text = "身份证号11010519491231002X，我要挂号"
    mark = PSEUDONYMS.text("a", text)[4:-5]
    assert mark.startswith("[id_card:")
    assert REDACTED.text("a", text) == "身份证号[id_card]，我要挂号"
    asked = PSEUDONYMS.text("a", "谁的身份证是11010519491231002X？")
    body = [term for term in terms(asked) if len(term) > 20]
    assert len(body) == 1
    assert body[0] in terms(PSEUDONYMS.text("a", text))


def test_same_value_has_one_pseudonym_and_other_tenants_and_kinds_another() -> None:
    assert KEYS.body("a", "mobile", "1") == KEYS.body("a", "mobile", "1")
    bodies = {KEYS.body("a", "mobile", "1"), KEYS.body("b", "mobile", "1"), KEYS.body("a", "phone", "1")}
    bodies.add(KEYS.body("c", "mobile", "1"))
    assert len(bodies) == 4, "also where two tenants were given one key"


def test_pseudonym_is_not_revealed_by_another_tenant_kind_or_key_nor_when_it_was_changed() -> None:
    body = KEYS.body("a", "mobile", "13812345678")
    assert KEYS.value("a", "mobile", body) == "13812345678"
    assert KEYS.value("b", "mobile", body) is None
    assert KEYS.value("c", "mobile", body) is None
    assert KEYS.value("nobody", "mobile", body) is None
    assert KEYS.value("a", "phone", body) is None
    changed = ("A" if body[0] != "A" else "B") + body[1:]
    assert KEYS.value("a", "mobile", changed) is None
    assert KEYS.value("a", "mobile", body[:-1]) is None
    assert KEYS.value("a", "mobile", "A" * 28) is None
    assert back(f"[mobile:{changed}] [mobile] [mobile_1]") == f"[mobile:{changed}] [mobile] [mobile_1]"


def test_old_pseudonyms_are_revealed_by_the_old_key_and_new_ones_made_with_the_first() -> None:
    old, new = SivPseudonyms({"a": [b"o" * 32]}), SivPseudonyms({"a": [b"n" * 64, b"o" * 32]})
    before = f"[mobile:{old.body('a', 'mobile', '13812345678')}]"
    after = f"[mobile:{new.body('a', 'mobile', '13812345678')}]"
    assert before != after
    assert back(before + after, keys=new) == "13812345678" * 2
    assert back(before + after, keys=old) == "13812345678" + after


def test_tenant_without_a_key_is_refused_and_new_keys_are_new() -> None:
    with pytest.raises(SetupError, match=r"privacy\.keys"):
        PSEUDONYMS.text("nobody", "打13812345678")
    with pytest.raises(SetupError):
        Replacer(Policy.of({"default": "pseudonym"}))
    assert len(new_key()) == 64
    assert new_key() != new_key()


def test_value_told_with_its_cue_is_known_without_it_in_the_same_dialogue() -> None:
    dialogue = REDACTED.dialogue("a")
    texts = ["李雷的血压高，LL_messenger77也行", "我叫李雷，微信号：LL_messenger77", "单号913812345678，打13812345678"]
    dialogue.learn(texts, ())
    assert [dialogue.text(text) for text in texts] == [
        "[name]的血压高，[account]也行",
        "我叫[name]，微信号：[account]",
        "单号913812345678，打[mobile]",
    ]
    dialogue.learn(["我叫李雷", "我叫李雷雷"], ())
    assert dialogue.text("是李雷") == "是[name]", "also at the end, where a longer one begins like it"
    assert "李雷" in REDACTED.text("a", texts[0]), "alone it says nothing"


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("护照号", "E12345678", ("护照号", "[passport]")),
        ("passport number", "E12345678", ("passport number", "[passport]")),
        ("生日", "1990年3月7日", ("生日", "[birth]")),
        ("13812345678", "13912345678", ("[mobile]", "[mobile]")),
        ("备注", "我叫李雷", ("备注", "我叫[name]")),
        ("复查", "1990年3月7日", ("复查", "1990年3月7日")),
        ("心情", "", ("心情", "")),
    ],
)
def test_key_says_what_stands_beside_it(key: str, value: str, expected: tuple[str, str]) -> None:
    assert Replacer(Policy.of({"default": "redact"})).dialogue("a").beside(key, value) == expected


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ({"mobile": "redact"}, "邮箱13812345678@qq.com，手机[mobile]"),
        ({"email": "redact"}, "邮箱[email]，手机13812345678"),
        ({"email": "redact", "mobile": "redact"}, "邮箱[email]，手机[mobile]"),
        ({}, "邮箱13812345678@qq.com，手机13812345678"),
    ],
)
def test_identifier_within_another_goes_with_it(policy: dict[str, Any], expected: str) -> None:
    assert Replacer(Policy.of(policy)).text("a", "邮箱13812345678@qq.com，手机13812345678") == expected


def test_identifiers_in_full_width_and_with_odd_spaces_come_back_as_they_were() -> None:
    text = "电话１３８１２３４５６７８或138\u200b1234\u30005678，𝟏𝟑𝟖𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖"
    replaced = PSEUDONYMS.text("a", text)
    assert kinds_in(replaced) == Counter(mobile=3)
    assert back(replaced) == text


def test_quote_grows_to_hold_the_identifier_that_it_cuts() -> None:
    dialogue = REDACTED.dialogue("a")
    message = "我叫李雷，手机138 1234 5678，住在北京市朝阳区建国路88号"
    dialogue.learn([message], ())
    assert dialogue.quote(message, "手机138 12") == "手机[mobile]"
    assert dialogue.quote(message, "5678，住在北京市") == "[mobile]，住在[address]"
    assert dialogue.quote(message, "我叫李雷") == "我叫[name]"
    assert dialogue.quote(message, "我叫") == "我叫"
    assert dialogue.quote(message, "手机139 1234 5678") == "", "a number that nobody said has no support"
    assert dialogue.quote(message, " ") == ""


def test_what_was_made_of_a_quote_holds_no_piece_of_an_identifier() -> None:
    dialogue = REDACTED.dialogue("a")
    message = "我35岁，手机138 1234 5678，住在北京市朝阳区建国路88号"
    dialogue.learn([message], ())
    assert dialogue.derived(message, "住在北京市朝阳区建国路88号", "北京市朝阳区") == "[address]"
    assert (
        dialogue.derived(message, "手机138 1234", "his number begins with 138 1234")
        == "his number begins with [mobile]"
    )
    assert dialogue.derived(message, "我35岁，手机138 1234 5678", "35") == "35"
    assert dialogue.derived("", "", "打138 1234 5678") == "打[mobile]"


def test_gate_takes_a_mark_for_the_identifier_that_it_stands_for() -> None:
    for text in ("13812345678", "[mobile]", PSEUDONYMS.text("a", "13812345678")):
        assert classify(text).label == "PRIVATE"
        assert classify(text).rule == "identifier"


def test_time_to_cover_a_long_dialogue_grows_with_its_length() -> None:
    def said(messages: int) -> list[str]:
        return [f"我的手机是138{number:08}，头痛三天了，血压150/95。" for number in range(messages)]

    def cover(texts: list[str]) -> None:
        dialogue = REDACTED.dialogue("a")
        dialogue.learn(texts, ())
        for text in texts:
            dialogue.text(text)

    assert_grows(cover, said, 400)
