"""Whether a message speaks of its own speaker, looks back, or asks for what everybody could be told."""

import re
from typing import Final

_OWN: Final = re.compile(
    r"我(?!们?国|们?家(?![人里老那小大先爸妈爷奶外姥丈妻婆公女儿男爹娘哥姐弟妹阿太爱对媳]|[^，。]{0,12}[吗呢多几哪什啥谁?？]))|俺|咱|娃|宝宝|孩子|闺女|老公|老婆|他|她"
    r"|\b(?:i'?m|i've|i'd|my|me|mum|mom|dad|she|he|her|his|wife|husband|we|our|us|am i)\b"
    r"|\bdo i (?!(?:get|put|make|change|reset|convert|boil|say|cook|clean|fix|remove|use|find|write)\b)|\bi (?=\w)",
    re.IGNORECASE,
)
_GENERIC_I: Final = re.compile(
    r"\b(?:how (?:long |much |many |often )?|where |what (?:number|time|days?) )(?:do|can|should|could|would) i\b",
    re.IGNORECASE,
)
_FOR_ME: Final = re.compile(
    r"[帮替]我|我(?:就|只|想|来|还)+(?:问|了解|咨询|打听)(?:一?[下问])*|[给教]我(?=想|讲|推荐|写|起|找|算|翻译|念|查|订|做|画|说|唱|编|出|看看)"
)
_SELF: Final = re.compile(
    r"\bi\b|我(?![爸妈爷奶外姥叔伯姑姨舅哥姐弟妹老婆女儿侄孙公岳]|们?家|们?(?:的)?(?:同事|邻居|朋友|室友|领导|孩子|娃|宝))",
    re.IGNORECASE,
)
_ANYBODY: Final = re.compile(
    r"\b(?:how|where|what (?=number|time|days?))\b(?: \w+)? (?:do|can|should|could|would) i\b"
    r"|^\W*(?:do|can|should) i (?:need|have|bring|pay|get)\b",
    re.IGNORECASE,
)
"""Who asks so would be told the same as everybody."""
_OF_ITS_SPEAKER: Final = re.compile(r"\b(?:i|my|me)\b|[我俺咱]", re.IGNORECASE)
_POLITE: Final = re.compile(
    r"\bi(?:'m| am)(?: so| very)? sorry\b|\bi(?:'ll| will| can| have|'ve) (?!be|had|got)\w+", re.IGNORECASE
)
_ADDRESSES: Final = re.compile(r"\b(?:you|your|please)\b|[您请]|建议", re.IGNORECASE)
_SIDE: Final = re.compile(
    r"\b(?:my|the|a|on|in|her|his) left\b|\b(?:i|i've|we|we've|he|she|they|just|have|has) left (?=my|the|a|an|it|our)\b"
    r"|周几来着|几号来着",
    re.IGNORECASE,
)
"""The left of two sides, what was left somewhere, and what day it is: no word of these looks back."""
_BACK: Final = re.compile(
    r"来着|上次|上回|那次|之前|以前|还是(?=很|有|老|会|不|没|疼|痛|痒|睡|那|这|觉|一|总|咳|晕|难|肿|麻|胀|吐|流|掉|喘)|依旧|记得|再次"
    r"|\b(?:still|last time|earlier|remember|is back|used to|left)\b",
    re.IGNORECASE,
)
_OF_A_BODY: Final = re.compile(
    r"[心胸背腰头脚腿眼耳鼻喉嗓肚胃肠膝肩颈脖牙舌嘴脸血尿痛疼痒麻肿胀睡吐烧咳喘药胖瘦困饿晕]|手(?!机)"
    r"|皮(?!带|鞋|包)|[大小]便|月经|姨妈|一大把|犯了|翻来覆去"
    r"|\b(?:sore|itch\w*|red|swollen|ache\w*|pain\w*|sick|sting\w*|tingl\w*)\b",
    re.IGNORECASE,
)
"""A part of a body, or what it does, as people say it without the lexicons' words."""
_AGAIN: Final = re.compile(r"又|\bagain\b", re.IGNORECASE)
_GENERAL: Final = re.compile(
    r"怎么(?:做|用|调|办|说|学|弄|修|选|拆|讲|画|投|关|把|去)|怎样|如何|翻译|推荐|哪里|什么意思|是什么"
    r"|有什么好|能.{0,3}吗|英文|讲个|转人工"
    r"|^\W*(?:how (?:do|to|can|long do)|what(?:'s| is| are| does)|is|are|does|do|can|could|which|who is|where"
    r"|when do)\b"
    r"|\b(?:recommend|please|repeat|translate)\b",
    re.IGNORECASE,
)


def speaks_of_own(text: str) -> bool:
    """Whether its speaker, or somebody close to them, is spoken of; "how do I" asks for everybody."""
    return _OWN.search(_FOR_ME.sub(" ", _GENERIC_I.sub(" ", text))) is not None


def speaks_of_self(text: str) -> bool:
    """Whether its speaker says I; "my aunt" is somebody else, "how do I" anybody."""
    return _SELF.search(_FOR_ME.sub(" ", _ANYBODY.sub(" ", text))) is not None


def tells_nothing_of_its_speaker(text: str) -> bool:
    """Whether it asks or advises somebody and tells nothing of who says it, as an agent does."""
    said = _POLITE.sub(" ", text)
    addresses = said.rstrip()[-1:] in {"?", "？"} or _ADDRESSES.search(said) is not None
    return addresses and _OF_ITS_SPEAKER.search(said) is None


def looks_back(text: str) -> bool:
    """Whether it says that something was there before."""
    return _BACK.search(_SIDE.sub(" ", text)) is not None


def recurs(text: str) -> bool:
    """Whether it says that something is so once more."""
    return _AGAIN.search(text) is not None


def speaks_of_a_body(text: str) -> bool:
    """Whether it names a part of a body, or what one feels there; a wide net, of single characters."""
    return _OF_A_BODY.search(text) is not None


def asks_in_general(text: str) -> bool:
    """Whether it has the form of a request that needs to know nothing of who asks."""
    return _GENERAL.search(text) is not None
