"""What is not borne: how each language says that somebody is allergic. Group x is the substance.

Group `apart`: what is said of it stands in a clause of its own; `forbids`: what stands there says so by itself.
AVERSE: what somebody is not to have again, whatever for.
"""

from typing import Final

from memory.clinical.sketch import CLAUSE_EN, CLAUSE_ZH, pattern

_SOFT: Final = (
    "会|双料|双重|都|全都|全|均|也|就|还|很|非常|特别|严重|高度|有点儿?|有些|轻度|重度|中度|容易|总是?|老是?|一直"
    "|好像|之后"
    "|以后|过后|后|完|了|的?时候|时|全身|浑身|皮肤|脸上?|身上|身体|嘴|眼睛"
    "|鼻子|喉咙|出现过?|发生过?|有(?:过(?!敏))?|一|马上|立刻|立马|竟然|居然|突然|类的?药?物?|这?类"
    "|从小|打小|自小|自幼|天生|向来|历来|针|片|胶囊|注射液|打了?|输了?"
    "|的药|药物?|那?种|东西|是|我|必|肯定|绝对|起(?!反应)|过(?!敏)|食物|成分|手套|戴了?|吃了?|用了?|碰了?|喝了?"
)
ALLERGIES_ZH: Final = (
    pattern(
        r"(?P<forbids>别|不要|勿|不能|不可以)(?:再)?给我(?:再)?(?:开|用|打|吃|配"
        r"|上)(?P<x><S>)(?:类)?(?:的?药)?[，,]\s?(?:我)?(?:会|是)?"
        r"过敏(?![原史科性])"
    ),
    pattern(r"(?P<x><S>)(?:类)?(?:的)?(?:药物?)?(?:我|本人)?(?:完全|根本|实在)?(?:耐受不了|不能耐受)"),
    pattern(
        r"(?P<x><S>)(?:(?!<S>|还是)[^。；！？\n]){2,24}?(?P<apart>[，,])(?:当时|后来)?(?:医生|大夫|护士|医院"
        r"|专家)[^，。；！？\n]{0,6}?"
        r"(?:终[身生]|永久|永远|这辈子|以后)(?:都|再)*(?:禁用|(?:不能|别|不要|不准|不许)再?[用吃打碰])"
    ),
    pattern(
        r"除(?:了|去|开)(?P<x><S>)(?:以外|之外|外)?[，,]?(?:(?![儿女爸妈孩他她哪啥]|老公|老婆|什么(?!都)|也"
        r"|<S>)[^。，；！？\n]){0,10}?"
        r"(?:都|全|均)?"
        r"(?:不(?!是)|没有?(?:什么|啥|别的|其他)?)[^。，；！？\n]{0,4}?过敏"
    ),
    pattern(
        r"(?P<x><S>)(?:(?!还是|没|退|消|好[多转了])[^。；！？\n]){0,14}?(?:<R>|<Y>"
        r"|[疹肿痒喘吐晕红疼痛酸包泡])(?:(?!还是|没|退|消|好[多转了])[^。；！？\n]){0,12}?"
        r"(?P<apart>[，,])(?:当时|后来)?(?:医生|大夫|护士|医院|皮肤科)[^，。；！？\n]{0,6}?"
        r"(?:说|讲|判断|诊断|认为|登记|写)(?:了|过|着|我|是|这|就|为|的|对(?:它|这个|这药|此药))*"
        r"(?:药物)?(?:过敏|不耐受)(?=(?:了|的|这个|这药)?(?:[，。,.；;！!]|$))"
    ),
    pattern(r"过敏(?:史|药物?|食物|原)?(?:栏)?(?:填|写|登记)(?:的|了|着|上)*(?:是)?[:：\s]*(?P<x><S>)"),
    pattern(r"一[碰吃沾喝闻用](?:到|着)?(?P<x><S>)[^，。]{0,4}?就(?:这样|这德行|犯(?!困)|中招|遭殃|完蛋|倒大霉)"),
    pattern(r"(?P<x><SD>)皮试[^，。]{0,4}?(?:过不去|过不了|通不过|没过去)"),
    pattern(r"(?P<x><S>)(?:是|有|测出来?)?\s?(?:[二三四五六2-6]\+?级|[两二三四2-4]个(?:加号|加|\+))"),
    pattern(
        r"一[喝吃](?P<x><S>)就(?:会)?(?:拉|吐|泻|跑厕所|跑肚)(?=[^。！？\n]{0,6}[，,][^。！？\n]{0,8}(?:从小|打小"
        r"|一直|每次|回回|多少年|必))"
    ),
    pattern(r"(?P<x><S>)(?:我|本人|我是)?(?:也|是|都)?(?:不耐受|碰都不能碰|沾都不能沾|一口都不能(?:吃|碰))"),
    pattern(r"(?P<x><S>)\s{0,2}all?erg(?:y|ic)(?P<no2>\s*(?:吗|\?|？|药))?"),
    pattern(r"(?P<x><S>)(?:这些|这几样|[，,\s])*我?(?:全|都|通通)都?(?:有点|会)?过敏"),
    pattern(
        rf"(?P<x><S>){CLAUSE_ZH}{{0,8}}[，,]\s?(?:因为)?我(?:对(?:这个|它|那个))?"
        r"(?P<no>(?:并|从来)?不(?=会?过敏(?:[的啊呀啦，。！]|$)))?(?:会|就|很|严重)?过敏(?![原源体史吗科])"
    ),
    pattern(r"(?P<x><S>)[^。；！？\n]{0,3}皮试[^。；！？\n]{0,8}?(?:鼓|起|肿|红|阳|不了|不过关|没过)"),
    pattern(r"(?P<x><S>)(?:也|都)?会?(?:诱发|引发|引起|加重)(?:了)?我的?<D>"),
    pattern(r"过敏[^。；\n]{0,8}(?:写|填|弄|搞|记)错了[，,]?\s?(?:应该是|其实是|是)(?P<x><S>)"),
    pattern(r"(?:肾上腺素笔|epi ?pen)[^。；\n]{0,8}(?:防|怕)(?:的是)?(?P<x><S>)"),
    pattern(
        r"(?:过敏|抽血|点刺|皮试|化验|报告|结果)[^。；！？\n]{0,36}?(?:罪魁祸首|元凶|真凶)(?:其实|原来|竟然)?(?:就)?是"
        r"(?P<x><S>)"
    ),
    pattern(r"斑贴[^。；！？\n]{0,8}?(?:是|阳性|对)[^。；！？\n]{0,4}?(?P<x><S>)"),
    pattern(
        r"(?<!不知道)(?P<not_to>(?<![是会能要该说])(?:从来?不|并不|不会|不再|不)(?=对\S))?(?:对|対)"
        rf"(?P<x>{CLAUSE_ZH}{{0,14}}?<S>{CLAUSE_ZH}{{0,8}}?"
        rf"|[\u4e00-\u9fff a-z、和]{{1,10}}?)(?P<no>不(?!能)|没有?|并不|从来?不|从没"
        rf"|毫不)?(?:{_SOFT})*+(?P<maybe>可能)?(?:过敏(?!原|源|科|体质|性|试验|测试|检测|指的|反应科)|\s?allergic"
        r"|起反应|有反应)(?P<no2>吗|么|嘛|不(?![是止光轻])|的人|者|患者|怎么回事|就好|才怪)?"
    ),
    pattern(
        r"(?P<no>(?<![会能是要该过])(?:从来?不|并不|不|从没|没有?)(?:会|再|怎么|太)?过敏)(?P<x><S>)"
        r"(?P<no2>就|的话|的人|者|吗|么|嘛)?"
    ),
    pattern(
        r"(?P<x><S>)(?:(?:我|本人)(?:是|都|也|倒|其实|真的|可){0,2})?(?P<no>不(?!能)|没有?|并不|从来?不|从来没有?)?"
        rf"(?:{_SOFT})*+(?P<maybe>可能|疑似)?(?:过敏(?!原|源|科"
        r"|体质|性(?!休克)|测试|检测|药|药片|针|试验))(?P<no2>一般|通常|会有什么|会有哪些|有什么表现"
        r"|有哪些|怎么回事|的症状|就好|才怪|是假|我(?:是|可|从来)?没有|吗|么|嘛|的人|者|患者|[（(][-−—]+[)）]"
        r"|[:：]?\s*(?:无|没有|否认|阴性)"
        r"|[这那]?[顶个]?(?:帽子|标签)(?:已经|可以|能|被|给)*+[摘撕](?:掉|了)(?![吗没])|(?:可以|能|已经|被|给)+划掉了?(?=$|[，。！]))?"
    ),
    pattern(
        r"(?:我?过敏的(?:东西|药物?|食物)?(?:主要)?(?:是|有|包括)|过敏[原源](?:是|有|为|查出来是|[:：])"
        rf"|过敏的?不是<S>[，,]?而?是)(?P<x>{CLAUSE_ZH}{{0,6}}<S>)"
    ),
    pattern(
        r"(?P<x><S>)(?:这个|的)?(?:药物)?(?:皮试|试敏)?\s*(?:[:：]|是|呈|都|全|均|做出来|结果|打出来)*\s*(?:阳性"
        r"|[（(]\s*\++\s*[)）]|\+(?!\d)|不过(?!敏)|没过(?!敏)|没通过|未通过|过不了|红肿|起了?个?大?包)"
    ),
    pattern(rf"皮试{CLAUSE_ZH}{{0,4}}?(?P<x><S>)\s*(?:阳性|[（(]\s*\++\s*[)）]|不过(?!敏)|没过(?!敏))"),
    pattern(
        r"(?<!不)(?<!没)(?<!没有)过敏(?:史|药物?|原|源"
        r"|物)?(?:\s+(?![我你他她]?[吃喝用打换])|[\s]*[:：（(是有为][:：（(是有为\s]*)"
        r"(?P<x>(?!所以|因此|平时|现在|今天|昨天)[\u4e00-\u9fffa-z]{0,3}<S>)(?!(?:是|都|倒)*(?:没事"
        r"|没问题|阴|不过敏))"
    ),
    pattern(rf"(?:写|标|记|登记|列为|诊断|确认|说我?)(?:了|着|成|是|过)*(?:对)?(?P<x><S>)(?:{_SOFT})*+过敏"),
)
_GAP_EN: Final = r"(?:(?!<S>|\b(?:if|whether|unless|why|when|who|whose|someone|people|in case)\b)[^.;!?\n])"
_IT_EN: Final = (
    r"(?:it|them|that|those|these|this|both|all of (?:it|them|those)|the stuff|the last (?:one|dose|jab|shot))\b"
)
_REASON_EN: Final = r"(?:[,(-]|\b(?:because|since|as|cos|coz|cause|bc|but|and|so|due to|though|although|even though)\b)"
_IS_EN: Final = (
    r"\b(?P<apart>i|s?he)(?:'?m|'?s| am| is|'?ve (?:always |also )?been|'s (?:always |also )?been| has been)?"
    r"(?P<no>n'?t| not| never| no longer)?"
    r"(?: (?!(?:not|never|no|nor|might|may|could|would|should)\b)\w+){0,2}? all?er?gic"
)
_MAY_BE_EN: Final = (
    r"(?P<maybe>\b(?:might be|may be|could be|probably|possibly|perhaps|maybe|(?:think|suspect|guess)(?: that)?)\s)?"
)
_TEST_EN: Final = r"(?:\b(?:skin|prick|patch|allergy)|<G>)(?: prick)? (?:tests?\b|<T>)"
_CAME_EN: Final = (
    r"(?:was|is|were|(?:came|has come) (?:back|<G>)|turned out|showed up)(?: as| very| strongly| weakly| clearly)?"
)
ALLERGIES_EN: Final = (
    pattern(
        r"\b(?P<forbids>not) all?ergic to (?:any |all )?<S>,? (?:but|only|just)(?: rather| only| just)?"
        r"(?: all?ergic)?(?: to)?(?: some| the| all| certain)? (?P<x><S>)"
    ),
    pattern(
        r"\b(?P<maybe>fine|ok(?:ay)?|good|alright) with (?:anything|everything) (?:but|except(?: for)?|apart from|bar"
        r"|other than) (?P<x><S>)"
    ),
    pattern(
        r"\b(?P<forbids>no) (?P<x><S>)s?(?: for me)?,? (?:please|pls|thanks?)?[,;. ]+i(?:'?m| am) (?:very "
        r"|really )?all?er?gic\b(?! to)"
    ),
    pattern(r"\badrs?:? (?P<x><S>)"),
    pattern(
        r"(?P<x><S>)[^.;!?\n]{0,40}[.?!]+ (?P<apart>it|that|they) (?:gave|caused|brought|made|sent|put) me\b"
        r"[^.!?\n]{0,24}?<R>(?! (?:from|to|after|with|off) )"
    ),
    pattern(
        r"(?P<x><S>)(?: for me)?(?:,? (?:please|pls|thanks?))?\s?[,;:.–—-]+ "
        r"(?:i'?m |i am |am |very |badly )*all?er?gic(?=\s*(?:[.,;!]|$))"
    ),
    pattern(
        r"\b(?:allergy (?:clinic|test|specialist|doctor)|allergist|skin tests?|patch tests?"
        r"|prick tests?)\b[^.;!?\n]{0,24}?"
        r"\b(?:confirmed|showed|says?|found)(?: (?:it'?s|that|i'?m allergic to))? (?P<x><S>)"
    ),
    pattern(
        rf"(?P<x><S>){_GAP_EN}{{0,24}}?\b(?:allergic (?:since|for ever|forever|all my life)|(?:badly"
        rf"|severely) allergic$)"
    ),
    pattern(
        r"(?P<x><S>)\? ?(?:no|nope|never|not)\b[^.!?\n]{0,24}?\b(?P<apart>i) (?:broke|came|swelled|blew"
        r"|reacted|had|got)\b"
        rf"[^.!?\n]{{0,30}}?\b(?:on|to|from|with) {_IT_EN}"
    ),
    pattern(
        r"\b(?:can'?t|cannot) (?:eat|have|take|touch) (?:any )?(?P<x><S>) without (?:my|me|getting|breaking"
        r"|coming|it)\b"
    ),
    pattern(rf"(?P<x><S>){_GAP_EN}{{0,40}}?[.?!,;] (?P<apart>i) have an? (?:\w+ ){{0,3}}all?ergy to {_IT_EN}"),
    pattern(r"\bme (?:\+|and|plus) (?P<x><S>) (?:=|equals?|means?|is) (?:an? )?(?:<S>|<R>)"),
    pattern(
        r"\b(?:it'?s|it is|it was|it turned out to be) (?:actually |really )?(?P<x><S>)(?: that)? i(?:'?m| am| was)"
        r" all?er?gic to(?=\s*(?:[.,;!?\n]|$))"
    ),
    pattern(
        r"\b(?:can'?t|cannot|can not|couldn'?t|unable to|never could) tolerate (?:any |the )?(?P<x><S>)"
        r"(?! (?:like|as (?:well|much)))"
    ),
    pattern(
        r"\bcan(?:'?t|not) (?:have|take|eat|use) (?:any )?(?P<x><S>)[,.;:]? (?:it |they |that )?"
        r"(?:sets?|makes?|gives?|brings?|triggers?) (?:me|my|off|on)\b"
    ),
    pattern(r"(?P<x><S>) (?:is|are) (?:strictly |completely |absolutely |totally )?off[- ]limits (?:for|to) me\b"),
    pattern(
        r"\b(?:put|got|have|has|listed|marked|noted|recorded) (?P<x><S>) (?:down )?"
        r"(?:as (?:an? )?|under )(?:intoleran|all?erg|reaction)"
    ),
    pattern(rf"(?P<x><S>){_GAP_EN}{{0,60}}?\b(?P<apart>i) react(?:ed)? (?:\w+ ){{0,2}}?to {_IT_EN}"),
    pattern(
        r"(?P<x><S>)[,.;]? (?:it |they |that |always |just )*"
        r"(?:sets? (?:off )?my (?:<D>|breathing|chest)|(?:triggers?|triggered|flares?(?: up)?|brings? on) my <D>)"
    ),
    pattern(rf"(?P<x><S>){_GAP_EN}{{0,40}}?{_MAY_BE_EN}{_IS_EN} (?:to|of) {_IT_EN}"),
    pattern(r"\ball?er?gic to\b[^.;!?\n]{0,40}?\bbut (?P<apart>i)(?: am|'?m) to (?P<x><S>)"),
    pattern(
        rf"(?P<x><S>){_GAP_EN}{{0,60}}?\b(?:what|which|that|ones?|things?|stuff)\b{_GAP_EN}{{0,40}}?"
        r"\b(?P<apart>i)(?:'?m| am) all?er?gic to(?=\s*(?:[.,;!?\n]|$))"
    ),
    pattern(
        rf"(?P<x><S>){_GAP_EN}{{0,50}}?\b(?P<apart>i)(?:'?ve)? (?:had|have|got|get)(?: an?| some| such a)?"
        r"(?: (?:really|very|such|quite|pretty|so))?"
        r"(?: (?:bad|nasty|awful|horrible|terrible|severe|serious|strong|violent))?"
        rf"(?: all?er?gic)? reactions? (?:to|from|after|with) {_IT_EN}"
    ),
    pattern(
        r"(?P<x><S>)(?:'?s| is| are)? (?:on|in) my (?:do[- ]not[- ]give|all?er?gy|all?er?gies)"
        r" (?:list|file|card)"
    ),
    pattern(
        rf"(?P<x><S>){_GAP_EN}{{0,40}}?\b(?P<apart>i|s?he) (?P<maybe>might be|may be|could be)"
        rf" all?er?gic (?:to|of) {_IT_EN}"
    ),
    pattern(rf"(?P<x><S>){_GAP_EN}{{0,24}}?(?P<apart>[,(-])\s*(?:\w+ ){{0,2}}?all?er?gic (?:to|of) {_IT_EN}"),
    pattern(
        rf"\b(?P<forbids>can'?t|cannot|can not|couldn'?t|don'?t|do not|doesn'?t|won'?t|never|no|not|avoids?|without)\b"
        rf"{_GAP_EN}{{0,20}}?(?P<x><S>){_GAP_EN}{{0,20}}?{_REASON_EN}?\s*{_IS_EN}\b(?! to\b| of\b| reaction)"
    ),
    pattern(
        r"(?P<x><S>) (?:is|are)(?:n'?t| not)?"
        r" (?:out|off|a no(?:[- ]go)?|no good|no|an option|possible|ok(?:ay)?|good)\b"
        rf"[^.;!?\n]{{0,12}}?{_REASON_EN}\s*{_IS_EN}\b(?! to\b| of\b| reaction)"
    ),
    pattern(r"(?P<x><S>)[.,]? (?:that'?s|thats|is|are) (?:the|my) (?:big |main |one |worst )?all?erg(?:y|ies)\b"),
    pattern(r"(?P<maybe>)(?P<x><S>) (?:really |just |absolutely )?hates? me\b"),
    pattern(r"(?P<x><S>) (?:goes|go|went|runs) (?:straight|right|clean) through me\b"),
    pattern(r"(?P<x><S>) (?:do(?:es)?n'?t|do not|does not) (?:love|like|agree with|get on with) me\b"),
    pattern(r"(?P<x><S>) and (?:me|i|my \w+) (?:really )?(?:don'?t|do not|never) (?:mix|get (?:on|along)|agree)"),
    pattern(r"<R> to (?:the |an? |my )?(?P<x><S>)"),
    pattern(r"\bcarry(?:ing)? (?:an? |my |two )?<S>s? (?:because of|for|due to|on account of) (?:my |the )?(?P<x><S>)"),
    pattern(
        r"\b(?:skin|prick|patch|blood|allergy)[ \w]{0,14}test\w*[^.;!?\n]{0,30}?(?:positive"
        r"|react\w*)[^.;!?\n]{0,12}?(?:for|to)\s(?P<x><S>)"
    ),
    pattern(
        r"(?P<no>\b(?:not|never|isn'?t|ain'?t|no longer|no|don'?t have (?:a|an|any)|without|nor|neither"
        r"|aren'?t|wasn'?t)(?: (?:been|a|an|any|known|really|actually|even|had|true"
        r"|at all))*\s+)?(?P<maybe>\b(?:might be|may be|possibly|maybe|probably|could be|think (?:i'?m|i am"
        rf"|i might be)|not sure if|suspected?|slightly|a bit|wonder)\s+(?:\w+ ){{0,3}})?"
        rf"(?:\bmy \w+ )?\ball?er?g(?:ic|y|ies|ic reactions?)\b(?: \w+){{0,2}}? (?:to|with|towards|from|is|are"
        r"|against|includes?)(?!day\b|night\b|morrow)(?: (?:is|are|the|my(?= <S>)|our(?= <S>)|all|any|some"
        r"|anything with|things? like|both|taking|most"
        r"|certain|every|those|these|a|an|drugs like|medicines like|antibiotics like|eating|being stung by"
        rf"|stings? from)\b)*(?!\s*(?:it|them)\b)\s*(?P<x>{CLAUSE_EN}{{0,12}}?<SDGVR>(?:{CLAUSE_EN}{{0,10}}?<S>)?"
        rf"|[a-z'][a-z' -]{{1,40}})(?P<no2>,? ?(?:is negative|tests? (?:was |came back )?negative))?"
    ),
    pattern(
        r"(?P<no>\b(?:(?<!never )(?<!not )(?<!n't )(?:outgr[eo]wn?|gr[eo]wn? out of)"
        r" (?:my|the|that|an)|not|never|no|no known|without"
        r"|don'?t have (?:a|an|any)|ruled out)(?: (?:a|an|any|known"
        r"|had|true))*\s+)?(?P<maybe>\b(?:possible|suspected|maybe|probable)\s+(?:a "
        r"|an )?)?(?P<x><S>)\s*(?:\w+ )?(?:all?er?g(?:y|ies|ic)\b|anaphylaxis|hypersensitivity|intolerance"
        r"|all?er?gies)(?P<no2>\s*(?:\?|meds?|medicine|medication|pills?|tablets?|tests?|shots?|season|relief"
        r"|clinic|panel|is negative|was negative|ruled out|symptoms|awareness|free))?"
    ),
    pattern(r"\b(?:it'?s|its) not <S> i'?m all?er?gic to,? (?:but |it'?s )*(?P<x><S>)"),
    pattern(
        r"\b(?:all?er?gic reactions?|anaph[a-z]{4,9}|reactions?|reacted|react|sensitive|sensitivity|intolerant"
        r"|intolerance|epi ?pens?) (?:badly |really badly |terribly |horribly |severely |violently "
        r"|strongly )?(?:to|for|with|from|after)(?: (?:the|an?|my|some|having|eating|taking|being stung by|any"
        r"|all))*\s*(?P<x><S>)(?P<no2>\s*\?)?"
    ),
    pattern(
        r"(?P<x><S>)[^.;!?\n]{0,60}?\b(?:on|in|to) my (?:chart|file|notes|records?"
        r"|all?er?gy list)[^.;!?\n]{0,20}?all?er?g"
    ),
    pattern(
        r"(?P<x><S>)\s*(?:\(|-|–|->|→|=|:)\s*(?:<R>|rash|hives|anaphylaxis|swelling|all?er?gy|angioedema|dress\b"
        r"|sjs\b|red man)"
    ),
    pattern(r"(?P<x><S>)(?: \w+)?[.,:;–—-]? (?:is an? |an? )?(?P<maybe>(?:big|hard|total|absolute|massive) no)\b"),
    pattern(r"\b(?P<maybe>put|wrote|listed|ticked) (?P<x><S>) (?:down )?on (?:my|the|your) (?:form|allerg)"),
    pattern(
        r"\b(?:allerg\w+|skin|prick|patch|blood)[ \w]{0,14}(?:tests?\b|<T>)[^.;!?\n]{0,50}?\bculprits?"
        r"(?:'s| is| was| are| were) (?:actually |really |house )*(?P<x><S>)"
    ),
    pattern(
        rf"{_TEST_EN} (?:{_CAME_EN} )?positive (?:for|to) (?:the )?(?P<x><S>)"
        rf"|(?P<x2><S>) {_TEST_EN} (?:{_CAME_EN} )?positive"
    ),
    pattern(
        r"\b(?:patch|allergy|skin|prick|blood) tests?\b[^.!?\n]{0,24}[.!:] (?:so )?(?:it'?s|it was"
        r"|turns out it'?s) (?:the )?(?P<x><S>)"
    ),
    pattern(
        rf"{_TEST_EN} (?:said|says|showed|shows|picked up|found) (?:that )?(?:it'?s |i'?m allergic to )?(?P<x><S>)"
        r"(?!s? ?(?:is|was|were|are|to be)? ?(?:negative|fine|clear|normal|nothing|not|ok))"
    ),
    pattern(r"(?P<x><S>)(?: venom)?[^.!?\n]{0,50}[.!] (?:that|this|it)(?: one)? came (?:back|up) positive\b"),
    pattern(rf"{_TEST_EN} (?:for|to|with|on) (?:the |my )?(?P<x><S>)(?: all?ergy)? {_CAME_EN} positive"),
    pattern(
        r"\b(?P<maybe>what (?:did|actually|really) (?:react|light up|flare)(?:ed)?|(?:the|only) one (?:that |which )?"
        r"(?:lit up|reacted|flared)(?: up)?) (?:was|were|is) (?:the |my |a )?(?P<x><S>)"
    ),
    pattern(r"\b(?P<forbids>tag|bracelet|wristband|chart|band|notes?|file)\b[^.;!?\n]{0,30}?\bno (?P<x><S>)"),
)
AVERSE_ZH: Final = (
    pattern(r"(?:我|俺|本人)(?:跟|和|与)(?P<x><S>)(?:类的?药?)?(?P<maybe>犯冲|相克|不对付|八字不合|合不来)"),
    pattern(
        r"(?P<x><S>)(?:这个|这药|类)?我(?P<maybe>不行|受不了|吃不了"
        r"|用不了)[，,](?:我)?(?:一)?[吃喝用打碰沾抹][^。；！？\n]{0,8}?"
        r"(?:<R>|<Y>|吐|晕|疹|痒|肿|喘|难受|心慌|拉)"
    ),
)
AVERSE_EN: Final = (
    pattern(
        r"(?P<x><S>)[^.;!?\n]{0,40}?\b(?P<maybe>(?:was|were|been|got) told (?:to avoid|never to have) (?:it"
        r"|them))\b(?! (?:for|before|until|till|with|while|during)\b)"
    ),
    pattern(
        r"\bi (?P<forbids>must not|mustn'?t|cannot|can'?t|should not|shouldn'?t) (?P<maybe>have|take|be given|be on"
        r"|use)"
        r" (?:any |the )?(?P<x><S>)"
        r"(?! (?:with|while|on an|until|before|after|at|if|unless|now|today|yet|because))"
    ),
    pattern(r"\b(?P<forbids>no) (?P<x><S>)s? (?P<maybe>for me|please|pls|thanks?|thank you|this time)\b"),
    pattern(r"(?P<x><S>) (?P<maybe>gave me|caused me|triggered) (?:an? |some |really |bad |terrible |my )*<D>"),
    pattern(
        rf"(?P<x><S>){_GAP_EN}{{0,50}}?\b(?P<maybe>(?:don'?t|do not|never) (?:give|prescribe|put) me(?: on)?"
        r" (?:it|that|them)(?: one| again| ever)*)(?=\s*(?:[.,;!\n]|$))"
    ),
    pattern(
        rf"(?P<x><S>){_GAP_EN}{{0,60}}?,? (?P<maybe>(?:doctors?|doc|gp|consultant|all?er?gist|nurse|hospital|they)"
        r"(?: has| have)? (?:said|says|told me|told us)(?: me)?"
        r" (?:never (?:again|to (?:take|have|use) (?:it|that|them))"
        r"|not to (?:take|have|use) (?:it|that|them) (?:again|ever)|to avoid (?:it|that|them))"
        r"|(?:told|advised|warned) (?:me )?never to (?:restart|take it again|have it again|go near it|be given it))"
        r"(?![^.!?\n]{0,24}\b(?:before|until|till|for \d+|with|together|on an empty|while|during|without)\b)"
    ),
)
