"""The texts that a memory is found by. They follow from the record, and for a passage from what was said round it.

Both ways to an index entry come through here: deriving memories from a unit, and indexing stored ones anew.
"""

from collections.abc import Mapping, Sequence

from memory.language.terms import in_context, terms
from memory.model.memory import PASSAGE_CHARS_MAX, Kind, Memory


def is_passage(memory: Memory) -> bool:
    """Whether it is one message as it was said: only those have a speaker."""
    return memory.kind is Kind.EPISODE and memory.speaker != ""


def passage_text(text: str) -> str:
    """As much of a message as a passage keeps."""
    return text[:PASSAGE_CHARS_MAX]


def own_terms(text: str) -> Sequence[str]:
    """Terms of a message by itself; costs some hundred microseconds."""
    return terms(passage_text(text))


def passage_terms(own: Mapping[int, Sequence[str]]) -> Mapping[int, Sequence[str]]:
    """Of each message of a unit by its seq: from their own terms, those with the terms of its neighbours."""
    words = list(own.values())
    return {seq: in_context(words, index) for index, seq in enumerate(own)}


def entry_terms(memory: Memory, passages: Mapping[int, Sequence[str]]) -> Sequence[str]:
    """Terms of a memory; `passages` are those of its unit. A passage whose unit is gone stands without neighbours."""
    if is_passage(memory):
        found = passages.get(memory.position)
        return in_context([terms(memory.text)], 0) if found is None else found
    if memory.kind is Kind.FACT:
        return terms(f"{memory.subject} {memory.text} {memory.object}")
    if memory.kind is Kind.LINK:  # it is found by its ends alone
        return memory.subject, memory.object
    if memory.kind is Kind.CREATED:
        return terms(f"{memory.text} {memory.source.quote}")
    return terms(memory.text)


def embed_text(memory: Memory) -> str:
    """What the vector of a memory is made of."""
    if memory.kind is Kind.CREATED:  # its sentence names its subject
        return memory.text
    who = memory.speaker if is_passage(memory) else "" if memory.kind is Kind.EPISODE else memory.subject
    return f"{who}: {memory.text}" if who else memory.text
