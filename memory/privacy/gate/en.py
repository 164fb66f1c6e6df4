"""The gate's English rules: one clause after the other, the first that tells something decides."""

import re
from typing import Final

from memory.language.apostrophes import STRAIGHT, spelled
from memory.language.clauses import Clause
from memory.language.vocabulary import kinds_of
from memory.privacy.verdict import MEDICAL, judge_question

BORDER: Final = re.compile(r"[!?;\n()\"“”…]+\s*|(?<!\.)\.++(?=\s|$)\s*|,\s+|\s(?:--?|—|–)\s|\s(?:but|because)\s")

_FILLER: Final = re.compile(
    r"^(?:(?:hi|hello|hey|doctor|ok|okay|well|so|and|but|also|oh|yes|no|yeah|actually|honestly|"
    r"um|hmm|then|now|sure|alright|please|thanks|because|since then)\b[\s,]*)+(?=\S)"
)
_COURTESY_TEXT: Final = (
    "a advice afternoon again agreed all alright amazing an and answer appreciate are awesome bad be best bye "
    "care clear continue cool course day do doctor done dr else enjoy evening exactly fine for funny glad go "
    "good goodbye got great haha+ happy have hear hello help helpful hey hi hmm+ hope i idea info information "
    "interesting is it just kidding kind later lol lot love make makes maybe mind mistake more morning much "
    "my never new nice night no nope noted nothing now of oh ok okay on one perfect please problem really "
    "right same see sense smart so sorry sounds sure take thank thanks that that's the then there this time "
    "to tomorrow too true understand understood very was weekend welcome well what will wonderful worries wow "
    "yeah year yep yes you you're your"
)
_COURTESY_WORDS: Final = frozenset(_COURTESY_TEXT.split())
_DIGIT: Final = re.compile(r"\d")
_WORD: Final = re.compile(r"[a-z']+")
_COMMAND: Final = re.compile(
    r"^(?:(?:can|could|would|will) you (?:please )?|please |just |let's |i (?:want|need) you to |"
    r"i'd like you to |now )*"
    r"(?:tell|show|give|play|find|search|look up|recommend|suggest|explain|translate|write|"
    r"make|set|turn|open|close|list|describe|define|summari[sz]e|calculate|convert|compare|"
    r"draw|sing|read|repeat|stop|pause|start|"
    r"change|help|create|generate|add|remove|check|book|order|name|pick|choose|say|let|talk|"
    r"teach|count|go|keep|skip|continue|rewrite|improve|proofread|send|call|discuss|think|"
    r"imagine|spell|wake)\b(?!ing)"
)
_REMEMBER: Final = re.compile(
    r"\b(?:remember (?:that|to|my|i|this)|remind me|don't forget|call me|note that|keep in mind that (?"
    r":i|my)|for future reference|make a note)\b"
)
_KIN: Final = (
    r"mother|father|mom|mum|dad|wife|husband|son|daughter|kids?|child|children|baby|sister|"
    r"brother|grandma|grandpa|grandmother|grandfather|boyfriend|girlfriend|partner|fianc[eé]e?|"
    r"aunt|uncle|cousin|niece|nephew|"
    r"friends?|boss|family|dog|cat|toddler|parents"
)
_KIN_AT_START: Final = re.compile(
    r"^(?:mom|mum|dad|grandma|grandpa|granny|hubby|baby|kiddo|the (?:baby|kids?|twins|little one|"
    r"dog|cat|puppy))\b(?!'s day)"
)
_MY_PEOPLE: Final = re.compile(
    rf"\b(?:my|our)\s(?:\w+\s)?(?:{_KIN}|birthday|wedding|anniversary|doctor|medication|allergy)\b"
)
_SELF: Final = re.compile(r"(?<![a-z])(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|we'll|our|us)(?![a-z.])")
_LET_ME: Final = re.compile(
    r"\b(?:let me|tell me|give me|show me|excuse me|help me|let us|trust me|believe me|all of us|"
    r"most of us|our (?:planet|solar system|galaxy|world|body|bodies|sun)|we humans)\b"
)
_QUESTION: Final = re.compile(
    r"^(?:what|what's|whats|how|how's|why|when|when's|where|where's|which|who|who's|whose|"
    r"do|does|did|is|are|am|was|were|can|could|should|would|will|won't|isn't|aren't|don't|"
    r"doesn't|has|have(?= you| i| they| we)|any|may|might|shall)\b"
)
_WHEN_I: Final = re.compile(
    r"^(?:when|where|what|whenever|how) (?:i|my|we)\b|^(?:don't|won't|can't|doesn't|might|"
    r"may|will|was|were|am|did|any)\s(?:feel|like|sleep|eat|be|not|able|really|think|hurt|"
    r"help|in|at|vomiting|movement|pressure)"
)
_EMPTY: Final = re.compile(
    r"^(?:i|i'm|i've|i'd|i'll|we|that's what i)(?: just| also| really| do| still| now| think|"
    r" will| can| definitely|'ll| totally| do not| don't| didn't| am| have| already| completely|"
    r" only| would)*\s?"
    r"(?:have (?:a|another|one more|some|one) questions?|see|get it|got it|understand|understood|"
    r"know(?: that)?$|know what you mean|agree|guess so|think so|hope so|like to (?:know|"
    r"ask|hear|learn|see|understand)|like that|like it|love (?:it|that|this)|"
    r"love you|want to (?:know|ask|hear|learn about|see|watch|listen)|wonder|was wondering|"
    r"wondering|heard|read that|read somewhere|saw (?:that|on)|appreciate|keep (?:that|it) in mind|"
    r"keep in mind|try (?:that|it|this)|do (?:that|as|so|what|it)|think about it|"
    r"look into|mean|ask you|bet|doubt|thank|follow|give it|take (?:your|that) advice|let you|"
    r"be right back|remember that|can't wait|sorry|joking|kidding|curious|bored|fine|good|"
    r"okay|ok|sure|not sure what you|listening|ready|trying to understand|interested in (?:learning|"
    r"knowing)|learned? something|"
    r"believe (?:it|you|that)|changed my mind|meant|said|asked|lost you|couldn't agree|owe you|"
    r"need (?:some )?(?:help|advice|information|a recommendation|ideas)\b|am done|done)"
)
_EMPTY_MORE: Final = re.compile(r"\b(?:about|with|when|because|for) (?:my|our)\b|\bsince\b.*\bi\b")
_GENERAL: Final = re.compile(
    r"\b(?:is|are) (?:mainly |usually |often |mostly |typically )?(?:a|an|the|one|also|usually|"
    r"often|caused|known|called|considered|made|located|composed|common|contagious|recommended|"
    r"transmitted|used|defined|spread|named|important|not a|characterized|produced|treated|"
    r"found in|measured|associated)\b|"
    r"\b(?:patients|people|adults|children|women|men|humans|doctors|scientists|everyone|those) (?:with|"
    r"should|who|can|are|have|must|need|often|usually|say)\b|\b(?:should|can cause|causes|"
    r"may cause|helps? with|helps? (?:to )?(?:prevent|treat|reduce)|prevents?|usually|generally|"
    r"typically|commonly|"
    r"according to|studies|research|was (?:written|invented|discovered|founded|built|born|"
    r"painted|the first)|in general|leads? to|increases the|reduces the|is good for|consists? of|"
    r"contains?|boils?|freezes?|revolves?|belongs? to|incubation)\b|^the (?:capital|earth|"
    r"sun|moon|world|human)\b|^(?:an apple a day|smoking|exercise|vitamin|drinking|eating|"
    r"sleep) .*\b(?:is|are|can|helps?|keeps?|causes?)\b"
)
_REPORT: Final = re.compile(
    r"^(?:had|got|took|taken|been|just|feeling|felt|feels|can't|cannot|couldn't|allergic|"
    r"started|having|diagnosed|woke|went|came|broke|fell|lost|found|finished|passed|failed|"
    r"moved|bought|sold|quit|stopped|tried|gave|saw|hurts?|"
    r"haven't|hasn't|hadn't|didn't|don't (?:feel|like|sleep|eat)|never had|no (?:known|fever|"
    r"allergies|history|pain|nausea|vomiting|cough|medications?)|not (?:sleeping|eating|feeling|"
    r"taking|allergic|pregnant)|tested|working|living|planning|"
    r"going|taking|using|looking forward|so (?:tired|happy|sad|stressed|excited|nervous)|"
    r"really (?:tired|sad|happy|stressed|excited)|only|sometimes|mostly|always|currently|"
    r"recently|lately|"
    r"exhausted|stressed|worried|scared|lonely|pregnant|married|single|divorced|vegetarian|vegan|born|raised|grew)\b"
)
_HEALTH: Final = re.compile(
    r"\b(?:pain|hurts?|swollen|period|pregnan\w+|wound|bitten|bleeding|blood pressure|blood sugar|"
    r"heart rate|temperature|weight|smoked?|surgery|hospital|biopsy|mri|ct scan|x-ray|ache|"
    r"sore|rash)\b"
)
_NUMBER: Final = (
    r"(?:\d+(?:\.\d+)?|a|an|one|two|three|four|five|six|seven|eight|nine|ten|several|a few|few|"
    r"a couple of|couple of|half an?)"
)
_UNIT: Final = r"(?:minute|hour|day|night|week|month|year|time)s?"
_DAY: Final = (
    r"(?:this|last|yesterday|every|tomorrow) (?:morning|afternoon|evening|night|week|month|year|"
    r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|summer|winter|spring|fall|weekend|"
    r"day)|yesterday|last night|today|tonight|tomorrow"
)
_BARE_TIME: Final = re.compile(
    r"(?:about |around |almost |nearly |maybe |for |since |probably |like |over |more than |"
    rf"just |it's been |roughly |the |past |last |starting |started |on and off )*(?:{_DAY}|"
    rf"{_NUMBER}(?: or {_NUMBER}| to {_NUMBER})? {_UNIT}|childhood|{_NUMBER})(?: ago| now|"
    r" or so| already| old| a day| a week| per day| straight| in a row)*"
)
_WHEN: Final = re.compile(rf"\b(?:{_DAY}|{_NUMBER} {_UNIT} ago|(?:for|since) (?:the past |about |{_NUMBER} ){_UNIT})\b")
_WORLD: Final = re.compile(
    r"\b(?:weather|news|stock market|raining|snowing|sunny|game|match|holiday|(?:today|tomorrow) is (?:monday|"
    r"tuesday|wednesday|thursday|friday|saturday|sunday|\w+mas))\b"
)
_OTHERS: Final = re.compile(r"^(?:you|you're|your|this|that|that's)\b")


def judge(clause: Clause) -> tuple[bool, str]:
    """Whether a clause tells something about its user, and by which rule."""
    text = spelled(clause.text).text.translate(STRAIGHT).lower()
    if _REMEMBER.search(text) and not clause.asked:
        return True, "remember"
    if _COURTESY_WORDS.issuperset(_WORD.findall(text)) and not _DIGIT.search(text):
        return False, "courtesy"
    text = _FILLER.sub("", text)
    if _BARE_TIME.fullmatch(text):
        return True, "time"
    if _COMMAND.match(text):
        return (True, "my-people") if _MY_PEOPLE.search(text) else (False, "command")
    return _judge_statement(text, asked=clause.asked)


def _judge_statement(text: str, *, asked: bool) -> tuple[bool, str]:
    own = _SELF.search(_LET_ME.sub("", text)) is not None or _KIN_AT_START.match(text) is not None
    if asked or (_QUESTION.match(text) and not _WHEN_I.match(text)):
        return judge_question(text, own=own, hypothetical=text.startswith("if "))
    if _EMPTY.match(text) and not _EMPTY_MORE.search(text):
        return False, "empty"
    return (True, "self") if own else _judge_report(text)


def _judge_report(text: str) -> tuple[bool, str]:
    """Told without a subject, as one answers a doctor or a friend."""
    if _GENERAL.search(text) or _WORLD.search(text):
        return False, "general"
    if _REPORT.match(text):
        return True, "report"
    if _HEALTH.search(text) or kinds_of(text) & MEDICAL:
        return True, "finding"
    if _WHEN.search(text) and not _OTHERS.match(text):
        return True, "when"
    return False, "nothing"
