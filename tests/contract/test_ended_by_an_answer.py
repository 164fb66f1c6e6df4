"""What an agent asks about, and the answer says is over: tests, births, medicines, parts of the body."""

import pytest

from tests.contract.lives import ON_ONE_STORE, held, live
from tests.inprocess import World

pytestmark = ON_ONE_STORE

MANGO = ("我芒果过敏。", ("allergy", "芒果"))
SHELLFISH = ("I'm allergic to shellfish.", ("allergy", "shellfish"))
PREGNANT = ("I'm 31 weeks pregnant.", ("pregnancy", "pregnant"))
REFLUX = ("I take lansoprazole for reflux.", ("medication", "lansoprazole"))
HEEL = ("I have heel pain in the morning.", ("symptom", "heel pain"))
EAR = ("左耳耳鸣半个月了。", ("symptom", "左耳耳鸣"))

OVER = [
    (MANGO, "我不对芒果过敏", "是做检查了吗？", "嗯，做了食物激发试验，阴性。"),
    (MANGO, "昨天吃了芒果", "您不是芒果过敏吗？", "住院时做了点刺，没反应"),
    (SHELLFISH, "I'm not allergic to shellfish.", "How do you know?", "Skin prick negative, all of it"),
    (PREGNANT, "Sorry for typos, one hand.", "Has the baby come?", "Eleven days ago, and we are home"),
    (("我怀孕39周了。", ("pregnancy", "怀孕")), "今天好累", "生了吗？", "嗯，上周二生的，女儿"),
    (REFLUX, "Does famotidine go with juice?", "Are you taking it with the lansoprazole?", "No, instead of it."),
    (HEEL, "Flats or heels for a wedding?", "How's your foot these days?", "Oh totally fine, forgot I even had it"),
    (EAR, "帮我写个文案", "好的。耳朵怎么样了？", "大夫掏出来一坨耵聍，当场就不叫了"),
]
NOT_OVER = [
    (MANGO, "我不对芒果过敏", "是做检查了吗？", "没有，就是觉得"),
    (MANGO, "我不对芒果过敏", "是做检查了吗？", "下周去做点刺，希望阴性"),
    (MANGO, "我不对芒果过敏", "是做检查了吗？", "做了，头孢皮试阴性"),
    (MANGO, "我不对芒果过敏", "是做检查了吗？", "我妈做了点刺，阴性"),
    (MANGO, "昨天去医院了", "做什么了？", "做了点刺，阴性"),
    (SHELLFISH, "I'm not allergic to shellfish.", "How do you know?", "The skin prick was positive but I ate some"),
    (PREGNANT, "Busy day.", "Has the baby come?", "Last check was fine, still two weeks to go"),
    (PREGNANT, "Busy day.", "Has the baby come?", "Yes, any day now"),
    (PREGNANT, "Busy day.", "Has the baby come?", "Yesterday's scan was fine, so we wait"),
    (("我怀孕34周了。", ("pregnancy", "怀孕")), "今天好累", "生了吗？", "昨天刚做了产检，一切都正常"),
    (("我怀孕34周了。", ("pregnancy", "怀孕")), "今天好累", "生了吗？", "对啊快了"),
    (PREGNANT, "Busy day.", "How was the scan?", "Eleven days ago, and all fine"),
    (REFLUX, "Does famotidine go with juice?", "Are you taking it with food?", "No, instead of it."),
    (HEEL, "Flats or heels for a wedding?", "How's your hand these days?", "Oh totally fine, forgot I even had it"),
    (EAR, "帮我写个文案", "好的。眼睛怎么样了？", "大夫看了，当场就不痒了"),
    (EAR, "帮我写个文案", "好的。耳朵怎么样了？", "大夫说马上就好了"),
]


@pytest.mark.parametrize(("told", "said", "asked", "answer"), OVER)
async def test_what_an_answer_says_is_over_is_held_no_longer(
    here: World, told: tuple[str, tuple[str, str]], said: str, asked: str, answer: str
) -> None:
    first, fact = told
    await live(here, first)
    assert fact in await held(here)
    await _asked(here, said, asked, answer)
    assert fact not in await held(here)


@pytest.mark.parametrize(("told", "said", "asked", "answer"), NOT_OVER)
async def test_another_answer_ends_nothing(
    here: World, told: tuple[str, tuple[str, str]], said: str, asked: str, answer: str
) -> None:
    first, fact = told
    await live(here, first)
    await _asked(here, said, asked, answer)
    assert fact in await held(here)


async def _asked(here: World, said: str, asked: str, answer: str) -> None:
    """A session in which an agent asks and the user answers."""
    await here.write(said, asked, "later", user_id="u1")
    await here.write(answer, "好的。", "later", user_id="u1")
    await here.finalize("later")
