"""Who is pregnant or nurses, in English; and so many weeks of it, in both languages."""

import re
from typing import Final

PREGNANT_EN: Final = re.compile(
    r"\b(?:pregnant|preg(?:gers|o)?|expecting(?: a baby| twins| our| my)?(?! (?:results|a call|it))"
    r"|\d+ ?(?:weeks?|wks?|months?) (?:pregnant|along|gone|preg|gestation)"
    r"|(?:(?<=i'm )|(?<=i am )|(?<=im ))\d\d? ?(?:weeks?|wks?) with (?:twins|triplets"
    r"|(?:number|no\.?) ?(?:[2-9]|two|three|four)"
    r"|(?:my|our) (?:first|second|third|fourth|fifth|next|last|rainbow|twins|baby|little one))"
    r"|in (?:my|the) (?:first|second|third) trimester"
    r"|(?:first|second|third|\dst|\dnd|\drd) trimester|up the duff|baby bump|gravida"
    r"|g\dp\d|knocked up|(?:twenty|thirty|forty)?[- ]?\w+ weeks gone|due in (?:january|february|march"
    r"|april|may|june|july|august|september|october|november|december)|bun in the oven|(?:bub|baby|bubba"
    r"|little one)(?:'s| is) due)\b"
)
NOT_PREGNANT_EN: Final = re.compile(
    r"to be pregnant|trying for a baby|pregnant (?:women|woman|ladies|patients|mums|moms|people|wife"
    r"|daughter|sister)|\b(?:not pregnant|pregnancy test|trying to (?:get|conceive|fall)|ttc|get pregnant"
    r"|getting pregnant|become pregnant|might be pregnant|could be pregnant|may be pregnant|am i pregnant"
    r"|isn'?t pregnant|wasn'?t pregnant|was pregnant|were pregnant|been pregnant|if (?:i'?m|i am|i was"
    r"|i were|you'?re) pregnant|when i (?:was|am) pregnant|if pregnant|no chance|can'?t be pregnant"
    r"|think i(?:'?m| am| might be) pregnant|want to be pregnant|after pregnan|is pregnant|are pregnant"
    r"|never been pregnant|not expecting|don'?t think i'?m pregnant|worried i'?m pregnant"
    r"|while pregnant\?|pregnant with (?:ideas|thoughts|possibilit\w+|meaning|anticipation|expectation))\b"
)
NURSING_EN: Final = re.compile(
    r"(?<!stopped )(?<!finished )(?<!quit )(?<!after )(?<!not )\b(?:breast-?\s?feeding|breast-?feed\b"
    r"|breastfed him|nursing (?:my|a|an|the|our|her|him|mum|mom|mother|baby)|still nursing|i'?m nursing"
    r"|exclusively pumping|pumping (?:milk|breast ?milk|at|every|for my)|lactating|chestfeeding"
    r"|bf(?:ing)? my"
    r"|(?<!was )(?<!were )(?:exclusively |still |mostly |fully )?breast-?fed"
    r"(?= (?:only|baby|so|and|at|by me|still)\b|\W*$)"
    r"|(?:still |only )?on the (?:boob|breast)|(?:still )?feeding my (?:\d+|\w+)[ -](?:month|week|day)s?[ -]old"
    r"|(?:cos|because|as|since) i'?m feeding)\b"
    r"(?! (?:mums?\b|moms?\b|mothers?|women|class|room|degree|home|school|student|ward"
    r"|support))"
)
FAR_ALONG: Final = re.compile(
    r"(?:^|(?<=[，。,！!\n 我婆子媳在前经怀孕]))(?<!之前)(?<!以前)[1-4]?\d(?:\+\d)?周(?:多|了)?[，,、 ]{0,2}"
    r"(?:今天|刚刚?|突然|昨晚|早上|有点?|规律|一直|没)*"
    r"(?:破水|见红|羊水|宫缩|胎动)"
    r"|\b(?:i'?m|i am) [1-4]?\d(?:\+\d)? ?(?:weeks?|wks?)(?:,| and| \+)[^.!?]{0,24}"
    r"\b(?:my waters?|contractions?|contracting|bump|kicks?|kicking)\b"
)
"""So many weeks, beside what comes with nothing but a pregnancy."""
