import random
from typing import Any

import pytest

from gateway.mcp.shorten import shortened, size_of

SEEDS = range(40)


def tree(random_: random.Random, depth: int) -> Any:
    kind = random_.randrange(6) if depth else random_.randrange(3)
    if kind == 0:
        return random_.randrange(10**6)
    if kind <= 2:
        return "字" * random_.choice([0, 5, 300, 5000])
    size = random_.choice([0, 3, 60])
    if kind == 3:
        return {f"k{i}": tree(random_, depth - 1) for i in range(min(size, 8))}
    return [tree(random_, depth - 1) for _ in range(size)]


def shape(value: Any) -> Any:
    """Its types and keys; lists by the types of what is in them."""
    if isinstance(value, dict):
        return {key: shape(part) for key, part in value.items()}
    return list if isinstance(value, list) else type(value)


def test_what_fits_after_a_mild_cut_keeps_what_is_short() -> None:
    value = {"mode": "FULL", "history": "头" + "x" * 9_000 + "尾", "safety": ["青霉素"] * 5}
    short = shortened(value, 6_000)
    assert short is not None
    assert (short["mode"], short["safety"]) == (value["mode"], value["safety"])
    assert short["history"].startswith("头")
    assert short["history"].endswith("尾")
    assert " […6002…] " in short["history"], "it says how many characters are gone"


def test_lists_lose_their_middle_when_texts_are_not_enough() -> None:
    short = shortened({"turns": list(range(5_000))}, 2_000)
    assert short is not None
    turns = short["turns"]
    assert turns == [*range(len(turns) // 2), *range(5_000 - len(turns) // 2, 5_000)]
    assert len(turns) >= 200, "the mildest cut that fits"


def test_what_cannot_be_shortened_is_not() -> None:
    assert shortened({f"key {i}": i for i in range(10_000)}, 2_000) is None


@pytest.mark.parametrize("seed", SEEDS)
def test_any_value_fits_in_its_shape_or_not_at_all(seed: int) -> None:
    random_ = random.Random(seed)
    value = {f"field{i}": tree(random_, 3) for i in range(6)}
    limit = random_.choice([2_000, 10_000, 100_000])
    short = shortened(value, limit)
    if short is not None:
        assert size_of(short) <= limit
        assert {key: shape(part) is list or type(part) for key, part in short.items()} == {
            key: shape(part) is list or type(part) for key, part in value.items()
        }
