"""Frames of English for what is done every day, or no longer."""

import re
from typing import Final

from memory.extraction.life.en.words import ACT, EVERY, MUCH
from memory.extraction.life.grammar import Frame

_ASKS_ACTIVE: Final = re.compile(
    r"\b(?:active|exercis\w*|sport|hobb\w*|keep (?:fit|busy|moving)|instead|do for fun|focus on)\b"
)

HABIT_FRAMES: Final = (
    Frame(
        "habit",
        re.compile(
            r"\b(?P<x>(?:sleep(?:ing)?|slept|asleep|getting|get) (?:about |around |like |from |a solid "
            r"|a good |nearly |at least )?(?:\d{1,2}(?:\.5)?|four|five|six|seven|eight|nine|ten)"
            r" ?(?:(?:to|-|till) ?\d{1,2}(?! ?h(?:ou)?rs?\b)|(?:(?:to|-|or) ?(?:\d{1,2}|six|seven|eight|nine|ten) ?)?"
            r"(?:hrs?\b|hours?\b(?! (?:of work|late))))|bed (?:at|by) \d{1,2}(?::\d\d)?"
            r"|(?:in bed|asleep|lights out) (?:by|at|around|before) (?:half )?(?:nine|ten|eleven|midnight"
            r"|\d{1,2}(?::\d\d)?)(?: ?pm)?)"
        ),
    ),
    Frame("habit", re.compile(rf"^(?:i )?(?:just |now |only )?(?P<x>(?:\w+ )?{ACT})\b"), answers=_ASKS_ACTIVE),
    Frame(
        "habit",
        re.compile(
            r"\bi (?:now |only |usually )*(?P<x>sleep (?:at night|during the day|in the daytime"
            r"|from \d[\w:]{0,6} (?:to|till|until) \d[\w:]{0,6}|till (?:\d|noon)[\w:]{0,6}))"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"(?:\b(?:back (?:to|on|up to)|down to|up to|smoke|smoking|vape|still|on|about|around|bout) (?:like "
            r"|about |around )?|^(?:i'm |im )?(?:on |about |around |roughly |like |maybe )*)"
            r"(?P<x>(?:\d{1,2}|five|ten|twenty|fifteen|thirty|forty|a pack|half a pack) a day)\b(?! keeps)"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\bi (?:also |mostly |usually |still |now |just )?play (?P<x>(?:the )?(?:\w+ )?(?:guitar|piano"
            r"|violin|drums|cello|bass"
            r"|flute|sax(?:ophone)?|keyboard|ukulele|trumpet|trombone|clarinet|harp|banjo|harmonica|tuba|oboe"
            r"|chess|bridge|darts|bowls|five[- ]a[- ]side|cricket|hockey"
            r"|table tennis"
            r"|ping pong|pool|snooker))\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\bjoined (?:a|an|the|my|our)(?: local| new)? (?P<x>(?:\w+ ){0,2}(?:class(?:es)?|club|group|choir"
            r"|team|band"
            r"|league|society))\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:do|doing) (?P<x>(?:jigsaw |crossword |number )?(?:puzzles?|crosswords?|jigsaws?|sudokus?"
            r"|knitting|crochet"
            r"|embroidery|woodwork|origami))\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:been |now |started |i'm |i am )*(?P<x>cut(?:ting)? (?:out|down on|back on) (?:the "
            r"|my )?(?:salt|sugar|carbs"
            r"|red meat|caffeine|coffee|bread|dairy|fat|fried food|takeaways?|sweets|fizzy drinks|processed food))\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"(?:\b(?:just|only|down to|to)|^(?:about |maybe )?) ?(?P<x>(?:an?|one|two|three|four"
            r"|\d{1,2}) (?:small |large |big )?"
            r"(?:glass(?:es)?|pints?|cans?|beers?|bottles?|units?)(?: of \w+)? (?:a|on|every|per|at"
            r"|with) (?:an? |the )?\w+)"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:smoke|smoking|on|own) (?:about |roughly |around |like |maybe )?(?P<x>(?:half )?(?:an?|one"
            r"|two|three|\d{1,2}) "
            r"(?:packs?|cigs?|cigarettes?|fags?|roll[- ]?ups?) (?:a|per|every) (?:day|week))\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"^(?:yes|yep|yeah)?[!,. ]*(?P<x>(?:\w+ )?(?:class(?:es)?|club|lessons?)) (?:every|on|each|once|twice) "
        ),
        wide=True,
    ),
    Frame(
        "habit",
        re.compile(
            r"\bdrinking (?P<x>(?:green |herbal |mint |black |decaf |oat |soda |sparkling |fizzy )?(?:tea|water"
            r"|decaf|juice|milk"
            r"|kombucha|squash))\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\blearning (?:the |to play (?:the )?)?(?P<x>guitar|piano|violin|drums|ukulele|cello|flute|spanish"
            r"|italian|french"
            r"|german|mandarin|sign language|crochet|chess)\b"
        ),
    ),
    Frame("habit", re.compile(r"\b(?:do|doing) (?P<x>pottery|ceramics|painting|photography|drama|ballet|choir)\b")),
    Frame("habit", re.compile(r"\b(?:took|taken|taking|take) up (?P<x>(?:[a-z]+ )?[a-z]{3,}ing)\b")),
    Frame(
        "habit",
        re.compile(
            r"\b(?:took|taken|taking) up (?P<x>pottery|watercolou?rs?|woodwork|ceramics|yoga|tennis|golf|chess"
            r"|judo|karate|ballet|archery"
            r"|crochet"
            r"|embroidery|photography|calligraphy|carpentry|(?:the )?(?:guitar|piano|violin|drums|cello|ukulele))\b"
        ),
    ),
    Frame("habit", re.compile(rf"\b(?P<x>{ACT})\b \d+ ?x\b")),
    Frame("habit", re.compile(rf"^(?:and |but |i |now )*(?:do|doing|back) (?P<x>{ACT})\b")),
    Frame(
        "state",
        re.compile(
            r"\b(?P<x>not (?:a|one) (?:drop|glass|pint)|don'?t drink any ?more"
            r"|haven'?t had a drink (?:since (?!this|yesterday|last night|breakfast|lunch|dinner|tea\b|\d)"
            r"|(?:in|for) (?:\w+ )?(?:weeks|months|a year|years))"
            r"|(?:\d+|[a-z]+) (?:days|weeks|months|years?) sober|day \d+ without (?:a|one|any) (?:drink|drop)"
            r"|(?:days|weeks|months|years?) without (?:a|one|any) (?:drink|drop|alcohol|booze)"
            r"|off the (?:beer|booze|drink|wine)|(?:quit|stopped|gave up|given up) (?:drinking"
            r"|alcohol|booze))\b"
        ),
        given="quit drinking",
    ),
    Frame("habit", re.compile(rf"\b(?:not|never) going back to (?P<x>{ACT})\b"), denied=True),
    Frame(
        "habit",
        re.compile(
            r"\b(?:doing|on|started|following|switched to|eating) (?:the |a )?(?P<x>mediterranean|dash"
            r"|low[- ]fodmap|paleo|carnivore|atkins"
            r"|slimming world|weight watchers)\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\bit'?s (?:all )?(?P<x>mediterranean|keto|low[- ]carb|vegan|vegetarian|plant[- ]based"
            r"|gluten[- ]free) now\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\bi (?:just |now |only )*(?:use|do) the "
            r"(?P<x>rowing machine|treadmill|exercise bike|cross trainer|elliptical)\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\bat the (?P<x>bouldering wall|climbing wall|allotment|driving range|rink|dojo|boxing club) "
            r"(?:these days|now|every|most)"
        ),
    ),
    Frame("habit", re.compile(r"\bi (?:now )?(?P<x>read (?:a |my |the )?(?:paperback|book|novel|kindle)\w* in bed)\b")),
    Frame(
        "habit",
        re.compile(
            rf"\bi (?:usually |now |only |still )*(?:have|drink|enjoy) (?P<x>(?:a |one |two )?glass(?:es)? of (?:red"
            rf"|white|wine|prosecco)(?! milk)(?: with (?:dinner|lunch|food))?)"
            rf"[^,.;]{{0,16}}?\b{EVERY}"
        ),
    ),
    Frame("habit", re.compile(r"\bon the (?P<x>vape|patches|gum|cigs|fags)\b")),
    Frame(
        "state",
        re.compile(
            r"\b(?P<x>(?:quit|stopped|gave up|given up|packed in|kicked|chucked|off) (?:the )?(?:smoking|cigs"
            r"|cigarettes|fags|vape|vaping)"
            r"|packed (?:the|my) (?:vape|fags|cigs) in|binned the (?:vape|fags|cigs)"
            r"|(?:day \d+|(?:\d+|\w+) (?:days|weeks|months|years?)) without (?:a|one|any) (?:cigarette|cig|fag"
            r"|smoke|vape)"
            r"|not (?:one|a single|touched an?|touched any|had a) (?:cigarette|cig|fag)|haven'?t had (?:a|any"
            r"|one) (?:cigarettes?|cigs?|fags?|smokes?)|not (?:a|one) puff"
            r"|(?:smoke|nicotine)[- ]free)\b"
        ),
        given="quit smoking",
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:been|started|back to|now|i'm|im|i) (?:eat(?:ing)? )(?:\w+ )?(?P<x>fish|meat|salmon|chicken|beef"
            r"|eggs|dairy|red meat|gluten|bread)\b(?! (?:allergy|sauce|oil))"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?P<x>gluten[- ]free|dairy[- ]free|vegan|vegetarian|low[- ]carb|keto|teetotal) (?:for life"
            r"|from now on|now|since|these days)\b"
        ),
    ),
    Frame("habit", re.compile(rf"^just (?P<x>(?:green |herbal |mint |decaf )?{ACT})\b")),
    Frame("habit", re.compile(r"^(?:yep|yeah|nope|no|not one bit)?,? ?(?:still )(?:my |on )(?P<x>\d+ a day)")),
    Frame(
        "habit",
        re.compile(rf"^(?:now |just )?(?P<x>(?:[\w-]+\s)?{ACT})\s(?:all day|every|most|at night|before|after|instead)"),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:started|start|began|took up|taken up|taking up|got (?:back )?into|getting into|back (?:to|at|on"
            r"|in)|picked up|switched to|moved to|swapped [\w ]{1,20}? for|swapped to|replaced [\w ]{1,20}? with"
            r"|do|doing|go|going"
            r"|goes|joined|signed up (?:for|to|at)|hit|hitting|now|still|usually|drink|eat|smoke|having|have"
            r"|love my|on|discovered)"
            rf"\s(?:[\w'-]+\s){{0,3}}?(?<!job )(?P<x>{ACT})\b(?! (?:a|an|the|my|our)\s)"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:i'?m|i am|we're|i'?ve been|started|went|gone|back to|been) (?:now )?(?:back to )?eating"
            r" (?P<x>(?!it|that|this|them|lunch|dinner|well|out|less|more|too|properly|normally|better"
            r"|a lot)[\w' -]{3,28}?) (?:again|now|these days|every|instead|most|style)\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"^(?:still |yeah |yep |i |also )*(?P<x>smoke|vape|drink)\s(?:\d+|like|a |half|about|around|socially"
            r"|every|on |too)"
        ),
    ),
    Frame("habit", re.compile(rf"\b(?P<x>{ACT})\b[^,.;]{{0,24}}?\b{EVERY}")),
    Frame("habit", re.compile(rf"\b{EVERY}[^,.;]{{0,16}}?\b(?P<x>{ACT})\b")),
    Frame("habit", re.compile(rf"\b{MUCH}\s(?:[\w-]+\s)?(?P<x>{ACT})\b")),
    Frame(
        "habit",
        re.compile(
            r"\bi(?:'ve been|'m| have been)?\s(?:still |also |usually |mostly |only |do )*"
            r"(?!run (?:payroll|the|a|an|my|our|this|late|out|into|errands|some|it|low)\b)(?P<x>smoke|vape"
            r"|drink(?! (?:\w+ )?(?:tea|water|coffee|milk|juice|decaf|plenty|lots))"
            rf"|run|jog|swim|cycle|meditate|climb|{ACT})\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:i'?m|im|i am|went|gone|going|been|turned|now|strict(?:ly)?|i guess|mostly|back to being|eating"
            r"|become|full[- ]on)\s(?:a |an |now |strictly |mostly |basically |fully |fully |completely )*"
            r"(?P<x>vegan|vegetarian|veggie|pescatarian|flexitarian|keto|paleo|gluten[- ]free|dairy[- ]free"
            r"|teetotal|sober|plant[- ]based|carnivore|low[- ]carb)\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"(?:^|\b(?:i'?m|im|now|yep)\s)(?P<x>pescatarian|vegan|vegetarian|teetotal|sober) (?:now|i guess"
            r"|these days)"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:no longer|not|quit being|stopped being|gave up being|isn't|ex)[ -](?:a |an |really "
            r"|strictly )?(?P<x>vegan|vegetarian|veggie|pescatarian|keto|smoker|drinker|gluten[- ]free|sober)"
        ),
        denied=True,
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:quit|stopped|gave up|given up|giving up|packed in|jacked in|kicked|ditched|dropped|cut out"
            r"|cutting out|knocked|off(?! to)|off the|no more|no longer|haven'?t touched|haven'?t had|done with"
            r"|swore off|sworn off|stayed off|binned|shelved|came off|nixed|lost the)"
            rf"\s(?:[\w'-]+\s){{0,2}}?(?P<x>{ACT})\b"
        ),
        denied=True,
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:don'?t|do not|never|didn'?t|doesn'?t)\s(?:really |even |actually |ever )*(?:go to |do |have |eat "
            rf"|touch |drink |play |go )?(?P<x>{ACT})\b(?: anymore| any more| now|$)"
        ),
        denied=True,
    ),
    Frame(
        "habit",
        re.compile(
            rf"\b(?P<x>{ACT})(?:'s| is| has| are| have| went)? (?:gone|done|over|finished|out the window"
            r"|off the (?:table|menu)|history|a thing of the past|no more)"
        ),
        denied=True,
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:[\w-]+|\d+) (?:days?|weeks?|months?|years?) (?:and counting )?(?P<x>sober|clean|smoke[- ]free"
            r"|dry|alcohol[- ]free|nicotine[- ]free|sugar[- ]free)\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:i|we) (?:now |only |mostly |do )*(?:eat|have|drink) (?P<x>(?!it|that|this|them|lunch|dinner"
            r"|breakfast|pain|trouble"
            r"|a |an |the |to |no )[\w' -]{3,28}?) (?:again|now|these days|nowadays|every|instead|most)\b"
        ),
    ),
    Frame(
        "habit",
        re.compile(
            r"\b(?:it's|its) (?:just |only |all )?(?P<x>(?!a |the |not |been )[\w' -]{3,24}?) (?:all day"
            r"|for me now|from now on)\b"
        ),
    ),
)
