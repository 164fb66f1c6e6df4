"""What reads a user's text takes time linear in its length, whatever the text is."""

import pytest

from memory.extraction.rules_mind import extract
from memory.extraction.summary.exchange import Line
from memory.extraction.summary.writing import merge_summaries, summarise
from memory.language.coreference.resolving import Utterance, resolve
from memory.model.extraction import Dialogue, Said
from memory.privacy.identifiers import find_identifiers
from memory.retrieval.plan import plan, timed
from tests.growth import assert_grows

CHARS = 6_000
PIECES = [
    *(
        "半",
        "1",
        "a",
        "A",
        "我",
        "的",
        "有",
        "是",
        ".",
        "-",
        "@",
        "、",
        "，",
        "。",
        "?",
        " ",
        "\n",
        "\u3000",
        "%",
        "（",
    ),
    *("我妈", "她说", "3月", "上周", "天天", "1:", "，我", "not ", "a.", "I ", "her ", "of ", "and ", "Anna ", "my "),
    "not a-1@我。",
]
BETWEEN = ("{}", "Mary and I have 我妈有{}x糖尿病 asthma。 She", "I met Mary{}。我妈")
"""Alone, and where neither end can be stripped."""


def extracted(text, *, alone):
    extract(Dialogue([Said(1, "user", own=True, text=text, at_ms=1_790_000_000_000)], "小明", "zh", alone=alone))


READERS = {
    "extract": lambda text: extracted(text, alone=False),
    "extract alone": lambda text: extracted(text, alone=True),
    "summarise": lambda text: summarise([Line("user", text, "")], limit_chars=600),
    "merge": lambda text: merge_summaries(text, text, limit_chars=600),
    "identifiers": find_identifiers,
    "resolve": lambda text: resolve("她有哮喘。", [Utterance("user", text)]),
    "plan": lambda text: (plan(text, ["小明"], 1_790_000_000_000), timed(text)),
}


def text_of(piece, between):
    return lambda chars: between.format((piece * chars)[:chars])


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("between", BETWEEN, ids=["alone", "between", "after a name"])
def test_reading_a_hostile_text_takes_time_linear_in_its_length(reader, between):
    for piece in PIECES:
        assert_grows(READERS[reader], text_of(piece, between), CHARS)
