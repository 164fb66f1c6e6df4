"""Facts of a life in English."""

import re
from typing import Final

from memory.extraction.facts.en.words import NOT_JOB
from memory.extraction.life.en.answered import ANSWER_FRAMES
from memory.extraction.life.en.family import FAMILY_FRAMES
from memory.extraction.life.en.habits import HABIT_FRAMES
from memory.extraction.life.en.tastes import TASTE_FRAMES
from memory.extraction.life.en.work import WORK_FRAMES
from memory.extraction.life.grammar import LifeGrammar

EN: Final = LifeGrammar(
    written=re.compile(r"[a-z]{2,}[,.]? (?:\d+ )?[a-z']"),
    frames=(*ANSWER_FRAMES, *WORK_FRAMES, *FAMILY_FRAMES, *HABIT_FRAMES, *TASTE_FRAMES),
    unsure=re.compile(
        r"\b(?:want(?:ed)?|would|could|should|might|(?<!in )(?<!since )(?<!last )may(?! \d)|maybe|if|thinking"
        r"|considering|planning|plan"
        r"|hope|hoping|wish|supposed to|(?:told|asks|asked|wants|wanted|begged|urged|invited) (?:me|us) to"
        r"|advised|suggested|used to|previously|ex-|former(?:ly)?"
        r"|lost (?:my|the) job|losing my job|nearly|almost|tempted|when i was|back when"
        r"|trying to|gonna|going to (?:quit|stop|start|give|try)|will|i'll|about to|need to|have to|ought"
        r"|dream(?:t|ed)|article|reckons?|said i|says i|heard|read that|apparently"
        r"|(?:she|he|they|gran\w*|nan|mum|mom|dad|(?:my|our|the) \w+) (?:\w+ )?(?:told|tells|said|says|thinks|thought"
        r"|claims|claimed|insists)(?: (?!and\b|so\b|but\b)\w+){0,3} (?:i'?m|i (?:am|live|work))"
        r"|can'?t(?! (?:stand|face|bear))|cannot(?! (?:stand|face|bear)))\b"
    ),
    once=re.compile(
        r"\b(?:yesterday|today|tonight|this morning|last (?:night|week|weekend)|the other day|once|ago"
        r"|tomorrow|off to)\b"
    ),
    doubtful=re.compile(
        r"\b(?:if|might|maybe|would|could|should|wish|cancel+ed|called off|is off|not going|no longer going"
        r"|fell through|aren't going|isn't happening|scrapped|used to|article|heard|wanted to|told me to"
        r"|advised|can'?t|went|was|were(?! going)|got off)\b"
    ),
    edge=re.compile(
        r"(?:\s(?:now|anymore|again|too|either|these days|lately|instead|though|then|just|really|actually|and"
        r"|or|so|but|the|a))+$"
    ),
    begins=re.compile(r"^(?:(?:a|an|the|my|our|some|new|old|bit of)\s)+", re.IGNORECASE),
    called=re.compile(r"^,?\s(?:called |named )?(?P<x>[A-Z][a-z]{2,12})\b"),
    household=re.compile(
        r"\b(?:wife|husband|partner|fianc[eé]e?|boyfriend|girlfriend|baby|babies|twins|son|daughter|kids?|children)$"
    ),
    away=re.compile(
        r"[^.!?]{0,24}?\b(?:for (?:an?|the|two|three|\d+|a few|a couple of) (?:\w+ )?(?:days?|nights?|weeks?"
        r"|weekend|fortnight)"
        r"|on holiday|visiting|at my \w+'s for)\b"
    ),
    not_there=re.compile(r"\b(?:don'?t|no longer|not) (?:live|living|be) in $"),
    no_value={
        "job": re.compile(
            r"^drive$|^(?:not|never|i meant?|actually|home"
            r"|night|nights|days|it|that|this|least|me|him|you|hours|years|long|shifts|all|peace|work|bed"
            r"|pain|bit|lot|while|moment|time|end|meantime|past|morning|evening|week|weekend|job|my job|interview"
            r"|doctor|gp|hospital(?! laundry| kitchen| pharmacy| porter| ward)|er|a&e|ambulance|metformin"
            r"|new medication|medication|meds|treatment|therapy"
            rf"|antibiotics|the pill|pill|course|habit|plan|drinking|smoking|out|as)\b|\b(?:{NOT_JOB})$|\b(?:ago|mg"
            r"|doctor'?s|better|never|after|together|smoker|drinker|runner|sleeper|walker|eater|sufferer|user"
            r"|number|order|paper|other|another|matter|water|winter|summer|dinner(?! lady)|fever|cancer|ulcer|daughter"
            r"|mother|father|brother|sister|partner|stomach|shoulder|roller|coaster|rollercoaster)\b"
        ),
        "residence": re.compile(
            r"\b(?:pain|bed|hospital|ward|er)\b|^(?:mum|mom|mother|dad|father|parents|her|him|them|son|daughter|sister|brother"
            r"|wife|husband|partner|boyfriend|girlfriend|family|friends?|aunt|uncle|gran\w*|nan)\b"
        ),
        "habit": re.compile(r"^$"),
        "like": re.compile(
            r"\b(?:pain|sick|crap|hell|trouble|getting|like|rubbish|it|ago|mg)\b|^(?:now|those|these|moon|is \w+"
            r"|was \w+)"
        ),
        "pet": re.compile(r"^(?:fish|chickens?|birds?|horses?|labs)$"),
        "plan": re.compile(
            r"^(?:going to|doing (?:a|an|the)|entered|starting (?:a|my|the)|booked (?:a|an|in|for"
            r"|on))\s*(?:\w+ \d+)?(?:it|that|bit|lot|bed|sleep|work|the (?:doctor|gp|hospital)|hospital)?$"
            r"|\b(?:bed|sleep|toilet|bathroom|loo)\b"
        ),
    },
)
