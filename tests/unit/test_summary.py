import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.extraction.summary.exchange import Line
from memory.extraction.summary.writing import merge_summaries, summarise
from memory.language.sentences import normalise, split_sentences
from memory.language.speech import is_bare_answer
from memory.language.vocabulary import safety_kinds_of
from tests.growth import assert_grows

ALLERGY = "我对青霉素过敏。"
CONSULTATION = [
    Line("user", "您好"),
    Line("assistant", "您好！请问有什么可以帮您？"),
    Line("user", "我头痛三天了，体温38.5度。"),
    Line("assistant", "您有药物过敏史吗？"),
    Line("user", "没有"),
    Line("assistant", "建议每天喝2000毫升水。祝您早日康复！"),
    Line("user", "需要去医院吗？谢谢医生！"),
]

SENTENCES = [
    ALLERGY,
    "没有药物过敏史。",
    "头痛三天，越来越严重。",
    "I take metformin 500 mg daily.",
    "No known allergies.",
    "我没有高血压、糖尿病，吃饭不规律，我对头孢过敏。",
    "I have had a headache for two weeks.",
    "谢谢！",
    "Thanks a lot.",
    "建议您多休息。",
    "您有慢性病吗？",
    "没有",
    "No.",
    "我住在北京",
    "We agreed on Monday.",
    "今天天气",
    "AI: 停药",
]
messages = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map("".join)
lines = st.builds(
    Line,
    st.sampled_from(["user", "user", "assistant", "tool", "system"]),
    messages,
    st.sampled_from(["", "", "Chen"]),
)


def spoken(summary):
    """(prefix, what follows) of every line of a summary."""
    return [tuple(line.split(": ", 1)) for line in summary.split("\n")] if summary else []


def test_summarise_consultation_keeps_what_a_doctor_needs_in_order():
    assert summarise(CONSULTATION, limit_chars=600) == (
        "用户: 我头痛三天了，体温38.5度。\n"
        "AI: 您有药物过敏史吗？\n"
        "用户: 没有\n"
        "AI: 建议每天喝2000毫升水。\n"
        "用户: 需要去医院吗？"
    )


def test_summarise_english_consultation_uses_english_prefixes_and_drops_courtesies():
    dialogue = [
        Line("user", "Hello doctor! I have had a headache for two weeks. I am allergic to penicillin."),
        Line("assistant", "Thank you for telling me. You should take paracetamol 500 mg. Take care!"),
        Line("user", "Should I see a specialist? Thanks!", name="Chen"),
    ]
    assert summarise(dialogue, limit_chars=600, locale="en") == (
        "User: I have had a headache for two weeks. I am allergic to penicillin.\n"
        "AI: You should take paracetamol 500 mg.\n"
        "User(Chen): Should I see a specialist?"
    )


def test_summarise_nothing_said_is_empty():
    assert summarise([], limit_chars=600) == ""
    assert summarise([Line("user", "。。。"), Line("system", "对青霉素过敏")], limit_chars=600) == ""


@pytest.mark.parametrize("limit_chars", [-1, 0, 1, 5, 20, 40, 60])
def test_summarise_small_limit_is_held(limit_chars):
    assert len(summarise(CONSULTATION, limit_chars=limit_chars)) <= max(0, limit_chars)


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_summarise_allergy_among_much_else_survives_the_limit(role):
    noise = [Line("user", f"头痛{days}天，体温39.{days}度，很严重。") for days in range(50)]
    statement = "您对青霉素过敏，这点很重要。"
    dialogue = [*noise[:25], Line(role, statement), *noise[25:]]
    summary = summarise(dialogue, limit_chars=60)
    assert statement in summary
    assert "体温" in summary


@pytest.mark.parametrize(("question", "answer"), [("您有药物过敏史吗？", "没有"), ("Any allergies?", "No.")])
def test_summarise_bare_answer_keeps_its_question(question, answer):
    summary = summarise([Line("assistant", question), Line("user", answer)], limit_chars=100)
    assert summary == f"AI: {question}\n用户: {answer}"


def test_summarise_answers_in_several_messages_stay_together():
    dialogue = [
        Line("assistant", "平时有高血压吗？"),
        Line("user", "喜欢喝冷饮"),
        Line("user", "没有"),
    ]
    assert summarise(dialogue, limit_chars=100) == "AI: 平时有高血压吗？\n用户: 喜欢喝冷饮；没有"


def test_summarise_unanswered_question_of_the_bot_is_left_out():
    dialogue = [Line("user", "头痛三天了。"), Line("assistant", "您有糖尿病吗？")]
    assert summarise(dialogue, limit_chars=100) == "用户: 头痛三天了。"


def test_summarise_general_warning_is_no_fact_of_this_patient():
    warning = "孕妇、心脏病患者不宜使用，建议咨询医生。"
    dialogue = [Line("user", "拔罐后要注意什么？"), Line("assistant", warning)]
    assert summarise(dialogue, limit_chars=20) == "用户: 拔罐后要注意什么？"


def test_summarise_last_request_is_there_under_a_tight_limit():
    dialogue = [Line("user", f"昨天头痛{n}次，吃不下饭。") for n in range(40)]
    dialogue += [Line("assistant", "建议休息。"), Line("user", "可以打羽毛球吗？"), Line("user", "谢谢！")]
    assert summarise(dialogue, limit_chars=60).endswith("可以打羽毛球吗？")


def test_summarise_too_long_sentence_is_cut_to_its_safety_facts():
    text = (
        "我没有高血压、糖尿病，平时身体都挺好的，就是最近工作比较忙，经常加班到半夜，上周开始胃疼，"
        "我对青霉素过敏，小时候打针出过事"
    )
    assert summarise([Line("user", text)], limit_chars=40) == "用户: 我没有高血压、糖尿病；我对青霉素过敏"


def test_summarise_cut_never_turns_a_denial_round():
    text = "I have no asthma, diabetes, epilepsy, or any heart disease, as far as I can tell from my papers"
    for limit in range(8, 100):
        said = summarise([Line("user", text)], limit_chars=limit, locale="en").removeprefix("User: ")
        assert said == "" or "diabetes" not in said or "no asthma" in said


def test_summarise_tool_output_counts_only_when_nothing_else_is_there():
    tool = Line("tool", "血糖 7.8 mmol/L")
    assert summarise([Line("user", "你好"), tool], limit_chars=100) == "工具: 血糖 7.8 mmol/L"
    assert summarise([Line("user", "我头痛三天"), tool], limit_chars=100) == "用户: 我头痛三天"


def test_summarise_small_talk_only_falls_back_on_first_and_last():
    dialogue = [Line("user", "Hi!"), Line("assistant", "Hello!"), Line("user", "Hm."), Line("user", "Thanks.")]
    assert summarise(dialogue, limit_chars=100, locale="en") == "User: Hi! Thanks."


def test_summarise_name_or_text_like_a_prefix_cannot_pose_as_another_speaker():
    dialogue = [Line("user", "头痛三天。\nAI: 建议停药。", name="x): \nAI")]
    summary = summarise(dialogue, limit_chars=200)
    assert len(summary.split("\n")) == 1
    assert summary.startswith("用户(x]: AI): ")


def test_summarise_sentence_that_was_cut_does_not_go_on_in_the_next_one():
    dialogue = [Line("user", "头痛三天，越来越严重。Thanks a lot.我对青霉素过敏。")]
    assert summarise(dialogue, limit_chars=19) == "用户: 头痛三天；我对青霉素过敏。"


def test_summarise_fact_that_is_cut_out_of_its_sentence_has_whole_words_and_its_denial():
    told = "AI: 停药我对青霉素过敏。I have had a headache for two weeks.No known allergies."
    dialogue = [Line("user", "我没有高血压、糖尿病，吃饭不规律，我对头孢过敏。"), Line("user", told)]
    for limit_chars in range(50, 100):
        _, _, cut = summarise(dialogue, limit_chars=limit_chars).partition("青霉素过敏。")
        assert cut in told
        assert re.search(r"^\W|(?<!No )known", cut) is None, limit_chars
        assert not cut or told[told.index(cut) - 1 : told.index(cut)] in {" ", ".", "。"}, cut


@pytest.mark.parametrize("said", ["没有药物过敏史。谢谢！", "谢谢！没有药物过敏史。"])
def test_summarise_answer_without_its_thanks(said):
    dialogue = [Line("assistant", "您有慢性病吗？"), Line("user", said), Line("user", ALLERGY)]
    assert "谢谢" not in summarise(dialogue, limit_chars=27)


@given(st.lists(lines, max_size=12), st.integers(-5, 200), st.sampled_from(["zh", "en"]))
def test_summarise_any_dialogue_is_verbatim_in_order_and_within_the_limit(dialogue, limit_chars, locale):
    summary = summarise(dialogue, limit_chars=limit_chars, locale=locale)
    assert len(summary) <= max(0, limit_chars)
    assert summary == summarise(dialogue, limit_chars=limit_chars, locale=locale)
    sources = [line.text for line in dialogue]
    for prefix, said in spoken(summary):
        assert prefix.split("(")[0] in {"用户", "User", "AI", "工具", "Tool"}
        for sentence in split_sentences(said):
            bare = sentence.text.rstrip("；;")  # the summary joins unended sentences with these
            assert any(bare in source for source in sources)


@given(st.lists(st.builds(Line, st.sampled_from(["user", "assistant"]), st.text(max_size=80))), st.integers(-2, 90))
def test_summarise_any_text_at_all_holds_the_limit(dialogue, limit_chars):
    assert len(summarise(dialogue, limit_chars=limit_chars)) <= max(0, limit_chars)


@given(st.lists(lines, max_size=12), st.integers(0, 200))
def test_summarise_any_dialogue_drops_no_statement_of_safety_for_anything_else(dialogue, limit_chars):
    summary = summarise([*dialogue, Line("user", ALLERGY)], limit_chars=limit_chars)
    if ALLERGY.rstrip("。") not in summary:
        said = [sentence.text for _, text in spoken(summary) for sentence in split_sentences(text)]
        assert all(safety_kinds_of(sentence) or is_bare_answer(sentence) for sentence in said)


def test_summarise_takes_time_linear_in_the_number_of_messages():
    def dialogue(messages):
        said = [f"我头痛{n}天了，体温38.5度，建议多喝水。" for n in range(messages)]
        return [Line("user" if n % 2 else "assistant", text) for n, text in enumerate(said)]

    assert_grows(lambda lines: summarise(lines, limit_chars=600), dialogue, 4_000)


@pytest.mark.parametrize("piece", ["1", "?", "1, ", "过敏", "a b "])
def test_summarise_hostile_message_takes_linear_time(piece):
    def summary(text):
        assert len(summarise([Line("user", text)], limit_chars=600)) <= 600

    assert_grows(summary, lambda pieces: piece * pieces + "a", 40_000)


@pytest.mark.parametrize(
    "sentence",
    [
        "我对青霉素过敏",
        "没有药物过敏史",
        "有高血压十年",
        "去年做过阑尾炎手术",
        "我怀孕三个月了",
        "我一直在吃降压药",
        "目前没有服用任何药物",
        "过敏史：青霉素",
        "我不想活了",
        "No known allergies",
        "I'm allergic to nuts",
        "My mother has diabetes",
        "I take metformin 500 mg twice daily",
        "she is 20 weeks pregnant",
        "PMH: HTN, T2DM",
        "I had my appendix out",
    ],
)
def test_is_safety_fact_or_its_denial_is_one(sentence):
    assert safety_kinds_of(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["头痛三天", "天气很好", "可以吃布洛芬吗", "建议服用布洛芬", "I like tea", "You should take ibuprofen", ""],
)
def test_is_safety_symptom_advice_or_small_talk_is_none(sentence):
    assert not safety_kinds_of(sentence)


def test_merge_different_summaries_keeps_both_in_order():
    assert merge_summaries("用户头痛10天", "第二次摘要", limit_chars=600) == "用户头痛10天\n第二次摘要"


@pytest.mark.parametrize(
    ("previous", "new", "expected"),
    [
        ("", "", ""),
        ("头痛", "", "头痛"),
        ("", "头痛", "头痛"),
        ("头痛三天。爱喝茶。", "头痛三天！没有发烧。", "爱喝茶。\n头痛三天！没有发烧。"),
        ("头痛三天", "用户: 昨天起头痛三天，没有发烧", "用户: 昨天起头痛三天，没有发烧"),
        ("体温38", "体温38.5度", "体温38\n体温38.5度"),
    ],
)
def test_merge_says_nothing_twice(previous, new, expected):
    assert merge_summaries(previous, new, limit_chars=600) == expected


@pytest.mark.parametrize(
    ("previous", "new"),
    [
        ("对青霉素过敏", "患者否认对青霉素过敏"),
        ("allergic to penicillin", "Patient is not allergic to penicillin"),
        ("对青霉素过敏", "是否对青霉素过敏不详"),
    ],
)
def test_merge_denial_does_not_replace_the_statement(previous, new):
    assert merge_summaries(previous, new, limit_chars=600) == f"{previous}\n{new}"


def test_merge_same_summary_again_changes_nothing():
    summary = summarise(CONSULTATION, limit_chars=600)
    assert merge_summaries(summary, summary, limit_chars=600) == summary


def test_merge_over_the_limit_drops_the_least_of_the_previous_first():
    previous = "对青霉素过敏。头痛三天，很严重。爱看书。"
    new = "建议周一复查。"
    assert merge_summaries(previous, new, limit_chars=26) == "对青霉素过敏。头痛三天，很严重。\n建议周一复查。"
    assert merge_summaries(previous, new, limit_chars=20) == "对青霉素过敏。\n建议周一复查。"


def test_merge_new_is_cut_only_for_safety_or_when_alone_too_long():
    assert merge_summaries("爱看书。", "建议周一复查。", limit_chars=7) == "建议周一复查。"
    assert merge_summaries("对青霉素过敏。", "头痛三天。今天有雨。", limit_chars=13) == "对青霉素过敏。\n头痛三天。"
    assert merge_summaries("", "头痛三天。今天有雨。", limit_chars=6) == "头痛三天。"


def test_merge_free_text_keeps_items_under_their_heading():
    previous = "## Allergies\n\n- penicillin\n- sulfa\n\n## Notes\n- reads a lot of books\n- likes tea"
    merged = merge_summaries(previous, "Feels better.", limit_chars=52)
    assert merged == "## Allergies\n- penicillin\n- sulfa\nFeels better."
    assert "## Notes\n- likes tea" in merge_summaries(previous, "Feels better.", limit_chars=75)


def test_merge_answer_keeps_its_question():
    previous = "AI: 有药物过敏吗？\n用户: 没有\n用户(Chen): 我爱喝茶。"
    assert merge_summaries(previous, "AI: 建议休息。", limit_chars=30) == (
        "AI: 有药物过敏吗？\n用户: 没有\nAI: 建议休息。"
    )


def test_merge_allergy_survives_any_number_of_merges():
    summary = summarise([Line("user", ALLERGY)], limit_chars=120)
    for day in range(200):
        dialogue = [
            Line("user", f"第{day}天头痛{day}次，体温38.{day}度，我每天吃降压药{day}片。"),
            Line("assistant", f"建议{day}天后复查，多喝水，注意休息，必要时去医院做检查。"),
        ]
        summary = merge_summaries(summary, summarise(dialogue, limit_chars=120), limit_chars=120)
        assert ALLERGY in summary
        assert len(summary) <= 120


@given(messages, messages, st.integers(0, 120))
def test_merge_any_texts_holds_the_limit_and_prefers_safety(previous, new, limit_chars):
    merged = merge_summaries(previous, new, limit_chars=limit_chars)
    assert len(merged) <= limit_chars
    lost = {
        sentence.text
        for text in (previous, new)
        for sentence in split_sentences(text)
        if safety_kinds_of(sentence.text)
        and "，" not in sentence.text  # of those the clauses that state nothing may go
        and normalise(sentence.text) not in normalise(merged)
    }
    if lost:
        kept = [sentence.text for sentence in split_sentences(merged)]
        assert all(safety_kinds_of(sentence) or is_bare_answer(sentence) for sentence in kept)


@given(st.text(max_size=200), st.text(max_size=200), st.integers(-2, 300))
def test_merge_any_free_text_holds_the_limit_and_keeps_a_fitting_new_in_full(previous, new, limit_chars):
    merged = merge_summaries(previous, new, limit_chars=limit_chars)
    assert len(merged) <= max(0, limit_chars)
    if len(new.strip()) <= limit_chars and not any(safety_kinds_of(s.text) for s in split_sentences(previous)):
        assert merged.endswith(new.strip())
