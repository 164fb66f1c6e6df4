"""Corrections in English."""

import re
from typing import Final

from memory.clinical.corrections.grammar import CorrectionGrammar
from memory.clinical.sketch import pattern

_TO: Final = r"(?:(?:allergic to|(?:an? )?allergy to|to|an?|of|have|having|had|type|actual|word)\s){0,4}+[\"'“]?"
_DONE: Final = r"(?:\s(?:allergy|allergies|surgery|removed|removal|out|one|thing)){0,3}"
_W: Final = rf"{_TO}(?P<w><SDOVG>)[\"'”]?(?:s\b)?{_DONE}"
_R: Final = rf"{_TO}(?:(?:the|my)\s)?(?P<r><SDOVG>)"
_INDEED: Final = r"(?:actually |really |to say |in fact |the |my ){0,4}+"
_IS: Final = (
    r"(?:(?:but|it'?s|its|it is|it was|it should be|that'?s|i'?m|i am|i meant?|i mean|they'?re|the allergy is"
    r"|should be"
    r"|should have been|should say|should read|i have|i had|i've got|i react to|is|was|actually|really|rather|instead"
    r"|more like|the right one is|the real one is|correct one is|what i have is|in fact|of course)[\s,:]+)"
)
_MARK: Final = (
    r"\bmis-?spoke\b|\bmis-?typed\b|\bmis-?remembered\b|\bmis-?said\b|\bedit:|\bstand corrected\b"
    r"|\bto be (?:more )?(?:accurate|precise|exact)\b"
    r"|\b(?<!not )(?<!n't )(?:got|had|have|gotten) (?:it|that|them|those|this|my \w+|the names?) (?:all "
    r"|the )?(?:wrong|mixed up|backwards|confused|muddled)"
    r"|\b(?:mixed|muddled|mixing) (?:it |them |that |those |these |things |my \w+ |the two )?(?:all )?up\b"
    r"|\bmy (?:mistake|bad|error)\b|\ba mistake\b|\bcorrection\b|\bcorrect (?:that|myself|what|my|the)\b"
    r"|\b(?:scratch|strike|ignore|forget|disregard) (?:about )?(?:the|that|what)\b|\bmeant\b|\bsorry,? (?:i mean"
    r"|not)\b"
    r"|\bi was (?:wrong|mistaken|confused|thinking of)\b|\bi'?m (?:wrong|mistaken)\b|\bi should have said\b"
    r"|\b(?:said|gave|told|typed|wrote|put) (?:you |down )?(?:the |it )?wrong\b"
    r"|\bwrong (?:one|drug|name|word|thing|allergy|antibiotic|condition|disease|medicine)\b"
    r"|\bturns? out\b|\bturned out\b|\b(?:slip of the tongue|typo|autocorrect)\b|\bi take (?:that|it) back\b"
    r"|\b(?:get|got) (?:these|those|them|the) (?:two |names )?(?:confused|mixed up|the wrong way round)\b"
    r"|\bchanged (?:the|my) diagnosis\b|\bconfus(?:ed|ing) (?:it|the two|them|that|my|those)\b|\b(?:is|was"
    r"|that'?s|it'?s) (?:wrong|incorrect"
    r"|not right)\b"
    r"|\bwait,? no\b|\bno,? wait\b|\bsorry,? no\b|\boops\b|\bwhy i (?:said|typed|wrote|put)\b|\bactually,? no\b"
)
_LOOSE: Final = (
    r"\b(?:charts?|records?|letter|results?|notes?|portal|summary|rephrase|brain fog|whoops|nah|hmm no"
    r"|i put|i wrote|why i (?:said|typed)|off my list|actually|blaming)\b"
)
_NOT: Final = (
    r"\b(?:not|wasn'?t|isn'?t|never|ain'?t|no)\s(?!only|just|that\b|so\b|because|the\b|my\b)"
    r"(?:actually |really |in fact |it'?s |was )?"
)
_SEP: Final = r"[\s,.;:!()—–-]{1,8}+"
_NOT_THAT: Final = (
    r"(?:and |definitely |it'?s |that'?s |it was )?(?:not|never|rather than|instead of)\s(?!only|just)"
    r"(?:actually |really |my |the )?"
)
_REPAIR: Final = (
    r"(?:[\s,.;:!…–—-]{1,4}(?:(?:oh|um+|uh+|er+m?|well),? )?"
    r"(?:no,? sorry|sorry,? no|(?:sorry,? |no,? )i mean(?:t)?|no,? wait|wait,? no|scratch that)"
    r"|\s?[,–—-]\s?(?:oh |um+,? |er+m?,? )?(?:no(?=,)|sorry|wait|i mean(?:t)?|(?:or )?rather|hang on))"
    r"[\s,.;:!…–—-]{1,4}"
)
"""Between what somebody has just said wrongly and what is right."""

_TO_RIGHT: Final = (
    r"(?:[\s,.:;!()…—–-]|i meant?\b|meant?\b|to (?:say|write|type|put)\b|it'?s\b|its\b|it is\b|it was\b|is\b"
    r"|was\b|should (?:be|have been|say|read)\b"
    r"|that'?s\b|i'?m\b|i am\b|i have\b|i had\b|i react to\b|actually\b|really\b|the\b|my\b|allerg(?:y|ic)\b"
    r"|to\b|sorry\b|apologies\b|correct(?:ion)?\b|right\b|real\b|name\b|one\b"
    r"|no\b|wait\b|oops\b|rather\b|instead\b|but\b|you\b|that\b|what\b|said\b|earlier\b|before\b|drug\b|word\b"
    r"|thing\b|condition\b|with\b|up\b|it\b|them\b|got\b|wrong\b|mixed\b|lol\b|\*|they\b|diagnos(?:ed|is)\b"
    r"|at\b|in\b|start\b|beginning\b|first\b|read\b|accurate\b|allergist\b|doctor\b){0,24}+"
)
"""Between a mark and what is right, where what was wrong is not named."""
_LEAD: Final = (
    r"(?:[\s,.:;!()…—–\"'-]|i'?m\b|i'?ve\b|i\b|am\b|have\b|had\b|it'?s\b|its\b|it\b|was\b|is\b|that'?s\b|that\b"
    r"|well\b|oh\b|ah\b|um+\b|uh+\b|er+m?\b|hmm+\b|no\b|nope\b|nah\b|wait\b|hold on\b|hang on\b|sorry\b"
    r"|apologies\b"
    r"|actually\b|really\b|allergic\b|allergy\b|to\b|the\b|a\b|an\b|my\b|mine\b|mum\b|mom\b|mother\b|dad\b"
    r"|father\b|wife\b|husband\b|doctor\b|gp\b|says?\b|said\b|told\b|me\b|checked\b|looked\b|just\b|at\b|up\b"
    r"|records?\b|chart\b|notes?\b|file\b|what\b|so\b|and\b|but\b"
    r"|should be\b|correct(?:ion)?\b|edit\b|update\b|ok(?:ay)?\b|yeah\b|yes\b|hey\b|hi\b|to be\b|clear\b"
    r"|precise\b|surgery\b|operation\b|condition\b|disease\b|diagnosis\b|diagnosed with\b|wasn'?t\b|never\b"
    r"|not\b|fact\b|in\b|of\b|turns? out\b|think\b|remember(?:ed)?\b|now\b|you\b|earlier\b|before\b|omg\b"
    r"|jeez\b|lol\b|right\b|oops\b|\w+(?:ologist|ician)\b|allergist\b|calls?\b|\d+|one\b|last\b|years?\b|ago\b"
    r"|she\b|he\b|dug\b|out\b|old\b|letter\b|found\b|wrote\b|put\b|typed\b|meant\b|mean\b|thing\b|these\b"
    r"|those\b|them\b|two\b|always\b|get\b|\ue006|confused\b|mixed\b|clicked\b|head\b|dear\b|\w+ly\b"
    r"|been\b){0,40}+"
)
_NO_TROUBLE: Final = (
    r"(?:s\b)?[^,.;?]{0,30}?\b(?:fine|ok(?:ay)?|safe|no (?:problem|trouble|issue|reaction)|works?|worked"
    r"|neg(?:ative)?|nil|came (?:up|back) clear|nothing happened|all the time|no bother|no drama"
    r"|working|helps?|helped|kicked in|instead of|in stock|is spelled|would help|before (?:meals|food)"
    r"|after (?:meals|food))\b"
)

EN: Final = CorrectionGrammar(
    may_correct=re.compile(
        r"\b(?:not|wasn'?t|isn'?t|never|no|rather|instead|meant|mean|wrong|mistake\w*|mistaken|correct\w*|mis\w+"
        r"|mix\w*"
        r"|muddled|confus\w+|scratch|strike|ignore|forget|disregard|turns?|turned|typo|autocorrect|slip|oops|change"
        r"|edit"
        r"|my (?:bad|error)|take|accurate|precise|exact|incorrect|should have said|cleared|ruled out|fine"
        r"|sorry|wait|hang on)\b"
        rf"|{_LOOSE}"
    ),
    mark=re.compile(_MARK),
    named=(
        pattern(
            rf"{_W}{_REPAIR}(?:it'?s |that'?s |i have |i had )?{_R}"
            r"(?=(?: allergy| actually| instead)?\W*(?:$|[.;!?\n]|, (?:not|since|diagnosed)\b))"
        ),
        pattern(rf"{_NOT}{_W}{_SEP}(?:sorry[\s,]+)?{_IS}{{1,4}}+{_R}"),
        pattern(
            rf"(?:\b(?:is|it'?s|its|was|meant|mean|calls? it|to|have|had|be|actually|say|said"
            rf"|of)\s){_INDEED}(?P<r><SDOVG>)(?:s\b)?{_DONE}"
            rf"(?:\s(?:that )?(?:i have|i've got|i'?m allergic to|i had))?(?:\s?[,;:(—–-]\s?|\s"
            rf"|\.\s){{1,3}}{_NOT_THAT}{_W}"
        ),
        pattern(rf"(?P<r><SDOVG>)(?:s\b)?\sis the (?:one|thing|drug)[^,.;?]{{0,30}}[,;—–-]\s?{_NOT_THAT}{_W}"),
        pattern(
            rf"\b(?:said|say|saying|wrote|put|typed|told you|mentioned|called it|call it)\s"
            rf"(?:it was |it's |i was |i'?m |i had |i have |about ){{0,3}}{_W}[^?]{{0,40}}?"
            rf"\b(?:meant|mean|should be|should have (?:been|said)|it'?s|it is|it was|is|was)\s{_INDEED}{_R}"
        ),
        pattern(
            rf"\b(?:it was|it'?s|it is|actually|was to)\s{_INDEED}{_R}[^?]{{0,60}}?[,.;]\s(?:the |i've had "
            rf"|my )?(?P<w><SDOVG>)"
            r"(?:s\b)?\s(?:\w+ )?(?:was|is|are|were|with)\s(?:actually )?(?:cleared|fine|ok|okay|safe|ruled out"
            r"|never|no trouble|no problem|still)"
        ),
    ),
    marked=(
        pattern(rf"{_W}[^?]{{0,40}}?\b(?:to|with|should be|should have been|is|was|meant)\s{_INDEED}{_R}"),
        pattern(rf"{_NOT}{_TO}(?P<both><SDO>)"),
        pattern(rf"{_NOT}{_W}{_SEP}{_R}"),
        pattern(rf"{_NOT}{_W}[^?]{{0,50}}?{_IS}{_R}"),
        pattern(rf"(?:{_MARK}){_TO_RIGHT}{_R}"),
        pattern(rf"(?:\bis|\bit'?s|\bit was|\bhave|\bto)\s{_INDEED}{_R}[^?]{{0,40}}?(?:{_MARK})"),
        pattern(rf"(?:^|[,.;!—–-]\s?){_R}{_DONE}[\s,.;!—–-]{{1,3}}(?:sorry[\s,]+)?(?:{_MARK})"),
    ),
    lead=re.compile(_LEAD),
    borne=re.compile(_NO_TROUBLE),
    loose=re.compile(rf"{_MARK}|{_LOOSE}"),
    of_else=re.compile(
        r"\bfine with\b|(?:'d|\bwould) (?:rather|like|prefer|go)\b|\bcan i (?:have|get)\b|\bswitch\w*"
        r"|\byou (?:wrote|said|put"
        r"|have)\b|\b(?:don'?t|do not) (?:mix|confuse)|\babout (?:her|him|them|my)\b"
        r"|\b(?:date|day|time|phone|number|address|age|dose|dosage|\d+ ?mg|tablets?|appointment|booked|took|taken"
        r"|taking"
        r"|take|takes|prescri\w+|gave me|given|pharmacy|bought|ran out|refill|using|used|insurance"
        r"|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august"
        r"|september|october|november|december|ask(?:ing|ed)?|question|handle|tolerate|luck|getting|cookie|oil"
        r"|waiter|nurse|bottle|label|sauce|soup|mayo|cream|restaurant|shot|eat|ate"
        r"|eaten|eating)\b"
    ),
    not_of_else=re.compile(r"allerg|react|intoleran"),
    added=re.compile(r"\b(?:as well|too|also|both|besides|not (?:just|only))\b"),
    told_by=re.compile(
        r"[^,.?;]{0,12}\b(?:says?|said|told me|reminded me|corrected|calls? it|pointed out|reckons?|insists?"
        r"|is clarifying|(?:shout|yell|holler|text)(?:s|ed|ing|in)?)\b(?! (?:she|he) )"
    ),
    operated=" surgery",
)
