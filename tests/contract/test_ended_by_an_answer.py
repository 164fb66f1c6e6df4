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
KNEE = ("My left knee is killing me on stairs.", ("symptom", "knee pain (knee is killing me)"))
EGG = ("I'm allergic to egg.", ("allergy", "egg"))
NICKEL = ("I'm allergic to nickel.", ("allergy", "nickel"))
PPI = ("I take omeprazole every morning.", ("medication", "omeprazole"))
RHEUMATOID = ("当地医院说我是类风湿。", ("disease", "类风湿关节炎"))
CEPHALOSPORIN = ("我对头孢过敏。", ("allergy", "头孢"))
COUGH = ("我咳嗽三周了。", ("symptom", "咳嗽"))
ASTHMA = ("我有哮喘。", ("disease", "哮喘"))
TIBET = ("五一打算自驾去西藏。", ("plan", "自驾去西藏"))
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
    (KNEE, "Any hilly hikes near here?", "How's the knee?", "oh that! totally fine now"),
    (EGG, "about the jab", "Yes?", "The allergy nurse had me eat a whole egg. Nothing. She says I was never allergic"),
    (NICKEL, "Patch tests read today", "What did they find?", "nickel came up completely clear, so scrap that"),
    (CEPHALOSPORIN, "药师给我做了评估", "结果如何？", "皮试阴性，说头孢过敏这顶帽子可以摘了"),
    (PPI, "zero heartburn!", "Is the omeprazole helping?", "I'm off it actually! weaned myself off in October"),
    (PREGNANT, "How many wet diapers are normal?", "How old is the baby?", "nine days. Oscar came early"),
    (("我怀孕28周。", ("pregnancy", "怀孕")), "产后检查挂什么科", "挂产科。恭喜您生了！", "谢谢，是个闺女，刚满月"),
    (("我怀孕38周。", ("pregnancy", "怀孕")), "今天出院", "有宫缩吗？", "昨天生了，是个女孩"),
    (PREGNANT, "Can't sleep.", "How are you doing?", "Had her last night! 7 pounds"),
    (RHEUMATOID, "专家看了片子", "怎么说？", "说之前诊断错了，不是类风湿，就是骨关节炎"),
    (TIBET, "退票手续费多少", "看时间。西藏不去了？", "不去了，我妈有高反"),
]
NOT_OVER = [
    (MANGO, "我不对芒果过敏", "是做检查了吗？", "没有，就是觉得"),
    (PREGNANT, "hello", "Have you been pregnant before?", "2 miscarriages"),
    (("我怀孕9周。", ("pregnancy", "怀孕")), "您好", "生过吗？", "流产过两次"),
    (PREGNANT, "Weigh-in today.", "How did it go?", "7 pounds heavier than last time"),
    (("我怀孕38周。", ("pregnancy", "怀孕")), "今天产检", "怎么说？", "大宝是天生的自来卷"),
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
    (EGG, "the allergist saw Emma", "And?", "she did a challenge with egg. Not allergic at all"),
    (EGG, "Had a challenge at work", "Oh?", "My boss is rude. He says I'm not allergic, just picky"),
    (EGG, "back from the clinic", "And?", "The nurse had me eat egg. She says I'm not allergic but I still get hives"),
    (NICKEL, "My daughter had patch tests read", "What did they find?", "nickel came up completely clear"),
    (NICKEL, "I had a skin prick test last year", "Oh?", "Nickel was fine in the shop, cheap"),
    (CEPHALOSPORIN, "我妈去做了皮试", "结果怎么样？", "头孢没反应"),
    (CEPHALOSPORIN, "我给我妈做了评估", "结果如何？", "皮试阴性，说头孢过敏这顶帽子可以摘了"),
    (CEPHALOSPORIN, "药师给我做了评估", "结果如何？", "皮试阴性，说头孢过敏这顶帽子可以摘了，但我一吃就休克"),
    (EGG, "about the jab", "Yes?", "The nurse had my son eat an egg. Nothing. She says he was never allergic"),
    (EGG, "about the jab", "Yes?", "The nurse said I'm not allergic to latex, had me try the gloves"),
    (NICKEL, "Patch tests read today", "What did they find?", "nickel came up red, the rest was clear"),
    (NICKEL, "Patch tests are next week", "What for?", "if nickel came up clear I could wear rings"),
    (CEPHALOSPORIN, "药师给我做了评估", "结果如何？", "皮试还没做，头孢过敏这顶帽子还没摘"),
    (PPI, "zero heartburn!", "Is the omeprazole helping?", "I'm off it for the endoscopy, back on Monday"),
    (PPI, "zero heartburn!", "Is the omeprazole helping?", "If I come off it I crash"),
    (PPI, "zero heartburn!", "Is the omeprazole helping?", "last time I came off it I crashed, so I'm back on"),
    (PPI, "zero heartburn!", "Is the omeprazole helping?", "I'm off it this week, restarting on Monday"),
    (PPI, "zero heartburn!", "Is it helping?", "I haven't weaned off in spite of trying"),
    (PPI, "busy week", "Is the gaviscon helping?", "I'm off it actually"),
    (PREGNANT, "So tired.", "How old is the baby?", "nine weeks to go, silly"),
    (PREGNANT, "So tired.", "How big is the baby?", "About 20 weeks, kicking a lot"),
    (PREGNANT, "So tired.", "Has the baby come?", "five days overdue"),
    (PREGNANT, "So tired.", "Has the baby come?", "any day now"),
    (("我怀孕28周。", ("pregnancy", "怀孕")), "做了B超", "恭喜您！", "是个女孩，还在肚子里呢"),
    (PREGNANT, "my sister's baby is here", "How old is the baby?", "nine days"),
    (PREGNANT, "my sister is home with hers", "How old is the baby?", "nine days. Oscar came early"),
    (COUGH, "体检完了", "好的。", "等咳嗽好彻底了再去游泳"),
    (KNEE, "Any hikes?", "How's the knee?", "It, all fine when sitting, killing me on stairs"),
    (PREGNANT, "So tired.", "How old is your little one?", "Two years, she's a handful"),
    (("我怀孕28周。", ("pregnancy", "怀孕")), "做了B超", "恭喜您当妈！", "谢谢，是个女儿，预产期还有两个月"),
    (RHEUMATOID, "陪我妈去看了", "结论一样吗？", "她之前诊断错了，是痛风"),
    (RHEUMATOID, "去省医院重新看了", "结论一样吗？", "会不会是诊断错了，也有人说是痛风"),
    (TIBET, "路上堵", "西藏还去吗？", "改去五月了"),
    (TIBET, "Is it far?", "西藏取消了吗？", "No, still on"),
    (COUGH, "体检完了", "好的。", "咳嗽还没好利索了，烦"),
    (COUGH, "体检完了", "好的。", "只有咳嗽好透了才能打疫苗"),
    (ASTHMA, "去复查了", "怎么样？", "医生说没有误诊，我还有痛风"),
    (ASTHMA, "上次看错了科室", "然后呢？", "我有高血压"),
    (TIBET, "退票手续费多少", "看时间。成都不去了？", "不去了，没时间"),
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
