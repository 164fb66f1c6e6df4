"""What a person reads of what a verdict does."""

import pytest

from memory.model.memory import Category, Kind, Memory, Source, Type
from memory.model.review import VERDICTS, Cause
from memory.service.review_words import meant

LIKES_TEA = Memory(
    "m1", "u", Kind.FACT, Category.FACT, Type.EVENT, "tea", Source("c1", "", (1,), "i like tea"), 0, 0,
    subject="user", predicate="like", object="tea",
)  # fmt: skip


@pytest.mark.parametrize("cause", list(Cause))
def test_sentences_begin_with_a_capital(cause: Cause) -> None:
    for verdict in VERDICTS[cause]:
        assert meant(LIKES_TEA, cause, verdict, "en", "tea")[0].isupper()
