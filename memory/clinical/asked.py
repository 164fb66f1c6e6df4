"""What was asked before a message, as far as its answer needs it: its sentences, which of them ask, what they name."""

import re
from functools import cached_property
from typing import Final

from memory.clinical.languages import in_use
from memory.clinical.sketch import Sketch, simplified, sketch
from memory.language.sentences import split_sentences

_REQUESTS: Final = re.compile(
    r"请(?:您|你)?(?:列|说|提供|告知|填|讲|补充|写|选|描述|简述)|列(?:一下|出)|告诉我|说一?下"
    r"|\b(?:list|tell me|give me|name|describe|explain|state)\b"
)
"""A request is a question too."""
_OF_IT: Final = re.compile(
    r"^\W*(?:is|are|was) (?:that|this|it|these|they)(?: still| all)? (?:you|right|correct|true|so|the case|ok|okay"
    r"|accurate)\W*$"
    r"|^\W*(?:still )?(?:true|correct|right)\W*$|^\W*how(?:'s| is| are| has)? (?:it|that|things|they)\b.{0,20}$"
    r"|^\W*(?:what|which) (?:kind|type|sort|one|side|year)\W*$|^\W*(?:since )?when\W*$"
    r"|^\W*(?:现在|最近|目前|近来)?(?:还)?(?:对[吗吧不]|是[吗吧]|没错吧|怎么?样了?|好[点些]了?[吗没]|稳定吗"
    r"|还有吗|是这样[吗吧])\W*$"
)
NOTES: Final = re.compile(r"[(（][^()（）]*[)）]")
_NAMED: Final = "SDOGV"
"""Families of which a yes can tell something."""


class Question:
    """What a message answers: empty for nothing. Each part is worked out when it is first asked for, and once.

    `said`: as it was said, which is what weighing has learnt (likely.py); `text`: in simplified letters.
    """

    def __init__(self, text: str) -> None:
        self.said: Final = text
        self.text: Final = simplified(text)

    @cached_property
    def sentences(self) -> list[str]:
        """In lower case, in order."""
        return [each.text for each in split_sentences(self.text.lower())]

    @cached_property
    def asking(self) -> str:
        """The sentences that ask or request, and the one before where the last only asks whether it is so, or how.

        One that only speaks of allergies asks for none.
        """
        asks = (_REQUESTS, *(grammar.asked for grammar in in_use().grammars))
        found = [each[-1] in "?？" or any(word.search(each) for word in asks) for each in self.sentences]
        if len(found) > 1 and asks_of_what_is_said(self.sentences[-1]):
            found[-2] = True
        return " ".join(each for each, is_asking in zip(self.sentences, found, strict=True) if is_asking)

    @cached_property
    def drawn(self) -> Sketch:
        """All of it."""
        return drawn(self.text)

    @cached_property
    def noted(self) -> Sketch:
        """All of it but what stands in brackets."""
        return drawn(NOTES.sub("", self.text))

    @cached_property
    def names_medicine(self) -> bool:
        """Whether it names anything that its answer may grant by a yes."""
        return any(group.letter in _NAMED for group in self.drawn.groups.values())


def drawn(text: str) -> Sketch:
    """A part of a question, with its words of medicine."""
    return sketch(text, in_use().lexicon)


def asks_of_what_is_said(sentence: str) -> bool:
    """Whether a sentence asks about the one before it, and names nothing: is that right? How is it doing?"""
    return _OF_IT.search(sentence) is not None
