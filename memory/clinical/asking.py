"""What a question asks for: allergies, what happened, diseases, operations; in each language."""

import re
from typing import Final

ASKS_ALLERGY_ZH: Final = re.compile(
    r"过敏|不能(?:再)?(?:吃|用|碰|打)|不良反应|忌口|碰不得|不耐受|严重反应|敏感"
    r"|肾上腺素笔"
)
ASKS_REACTION_ZH: Final = re.compile(
    r"什么反应|啥反应|的反应|有(?:没有|什么)?过?(?:不良)?反应|会怎|为什么(?:要)?停"
    r"|(?:后|时|候|上次|那次)[^，。？?]{0,8}(?:(?:什么|啥)(?:情况|症状|表现|感觉)|怎么(?:样|了|不)|哪里不舒服)"
)
ASKS_DISEASE_ZH: Final = re.compile(
    r"(?:什么|哪些|其他|有没有|有无|有).{0,8}(?:病|疾患)|既往史|病史|慢性?病|基础病|长期(?:吃|服)药|身体(?:有|怎)"
    r"|(?:什么|有没有|有无)[^，。]{0,2}问题"
)
ASKS_OPERATION_ZH: Final = re.compile(
    r"手术|移植|开过(?:什么|哪些)?刀|动过(?:什么|哪些)?刀|住过院|支架|起搏器|植入|置换|切除|[切摘]过|[装放]过|金属"
)
ASKS_ALLERGY_EN: Final = re.compile(
    r"can(?:no|')t take|all?er?g|can'?t (?:you|i) (?:have|eat|take|tolerate)|(?:have to|must|need to"
    r"|should) avoid|bad reaction|react(?:s|ed"
    r"|ions?)?(?: \w+)? to|intoleran|sensitive to|can'?t take|disagrees? with you|hypersensitiv"
    r"|(?:gave|caused|makes?|made|brings?|brought) you|gives? you (?:an? |any )?(?:bad |allergic )?(?:reaction"
    r"|rash|hives|problem|trouble)|should(?:n'?t| not) (?:be given|have|take)"
    r"|(?:to|we) avoid|stung|(?:never|not) to (?:take|have)|adrenaline|epi ?pen|(?:caused|triggered) (?:the|your|that)"
    r"|(?:problems?|trouble|issues?) (?:with|from) (?:\w+ ){0,3}(?:drugs?|medicines?|medications?|an(?:a)?esthe\w+"
    r"|foods?|vaccines?|jabs?|injections?|painkillers?|antibiotics?)"
)
ASKS_REACTION_EN: Final = re.compile(
    r"\bwhat happen(?:s|ed) (?:to you )?(?:when|if|(?:the )?last time)\b|what does (?:it|that) do|affect"
    r"|how do(?:es)? (?:you|it|your) (?:body )?react|any reaction|what reaction|did you react"
    r"|what (?:sort|kind|type) of reaction|\b(?:bothers?|irritates?|upsets?) (?:you|your)\b"
    r"|\bcause[ds]? (?:you )?(?:any )?(?:trouble|problems?)\b"
)
ASKS_DISEASE_EN: Final = re.compile(
    r"(?:medical|health|long[- ]term|chronic|ongoing|existing|other|underlying) (?:conditions?|problems?"
    r"|illness\w*|history|diseases?)|any (?:conditions|illness\w*|diseases)|medical history"
    r"|what (?:condition|illness|disease)s?\b"
    r"|what (?:kind|type|sort) of [\w ]{0,30}(?:problem|disease|condition|trouble)"
    r"|(?:any|have|had) (?:liver|heart|kidney|lung|breathing|thyroid|skin|bowel|eye|blood|mental health|autoimmune|bone"
    r"|joint|nerve) (?:diseases?|problems?|conditions?|trouble|issues?)"
    r"|(?:taking|take|on|prescribed) (?:the |your )?[\w-]+ for\b"
    r"|what(?:'s| is| are) (?:the |your )?[\w-]+ (?:prescribed )?for\b|conditions? you (?:see|have|take)"
    r"|why (?:do|are|were) you (?:take|taking|on|prescribed)"
    r"|diagnos|do you have (?:any|other) (?:(?!pain|symptom)\w+ )?(?:conditions?"
    r"|problems?|issues?|illness\w*"
    r"|diseases?)"
)
ASKS_OPERATION_EN: Final = re.compile(
    r"surger|operation|operated|procedures?|replacements?"
    r"|(?:organs?|body parts?|anything) (?:been )?(?:removed|taken out)"
    r"|(?:had|have) (?:\w+ ){0,3}(?:removed|taken out|replaced|implanted|fitted)|pacemaker|implants?\b|metal"
    r"|\b(?:was|were|been) (?:replaced|removed|taken out|transplanted|implanted)\b"
)
ASKS_CULPRIT: Final = re.compile(
    r"哪(?:种|个|些)?(?:药|东西|食物|虫)|什么(?:药|东西|食物|虫|动物|材料)"
    r"|\b(?:which|what) (?:(?:kind|type|sort) of )?(?:\w+ )?(?:medicines?|drugs?|tablets?|antibiotics?|painkillers?"
    r"|foods?|insects?|animals?|materials?|one)\b"
)
"""Asks what it was; of what did harm, if the question tells some."""
ASKS_TROUBLE: Final = re.compile(
    r"不舒服|不适|异常反应|用药反应|出过?(?:什么|啥)?问题|有(?:什么|啥|没有)?(?:问题|反应)|受不了|用不了|碰不得"
    r"|[用吃]了?不好|不要再?[用吃打碰]|避开|避免|过敏|(?:告诉|提醒|交代|注意)"
    r"|\b(?:troubles?|problems?|issues?|bothers?|irritat\w+|upsets?|sensitive|suits?|agreed?|disagreed?|adverse"
    r"|bad for you|keep away|stay away|stay clear|steer clear|off limits|avoid|sneez\w*|itch\w*|wheez\w*"
    r"|should know|need to know|to know about|be aware of|warn|can'?t (?:have|eat|take|use|be given)"
    r"|(?:get|got|getting) on (?:with|all right|ok))\b|\breact"
)
"""May be answered by what somebody does not bear, though it need not ask for allergies."""
ASKS_PREGNANCY_EN: Final = re.compile(
    r"pregnan|breast-?feed|nursing|\bhow far along\b|\bhow many (?:weeks|months) (?:along|gone)\b"
    r"|\bhow many weeks are you\b"
)
