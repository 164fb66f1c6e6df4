"""What only sounds as if it said so: answers that begin like a yes, and questions that ask of no having."""

import re
from typing import Final

from memory.clinical.findings import ALLERGY, DISEASE, SURGERY

_AFTER_ALL_NO: Final = re.compile(
    r"^\W*(?:(?:absolutely|definitely|totally|certainly|obviously|unfortunately|sadly|thankfully|luckily|yes|yeah|yep"
    r"|yea|ye|ya|y|well|oh|um+|hmm+|no|i mean|sorry|actually|of course|really|i|was|were|did|tested|checked|think|so"
    r"|but|i'?ve|been|it|that|both|all|is|are|you|the|first|second|third|last|one|i heard|time)\W+){1,8}"
    r"(?:(?:no|not|nah|nope|never|none|neither|negative|wrong|incorrect)\W*(?=$|[.,;!])|never had\b|not me\b)"
    r"|^\W*(?:i (?:have|had|did|am|was) |i'?ve )(?:no (?:idea|clue)|never|to (?:check|ask|think)|fine|ok|okay|well)\b"
    r"|^\W*(?:yes|yeah|yep)?\W*no (?:problem|worries)\b|^\W*(?:totally|absolutely|all) (?:fine|clear|good|ok|okay)\b"
    r"|\b(?:cancelled|hopefully|nearly|retracted|misdiagnosed|ruled out|postponed)\b|\bborderline\b"
    r"|^\W*(?:嗯+|恩+|对|当然|确实|是|哦|啊|有|其实|真|应该|可能|最近|都|前[两面]个|后[两面]那?个|第.个|那个|这个){1,3}"
    r"[，,、。 ]*(?:没|不(?!良|耐|错|止|光|仅|少|是吗)|无|阴性|正常)(?![错了])"
    r"|^\W*(?:都)?(?:有|做)?(?:查|检查|做)过?(?:检查|造影)?[，,。 ]*(?:没|正常|阴)|^\W*(?:都?得)查|查出来(?:没|正常)"
    r"|查还正常"
    r"|^\W*对(?:了|不起)|^\W*是(?:别人|他|她|我(?:爱人|老公|先生|太太|妻子|丈夫|朋友|同事))"
    r"|^\W*做过?(?:检查|造影|体检|ct|b超|心电图)"
    r"|(?:去年|前年|上次|\d年)?(?:医生)?(?:就)?(?:说|建议|让)要?(?:切|做|装|放|换|手术)"
    r"|^\W*(?:那?要|准备|打算|不用|不想|没(?:有)?)[切割摘动]|\bno one\b|\bnobody\b"
    r"|^\W*(?:什么|您问|你问|问这)|^\W*how (?:would|do|is|are|should) (?:i|you|we|yours)\b|\bare you\b",
)
_NOT_DONE: Final = re.compile(
    r"\bare you (?:having|booked|waiting|coming|here|going|due|scheduled|getting)\b|\bdo you (?:need|want)\b"
    r"|\bneed(?:s|ed)? an?\b"
    r"|\b(?:like help|help with|offer\w*|advised|suggest\w*|recommend\w*|should|would|considering|thinking|waiting"
    r"|wait for|on the list"
    r"|questions?|information|worried|feel(?:ing)? about|checked)\b"
    r"|打算|准备|排队|等了?多久|等[^，。？?]{0,10}(?:换|做|手术|等了)|建议|来做|[您你]?(?:需?要|想)(?:做|装|放|换)|感觉|要预约|预约(?:的)?(?:什么|哪)|了解|咨询"
)
_NOT_HAD: Final = re.compile(
    r"\b(?:like help|help with|want to know|you not|don't you|vaccin\w*|jabs?|tested|screened|at risk|worried"
    r"|asking about|questions?|information|know (?:anyone|anybody"
    r"|what|about|someone)|anyone (?:who|with)|someone (?:who|with)|lives? with|contact with|exposed|prevent"
    r"|rule[ds]? out"
    r"|go(?:ne)? away|(?:cat|dog|pet)(?:'s|s')|could it|might|chance|think it (?:could|might))\b"
    r"|疫苗|接种|接触|家里有人|身边|担心|怀疑|排除|查过|测过|预防|了解|咨询|觉得会|会不会是|没有的是"
)
_NOT_HARMED: Final = re.compile(
    r"\b(?:tested for|allergy tests?|outgrown|grown out|gone|go away|not allergic|most people"
    r"|before the (?:allergic )?reaction)\b"
    r"|测试|好了吗|不过敏|能用哪"
)
_TREATS: Final = re.compile(
    r"\b(?:take|taking|took|use|using|give|gave|given|prescribe[ds]?|work\w*|help\w*|try|tried|put)\b[^?]{0,40}"
    r"\b(?:for|on) (?:your|the|an|that|this|it)? ?(?:\w+ )?(?:allerg\w+|(?:allergic )?reaction|rash|hives)"
    r"|\bwhat (?:did|do|does|have|would) (?:they|you|he|she|the (?:doctor|nurse|gp)) (?:give|prescribe|use|take)\b"
    r"(?: you)?(?: instead)?\s*\?|\btake instead\b|\bgive you\?|\bnot allergic to\b"
    r"|治过敏|抗过敏|过敏时吃|对您的过敏有效|那(?:次)?(?:用|换)(?:的|了)?(?:什么|哪)|不过敏|能用哪"
)
_ASKS_FOR_ALLERGIES: Final = re.compile(
    r"\bare you (?!not\b)(?:\w+ )?allergic\b|\b(?:any|what) (?:\w+ )?allerg|\bcan'?t (?:you )?(?:take|have)\b"
    r"|有(?:没有)?(?:什么|哪些|啥)?[^，。？?不]{0,6}过敏|对(?:什么|哪)[^，。？?不]{0,6}过敏"
)
"""It is asked beside, and an answer may be to that: allergic to anything before we give you something for the rash?"""
_WITHOUT_IT: Final = re.compile(
    r"\b(?:if|when|happen\w*)\b[^?]{0,20}\b(?:stop\w*|miss\w*|don'?t (?:take|have|use)|without|run out|forg[eo]t\w*)\b"
    r"|(?:停|不[吃用打]|漏|忘)了?[^，。？?]{0,12}(?:会|怎)"
)


def is_after_all_no(said: str) -> bool:
    """Whether an answer that may begin like a yes is none: absolutely not, i have no idea, 嗯没有. In lower case."""
    return _AFTER_ALL_NO.search(said) is not None


def is_of_having(kind: str, asked: str) -> bool:
    """Whether who says yes to a question has, or had done, what it names, and does not only wait for it, or fear it."""
    words = {SURGERY: _NOT_DONE, DISEASE: _NOT_HAD, ALLERGY: _NOT_HARMED}.get(kind)
    return (words is None or words.search(asked) is None) and not (kind == ALLERGY and asks_of_treatment(asked))


def asks_of_treatment(asked: str) -> bool:
    """Whether a question names or wants what an allergy is treated with, or what is taken instead."""
    return _TREATS.search(asked) is not None and _ASKS_FOR_ALLERGIES.search(asked) is None


def asks_of_leaving_it(asked: str) -> bool:
    """Whether it is asked what happens without a medicine: harm is none of it then."""
    return _WITHOUT_IT.search(asked) is not None
