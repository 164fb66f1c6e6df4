"""Whether a message speaks of its own speaker, of somebody close, or of nobody."""

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
_AGENT_SAID: Final = re.compile(
    r"(?<![跟和对向给同与])[你您]们?(?:之前|上次|以前|当时|刚才|那天|曾经?|都|是不是|有没有)*(?:给我?|[跟对向和让叫教劝帮]我)?"
    r"(?:推荐|建议|介绍|说|告诉|讲|让我|叫我|劝|交代|嘱咐|提[到过的]|开[的过了]|安排[的过了])"
    r"|[你您]的(?:建议|推荐|回答)"
    r"|\byou(?:'ve| have| had)? (?:said|told|recommended|suggested|advised|mentioned|gave|wrote|listed)\b"
    r"|\b(?:did|have|had) you (?:just |once |ever )?"
    r"(?:say|said|tell|told|recommend|suggest|advise|mention|give|given|list)(?:ed|d)?\b"
    r"|\byour (?:advice|suggestions?|recommendations?|answer|tips?)\b",
    re.IGNORECASE,
)
_ADDRESSES: Final = re.compile(r"\b(?:you|your|please)\b|[您请]|建议", re.IGNORECASE)


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


def asks_what_was_answered(text: str) -> bool:
    """Whether a question is after what the one who is asked had said: 你推荐的那本书, "what did you tell me to do"."""
    return _AGENT_SAID.search(text) is not None
