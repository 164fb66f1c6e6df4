"""Corrections in English."""

import re
from typing import Final

from memory.clinical.corrections.grammar import CorrectionGrammar
from memory.clinical.sketch import pattern

_TO: Final = r"(?:(?:allergic to|an? allergy to|to|the|my|a|an|for|of|have|having|had|type|actual|word)\s)*[\"'“]?"
_W: Final = rf"{_TO}(?P<w><SDOVG>)[\"'”]?(?:s\b)?(?:\s(?:allergy|allergies|surgery|removed|removal|out|one))?"
_R: Final = rf"{_TO}(?P<r><SDOVG>)"
_IS: Final = (
    r"(?:(?:but|it'?s|its|it is|it was|it should be|that'?s|i'?m|i am|i meant?|i mean|they'?re|the allergy is|should be"
    r"|should have been|should say|should read|i have|i had|i've got|i react to|is|was|actually|really|rather|instead|just|more like"
    r"|the right one is|the real one is|correct one is|what i have is|in fact|of course)[\s,:]+)"
)
_MARK: Final = (
    r"\bmis-?spoke\b|\bmis-?typed\b|\bmis-?remembered\b|\bmis-?said\b|\b(?<!not )(?<!n't )(?:got|had|have|gotten) (?:it|that|them|those|this|my \w+) (?:all )?(?:wrong|mixed up|backwards|confused|muddled)"
    r"|\b(?:mixed|muddled|mixing) (?:it |them |that |those |these |things |my \w+ |the two )?(?:all )?up\b|\bmy (?:mistake|bad|error)\b|\bcorrection\b|\bcorrect (?:that|myself|what|my|the)\b|\b(?:scratch|strike|ignore|forget) (?:that|what)\b"
    r"|\b(?:what )?i meant\b|\bi was (?:wrong|mistaken|confused|thinking of)\b|\bi'?m (?:wrong|mistaken)\b|\b(?:said|gave|told|typed|wrote|put) (?:you |down )?(?:the |it )?wrong\b|\bwrong (?:one|drug|name|word|thing|allergy|antibiotic|condition|disease|medicine)\b"
    r"|\bturns? out\b|\bturned out\b|\b(?:slip of the tongue|typo|autocorrect)\b|\bi take (?:that|it) back\b|\bconfus(?:ed|ing) (?:it|the two|them|that|my|those)\b|\bthat'?s not right\b|\bthat (?:was|is) wrong\b|\bwait,? no\b|\bno,? wait\b|\bsorry,? no\b|\boops\b|\bactually,? no\b"
)
_NOT: Final = r"\b(?:not|wasn'?t|isn'?t|never|ain'?t|no)\s(?!only|just|that\b|so\b|because)(?:actually |really |in fact |it'?s |was )?"
_SEP: Final = r"(?:[\s,.;:!()]|\s?[—–-]+\s?){1,5}"

EN: Final = CorrectionGrammar(
    may_correct=re.compile(
        r"\b(?:not|wasn'?t|isn'?t|never|no|rather|instead|meant|mean|wrong|mistake\w*|mistaken|correct\w*|mis\w+|mix\w*|muddled|confus\w+|scratch|strike|ignore|forget|turns?|turned|typo|autocorrect|slip|oops|change|my (?:bad|error)|take)\b"
    ),
    mark=re.compile(_MARK),
    named=(
        pattern(rf"{_NOT}{_W}{_SEP}(?:sorry[\s,]+)?{_IS}+{_R}"),
        pattern(
            rf"(?:\b(?:is|it'?s|its|was|meant|mean|to|have|had|be|actually|say|said|got|for|of)\s)(?:actually |really |to |the |a |an |in fact )*(?P<r><SDOVG>)(?:s\b)?(?:\s(?:allergy|surgery|removed|removal|out))*"
            rf"(?:\s?[,;:(—–-]\s?|\s|\.\s){{1,3}}(?:and |definitely |it'?s |that'?s )?(?:not|rather than|instead of)\s(?!only|just)(?:actually |really )?{_W}"
        ),
        pattern(
            rf"\b(?:said|say|saying|wrote|put|typed|told you|mentioned|called it|call it)\s(?:it was |it's |i was |i'?m |i had |i have |about )*{_W}[^?]{{0,40}}?\b(?:meant|mean|should be|should have (?:been|said)|it'?s|it is|it was|is|was)\s(?:actually |really |to say |in fact )*{_R}"
        ),
    ),
    marked=(
        pattern(
            rf"{_W}[^?]{{0,40}}?\b(?:to|with|should be|should have been|is|was|meant)\s(?:actually |really |to say |in fact )*{_R}"
        ),
        pattern(rf"{_NOT}{_W}{_SEP}{_R}"),
        pattern(rf"(?:{_MARK})[^?]{{0,60}}?{_R}"),
    ),
    of_else=re.compile(
        r"(?:'d|\bwould) (?:rather|like|prefer)\b|\bcan i (?:have|get)\b|\bswitch\w*|\b(?:date|day|time|phone|number|address|name|age|dose|dosage|\d+ ?mg|tablets?|appointment|booked|took|taken|taking|take|takes|tak(?:e|ing) |prescri\w+|gave me|given|on|pharmacy|bought|ran out|refill|using|used|insurance|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
        r"|january|february|march|april|june|july|august|september|october|november|december|as well|too|also|only|both)\b"
    ),
    not_of_else=re.compile(r"allerg|react|intoleran"),
    operated=" surgery",
)
