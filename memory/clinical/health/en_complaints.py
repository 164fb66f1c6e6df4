"""What is wrong, as English says it: a part of the body and what is felt there, and what is said whole."""

from typing import Final

from memory.clinical.sketch import pattern

_END: Final = r",.;!?\n"
_PART: Final = (
    r"(?<![a-z])(?:<G>|(?:low(?:er)?|upper|left|right|whole|entire) (?:back|side|arm|leg|belly|stomach|body)|head"
    r"|forehead|temples?|face|cheeks?|jaw|gums?|tooth|teeth|mouth|lips?|tongue|throat|neck|shoulders?"
    r"|arms?|elbows?|wrists?|hands?|fingers?|thumbs?|chest|breasts?|ribs?|back|side|stomach|tummy|belly"
    r"|abdomen|groin|hips?|bum|buttocks?|legs?|thighs?|knees?|calf|calves|shins?|ankles?|feet|foot|heels?"
    r"|toes?|skin|scalp|eyes?|ears?|nose|sinuses|body|joints?|muscles?|pee|urine|poo|stools?|discharge"
    r"|period|heart|nipples?|lump|mole|wound|cut)"
)
_SENSE: Final = (
    r"(?:hurt(?:s|ing)?|ach(?:e|es|ing|y)|pain(?:s|ful)?|sore(?:ness)?|tender|throb(?:s|bing)?|burn(?:s"
    r"|ing)?|sting(?:s|ing)?|itch(?:y|es|ing)?|swollen|swelling|swell(?:s|ed)?|puffy|numb(?:ness)?"
    r"|tingl(?:y|es|ing)|pins and needles|stiff(?:ness)?|weak(?:ness)?|cramp(?:s|ing|y)?|tight(?:ness)?"
    r"|heavy|heaviness|red|rash|bleed(?:s|ing)?|blocked|stuffy|runny|running|ringing|blurr?y|watery"
    r"|watering|dry|peeling|oozing|weeping|infected|pounding|racing|fluttering|killing me|discoloured"
    r"|itching|bad(?! (?:for|at|news|luck))|giv(?:es|ing) (?:way|out)|going over|playing up|wrecked|in agony"
    r"|spasms?|bruised|bloated|gurgling|discomfort|pressure|lumps?|spots|blisters|twitch(?:es"
    r"|ing)?|dark|cloudy|smelly|late|heavier|yellow|green)"
)
_NO: Final = (
    r"\b(?:no|not|isn't|doesn't|don't|didn't|hasn't|haven't|wasn't|aren't|quit|stopped|stops|longer|hardly|never|but"
    r"|take|took|taking|if|and i)\b"
)
_GAP: Final = rf"(?:(?!{_NO})[^{_END}]){{0,16}}?"

COMPLAINTS: Final = (
    pattern(
        r"\b(?P<x>(?:thoughts?|thinking|think) (?:about|of) (?:taking (?:an?|the|all|my)"
        r"(?: whole| full)? (?:bottle|pack|pills|lot)[^,.;!?\n]{0,20}"
        r"|ending (?:it|things|my life)|killing myself|hurting myself|suicide)"
        r"|(?:don'?t|do not) want to be here any ?more|better off (?:dead|without me))"
    ),
    pattern(
        r"(?:\b(?:my|the|both|his|her|their|left|right)\b |(?:^|[.!?] )(?=(?:<G>|\w+)(?:'s| is| are| feels?"
        r"| keeps?| still)\b))"
        rf"{_GAP}(?P<x>{_PART}(?:'s)?(?![a-z]){_GAP}\b{_SENSE})\b"
    ),
    pattern(
        r"(?P<x><G>s?(?:'s)? (?:still |really |always |also |a bit |constantly |keeps? |is |are |was "
        r"|gets? |feels? )*(?:<Y>|<R>))"
    ),
    pattern(
        r"(?P<x>\b(?:heavy|heavier|painful|irregular|missed) periods?\b"
        r"|\b(?:not|haven'?t been|hasn'?t been|ain'?t) sleeping(?: (?:well|much|properly|at all|great))?\b"
        r"|\bsleep(?:ing)? (?:so |really |very )?(?:badly|poorly)\b)"
    ),
    pattern(
        rf"(?P<x>\b{_SENSE}\b(?: \w+)?(?: pain| feeling| sensation)?(?: in| on| around| behind| under| below"
        rf"| near| down| all over)(?: both| the| my| his| her| one| left| right| upper| lower)*? {_PART})(?![a-z])"
    ),
    pattern(
        rf"(?P<x>\b(?:{_PART})[ -](?:pain|ache|cramps?|swelling|rash|discharge|spasms?|stiffness|numbness"
        r"|bleed)s?)\b"
    ),
    pattern(
        r"(?P<x>\b(?:can'?t|cannot|couldn'?t|trouble|hard to|struggl\w+ to|difficulty"
        r"|barely) (?:\w+ )?(?:sleep(?:ing)?|breath(?:e|ing)|swallow(?:ing)?|walk(?:ing)?|eat(?:ing)?"
        r"|keep \w+ down|stand(?= (?:up|for (?:more|long)|on|without|straight|or walk|and walk))|pee(?:ing)?"
        r"|concentrat\w+|hear"
        r"|see(?! (?:my (?:feet|toes)|the point|why|how|what|you|u\b|myself|any reason|it (?:on|in)))"
        r"|move \w+ \w+)|throwing up|threw up|thrown up"
        r"|being sick|been sick|puking|vomit(?:ed|ing)|passed out|fainted|(?:feel(?:ing)?"
        r"|still) (?:\w+ )?(?:sick|dizzy|faint|tired|exhausted|weak|feverish|shivery|nauseous|light-?headed"
        r"|low|run down)|off my food|no (?:appetite|energy)|lost (?:\d+|weight|my (?:appetite|voice"
        r"|sense))[^,.;\n]{0,14}|hot and cold|waking up[^,.;\n]{0,20}|(?:night|cold) sweats|short of breath"
        r"|out of breath)"
    ),
)
"""Group x is the complaint. The first: one would not live."""
