"""Labels are embedded once, as long as they are kept."""

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from memory.consolidation.upkeep import label_vectors
from memory.consolidation.upkeep.label_vectors import LabelVectors


class Counting:
    """An embedder whose vector of a text is its length, and that counts what it is asked for."""

    space, dimension = "lengths", 1

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def passages(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        self.asked += texts
        await asyncio.sleep(0)
        return [np.array([len(text)], np.float32) for text in texts]

    async def queries(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return await self.passages(texts)

    async def close(self) -> None:
        """Nothing to close."""


async def test_each_label_is_embedded_once_and_has_its_row() -> None:
    embedder = Counting()
    kept = LabelVectors(embedder)
    labels = ["a", "bb", "a", "ccc", *("d" * number for number in range(4, 200))]
    assert (await kept.of(labels))[:, 0].tolist() == [len(label) for label in labels]
    assert sorted(embedder.asked) == sorted(set(labels))
    assert (await kept.of(["bb", "new one", "a"]))[:, 0].tolist() == [2, 7, 1]
    assert embedder.asked[-1] == "new one"
    assert len(embedder.asked) == len(set(labels)) + 1


async def test_what_was_asked_for_least_lately_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_vectors, "KEPT_MAX", 3)
    embedder = Counting()
    kept = LabelVectors(embedder)
    for label in ("a", "bb", "ccc", "a", "dddd"):
        await kept.of([label])
    embedder.asked.clear()
    for label in ("a", "ccc", "dddd", "bb"):
        await kept.of([label])
    assert embedder.asked == ["bb"]


async def test_those_who_ask_at_once_push_nothing_out_of_each_others_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(label_vectors, "KEPT_MAX", 2)
    kept = LabelVectors(Counting())
    asked = [["a" * (start + number) for number in range(1, 5)] for start in range(20)]
    for labels, rows in zip(asked, await asyncio.gather(*map(kept.of, asked)), strict=True):
        assert rows[:, 0].tolist() == [len(label) for label in labels]
