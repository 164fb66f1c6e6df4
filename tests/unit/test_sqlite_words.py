"""The words that SQLite keeps beside a record, against BM25 written out."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.lexical import K1, B
from memory.stores.sqlite.words import Words, counts

VOCABULARY = ["kidney", "stone", "肾", "结石", "pain", "a", "é", "38", "night", "K"]
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=30)


def written_out(texts: list[list[str]], asked: list[str]) -> list[float]:
    """BM25 as the textbook has it, with idf = ln(1 + (N - n + 0.5) / (n + 0.5))."""
    mean = max(1.0, sum(map(len, texts)) / len(texts)) if texts else 1.0
    made = []
    for text in texts:
        score = 0.0
        for word in set(asked) & set(text):
            holding = sum(word in other for other in texts)
            idf = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
            often = Counter(text)[word]
            score += idf * often * (K1 + 1) / (often + K1 * (1 - B + B * len(text) / mean))
        made.append(score)
    return made


@given(st.lists(WORDS, max_size=12), st.lists(st.sampled_from([*VOCABULARY, "zebra"]), min_size=1, max_size=12))
def test_scores_are_bm25(texts: list[list[str]], asked: list[str]) -> None:
    found = Words([counts(text) for text in texts]).scores(asked)
    assert found == pytest.approx(written_out(texts, asked), abs=1e-9)


def test_records_whose_words_are_not_kept_score_nothing() -> None:
    found = Words([b"", counts(["kidney"]), b""]).scores(["kidney"])
    assert found[1] > 0
    assert found[0] == found[2] == 0


@pytest.mark.parametrize("asked", [["night"], []])
def test_scores_without_a_hit_are_zeros_of_the_same_type(asked: list[str]) -> None:
    found = Words([counts(["kidney"]), counts(["pain"])]).scores(asked)
    assert found.dtype == np.float64
    assert found.tolist() == [0.0, 0.0]


def test_words_that_occur_too_often_to_count_still_count_as_often() -> None:
    texts = [counts(["kidney"] * 70_000), counts(["kidney"] * 10 + ["pain"] * 69_990)]
    many, fewer = Words(texts).scores(["kidney"])
    assert many > fewer > 0


def test_a_hundred_thousand_words_have_numbers_of_their_own() -> None:
    kept = np.frombuffer(counts([f"word{number}" for number in range(100_000)]), "<u8")
    assert len(np.unique(kept >> 16)) == 100_000
    assert (kept & 0xFFFF == 1).all()
