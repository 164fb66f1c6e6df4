"""Whether a message speaks of its own speaker, looks back, or asks for what everybody could be told."""

import re
from typing import Final

_OWN: Final = re.compile(
    r"我(?!们?国)|俺|咱|娃|宝宝|孩子|闺女|老公|老婆|他|她"
    r"|\b(?:i'?m|i've|i'd|my|me|mum|mom|dad|she|he|her|his|wife|husband|we|our|us|am i)\b"
    r"|\bdo i (?!(?:get|put|make|change|reset|convert|boil|say|cook|clean|fix|remove|use|find|write)\b)|\bi (?=\w)",
    re.IGNORECASE,
)
_GENERIC_I: Final = re.compile(r"\bhow (?:long |much |many |often )?(?:do|can|should|could|would) i\b", re.IGNORECASE)
_BACK: Final = re.compile(
    r"来着|上次|上回|那次|之前|以前|又|还是|依旧|记得|再次"
    r"|\b(?:again|still|last time|earlier|remember|is back|used to|left)\b",
    re.IGNORECASE,
)
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
    return _OWN.search(_GENERIC_I.sub(" ", text)) is not None


def looks_back(text: str) -> bool:
    """Whether it says that something was there before."""
    return _BACK.search(text) is not None


def asks_in_general(text: str) -> bool:
    """Whether it has the form of a request that needs to know nothing of who asks."""
    return _GENERAL.search(text) is not None
