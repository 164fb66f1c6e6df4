"""What a model at an endpoint is not shown: identifiers go out as marks, and come back as what was said.

A dialogue's are numbered (`[mobile_1]`), so that the model can tell them apart and its answer can be put right. What
goes one way only (a text to be embedded) says the kind alone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from memory.model.extraction import Dialogue, Extraction, FoundEpisode, FoundFact, Said
from memory.privacy.identifier_memory import Known, rewritten
from memory.privacy.placeholders import MARK, numbered, redacted
from memory.privacy.policy import KINDS
from memory.privacy.replacer import Note, unnoted

_LIKE_A_MARK: Final = re.compile(rf"({'|'.join(KINDS)})_([0-9]{{1,9}})", re.IGNORECASE)
_ROLES: Final = ("user", "assistant")
_LOST: Final = "a fact or event whose placeholder came back broken"


@dataclass(frozen=True, slots=True)
class Withheld:
    """The kinds of identifiers that an endpoint is not shown; `note` is told how many were not."""

    kinds: frozenset[str] = frozenset()
    note: Note = unnoted

    def text(self, text: str) -> str:
        """A text that goes one way."""
        if not self.kinds:
            return text
        spans = Known(self.kinds).spans(text)
        if spans:
            self.note(Counter(span.kind for span in spans))
        return rewritten(text, spans, lambda kind, _: redacted(kind))

    def dialogue(self, dialogue: Dialogue) -> "Hidden":
        """A dialogue that an answer comes back to."""
        return Hidden.of(dialogue, self.kinds)


@dataclass(frozen=True, slots=True)
class Hidden:
    """A dialogue in which identifiers are placeholders, and what each stands for."""

    dialogue: Dialogue
    values: Mapping[str, str]
    counts: Mapping[str, int]
    spoken: frozenset[str]
    """What looks like a placeholder in the dialogue as it was said."""

    @classmethod
    def of(cls, dialogue: Dialogue, kinds: frozenset[str]) -> "Hidden":
        """Hide these kinds. Costs what finding them costs; nothing when there are none."""
        if not kinds:
            return cls(dialogue, {}, {}, frozenset())
        return _Hiding(kinds, dialogue).hidden()

    def restored(self, found: Extraction) -> Extraction:
        """An answer about the hidden dialogue, as if the dialogue had been shown.

        A fact or event that has lost a placeholder, or made one up, is left out and counted.
        """
        if not self.values:
            return found
        facts = [self._fact(fact) for fact in found.facts]
        events = [replace(one, text=self._back(one.text), quote=self._back(one.quote)) for one in found.events]
        whole_facts = [fact for fact in facts if self._whole(fact.subject, fact.object, fact.quote)]
        whole_events = [event for event in events if self._whole(event.text, event.quote)]
        lost = len(facts) - len(whole_facts) + len(events) - len(whole_events)
        return replace(
            found,
            facts=whole_facts,
            events=whole_events,
            statements=[
                replace(one, text=self._back(one.text), quotes=[self._back(quote) for quote in one.quotes])
                for one in found.statements
            ],
            episodes=[FoundEpisode(self._back(one.participant), self._back(one.text)) for one in found.episodes],
            dropped=Counter(found.dropped) + Counter({_LOST: lost}),
            causes=[
                one._replace(cause=self._back(one.cause), effect=self._back(one.effect), quote=self._back(one.quote))
                for one in found.causes
            ],
        )

    def _fact(self, fact: FoundFact) -> FoundFact:
        back = self._back
        attributes = {name: back(text) for name, text in fact.attributes.items()}
        return replace(
            fact,
            subject=back(fact.subject),
            object=back(fact.object),
            quote=back(fact.quote),
            attributes=attributes,
        )

    def _back(self, text: str) -> str:
        return MARK.sub(lambda match: self.values.get(match[0], match[0]), text)

    def _whole(self, *texts: str) -> bool:
        return _like_marks(texts) <= self.spoken


class _Hiding:
    def __init__(self, kinds: frozenset[str], dialogue: Dialogue) -> None:
        self._kinds = kinds
        self._dialogue = dialogue
        self._known = Known(kinds)
        self._numbers: dict[tuple[str, str], str] = {}
        self._counts: Counter[str] = Counter()
        self._spoken = frozenset(_like_marks(said.text for said in dialogue.messages))
        self._next = 1 + max((int(mark.rpartition("_")[2]) for mark in self._spoken), default=0)

    def hidden(self) -> Hidden:
        dialogue = self._dialogue
        names = {said.speaker for said in dialogue.messages if said.own and said.speaker not in _ROLES}
        for name in (*sorted(names), dialogue.user_name):
            self._known.learn_name(name)
        for said in dialogue.messages:
            self._known.learn(said.text)
        messages = tuple(self._said(said) for said in dialogue.messages)
        hidden = replace(dialogue, messages=messages, user_name=self._name(dialogue.user_name))
        values = {mark: value for (_, value), mark in self._numbers.items()}
        return Hidden(hidden, values, self._counts, self._spoken)

    def _said(self, said: Said) -> Said:
        speaker = said.speaker if said.speaker in _ROLES or not said.own else self._name(said.speaker)
        return replace(said, speaker=speaker, text=self._text(said.text))

    def _name(self, name: str) -> str:
        return self._number("name", name) if name and "name" in self._kinds else self._text(name)

    def _text(self, text: str) -> str:
        return rewritten(text, self._known.spans(text), self._number)

    def _number(self, kind: str, value: str) -> str:
        self._counts[kind] += 1
        if (kind, value) not in self._numbers:
            self._numbers[kind, value] = numbered(kind, self._next)
            self._next += 1
        return self._numbers[kind, value]


def _like_marks(texts: Iterable[str]) -> set[str]:
    return {match[0].lower() for text in texts for match in _LIKE_A_MARK.finditer(text)}
