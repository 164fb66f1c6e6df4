"""What hundreds of patients type: a fact and its reason, an exception, what somebody shares, a request to note it."""

import pytest

from memory.clinical.people import USER
from memory.clinical.safety import read_safety
from tests.growth import assert_grows

FIRM = [
    ("History: appendectomy 2015 and going to the gym a lot", "appendectomy"),
    ("桃子我从小就过敏，连桃毛碰到都痒", "桃子"),
    ("鱼腥草针我打过敏过的，18年的事", "鱼腥草"),
    ("我除了青霉素没有过敏史", "青霉素"),
    ("碘过敏，明天那个检查要不要紧？", "碘"),
    ("大夫，我吃布洛芬会喘，给我换个退烧药行不", "布洛芬"),
    ("前年吃罗红霉素手上背上全是疹子，医生当时就说是过敏", "罗红霉素"),
    ("那年吃卡马西平满身疹子还发高烧，住院部的医生讲这辈子都不能再吃", "卡马西平"),
    ("用万古霉素的时候我脖子胸口通红，医生给我登记了药物过敏", "万古霉素"),
    ("请帮我记一下我对青霉素过敏行吗", "青霉素"),
    ("我妈有糖尿病，我也有，去年查出来的", "糖尿病"),
    ("我搭过桥，15年在北京做的", "搭过桥"),
    ("我捐了个肾给我弟", "捐了个肾"),
    ("鼻中隔做过矫正，还是不通气", "鼻中隔做过矫正"),
    ("肝移植术后第四年，他克莫司早晚各一粒", "肝移植"),
    ("左耳人工耳蜗，坐飞机有影响没", "人工耳蜗"),
    ("I get a rash from latex", "latex"),
    ("not allergic to penicillin, but i am to cipro", "cipro"),
    ("Dust mites, that's what the skin prick test showed I'm allergic to.", "dust mites"),
    ("Mefloquine's out because I had a bad reaction to it in 2015.", "mefloquine"),
    ("Oxycodone's on my do not give list since it made me pass out", "oxycodone"),
    ("Chlorhexidine mouthwash made my tongue swell so what else can I use for my gums?", "chlorhexidine"),
    ("Before I book the cleaning, should I mention that latex gloves make my hands blister?", "latex gloves"),
    ("I can't have penicillin, my doctor says I'm allergic to it", "penicillin"),
    ("My mum has asthma and so do I", "asthma"),
    ("My thyroid is underactive, levothyroxine 75 every morning", "hypothyroidism"),
    ("bp's been high since my forties, they've got me on amlodipine 5mg", "hypertension"),
    ("Codeine makes me throw up every single time so please dont give me that one", "codeine"),
    ("Prednisone sends me completely up the wall, my doctor said never again", "prednisone"),
    ("先说一下哈，甲硝唑我不行，吃了吐得昏天黑地", "甲硝唑"),
]
POSSIBLE = [
    ("Ibuprofen is a big no", "ibuprofen"),
    ("They put penicillin on my form years ago", "penicillin"),
    ("Could you please note that tramadol doesn't agree with me?", "tramadol"),
    ("我跟青霉素犯冲，打针的时候千万别用", "青霉素"),
]
STILL_SAID = [
    "小时候对青霉素过敏，现在能吃了",
    "我以前对头孢过敏，现在能吃了吗",
    "小时候青霉素过敏，现在可以用了吗",
    "以前对海鲜过敏，现在能吃了没",
    "以前打青霉素过敏，抢救后好了，再没打过",
    "以前吃头孢过敏，停药就好了",
    "小时候对青霉素过敏，现在吃头孢没事",
    "小时候对花生过敏，现在我儿子天天吃花生",
    "I was told as a baby I'm allergic to penicillin, mum says dad is fine with it",
    "小时候吃虾过敏，打针才好了",
    "I had a hysterectomy, it was a mistake looking back",
    "I have epilepsy, stopping my tablets was my idea and that was a mistake",
    "我爸妈都有高血压，我自己也有十几年了",
]
"""What a reader who attacked these rules found to be lost: a past allergy is one until it is tested."""
NOT_SAID = [
    "小时候喝牛奶过敏，上小学以后就好了，现在天天喝",
    "刚看完一个讲渐冻症的电影，哭死我了",
    "我妈有糖尿病，我也是怕得病",
    "我姐有哮喘，我也想查查",
    "跑步会喘，怎么办",
    "我跟我老公犯冲",
    "左耳人工耳蜗要多少钱",
    "I used to be allergic to eggs but I eat them all the time now",
    "My records said penicillin allergy, but I got tested last year and it was wrong, so it's been taken off",
    "my mum has asthma, I also have a cat",
    "I never leave home without my EpiPen because I'm allergic",
    "I can't open the window without cetirizine because I'm so allergic",
    "I'm not on antihistamines since I'm only mildly allergic",
    "I can't breathe without my inhaler in spring since I'm allergic",
    "I don't eat peanuts, not because I'm allergic, I just hate them",
    "Never had a problem with aspirin, I doubt I'm allergic",
    "I can't stand mushrooms, my kids joke I'm allergic",
    "Cetirizine helps with the stuff I'm allergic to",
    "I take Piriton, it works on most things that I'm allergic to",
    "EpiPen is for things I'm allergic to",
    "I had an MRI with contrast and I had no reaction to it",
    "I had ibuprofen and I had no bad reaction to it",
    "I had morphine after my op and I had a good reaction to it",
    "吃了头孢没有起疹子，医生说过敏可以排除",
    "吃了氯雷他定疹子退了，医生说是过敏",
    "吃了扑尔敏还是痒，医生说过敏要慢慢来",
    "用了炉甘石之后还是痒，医生说过敏引起的",
    "喝了中药还是咳喘，医生说是过敏咳嗽",
    "老公有乙肝，我也有三年没查了",
    "我姐有哮喘，我也有一只猫",
    "我妈有抑郁症，我也有了心理准备",
    "我爸得了肺癌，我也得了解一下治疗",
    "He has HIV, I don't, so do I need PrEP",
    "除了青霉素，我老公别的都不过敏",
    "除了青霉素，我儿子对别的药都不过敏",
    "除了头孢，青霉素我也不过敏",
    "除了青霉素还有什么药不容易过敏",
    "Metformin before the CT scan, the hospital told me to avoid it for 48 hours",
    "我跟酒犯冲，一喝就犯困",
    "Do you know that penicillin allergy is overdiagnosed?",
    "Do you remember that asthma article you gave me?",
    "告诉我对乙肝要怎么预防",
    "想问隆了鼻多久能运动",
    "I was allergic to eggs as a baby, grew out of it by school",
    "我计划怀孕，要停这个药吗",
    "希望能怀孕，先来问问",
]


def own(text: str, *, possible: bool) -> set[str]:
    found = [each for each in read_safety(text) if each.subject == USER and not each.denied]
    return {each.text.lower() for each in found if each.possible is possible}


@pytest.mark.parametrize(("text", "name"), FIRM, ids=[name for _, name in FIRM])
def test_what_is_plainly_said_is_read(text: str, name: str) -> None:
    assert any(name in each for each in own(text, possible=False)), read_safety(text)


@pytest.mark.parametrize(("text", "name"), POSSIBLE, ids=[name for _, name in POSSIBLE])
def test_what_somebody_would_rather_not_have_again_is_asked_about(text: str, name: str) -> None:
    assert name in own(text, possible=True), read_safety(text)
    assert name not in own(text, possible=False)


@pytest.mark.parametrize("text", STILL_SAID)
def test_what_was_said_once_is_not_lost(text: str) -> None:
    assert own(text, possible=False) | own(text, possible=True)


@pytest.mark.parametrize("text", NOT_SAID)
def test_what_only_sounds_like_it_is_not_theirs(text: str) -> None:
    assert not own(text, possible=False), read_safety(text)


@pytest.mark.parametrize(
    "text", ["penicillin, i had a ", "青霉素满身疹子，医生", "小时候对牛奶过敏，", "asthma and so "]
)
def test_reading_what_is_plain_grows_with_the_text(text: str) -> None:
    assert_grows(read_safety, lambda size: text * size, 400)
