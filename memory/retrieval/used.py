"""Which memories an answer rests on, by rules: a word of the memory stands in it that nobody had said. Pure.

A word that the user said may have come from there, so it is no sign; nor is one that says little. What an answer builds
on without naming it is not seen: that needs a model.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memory.language.terms import terms
from memory.language.words import common
from memory.model.extraction import Said


class Answer(NamedTuple):
    """What was answered, when (ms), the words of it that had not been said before, and the number of the message."""

    at_ms: int
    words: frozenset[str]
    seq: int


def answers_of(said: Iterable[Said]) -> list[Answer]:
    """The answers of a stretch of dialogue, each with what it says first."""
    found, known = list[Answer](), set[str]()
    for message in said:
        words = telling(message.text)
        if not message.own and words - known:
            found.append(Answer(message.at_ms, frozenset(words - known), message.seq))
        known |= words
    return found


def rests_on(answer: Answer, memory: str) -> bool:
    """Whether an answer says a word of a memory's text."""
    return not answer.words.isdisjoint(telling(memory))


def telling(text: str) -> set[str]:
    """The terms of a text that tell what it is about: of two characters and more, no number, not common."""
    return {term for term in terms(text) if len(term) > 1 and not term.isdigit() and term not in common()}


def words_of(answers: Sequence[Answer]) -> list[str]:
    """All of them, each once, in order."""
    return list(dict.fromkeys(word for each in answers for word in sorted(each.words)))
