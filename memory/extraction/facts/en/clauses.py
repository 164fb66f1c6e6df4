"""English facts: clauses, whose they are, and when nothing may be believed.

The rules stand in `health` and `life`. A clause that asks, supposes, fears or repeats hearsay
yields nothing.
"""

import re
from typing import Final, NamedTuple

from memory.extraction.facts.en.health import HEADING, health_findings
from memory.extraction.facts.en.life import life_findings
from memory.extraction.facts.en.people import introduced_names, named, opening_name
from memory.extraction.facts.en.words import DISTANT, NOBODY_KNOWN, OUTSIDER, RELATIVE
from memory.extraction.facts.frame import (
    OTHER,
    PRONOUN,
    UNNAMED,
    USER,
    Fact,
    Finding,
    Mention,
    carry_on,
    subject_at,
)
from memory.language.apostrophes import STRAIGHT, Spelled, spelled
from memory.language.clauses import Clause, cut

_BORDER: Final = re.compile(
    r"[!?;\n:()\"“”…]+|(?<!\.)\.++(?=\s|$)\s*|,\s*|\s(?:--?|—|–)\s|"
    r"\s(?:but|because|although|though|so|while|which|and then)\s|\s(?:and|or)\s(?=(?:i|i'm|"
    r"i've|my|she|he|we|they|it|she's|he's|i'll)\s)",
    re.IGNORECASE,
)
_SENTENCE_END: Final = re.compile(r"[.!?\n…]")

_MENTION: Final = re.compile(
    rf"\b(?:(?P<third>(?:{NOBODY_KNOWN})|"
    rf"(?:my|our|his|her|their|your|the|a|some|many|most|other)\s(?:[a-z]+\s)?(?:{OUTSIDER}|{DISTANT})"
    rf"(?:'s\s(?:{RELATIVE}))?|"
    rf"(?:his|her|their|your)\s(?:{RELATIVE})|(?:my|our)\s(?:{RELATIVE})'s\s(?:{RELATIVE}|"
    r"friend|doctor|boss|name(?=x))|people|patients|someone|"
    r"somebody|anyone|everyone|they|it(?=\s(?:is|was|could|may|might|has))|this\s(?:is|was)|that(?:'s|\sis))|"
    r"(?:my|our)\s(?:(?:late|older|younger|elder|little|big|oldest|youngest|\w+[- ]years?[- ]old|"
    rf"\w+[- ]month[- ]old|twin|eldest|own)\s)?(?P<mine>{RELATIVE})|"
    r"(?P<pronoun>he|she|he's|she's)|(?P<user>i|i'm|i've|i'd|i'll|me|my|we|we're|we've|our|"
    r"myself)|(?P<passing>you|you're|your))\b"
    rf"|^(?P<bare>mom|mum|dad|grandma|grandpa|granny|baby)\b"
)
_ASKS: Final = re.compile(
    r"^(?:(?:and|or|so|but|hi|hello|doctor|also|then|ok|okay)\s)*(?:do|does|did|am|is|are|"
    r"was|were|can|could|should|would|will|have|has|had|what|what's|how|"
    r"how's|why|when|where|which|who|may|might|shall|any|what if|isn't|aren't|don't you|doesn't|"
    r"tell|explain|show|give|recommend|suggest)\s"
    r"(?!never|always|been|a\s|an\s|some|my|surgery|had|to\s|i\s(?:was|am|got|feel|have|take)\b(?=.*x))"
)
_WHEN: Final = re.compile(r"^when\s(?:i|my|we)\b")
_SUPPOSES: Final = re.compile(
    r"\b(?:if|whether|unless|might|may(?=\s(?:have|be|take|need))|could|would|'d\s(?:have|"
    r"be|take|need|like)|should|wonder(?:ing)?|not sure|unsure|afraid|scared|worried|"
    r"worry|worries|fear|terrified|heard|hear|was told|told me|tells me|read that|they say|"
    r"says|said|says|maybe|perhaps|probably|possibly|"
    r"i think|i guess|i believe|i feel like|thinks|seems?|suspect(?:s|ed)?|rules? out|ruled out|"
    r"in case|avoid|prevent|risk of|risk for|family history|"
    r"hope|wish|dream(?:ed|t)?|imagine|pretend|recommend(?:s|ed)?|suggest(?:s|ed)?|advised?|"
    r"for example|such as|e\.g|people with|patients with|"
    r"those with|anyone with|test(?:ed|ing)? for|screen(?:ed|ing)? for|thought i|used to think|"
    r"causes?|leads to|linked to|"
    r"can(?!'t stand)(?=\s)|let's|please|looks like|almost|nearly|character|movie|novel|joke|"
    r"negative for|joking|kidding|need to|want to|have to|mistook|doubt|unlikely|no way|"
    r"(?:don't|do not|didn't|never|not) (?:really |actually )?(?:think|believe|feel like|say(?:ing)?)|"
    r"not (?:true|clear|certain|convinced)|no (?:evidence|sign|proof))\b"
)
# Said of a family, a clause without "I" says nothing of the user.
_OF_FAMILY: Final = re.compile(
    r"\b(?:in (?:my|our|the|his|her) family|runs? in|"
    r"on (?:my|the) (?:mother|father|mom|dad|maternal|paternal)(?:'s)? side)\b"
)
_I: Final = re.compile(r"\b(?:i|i'm|i've)\b")
_SOMEBODY: Final = re.compile(
    r"(?:a|an|this|that|some|one|another) (?:\w+ )?(?:guy|man|woman|lady|bloke|lad|colleague|co-?worker"
    r"|neighbou?r|friend"
    r"|mate|client|customer)\b(?! and (?:i|me)\b)"
)
"""Whom a clause is about that begins so: a guy I work with moved to Denver."""
_CONDITION: Final = re.compile(r"\b(?:if|unless|suppose|imagine|what if)\b")


class _Reader(NamedTuple):
    """Under which name the user speaks, who is known by name, and what was found so far."""

    user_name: str
    known: frozenset[str]
    facts: list[Fact]


def en_facts(text: str, user_name: str, known: frozenset[str] = frozenset()) -> list[Fact]:
    """Facts of an English text, in the order of the text; `known` are names of people."""
    reader = _Reader(user_name, (known | introduced_names([text])) - {user_name}, [])
    carried = UNNAMED
    sentence: list[Clause] = []
    words = spelled(text)
    for clause in cut(_BORDER, words.text.translate(STRAIGHT)):
        sentence.append(clause)
        if _SENTENCE_END.search(clause.closing):
            carried = _read(sentence, carried, reader)
            sentence = []
    if sentence:
        _read(sentence, carried, reader)
    return [_as_said(fact, words) for fact in reader.facts]


def _lower(clause: str) -> str:
    low = clause.lower()
    return low if len(low) == len(clause) else clause  # some letters have no single lower-case letter


def _as_said(fact: Fact, words: Spelled) -> Fact:
    at = words.text.translate(STRAIGHT).find(fact.quote)
    return fact._replace(quote=words.written(at, at + len(fact.quote))) if at >= 0 else fact


def _read(sentence: list[Clause], carried: str, reader: _Reader) -> str:
    conditional = False
    before: list[Finding] = []
    for clause in sentence:
        name = opening_name(clause.text, reader.known) if clause.text[:1].isupper() else ""
        own = bool(name) and name == reader.user_name
        # The rules know how "she" says something; a name in her place says it alike.
        spoken = ("I" if own else "She") + clause.text[len(name) :] if name else clause.text
        low = _lower(spoken)
        mentions = _mentions(low, reader, spoken)
        if name and not own:
            mentions = [Mention(0, name), *(mention for mention in mentions if mention.at > 0)]
        conditional = conditional or _CONDITION.search(low) is not None
        asks = clause.asked or (_ASKS.match(low) and not _WHEN.match(low))
        found = [] if conditional or asks or _SOMEBODY.match(low) else _believed(spoken, low, before)
        _keep(found, mentions, carried, clause.text, reader)
        before = found
        carried = carry_on(mentions, carried)
    return carried


def _believed(clause: str, low: str, before: list[Finding]) -> list[Finding]:
    found = health_findings(clause, low, before) + life_findings(clause, low, before)
    supposing = _SUPPOSES.search(low) if found else None
    return [finding for finding in found if finding.at <= supposing.start()] if supposing else found


def _keep(found: list[Finding], mentions: list[Mention], carried: str, clause: str, reader: _Reader) -> None:
    for finding in found:
        subject = subject_at(mentions, finding.at, carried)
        if subject == OTHER or finding.rule == HEADING or not (subject or finding.predicate in _REPORTED):
            continue
        if finding.predicate in _THE_USERS and not subject[:1].isupper():
            subject = USER
        rule = f"en-{finding.rule}"
        reader.facts.append(Fact(subject or USER, finding.predicate, finding.object, finding.polarity, clause, rule))


# Told without a subject ("Allergic to penicillin.") these are the user's own; the rest then says nothing.
_REPORTED: Final = frozenset({"allergy", "disease", "surgery", "medication", "name", "age", "sex", "state"})
_THE_USERS: Final = frozenset({"family", "pet"})


def _mentions(clause: str, reader: _Reader, spoken: str) -> list[Mention]:
    if _OF_FAMILY.search(clause) and not _I.search(clause):
        return [Mention(0, OTHER)]
    mentions = named(spoken, reader.known)
    for found in _MENTION.finditer(clause):
        kind = found.lastgroup
        at = found.start()
        if kind in ("mine", "bare"):
            mentions.append(Mention(at, found[kind].lower()))
        elif kind == "user":
            mentions.append(Mention(at, USER))
        elif kind == "pronoun":
            mentions.append(Mention(at, PRONOUN))
        else:
            mentions.append(Mention(at, OTHER, passing=kind == "passing"))
    at = clause.find(reader.user_name.lower()) if reader.user_name else -1
    return sorted([*mentions, Mention(at, USER)] if at >= 0 else mentions)
