"""Words of medicine with one letter wrong."""

import pytest

from memory.clinical.languages import in_use
from memory.clinical.safety import read_safety
from memory.clinical.typing_errors import TypingErrors

NAMES = {
    "asthma": "asthma",
    "epilepsy": "epilepsy",
    "penicillin": "penicillin",
    "statin": "statin",
    "statins": "statin",
}


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("asthama", "asthma"),  # a letter too many
        ("epilesy", "epilepsy"),  # one missing
        ("epilepsi", "epilepsy"),  # another
        ("epilespy", "epilepsy"),  # two exchanged
        ("penicillim", "penicillin"),
        ("epilepsy", ""),  # spelt right
        ("epylepsi", ""),  # two errors
        ("tpilepsy", ""),  # the first letter
        ("asthm", ""),  # too short
        ("station", ""),  # another word
        ("", ""),
    ],
)
def test_one_letter_may_be_wrong_in_a_long_word(typed: str, meant: str) -> None:
    assert TypingErrors(NAMES, ("station",)).meant(typed) == meant


def test_what_may_mean_two_things_means_none() -> None:
    errors = TypingErrors({"cartalin": "a", "cartalix": "b"})
    assert errors.meant("cartaliz") == ""
    assert TypingErrors({"cartalin": "a", "cartalix": "a"}).meant("cartaliz") == "cartalin"


def test_a_mistyped_disease_is_read_under_its_name_with_the_words_that_were_said() -> None:
    (found,) = read_safety("ive had asthama all my life")
    assert (found.kind, found.text, found.quote) == ("disease", "asthma (asthama)", "ive had asthama all my life")


@pytest.mark.parametrize(
    "word", ["hearing", "creative", "program", "station", "glasses", "ability", "contract", "starting"]
)
def test_common_words_are_no_mistyped_medicines(word: str) -> None:
    assert in_use().lexicon.mentions(f"i love my {word} here") == []
