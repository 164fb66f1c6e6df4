"""What holds instead of what a judge takes back: only what was said, and a dose for a dose."""

import pytest

from memory.consolidation.corrections import believed
from memory.model.extraction import Correction, Said
from memory.model.memory import Category, Kind, Memory, Source, Type


def right_of(held: str, said: str, right: str) -> str:
    memory = Memory(
        memory_id="m", user_id="u", kind=Kind.FACT, category=Category.FACT, type=Type.FACT, text=held,
        source=Source("before", "unit", (1,), held), occurred_ms=1, recorded_ms=1, subject="user",
        predicate="medication", object=held,
    )  # fmt: skip
    message = Said(3, "user", own=True, text=said, at_ms=2)
    (decision,), refused = believed(
        [Correction(0, 3, said, right)], [memory], [message], frozenset({"user"}), "a judge"
    )
    assert not refused
    assert decision.quote == said
    return decision.right


@pytest.mark.parametrize(
    ("held", "said", "right", "becomes"),
    [
        ("sertraline 100 mg", "we went up to 150 mg", "150 mg", "sertraline 150 mg"),
        ("舍曲林 50mg", "上周减到25mg了", "25mg", "舍曲林 25mg"),
        ("sertraline 100 mg", "stopped it 3 weeks ago", "3", ""),
        ("sertraline 100 mg", "now it is 5 ml of something", "5 ml", ""),
        ("aspirin 81 mg", "now I take 2 a day", "2", ""),
        ("vitamin B12", "three of them, 3 a day", "3", ""),
        ("insulin glargine U100", "it is 20 units now", "20 units", ""),
        ("布洛芬每天3次", "现在一次2片", "2片", ""),
        ("aspirin 81 mg", "it is clopidogrel now", "clopidogrel", "clopidogrel"),
        ("aspirin 81 mg", "it is clopidogrel now", "Clopidogrel", "clopidogrel"),
        ("aspirin 81 mg", "it is clopidogrel now", "warfarin", ""),
        ("aspirin", "no aspirin any more", "aspirin", ""),
    ],
)
def test_what_holds_instead_is_what_was_said(held: str, said: str, right: str, becomes: str) -> None:
    assert right_of(held, said, right) == becomes
