"""Whom a message speaks of, and whose words it is after."""

import pytest

from memory.language.personal import asks_what_was_answered


@pytest.mark.parametrize(
    "query",
    [
        "你建议我读哪本小说？",
        "你给我介绍过哪位教做饭的博主？",
        "你推荐过我去欧洲哪些城市？",
        "您上次给我推荐的药叫什么",
        "你们之前跟我说的复查是哪天",
        "您的建议是什么来着",
        "What did you tell me to take?",
        "what was your advice on my knee",
        "You said I should rest, for how long?",
    ],
)
def test_question_for_what_was_answered(query: str) -> None:
    assert asks_what_was_answered(query)


@pytest.mark.parametrize(
    "query",
    [
        "我跟你提过在追哪部剧？",
        "关于跳槽我都跟你说过什么？",
        "医生给我开了什么药",
        "你帮我约个复诊",
        "能给我推荐个医生吗",
        "你看我能吃头孢吗",
        "你提醒我明天吃药",
        "你安排一下复诊吧",
        "did you tolerate metformin well?",
        "do you listen to me",
        "did I tell you about my knee?",
        "What did I tell you about lunch?",
        "can you book me in",
        "I told you I'm allergic",
    ],
)
def test_question_for_what_was_told(query: str) -> None:
    assert not asks_what_was_answered(query)
