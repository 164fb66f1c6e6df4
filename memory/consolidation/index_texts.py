"""The texts that a memory is found by. They follow from the record, and for a passage from what was said round it.

Both ways to an index entry come through here: deriving memories from a unit, and indexing stored ones anew.
"""

from collections.abc import Mapping, Sequence

from memory.language.terms import in_context, terms
from memory.model.extraction import Said
from memory.model.memory import PASSAGE_CHARS_MAX, Kind, Memory


def is_passage(memory: Memory) -> bool:
    """Whether it is one message as it was said: only those have a speaker."""
    return memory.kind is Kind.EPISODE and memory.speaker != ""


def passage_text(message: Said) -> str:
    """As much of a message as a passage keeps."""
    return message.text[:PASSAGE_CHARS_MAX]


def passage_terms(messages: Sequence[Said]) -> Mapping[int, Sequence[str]]:
    """Terms of each message of a unit by its seq, with those of its neighbours."""
    words = [terms(passage_text(message)) for message in messages]
    return {message.seq: in_context(words, index) for index, message in enumerate(messages)}


def entry_terms(memory: Memory, passages: Mapping[int, Sequence[str]]) -> Sequence[str]:
    """Terms of a memory; `passages` are those of its unit. A passage whose unit is gone stands without neighbours."""
    if is_passage(memory):
        found = passages.get(memory.position)
        return in_context([terms(memory.text)], 0) if found is None else found
    if memory.kind is Kind.FACT:
        return terms(f"{memory.subject} {memory.text} {memory.object}")
    return terms(memory.text)


def embed_text(memory: Memory) -> str:
    """What the vector of a memory is made of."""
    who = memory.speaker if is_passage(memory) else "" if memory.kind is Kind.EPISODE else memory.subject
    return f"{who}: {memory.text}" if who else memory.text
