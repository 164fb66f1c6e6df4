"""A message while it is read: whether a word of medicine is so, whose it is, and how a reader is told of it."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from memory.clinical.asked import Question
from memory.clinical.findings import ALLERGY, ANYTHING, BREAST_FEEDING, SURGERY, Finding
from memory.clinical.grammar import Grammar
from memory.clinical.lexicon import Mention
from memory.clinical.likely import Likely
from memory.clinical.people import OTHER, USER, People, asked_about
from memory.clinical.sketch import LETTERS, Clause, Group, Sketch, is_drawn, pattern
from memory.language.noise import without_noise

NEAR: Final = 80
"""Letters of a sketch around a word that are looked at."""
MARKS: Final = " \t\n，,。;；.!！?？、:：“”\"'"
EDGE: Final = MARKS + "()（）的了类药物是"
"""What stands around a word and says nothing."""
_NAMING: Final = "SDO"
"""Families of which one is said to be so, or to have proved wrong."""
_DOUBT_NEAR: Final = 24
_UNKNOWN_MAX: Final = 16
_ALL_OF_THEM: Final = re.compile(
    r"\s*(?:这[两三几])?[种个]?(?:药)?(?:已经|现在|后来)?(?:都|全)|\s*(?:are|were|have)?\s?(?:both|all)\b"
)
"""Right behind a list: what is said is of each of it."""
_COMMA: Final = re.compile(r"[，,;；。]")
_SPLIT: Final = re.compile(r"[、，,;；/]|\band\b|\bor\b|和|及|以及|还有|跟|与")
_NO_NAME: Final = re.compile(
    r"\d|^[a-z]\W*$|^(?:(?:啥|什么|样样)?都?能|会|就|没|挺|还|爱|嫌|不[爱吃喝挑]|可以|从来|一直)|^(?:yes|yeah|yep"
    r"|yup|right|correct|ok(?:ay)?|sure"
    r"|是的?|对的?|嗯+)\W*$"
    r"|两个都|neither|弄错|搞错|写错|不是我|同名|另一个|那个$|^[前后]面|^第.个|晓得|知道|清楚|试过|确定|记得|注意"
    r"|不详|之前|以前"
    r"|最近|现在|就是|可能|时候|时间|[轻中重]度|昨|今|小时|多久"
    r"|会不会|原因|阴性|期$|^(?:什么|啥|这个|那个|任何|某些|所有|它|他|她|你|我|一切|东西|药|药物|食物|其他"
    r"|其它|没有|无|不|都|很多|一些|有|谁|哪|其中|这|那"
    r"|it|on|off|out|them|this|that|anything|everything|something|things|lots|any|what|which|everyone|some|all"
    r"|nothing|so|you|me"
    r"|.*\bnegative|be|being|my|the|work|people|certain|many|most|both|of|no|none|a|an|i|awful|terrible|horrible"
    r"|bad|worse|worst"
    r"|really|playing|acting|getting|killing|driving|flaring|back|gone|mild|severe)\b"
)
_NO_ANSWER: Final = re.compile(
    r"^(?:not|still|sadly|unfortunately|unsure|dunno|don'?t|do not|can'?t|cannot|couldn'?t|no idea|let me|give me"
    r"|hang on|hold on|wait|just"
    r"|forgot|i'?ve|i'?d|i'?m|i'?ll|sorry|depends|why|how|one (?:moment|mo|sec)|(?:a )?(?:few|couple)|several|loads"
    r"|plenty|various)\b|^(?:maybe|perhaps|probably|possibly)\W*$"
    r"|^(?:yes|yeah|yep|yup|right|correct|sure) (?:it|i|that|they|we|he|she|there|for|of)\b"
    r"|^[对是嗯的啊呀呢哦没错]+$|记不|忘|说不|不好说|稍等|^等(?:等|一?下|会|$)|^[查看问翻](?:一?下|问|看|查)"
    r"|好像(?:[有是没])?$|^(?:好|有)[几一]|挺多|不少"
)
"""An answer that names nothing: it puts off, counts, or only says yes."""
_OF_THE_NEXT: Final = pattern(r"(?: the| some| my)? ?<S>")
"""Behind words that something may be had: they are of what stands there."""
_MAY_BE_HAD: Final = re.compile(
    r"(?:类|药|针)?(?:我|都|倒|是|还)*(?:(?:可以|能|敢)(?:再)?(?:吃|用|打|喝|碰)(?:的|了)?(?![吗么不])"
    r"|可以(?=[，。,.！!]|$))"
    r"|'?s? (?:is |are )?(?:fine|ok(?:ay)?)\b|,? i can (?:have|take|eat)\b"
)
"""Right behind a substance: it is borne."""
_LIKED: Final = re.compile(
    r"刚(?:刚|才)?(?:吃|喝|用)[了过]|\bjust (?:had|ate|eaten) (?:an? |some )?$|(?:最?爱|喜欢|天天|[经时常]常"
    r"|一直|每天)(?:都|在)?[吃喝用戴]$"
    r"|\bi (?:\w+ )?(?:love|like|adore|eat|drink|wear|live on) (?:my |the |some |all )?$"
)
"""Before a substance: it is had, and gladly."""
_INSTEAD: Final = re.compile(r"(?:用|换成?|改用?|擦|吃)$|\b(?:use|give me|have) $")
_INSTEAD_AFTER: Final = re.compile(r"(?:来)?(?:吧|就行|就好|代替|好了)|s? instead\b")
"""Before and behind a substance: it is to be had for another."""
_DECLINED: Final = re.compile(r"s? (?:ever again|for me|please|pls|thanks?|thank you|ever|again)\b")
"""Right behind a substance: it is not to be given, which is no denial."""
_NONE_OF_THEM: Final = re.compile(
    r"\b(?:neither (?:i|me|myself|he|she|(?:my|his|her|our) \w+) nor (?:i|me|myself|he|she|(?:my|his|her|our) \w+)"
    r"|(?:none|neither) of (?:us|them|(?:my|his|her|our) \w+))"
    r"(?: (?:is|are|am|was|were|has|have|had|got|ever|been|known|any|an?|all?ergic|to|with|of|all?ergy|all?ergies))* $"
)
"""Before what several people are said not to have."""
_GROUNDS: Final = re.compile(r"\b(?:because|cos|coz|as i|since i)\b|因为")
"""What is doubted before it is something else."""
_OF_A_PATIENT: Final = re.compile(
    r"的是(?:我(?!自己|本人)|他|她|你)|的(?:女儿|儿子|闺女|妈妈?|爸爸?|母亲|父亲|老婆"
    r"|老公|妻子|丈夫|家属|家人|孙[子女])"
    r"|s? (?:allergy )?(?:was|is) (?:my|his|her) \w+(?:'s|s')"
)
"""Behind a disease: it is somebody's of whom the speaker is a relative."""
_NAMES: Final = re.compile(
    rf"(?:[{''.join(LETTERS.values())}\W\d]|\b(?:and|or|the|some)\b|[和跟或还有与])+", re.IGNORECASE
)
_VACCINES: Final = re.compile(r"vaccin|\bjabs?\b|immuni[sz]|疫苗|接种|预防针")
"""A question for what somebody was vaccinated against: what it names is not had."""
_NO_ALLERGY: Final = re.compile(r"过敏|阴性|all?erg")
_OPENED: Final = re.compile(r"^.*[(（](?=[^)）]*$)", re.DOTALL)
_BIRTH: Final = re.compile(r"剖|c-section|c section|caesarean|cesarean", re.IGNORECASE)
_SUCKLING: Final = re.compile(
    r"^(?:我|我家|我们家)?的?(?:娃娃?|宝宝?|宝贝|孩子|小孩|婴儿|新生儿|bb|大宝|二宝)$"
    r"|\b(?:baby|twins?|little one|month[- ]old|mo)$"
)
_CHILD: Final = re.compile(r"娃|孩|宝|儿|闺女|老大|老二|kid|child|bab|son|daughter|twin|one")


class Reading:
    """One text by one grammar. Places are those of its sketch."""

    def __init__(
        self, sketch: Sketch, grammar: Grammar, grammars: Sequence[Grammar], question: Question, about: str = USER
    ) -> None:
        """`grammars`: all, as what one language says may be retracted in another. `question`: what the text answers.

        `about`: who is spoken of where nobody is named, and the question names nobody.
        """
        self.sketch = sketch
        self.grammar = grammar
        self.question = question
        self.drawn = sketch.drawn
        self.taken: set[int] = set()
        """Where groups are drawn that a frame has used up: an allergen is no medication."""
        self.answered: set[tuple[str, str]] = set()
        """Kind and name of what the question says and the text only says yes to: how it sounds decides nothing."""
        self.left_open: set[str] = set()
        """Substances and diseases about which a person is to decide, however it sounds."""
        self.sounds = Likely(sketch, question.said)
        self._about = about
        self._grammars = grammars
        self._asking: dict[int, bool] = {}

    @cached_property
    def written(self) -> Sequence[Grammar]:
        """The languages of which there is anything in the text."""
        return [each for each in self._grammars if each.written.search(self.sketch.lowered)]

    @cached_property
    def people(self) -> People:
        """Who is spoken of."""
        asked = asked_about(self.question.text, self.sketch.lowered, self._grammars) if self.question.text else USER
        return People(self.sketch, self.grammar, self._about if asked == USER else asked)

    @cached_property
    def harms(self) -> Sequence[re.Match[str]]:
        """What the body did, told as a part and its harm."""
        return list(self.grammar.harm.finditer(self.drawn))

    @cached_property
    def _beside(self) -> Sequence[re.Pattern[str]]:
        """How the other languages are written of which there is anything in what is drawn."""
        others = [each.written for each in self._grammars if each is not self.grammar]
        return [written for written in others if written.search(self.drawn)]

    @cached_property
    def _retractions(self) -> Sequence[tuple[int, int]]:
        """Where something says that what follows in its sentence is supposed, or read somewhere."""
        words = (each for grammar in self.written for each in (grammar.reported, grammar.supposed))
        return sorted(found.span() for each in words for found in each.finditer(self.drawn))

    @cached_property
    def _overturnings(self) -> Sequence[tuple[int, int]]:
        """Where something says that what stands before it proved wrong."""
        return [found.span() for found in self.grammar.overturned.finditer(self.drawn)]

    @property
    def is_name(self) -> bool:
        """Whether the text is a word of medicine and nothing else."""
        return len(self.drawn.strip(EDGE)) <= 1

    @property
    def is_names(self) -> bool:
        """Whether the text is words of medicine and nothing else but what joins them."""
        return _NAMES.fullmatch(self.drawn) is not None

    @property
    def is_of_vaccines(self) -> bool:
        """Whether the text answers what somebody was vaccinated against."""
        return self.answers_about(_VACCINES)

    def answers_about(self, asked: re.Pattern[str]) -> bool:
        """Whether the text answers a question about this."""
        return bool(self.question.text) and asked.search(self.question.text.lower()) is not None

    def groups(self, letters: str) -> Iterator[tuple[int, Group]]:
        """The groups of these families, in order, that stand in clauses of this language, or of none."""
        found = self.sketch.groups_in(0, len(self.drawn), letters)
        if not self._beside:
            return found
        return ((at, group) for at, group in found if not self._is_foreign(self.sketch.clause_at(at)))

    def _is_foreign(self, clause: Clause) -> bool:
        """Whether a clause is written in another language alone."""
        words = self.words(clause, clause)
        return self.grammar.written.search(words) is None and any(written.search(words) for written in self._beside)

    def prefix(self, at: int) -> str:
        """What of its clause stands before a place; in parentheses, what of them does."""
        clause = self.sketch.clause_at(at)
        before = self.drawn[max(clause.start, at - NEAR) : at]
        if clause.asked and (noted := self.grammar.noted.search(before)):
            before = before[noted.end() :]
        return before if "(" not in before and "（" not in before else _OPENED.sub("", before)

    def suffix(self, end: int) -> str:
        """What of its clause stands behind a word that ends here."""
        return self.drawn[end : min(self.sketch.clause_at(max(0, end - 1)).end, end + NEAR)]

    def said(
        self, words: re.Pattern[str], start: int, end: int, *, last: bool = False, beside: Iterable[str] = ()
    ) -> str:
        """Group x of the first (or last) place in a stretch where words stand, as it was said; empty for none.

        `beside`: what is told already, of which it is no part.
        """
        found = ""
        for place in words.finditer(self.drawn, start, end):
            said = self.sketch.quote(*place.span("x"))
            if not any(said in known for known in beside):
                found = said
                if not last:
                    break
        return found

    def words(self, first: Clause, last: Clause) -> str:
        """What two clauses and all between them say, as drawn."""
        return self.drawn[first.start : min(last.end, first.start + 4 * NEAR)]

    def following(self, clause: Clause) -> Sequence[Clause]:
        """The next clause, if there is one."""
        return self.sketch.clauses[clause.number + 1 : clause.number + 2]

    def retracted(self, at: int) -> bool:
        """Whether what stands there is supposed, or read somewhere: its sentence says so before it."""
        if self.overturned(at) or self.is_of_a_patient(at):
            return True
        began = max(self.sketch.clause_at(at).began, at - NEAR)
        index = bisect_left(self._retractions, (began, began))
        while index < len(self._retractions) and self._retractions[index][0] < at:
            if self._retractions[index][1] <= at:
                return True
            index += 1
        return False

    def overturned(self, at: int) -> bool:
        """Whether what stands there proved wrong: it is said soon behind it, and nothing else was named before that."""
        return any(
            at < place <= at + 2 * NEAR and len(list(self.sketch.groups_in(at, place, _NAMING))) <= 1
            for place, _ in self._overturnings
        )

    def proved_borne(self, at: int) -> bool:
        """Whether what stands there was said or tested to be no allergy: the same, where that is what is said."""
        return self.overturned(at) and any(
            _NO_ALLERGY.search(self.drawn, *span) for span in self._overturnings if at < span[0] <= at + 2 * NEAR
        )

    def may_be_had(self, at: int) -> bool:
        """Whether it is said right behind a substance that it may be taken."""
        if _INSTEAD_AFTER.match(self.drawn, at + 1) and _INSTEAD.search(self.prefix(at)):
            return True
        said = _MAY_BE_HAD.match(self.drawn, at + 1)
        return said is not None and _OF_THE_NEXT.match(self.drawn, said.end()) is None

    def is_borne(self, at: int) -> bool:
        """Whether it is said behind a substance that it does no harm."""
        return self.is_liked(at) or self.grammar.unharmed.search(self.suffix(at + 1)) is not None

    def is_liked(self, at: int) -> bool:
        """Whether it is said right before a substance that it is had, and gladly, in a text that tells no harm."""
        return _LIKED.search(self.prefix(at)) is not None and not (self.harms or LETTERS["R"] in self.drawn)

    def spoken_against(self, at: int, *, retracted: bool = True) -> bool:
        """Whether what stands there is denied, feared, likened, proved wrong or a patient's.

        `retracted`: also what is supposed, or read somewhere.
        """
        if (retracted and self.retracted(at)) or self.overturned(at) or self.likened(at) or self.is_of_a_patient(at):
            return True
        return self.denied(at, at + 1) or self.doubted(at, at + 1)

    def is_of_a_patient(self, at: int) -> bool:
        """Whether a disease is somebody's of whom the speaker is a relative: 我是糖尿病人的女儿."""
        return _OF_A_PATIENT.match(self.drawn, at + 1) is not None

    def likened(self, at: int) -> bool:
        """Whether something is only said to be like it: as big as a sausage."""
        said = self.prefix(at)
        return any(grammar.likened.search(said) for grammar in self.written)

    def asks(self, clause: Clause) -> bool:
        """Whether a clause asks."""
        if clause.number not in self._asking:
            words = self.words(clause, clause)
            asked = clause.asked or self.grammar.asked.search(words) is not None
            self._asking[clause.number] = asked and self.grammar.noted.search(words) is None
        return self._asking[clause.number]

    def denied(self, at: int, end: int) -> bool:
        """Whether a word from `at` to `end` is denied."""
        if self.drawn[at] == LETTERS["S"] and _DECLINED.match(self.drawn, end):
            return False
        before, after = self.grammar.denied_before, self.grammar.denied_after
        return before.search(self.prefix(at)) is not None or after.search(self.suffix(end)) is not None

    def doubted(self, at: int, end: int) -> bool:
        """Whether it is only feared, suspected or asked for."""
        before, after = self.grammar.doubted_before, self.grammar.doubted_after
        said = _GROUNDS.split(self.prefix(at)[-_DOUBT_NEAR:])[-1]
        return before.search(said) is not None or after.search(self.suffix(end)) is not None

    def told(
        self,
        kind: str,
        text: str,
        at: int,
        *,
        possible: bool = False,
        end: int = 0,
        whose: int | None = None,
    ) -> Iterator[Finding]:
        """A finding about whoever is spoken of at a place; none of somebody else. `end`: where its words end.

        `whose`: where it is said whose it is, if not there.
        """
        subject = self.people.at(at if whose is None else whose)
        born = kind == SURGERY and _BIRTH.search(text)
        if (born and _CHILD.search(subject)) or (kind == BREAST_FEEDING and _SUCKLING.search(subject)):
            subject = USER  # who was born so, or is fed so, has a mother
        text = text.strip(MARKS)
        if subject == OTHER or not text:
            return
        first, last = self.sketch.clause_at(at), self.sketch.clause_at(max(at, end - 1))
        quote = self.sketch.quote(first.start, last.end)
        denied = _NONE_OF_THEM.search(self.prefix(at)) is not None
        yield Finding(kind, text, quote, subject, possible and not denied, denied)

    def none(self, kind: str, at: int, end: int = 0) -> Iterator[Finding]:
        """As `told`: that there is nothing of a kind."""
        for finding in self.told(kind, ANYTHING, at, end=end):
            yield finding._replace(denied=True)

    def told_each(
        self, kind: str, group: Group, at: int, *, possible: bool = False, end: int = 0, whose: int | None = None
    ) -> Iterator[Finding]:
        """As `told`, for each member of a group; it is used up then."""
        self.taken.add(at)
        for name in self.names(group):
            yield from self.told(kind, name, at, possible=possible, end=end, whose=whose)

    def names(self, group: Group) -> Iterable[str]:
        """The names of what a group lists, each once."""
        return dict.fromkeys(map(self.name, group.members))

    def name(self, member: Mention) -> str:
        """The name of a thing, and the words that were said where they are others."""
        said, name = self.sketch.text[member.start : member.end], member.term.name
        if said.casefold() in name.casefold():
            return name
        return said if name.casefold() in said.casefold() else f"{name} ({said})"

    def before_a_comma(self, group: Group) -> Sequence[Mention]:
        """Of a list over a comma what stands before its last comma."""
        gaps = [self.sketch.lowered[one.end : other.start] for one, other in pairwise(group.members)]
        commas = [place for place, gap in enumerate(gaps, 1) if _COMMA.search(gap)]
        return group.members[: commas[-1]] if commas else ()

    def but_the_last(self, group: Group) -> Sequence[Mention]:
        """Of a list of which something is said that may be of its end alone, what is not of it: over a comma or space.

        在吃胰岛素 二甲双胍停了; but: 阿司匹林 布洛芬都停了.
        """
        ends = max((member.end for member in group.members), default=0)
        if _ALL_OF_THEM.match(self.sketch.lowered, ends):
            return ()
        gaps = [self.sketch.lowered[one.end : other.start] for one, other in pairwise(group.members)]
        return self.before_a_comma(group) or (group.members[:-1] if gaps and gaps[-1].isspace() else ())

    def unknown(self, start: int, end: int, *, possible: bool) -> Iterator[Finding]:
        """Names that stand in no lexicon, in a list of what is not borne."""
        at = start
        for part in _SPLIT.split(self.drawn[start:end]):
            place = self.drawn.find(part, at)
            at = place + len(part)
            name = without_noise(part.strip(EDGE))
            if self._may_name(name) and not is_drawn(part):
                yield from self.told(ALLERGY, without_noise(self.sketch.quote(place, at)), place, possible=possible)

    def _may_name(self, name: str) -> bool:
        short = 0 < len(name) <= _UNKNOWN_MAX
        none = (_NO_NAME, _NO_ANSWER, self.grammar.nothing)
        return short and not any(words.search(name) for words in none)


def lasts(group: Group) -> bool:
    """Whether one of these diseases does not pass."""
    return any(member.term.tag != "acute" for member in group.members)
