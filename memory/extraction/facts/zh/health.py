"""Chinese health facts in one clause: allergies (`allergies`), diseases, drugs, operations, pregnancy.

A name is found first, by list or ending; what stands left of it decides whether it is claimed or denied.
"""

import re
from typing import Final

from memory.extraction.facts.frame import Finding
from memory.extraction.facts.patterns import listed
from memory.extraction.facts.zh.allergies import allergy_findings
from memory.extraction.facts.zh.words import (
    COUNT,
    DISEASE_ENDING,
    DISEASE_WHOLE,
    DRUG_CLASS,
    DRUG_ENDING,
    DRUG_WHOLE,
    NOT_DISEASE,
    NUMBER,
    ORGAN,
    SPAN,
    SURGERY_ENDING,
)

_LEFT_CHARS: Final = 24
_NAME_CHARS_MAX: Final = 11

# ---- names: an ending, and the last place left of it where the name can begin

_DISEASE: Final = listed(rf"(?P<whole>{DISEASE_WHOLE})(?P<tail>{DISEASE_ENDING})?|(?P<ending>{DISEASE_ENDING})")
_DISEASE_BORDER: Final = re.compile(
    r".*(?:了|过(?![敏度])|着|的|有|患|得|是|为|叫|出(?!血)|到|见|断|诊|说|我|你|他|她|[爸妈爷奶哥姐弟妹]|"
    r"老[公婆]|孩子|宝宝|儿子|女儿|"
    r"在|于|又|也|都|就|还(?!原)|没|无(?!菌)|不(?![全稳齐孕育良足整宁安])|和|及|与|跟|、|"
    r"或|并|伴|犯|看|查|治|疗|像|个|种|些|"
    r"(?<!斑)点|次|场|(?<!先)(?<!后)天(?!疱)|(?<!老)(?<!少)(?<!青)(?<!成)(?<!更)年(?!性)|"
    r"(?<!半)月(?![经骨])|前(?!列|庭|葡|臂|交)|时|一直|"
    r"突然|由于|因为|现在|最近|此|很|[：:]|认|现|医院|曾|怕|把|被|给|对(?!口)|让|从|比|当|"
    r"等|已|除|预防|抗|可能|引起|容易|严重|轻微|"
    r"(?:乳|孕|经)期|反复|目前|做|长(?!期)|然后|以后|之后|后来|变成|转成|除了?|确实|发生|出来|里|检|提示|显示|"
    r"结果|加上|开始|早期|晚期|小时候|以前|之前|说明|常年|这|那|单纯|各种|关于)",
    re.DOTALL,
)
_DRUG: Final = listed(
    rf"(?P<whole>{DRUG_WHOLE})(?P<tail>{DRUG_ENDING})?(?P<tail2>{DRUG_ENDING})?|(?P<ending>{DRUG_ENDING})"
    rf"(?P<form>{DRUG_ENDING})?|(?P<cls>{DRUG_CLASS})"
)
_DRUG_BORDER: Final = re.compile(
    r".*(?:吃|服(?!液)|用|打|涂|擦|抹|开(?![瑞塞])|喷(?![雾剂])|输|含|喝|了|过(?![敏氧])|"
    r"着|的|和(?![胃营中络解血])|、|及|与|加(?!味)|跟|"
    r"在|是|有|没|买|换|停[止用]?|我|给|又|还|也|都|就|天(?!麻|王)|次|粒|颗|盒|包|瓶|支|袋|"
    r"顿|片(?!仔)|半(?!夏)|点|些|种|叫|现|到|过敏药|消炎药|退烧药|"
    r"感冒药|抗生素|止[痛疼]药|降压药|降糖药|中成药|西药|中药|药物|药(?=.)|[：:]|或|成|到|"
    r"上(?!清)|前|后|每|mg|注射|口服|连续|坚持|"
    r"以|对(?!乙)|于|孩子|宝宝|从|月|年|周|号|个|再|先|才|毫克|克(?![林拉霉])|等)",
    re.DOTALL,
)
_SURGERY: Final = listed(rf"(?P<whole>{SURGERY_ENDING})(?:手术|术)?")
_SURGERY_BORDER: Final = re.compile(
    r".*(?:了|过|着|的|个|次|台|例|做|动|行|受|装|放|植|开|有|没|无|我|在|年|月|天|日|号|"
    r"前|时候|因为?|是|和|、|及|刚|完|院|后|从|妈|爸|"
    r"认|又|也|都|[：:]|于|岁|于|期|史|把|给|被)",
    re.DOTALL,
)
_TRIMMED_HEAD: Final = re.compile(
    rf"^(?:第?{COUNT}|一[个种次场点名位]|有点|轻微|比较|经常|什么|任何|其[他它]|别的|点儿?|"
    r"左右|多|来|周|半年|去年|今年|昨天|今天|前天|上周|上个月)+(?:的)?"
)

_COUNTED: Final = re.compile(rf"(?:{COUNT}|{NUMBER}(?:片|丸|粒))")

# ---- what stands before or after a name

_FILL: Final = (
    r"(?:了|过|着|的是?|点儿?|些|有|为|是|上|出来?|轻微|轻度的?|严重的?|比较|一直|先天|什么|任何|"
    rf"明显的?|确实|{COUNT}|{NUMBER}|左右|多|的)*"
)
_DISEASE_DENIED: Final = re.compile(
    r"(?:没有?|无|未|否认|不是|并非|从未|没得过?|没患过?|没查出|没发现|未见|未发现|不存在)(?:明显|"
    r"任何|什么|其[他它]|得过?|患过?|查出来?|发现|有过?|过|慢性|检查出|什么的|，)*$"
)
_DISEASE_CLAIMED: Final = re.compile(
    r"(?:(?<![没所具只])有|患|得|查出来?|查有|查到|检查出来?|检出|发现|确诊|诊断|犯|感染|"
    r"伴|合并|长|既往[史病：:]*|病史[：:]|诊断[：:]|"
    r"(?:^|我|[爸妈爷奶哥姐弟妹]|老[公婆]|孩子|宝宝|儿子|女儿|就|也|都|确实|一直|本来|原来|"
    r"其实|而|断|诊|结果|说|显示|出来|患的|得的)是|"
    r"(?:说|显示|提示|结果)(?:我)?(?:有|得|患|为)?|复发|既有)" + _FILL + r"$"
)
# 没被确诊为, 不再有, 没感染过: the verb that would claim it is denied.
_CLAIM_NEGATED: Final = re.compile(
    r"(?:没有?|从没有?|从来没有?|从未|未曾?|不曾|不再|没再|并没有?|并未|并不是|不)(?:再|曾|被|过|有过?|患过?|得过?|查出来?|查到|检查?出|发现|"
    r"感染|染上|伴有?|合并|长|犯|诊断|确诊|出|到|为|是|上|任何|什么|明显|其[他它])+$"
)
# What a finding or a doctor did not say is neither claimed nor denied.
_CLAIM_UNSAID: Final = re.compile(
    r"(?:没有?|从没有?|从未|未|并没有?|并未|不)(?:能|曾|明确|跟我|对我|告诉|直接)*(?:显示|提示|说明?|表明|证实|证明|认定|认为|告诉)"
    r"(?:[我他她]|孩子|宝宝|是|有|得|患|了|过|的|就)*$"
)
_UNCERTAIN_DENIAL: Final = re.compile(r"(?:否认[我他她](?:有|患|得)?过?|(?:不是|并非)没有?(?:得|患|有)?过?)$")
_RIGHT_DENIED: Final = re.compile(
    r"(?:病|既往)?史?(?:[：:](?:无|否|没有|未见|阴性|不存在|[-－—]$)|(?:是|为)?(?:无|否|没有|阴性|不存在)$)"
)
_RIGHT_CLAIMED: Final = re.compile(r"(?:病|既往)?史?[：:](?:有|是|阳性)")
_UNDECIDED: Final = re.compile(r"(?:不能|没法|无法|未能|没有?|尚未|还没|等待?|难以)(?:确诊|诊断|确定|判断)(?:为|是)?$")
_DISEASE_BARE: Final = re.compile(
    r"(?:的?(?:病史|既往史|史)|(?:已经|有|大概|都|差不多|快|好|持续了?|确诊|诊断|也|得|患病|病程|"
    r"反复发作|复发|发作|大约|就|，)*"
    rf"(?:{SPAN}|好?[几多]年|很多年|很久|好久|多年)|(?:又|再次|反复|老|总|经常|一直|总是|都|也|常年|最近|"
    r"近期|这两天|今年)+(?:反复)?(?:复发|发作|犯|加重|没好|不好)|复发|犯了|反复发作|加重了|"
    r"中期|晚期|早期|还没好|一直没好)"
)
_NOT_CLAIMED: Final = re.compile(
    r"(?:药|疫苗|系列|症状|情绪|样|手术|术(?!后)|科|专家|患者(?!$)|病人|的?可能|的?风险|门诊|的人|怎|吗|"
    r"家族|的(?:药|治疗|原因|问题怎)|筛查|检查|试纸|可以|能|会|"
    r"冲剂|灵|清|颗粒|胶囊|片|指数|的几率|的概率|抗体|疼药)"
)
_LIST: Final = re.compile(r"(?:病?史)?(?:、|和|及|以及|与|跟|还有|或者?|兼|伴有?|并|加|也有|/)*")
_MILD: Final = re.compile(r"(?:了|过)$")

_MED_TAKEN: Final = re.compile(
    r"(?P<verb>停止服?用?|停用|停服|停掉|停|吃|服用|服|口服|外用|用|打|注射|涂|擦|抹|开|喷|"
    r"输|含|喝|贴|滴|输液|挂)(?P<aspect>了|过|着|的是|的|完|上|到)?"
    rf"(?:{COUNT}|{NUMBER}|的|了|过|些|点儿?|一直|都?是|左右|多|几天|什么|任何|消炎药|退烧药|"
    r"感冒药|抗生素|止[痛疼]药|降压药|降糖药|抗过敏药|过敏药|中成药|西药|中药|药物|药|"
    r"叫|是|进口|国产|医院|开|盐酸|复方|医生|包括|如|有|[：:])*$"
)
_MED_HABIT: Final = re.compile(
    r"在|一直|每[天日晚早周月]|天天|长期|目前|现在|平时|最近|常年|坚持|以前|之前|曾|昨|今[天早]|"
    r"前[天几]|上[周个]|刚|已|这[两几]天|都|就|早晚|先后|自己|经常|偶尔"
)
_MODAL: Final = re.compile(
    r"(?:能|可以?|应该|该|要|想|需|会|别|让|叫|准备|打算|考虑|尽量|最好|少|多|再|试|敢|不用|"
    r"是否|适合|直接|继续|改|须|忌|请|勿|说|将)"
    r"(?:我|先|再|去|每天|都|给我|给|不|多|只|他|继续|开始|直接|一直|在家|自己|吃点|长期|一起|同时|一些)*$"
)
# Whoever is named right before the verb takes it.
_TAKER: Final = re.compile(r"我|[他她爸妈爷奶哥姐弟妹公婆]$|(?:儿子|孩子|宝宝)$")
_MED_DENIED: Final = re.compile(r"(?:没有?|未|从不|不|从来没有?|从未)(?:在|再|有|曾|去|怎么|给.{1,3})?$")
_MED_AFTER: Final = re.compile(
    r"^(?:(?:之?后|以后|期间|的时候|时)?(?:千万|绝对)?(?:不能|不可|不要|别|禁止|忌|严禁)|"
    r"(?:之?后|以后|期间|时)(?:可以|能|多久|几天)|"
    r"是不是|可以|能|会|有用|有效吗|吗|管用|好不好|怎|行|过敏|的副作用|的时候会)"
)
_NO_MEDICINE: Final = re.compile(
    r"(?:没有?|未|从未)(?:在|有|再|曾|去)?(?:吃|用|服|服用)(?:过|任何|什么|其[他它]|啥|别的)*(?P<name>药物?"
    r"|西药|中药)(?:物)?(?!膏|店)(?:治疗)?(?:$|呀|啊|哦|的)"
)

_SURGERY_DONE: Final = re.compile(
    rf"(?:做|动|行|接受|装|放|植入|安装|开|经历|进行|剖|割|切)(?:了|过|完|的是?)(?:{COUNT}|"
    rf"{NUMBER}|一[个次]|的|左右|小|大|微创|全麻|局麻)*$"
)
_SURGERY_DENIED: Final = re.compile(
    r"(?:(?:没有?|未|从未|从没|不曾)(?:有|曾)?(?:做|动|行|接受|开|经历|进行|装|安装|放|植入|剖|割|切)?过?|无|否认)(?:任何|"
    r"什么|其[他它]|大|外伤|外伤及)*$"
)
_OUT_DENIED: Final = re.compile(r"(?:没有?|从没|从未|从来没有?|未曾?|不曾|不)(?:有|被|做)?$")
_SURGERY_BARE: Final = re.compile(r"^(?:术后|史|病史|后)(?!遗|感染|怎|多久|注意|会|能|可以|需要|要|应该)")
_SURGERY_AGO: Final = re.compile(
    rf"(?:[前去上昨]年|{SPAN}前|上个?月|上周|昨天|前天|\d{{4}}年|小时候|当时|生孩子时?|产)(?:因\S{{1,8}})?$"
)
_CUT_OUT: Final = re.compile(
    rf"(?:切除|切|割|摘除|摘|拿掉)(?:掉)?[了过](?:一半|部分|一侧|[左右双]侧?)?(?P<a>{ORGAN})|"
    rf"(?P<b>{ORGAN})(?:已经|已|也|都|被|全|部分|早就)*(?:切除|切掉|切|割掉|割|摘除|摘掉)了"
)

_PREGNANT: Final = re.compile(
    r"(?P<no>没有?|未|不是|还没)?(?:现在|目前|已经|已|刚刚?)?(?P<core>怀孕|怀上?了?(?:二胎|"
    r"三胎|双胞胎|宝宝)|怀了孕|有孕|孕(?=\d|[一二三四五六七八九十]))(?:了)?(?:已经|快|有|"
    r"大概|差不多|刚|满)*"
    rf"(?P<span>{NUMBER}(?:个)?(?:半|多)?(?:月|周|天)(?:多|半)?(?:加?{NUMBER}天)?)?(?P<after>了|中|啦|$)?"
)
_STATE_HINT: Final = re.compile(r"[孕怀哺喂月绝更]")
_STATE: Final = re.compile(
    r"(?P<no>没有?|不是?|非|未|还没)?(?:在|处于|处在|正在|属于|还在|是|正)*(?P<what>哺乳期|"
    r"哺乳|母乳喂养|喂奶期?|备孕期?|孕妇|孕早期|孕中期|孕晚期|月子|绝经|更年期)"
)
_STATE_NAMES: Final = {
    "哺乳": "哺乳期",
    "喂奶": "哺乳期",
    "喂奶期": "哺乳期",
    "备孕期": "备孕",
    "母乳喂养": "哺乳期",
    "孕妇": "怀孕",
}


def health_findings(clause: str, before: list[Finding]) -> list[Finding]:
    """What a clause says of allergies, diseases, drugs, operations and pregnancy."""
    found: list[Finding] = []
    if "敏" in clause:
        found += allergy_findings(clause)
    found += _diseases(clause, before)
    found += _medications(clause, before)
    found += _surgeries(clause)
    if _STATE_HINT.search(clause):
        found += _states(clause)
    return found


def _named(found: re.Match[str], clause: str, border: re.Pattern[str], after: int) -> tuple[int, str]:
    """Where the name round an ending begins, not before `after`, and the name; no name is empty."""
    end = found.end()
    low = max(0, after, found.start() - _LEFT_CHARS)
    left = clause[low : found.start()]
    cutting = border.match(left)
    start = low + (cutting.end() if cutting else 0)
    head = _TRIMMED_HEAD.match(clause[start : found.start()])
    start += head.end() if head else 0
    name = clause[start:end]
    nameless = found.lastgroup == "ending" and start >= found.start()
    if nameless or found.start() - start > _NAME_CHARS_MAX or _COUNTED.fullmatch(name):
        return start, ""
    return start, name


def _diseases(clause: str, before: list[Finding]) -> list[Finding]:
    found: list[Finding] = []
    end, polarity = -1, ""
    for match in _DISEASE.finditer(clause):
        start, name = _named(match, clause, _DISEASE_BORDER, end)
        if not name or name in NOT_DISEASE or _NOT_CLAIMED.match(clause, match.end()):
            polarity = ""
            continue
        left = clause[max(0, start - _LEFT_CHARS) : start]
        listed = bool(polarity) and _LIST.fullmatch(clause[end:start]) is not None
        polarity = polarity if listed else _disease_polarity(left, clause[match.end() :], before)
        if polarity:
            found.append(Finding("disease", name, polarity, start + 1, "disease-list" if listed else "disease"))
        end = match.end()
    return found


def _disease_polarity(left: str, right: str, before: list[Finding]) -> str:
    if _CLAIM_UNSAID.search(left) or _UNCERTAIN_DENIAL.search(left):
        return ""
    if _DISEASE_DENIED.search(left) or _RIGHT_DENIED.match(right):
        return "-"
    if _MODAL.search(left) or _UNDECIDED.search(left):
        return ""
    if _CLAIM_NEGATED.search(left):
        return "-"
    if (
        _RIGHT_CLAIMED.match(right)
        or _DISEASE_CLAIMED.search(left)
        or _DISEASE_BARE.match(right)
        or (right.startswith("了") and not left.endswith("治"))
    ):
        return "+"
    alone = not left and right in _LIST_ENDS
    return before[-1].polarity if alone and before and before[-1].predicate == "disease" else ""


_LIST_ENDS: Final = frozenset({"", "史", "病史", "等", "等疾病", "等病史"})


def _medications(clause: str, before: list[Finding]) -> list[Finding]:
    found: list[Finding] = []
    none = _NO_MEDICINE.search(clause) if "药" in clause else None
    if none:
        found.append(Finding("medication", none["name"], "-", none.start() + 1, "no-medicine"))
    end, polarity = -1, ""
    for match in _DRUG.finditer(clause):
        start, name = _named(match, clause, _DRUG_BORDER, end)
        if not name:
            continue
        listed = bool(polarity) and _LIST.fullmatch(clause[end:start]) is not None
        polarity = polarity if listed else _drug_polarity(clause[:start], clause[match.end() :], before)
        if polarity:
            found.append(
                Finding("medication", name, polarity, start + 1, "medication-list" if listed else "medication")
            )
        end = match.end()
    return found


def _drug_polarity(left: str, right: str, before: list[Finding]) -> str:
    taken = _MED_TAKEN.search(left[-_LEFT_CHARS:])
    if not taken:
        alone = not left and not right and before and before[-1].predicate == "medication"
        return before[-1].polarity if alone else ""
    lead = left[: len(left) - len(left[-_LEFT_CHARS:]) + taken.start()]
    if taken["verb"].startswith("停"):
        return "-"
    if _MED_DENIED.search(lead):
        return "-"
    if _MODAL.search(lead) or _MED_AFTER.match(right):
        return ""
    if (
        taken["verb"] in ("开", "打", "输", "喷", "含", "贴", "滴", "挂")
        and not taken["aspect"]
        and not _MED_HABIT.search(lead)
    ):
        return ""
    claimed = taken["aspect"] or _MED_HABIT.search(lead) or _TAKER.search(lead)
    return "+" if claimed else ""


def _surgeries(clause: str) -> list[Finding]:
    found: list[Finding] = []
    for match in _SURGERY.finditer(clause):
        start, name = _named(match, clause, _SURGERY_BORDER, 0)
        left, right = clause[:start], clause[match.end() :]
        polarity = _surgery_polarity(left, right, name)
        if name and polarity:
            found.append(Finding("surgery", name, polarity, start + 1, "surgery"))
    if not found and ("切" in clause or "割" in clause or "摘" in clause):
        out = _CUT_OUT.search(clause)
        if out and not _MODAL.search(clause[: out.start()]):
            polarity = "-" if _OUT_DENIED.search(clause[: out.start()]) else "+"
            found.append(Finding("surgery", f"{out['a'] or out['b']}切除", polarity, out.start() + 1, "cut-out"))
    return found


def _surgery_polarity(left: str, right: str, name: str) -> str:
    if _SURGERY_DENIED.search(left) or _RIGHT_DENIED.match(right):
        return "-"
    done = _SURGERY_DONE.search(left)
    if done:
        return "" if _MODAL.search(left[: done.start()]) else "+"
    if right.startswith("史") and not left.endswith("家族"):
        return "+" if name != "手术" else ""
    bare = name.endswith(("术", "剖腹产", "剖宫产", "人流")) and name not in ("手术", "术")
    if bare and _SURGERY_BARE.match(right) and not _MODAL.search(left):
        return "+"
    return "+" if bare and _SURGERY_AGO.search(left) and not right.startswith(("的", "怎", "前")) else ""


def _states(clause: str) -> list[Finding]:
    found: list[Finding] = []
    if "孕" in clause:
        match = _PREGNANT.search(clause)
        said = match and (match["span"] or match["after"] is not None or match["no"])
        if match and said and not _MODAL.search(clause[: match.start()]):
            found.append(
                Finding(
                    "state", "怀孕" + (match["span"] or ""), "-" if match["no"] else "+", match.start() + 1, "pregnancy"
                )
            )
    match = _STATE.search(clause)
    if (
        match
        and not clause[: match.start()].endswith(("出", "坐完", "满"))
        and not clause.startswith("间", match.end())
        and clause[match.end() : match.end() + 2] not in ("的人", "妇女", "可以", "能吃", "能不", "期间")
        and not _MODAL.search(clause[: match.start()])
    ):
        name = _STATE_NAMES.get(match["what"], match["what"])
        found.append(Finding("state", name, "-" if match["no"] else "+", match.start() + 1, "state"))
    return found
