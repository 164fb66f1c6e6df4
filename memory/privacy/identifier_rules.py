r"""The patterns of identifiers in their order: what an earlier rule has taken, a later one cannot.

Boundaries are ASCII classes, because `\w` and `\b` take Chinese letters: in 发到a@b.com谢谢 there is no `\b`.
Every repetition is bounded, so that no text makes a pattern slow.
"""

import re
from collections.abc import Callable
from typing import Final, NamedTuple

from memory.privacy import checks

_NOT_IN_WORD: Final = r"(?<![0-9A-Za-z])"
_WORD_ENDS: Final = r"(?![0-9A-Za-z])"
_IS: Final = r"(?:是|为|填|写|就是| is|'s|=)?[ \n]{0,2}[:#]?[ \n]{0,2}"
_SEP: Final = r"[ -]?"

_YEAR: Final = r"(?:19|20)[0-9]{2}"
_EN_MONTH: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.?"
_DATE: Final = (
    rf"{_YEAR}[ ]?年[ ]?[0-9]{{1,2}}[ ]?月(?:[ ]?[0-9]{{1,2}}[ ]?[日号])?|"
    rf"{_YEAR}[-/.][0-9]{{1,2}}[-/.][0-9]{{1,2}}|[0-9]{{1,2}}[-/.][0-9]{{1,2}}[-/.](?:{_YEAR}|[0-9]{{2}})|"
    rf"{_YEAR}[01][0-9][0-3][0-9]|[0-9]{{1,2}}(?:st|nd|rd|th)?(?: of)? {_EN_MONTH},? {_YEAR}|"
    rf"{_EN_MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?,? {_YEAR}"
    rf"|[一二][零〇一二三四五六七八九]{{3}}年[一二三四五六七八九十]{{1,2}}月"
    r"(?:[一二三四五六七八九十]{1,3}[日号])?|[0-9]{1,2}月[0-9]{1,2}[日号]"
)

_PHONE_CUE: Final = (
    r"(?:(?:tele)?phone|mobile|cell|tel|fax|desk|hotline|whatsapp|office|home|work|registered|dial|"
    r"(?:call|reach|text|ring|contact|message)(?: me| us| him| her| them)?(?: back)?(?: on| at)?|answering at|"
    r"电话|手机|座机|固话|热线|传真|联系方式|致电|拨打|来电)"
)
_PHONE_BODY: Final = r"\+?\(?[0-9](?:[ .-]{0,2}[(]?[0-9][)]?){5,15}(?: ?(?:x|ext\.? ?|转)[0-9]{1,6})?"
_SURNAME: Final = (
    "(?:欧阳|司马|上官|诸葛|东方|皇甫|尉迟|公孙|慕容|令狐|司徒|夏侯|端木|"
    "[赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛奚范彭郎鲁韦昌马苗凤花方俞任袁柳"
    "鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝邬安常乐于时傅皮卞齐康伍余元卜顾孟平黄和穆萧尹姚邵汪祁毛禹狄米贝明臧计伏成戴谈宋庞"
    "熊纪舒屈项祝董梁杜阮蓝闵席季麻强贾路娄危江童颜郭梅盛林刁钟徐邱骆高夏蔡田樊胡凌霍虞万支柯管卢莫房裘缪解应宗丁宣邓单杭"
    "洪包诸左石崔吉龚程嵇邢裴陆荣翁荀羊惠甄曲封储靳焦段富巫乌巴牧山谷车侯全班仰秋仲伊宁仇栾甘厉祖武符刘景詹束龙叶幸司韶黎"
    "薄印宿白怀蒲卓蔺屠蒙池乔胥苍双闻党翟谭劳姬申扶冉雍桑桂牛寿通边燕尚温庄晏柴瞿阎习艾鱼容向古易廖终居衡步都耿满匡文寇广"
    "东欧沃利越师巩聂晁勾冷辛那简饶曾关包诸左岳帅涂肖闫覃])"
)
_NAME_ENDS: Final = (
    r"(?=[^\u4e00-\u9fff]|$|今年|现年|是|住|来自|电话|手机|男|女|的|身份|微信|邮箱|和|在|先生|女士|医生|出生|生日|"
    r"想|有|要|我|对|护照|车牌|年龄|性别|收|签|预约|挂号|地址|联系|银行|卡号|号码|患|因|于|已|将|从|到|来|就诊|复查)"
)
_ZH_WHOLE_NAME: Final = rf"{_SURNAME}[\u4e00-\u9fff]{{2}}{_NAME_ENDS}|{_SURNAME}[\u4e00-\u9fff]{_NAME_ENDS}"
_ZH_NAME: Final = rf"{_ZH_WHOLE_NAME}|{_SURNAME}[\u4e00-\u9fff]{{2}}"
_NO_NAME: Final = r"(?!谢谢|[那都全应时和于越从以平成左严]|尤其|黄色|白色|麻烦)"
_EN_NAME: Final = r"(?-i:[A-Z][a-zà-ÿ'’-]{1,20}(?: [A-Z]\.)?(?: [A-Z][a-zà-ÿ'’-]{1,20}){0,2})"

_REGION: Final = r"[\u4e00-\u9fff]{1,8}?(?:省|市|区|县|州|盟|旗|镇|乡|村)"
_STREET: Final = r"[\u4e00-\u9fffA-Za-z0-9]{1,14}?(?:路|街|大道|道|巷|弄|胡同|村|小区|花园|苑|里|大厦|广场|公寓)"
_HOUSE: Final = r"(?:[0-9A-Za-z一二三四五六七八九十-]{1,6}(?:号院?楼?|弄|栋|幢|座|单元|层|楼|室|房|门))"
_EN_STREET: Final = (
    r"(?:street|st|road|rd|avenue|ave|boulevard|blvd|lane|ln|drive|dr|court|ct|way|place|pl|square|terrace|highway)"
)


_MOBILE: Final = r"1[3-9][0-9]{9}"
_ID_CARD: Final = r"[1-9][0-9]{5}(?:19|20)[0-9]{2}[01][0-9][0-3][0-9][0-9]{3}[0-9X]"
_CARD_BEFORE: Final = r"[0-9]{4}[ -][0-9]{4}[ -][0-9]{4}[ -][0-9]{4}[ -]"
# A mobile number may stand right behind or before another identifier, with a hyphen or nothing between.
_AFTER_NUMBER: Final = (
    rf"(?:(?<={_MOBILE})|(?<={_MOBILE}-)|(?<=1[3-9][0-9]-[0-9]{{4}}-[0-9]{{4}}-)|(?<={_ID_CARD})|(?<={_ID_CARD}-)"
    r"|(?<=0[0-9]{2}-[0-9]{8}-)|(?<=0[0-9]{3}-[0-9]{7}-)|(?<=0[0-9]{3}-[0-9]{8}-))"
    rf"(?=(?:{_MOBILE}|1[3-9][0-9]-[0-9]{{4}}-[0-9]{{4}}){_WORD_ENDS})"
)
_NUMBER_FOLLOWS: Final = (
    rf"(?=-?(?:{_MOBILE}|{_ID_CARD}){_WORD_ENDS}|"
    rf"-(?:1[3-9][0-9]-[0-9]{{4}}-[0-9]{{4}}|0[0-9]{{2,3}}-[0-9]{{7,8}}){_WORD_ENDS})"
)


class Rule(NamedTuple):
    """A pattern, the group that is the identifier, and what else must hold.

    `words`: one of them must be in the lower-case text; `digits`: the text must hold a few close together. Both
    only save the search, which costs more than all the rest.
    """

    kind: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None
    group: int = 0
    words: tuple[str, ...] = ()
    digits: bool = True


def _rule(
    kind: str,
    pattern: str,
    words: str = "",
    check: Callable[[str], bool] | None = None,
    group: int = 0,
    *,
    digits: bool = True,
) -> Rule:
    compiled = re.compile(pattern, re.IGNORECASE | re.ASCII)
    return Rule(kind, compiled, check, group, tuple(words.split()), digits)


def _has_digit(text: str) -> bool:
    return any(char in "0123456789" for char in text)


_YEARS_OR_DATE: Final = re.compile(
    rf"{_YEAR}[ -]{_YEAR}|{_YEAR}[ .-][0-9]{{1,2}}[ .-][0-9]{{1,2}}.*|[0-9]{{1,2}}[ .-][0-9]{{1,2}}[ .-]{_YEAR}.*"
)


def _phone(text: str) -> bool:
    return checks.phone_digits(text) and _YEARS_OR_DATE.fullmatch(text) is None


def _long_phone(text: str) -> bool:
    return _phone(text) and len(checks.digits_of(text)) >= 9  # noqa: PLR2004


RULES: Final[tuple[Rule, ...]] = (
    _rule(
        "email",
        r"(?<![A-Za-z0-9_%+])[A-Za-z0-9_%+](?:[A-Za-z0-9._%+-]{0,63})@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}))"
        r"(?:\.[A-Za-z0-9][A-Za-z0-9-]{0,62}){0,6}\.[A-Za-z]{2,24}(?![A-Za-z0-9])",
        words="@",
        digits=False,
    ),
    _rule(
        "url",
        _NOT_IN_WORD + r"(?:(?:https?|ftp)://|www\.)[A-Za-z0-9\-._~:/?#@!$&'*+,;=%\[\]]{1,1000}(?<![.,;:!?'\]])",
        words=".",
        digits=False,
    ),
    _rule(
        "url",
        r"(?<![0-9A-Za-z@._/-])(?:[a-z0-9][a-z0-9-]{0,40}\.){1,4}(?:com|org|net|edu|gov|cn|info|io|app|dev|xyz|top)"
        r"(?![0-9A-Za-z@_-]|\.[a-z])(?:/[A-Za-z0-9\-._~/?#&=%]{0,300}(?<![.?]))?",
        words=".",
        digits=False,
    ),
    _rule(
        "id_card",
        rf"(?:(?<![0-9A-Za-z.])|(?<={_MOBILE})(?={_ID_CARD}))[1-9](?:{_SEP}[0-9]){{16}}{_SEP}[0-9X]"
        rf"(?:{_WORD_ENDS}|(?={_MOBILE}{_WORD_ENDS}))",
        check=checks.id_card_18,
    ),
    _rule(
        "id_card",
        rf"(?:身份证|id card)(?:号码?| number| no\.?)?{_IS}([1-9](?:{_SEP}[0-9]){{13,16}}{_SEP}[0-9X]){_WORD_ENDS}",
        group=1,
        words="身份证 id",
    ),
    _rule(
        "iban",
        _NOT_IN_WORD + rf"[A-Z]{{2}}[0-9]{{2}}(?: ?[A-Z0-9]{{4}}){{2,7}}(?: ?[A-Z0-9]{{1,3}})?{_WORD_ENDS}",
        check=checks.iban,
    ),
    _rule("id_card", rf"(?<![0-9A-Za-z.-])[1-9][0-9]{{14}}{_WORD_ENDS}", check=checks.id_card_15),
    _rule(
        "card",
        r"(?<![0-9A-Za-z.+])(?<![0-9][ -])(?<!单号)(?<!单号:)(?<!单号是)(?<!编号)(?<!order )"
        r"(?=3|4|5|6|1800|2131|22[2-9]|2[3-6]|27[0-2])[1-6](?:[ -]?[0-9]){11,18}(?![0-9A-Za-z]|[ -][0-9])",
        check=checks.luhn,
    ),
    # A date and a code may follow: 4111 1111 1111 1111 12/26 123.
    _rule(
        "card",
        rf"(?:(?<![0-9A-Za-z.+])(?<![0-9][ -])|(?<={_CARD_BEFORE}))(?<!单号)(?<!单号:)(?<!单号是)(?<!编号)(?<!order )"
        r"(?:[2-6][0-9]{3}(?:[ -]?[0-9]{4}){3}|3[47][0-9]{2}[ -]?[0-9]{6}[ -]?[0-9]{5}|62[0-9]{14,17})(?![0-9A-Za-z])",
        check=checks.luhn,
    ),
    _rule(
        "card",
        rf"(?:银行卡|信用卡|储蓄卡|借记卡|卡号|(?:credit|debit|bank) card|card)(?:卡?号码?| number| no\.?)?{_IS}"
        rf"([1-9](?:[ -]?[0-9]){{11,18}})(?![0-9A-Za-z]|[ -][0-9])",
        group=1,
        words="卡 card",
    ),
    _rule(
        "mobile",
        rf"(?:(?<![0-9A-Za-z.])(?<![0-9]-)|{_AFTER_NUMBER})(?:[+]?(?:00)?86[ -]?|\([+]?86\)[ ]?)?"
        rf"1[3-9](?:[ -]?[0-9]){{9}}(?:(?![0-9A-Za-z]|[.-][0-9])|{_NUMBER_FOLLOWS}|-[0-9]{{1,4}}(?![0-9A-Za-z.-])"
        r"|(?=-[0-9]{5,8}(?![0-9A-Za-z.-])))",
    ),
    _rule(
        "landline",
        rf"(?:(?<![0-9A-Za-z.-])|(?<={_MOBILE}-))"
        r"(?:[+]?86[ -]?)?(?:\(0(?:10|2[0-9]|[3-9][0-9]{2})\)[ ]?|0(?:10|2[0-9]|[3-9][0-9]{2})[ -]?)"
        r"[2-8][0-9]{2,3}[ -]?[0-9]{4}(?:(?:-|转|ext)[0-9]{1,6})?"
        rf"(?:(?![0-9A-Za-z]|[ .-][0-9])|(?=[ -]{_MOBILE}{_WORD_ENDS}))",
    ),
    _rule(
        "landline", r"(?<![0-9A-Za-z.-])[48]00(?:[ -]?[0-9]{3}[ -]?[0-9]{4}|-[0-9]{4}-[0-9]{3})(?![0-9A-Za-z]|-[0-9])"
    ),
    _rule(
        "ip",
        r"(?<![0-9A-Za-z.])(?<!版本)(?<!版本号)(?<!版本:)(?<!version )(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}"
        r"|[1-9]?[0-9])\.){3}"
        r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?![0-9A-Za-z]|\.[0-9])",
        words=".",
    ),
    _rule(
        "ip", r"(?<![0-9A-Za-z:.])(?:[0-9A-F]{0,4}:){2,7}[0-9A-F]{0,4}(?![0-9A-Za-z:])", check=checks.ipv6, words=":"
    ),
    _rule("ssn", r"(?<![0-9A-Za-z.-])[0-8][0-9]{2}-[0-9]{2}-[0-9]{4}(?![0-9A-Za-z]|-[0-9])", check=checks.us_ssn),
    _rule(
        "ssn",
        rf"(?:ssn|social security(?: number| no\.?)?){_IS}([0-8][0-9]{{2}}[ -]?[0-9]{{2}}[ -]?[0-9]{{4}}){_WORD_ENDS}",
        group=1,
        words="ssn social",
    ),
    _rule(
        "passport",
        rf"(?:护照|通行证|passport)(?:号码?|编号| number| no\.?| num)?{_IS}([A-Z]{{0,2}}[0-9]{{6,9}}){_WORD_ENDS}",
        group=1,
        words="护照 通行证 passport",
    ),
    _rule("passport", _NOT_IN_WORD + rf"(?-i:[EG][0-9]{{8}}|E[A-HJ-NP-Z][0-9]{{7}}){_WORD_ENDS}"),
    _rule(
        "plate",
        r"[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼使领][A-HJ-NP-Z][·•・ .-]?"
        rf"(?:[A-HJ-NP-Z0-9]{{4}}[A-HJ-NP-Z0-9挂学警港澳]|[0-9]{{5}}[DF]|[DF][A-HJ-NP-Z0-9][0-9]{{4}}){_WORD_ENDS}",
        check=_has_digit,
        words="京 津 沪 渝 冀 豫 云 辽 黑 湘 皖 鲁 新 苏 浙 赣 鄂 桂 甘 晋 蒙 陕 吉 闽 贵 粤 青 藏 川 宁 琼 使 领",
        digits=False,
    ),
    _rule(
        "account",
        r"(?<![A-Za-z])(?:微信|wechat|weixin|vx|wx|v信|qq|支付宝|alipay|(?:银行)?[账帐][号户]|工号|学号|"
        r"社保卡?|医保卡?|病历|住院|门诊|就诊卡|会员|公积金)(?:账号|帐号|号码|卡号|编号|号| id| number)?"
        rf"{_IS}((?:(?<=[:是为号])|(?=[A-Z_-]{{0,19}}[0-9_]))[A-Z][A-Z0-9_-]{{5,19}}|[0-9]{{5,20}})(?![0-9A-Za-z_]|[元块年月天]|\.[0-9])",
        group=1,
        words="微信 wechat weixin vx wx v信 qq 支付宝 alipay 账 帐 工号 学号 社保 医保 病历 住院 门诊 就诊卡 会员 "
        "公积金",
        digits=False,
    ),
    _rule(
        "account",
        r"(?<![A-Za-z])(?:account|member|patient|employee|policy|driver'?s? licen[cs]e|licen[cs]e|mrn|tax|routing|"
        r"insurance|medicare|nhs)(?: (?:number|no\.?|id|num))(?: is|'s)?[ ]?[:#]?[ ]?"
        rf"([A-Z]{{0,3}}[0-9][0-9A-Z-]{{4,19}}){_WORD_ENDS}",
        group=1,
        words="account member patient employee policy licen mrn tax routing insurance medicare nhs",
    ),
    _rule(
        "birth",
        rf"(?:出生(?:日期|年月日?|时间)?|生日|生于|诞生)(?:于|在|是|为|:|就是)?[ ]?[:]?[ ]?({_DATE})(?![0-9])",
        group=1,
        words="出生 生日 生于 诞生",
        digits=False,
    ),
    _rule(
        "birth",
        rf"(?<![0-9./-])({_DATE})(?:出生|生日|生的|生人|诞生|[ ]?\(?(?:dob|birthday))",
        group=1,
        words="出生 生日 生的 生人 诞 dob birthday",
        digits=False,
    ),
    _rule(
        "birth",
        rf"(?<![a-z])(?:dob|d\.o\.b\.|date of birth|birth ?da(?:te|y)|born)(?: is| was|'s)?(?: on)?[ ]?[:]?[ ]?"
        rf"({_DATE})(?![0-9])",
        group=1,
        words="dob d.o.b birth born",
        digits=False,
    ),
    _rule(
        "phone",
        r"(?<![0-9A-Za-z.])(?:\+|00)[1-9](?:[ .-]?\(?[0-9]\)?){6,14}(?: ?(?:x|ext\.? ?)[0-9]{1,6})?(?![0-9A-Za-z])",
        check=_phone,
    ),
    _rule(
        "phone",
        r"(?<![0-9A-Za-z.-])(?<![0-9] )(?:1[ .-])?(?:\([2-9][0-9]{2}\)[ ]?|[2-9][0-9]{2}[ .-])[0-9]{3}[ .-][0-9]{4}"
        r"(?: ?(?:x|ext\.? ?)[0-9]{1,6})?(?![0-9A-Za-z]|[.-][0-9])",
    ),
    _rule(
        "phone",
        rf"(?<![A-Za-z]){_PHONE_CUE}(?:号码?| number| no\.?)?{_IS}({_PHONE_BODY})(?![0-9A-Za-z]|[ .-]?[0-9])",
        check=_phone,
        group=1,
        words="phone mobile cell tel fax desk hotline whatsapp office home work registered dial call reach text ring "
        "contact message answer 电话 手机 座机 固话 热线 传真 联系 致电 拨打 来电",
    ),
    _rule(
        "phone",
        r"(?<![0-9A-Za-z.,/-])(\(?[0-9]{2,4}\)?(?:[ -][0-9]{2,7}){1,4})(?=[ ]?[-(]?[ ]?(?:office|fax|mobile|cell"
        r"|home|desk|tel)(?![a-z]))",
        check=_phone,
        group=1,
        words="office fax mobile cell home desk tel",
    ),
    _rule(
        "phone",
        r"(?<![0-9A-Za-z.,/:-])(?<![0-9] )(?:\([0-9]{2,5}\)[ ]?|0[0-9]{1,4}[ -])[0-9]{2,8}(?:[ -][0-9]{2,6}){0,4}"
        r"(?![0-9A-Za-z]|[ .,/-][0-9])",
        check=_long_phone,
    ),
    _rule(
        "phone",
        r"(?<![0-9A-Za-z.,/:$€£¥-])(?<![0-9] )[0-9]{2,4}(?:[ -][0-9]{2,4}){2,4}(?![0-9A-Za-z%]|[ .,/:-][0-9]| ?"
        r"(?:年|月|元|mg))",
        check=_long_phone,
    ),
    _rule(
        "address",
        rf"(?:住在|家住|现住|住址|地址|寄到|寄往|寄给我|送到|送至|户籍地?|住)(?:是|在|为)?[ ]?[:]?[ ]?"
        rf"((?:{_REGION}){{0,4}}{_STREET}{_HOUSE}{{0,5}}|(?:{_REGION}){{1,4}}{_HOUSE}{{0,4}})",
        group=1,
        words="住 地址 寄 送 户籍",
        digits=False,
    ),
    _rule(
        "address",
        r"(?<![a-z])(?:liv(?:e|es|ing) (?:at|on)|address(?: is)?:?|located at|ship to|deliver to|mail to|resid(?:e"
        r"|es|ing) at)"
        rf" ([0-9]{{1,6}} (?:[A-Z0-9.'-]{{1,20}} ){{1,4}}{_EN_STREET}(?![a-z])\.?(?:,? (?:apt|suite"
        rf"|unit)\.? ?[0-9A-Z]{{1,6}})?)",
        group=1,
        words="live living address located ship deliver mail resid",
        digits=False,
    ),
    _rule(
        "name",
        rf"(?:我叫|名叫|叫做|姓名|名字(?:是|叫)|联系人|收件人|收货人|就诊人|本人)(?:姓名)?(?:是|为"
        rf"|叫)?[ ]?[:]?[ ]?({_ZH_NAME})",
        group=1,
        words="叫 姓名 名字 联系人 收件人 收货人 就诊人 本人",
        digits=False,
    ),
    # Without a colon: "患者：" opens a turn of a dialogue more often than it names somebody.
    _rule(
        "name",
        rf"(?:患者|病人|患儿){_NO_NAME}({_ZH_WHOLE_NAME})",
        group=1,
        words="患者 病人 患儿",
        digits=False,
    ),
    _rule(
        "name",
        rf"(?<![\u4e00-\u9fff]){_NO_NAME}({_SURNAME}[\u4e00-\u9fff]{{0,2}}?)(?=医生|先生|女士|大夫|主任|教授|护士长|小姐)",
        group=1,
        words="医生 先生 女士 大夫 主任 教授 护士长 小姐",
        digits=False,
    ),
    _rule(
        "name",
        rf"(?<![a-z])(?:my name is|my name's|i am called|(?:first|last|full)? ?name:|(?-i:Mr|Mrs|Ms|Dr|Prof)\.?) "
        rf"({_EN_NAME})",
        group=1,
        words="name mr ms dr prof called",
        digits=False,
    ),
)
"""In order of precedence."""
