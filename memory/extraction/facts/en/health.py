"""English health facts in one clause: allergies, diseases, drugs, operations, pregnancy.

A known name is found first; what stands left of it decides whether it is claimed or denied.
"""

import re
from typing import Final

from memory.extraction.facts.en.words import (
    ADJECTIVES,
    DISEASE_ENDING,
    DISEASE_HINT,
    DISEASE_WHOLE,
    DRUG,
    DRUG_ENDING,
    NOT_DISEASE,
    SURGERY,
    SURGERY_ENDING,
)
from memory.extraction.facts.frame import Finding
from memory.extraction.facts.patterns import listed
from memory.language.noise import without_noise

HEADING: Final = "allergy-heading"
"""The rule of a finding that only heads a list: two allergies. It is no fact."""
_LEFT_CHARS: Final = 48
_WORDS_MAX: Final = 6
_ITEM_WORDS_MAX: Final = 3
_PARTS_MAX: Final = 4
_LEADING_AND: Final = re.compile(r"^(?:and|or)\s")
_NO_KIND: Final = re.compile(r"(?:no|any|known|other|many|several|multiple|bad|severe|these)\b")

_DISEASE: Final = listed(rf"(?<![a-z])(?:{DISEASE_WHOLE})(?![a-z])")
_ENDING_HINT: Final = listed(DISEASE_HINT)
_DISEASE_OR_ENDING: Final = re.compile(rf"(?<![a-z])(?:(?:{DISEASE_WHOLE})(?![a-z])|(?:{DISEASE_ENDING})(?![a-z]))")
_NAMELESS: Final = re.compile(
    r"(?:(?:chronic|acute|severe|mild|bad|serious|rare)\s)*(?:disease|infection|disorder|"
    r"syndrome|cysts?|failure|deficiency|fracture|lesion|stones|condition)"
)
_ADJECTIVE: Final = re.compile(
    rf"\b(?:i'm|i am|is|was|been|he's|she's)(?P<no>\snot|n't)?\s(?:a\s|an\s|also\s|severely\s)*"
    rf"(?P<what>{'|'.join(ADJECTIVES)})\b"
)
# Words that may be part of a disease's name, left of its known part.
_PART_TEXT: Final = (
    "1 2 3 acute allergic alzheimer's ankle anxiety artery atopic autoimmune b12 bacterial bad bipolar "
    "bladder blood bone bowel brain breast bronchial carpal celiac cervical chronic clinical colon "
    "compressed congestive contact coronary crohn's cystic d deep diabetic down duodenal ear early "
    "early-stage eating exercise-induced eye fatigue fatty fungal gallbladder gastric generalized "
    "gestational gluten graves' gum h. hashimoto's heart high hip hormonal ii iii inflammatory iron "
    "iron-deficiency irritable iv kidney knee lactose late left leg liver lung lyme major mild mitral "
    "moderate nasal osteo ovarian pancreatic panic parkinson's peptic peripheral personality plantar "
    "polycystic postpartum prostate pulmonary pylori respiratory restless rheumatoid right seasonal "
    "seizure severe sickle sinus skin sleep spinal stage stomach stress terminal throat thyroid tooth "
    "tract tunnel type ulcerative upper urinary uterine valve vein viral vitamin wrist yeast"
)
_PART: Final = frozenset(_PART_TEXT.split())
_FILL: Final = (
    r"(?:\s(?:a|an|the|any|some|been|just|also|had|got|really|very|severe|mild|bad|known|both|"
    r"this|my|again|recently|now|called|kind of|sort of|a bit of|slight|ever|always|either|having|"
    r"have|history of|history with|diagnosed with|cases? of|bouts? of|from|such|no longer))*\s?$"
)
_DENIED: Final = re.compile(
    r"(?:\b(?:don't|doesn't|didn't|do not|does not|did not|never|not|no|haven't|hasn't|hadn't|have not|"
    r"has not|without|den(?:y|ies|ied)|free of|isn't|wasn't|was not|neither|nor)|^no)\s?"
    r"(?:(?:have|has|had|suffer(?:ed)? from|got|take|took|taking|use|used|using|smoke|been|currently|"
    r"on|ever|actually|really|longer|taken|taking any|history of|diagnosed with|prescribed|tried|yet)\b\s?)*"
    r"(?:any|a|an|the|my|ever|"
    r"known|history of)?\s*$"
)
_CLAIMED: Final = re.compile(
    r"(?:\b(?:have|has|had|having|'ve|'s got|got|get|gets|getting|diagnosed (?:me )?(?:with|"
    r"as having)|diagnosis of|suffer(?:s|ed|ing)? from|suffer(?:s|ing)? with|living with|"
    r"live with|"
    r"developed?|caught|came down with|come down with|down with|dealing with|battling|struggl(?:e|"
    r"es|ing) with|struggled with|history of|beat|survived|"
    r"recovering from|recovered from|is|was|i'm|am|born with|my|treated for|hospitali[sz]ed (?:with|"
    r"for)|found|pmh|hx of|medication for|meds for)|^(?:with|diagnosed with|also|and|history of))" + _FILL
)
# Left of a claim these take it back: "wasn't found to have", "nobody told me I have".
_NEGATED: Final = re.compile(
    r"\b(?:never|not|cannot|nobody|no one|none|neither|nor|hardly|den(?:y|ies|ied)|unable|refused?|allowed)\b|n't\b"
)
# What these say is said all the same, and a negation before them ends with them.
_NEGATED_NOT: Final = re.compile(
    r"\b(?:not only|not just|don't forget|do not forget|can't believe|not (?:too )?long|"
    r"(?:didn't|never|not) (?:know|knew|realised?|realized?))\b|"
    r".*\b(?:since|when|after|until|before|except|even though|due to|despite|"
    r"and(?=\s(?:have|had|has|am|was|take|got)\b))\b"
)
_CLAUSE_LEFT_CHARS: Final = 160
_AND: Final = re.compile(r"\s*(?:,\s*(?:and|or)?|\band\b|\bor\b|&|/|\bplus\b|\bas well as\b)\s*")
_AND_ONLY: Final = re.compile(
    r"^\s*(?:,\s*)?(?:(?:and|or|nor|&|/|plus|as well as|along with)\s*)(?:a\s|an\s|the\s|"
    r"some\s|also\s|mild\s|any\s)*$"
)
_NOT_OWN: Final = re.compile(
    r"^(?:\s(?:medication|medicine|patients?|specialist|clinic|research|awareness|screening|"
    r"vaccine|shot|test|support|charity|ward|foundation|diet|treatment|doctor|inhalers?|pumps?|puffers?|meds?|pills?|"
    r"tablets?)\b|-free)"
)

_FORM: Final = r"(?![a-z])(?:\s(?:cream|ointment|tablets?|pills|inhaler|spray|drops|injections?))?"
_DRUG: Final = listed(rf"(?<![a-z])(?:{DRUG}){_FORM}")
_DRUG_HINT: Final = listed(DRUG_ENDING)
_DRUG_OR_ENDING: Final = re.compile(rf"(?<![a-z])(?:{DRUG}|[a-z]{{3,}}(?:{DRUG_ENDING})){_FORM}")
_NOT_DRUGS: Final = frozenset(
    {"pine", "alpine", "spine", "supine", "april", "porcupine", "opine", "control", "petrol", "patrol"}
)
_NOT_TAKEN: Final = re.compile(r"\s(?:allerg|intoleran|reaction)")
_MED_FILL: Final = (
    r"(?:\s(?:a|an|the|some|my|daily|about|only|two|three|four|five|one|half|couple of|few|"
    r"low[- ]dose|high[- ]dose|dose of|doses of|course of|tablets? of|pills? of|puffs? of|"
    r"extra|strength|regular|baby|oral|generic|round of|lot of|bit of|both|prescription|otc|"
    r"back|mg of|mg|mcg of|daily dose of|\d[\d.]*\s?(?:mg|mcg|ml|units|iu|g)?(?:\sof)?))*\s?$"
)
_MED_TAKEN: Final = re.compile(
    r"\b(?:take|takes|taking|took|taken|use|uses|used|using|on|prescribed(?:\sme|\sher|\shim)?|"
    r"started(?:\staking)?|start|been given|given|gave me|switched to|tried|"
    r"inject|injects|had|got)" + _MED_FILL
)
_MED_STOPPED: Final = re.compile(
    r"\b(?:stopped|quit|came off|got off|weaned off|off|discontinued|no longer|not)\s(?:taking|using|take|on|use)?"
    + _MED_FILL
)
_MED_MODAL: Final = re.compile(
    r"\b(?:to|can|will|shall|don't want|must|not to|before|without|instead of|information|"
    r"ask(?:ed)? about|read about)\s?(?:just\s|ever\s|be\s|start\s|try\s|go\s|get\s)*$"
)
_MED_FORBIDDEN: Final = re.compile(
    r"\b(?:must|should|may|can|could|shall)(?:\s?not|n't)\s(?:be\s)?(?:take|use|have|taking|using|given|prescribed)\b"
)
_ON_NOT: Final = re.compile(r"\b(?:allergic|reaction|information|depends?|based|research|article|effects?)\b")

_SURGERY: Final = listed(rf"(?<![a-z])(?:{SURGERY})(?![a-z])(?:\ssurgery)?")
_SURGERY_HINT: Final = listed(SURGERY_ENDING)
_SURGERY_OR_ENDING: Final = re.compile(
    rf"(?<![a-z])(?:{SURGERY}|[a-z]{{3,}}(?:{SURGERY_ENDING}))(?![a-z])(?:\ssurgery)?"
)
_SURGERY_PART_TEXT: Final = (
    "abdominal acl ankle appendix back bariatric bone brain breast bunion bypass cardiac cataract corneal "
    "coronary cosmetic cuff double emergency eye foot gallbladder gastric hand heart hernia hip "
    "hysterectomy jaw kidney knee laser liver major marrow meniscus minor nose open open-heart oral "
    "plastic prostate quadruple rotator shoulder sinus spinal spine thyroid tonsil tooth triple "
    "weight-loss wisdom wrist"
)
_SURGERY_PART: Final = frozenset(_SURGERY_PART_TEXT.split())
_SURGERY_DONE: Final = re.compile(
    r"\b(?:had|got|undergone|underwent|went through|having had|'ve had|after|since|has|have|"
    r"recovering from|gone through|post|post-op|needed)(?:\s(?:a|an|my|the|two|three|her|"
    r"his|one|emergency|minor|major|previous|some|another|second|first|multiple|several))*\s?$"
)
_SURGERY_NEVER: Final = re.compile(
    r"(?:\b(?:never|haven't|hasn't|have not|has not|didn't|did not)\s(?:ever\s)?(?:had|have|"
    r"undergone|underwent|undergo|got|needed)|\bno)(?:\s(?:a|an|any|previous|prior|past|major))*\s?$"
)
_HAVE_ONLY: Final = re.compile(r"\b(?:has|have|needed)(?:\s(?:a|an|my|two|three))*\s?$")
_REMOVED: Final = re.compile(
    r"\bmy\s(?P<what>appendix|gallbladder|gall bladder|tonsils|uterus|spleen|thyroid|ovar(?:y|"
    r"ies)|wisdom teeth|adenoids|kidney|wisdom tooth|polyps?|prostate|cyst)\s"
    r"(?:(?:was|were|got|has been|have been|had been)\s)?(?P<done>removed|taken out|out)\b|"
    r"\b(?P<rel>his|her)\s(?P<what2>appendix|gallbladder|tonsils|uterus|spleen|thyroid|prostate)\s(?P<done2>removed|"
    r"taken out|out)\b"
)

_COUNTED: Final = re.compile(
    r"(?:two|three|four|five|some|these|several|multiple|many|other)(?:\s(?:known|bad|severe|food|drug))?"
)
_REMOVED_NOT: Final = re.compile(
    r"\b(?:never|haven't|hasn't|have not|has not|didn't|did not)\s(?:ever\s)?(?:had|have|got|get)\s(?:any of\s)?$"
)
_ALLERGIC: Final = re.compile(
    r"(?P<no>\bnot\s|\bn't\s|n't\s|\bnever\sbeen\s)?(?:(?:also|very|severely|deathly|highly|"
    r"really|mildly|a bit|slightly|quite|actually|currently)\s)*\ballerg(?:ic|y|ies)\sto\s(?P<what>.+)$"
)
_ALLERGY_KIND: Final = re.compile(
    r"\b(?:have|has|had|got|'ve|my)\s(?:(?:a|an|the|some|also)\s)*+(?:(?:severe|bad|"
    r"mild|serious|terrible|really bad|known|seasonal|few|lot of)\s)*+(?P<kind>[a-z]+(?:\s[a-z]+)?)\sallerg(?"
    r":y|ies)\b(?!\sto\b)"
)
_ALLERGY_DENIED: Final = re.compile(r"(?:\b(?:never|not|no|without)|n't)\s(?:(?:ever|really|actually)\s)?$")
_NO_ALLERGY: Final = re.compile(
    r"\b(?:no|don't have(?: any)?|doesn't have(?: any)?|do not have(?: any)?|without|not have(?: any)?|"
    r"never had(?: any)?|haven't(?: got| had)?(?: any)?|denies(?: any)?)\s(?:known\s|any\s|other\s)*"
    r"(?:(?P<what>drug|food|medication|medicine|latex|environmental)\s)?allerg(?:y|ies)\b(?!\sto\b)|\bnkda\b"
)
_PHRASE_END: Final = re.compile(
    r"\s(?:since|when|so|that|but|because|for|as|from|in|on|at|with|who|after|before|until|"
    r"especially|although|if|like|too|also|though|anymore|either|these|right now|now|lately|"
    r"every|more than|very|these days|all|by|during|while|and\s(?:i|my|it|they|he|she|we|"
    r"get|can|have|need|want|am|was|had|take|use|would|will|break|carry))\b.*$"
)
_ARTICLE: Final = re.compile(r"^(?:(?:a|an|the|some|my|any|certain|most|all|both|eating|all kinds of|raw)\s)+")
_NOT_ITEM: Final = re.compile(
    r"\b(?:i|i'm|my|is|am|are|was|have|has|had|it|she|he|we|they|you|thanks?|please|doctor|which|not|no|so|too)\b"
)
_VAGUE: Final = re.compile(
    r"\b(?:it|that|this|them|you|something|anything|everything|things?|what|him|her|me|these|"
    r"those|one|ones|nothing|someone|how|there|stuff|lots?|idea)\b"
)

_PREGNANT: Final = re.compile(
    r"\b(?:i'm|i am|am|is|she's|was|got|be)\s?(?P<no>not\s|no longer\s)?(?:currently\s|now\s|"
    r"about\s|almost\s|around\s|already\s|just\s)*(?P<what>(?:(?:\w+|\d+)\s(?:weeks?|months?)\s)?pregnant(?"
    r":\swith\s(?:twins|triplets))?)\b|^(?P<alone>(?:\d+|\w+)\s(?:weeks|months)\spregnant)\b"
)
_STATE: Final = re.compile(
    r"(?:\b(?:i'm|i am|am|is|are|we're|she's|he's|been|currently|still)|^(?=breast|nursing|"
    r"trying|postpartum))\s?(?P<no>not\s|"
    r"no longer\s)?(?:currently\s|now\s|recently\s|happily\s|also\s|still\s|newly\s|just\s)*(?P<what>breast-?"
    r"feeding|nursing my (?:baby|newborn|son|daughter)|trying to (?:conceive|get pregnant)|"
    r"married|single|divorced|widowed|engaged|separated|post-?menopausal|in menopause|unemployed|"
    r"postpartum)\b"
)


def health_findings(clause: str, low: str, before: list[Finding]) -> list[Finding]:
    """What a clause says of allergies, diseases, drugs, operations and pregnancy; `low` is it in lower case."""
    found = _allergies(clause, low, before) + _diseases(clause, low, before) + _medications(clause, low, before)
    return found + _surgeries(clause, low) + _states(clause, low)


def _name_start(low: str, start: int, parts: frozenset[str], after: int = 0) -> int:
    """Where a name begins whose known part begins at `start`: at most four words that may belong to it before."""
    for _ in range(_PARTS_MAX):
        space = low.rfind(" ", 0, max(0, start - 1))
        if start == 0 or space + 1 < after or low[space + 1 : start - 1] not in parts:
            break
        start = space + 1
    return start


def _diseases(clause: str, low: str, before: list[Finding]) -> list[Finding]:
    found: list[Finding] = []
    adjective = _ADJECTIVE.search(low)
    if adjective and not _is_negated(low, adjective.start()):
        name = ADJECTIVES[adjective["what"]]
        found.append(Finding("disease", name, "-" if adjective["no"] else "+", adjective.start("what"), "adjective"))
    end, polarity = 0, ""
    pattern = _DISEASE_OR_ENDING if _ENDING_HINT.search(low) else _DISEASE
    for match in pattern.finditer(low):
        start = _name_start(low, match.start(), _PART, end)
        name = _ARTICLE.sub("", clause[start : match.end()])
        if (
            _NAMELESS.fullmatch(low, start, match.end())
            or name.lower() in NOT_DISEASE
            or _NOT_OWN.match(low[match.end() :])
        ):
            continue
        follows = polarity and _AND_ONLY.match(low[end:start])
        polarity = polarity if follows else _polarity(low, start, before)
        if polarity:
            found.append(Finding("disease", name, polarity, start + 1, "disease-list" if follows else "disease"))
        end = match.end()
    return found


def _is_negated(low: str, end: int) -> bool:
    """Whether what a clause claims right of `end` is taken back before: never, nobody, wasn't."""
    return _NEGATED.search(_NEGATED_NOT.sub("", low[max(0, end - _CLAUSE_LEFT_CHARS) : end])) is not None


def _polarity(low: str, start: int, before: list[Finding]) -> str:
    left = low[max(0, start - _LEFT_CHARS) : start]
    if _DENIED.search(left):
        return "-"
    if _CLAIMED.search(left):
        return "" if _is_negated(low, start) else "+"
    return _same_as_before(left, before, "disease")


def _same_as_before(left: str, before: list[Finding], predicate: str) -> str:
    """The polarity of a list that a comma cut before this item."""
    if before and before[-1].predicate == predicate and (not left or _AND_ONLY.match(left)):
        return before[-1].polarity
    return ""


def _medications(clause: str, low: str, before: list[Finding]) -> list[Finding]:
    found: list[Finding] = []
    end, polarity = 0, ""
    pattern = _DRUG_OR_ENDING if _DRUG_HINT.search(low) else _DRUG
    for match in pattern.finditer(low):
        start = match.start()
        if match.group() in _NOT_DRUGS or _NOT_TAKEN.match(low, match.end()):
            continue
        follows = polarity and _AND_ONLY.match(low[end:start])
        polarity = polarity if follows else _drug_polarity(low, start, before)
        if polarity:
            name = _ARTICLE.sub("", clause[start : match.end()])
            found.append(Finding("medication", name, polarity, start + 1, "medication"))
        end = match.end()
    return found


def _drug_polarity(low: str, start: int, before: list[Finding]) -> str:
    left = low[max(0, start - _LEFT_CHARS) : start]
    if _MED_FORBIDDEN.search(left):
        return ""
    if _MED_STOPPED.search(left) or _DENIED.search(left):
        return "-"
    taken = _MED_TAKEN.search(left)
    if taken and not _MED_MODAL.search(left[: taken.start()]) and not _ON_NOT.search(left):
        return "" if _is_negated(low, start) else "+"
    return _same_as_before(left, before, "medication")


def _surgeries(clause: str, low: str) -> list[Finding]:
    removed = _REMOVED.search(low) if "my" in low or "his" in low or "her" in low else None
    if removed:
        done = removed["done"] or removed["done2"]
        name = f"{removed['what'] or removed['what2']} {'removed' if done == 'out' else done}"
        polarity = "-" if _REMOVED_NOT.search(low[: removed.start()]) else "+"
        kept = polarity == "-" or not _is_negated(low, removed.start())
        return [Finding("surgery", name, polarity, removed.start() + 1, "removed")] if kept else []
    found: list[Finding] = []
    pattern = _SURGERY_OR_ENDING if _SURGERY_HINT.search(low) else _SURGERY
    for match in pattern.finditer(low):
        start = _name_start(low, match.start(), _SURGERY_PART)
        name = _ARTICLE.sub("", clause[start : match.end()])
        polarity = _surgery_polarity(low, start, name)
        if polarity:
            found.append(Finding("surgery", name, polarity, start + 1, "surgery"))
    return found


def _surgery_polarity(low: str, start: int, name: str) -> str:
    left = low[max(0, start - _LEFT_CHARS) : start]
    if _SURGERY_NEVER.search(left):
        return "-"
    done = _SURGERY_DONE.search(left)
    # Who has a stent had the operation; who has surgery next week did not.
    if not done or (_HAVE_ONLY.search(left) and not name.endswith(("stent", "stents", "pacemaker"))):
        return ""
    return "" if _MED_MODAL.search(left[: done.start()]) or _is_negated(low, start) else "+"


def _allergies(clause: str, low: str, before: list[Finding]) -> list[Finding]:
    if "allerg" not in low and "nkda" not in low:
        return _more_allergens(clause, low, before)
    none = _NO_ALLERGY.search(low)
    if none:
        what = none["what"] or ("drug" if none.group() == "nkda" else "any")
        return [Finding("allergy", what, "-", none.start() + 1, "no-allergy")]
    match = _ALLERGIC.search(low)
    if not match:
        return _allergy_kind(clause, low)
    denied = match["no"] or _DENIED.search(low[: match.start()])
    if not denied and _is_negated(low, match.start()):
        return []
    return _allergens(clause[match.start("what") :], "-" if denied else "+", match.start() + 1)


def _allergy_kind(clause: str, low: str) -> list[Finding]:
    """An allergy that is named before the word: a latex allergy."""
    match = _ALLERGY_KIND.search(low)
    if not match:
        return []
    if _COUNTED.fullmatch(match["kind"]):
        return [Finding("allergy", match["kind"], "+", match.start() + 1, HEADING)]
    if _NO_KIND.match(match["kind"]):
        return []
    denied = _ALLERGY_DENIED.search(low[: match.start()])
    if not denied and _is_negated(low, match.start()):
        return []
    name = _ARTICLE.sub("", clause[match.start("kind") : match.end("kind")])
    return [Finding("allergy", name, "-" if denied else "+", match.start() + 1, "allergy")]


def _more_allergens(clause: str, low: str, before: list[Finding]) -> list[Finding]:
    more = (
        before
        and before[-1].rule in ("allergy", HEADING)
        and len(low.split()) <= _ITEM_WORDS_MAX
        and not _NOT_ITEM.search(low)
    )
    return _allergens(_LEADING_AND.sub("", clause), before[-1].polarity, 1) if more else []


def _allergens(what: str, polarity: str, at: int) -> list[Finding]:
    items = (without_noise(_ARTICLE.sub("", item.strip())) for item in _AND.split(_PHRASE_END.sub("", what)))
    return [
        Finding("allergy", item, polarity, at, "allergy")
        for item in items
        if item and len(item.split()) <= _WORDS_MAX and not _VAGUE.search(item.lower())
    ]


def _states(clause: str, low: str) -> list[Finding]:
    found: list[Finding] = []
    match = _PREGNANT.search(low) if "pregnant" in low else None
    if match:
        name = match["what"] or match["alone"]
        found.append(Finding("state", name, "-" if match["no"] else "+", match.end(), "pregnancy"))
    match = _STATE.search(low)
    if match:
        name = clause[match.start("what") : match.end("what")]
        found.append(Finding("state", name, "-" if match["no"] else "+", match.end(), "state"))
    return found
