"""What was felt and is felt no more: by its sign, or where it was."""

import re
from typing import Final

_LACKS: Final = re.compile(r"[没无不]|(?:no|can'?t|cannot|loss of|lost) ", re.IGNORECASE)
"""What a complaint of what somebody lacks begins with: to have it no more is no relief."""
_SIGN: Final = "[疼肿痒胀咳喘吐拉晕麻闷酸抽]"
_NONE_LEFT: Final = re.compile(
    rf"(?:没有?(?P<all>[\u4e00-\u9fff])了|一[声次点]都不(?P<all2>{_SIGN}))|消(?P<there>肿)|不(?:怎么|再"
    rf"|大)?(?P<there2>{_SIGN})了"
)
"""What is felt no more: at all, or in the place that is named."""
_HEAD_GONE: Final = re.compile(
    r"(?:^|[，。！\s])(?:我)?(?P<x>痰|鼻涕|疹子|红疹|痘痘|水泡|红点|斑)(?:也|都|已经|早就?|全|基本)*(?:没了|没有了|消了|退了|不见了)"
)
_SIGN_ALONE: Final = re.compile(
    rf"(?:我|就|也|都|已经|现在|早就?|基本|完全|后来|这几天|今天|昨天|早上|了|[，,\s])*(?:不(?:怎么|再|大)?(?P<x>{_SIGN})了|(?:这[周礼拜星期几天]+)?一次(?:都|也)没(?:再)?(?P<x2>{_SIGN})过了?)(?![吗么])"
)
_FELT: Final = "[疼痛肿胀酸麻痒闷僵]+$"
_PLACE_IS_FINE: Final = re.compile(r"(?:没(?:啥|什么)?事|好|不碍事|利索|恢复|正常)了(?![吗没点些])")
"""Said of a place: nothing is felt there any more."""
_HOW_IS_IT: Final = re.compile(
    r"([耳眼鼻喉嗓牙头颈肩背腰腿脚手膝胃肚胸皮])[\u4e00-\u9fff]{0,2}(?:现在|最近)?(?:怎么样|咋样|好些|好点|还[疼痛痒肿难])"
    r"|\b(?:are|is) (?:your|the) (bowels?|head|back|throat|knee|stomach|skin) (?:any |a bit |feeling "
    r"|all )?(?:better|ok|okay)\b"
    r"|\bhow(?:'s| is| are|'re) (?:your|the) (?:poor |left |right )?"
    r"(foot|feet|hand|leg|arm|back|head|ear|eye|throat|knee|hip|shoulder|neck|stomach|tummy|chest|skin|mouth|tooth)\b"
)
_PLACES: Final = {
    **dict.fromkeys(("foot", "feet"), r"\b(?:foot|feet|heels?|toes?|ankles?|soles?)\b"),
    "hand": r"\b(?:hands?|fingers?|thumbs?|wrists?|knuckles?)\b",
    "leg": r"\b(?:legs?|kne(?:e|es)|calf|calves|shins?|thighs?)\b",
    "arm": r"\b(?:arms?|elbows?|wrists?|forearm)\b",
    "head": r"\b(?:head|headaches?|migraines?)\b",
    **dict.fromkeys(("stomach", "tummy"), r"\b(?:stomach|tummy|belly|abdom\w+|cramps?|nausea)\b"),
    "ear": r"\b(?:ears?|earaches?|tinnitus)\b",
    **dict.fromkeys(("bowel", "bowels"), r"\b(?:bowels?|constipat\w*|diarrh\w*|stools?|bloat\w*)\b"),
    "skin": r"\b(?:skin|rash\w*|itch\w*|hives|eczema|spots?|acne|blisters?)\b",
    "throat": r"\b(?:throat|swallow\w*)\b",
    "tooth": r"\b(?:tooth|teeth|toothache)\b",
    "嗓": "嗓|喉|咽",
    "喉": "嗓|喉|咽",
    "脚": "脚|足|踝",
    "肚": "肚|腹",
    "胃": "胃|反酸|烧心",
}
"""By the part that is asked about: what is felt of it; another part is named by itself."""
SIGNS_MAX: Final = 3
"""Characters of a complaint that may stand apart from each other."""
_KINDS: Final = frozenset(("disease", "syndrome", "disorder", "type", "chronic", "acute", "allergy", "device"))


def is_felt_no_more(complaint: str, quote: str) -> bool:
    """Whether a clause says so of a complaint: 腿抽筋, and then 腿不抽了; 腰疼, and then 腰早没事了."""
    gone = _HEAD_GONE.search(quote)
    if gone is not None and complaint.endswith(gone["x"]):  # 黄痰, and then 痰也没了
        return True
    return _has_lost_its_sign(complaint, quote) or (
        _PLACE_IS_FINE.search(quote) is not None and _is_the_place(complaint, quote)
    )


def lost_sign(quote: str) -> str:
    """The sign of a complaint that a clause says is gone, and of no place: 已经不酸了. Empty for none."""
    found = _SIGN_ALONE.match(quote.strip())
    return (found["x"] or found["x2"]) if found else ""


def is_at_the_place(complaint: str, asked: str) -> bool:
    """Whether a question asks how a part of the body is in which something is felt: heel pain, how's your foot?"""
    how = _HOW_IS_IT.search(asked)
    place = next(filter(None, how.groups()), "") if how else ""
    return bool(place) and re.search(_PLACES.get(place, re.escape(place)), complaint, re.IGNORECASE) is not None


def lacks_it_again(complaint: str, quote: str) -> bool:
    """Whether a clause repeats a complaint of what somebody lacks: no appetite any more."""
    return any(_LACKS.match(name) and name in quote for name in spellings(complaint))


def _has_lost_its_sign(complaint: str, quote: str) -> bool:
    """Whether what somebody felt is said to be felt there no more: 腿抽筋, and then 腿不抽了."""
    complaint, quote = complaint.replace("痛", "疼"), quote.replace("痛", "疼")
    for found in _NONE_LEFT.finditer(quote):
        sign = next(filter(None, found.groups()))
        at_all = found["all"] or found["all2"]
        if sign in complaint and (at_all or not set(complaint).isdisjoint(set(quote) - {sign})):
            return True
    return False


def _is_the_place(complaint: str, quote: str) -> bool:
    """Whether a clause names where something is felt: 腰疼, and then 腰早没事了."""
    place = re.sub(_FELT, "", complaint)
    return 0 < len(place) < len(complaint) <= SIGNS_MAX + 1 and place in quote


def spellings(name: str) -> list[str]:
    """A name in its spellings, and without the word for its kind: celiac disease, celiac."""
    parts = [part.strip() for part in name.lower().replace("(", ",").replace(")", ",").split(",")]
    heads = [part.split()[0] for part in parts if part.isascii() and part.split()[1:] and part.split()[-1] in _KINDS]
    return [each for each in (*parts, *heads) if each and each not in _KINDS]
