"""Users who never were, with memories as a finalisation would store them: Chinese and English, drawn from a seed.

Words follow Zipf's law over 3,000 of each language: common ones from a list, then made-up ones, as names and places
are. Terms are cut and put into their context by the product. Vectors are random, of length 1; a question's is near
that of the message it asks about. The same seed and number give the same user again, so that none is kept.
"""

import functools
import itertools
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from benchmarks.texts import WORDS as WORDS_ZH
from benchmarks.texts import common_characters
from memory.consolidation.derive import flags
from memory.language.terms import in_context, terms
from memory.model.memory import Category, Kind, Memory, Source, Type, memory_id
from memory.model.search import IndexEntry, Vector
from memory.scope import ConversationScope, UserScope

TENANT: Final = "benchmark"
DIMENSION: Final = 384
NOW_MS: Final = 1_760_000_000_000
MESSAGES_PER_UNIT: Final = 20
_VOCABULARY: Final = 3_000
_MINUTE_MS: Final = 60_000
_UNIT_MS: Final = 86_400_000
_CLOSENESS: Final = 0.6
_SYLLABLES: Final = ("ba", "den", "fir", "gol", "hum", "jal", "kest", "lor", "mint", "nev", "pol", "quar", "ros", "tam")
_WORDS_EN: Final = Path(__file__).with_name("words_en.txt").read_text(encoding="utf-8").split()
_SPEAKERS: Final = {"zh": ("user", "assistant"), "en": ("Ann", "Bob")}
_TOLD: Final = {
    "zh": (
        "我对青霉素过敏。",
        "我住在杭州。",
        "我养了一只叫豆豆的猫。",
        "我昨天去了北京。",
        "我喜欢打羽毛球。",
        "我女儿今年六岁。",
    ),
    "en": (
        "I am allergic to penicillin.",
        "I live in Boston.",
        "I have a dog called Rex.",
        "Yesterday I went to the lake.",
        "I love pottery.",
        "My daughter turned six last week.",
    ),
}
LANGUAGES: Final = tuple(_TOLD)


class Person(NamedTuple):
    """A user, and what is remembered of it."""

    scope: UserScope
    entries: Sequence[IndexEntry]


class Asked(NamedTuple):
    """A question to a user's memories, and its vector."""

    scope: UserScope
    text: str
    vector: Vector


def utterances(rng: random.Random, language: str, count: int) -> list[str]:
    """What two people say in turn; now and then something that becomes a fact or an event."""
    return [
        rng.choice(_TOLD[language]) if rng.random() < 0.15 else _sentence(rng, language, rng.randint(8, 20))
        for _ in range(count)
    ]


def language_of(number: int) -> str:
    """Half of the users speak Chinese, half English."""
    return LANGUAGES[number % len(LANGUAGES)]


def person(seed: int, number: int, memories: int) -> Person:
    """User `number` with so many memories, all recorded at NOW_MS."""
    rng = random.Random(f"person:{seed}:{number}")
    language, scope = language_of(number), UserScope(TENANT, f"user-{number}")
    texts = utterances(rng, language, memories)
    words = [terms(text) for text in texts]
    vectors = _directions(np.random.default_rng((seed, number)), memories)
    entries = []
    for index, text in enumerate(texts):
        memory = _passage(scope, language, index, text)
        start = index - index % MESSAGES_PER_UNIT
        unit = words[start : start + MESSAGES_PER_UNIT]
        entries.append(IndexEntry(memory, in_context(unit, index - start), vectors[index], *flags(memory)))
    return Person(scope, entries)


def question(seed: int, number: int, memories: int, drawn: int) -> Asked:
    """A question about one message of user `number`, in some of its words. `drawn` tells questions apart."""
    rng = random.Random(f"question:{seed}:{number}:{drawn}")
    known = person(seed, number, memories)
    about = rng.choice(known.entries)
    language = language_of(number)
    words = about.memory.text.rstrip(".。").split(" " if language == "en" else "，")
    some = rng.sample(words, min(len(words), 4 if language == "en" else 1))
    text = f"What did Ann say about {' '.join(some)}?" if language == "en" else f"我之前说的{some[0]}是什么时候？"
    noise = _directions(np.random.default_rng((seed, number, drawn)), 1)[0]
    near = _CLOSENESS * (about.vector if about.vector is not None else noise) + (1 - _CLOSENESS) * noise
    return Asked(known.scope, text, (near / np.linalg.norm(near)).astype(np.float32))


def _passage(scope: UserScope, language: str, index: int, text: str) -> Memory:
    unit = index // MESSAGES_PER_UNIT
    conversation = f"{scope.user}-{unit}"
    seq = index % MESSAGES_PER_UNIT + 1
    occurred_ms = NOW_MS - _UNIT_MS * (unit + 1) + _MINUTE_MS * seq
    return Memory(
        memory_id=memory_id(ConversationScope(TENANT, conversation), scope.user, (seq,), Kind.EPISODE, text),
        user_id=scope.user,
        kind=Kind.EPISODE,
        category=Category.EPISODE,
        type=Type.EVENT,
        text=text,
        source=Source(conversation, f"unit-{conversation}", (seq,), text),
        occurred_ms=occurred_ms,
        recorded_ms=NOW_MS,
        speaker=_SPEAKERS[language][index % 2],
        position=seq,
    )


def _sentence(rng: random.Random, language: str, length: int) -> str:
    words, weights = _vocabulary(language)
    drawn = rng.choices(words, cum_weights=weights, k=length)
    if language == "en":
        return " ".join(drawn).capitalize() + "."
    clauses = ("".join(drawn[start : start + 5]) for start in range(0, length, 5))
    return "，".join(clauses) + "。"


@functools.cache
def _vocabulary(language: str) -> tuple[list[str], list[float]]:
    """Words, commonest first, and their cumulated weights."""
    rng = random.Random(f"vocabulary:{language}")
    head = WORDS_ZH if language == "zh" else _WORDS_EN
    make = _made_up_zh if language == "zh" else _made_up_en
    tail = [make(rng) for _ in range(_VOCABULARY - len(head))]
    weights = itertools.accumulate(1 / (8 + place) for place in range(_VOCABULARY))
    return [*head, *tail], list(weights)


def _made_up_zh(rng: random.Random) -> str:
    signs = common_characters()
    return "".join(signs[int(len(signs) * rng.random() ** 2)] for _ in range(2))


def _made_up_en(rng: random.Random) -> str:
    return "".join(rng.choices(_SYLLABLES, k=rng.randint(2, 3)))


def _directions(rng: np.random.Generator, count: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    drawn = rng.standard_normal((count, DIMENSION))
    directions: np.ndarray[tuple[int, int], np.dtype[np.float32]] = (
        drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    ).astype(np.float32)
    return directions
