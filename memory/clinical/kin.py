"""Who is spoken of: relatives, and others of whom nothing is kept, in each language."""

import re
from typing import Final

KIN_ZH: Final = (
    "爸爸|爸妈|阿[爸妈]|(?<=[我俺])[爹娘]|(?<=[我俺])老(?:豆|窦|汉儿?)|父母|父亲|老爸|爸|妈妈|母亲|老妈|妈|爷爷|奶奶|外公|外婆|姥姥|姥爷|公公|婆婆|公婆|岳父|岳母|丈母娘"
    "|老丈人|老公|老婆|先生(?=平时|有|最近|对|以前|的)|太太|丈夫|妻子|爱人|老伴|对象"
    "|男朋友|女朋友|男友|女友|儿子|女儿|闺女|儿媳妇?|媳妇|女婿|孩子|小孩|宝宝|宝贝|婴儿|新生儿|娃娃?|孙子|孙女"
    "|外孙女?|哥哥?|姐姐?|弟弟?|妹妹?|表[哥姐弟妹]|堂[哥姐弟妹]"
    "|叔叔?|伯伯|伯父|伯母|大伯|姑姑|姑妈|姑父|舅舅|舅妈|[小大二三老]姨|[小大二三]姑|[小大二三]舅|[大二三]伯"
    "|姨(?:妈|父|夫)|婶婶|侄子|侄女|外甥女?|老爹"
    "|(?:我家|俺家|我们家|家里)?那口子|当家的|孩子?他[爸妈爹娘]|阿[嫲婆公爷]"
    "|(?<=我)奶(?![奶粉水茶油酪娃孩量少多不头罩])|(?<=我)爷(?!爷)|(?<=我)[舅姨姑叔](?![舅姨姑叔])|家里人|家人|亲戚"
    "|老人家?|双亲|(?<![a-z])bb(?![a-z])"
    "|(?<![怀生])(?<!怀[着了上])(?:老大|老二|老三|大宝|二宝)|长辈|家里(?=[三几两好]代|好几个)|祖上|(?<=我个)[女仔囡]|囡囡"
    "|阿[女仔囡](?![生士])"
)
OTHERS_ZH: Final = (
    "(?<!看)(?<!转给)(?<!送给)别人|偶像|爱豆|钱包|人家(?!说|递|送|发|笑|给我|让我|医生|大夫|告诉)|有人(?!工)|有个人"
    "|有些人|有的人|大家(?!都)|女士|网友|(?<!转给)(?<!送给)(?:同事|朋友)(?!请)"
    "|同学|室友|邻居|隔壁|老板|(?<!报告)领导|病人|患者|客户"
    "|学生|闺蜜|哥们|战友|同桌|病友|女生|男生|舍友|同宿舍|老爷子|老太太|老头(?!疼|痛|晕)|雇主|女主|男主"
    "|主角|发小|(?:个|位|有)(?:阿姨|大叔|大姐)|作者|编剧|群友|博主|顾客|(?:那|这|有|一|来了?)个(?:姑娘|小伙子?|女孩"
    "|男孩)|大爷|大妈"
    "|小姐姐|老爷子|(?<![对被让给])(?:泰迪|金毛|柯基|拉布拉多|布偶|橘猫|英短|美短|哈士奇|边牧|比熊|博美|柴犬|仓鼠"
    "|鹦鹉)(?!毛|皮|抓|咬|过敏)"
    "|[猫狗兔](?!毛|皮|抓|咬)|猫咪|狗狗|宠物|[老小阿][王李张刘陈杨赵周吴徐孙马朱胡郭何罗林]|明星|演员"
    "|(?<![当做])老师|房东|(?<![当做])保姆"
)
KIN_EN: Final = (
    "mum|mom|mother|mam|mama|ma|dad|father|papa|da|parents?|folks|husband|hubby|wife|spouse|partner|boyfriend|"
    "girlfriend|bf|gf|son|daughter|kids?|child|children|baby|toddler|boy|girl|brother|sister|sibling|bro|sis|"
    "twin|grand(?:ma|pa|mother|father|son|daughter|parents?|mum|dad|kids?)|gran|granny|nan|nana|grandad|aunt|"
    "auntie|uncle|cousin|niece|nephew|in-laws?|mother-in-law|father-in-law|family|stepson|stepdaughter|"
    "stepdad|stepmum|(?<=my )(?:lo|ds|dd|dh)|d[dsh](?= (?:has|is|was|had|got|gets|takes|can'?t)\\b)|"
    "fianc[eé]e?|ex|little one|eldest|youngest|oldest|lad|"
    "\\d+[ -]?(?:year|yr|month)s?[ -]old"
    "(?: (?:son|daughter|boy|girl|child|kid|grandson|granddaughter|niece|nephew|brother|sister)\\b)?(?! (?:male|"
    "female|man|woman|m\\b|f\\b))|other half|missus"
)
OTHERS_EN: Final = (
    "people|patients?(?! ?(?:has|is|reports|denies|with|states|intake|name|info|information|details|id"
    "|form|history|presents|complains|c/o|:|\\n|$))|(?<!as )someone|(?<!as )somebody|anyone|anybody|everyone|"
    "everybody|friends?|(?<=my )mate|(?<=a )mate|mates|neighbou?rs?|co-?workers?|colleagues?|boss"
    "|flatmate|roommate|housemate|students?|"
    "teacher|clients?|customers?|dogs?(?! hair| fur| dander)|cats?(?! hair| fur| dander)|puppy|kitten|horse|"
    "rabbit|hamster|pet|others|hero|character|protagonist|guy|man who|(?<!old )(?:woman|lady)(?! (?:here|again))"
    "|bloke|celebrity|those|"
    "teammate|classmate|residents?|passenger|(?<!by a )(?<!by the )(?<!to )(?:spaniel|labrador|poodle"
    "|collie|terrier|beagle|husky|corgi"
    "|tabby|pup|retriever|dachshund|greyhound|bulldog|parrot|budgie|guinea pig)(?! hair| fur| dander)"
    "|columnist|author|actor"
    "|actress|singer|footballer|influencer|(?<=our )lab\\b|(?<=the )lab\\b(?! (?:res|tes|rep|val|wor|said"
    "|says|rang|called))"
)
_HE: Final = re.compile(
    r"\b(?:step)?(?:dad|father|papa|husband|hubby|son|brother|bro|uncle|nephew|boy|boyfriend|bf|lad|ds|dh)(?:-in-law)?\b"
    r"|\bgrand(?:ad|dad|pa|father|son)\b|[爸爹父爷]|外公|公公|老公|先生|丈夫|男友|男朋友|儿子|[哥弟叔伯]|舅(?!妈)|孙子|侄子|外甥(?!女)"
)
_SHE: Final = re.compile(
    r"\b(?:step)?(?:mum|mom|mother|mam|mama|ma|wife|missus|daughter|sister|sis|aunt|auntie|niece|girl|girlfriend|gf|dd)"
    r"(?:-in-law)?\b|\bgran\b|\bgranny|\bnana?\b|\bgrand(?:ma|mum|mother|daughter)\b|[妈娘母奶婆姐妹姑姨婶女囡]|太太|妻子|媳妇"
)
"""Relatives of whom one says he, and she."""
_SAYS_HE: Final = re.compile(r"\b(?:he|him|his)\b|(?<![其吉])他(?!们)")
_SAYS_SHE: Final = re.compile(r"\b(?:she|her|hers)\b|她(?!们)")
_OWN: Final = re.compile(r"^(?:(?:my|our|your|the) |(?:我们|我|俺们|俺|咱们|咱|您|你)?家?的?)")
_SAME: Final = {
    **dict.fromkeys(("父亲", "老爸", "老爹"), "我爸"),
    **dict.fromkeys(("母亲", "老妈"), "我妈"),
    **dict.fromkeys(("老公", "丈夫", "先生"), "老公"),
    **dict.fromkeys(("老婆", "妻子", "太太", "媳妇"), "老婆"),
    **dict.fromkeys(("孩子", "小孩", "宝宝", "宝贝", "娃", "娃娃", "婴儿"), "孩子"),
    **dict.fromkeys(("father", "papa", "dad"), "dad"),
    **dict.fromkeys(("mother", "mum", "mom", "mam", "mama"), "mum"),
    **dict.fromkeys(("husband", "hubby"), "husband"),
    **dict.fromkeys(("wife", "missus"), "wife"),
}

_NAMED: Final = re.compile(
    rf"\b(?:my|our|your|his|her|the|a) (?:\w+[- ])?(?P<en>great-\w+|{KIN_EN})\b|(?P<zh>{KIN_ZH})", re.IGNORECASE
)
_PARENTS: Final = "parent parents folks 父母 爸妈"
_KINDS: Final = {
    "child": (
        "son daughter kid kids child children baby toddler boy girl lad lo ds dd eldest youngest oldest"
        " 儿子 女儿 闺女 孩子 小孩 宝宝 宝贝 娃 娃娃 婴儿 老大 老二 大宝 二宝 囡囡"
    ),
    "spouse": (
        "husband wife partner spouse hubby missus boyfriend girlfriend bf gf"
        " 老公 老婆 丈夫 妻子 爱人 老伴 对象 先生 太太 媳妇 男朋友 女朋友"
    ),
    "mother": f"mum mom mother mam mama ma 妈妈 妈 母亲 老妈 阿妈 {_PARENTS}",
    "father": f"dad father papa da 爸爸 爸 父亲 老爸 阿爸 {_PARENTS}",
}
_KINDS_OF: Final = {
    word: frozenset(kind for kind, words in _KINDS.items() if word in words.split())
    for word in " ".join(_KINDS.values()).split()
}


def person_of(subject: str) -> str:
    """The same for one relative, by whatever word: 我爸, 父亲, 您父亲. 他爸爸 may be another one's father."""
    bare = _OWN.sub("", subject.lower(), count=1)
    if bare in {"爸", "爸爸", "妈", "妈妈"}:
        return f"我{bare[0]}" if bare != subject else subject
    return _SAME.get(bare, subject)


def relatives_in(text: str) -> frozenset[str]:
    """The relatives that a text names, a word for all who are called much alike: a son is a child, parents are both."""
    named = ((found["en"] or found["zh"]).lower() for found in _NAMED.finditer(text))
    return frozenset().union(*(_KINDS_OF.get(each, {each}) for each in named))


def says_he_or_she(said: str) -> bool:
    """Whether a text speaks of one by he or she, his or her."""
    return any(each.search(said.lower()) for each in (_SAYS_HE, _SAYS_SHE))


def may_be_meant(subject: str, said: str) -> bool:
    """Whether a text that says he or she may mean a relative: her is no brother."""
    named, text = subject.lower().rpartition("'s ")[2], said.lower()
    he, she = (_SAYS_HE.search(text), _HE.search(named)), (_SAYS_SHE.search(text), _SHE.search(named))
    return not (any(he) and any(she)) or (all(he) or all(she))
