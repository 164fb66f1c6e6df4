"""Frames of English for tastes, pets and plans."""

import re
from typing import Final

from memory.extraction.facts.en.words import ANIMAL
from memory.extraction.life.grammar import Frame

TASTE_FRAMES: Final = (
    Frame("pet", re.compile(rf"\b(?:there'?s|there is) an? (?:new )?(?P<x>{ANIMAL}) now\b")),
    Frame(
        "like",
        re.compile(
            r"\b(?P<x>[a-z]+) (?:now )?(?:smells|tastes|smell|taste) (?:like|of) (?:\w+ )?(?:burn\w*|rotten|rot"
            r"|sewage|sewer|metal|garbage"
            r"|cardboard|soap|ash(?:es|tray)?|rubber|tyres?|tires?|sick|vomit|petrol|gas|bin juice|off)\b"
        ),
        denied=True,
    ),
    Frame(
        "pet",
        re.compile(
            rf"\blet me (?:get|have|keep|adopt) an? (?:[\w-]+ ){{0,2}}?(?P<x>{ANIMAL}|gecko|axolotl|guinea pig)\b"
        ),
    ),
    Frame("pet", re.compile(r"\bwalk(?:ing|ed|s)? (?:the|my|our) (?P<x>dogs?)\b")),
    Frame(
        "like",
        re.compile(
            r"\b(?P<x>[\w' -]{3,20}?)(?:'s| is| are) (?:totally |really |now )?my (?:thing|jam|fave|favou?rite"
            r"|go-to|happy place)\b"
        ),
    ),
    Frame("like", re.compile(r"^(?:big|huge|massive|lifelong) (?P<x>[\w' -]{3,20}?) fan\b")),
    Frame(
        "like",
        re.compile(
            r"(?:\b(?:i|we)(?:'ve| also| really| still| do| just| always| absolutely| now)*\s(?:like|love|enjoy"
            r"|adore|prefer)|\b(?:(?:really |so |got |i'm |im |heavily |totally )into|big on|keen on|fan of"
            r"|obsessed with|hooked on|fond of|taken with|mad about|nuts about|addicted to|fallen for"
            r"|(?:fell|fallen) in love with))\s(?:the |my |really )*"
            r"(?P<x>(?!it|that|this|them|you|to|how|what|when|being|the way|him|her|me|i |a "
            r"|an )[\w' -]{3,30}?)(?=$|\s(?:and (?:i|my|it|we)|but|now|these|lately|more|because|so|instead|since"
            r"|anymore|most|too|for|every|at|over|than|a lot|as)\b)"
        ),
    ),
    Frame(
        "like",
        re.compile(
            r"\b(?:don'?t (?:really )?(?:like|love|enjoy)|can'?t stand|(?:gone|went|going) (?:right |totally "
            r"|completely |clean )?off|sick of|bored of"
            r"|bored with|(?:i'?m|im|totally|completely|so|well) over|fed up with|lost (?:all )?interest in"
            r"|not into|not a fan of|fell out of love with|hate|tired of)\s(?:the |my |all the )*"
            r"(?P<x>(?!it|that|this|them|you|to|how|being|him|her|me|counter|the )[\w' -]{3,26}?)(?=$|\s(?:anymore"
            r"|any more|now|these|lately|because|so|since|and|but|after|at|completely)\b)"
        ),
        denied=True,
    ),
    Frame(
        "like",
        re.compile(
            r"\b(?P<x>[\w' -]{3,24}?)(?:'s| is| are| was)?(?: just| really"
            r"| honestly)* (?:not (?:really )?(?:for me|my thing)|lost its (?:appeal|shine)|does nothing for me"
            r"|bores me)"
        ),
        denied=True,
    ),
    Frame(
        "like",
        re.compile(
            r"\b(?:can'?t stand|can'?t face|can'?t look at|hate)\s(?:the |my )*(?P<x>(?!it|that|this|them|you|to"
            r"|how|him|her|me|the )[\w' -]{3,26}?)(?=$|,|\s(?:any ?more|now|since|after|these days)\b)"
        ),
        denied=True,
    ),
    Frame(
        "pet",
        re.compile(
            r"\b(?:have|has|got|adopted|rescued|own|bought|fostering|foster|took in|picked up|brought home|keep"
            rf"|with|our|my|getting)\s(?:[\w'-]+\s){{0,4}}?(?P<x>{ANIMAL}|cockapoo|labradoodle|spaniel|whippet"
            r"|greyhound|lurcher|collie|mutt|pup|moggy|hen|hens|gecko|axolotl|guinea pig|kitty)\b(?!\s(?:food|hair"
            r"|bite|allerg|fur|shelter|park|test|tests|work|result|results|coat|report))"
        ),
    ),
    Frame(
        "pet",
        re.compile(
            rf"\b(?P<x>{ANIMAL}|cockapoo|labradoodle|spaniel|whippet|greyhound|collie"
            rf"|pup)\b[^.;]{{0,24}}?\b(?:passed(?: away)?|died|put (?:him|her|it|them)? ?down|put to sleep|rehomed"
            r"|gone|crossed|ran (?:away|off)|had to go|went to live|didn'?t make it|living with)\b"
        ),
        denied=True,
    ),
    Frame(
        "pet",
        re.compile(
            r"\b(?:rehomed|lost|put down|said goodbye to|gave (?:away|up)|had to (?:rehome|give up|give away"
            r"|put down)|buried|surrendered|returned)\s(?:our|my|the|poor|old"
            rf"|\w+,?)\s?(?:[\w'-]+\s){{0,2}}?(?P<x>{ANIMAL}|cockapoo|spaniel|pup)\b"
        ),
        denied=True,
    ),
    Frame(
        "pet",
        re.compile(
            rf"\b(?:give|gave|giving|sent) (?:away )?(?:our|my|the) (?P<x>{ANIMAL})(?: \w+)? (?:away|up|to live)\b"
        ),
        denied=True,
    ),
    Frame("pet", re.compile(rf"\bjust (?:me and )?(?:the|my) (?P<x>{ANIMAL})(?: left| now|$)")),
    Frame(
        "plan",
        re.compile(
            r"\b(?P<x>(?:flying (?:out |back )?to|trip to|travell?ing to|driving (?:up |down |out )?to"
            r"|heading (?:up |down |out |over )?to|visiting|going to(?! (?:be|try|ask|see if|do|get|have|take|go"
            r"|keep|start|stop|need|say|give|make|call))|tickets? (?:for|to)"
            r"|booked (?:a|an|in|us|for|the|my|onto|on|our)|signed up for|registered for|entered|training for"
            r"|getting married|moving to|moving in|running (?:a|the)(?= [\w ]*(?:marathon|half|10k|5k)))"
            r"\s?[\w' -]{0,28}?)(?=$|[,.;]|\s(?:on the|instead|with|because|so|but|and|then|which|for my|since)\b)"
        ),
        planned=True,
    ),
    Frame(
        "plan",
        re.compile(
            r"\b(?:we're|i'?m|im|are|were|gonna|going to) (?:going on|doing|do|go with|take|taking"
            r"|having) (?P<x>(?:a|an|the) [\w' -]{3,28}?)(?: instead| now|$)"
        ),
        planned=True,
    ),
    Frame(
        "plan",
        re.compile(
            r"\b(?:plan(?:ning)?|intend(?:ing)?|decided|aiming|looking) (?:to|on) (?P<x>[\w' -]{4,36}?)(?=$|[,.;]"
            r"|\s(?:because|so|but|then)\b)"
        ),
        planned=True,
    ),
    Frame(
        "like",
        re.compile(
            r"\b(?:(?:come|came) (?:a?round) to|warmed to|got a taste for|developed a taste for|grown to (?:like"
            r"|love)|(?:i'?m|im) all about"
            r"|(?:i'?m|im) a convert to|converted to)\s(?:the )?(?P<x>(?!it|that|this|them|you|to|how"
            r"|being)[\w' -]{3,40}?)(?=$|\s(?:and (?:i|my|it|we)|but|now|these|because|so|instead|since)\b)"
        ),
    ),
    Frame(
        "plan",
        re.compile(
            r"^(?:we're |i'?m |im |were )?off to (?P<x>[\w' -]{3,24}?)"
            r"(?=$| (?:in|for|on|next|this|with|at|after|before)\b)"
        ),
        proper=True,
        planned=True,
    ),
    Frame(
        "plan",
        re.compile(
            r"\b(?P<x>(?:we've|i've|we have|i have|we|i) booked (?:a|an|the|our|us) [\w' -]{3,32}?|(?:signed"
            r"|signing) up for [\w' -]{3,30}?)"
            r"(?=$| (?:for|in its place|instead|starting|starts|from|next|in (?:jan|feb|mar|apr|may|jun|jul|aug"
            r"|sep|oct|nov|dec))\b)"
        ),
        planned=True,
    ),
    Frame(
        "plan",
        re.compile(
            r"^(?P<x>(?:a|an|our|my) [\w' -]{4,24}? (?:next|this) (?:spring|summer|autumn|fall|winter|year|month"
            r"|weekend))$"
        ),
        planned=True,
    ),
)
