"""Sentences that stand alone, made of what a user said in a session."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that needs no context: of the messages `seqs`, whose words it is made of are `quotes`."""

    text: str
    seqs: Sequence[int]
    quotes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Statements:
    """All of a session. `skipped`: of messages in no statement, why; `partly`: of those with a sentence in none.

    Reasons: "question", "command", "public", "small_talk", "unresolved" (somebody is only pointed at) and "empty".
    """

    statements: Sequence[Statement] = ()
    skipped: Mapping[int, str] = field(default_factory=dict)
    partly: Mapping[int, str] = field(default_factory=dict)
