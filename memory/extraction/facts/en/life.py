"""English facts of a life in one clause: name, family, age, job, home, tastes, plans, pets, habits."""

import re
from typing import Final

from memory.extraction.facts.en.words import ANIMAL, FUTURE, JOB, NOT_JOB, RELATIVE
from memory.extraction.facts.frame import Finding

_I: Final = re.IGNORECASE
_CAPITAL: Final = r"(?-i:[A-Z][\w'’-]+(?:\s[A-Z][\w'’-]+){0,2})"
_AM: Final = r"(?:i'm|i am|is|he's|she's|(?<=he )was|i was)"
_WORDS_MAX: Final = 10
_PART_WORDS_MAX: Final = 3

_NAME: Final = re.compile(
    r"\b(?:my (?:full |first )?name is|my name's|(?:please |just |you can |everyone |people |"
    rf"friends )*calls? me|i'm called|i go by)\s(?P<name>{_CAPITAL})",
    _I,
)
_FAMILY: Final = re.compile(
    rf"\b(?:my|our)\s(?:(?:older|younger|little|big|oldest|youngest|\d+[- ]year[- ]old)\s)?(?P<role>{RELATIVE})"
    r"(?:'s name(?:\sis|'s)|\sis (?:called|named)|\s(?:named|called))?\s(?P<name>(?-i:[A-Z][a-z]+))(?!\w)",
    _I,
)
_HAS_FAMILY: Final = re.compile(
    r"\b(?:i|we)(?:\shave|'ve got|\salso have)\s(?P<what>(?:(?:a|an|one|two|three|four|five|"
    r"\d)\s)(?:(?:older|younger|little|big|twin|grown|adult|small|young|teenage)\s)*(?:sons?|"
    r"daughters?|kids?|child(?:ren)?|brothers?|sisters?|siblings?|grandchildren|grandkids|"
    r"twins))(?:\s(?:named|called)\s(?P<name>(?-i:[A-Z][a-z]+)))?\b(?!\swith)",
    _I,
)
_ARTICLE: Final = re.compile(r"^(?:a|an|one|the|some|my|our)\s", _I)

_AGE: Final = re.compile(
    r"(?:^|\bi(?:'ve|\shave)?\s)(?:just\s|only\s)?turned\s(?P<turned>\d{2,3})\b(?!\s?[%:./])|"
    rf"\b(?:{_AM}|turned|just turned|turning|aged?)\s(?:now\s|currently\s|only\s|almost\s|"
    rf"a\s|an\s|already\s|about to be\s)*(?P<age>\d{{1,3}})(?=(?:[- ]years?[- ]old|\s?y/?o\b|"
    r"\sand\b|\snot\b|\s(?:male|female)\b|\s?[mf]\b|\snow\b|$|\syears of age))|"
    rf"(?:(?<!my\s)(?<!our\s)(?<!his\s)(?<!her\s)|(?=\d{{1,3}}[- ]years?[- ]old\s(?:{RELATIVE})\b))"
    r"\b(?P<old>\d{1,3})[- ]years?[- ]old\b|^(?P<alone>\d{1,3})\s?(?:y/?o|m|f|male|female)\b|^(?P<end>\d{1,3})$",
    _I,
)
_MEASURED: Final = re.compile(
    r"\b(?:pulse|(?:heart )?rate|bp|pressure|sats?|saturation|oxygen|sugars?|glucose|count|levels?|score|weight|inr"
    r"|ferritin|recheck|vitamin \w+|b12|tsh|psa|ldl|hdl|egfr|creatinine|ha?emoglobin|platelets?|iron|(?:hb)?a1c"
    r"|temp(?:erature)?|readings?|number|results?|it|this|that|they|when|since|until|till|before)\s*$",
    _I,
)
"""Before a number, or what says whose age it is: it is none, or one of long ago (when I was 6)."""
_BABY: Final = re.compile(r"\b(?P<age>\w+[- ](?:months?|weeks?)[- ]old)\b", _I)
_SEX: Final = re.compile(
    rf"(?:\b{_AM}\s(?:a|an|the)?\s?|^(?=(?:fe)?male\b))(?:\w+[- ]years?[- ]old\s)?(?:(?:healthy|young|"
    r"middle-aged|adult|single|married|old|white|black|asian|pregnant)\s)*(?P<sex>male|female|"
    r"man|woman|guy|girl|boy|lady)(?=$|\s(?:and|with|who|from|in|aged|of)\b)",
    _I,
)
_SEXES: Final = {"male": "male", "man": "male", "guy": "male", "boy": "male"}
_JUST_SEX: Final = re.compile(r"^\d{1,3}\s?(?:y/?o\s)?(?P<sex>male|female|m|f)\b", _I)

_JOB: Final = re.compile(
    rf"\b(?:(?:i'm|i am|i was|he's|she's|(?:he|she|who|{RELATIVE})\s(?:is|was)|i'm currently|"
    r"became)\s(?:a|an)|(?:work|works|working|worked|job|"
    r"employed)\sas\s(?:a|an|the))\s(?P<job>(?:(?!bit|little|big|very|huge|lot|really|few|"
    rf"much|good|bad|light|heavy|great|terrible|total|real|former)[a-z-]+\s){{0,3}}?(?:{JOB}))(?=$|"
    r"\s(?:at|in|for|with|and|from|by|who|here|now|on|of)\b)",
    _I,
)
_NOT_JOBS: Final = re.compile(rf"\b(?:{NOT_JOB})$", _I)
_WORKPLACE: Final = re.compile(
    r"\b(?:i|he|she|who|we|"
    + RELATIVE
    + r")(?:'ve been|'m|\sam|\sis)?(?:\scurrently|\salso|\snow|\sstill)?\s(?:work|works|working)(?:\sfull[- ]time|"
    r"\spart[- ]time|\sremotely)?\s(?:at|for|in)\s(?:(?:a|an|the)\s)?(?P<place>(?!home|night|"
    r"it|that|this|my|least|me|him|you|hours|years|long|shifts|all|peace)[\w&' -]{2,30}?)(?=$|"
    r"\s(?:as|and|in|for|since|but|right|now|full|part|these)\b)",
    _I,
)
_RETIRED: Final = re.compile(
    r"\b(?:i'm|i am|is|he's|she's|been)\s(?:now\s|already\s|semi-)?(?P<what>retired(?:\s(?:teacher|"
    r"nurse|engineer|police officer|doctor|lawyer))?|self-employed)\b|\b(?:i'm|is|i am)\sa\s(?P<as>retired\s\w+"
    r")$",
    _I,
)
_MONTH: Final = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)|Spring|Summer|Winter|Autumn)\b"
)
_HOME: Final = re.compile(
    r"\b(?:lives? in|living in|moved? (?:back )?to|moved in|relocated to|based in|resides? in|"
    r"settled in|(?:i'm|i am|is|we're|are|originally|he's|she's|come|comes) (?:originally )?from|"
    rf"home is|house is in|apartment is in)\s(?P<place>(?:the\s)?(?!{_MONTH}){_CAPITAL}(?:,\s{_CAPITAL})?)",
    _I,
)
_NOT_HOME: Final = re.compile(
    r"\b(?:used to|when|grew up|until|want|planning|going|will|hoping|thinking|before|never|don't|not)\b"
    r"|\b(?:ask|tell|told|want|beg|invit|urg|nag)\w* (?:me|us) to\b",
    _I,
)
_OTHERS_SAY: Final = re.compile(
    r"\b(?:she|he|they|everyone|everybody|people|gran\w*|nan|mum|mom|dad|(?:my|our|the|his|her) (?:\w+ )?\w+)"
    r" (?:(?:always|still|also|once) )?(?:tells?|told|thinks?|thought|said|says|claims?|claimed|reckons?|insists?)"
    r"(?: (?!and\b|so\b|since\b|because\b|but\b)[\w']+){0,5}$",
    _I,
)
"""Somebody else has it so."""

_ADVERB: Final = (
    r"(?:\s(?:really|also|still|absolutely|just|truly|always|especially|actually|do|both|all|"
    r"generally|personally|totally|particularly|usually|mostly|kind of|deeply))*"
)
_LIKE: Final = re.compile(
    rf"\b(?:i|we|who|he|she|{RELATIVE}|and(?=\s(?:likes|loves|enjoys|hates|dislikes|adores|prefers)\b))"
    r"(?P<aux>\s(?:don't|do not|doesn't|does not|didn't|never|"
    rf"can't|cannot))?{_ADVERB}(?P<no>\s(?:really|particularly|much))?\s(?P<verb>loves?|likes?|"
    r"enjoys?|adores?|prefers?|hates?|dislikes?|detests?|stand)\s(?P<what>.+)$",
    _I,
)
_INTO: Final = re.compile(
    r"\b(?:i'm|i am|is|been)(?P<no>\snot)?(?:\s(?:really|very|super|so|also|a|big|huge))*\s(?:into|"
    r"fond of|fan of|passionate about|obsessed with|crazy about|keen on)\s(?P<what>.+)$",
    _I,
)
_FAVOURITE: Final = re.compile(
    r"\bfavou?rite\s(?:\w+\s){1,3}?(?:is|are)\s(?P<what>.+)$|\b(?P<of>[A-Z]?[\w' ]{2,24}?)\s(?:is|"
    r"are)\smy\sfavou?rite\b",
    _I,
)
_HATED: Final = frozenset({"hate", "hates", "dislike", "dislikes", "detest", "detests", "stand"})
_TASTE_END: Final = re.compile(
    r"\s(?:because|when|but|since|so|although|especially|while|if|too|either|any ?more|as well|"
    r"for|very much|a lot|so much|more than|though|after|before|every|in the|during|at all|"
    r"most|these days|now|on|and\s(?:i|my|it|we|that|so|am|was|have|would|go|do|try))\b.*$",
    _I,
)
_VAGUE: Final = re.compile(
    r"^(?:is|are|was|to$|doing|both|usually|always|it|that|this|them|you|your|him|her|to\s(?:know|"
    r"ask|see|hear|thank)|how|what|the\s(?:way|"
    r"idea|sound|fact|look)|these|those|being|when|me|one|there|each|myself|us|and|about|"
    r"everything|nothing)\b",
    _I,
)
_AND: Final = re.compile(r"\s*(?:,\s*(?:and|or)?\s|\sand\s|\sor\s|\s&\s)\s*", _I)

_PLAN: Final = re.compile(
    r"\b(?:(?:i'm|i am|we're|we are|is|are)(?:\salso|\sactually|\sdefinitely)?\s(?:planning|"
    r"scheduled|set|preparing)\s(?:to|on|for)|(?:plan|plans|intend|intends|decided|have plans|"
    r"booked)\s(?:to|on))\s(?P<plan>.+)$|"
    r"\b(?:(?:i'm|i am|we're|we are|is)\sgoing\sto|i'll(?:\sbe)?|i will(?:\sbe)?|we'll(?:\sbe)?|"
    rf"we will)\s(?P<dated>(?=.*\b(?:{FUTURE})\b).+)$|"
    r"\b(?:i'm|i am|we're|we are|is|are)\s(?P<ing>(?:flying|moving|traveling|travelling|visiting|"
    r"starting|getting married|meeting|leaving|seeing|having|taking|running|hosting|driving)\b(?=.*\b(?"
    rf":{FUTURE})\b).+)$",
    _I,
)
_EMPTY_PLAN: Final = re.compile(
    r"\b(?:check it|to you|send you|try (?:that|it|this)|keep that|let you know|do that|get back|"
    r"look into|think about|remember|ask you)\b",
    _I,
)

_PET: Final = re.compile(
    r"\b(?:(?:i|we)(?:'ve)?(?:\salso|\scurrently|\sjust|\srecently)?\s(?:have|own|got|adopted|"
    r"rescued|keep|raise|bought)|has)\s(?:(?:a|an|two|three|four|some|several|\d|one|my)\s)?(?:(?!no)[a-z0-9-]+"
    rf"\s){{0,3}}?(?P<what>{ANIMAL})(?:\s?(?:named|called)\s(?P<name>(?-i:[A-Z]\w+)))?(?!\s(?:allerg|"
    r"bite|hair|food|scratch|fur|dander|phobia))(?=$|\s|')|"
    rf"\b(?:my|our)\s(?:(?:[a-z]+|\d+[- ]year[- ]old)\s)?(?P<mine>{ANIMAL})(?:(?:'s name is|"
    r"\sis (?:called|named)|\snamed|\scalled)?\s(?P<called>(?-i:[A-Z][a-z]+)))?(?!\s(?:allerg|"
    r"bite|hair|food|fur))(?=$|\s|')",
    _I,
)
_NOT_PET: Final = re.compile(r"^(?:fish|chickens?|birds?|labs?|horses?)$", _I)

_VICE: Final = re.compile(
    rf"\b(?:i|we|he|she|who|{RELATIVE})(?P<no>\s(?:don't|do not|doesn't|does not|never))?(?:\s(?:still|"
    r"also|usually|often|sometimes|occasionally|rarely|currently|ever|only|both|do))*\s(?P<what>(?:smoke|"
    r"vape)s?(?:\s(?:weed|marijuana|cigarettes))?|drinks?(?:\s(?:alcohol|beer|wine|coffee|tea)|"
    r"(?=$|\s(?:socially|heavily|a lot|too much|occasionally|every|on|regularly|daily|and|"
    r"or|at|sometimes)))|work out|"
    r"works out|meditates?|exercises?|do yoga|does yoga|stay up late|fast)(?=$|\s(?!from|"
    r"with|in the water|water|it|enough|machine))",
    _I,
)
_QUIT: Final = re.compile(
    r"\b(?:quit|stopped|gave up|given up)\s(?P<what>smoking|drinking(?:\salcohol)?|vaping|"
    r"alcohol|cigarettes|coffee|caffeine|meat)\b",
    _I,
)
_DIET: Final = re.compile(
    r"\b(?:i'm|i am|is|been|he's|she's|went|we're)(?P<no>\snot)?\s(?:a\s|an\s|now\s|strict\s|"
    r"strictly\s|mostly\s|a heavy\s|a light\s)*(?P<what>vegetarian|vegan|pescatarian|smoker|"
    r"non-?smoker|social drinker|teetotal(?:er)?|gluten[- ]free|sober|night owl|early riser|"
    r"early bird)\b",
    _I,
)
_NO_EAT: Final = re.compile(
    r"\b(?:i|we|he|she|"
    + RELATIVE
    + r")\s(?:don't|do not|never|doesn't)\s(?P<what>eat\s(?:red\s)?(?:meat|pork|beef|dairy|"
    r"gluten|fish|eggs|seafood|sugar|spicy food|breakfast))\b",
    _I,
)
_EVERY: Final = (
    r"(?:every\s(?:single\s|other\s)?(?:day|morning|night|evening|week|weekend|afternoon|sunday|"
    r"saturday|monday)|daily|each\s(?:day|morning|night)|(?:once|twice|\w+ times)\s(?:a|per)\s(?:week|"
    r"day|month)|most\s(?:days|mornings))"
)
_ROUTINE: Final = re.compile(
    rf"\b(?:i|we|he|she|{RELATIVE})(?:\s(?:usually|always|also|still|try to))*\s(?:goe?s?\s(?P<going>running|"
    r"jogging|swimming|hiking|cycling|climbing|dancing|walking|to the gym|for a (?:walk|run|"
    r"swim|jog))|(?P<what>(?:runs?|jogs?|swims?|walks?|cycles?|bikes?|reads?|journals?|stretch(?:es)?|"
    r"prays?|cooks?|does? yoga|practices? \w+|plays? \w+|drinks? (?:coffee|tea)|skips? breakfast))(?:\s(?"
    rf":\w+\s){{0,3}}?)?)\s?(?:\w+\s){{0,3}}?{_EVERY}\b",
    _I,
)


def life_findings(clause: str, low: str, before: list[Finding]) -> list[Finding]:
    """What a clause says of who somebody is and how they live.

    `low` is the clause in lower case, `before` is what the clause before it said.
    """
    found = _ages(clause, before) if _DIGIT.search(low) else []
    for hint, rule in _RULES:
        if hint.search(low):
            found += rule(clause)
    return found


def _persons(clause: str) -> list[Finding]:
    name = _NAME.search(clause)
    if name:
        return [Finding("name", name["name"], "+", name.end(), "name")]
    family = _FAMILY.search(clause)
    if family:
        return [Finding("family", f"{family['role'].lower()} {family['name']}", "+", family.start() + 1, "family")]
    has = _HAS_FAMILY.search(clause)
    if has:
        called = f" {has['name']}" if has["name"] else ""
        return [Finding("family", _ARTICLE.sub("", has["what"]) + called, "+", has.end(), "family")]
    return []


def _ages(clause: str, before: list[Finding]) -> list[Finding]:
    found: list[Finding] = []
    age = _AGE.search(clause)
    if age and not _MEASURED.search(clause[: age.start()]):
        number = age["turned"] or age["age"] or age["old"] or age["alone"] or age["end"]
        # A bare number is an age only beside a sex; else it may be a temperature.
        if int(number) <= _AGE_MAX and not (age["end"] and not any(finding.predicate == "sex" for finding in before)):
            found.append(Finding("age", number, "+", _after_relative(clause, age.end()), "age"))
    return found


def _sex(clause: str) -> list[Finding]:
    sex = _SEX.search(clause) or _JUST_SEX.search(clause)
    if not sex:
        return []
    word = sex["sex"].lower()
    return [Finding("sex", "male" if word in _SEXES or word == "m" else "female", "+", sex.end(), "sex")]


_AGE_MAX: Final = 120
_OWN_CHILD: Final = re.compile(rf"^[- ](?:old\s)?(?:{RELATIVE})\b", _I)


def _after_relative(clause: str, at: int) -> int:
    """Past the relative whose age stands before the word ("my 5-year-old son")."""
    child = _OWN_CHILD.match(clause[at:])
    return at + child.end() if child else at


def _work(clause: str) -> list[Finding]:
    found: list[Finding] = []
    job = _JOB.search(clause)
    if job and not _NOT_JOBS.search(job["job"]) and not _OTHERS_SAY.search(clause[: job.start()].strip()):
        found.append(Finding("job", job["job"], "+", job.start() + 3, "job"))
    place = _WORKPLACE.search(clause)
    if place:
        found.append(Finding("job", place["place"], "+", place.end(), "workplace"))
    retired = _RETIRED.search(clause)
    if retired:
        found.append(Finding("job", retired["what"] or retired["as"], "+", retired.end(), "retired"))
    return found


def _home(clause: str) -> list[Finding]:
    found: list[Finding] = []
    home = _HOME.search(clause)
    before = clause[: home.start()].strip() if home else ""
    if home and not _NOT_HOME.search(before) and not _OTHERS_SAY.search(before):
        found.append(Finding("residence", home["place"], "+", home.start("place"), "residence"))
    return found


def _tastes(clause: str) -> list[Finding]:
    like = _LIKE.search(clause)
    if like:
        verb = like["verb"].lower()
        if (verb == "stand") != bool(like["aux"] and like["aux"].strip().lower() in ("can't", "cannot")):
            return []
        denied = verb in _HATED or bool(like["aux"])
        if verb in _HATED and like["aux"] and verb != "stand":
            return []
        return _liked(like["what"], like.start("verb"), denied=denied)
    into = _INTO.search(clause)
    if into:
        return _liked(into["what"], into.start("what"), denied=bool(into["no"]))
    favourite = _FAVOURITE.search(clause)
    if favourite and "my" in clause.lower():
        return _liked(favourite["what"] or favourite["of"], favourite.end(), denied=False)
    return []


def _liked(what: str, at: int, *, denied: bool) -> list[Finding]:
    if _VAGUE.match(what):
        return []
    what = _TASTE_END.sub("", what)
    parts = _AND.split(what)
    # "improving schools and roads in our town" is one liking, "hiking and photography" are two.
    if any(len(part.split()) > _PART_WORDS_MAX for part in parts):
        parts = [what]
    items = (_ARTICLE.sub("", item.strip()) for item in parts)
    return [
        Finding("like", item, "-" if denied else "+", at, "like")
        for item in items
        if item and len(item.split()) <= _WORDS_MAX and not _VAGUE.match(item)
    ]


def _plans(clause: str) -> list[Finding]:
    plan = _PLAN.search(clause)
    if not plan:
        return []
    what = plan["plan"] or plan["dated"] or plan["ing"]
    return [] if _EMPTY_PLAN.search(what) else [Finding("plan", what, "+", plan.start() + 1, "plan")]


def _pets(clause: str) -> list[Finding]:
    pet = _PET.search(clause)
    if not pet or (pet["mine"] and _NOT_PET.match(pet["mine"])):
        return []
    name = pet["name"] or pet["called"]
    what = (pet["what"] or pet["mine"]).lower()
    return [Finding("pet", f"{what} {name}" if name else what, "+", pet.start() + 1, "pet")]


def _habits(clause: str) -> list[Finding]:
    quitting = _QUIT.search(clause)
    if quitting:
        return [Finding("habit", quitting["what"], "-", quitting.start() + 1, "quit")]
    diet = _DIET.search(clause)
    if diet:
        return [Finding("habit", diet["what"], "-" if diet["no"] else "+", diet.end(), "diet")]
    eat = _NO_EAT.search(clause)
    if eat:
        return [Finding("habit", eat["what"], "-", eat.end(), "no-eat")]
    vice = _VICE.search(clause)
    if vice:
        return [Finding("habit", vice["what"], "-" if vice["no"] else "+", vice.end(), "habit")]
    routine = _ROUTINE.search(clause)
    if routine:
        return [Finding("habit", (routine["going"] or routine["what"]).strip(), "+", routine.end(), "routine")]
    return []


_DIGIT: Final = re.compile(r"\d")
# A rule runs where its hint stands.
_RULES: Final = (
    (
        re.compile(
            r"name|call|\bson|daughter|wife|husband|brother|sister|kid|child|sibling|twins|"
            r"mother|father|partner|friend"
        ),
        _persons,
    ),
    (re.compile(r"male\b|man\b|guy\b|girl\b|boy\b|lady\b|\d ?[mf]\b"), _sex),
    (re.compile(r"\ban?\s|work|job|retired|self-employed|as the"), _work),
    (re.compile(r"\b(?:liv|mov|relocat|based|resid|settled|from|home|house|apartment)"), _home),
    (
        re.compile(
            r"lov|lik|enjoy|ador|prefer|hat|detest|can't stand|cannot stand|into|fond|fan|"
            r"passion|obsess|crazy|keen|favo"
        ),
        _tastes,
    ),
    (
        re.compile(
            r"\b(?:plan|intend|decided|booked|going|i'll|will|we'll|i'm|i am|we're|is|are|we are)\b|plann|scheduled"
        ),
        _plans,
    ),
    (re.compile(ANIMAL), _pets),
    (
        re.compile(
            r"smok|drink|vap|work|meditat|exercis|yoga|late|fast|quit|stopped|gave up|given up|"
            r"vegetarian|vegan|pescat|teetotal|sober|owl|riser|bird|gluten|eat|every|daily|each|times|once|twice|most"
        ),
        _habits,
    ),
)
