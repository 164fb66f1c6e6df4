"""What a MemUnit is about, as whole phrases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.extraction.summary.subject import subject_of


@pytest.mark.parametrize(
    ("texts", "subject"),
    [
        (["您好，我头痛三天了。", "体温38.5"], "我头痛三天了"),
        (["医生您好，女，28岁，最近总是心慌，想问问怎么回事？"], "女，28岁，最近总是心慌，想问问怎么回事？"),
        (["你好", "在吗", "孩子发烧了"], "孩子发烧了"),
        (["Hi doctor, my knee hurts when I climb stairs."], "my knee hurts when I climb stairs"),
        (["Hello!", "yes", "I'd like to move my appointment"], "I'd like to move my appointment"),
        (["谢谢", "好的"], "谢谢"),
        (["头痛，" + "很久了，" * 30], "头痛" + "，很久了" * 14),
        (["a" * 100], "a" * 59 + "…"),
        (["word " * 40], "word " * 10 + "word…"),
        ([""], ""),
        ([], ""),
    ],
)
def test_subject_is_the_first_whole_phrase_that_says_something(texts: list[str], subject: str) -> None:
    assert subject_of(texts, 60) == subject


@given(st.lists(st.text(max_size=200), max_size=4))
def test_subject_is_never_longer_than_it_may_be_and_stands_in_what_was_said(texts: list[str]) -> None:
    subject = subject_of(texts, 60)
    assert len(subject) <= 60
    assert any(subject.removesuffix("…") in text for text in texts) or subject == ""
