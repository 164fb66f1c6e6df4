"""Which diseases last: as the lexicon says, else by words that stand in the names of those that pass."""

import re
from typing import Final

from memory.clinical.languages import in_use

_PASSING: Final = re.compile(
    r"感冒|流感|[甲乙]流|新冠|急性|发[烧热]|咳嗽|腹泻|便秘|肺炎|支气管炎|扁桃体炎|[咽喉]炎|鼻窦炎|结膜炎|角膜炎"
    r"|中耳炎|外耳道炎|[肠胃]肠?[胃肠]炎|阑尾炎"
    r"|乳腺炎|膀胱炎|尿道炎|阴道炎|牙龈炎|智齿|牙髓炎|毛囊炎|甲沟炎|腮腺炎|感染|口腔溃疡|蛀牙|龋齿|风疹|麻疹|水痘"
    r"|手足口|百日咳|猩红热|登革热|疱疹|荨麻疹"
    r"|骨折|[扭拉]伤|撕裂|脱位|脑震荡|中暑|食物中毒|落枕|脚[气癣]|灰指甲|痤疮|近视|远视|散光|老花|弱视|斜视|干眼"
    r"|\bcold\b|\bflu\b|influenza|covid|\bacute\b|fever|cough|sore throat|diarrh|constipation|\bstrep|\bmono\b"
    r"|pneumonia|bronchitis|tonsillitis|sinusitis|pharyngitis|laryngitis|conjunctivitis|otitis|gastroenteritis"
    r"|appendicitis|cystitis"
    r"|\buti\b|infection|measles|chicken ?pox|mumps|shingles|hives|\bacne\b|fracture|sprain|concussion|food poisoning",
    re.IGNORECASE,
)
_STAYS: Final = re.compile(
    r"慢性|反复|复发|乙肝|丙肝|肝炎|结核|艾滋|幽门螺|chronic|recurrent|hepatitis|tubercul|\bhiv\b|pylori", re.IGNORECASE
)
"""A disease is taken for a lasting one unless it is known to pass: a rare one stands in no list, and it is the rare one
that a doctor must not miss. What passes as a rule stays where these words stand too."""


def disease_lasts(disease: str) -> bool:
    """Whether a disease is background that a doctor must know. One that nothing says to pass does."""
    lexicon = in_use().lexicon
    known = lexicon.tag_of(disease) or lexicon.tag_of(disease.partition(" (")[0])  # the name (as it was said)
    if known is not None:
        return known != "acute"
    return _PASSING.search(disease) is None or _STAYS.search(disease) is not None
