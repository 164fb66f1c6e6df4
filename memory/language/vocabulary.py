"""What words of a triage dialogue stand for: the patterns behind the extractive summary.

Patterns see lower-case text. Chinese and English stand apart so that a text pays only for the script it
has, and every alternative begins with a literal where it can, which lets `re` skip ahead.
"""

import re
from typing import Final

_HAN = re.compile(r"[\u3400-\u9fff]")
_LATIN = re.compile(r"[a-z]{2}")


class Kind:
    """What a sentence is about, as bits: it may be about several things.

    Plain integers, because `enum.Flag` took half the time of a summary.
    """

    NONE: Final = 0
    ALLERGY: Final = 1
    CONDITION: Final = 2
    MEDICATION: Final = 4
    SYMPTOM: Final = 8
    COURSE: Final = 16  # since when, how long, how bad
    ALARM: Final = 32  # a symptom nobody may overlook
    MEASURE: Final = 64  # a number with its unit
    NUMBER: Final = 128
    DECISION: Final = 256
    FINDING: Final = 512
    PERSONAL: Final = 1024
    QUESTION: Final = 2048

    SAFETY: Final = ALLERGY | CONDITION | MEDICATION


class _Bilingual:
    """One pattern per script, tried only where the script occurs."""

    def __init__(self, chinese: str, english: str) -> None:
        self._chinese = re.compile(chinese)
        # No \b: Chinese characters are word characters too, and "服用aspirin" has no border there.
        self._english = re.compile(rf"(?<![a-z])(?:{english})")

    def found(self, text: str, *, han: bool, latin: bool) -> bool:
        return bool((han and self._chinese.search(text)) or (latin and self._english.search(text)))

    def all(self, text: str) -> set[str]:
        return {m.group() for p in (self._chinese, self._english) for m in p.finditer(text)}


_ALLERGY = _Bilingual(
    r"过敏|過敏|药疹|不耐受|休克史",
    r"allerg|anaphyla|nkda|nka(?![a-z])|intoleran|hypersensitiv|epipen",
)

_CONDITION = _Bilingual(
    r"高血压|高血壓|糖尿病|血糖高|血压高|高血糖|高血脂|高脂血|高尿酸|冠心病|心脏病|心臟病|心梗|心肌|"
    r"心衰|心力衰竭|心律失常|房颤|早搏|"
    r"脑梗|脑出血|中风|卒中|癫痫|哮喘|慢阻肺|肺气肿|肺结核|结核|慢性|基础病|基础疾病|既往|病史|家族史|"
    r"遗传病|"
    r"肾病|肾衰|肾功能|肾结石|尿毒症|透析|乙肝|丙肝|肝炎|肝硬化|脂肪肝|肝功能|甲亢|甲减|甲状腺|痛风|癌|"
    r"肿瘤|白血病|"
    r"血友病|凝血|血栓|贫血|艾滋|hiv|梅毒|狼疮|类风湿|强直性|免疫缺陷|抑郁症|焦虑症|精神分裂|双相|"
    r"帕金森|痴呆|"
    r"蚕豆病|青光眼|胃溃疡|溃疡病|十二指肠溃疡|消化道出血|前列腺增生|椎间盘突出|骨质疏松|残疾|"
    r"怀孕|懷孕|孕妇|孕期|妊娠|孕\d|怀了|备孕|哺乳|喂奶|流产|宫外孕|剖腹产|剖宫产|月经推迟|停经|"
    r"手术|手術|开过刀|开刀|做过支架|支架|搭桥|起搏器|移植|切除|化疗|放疗|输血|住过院|人工关节|"
    r"自杀|自殺|自残|不想活|想死|轻生|结束生命|酗酒|吸毒",
    r"hypertensi|high blood pressure|diabet|high cholesterol|heart (?:disease|failure|attack|condition|"
    r"surgery)|"
    r"coronary|angina|arrhythmi|atrial fib|a-?fib(?![a-z])|stroke|tia(?![a-z])|epilep|seizure|asthma|"
    r"copd|emphysema|"
    r"tubercul|chronic|past medical|medical history|family history|history of|pmh|htn(?![a-z])|t[12]dm|"
    r"ckd(?![a-z])|"
    r"cad(?![a-z])|chf(?![a-z])|kidney (?:disease|failure|stone)|renal|dialysis|hepatitis|cirrhosis|"
    r"fatty liver|"
    r"liver disease|hyperthyroid|hypothyroid|thyroid|gout(?![a-z])|cancer|tumou?r|leuk[ae]?emia|"
    r"lymphoma|hemophilia|"
    r"haemophilia|blood clot|thrombo|embolism|an[a]?emia|hiv(?![a-z])|lupus|rheumatoid|immun[eo](?:-|"
    r" )?(?:comp|supp|def)|"
    r"depression|bipolar|schizophren|parkinson|dementia|g6pd|glaucoma|ulcer|osteoporosis|pre-?existing|"
    r"underlying (?:condition|disease)|pregnan|trimester|weeks? along|breast-?feed|nursing (?:my|a) |"
    r"lactat|miscarriage|"
    r"c-section|caesarean|cesarean|missed (?:my|her) period|surger|appendix (?:out|removed)|"
    r"(?:removed|taken out)(?![a-z])|operation(?![a-z])|operated on|"
    r"appendectomy|"
    r"pacemaker|stent|bypass|transplant|implant|splenectomy|hysterectomy|chemo|radiotherapy|transfusion|"
    r"suicid|kill myself|end my life|self-?harm|want to die|hurt myself|overdos",
)

_DRUG_ZH = (
    r"阿司匹林|布洛芬|对乙酰氨基酚|扑热息痛|华法林|氯吡格雷|利伐沙班|肝素|胰岛素|二甲双胍|双胍|格列|"
    r"列净|列汀|他汀|沙坦|地平|"
    r"洛尔|普利|西林|头孢|沙星|霉素|阿奇|奥司他韦|更昔洛韦|洛韦|拉唑|替丁|泼尼松|地塞米松|激素|避孕药|"
    r"抗凝药|降压药|降糖药|止痛药|"
    r"安眠药|抗抑郁|舍曲林|氟西汀|地西泮|安定|阿普唑仑|左甲状腺素|优甲乐|氯雷他定|西替利嗪|孟鲁司特|"
    r"沙丁胺醇|甲硝唑|蒙脱石|"
    r"感冒灵|连花清瘟|板蓝根|皮康王|卡马西平|丙戊酸|叶酸|免疫抑制"
)
_DRUG_EN = (
    r"aspirin|ibuprofen|paracetamol|acetaminophen|tylenol|advil|naproxen|warfarin|coumadin|eliquis|"
    r"apixaban|xarelto|"
    r"rivaroxaban|clopidogrel|plavix|heparin|insulin|metformin|ozempic|semaglutide|prednis|dexameth|"
    r"steroids?|albuterol|"
    r"inhaler|levothyroxine|omeprazole|[a-z]{3,}(?:prazole|sartan|olol|statin|cillin|mycin|floxacin|"
    r"dipine|gliptin|"
    r"gliflozin|azepam|oxetine|triptan|cycline|pril)(?![a-z])|sertraline|zoloft|prozac|lithium|"
    r"methotrexate|"
    r"birth control pill|blood thinners?|antibiotics?|antidepress|painkillers?|codeine|morphine|"
    r"oxycodone|tramadol|"
    r"amlodipine|furosemide|cef[a-z]{3,}"
)
_DOSE_FORM_ZH = r"(?:药|片|胶囊|颗粒|丸|抗生素|激素|胰岛素|维生素|霉素|膏|滴眼液|口服液|糖浆|喷剂|疫苗|点滴|吊瓶|针)"
_MEDICATION = _Bilingual(
    r"(?:正在|一直|每天|天天|目前|长期|平时|现在|还在|在|曾经?|最近)再?(?:吃|服用?|口服|用|打|注射|涂|"
    r"擦)[^，。；？！,;?!]{0,10}?"
    + _DOSE_FORM_ZH
    + r"|(?:吃|服用?|口服|用|打|注射|涂|擦|输|开)(?:着|了|过|的)[^，。；？！,;?!]{0,12}?"
    + _DOSE_FORM_ZH
    + r"|(?:没有?|未|无)(?:在|正在)?(?:吃|服用?|用)(?:过|任何|什么|其他|其它|别的)*药|无用药|"
    r"(?:自行|擅自|已经?)停药|停了药|停用|漏服|换药|用药史|服药史|药物史|在用药|在服药|长期服|" + _DRUG_ZH,
    r"(?:i|he|she|they|we|patient)(?:'m|'s| am| is| was| have been| has been|'ve been)?(?: currently|"
    r" also| still| now)*"
    r" (?:on|tak(?:e|es|ing)|took|using|uses?) [^.;?!]{0,24}?(?:medic|pills?|tablets?|capsules?|"
    r"\d+ ?(?:mg|mcg|iu|units?))|"
    r"(?:current|regular|daily|any|what|other|my|home) (?:medication|medicine|meds|drugs?(?! store))|"
    r"medications?:|meds:|prescribed|stopped taking|been taking|" + _DRUG_EN,
)
# A drug somebody asks for or advises is not yet one the patient takes.
_DRUG_WISHED = _Bilingual(
    r"建议|推荐|可以|可选|考虑|能不能|能否|能吃|能用|可否|要不要|需不需要|需要|应该|什么药|哪种药|试试|"
    r"比如|例如|如果",
    r"recommend|suggest|should|can i|could i|may i|consider|would |can take|may take|might|such as|e\.g|"
    r"if ",
)
_DRUG_TAKEN = _Bilingual(
    r"正在|一直|每天|天天|目前|长期|还在|在吃|在服|在用|吃着|吃了|吃过|吃的|服了|服过|用了|用过|用的|"
    r"打了|打过|涂|停",
    r"taking|took|(?:i|we|they) (?:also |still |usually |only )?take |takes |been|currently|prescribed|"
    r"stopped|(?:'m|am|is|are|was) on |my ",
)

_SYMPTOM = _Bilingual(
    r"痛|疼|发烧|发热|高烧|低烧|咳|痰|喘|胸闷|气短|气促|心慌|心悸|头晕|眩晕|恶心|呕|吐了|腹泻|拉肚子|"
    r"便秘|便血|黑便|腹胀|反酸|烧心|"
    r"嗳气|食欲|胃口|乏力|无力|疲劳|疲惫|失眠|睡不着|睡眠|多梦|出汗|盗汗|怕冷|寒战|抽筋|抽搐|麻木|发麻|"
    r"肿|痒|皮疹|疹|红斑|红点|疙瘩|"
    r"水泡|脱皮|起皮|流血|出血|尿频|尿急|血尿|尿血|排尿|白带|月经|流鼻涕|鼻涕|鼻塞|打喷嚏|喉咙|嗓子|"
    r"耳鸣|听力|视力|模糊|"
    r"抽动|发抖|晕倒|昏迷|意识|呼吸困难|消瘦|体重|烦躁|焦虑|情绪|抑郁|紧张|掉发|脱发|口腔溃疡|口臭|口干|"
    r"难受|不舒服|不适|"
    r"感冒|发炎|炎症|感染|炎|骨折|扭伤|受伤|摔|症状|复发|"
    r"加重|缓解|好转|痘|腰酸|胀|拉稀|大便|小便|"
    r"勃起|早泄|气喘|打鼾|结石|囊肿|息肉|结节",
    r"pain|ache|aching|headache|migraine|fever|temperature|cough|phlegm|sputum|short(?:ness)? of breath|"
    r"breath|wheez|"
    r"chest|palpitation|dizz|vertigo|nause|vomit|threw up|throwing up|diarrh|constipat|stool|bloat|"
    r"heartburn|reflux|"
    r"appetite|fatigue|tired|weak|insomnia|sleep|sweat|chill|cramp|numb|tingl|swell|swollen|itch|rash|"
    r"hives|blister|"
    r"bleed|blood in|urinat|discharge|runny|stuffy|congest|sneez|sore|throat|hearing|vision|blurr|faint|"
    r"passed out|"
    r"unconscious|confus|weight loss|lost weight|gained weight|anxi|depress|stress|infect|inflam|"
    r"fractur|sprain|injur|"
    r"fell (?:down|off|on)|symptom|unwell|feel(?:ing)? (?:sick|bad|worse|ill)|worse|flare|lump|burning|"
    r"stiff|bruis|hurt(?:s|ing)?(?![a-z])|twisted|gave way|giv(?:es|ing) way",
)

_ALARM = _Bilingual(
    r"胸痛|胸口痛|胸口疼|呼吸困难|喘不过气|喘不上气|昏迷|晕倒|意识不清|抽搐|咯血|吐血|呕血|便血|黑便|"
    r"大出血|说话不清|口齿不清|口角歪斜|"
    r"半身|剧烈|剧痛|高烧不退|喷射|休克|看不见|急诊|120急救|紧急",
    r"chest (?:pain|tight|pressure)|can(?:no|')?t breathe|trouble breathing|difficulty breathing|"
    r"short(?:ness)? of breath|"
    r"unconscious|passed out|faint|seizure|coughing (?:up )?blood|vomiting blood|black stool|blood in|"
    r"slurred|"
    r"facial droop|face droop|worst headache|sudden vision|severe|emergency|ambulance|call 911|call 120",
)

_COURSE = _Bilingual(
    r"[\d一二两三四五六七八九十半几多]{1,8} ?(?:个)?(?:多)?(?:天|日|周|星期|礼拜|月|年|小时|钟头|分钟|晚|"
    r"次)|昨天|昨晚|今天|今早|早晨|早上|前天|上周|"
    r"上个月|去年|刚才|刚刚|最近|近期|一直|反复|经常|偶尔|总是|越来越|突然|持续|夜间|饭后|从小|以前|"
    r"开始|轻微|严重|厉害|明显|多久|多长时间|"
    r"什么时候|几天|几次|第一次|没有缓解|好多了|好了|好转|见好|不见好|没好|减轻|加重|恶化|痊愈|退烧|消退|管用|见效",
    r"(?:\d{1,8}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|few|several|couple of|past|last) "
    r"(?:hour|day|night|week|month|year|minute)s?|since|yesterday|today|this morning|tonight|last night|"
    r"ago(?![a-z])|"
    r"started|began|onset|sudden|gradual|on and off|comes and goes|constant|persist|always|often|"
    r"sometimes|"
    r"better(?! to)|worse|improv|went away|mild|moderate|severe|unbearable|how long|when did|recently|\d{1,8} ?(?:/|"
    r"out of) ?10",
)

_UNIT = (
    r"°|℃|度|毫克|克|毫升|升|公斤|斤|厘米|毫米|米|片|粒|支|盒|瓶|袋|岁|周岁|个月|天|日|号|月|年|点|小时|"
    r"分钟|次|元|块|美元|万|%|％|"
    r"mmhg|mmol|umol|mg|mcg|μg|ug|ml|kg|cm|mm|bpm|iu|g(?![a-z])|lbs?(?![a-z])|units?|times|tablets?|"
    r"pills?|years?|"
    r"months?|weeks?|days?|hours?|minutes?|degrees?|percent|dollars?|usd|rmb|a\.?m(?![a-z])|"
    r"p\.?m(?![a-z])"
)
_MEASURE = re.compile(
    rf"(?<!\d)\d[\d.,]{{0,12}}(?: ?[-~～至到/x×] ?\d[\d.]{{0,9}})? ?(?:{_UNIT})|[$¥￥€£]\s?\d|"
    rf"\d{{2,3}}/\d{{2,3}}|"
    rf"\d{{4}}-\d\d?-\d"
)
_NUMBER = re.compile(r"\d")
# An item number counts nothing.
_ITEM_NUMBER = re.compile(r"^\s*[（(]?\d{1,2}[.)、）．](?!\d)")

_DECISION = _Bilingual(
    r"建议|推荐|已预约|预约|约好|约在|决定|确定|商定|说好|同意|一致|结论|定了|定在|敲定|拍板|计划|打算|"
    r"准备|安排|负责|截止|上线|必须|务必|应该|"
    r"应当|需要|不要|避免|禁止|禁忌|慎用|可以吃|可以用|可以服|可以加|可以先|加用|加点|加上|先吃|先用|"
    r"吃点|最好|要查|查个|做个|去做|服用|口服|外用|复查|复诊|"
    r"就诊|就医|去医院|急诊|转诊|住院|检查|化验|拍片|"
    r"停药|先用|改用|采用|改成|我会|我们会|试试|坚持|注意|优先|下周|明天|后天|目标",
    r"recommend|suggest|advis|appointment|booked|scheduled|decided?|agreed?|agreement|conclu|plan(?:s|"
    r"ned|ning)? to|"
    r"will (?!you)|i'll|we'll|going to|should|must(?![a-z])|need(?:s|ed)? to|have to|avoid|don't|do not|"
    r"take (?!care)|"
    r"prescri|follow[- ]?up|refer(?:red|ral)?(?![a-z])|see a (?:doctor|specialist)|go to the|hospital|"
    r"deadline|due (?:on|by)|assigned|responsible|tomorrow|next (?:week|month)|let's|best to|make sure|"
    r"try (?:to )?",
)

_FINDING = _Bilingual(
    r"(?:这|您|你)[^，。？?]{0,10}(?:是|属于|引起|导致|造成)|像是|除外|可以排除|"
    r"诊断|确诊|考虑|符合|可能是|有可能|应该是|疑似|初步判断|检查结果|结果显示|报告|阳性|"
    r"阴性|正常|异常|偏高|偏低|提示|ct|核磁|b超|彩超|x光|血常规",
    r"diagnos|likely|consistent with|suspect|could be|may be|probably|test results?|results? (?:show|"
    r"came)|showed|positive|"
    r"negative|normal|abnormal|elevated|x-?ray|ct scan|mri(?![a-z])|ultrasound|blood test|impression:|"
    r"assessment:",
)

_PERSONAL = _Bilingual(
    r"我叫|我是|我姓|我今年|我住|住在|我家|我在|我的?(?:女儿|儿子|孩子|宝宝|妈|爸|母亲|父亲|老公|老婆|"
    r"丈夫|妻子|奶奶|爷爷|家人|工作|生日|电话)|"
    r"岁|我喜欢|我最喜欢|我爱|我讨厌|我不喜欢|我习惯|偏好|我想|我要|我希望|我打算|我经常|我每天|平时|"
    r"抽烟|吸烟|喝酒|饮酒|熬夜|职业|"
    r"性别|男性|女性|身高|体重|吃素|素食",
    r"my name|i am |i'm |i live|i work|i like|i love|i hate|i prefer|i want|i'd like|i would like|"
    r"i plan|i hope|"
    r"i usually|i often|i smoke|i drink|i don't (?:smoke|drink|eat|like)|years? old|year-old|"
    r"my (?:daughter|son|child|kid|baby|wife|husband|partner|mother|father|mom|dad|mum|grand|family|job|"
    r"birthday|"
    r"phone|doctor|favou?rite)|vegetarian|vegan|favou?rite",
)

_QUESTION = _Bilingual(
    r"[?？]\W{0,9}$|吗\W{0,9}$|呢\W{0,9}$|么\W{0,9}$|吧\W{0,9}$|怎么|怎样|如何|为什么|为啥|多久|多少|"
    r"多长时间|什么|哪些|"
    r"哪个|哪里|哪种|是否|有没有|有无|能不能|可不可以|"
    r"是不是|要不要|会不会|请(?:问|你|您|给|帮|推荐|根据)|帮我|想问|咨询|求",
    r"what |how |why |when |where |which |who |should i|can i|could (?:i|you)|can you|"
    r"would you|"
    r"do you|is it|are there|please|help me|i'd like to (?:know|ask)|i want to know|wonder",
)
_HYPOTHETICAL = _Bilingual(
    r"如果|若|假如|一旦|倘若|如有|如需|孕妇|患者(?!有|对|既往|曾|目前|正在|否认|没有|无|为)|人群|"
    r"者(?:应|不宜|慎|禁|可|需)|常见|包括|例如|比如|等疾病|可能(?:会|导致|引起|增加)",
    r"if |people with|patients with|those (?:with|who)|anyone|in case|such as|for example|can cause|"
    r"may cause|"
    r"risk factors?|common(?:ly)? |include",
)
_PATIENT = _Bilingual(
    r"你|您|患者|病人|孩子|宝宝|对[^，。；,;]{1,12}过敏|过敏史",
    r"your?(?![a-z])|you're|you've|patient|allergic to|allerg(?:y|ies):|nkda|pmh",
)

_BY_KIND = (
    (Kind.ALLERGY, _ALLERGY),
    (Kind.CONDITION, _CONDITION),
    (Kind.SYMPTOM, _SYMPTOM),
    (Kind.COURSE, _COURSE),
    (Kind.ALARM, _ALARM),
    (Kind.DECISION, _DECISION),
    (Kind.FINDING, _FINDING),
    (Kind.PERSONAL, _PERSONAL),
    (Kind.QUESTION, _QUESTION),
)

_WEIGHTS = (  # said by the user, said by the assistant
    (Kind.ALLERGY, 20, 8),  # only when it is nothing new, or not about this patient
    (Kind.CONDITION, 20, 6),
    (Kind.MEDICATION, 10, 8),
    (Kind.ALARM, 12, 3),
    (Kind.SYMPTOM, 40, 8),
    (Kind.COURSE, 10, 1),
    (Kind.MEASURE, 20, 8),
    (Kind.NUMBER, 6, 3),
    (Kind.DECISION, 16, 14),
    (Kind.FINDING, 10, 14),
    (Kind.PERSONAL, 14, 0),
    (Kind.QUESTION, 6, 0),
)
_USUAL_CHARS = 80
_HALVING_CHARS = 160  # this much more halves the weight
_SAFETY_WEIGHTS = ((Kind.ALLERGY, 40), (Kind.CONDITION, 20), (Kind.MEDICATION, 10))


def kinds_of(sentence: str) -> int:
    """Everything a sentence is about, from its words alone."""
    text = sentence.lower()
    han, latin = bool(_HAN.search(text)), bool(_LATIN.search(text))
    kinds = _numbers_of(text)
    for kind, pattern in _BY_KIND:
        if pattern.found(text, han=han, latin=latin):
            kinds |= kind
    if _medicates(text, han=han, latin=latin):
        kinds |= Kind.MEDICATION
    return kinds


def safety_kinds_of(sentence: str) -> int:
    """As `kinds_of`, looking for nothing but safety facts."""
    text = sentence.lower()
    han, latin = bool(_HAN.search(text)), bool(_LATIN.search(text))
    kinds: int = Kind.NONE
    for kind, pattern in _BY_KIND[:2]:
        if pattern.found(text, han=han, latin=latin):
            kinds |= kind
    return kinds | Kind.MEDICATION if _medicates(text, han=han, latin=latin) else kinds


def safety_terms(sentence: str) -> set[str]:
    """The words that make a sentence a safety fact."""
    text = sentence.lower()
    return _ALLERGY.all(text) | _CONDITION.all(text) | _MEDICATION.all(text)


def complaint_terms(sentence: str) -> set[str]:
    """The words for what somebody suffers from."""
    return _SYMPTOM.all(sentence.lower())


def concerns_patient(sentence: str) -> bool:
    """Whether a bot's sentence speaks of this patient, not of patients, cases or possibilities."""
    text = sentence.lower()
    return _PATIENT.found(text, han=True, latin=True) and not _HYPOTHETICAL.found(text, han=True, latin=True)


def _numbers_of(text: str) -> int:
    text = _ITEM_NUMBER.sub("", text)
    if not _NUMBER.search(text):
        return Kind.NONE
    return Kind.MEASURE | Kind.NUMBER if _MEASURE.search(text) else Kind.NUMBER


def _medicates(text: str, *, han: bool, latin: bool) -> bool:
    if not _MEDICATION.found(text, han=han, latin=latin):
        return False
    wished = _DRUG_WISHED.found(text, han=han, latin=latin)
    return not wished or _DRUG_TAKEN.found(text, han=han, latin=latin)


def weight_of(kinds: int, *, bot: bool, chars: int = 0) -> float:
    """How much such a sentence matters; a patient's words are evidence, a bot's are mostly prose.

    Room is what a long sentence costs, so that its weight falls with the characters beyond a usual length.
    """
    weight = sum((by_bot if bot else by_user) for kind, by_user, by_bot in _WEIGHTS if kinds & kind)
    return weight / (1 + max(0, chars - _USUAL_CHARS) / _HALVING_CHARS)


def safety_weight_of(kinds: int) -> float:
    """The order among safety facts, for the day they alone are too many."""
    return sum(weight for kind, weight in _SAFETY_WEIGHTS if kinds & kind)
