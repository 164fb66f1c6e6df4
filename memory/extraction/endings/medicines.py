"""What ends or changes a medicine that its sentence does not name: another dose, another medicine of its kind instead.

Who is switched to rivaroxaban seldom says what from. So it ends what is held of the same family of medicines, if there
is one of them only; and what somebody turned out to be allergic to, once they say that they have it no more.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from memory.clinical.findings import ALLERGY, ENDED, MEDICATION
from memory.clinical.health.medication import NOT_WITH
from memory.clinical.health.reading import dose_in
from memory.clinical.languages import in_use
from memory.clinical.people import USER
from memory.clinical.sameness import told_as
from memory.clinical.sketch import TEXT_CHARS_MAX, Clause, Sketch, sketch
from memory.extraction.endings.families import FAMILIES, KINDS
from memory.extraction.endings.known import Known, denial, own_messages, spoken_of
from memory.extraction.endings.words import DOSE_CHANGED, says
from memory.extraction.rules_mind import NAME
from memory.model.extraction import Dialogue, FoundFact, Said
from memory.model.predicates import importance_of

INSTEAD: Final = re.compile(
    r"改(?:成|为|吃|用|服|打)|换(?:成|为|吃|用|服|打|到)|换了?+(?![个一家]|医|大夫|科|地方|床|工作|房|班|季)"
    r"|\binstead\b"
    r"|\b(?:switch|swapp?|chang|replac|transition)(?:ed|ing) (?:me|it|that|over|to|onto|for)\b|\bmoved me\b"
    r"|\bcross[ -]?taper|\bchang(?:ed|ing) my (?:med\w*|tablets?|pills?|inhaler|prescription)\b"
    r"|\bon a (?:different|new) (?:one|med\w*|tablet|pill|inhaler)\b|换药|(?:说|记|看|写|打)错了|\bi meant\b"
    r"|\bgot (?:it|that|the name) wrong\b"
    r"|\b(?:won'?t|doesn'?t|not|stopped|no longer) cover(?:s|ed|ing)?\b",
    re.IGNORECASE,
)
"""One medicine for another."""
_BESIDE: Final = re.compile(
    r"加(?:了|上|用|吃|一)|同时|一起|还是(?:吃|用)|\b(?:as well|too|also|on top|alongside|added|together)\b",
    re.IGNORECASE,
)
"""One medicine beside another."""
_STOPPED_IT: Final = re.compile(
    r"药(?:也|就|已经)?停|停药|停了这个药|不能再?(?:碰|吃|用)|红[字笔]|(?:换|改)(?:成|为|吃|用)"
    r"|\b(?:never|can'?t|not to) (?:have|take|touch) (?:it|that|them) (?:again|ever)\b|\binstead\b|\bswitched\b"
    r"|\b(?:stopped|came off|took me off|discontinued) (?:it|that)\b",
    re.IGNORECASE,
)
"""What was not borne is taken no longer."""
_ASKS_ANY: Final = re.compile(
    r"\bstill (?:on|taking|using) (?:any|anything)\b|还在?(?:吃|用)(?:什么|任何|别的|哪些)?药", re.IGNORECASE
)
_FINISHED_ALL: Final = re.compile(
    r"^\W*+(?:no|nope|nah)\b.{0,12}?\b(?:finished|stopped|off|done with|completed) (?:everything|them all|all of"
    r" (?:it|them)|the lot|all)\b|^\W*+(?:没有?|不吃|不用)了?[，, ]*+(?:药)?(?:都|全|全都|全部|已经都)(?:停"
    r"|吃完|用完)了",
    re.IGNORECASE,
)
_DOSE_CHARS_MAX: Final = 80
_OLD_ONE: Final = re.compile(
    r"(?:旧的|老的|(?:原来|之前|以前|原先|先前)(?:的|那|这|吃的|用的))(?:个|瓶|种|盒|款|药|牌子|的)*[^，。,]{0,8}?"
    r"(?:停|撤|扔|减没|减完|不(?:再|用|要)?(?:吃|用|打|滴|喷|买)|没再|就不用了|别(?:吃|用))"
    r"|\b(?:the )?(?:old|other|previous|first|former) (?:one|pill|tablet|inhaler|cream|med\w*|stuff)s?\b[^.;!?]{0,24}"
    r"\b(?:gone|bin|binned|stopped|trash|finished|off|history|out)\b"
    r"|\bdone with that one\b"
    r"|\boff (?:of )?(?:the|my) (?:old|other|previous|first) (?:one|pill|tablet|med\w*|stuff)s?\b",
    re.IGNORECASE,
)
"""What was taken before is taken no longer."""
_MEASURED: Final = re.compile(
    r"血压|血糖|心率|体重|空腹|餐后|指标|\b(?:fastings?|sugars?|bp|blood pressure|pressure|pulse|weight|inr"
    r"|readings?|numbers?|levels?)\b",
    re.IGNORECASE,
)
"""What a bare number beside it is of, and no dose."""
_PARTS: Final = re.compile(r"[，。！？；,;!?]|\.(?=\s|$)")
_ANIMAL: Final = re.compile(r"[狗猫犬]|宠物|兽医|\b(?:dog|cat|puppy|kitten|rabbit|vet)(?:'?s)?\b", re.IGNORECASE)
_TO: Final = re.compile(
    r"(?:加|减|升|降|调|改)[到成为]\d"
    r"|\b(?:up|down|(?:upped|increased|reduced|bumped|raised|lowered|dropped|cut)"
    r"(?: (?:me|it|that|mine|the dose))?(?: (?:up|down|back))?) to \d",
    re.IGNORECASE,
)
_SUPPLEMENT: Final = re.compile(
    r"维生素|叶酸|钙|鱼油|褪黑素|vitamin|folic|calcium|fish oil|omega|melatonin|magnesium|probiotic|益生菌|supplement"
    r"|药膏|止痛药|退烧药|painkiller|antacid",
    re.IGNORECASE,
)
"""What is taken beside what a doctor changes."""
_BRAND: Final = re.compile(
    r"国产|进口|集采|仿制|牌子|原研|\b(?:generic|brand|copy|biosimilar|cheaper|insurance|insurers?)\b", re.IGNORECASE
)
"""The same medicine by another maker."""

_STOPPED_FIRST: Final = re.compile(
    r"停了[，,。]?\s?(?:给我|帮我|就|又|然后|现在)*(?:换|改)"
    r"|\btapered (?:it|that|them) off\b"
    r"|\bstopped (?:it|that|them)[,.]? (?:and )?(?:\w+ ){0,3}(?:switched|put|changed|gave)\b"
)
"""What was spoken of last was stopped, and another one given: 医生让我停了，换成阿莫西林."""


def may_change(text: str) -> bool:
    """Whether a text may end a medicine that it does not name, or change a dose."""
    return any(words.search(text) for words in (DOSE_CHANGED, INSTEAD, _OLD_ONE, _STOPPED_FIRST, _BRAND, _FINISHED_ALL))


def beside_one_that_was_stopped(drawn: Sketch, clause: Clause) -> set[str]:
    """The medicines of a clause that tells of another one that was stopped: cut this to 5 mg, stopped that.

    And those beside which another one is not to be taken.
    """
    stopped, others, beside = set[str](), set[str](), set[str]()
    for at, group in drawn.groups_in(clause.start, clause.end, "S"):
        prefix, suffix = drawn.drawn[clause.start : at], drawn.drawn[at + 1 : clause.end]
        is_stopped = any(
            health.stopped_before.search(prefix) or health.stopped_after.search(suffix) for health in in_use().healths
        )
        chosen = beside if NOT_WITH.search(prefix) else stopped if is_stopped else others
        chosen.update(member.term.name for member in group.members)
    return (others - stopped if stopped else set()) | beside


def exchanged(dialogue: Dialogue, found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the medicine that another one was given instead of: the last one spoken of, or one of its family."""
    known = [each for each in held if each.predicate == MEDICATION]
    last = ""
    for said in own_messages(dialogue) if known else ():
        text, before = said.text, last
        new = {fact.object for fact in found if _is_taken(fact) and fact.seq == said.seq}
        last = (next(iter(new)) if len(new) == 1 else "") if new else last
        earlier = {each.object: each for each in known if each.seq < said.seq}
        if new and before in earlier and before not in new and _STOPPED_FIRST.search(text):
            yield denial(said, earlier[before], text.strip())
        elif says(INSTEAD, text, _BESIDE) or says(_OLD_ONE, text):
            yield from _of_its_family(said, earlier, new)


def _of_its_family(said: Said, earlier: Mapping[str, Known], new: Collection[str]) -> Iterator[FoundFact]:
    all_named = _named(said.text)
    for words in FAMILIES:
        old = [each for name, each in earlier.items() if words.search(name) and name not in new]
        if len(old) != 1 or not any(map(words.search, new)):
            continue
        understood = [old[0].object.lower(), *(name.lower() for name in new)]
        named = [names for names in all_named if any(map(words.search, names))]
        if all(any(name in one for name in names for one in understood) for names in named):
            yield denial(said, old[0], said.text.strip())
            return
    yield from _only_one_left(said, earlier, new)


def _only_one_left(said: Said, earlier: Mapping[str, Known], new: Collection[str]) -> Iterator[FoundFact]:
    """A denial of the only medicine that something new is taken instead of, whatever it is taken for.

    Not where nothing new is named, for then anything may be meant (they changed it to Friday); nor where both are of
    families and of none together: nobody takes a statin instead of an antihistamine.
    """
    if not new:
        return
    named = _named(said.text)
    known = [name.lower() for name in (*earlier, *new)]
    if any(all(one not in name for one in names for name in known) for names in named):
        return  # it names itself what was left
    said_as = [name for names in named for name in names]
    left = [
        each
        for name, each in earlier.items()
        if name not in new and not _SUPPLEMENT.search(name) and not any(one in name.lower() for one in said_as)
    ]
    if len(left) == 1 and all(_may_be_for(left[0].object, name) for name in new if not _SUPPLEMENT.search(name)):
        yield denial(said, left[0], said.text.strip())


def _may_be_for(one: str, other: str) -> bool:
    """Whether two medicines may be taken for the same: one of them is of no family, or both of one."""
    families = [{words for words in FAMILIES if words.search(name)} for name in (one, other)]
    return not all(families) or not families[0].isdisjoint(families[1])


def same_by_another_name(dialogue: Dialogue, found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of a medicine by one maker, where the same by another one is taken now."""
    known = [each for each in held if each.predicate == MEDICATION]
    for said in own_messages(dialogue) if known else ():
        if not _BRAND.search(said.text):
            continue
        for fact in found:
            if fact.seq == said.seq and _is_taken(fact):
                for each in known:
                    if (
                        each.seq < said.seq
                        and each.object != fact.object
                        and told_as(each.object) == told_as(fact.object)
                    ):
                        yield denial(said, each, fact.quote)


def all_finished(dialogue: Dialogue, held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of all medicines, where an agent asks whether any are taken still: no, finished everything."""
    known = [each for each in held if each.predicate == MEDICATION]
    asked = dialogue.before
    for said in dialogue.messages if known else ():
        if said.own and said.speaker == USER and _ASKS_ANY.search(asked) and _FINISHED_ALL.match(said.text):
            yield from (denial(said, each, said.text.strip()) for each in known if each.seq < said.seq)
        asked = "" if said.own else said.text


def not_borne(dialogue: Dialogue, found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """Denials of the medicine that somebody turned out to be allergic to, where they say that it was stopped."""
    said = {each.seq: each for each in own_messages(dialogue) if _STOPPED_IT.search(each.text)}
    known = {each.object.casefold(): each for each in held if each.predicate == MEDICATION}
    for fact in found:
        allergic = fact.predicate == ALLERGY and fact.polarity == "+" and fact.subject == USER and fact.seq in said
        if allergic and fact.object.casefold() in known:
            yield denial(said[fact.seq], known[fact.object.casefold()], fact.quote)


def of_a_kind(found: Sequence[FoundFact], held: Iterable[Known]) -> Iterator[FoundFact]:
    """What is said of a kind of medicines, of the only one of it: the iron that was stopped, the insulin's new dose."""
    known = [each for each in held if each.predicate == MEDICATION]
    for fact in found:
        if (
            fact.predicate != MEDICATION
            or fact.subject != USER
            or not (fact.polarity == "-" or "dose" in fact.attributes)
        ):
            continue
        for name, members in KINDS:
            if name.fullmatch(told_as(fact.object)):
                of_it = {
                    each.object: each
                    for each in known
                    if each.seq < fact.seq and members.search(each.object) and not name.fullmatch(told_as(each.object))
                }
                if len(of_it) == 1 and fact.object not in of_it:
                    over = {ENDED: "true"} if fact.polarity == "-" else fact.attributes
                    yield replace(fact, object=next(iter(of_it)), attributes=over)
                break


def doses(dialogue: Dialogue, found: Sequence[FoundFact], known: Sequence[Known]) -> Iterator[FoundFact]:
    """A dose that was changed, and not read with its medicine: of the only one that is taken, or that is named."""
    told = {fact.seq for fact in found if fact.predicate == MEDICATION and "dose" in fact.attributes}
    changed = False
    for said in own_messages(dialogue):
        text = said.text[:TEXT_CHARS_MAX]
        names = [each.object for each in known if each.predicate == MEDICATION and each.seq < said.seq]
        before, changed = changed, DOSE_CHANGED.search(text) is not None
        changed_now = changed or (before and len(text) <= _DOSE_CHARS_MAX)
        attributes = dose_in(text) if changed_now else {}
        if not attributes or said.seq in told or not (says(DOSE_CHANGED, text) or before) or _is_of_another(text):
            continue
        bare = attributes["dose"][-1:].isdigit()
        if bare and (_MEASURED.search(text) or len(attributes["dose"]) == 1 or not _TO.search(text)):
            continue
        named = [one for one, _ in _named(text)]
        meant = {name for name in names if not named or any(one in name.lower() for one in named)}
        if len(meant) != 1 or any(all(one not in name.lower() for name in meant) for one in named):
            continue
        importance = importance_of(MEDICATION)
        yield FoundFact(
            said.seq, USER, MEDICATION, meant.pop(), "+", said.text.strip(), importance, NAME, attributes=attributes
        )


def _is_of_another(text: str) -> bool:
    """Whether the part that tells of a change speaks of a person or an animal that is not the user."""
    changing = [part for part in _PARTS.split(text) if DOSE_CHANGED.search(part)]
    return any(not spoken_of(part) <= {USER, ""} or _ANIMAL.search(part) for part in changing)


def _named(text: str) -> list[tuple[str, str]]:
    """The medicines that a text names: the name of each, and as it is said."""
    drawn = sketch(text[:TEXT_CHARS_MAX], in_use().lexicon)
    members = [member for _, group in drawn.groups_in(0, len(drawn.drawn), "S") for member in group.members]
    return [(each.term.name.lower(), drawn.lowered[each.start : each.end]) for each in members if each.kind == "drug"]


def _is_taken(fact: FoundFact) -> bool:
    return fact.predicate == MEDICATION and fact.polarity == "+" and fact.subject == USER
