"""What is read of every message, whatever is held, costs no more than its length: laughs, yeses, commas, thanks."""

import pytest

from memory.extraction.endings.answered import BY_ANSWER
from memory.extraction.endings.reading import may_end
from memory.extraction.life.reading import read_life
from memory.model.extraction import Dialogue, Said
from tests.growth import assert_grows

SIGNS = ("哈", "嗯", "谢谢", "，", "对", "从一起", "yes ", "no, ", "the ", "，嗯", "9 days ")


@pytest.mark.parametrize("sign", SIGNS)
def test_a_message_of_one_sign_costs_what_its_length_does(sign: str) -> None:
    def read(text: str) -> None:
        may_end(Dialogue([Said(1, "user", own=True, text=text, at_ms=0)], "user", "zh"), [])
        for words in BY_ANSWER:
            words.search(text)
        read_life(text, "")

    assert_grows(read, lambda size: sign * size, 400, at_most=20)
