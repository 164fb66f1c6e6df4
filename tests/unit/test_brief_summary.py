import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_summary import ALLERGY, lines

from memory.extraction.summary.brief import summarise_briefly
from memory.extraction.summary.exchange import Line
from memory.extraction.summary.parsing import without_said
from tests.growth import assert_grows

TALK = [
    Line("user", "平躺呼吸不畅，侧卧后就有好转，请问怎么办才好呢？"),
    Line("assistant", "您好，感谢您的咨询。建议您平时多喝水，注意休息，保持室内通风，适当锻炼身体，增强体质。" * 3),
    Line("user", "前几天我有咽炎症状，吃了4天阿莫西林，现在好多了。邻居家的人正在楼下放风筝"),
    Line("assistant", "之前有没有药物过敏？"),
    Line("user", "没有"),
    Line("assistant", "一般来说，咽炎患者要避免辛辣刺激的食物，戒烟戒酒，规律作息，保持心情舒畅。" * 3),
]


def test_brief_summary_says_what_the_patient_told_and_leaves_most_advice_out():
    summary = summarise_briefly(TALK, limit_chars=2_000)
    assert len(summary) <= sum(len(line.text) for line in TALK) / 3
    for told in ("呼吸不畅", "好多了", "咽炎", "4天阿莫西林", "AI: 之前有没有药物过敏？\n用户: 没有"):
        assert told in summary
    assert "风筝" not in summary


def test_brief_summary_of_a_few_words_keeps_them():
    assert (
        summarise_briefly([Line("user", "头痛三天了"), Line("assistant", "好的")], limit_chars=500)
        == "用户: 头痛三天了"
    )


def test_brief_summary_takes_the_room_that_allergies_need():
    said = "我对青霉素过敏，对磺胺过敏，对头孢过敏，有糖尿病，有高血压，有冠心病，做过胆囊切除手术，有癫痫，有青光眼"
    summary = summarise_briefly([Line("user", said)], limit_chars=500)
    assert all(word in summary for word in ("青霉素", "磺胺", "头孢", "糖尿病", "冠心病", "癫痫", "青光眼"))


def test_brief_summary_keeps_what_denies_an_allergy_that_it_keeps():
    talk = [Line("user", "我对青霉素过敏"), Line("assistant", "好的。" * 200), Line("user", "查过了，我对青霉素不过敏")]
    summary = summarise_briefly(talk, limit_chars=40)
    assert "对青霉素过敏" in summary
    assert "对青霉素不过敏" in summary


def test_brief_summary_parts_no_fact_from_its_negation():
    text = "I have no asthma, diabetes, epilepsy, or any heart disease, as far as I can tell from my papers, thank you"
    for limit in range(30, 160, 5):
        said = summarise_briefly([Line("user", text)], limit_chars=limit, locale="en")
        assert "diabetes" not in said or "no asthma" in said


def test_brief_summary_keeps_what_is_typed_without_a_comma():
    said = (
        "病毒载量正常四个多月了而且转氨酶一直偏高然后上个月开始服用恩替卡韦现在总是乏力没精神请问该怎么办呢谢谢医生了"
    )
    summary = summarise_briefly([Line("user", said), Line("assistant", "好的。" * 15)], limit_chars=500)
    assert "恩替卡韦" in summary
    assert len(summary) < len(said)


@pytest.mark.parametrize("said", ["没有现在常说的那种头痛", "我嗓子没有昨天那么痛了", "我从昨天开始头痛"])
def test_brief_summary_parts_no_word_before_a_time_from_it(said):
    long = f"我前些日子在家里闲着没事做到处走走看看{said}真的是这样"
    summary = summarise_briefly([Line("user", long), Line("assistant", "好的。" * 20)], limit_chars=500)
    assert said in summary


def test_brief_summary_says_once_what_is_said_twice():
    talk = [Line("user", said) for said in ("胃胀", "还是胃胀", "膝盖在上楼梯的时候肿")]
    assert summarise_briefly(talk, limit_chars=18) == "用户: 胃胀；膝盖在上楼梯的时候肿"


def test_brief_summary_has_the_part_of_the_body_without_a_word_for_the_complaint():
    talk = [Line("user", "我想问问"), Line("user", "膝盖不得劲"), Line("assistant", "好的。" * 3)]
    assert "膝盖不得劲" in summarise_briefly(talk, limit_chars=60)


def test_brief_summary_begins_with_what_brought_the_user():
    talk = [Line("user", "膝盖这几天上下楼梯的时候总归不太得劲"), Line("user", "在家里休息量了体温36.5度左右吧")]
    assert summarise_briefly(talk, limit_chars=24) == "用户: 膝盖这几天上下楼梯的时候总归不太得劲"


def test_brief_summary_hears_first_what_was_said_first():
    talk = [Line("user", "头痛。膝盖在楼梯上不太得劲儿呢呀"), Line("user", "手腕在键盘上不太得劲儿呢")]
    assert summarise_briefly(talk, limit_chars=22) == "用户: 头痛。膝盖在楼梯上不太得劲儿呢呀"


def test_brief_summary_keeps_all_questions_of_a_bare_answer_and_the_last_of_another():
    both = [Line("assistant", "有没有头痛？有没有咳嗽？"), Line("user", "没有")]
    assert summarise_briefly(both, limit_chars=60) == "AI: 有没有头痛？有没有咳嗽？\n用户: 没有"
    other = [Line("assistant", "咳嗽有多久了？以前头痛过吗？"), Line("user", "这是第一次吧")]
    assert summarise_briefly(other, limit_chars=60) == "AI: 以前头痛过吗？\n用户: 这是第一次吧"


def test_brief_summary_gives_no_room_to_what_a_question_names_beside_an_answer_of_its_own():
    asked = "您好，请详细描述一下您的病史，多少时间了，以前出现过吗，做过什么检查，有什么过敏史？"
    talk = [Line("user", "脖子右侧长了很多小疙瘩，很痒"), Line("assistant", asked), Line("user", "第一次出现")]
    summary = summarise_briefly(talk, limit_chars=500)
    assert "小疙瘩" in summary
    assert asked not in summary


def test_brief_summary_keeps_an_allergy_that_an_answer_tells_before_it_goes_on():
    talk = [
        Line("assistant", "您有没有什么过敏史？"),
        Line("user", "有的。过敏。说不清。"),
        Line("user", "头痛咳嗽发烧流鼻涕"),
    ]
    assert "过敏。" in summarise_briefly(talk, limit_chars=36)


@given(st.lists(lines, max_size=12), st.integers(0, 200))
def test_brief_summary_of_any_dialogue_holds_its_limit_and_the_allergy(dialogue, limit_chars):
    summary = summarise_briefly([*dialogue, Line("user", ALLERGY)], limit_chars=limit_chars)
    assert len(summary) <= limit_chars
    assert limit_chars < 150 or ALLERGY.rstrip("。") in summary


def test_brief_summary_takes_linear_time():
    def dialogue(messages):
        said = [f"我头痛{n}天了，体温38.5度，吃了阿莫西林，建议多喝水。" for n in range(messages)]
        return [Line("user" if n % 2 else "assistant", text) for n, text in enumerate(said)]

    assert_grows(lambda some: summarise_briefly(some, limit_chars=600), dialogue, 2_000)


@pytest.mark.parametrize("piece", ["痛，", "、", "没有、", "a, ", "过敏；"])
def test_brief_summary_of_a_hostile_message_takes_linear_time(piece):
    assert_grows(
        lambda text: summarise_briefly([Line("user", text)], limit_chars=600), lambda pieces: piece * pieces, 10_000
    )


def test_what_is_shown_word_for_word_is_left_out_of_a_summary():
    summary = "用户: 头痛三天了；对青霉素过敏。\nAI: 建议做CT。\n用户: 好的，明天去做"
    shown = ["建议做CT。您看可以吗？", "好的，明天去做"]
    assert without_said(summary, shown) == "用户: 头痛三天了；对青霉素过敏。"
    assert without_said(summary, ["别的"]) == summary
    assert without_said("头痛", ["头痛"]) == ""
