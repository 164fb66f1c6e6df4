"""Frames of English for who belongs to a family, who came and who went."""

import re
from typing import Final

from memory.extraction.life.grammar import Frame

_KIN: Final = (
    r"(?:mother|father|mum|mam|mom|dad|husband|wife|partner|brother|sister|son|daughter|nan|nana|gran|granny|grandma"
    r"|grandpa|grandad|granddad|grandmother|grandfather|aunt|uncle|fiancée?|twin)"
)
_SPOUSE: Final = r"(?:husband|wife|partner|fiancée?)"
_DIED: Final = (
    r"(?:'s| has| had| is| sadly| just| suddenly| finally| unexpectedly)*"
    r" (?:passed(?: away| on)?(?! (?:out|the|me|by|to))|died|dead\b|lost (?:his|her) (?:life|battle))"
)
_WE: Final = (
    rf"(?:(?:me|i) and my [\w' ]{{2,20}}|me and [\w' ]{{2,24}}|we|(?:my )?{_SPOUSE} and i|i and [\w' ]{{2,24}})"
)
_BABIES: Final = r"(?:twins|(?:(?:two|three|twin|identical) )?(?:baby )?(?:girls?|boys?|daughters?|sons?))"
_AFTER_BIRTH: Final = (
    r"(?=$|,| (?:by|on|at|last|this|called|named|and|yesterday|two|three|four|\d|today|early|in (?:jan|feb|mar|apr|may"
    r"|june?|july?|aug|sep|oct|nov|dec)))"
)

FAMILY_FRAMES: Final = (
    Frame(
        "family",
        re.compile(
            r"\b(?:had|gave birth to|given birth to|delivered|welcomed|it'?s|it was)"
            rf" (?:a |our |my |\w+ )?(?:healthy |tiny |little |beautiful |baby )*(?P<x>{_BABIES}){_AFTER_BIRTH}"
        ),
        ours=True,
    ),
    Frame("family", re.compile(r"^(?P<x>(?:two|three|twin|identical) (?:baby )?(?:boys|girls|sons|daughters))$")),
    Frame(
        "family",
        re.compile(
            r"^(?:he|she)(?:'?s| is) here[^a-z]{1,4}(?:it'?s )?(?:a )?(?:(?:little|baby|healthy) )*(?P<x>girl|boy)\b"
        ),
        ours=True,
        wide=True,
    ),
    Frame("family", re.compile(r"^(?:it'?s )?(?:a )?(?:(?:little|baby|healthy) )?(?P<x>girl|boy)$"), ours=True),
    Frame(
        "family",
        re.compile(
            r"(?:^|\b(?:my|our) )(?:baby|little|wee) (?P<x>girl|boy)(?:'s)? (?:is|has|was|came|arrived|slept"
            r"|weighed|just)\b"
        ),
        ours=True,
    ),
    Frame(
        "family",
        re.compile(
            r"(?:(?<!lost )(?<!late )\b(?:my|our|the)|^(?:and |but |so )?|,) ?"
            r"(?:\d+[ -](?:month|year|week)s?[ -]old |little |eldest |youngest |older |younger )?(?P<x>husband"
            r"|hubby|wife|fianc[eé]e?"
            r"|son|daughter|boyfriend|girlfriend"
            r"|grandsons?|granddaughters?|grandkids|toddler|stepson|stepdaughter|partner(?= (?:and|is|has|says|does"
            r"|will)))"
            rf"(?:'s)?\b(?!'s (?:friend|mum|mom|mother|dad|father|family|sister|brother|boss|work|old|plan))(?!{_DIED})"
            r"(?! (?:left(?! (?:his|her|the|work|for|early|town)\b)|walked out|and i (?:split|separated"
            r"|divorced)|to be))"
        ),
        own=True,
    ),
    Frame(
        "family",
        re.compile(rf"(?:\b(?:my|our)|^) ?(?P<x>sister|brother|niece|nephew|cousin|aunt|uncle)\b(?!'s)(?!{_DIED})"),
        own=True,
    ),
    Frame(
        "family",
        re.compile(
            r"\b(?:moved|moving|living|live|staying)(?: back)?(?: in)? with (?:my|our) "
            r"(?P<x>mum|mom|mother|dad|father|parents|grandparents|nan|gran|grandma)\b"
        ),
        own=True,
    ),
    Frame(
        "family",
        re.compile(
            r"\b(?:married|live|living|single|divorced)\b[^,.;]{0,12} with (?P<x>(?:two|three|four|\d"
            r"|my)(?: \w+)? (?:boys|girls|kids|children|sons|daughters))\b"
        ),
        own=True,
    ),
    Frame(
        "state",
        re.compile(r"^(?:i'?m |i am |hi,? )*(?P<x>(?:happily )?married)\b (?:with|for|\d+|and have|,)"),
        given="married",
    ),
    Frame("family", re.compile(r"\b(?:i've|have|got|now have) a (?P<x>wife|husband)(?= again| now|$|,)"), own=True),
    Frame(
        "family",
        re.compile(
            rf"\b(?P<x>{_KIN}|niece|nephew|cousin)(?:'s| is| has| are)? (?:now )?(?:staying|living|moved in"
            rf"|moving in) (?:with|in with) (?:me|us)\b"
        ),
        own=True,
    ),
    Frame(
        "family",
        re.compile(
            r"\b(?:our|my|the) (?:little |baby |wee |new )*(?P<x>girl|boy|daughter|son|twins|baby)(?:'s| finally| both"
            r"| is| are| was| were| has| have)* (?:born\b|arrived\b|here(?=$|,| and)|came (?:early|late|along"
            r"|on the|last|yesterday|this)|made (?:her|his|their) (?:appearance|entrance|arrival))"
        ),
        ours=True,
    ),
    Frame("family", re.compile(rf"\b(?P<x>(?:my |our )?{_KIN}{_DIED})"), ours=True),
    Frame("family", re.compile(rf"\b(?:lost|buried) (?:my|our) (?P<x>{_KIN})\b(?!'s)"), ours=True),
    Frame(
        "family",
        re.compile(
            rf"\b(?P<x>{_KIN}(?:'s| has| is)? (?:now )?(?:moved|gone|went) (?:in)?to (?:a |the )?"
            r"(?:nursing|care|retirement) home)"
        ),
        ours=True,
    ),
    Frame("state", re.compile(rf"\b(?P<x>(?:my )?(?:late )?{_SPOUSE}{_DIED})"), given="widowed", ours=True),
    Frame("state", re.compile(r"\bi(?:'m| am|'ve been|m| was)? (?:a |now |recently )*(?P<x>widow(?:ed|er)?)\b")),
    Frame(
        "state",
        re.compile(
            r"(?P<x>\bi(?:'m| am|m) (?:now |newly )*single\b(?! (?:mum|mom|dad|parent))"
            r"|^(?:newly )?single (?:at \d|again\b)|\b(?:we|he and i|she and i"
            r"|me and \w+|\w+ and (?:i|me))(?:'ve| have)? (?:broke up|split up|broken up)\b)"
        ),
        given="single",
        ours=True,
    ),
    Frame(
        "state",
        re.compile(
            rf"(?P<x>\b(?:{_WE}|and i|i)(?:'m|'re|'ve| am| are| have| finally| officially| just| got"
            rf"| getting)* divorced\b"
            r"|\b(?:got|get|is|are) divorced\b|\b(?:divorce|decree(?: absolute| nisi)?) (?:came|went|is|got"
            r"|was)\b(?! (?:to|in)\b))"
        ),
        given="divorced",
        ours=True,
    ),
    Frame(
        "state",
        re.compile(rf"(?P<x>\b(?:{_WE}|\w+ and i)(?:'ve| have| are|'re)? (?:now |recently |just )?separated\b)"),
        given="separated",
        ours=True,
    ),
    Frame(
        "state",
        re.compile(r"(?P<x>\b(?:have|'ve got|got|met) a (?:boyfriend|girlfriend|partner)\b)"),
        given="in a relationship",
    ),
    Frame(
        "state",
        re.compile(
            rf"(?P<x>(?:\b(?:{_WE}|i|and i)|^(?:so |and |we )?) ?(?:finally |just |only )?(?:got (?:re)?married"
            rf"|got wed|remarried"
            rf"|tied the knot"
            rf"|eloped)\b"
            r"(?! next)|\b(?:we|i|and i)(?:'re|'m| are| am) (?:finally |now |officially )?married\b(?! in| next| on)"
            r"|\bwedding was\b)"
        ),
        given="married",
        ours=True,
    ),
    Frame(
        "plan",
        re.compile(
            r"\b(?P<x>try(?:ing)? for (?:a |another |our \w+ )?(?:baby|child|one|number \w+|\w+ child)"
            r"|trying to (?:conceive|get pregnant)|going for (?:number \w+|another (?:baby|one)))\b"
        ),
        planned=True,
    ),
)
