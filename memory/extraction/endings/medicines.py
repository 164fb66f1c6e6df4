"""What ends or changes a medicine that its sentence does not name: another dose, another medicine of its kind instead.

Who is switched to rivaroxaban seldom says what from. So it ends what is held of the same family of medicines, if there
is one of them only; and what somebody turned out to be allergic to, once they say that they have it no more.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from memory.clinical.findings import ALLERGY, MEDICATION
from memory.clinical.health.reading import dose_in
from memory.clinical.languages import in_use
from memory.clinical.people import USER
from memory.clinical.sketch import TEXT_CHARS_MAX, sketch
from memory.extraction.endings.known import Known, denial, own_messages
from memory.extraction.endings.words import DOSE_CHANGED, NOT_DONE, STOPPED_IT
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, FoundFact
from memory.model.predicates import importance_of

INSTEAD: Final = re.compile(
    r"改(?:成|为|吃|用|服|打)|换(?:成|为|吃|用|服|打|到)|换了?+(?![个一家]|医|大夫|科|地方|床|工作|房|班|季)"
    r"|\binstead\b"
    r"|\b(?:switch|swap|chang|replac|transition)(?:ed|ing) (?:me|it|that|over|to|onto|for)\b|\bmoved me\b",
    re.IGNORECASE,
)
"""One medicine for another."""
_BESIDE: Final = re.compile(
    r"加(?:了|上|用|吃|一)|同时|一起|还是(?:吃|用)|\b(?:as well|too|also|on top|alongside|added|together)\b",
    re.IGNORECASE,
)
"""One medicine beside another."""
_FAMILIES: Final = tuple(
    re.compile(words, re.IGNORECASE)
    for words in (
        r"普利|沙坦|地平|洛尔|噻嗪|吲达帕胺|pril\b|sartan|dipine|olol\b|thiazide|indapamide",
        r"他汀|依折麦布|statin|ezetimibe",
        r"双胍|格列|列汀|列净|鲁肽|胰岛素|metformin|gliclazide|glimepiride|glipizide|gliptin|gliflozin|glutide|insulin",
        r"拉唑|替丁|prazole|tidine",
        r"沙班|华法林|达比加群|xaban|warfarin|dabigatran|coumadin|eliquis|xarelto",
        r"西汀|舍曲林|西酞普兰|法辛|曲唑酮|米氮平|oxetine|sertraline|citalopram|faxine|mirtazapine|trazodone|bupropion",
        r"别嘌醇|非布司他|苯溴马隆|allopurinol|febuxostat",
        r"唑仑|西泮|唑吡坦|佐匹克隆|zolam|zepam|zolpidem|zopiclone",
        r"甲氨蝶呤|来氟米特|羟氯喹|木单抗|依那西普|methotrexate|leflunomide|hydroxychloroquine|limumab|etanercept",
        r"氯雷他定|西替利嗪|loratadine|cetirizine|fexofenadine",
    )
)
"""Of medicines that are taken for the same and seldom together, in the shapes of their names (WHO INN stems)."""
_DOSE_CHARS_MAX: Final = 80
_MEASURED: Final = re.compile(
    r"血压|血糖|心率|体重|空腹|餐后|指标|\b(?:fastings?|sugars?|bp|blood pressure|pressure|pulse|weight|inr"
    r"|readings?|numbers?|levels?)\b",
    re.IGNORECASE,
)
"""What a bare number beside it is of, and no dose."""


def may_change(text: str) -> bool:
    """Whether a text may end a medicine that it does not name, or change a dose."""
    return any(words.search(text) for words in (DOSE_CHANGED, INSTEAD))


def exchanged(dialogue: Dialogue, found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the medicine that another one of its family was given instead of."""
    known = [each for each in held if each.predicate == MEDICATION]
    for said in own_messages(dialogue) if known else ():
        text = said.text
        earlier = {each.object: each for each in known if each.seq < said.seq}
        if INSTEAD.search(text) and not _BESIDE.search(text) and not NOT_DONE.search(text):
            new = {fact.object for fact in found if _is_taken(fact) and fact.seq == said.seq}
            all_named = _named(text)
            for words in _FAMILIES:
                old = [each for name, each in earlier.items() if words.search(name) and name not in new]
                if len(old) != 1 or not any(map(words.search, new)):
                    continue
                understood = [old[0].object.lower(), *(name.lower() for name in new)]
                named = [names for names in all_named if any(map(words.search, names))]
                if all(any(name in one for name in names for one in understood) for names in named):
                    yield denial(said, old[0], text.strip())


def not_borne(dialogue: Dialogue, found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the medicine that somebody turned out to be allergic to, where they say that it was stopped."""
    said = {each.seq: each for each in own_messages(dialogue) if STOPPED_IT.search(each.text)}
    known = {each.object.casefold(): each for each in held if each.predicate == MEDICATION}
    for fact in found:
        allergic = fact.predicate == ALLERGY and fact.polarity == "+" and fact.subject == USER and fact.seq in said
        if allergic and fact.object.casefold() in known:
            yield denial(said[fact.seq], known[fact.object.casefold()], fact.quote)


def doses(dialogue: Dialogue, known: Sequence[Known]) -> Iterator[FoundFact]:
    """A dose that was changed, told without the medicine: of the only one that is taken."""
    changed = False
    for said in own_messages(dialogue):
        text = said.text[:TEXT_CHARS_MAX]
        names = [each.object for each in known if each.predicate == MEDICATION and each.seq < said.seq]
        before, changed = changed, DOSE_CHANGED.search(text) is not None
        changed_now = changed or (before and len(text) <= _DOSE_CHARS_MAX)
        attributes = dose_in(text) if changed_now and len(set(names)) == 1 else {}
        named = any(True for _ in sketch(text, in_use().lexicon).groups_in(0, len(text), "S"))
        if not attributes or named or NOT_DONE.search(text) or _is_measured(text, attributes["dose"]):
            continue
        importance = importance_of(MEDICATION)
        yield FoundFact(
            said.seq, USER, MEDICATION, names[0], "+", said.text.strip(), importance, NAME, attributes=attributes
        )


def _is_measured(text: str, dose: str) -> bool:
    """Whether a number is rather one of what was measured."""
    return dose[-1:].isdigit() and _MEASURED.search(text) is not None


def _named(text: str) -> list[tuple[str, str]]:
    """The medicines that a text names: the name of each, and as it is said."""
    drawn = sketch(text[:TEXT_CHARS_MAX], in_use().lexicon)
    members = [member for _, group in drawn.groups_in(0, len(drawn.drawn), "S") for member in group.members]
    return [(each.term.name.lower(), drawn.lowered[each.start : each.end]) for each in members if each.kind == "drug"]


def _is_taken(fact: FoundFact) -> bool:
    return fact.predicate == MEDICATION and fact.polarity == "+" and fact.subject == USER
