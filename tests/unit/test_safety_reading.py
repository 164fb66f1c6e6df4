"""Safety facts by rule: what is read of a message, and what is not."""

from pathlib import Path

import pytest

from memory.clinical.languages import in_use
from memory.clinical.lexicon import FOLDER, Lexicon, Term, read
from memory.clinical.safety import read_safety
from memory.errors import InvalidInput
from tests.growth import assert_grows

TOLD = [
    ("我对青霉素和头孢过敏", {("allergy", "青霉素"), ("allergy", "头孢")}),
    ("青霉素过敏，牙龈肿了能吃啥消炎药", {("allergy", "青霉素")}),
    ("过敏史：鸡蛋、芒果。其他没有", {("allergy", "鸡蛋"), ("allergy", "芒果")}),
    ("吃了头孢满身起疙瘩", {("allergy", "头孢")}),
    ("只要吃虾，嘴唇马上肿得像香肠", {("allergy", "虾")}),
    ("听我妈讲我两三岁的时候打青霉素休克了", {("allergy", "青霉素")}),
    ("主任交代过，磺胺类的药我这辈子都不要再沾", {("allergy", "磺胺类")}),
    ("青霉素皮试阳性", {("allergy", "青霉素")}),
    ("every time i eat shrimp my lips balloon", {("allergy", "shrimp")}),
    ("ct dye gave me hives and they had to give me an epipen", {("allergy", "contrast dye (ct dye)")}),
    ("Sorry, I mixed that up: it's not aspirin I'm allergic to, it's naproxen", {("allergy", "naproxen")}),
    ("I'm allergic to penicillin and cats.", {("allergy", "penicillin"), ("allergy", "cats")}),
    ("My allergies: dogs, penicillin", {("allergy", "penicillin"), ("allergy", "dogs")}),
    ("I am allergic to penicillin but not aspirin.", {("allergy", "penicillin")}),
    ("I am allergic to penicillin (青霉素)", {("allergy", "penicillin"), ("allergy", "青霉素")}),
    ("Can't take sulfa, I'm allergic to it.", {("allergy", "sulfa")}),
    ("can't have penicillin, allergic to it", {("allergy", "penicillin")}),
    ("No ibuprofen please I'm allergic.", {("allergy", "ibuprofen")}),
    ("Ibuprofen is out, I'm allergic.", {("allergy", "ibuprofen")}),
    ("My son loves shrimp but I'm allergic to it", {("allergy", "shrimp")}),
    ("我对青霉素过敏。我喜欢看话剧。", {("allergy", "青霉素")}),
    ("I'm allergic to latex. I am reading a novel.", {("allergy", "latex")}),
    ("Allergies: latex, iodine contrast\nPMH: lupus", {("allergy", "latex"), ("disease", "lupus")}),
    ("既往史：高血压10年，2型糖尿病5年", {("disease", "高血压"), ("disease", "2型糖尿病")}),
    ("痛风老毛病了，昨晚喝了点啤酒", {("disease", "痛风")}),
    ("我患有肾上腺脑白质营养不良症", {("disease", "肾上腺脑白质营养不良")}),
    ("bipolar, on lithium 8 yrs", {("disease", "bipolar disorder")}),
    ("甲状腺切了右边一半，良性的", {("surgery", "甲状腺切除 (甲状腺切了)")}),
    ("左边膝盖换了人工的，一年多了", {("surgery", "膝盖换了")}),
    ("我两个娃都是剖的", {("surgery", "剖的")}),
    ("My appendix was taken out in 2015.", {("surgery", "appendix was taken out")}),
    ("tubes tied after my third", {("surgery", "tubal ligation (tubes tied)")}),
    ("怀孕23周，鼻子不通", {("pregnancy", "怀孕")}),
    ("换了机械瓣膜以后一直吃华法林", {("anticoagulant", "华法林")}),
    ("still nursing my 5 month old", {("breast_feeding", "breast-feeding")}),
]
TRAPS = [
    "我爸高血压二十年了，他能吃布洛芬吗",
    "高血压能吃人参吗",
    "下周四要做胆囊手术，术前要空腹多久",
    "我对周一过敏，一到公司就头大",
    "帮我翻译一下这句：I am allergic to sulfa drugs.",
    "阿莫西林我吃过好多次都没事",
    "脖子好像粗了点，我怕是得了甲亢吧",
    "如果以后怀孕了，这个面霜还能接着用吗",
    "说明书上写着“对本品成分过敏者禁用，严重肝病患者禁用”，是什么意思",
    "过敏原查了，花生鸡蛋尘螨全是阴性",
    "我妈青霉素过敏",
    "我起疹子吃了氯雷他定",
    "is penicillin safe?",
    "I can eat shrimp, I'm not allergic to it",
    "I'm really not allergic to shrimp, I love it, I'm really not allergic to it",
    "I don't take ibuprofen, I'm not allergic, just careful",
    "I take cetirizine because I'm allergic",
    "Can I take ibuprofen if I'm allergic to it?",
    "I've been told I'm allergic to it but penicillin is fine",
    "I had penicillin as a kid, I'm no longer allergic to it",
    "my son can't eat shrimp, he's allergic to it",
    "The vet says my dog is allergic to penicillin",
    "My dog has epilepsy and takes phenobarbital",
    "what if I turn out to be allergic to the anaesthetic, I'm so scared",
    "Pregnancy test was negative",
    "my flatmate's allergic to nuts",
    "nearly had a heart attack when I saw the gas bill",
    "They thought it was MS for a while but the MRI ruled it out",
    "coworker of mine had a stent put in at 38, crazy",
    "I'm not allergic to penicillin",
]
NOTHING_TOLD = ["谢谢医生", "今天天气不错，我去爬山了", "thanks a lot, talk soon", "where do I park?", ""]


def told(text: str, before: str = "") -> set[tuple[str, str]]:
    found = read_safety(text, before)
    return {
        (each.kind, each.text) for each in found if each.subject == "user" and not each.possible and not each.denied
    }


@pytest.mark.parametrize(("text", "expected"), TOLD, ids=[text[:24] for text, _ in TOLD])
def test_what_is_told_is_found(text: str, expected: set[tuple[str, str]]) -> None:
    assert expected <= told(text)


@pytest.mark.parametrize("text", [*TRAPS, *NOTHING_TOLD])
def test_what_is_not_told_of_the_user_is_in_no_list(text: str) -> None:
    assert told(text) == set()


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("您有药物过敏吗？", "青霉素", {("allergy", "青霉素")}),
        ("Are you allergic to any medicines?", "sulfa", {("allergy", "sulfa")}),
        ("您母亲对什么药过敏？", "头孢", set()),
        ("您今天想咨询什么？", "青霉素", set()),
        ("What is your son allergic to?", "aspirin and latex", set()),
    ],
)
def test_short_answer_means_what_was_asked(before: str, text: str, expected: set[tuple[str, str]]) -> None:
    assert told(text, before) == expected


@pytest.mark.parametrize(
    ("text", "before"),
    [("没有药物过敏史", ""), ("NKDA", ""), ("No known drug allergies.", ""), ("没有", "您有药物过敏吗？")],
)
def test_that_nothing_is_known_is_kept_apart_from_nothing_said(text: str, before: str) -> None:
    (found,) = [each for each in read_safety(text, before) if each.kind == "allergy"]
    assert (found.denied, found.text) == (True, "*")


@pytest.mark.parametrize("text", ["一吃布洛芬就拉肚子", "My stomach cramps whenever I take ibuprofen"])
def test_harm_that_may_have_another_reason_is_possible_only(text: str) -> None:
    (found,) = [each for each in read_safety(text) if each.kind == "allergy"]
    assert found.possible


def test_quote_is_the_words_that_were_said_and_a_reaction_is_named() -> None:
    (found,) = read_safety("前天发烧。Penicillin gave me HIVES last year!")
    assert found.quote == "Penicillin gave me HIVES last year"
    assert found.reaction.lower() == "gave me hives"


def test_relative_is_told_as_said() -> None:
    (found,) = read_safety("我妈有糖尿病")
    assert (found.subject, found.text) == ("我妈", "糖尿病")


@pytest.mark.parametrize(
    "piece",
    [
        *("allergy to, ", "对青霉素", "对青霉素，", "我有高血压", "吃头孢起疹子", "没有大的", "过敏史：", "医生说不能"),
        *("my mum ", "切了胆", "没有、", "penicillin rash ", "had my knee ", "told never "),
    ],
)
def test_reading_grows_with_the_text(piece: str) -> None:
    in_use()
    assert_grows(read_safety, lambda chars: (piece * chars)[:chars], 4_000)


@pytest.mark.parametrize("pieces", [("我换过药，胃", "一"), ("", "diagnos"), ("a", " ")])
def test_reading_of_hostile_texts_grows_with_them(pieces: tuple[str, str]) -> None:
    start, piece = pieces
    in_use()
    assert_grows(read_safety, lambda chars: (start + piece * chars)[:chars], 4_000)


def test_question_that_is_all_space_is_read_in_time_that_grows_with_it() -> None:
    assert_grows(lambda before: read_safety("yes", before), lambda chars: "please " + " " * chars, 40_000)


def test_long_text_is_read_to_its_end() -> None:
    assert told("我最近总是睡不好觉。" * 2_000 + "对了，我对青霉素过敏。") == {("allergy", "青霉素")}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_lexicons_say_where_they_are_from_and_have_no_word_twice(language: str) -> None:
    for path in sorted((FOLDER / language).glob("*.txt")):
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        assert first.startswith("# "), path
        words = [line.split("\t")[0] for line in lines if not line.startswith("#")]
        assert len(words) == len(set(words)), path
        assert words == sorted(words), path


def test_line_that_is_no_entry_is_told_by_file_and_number(tmp_path: Path) -> None:
    (tmp_path / "drug.txt").write_text("# a remark\naspirin\tdrug\nno tag\n", encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"drug\.txt:3"):
        list(read(tmp_path))


def test_longest_word_wins_and_an_idiom_hides_what_is_in_it() -> None:
    words = Lexicon([("cold", Term("disease", "weak", "cold")), ("cold feet", Term("idiom", "idiom", "cold feet"))])
    assert [each.kind for each in words.mentions("i got cold feet, not a cold")] == ["idiom", "disease"]
    assert words.mentions("scold colds") == []


def test_what_somebody_says_in_quotation_marks_is_not_read_and_the_quote_of_what_is_stays_whole() -> None:
    said = 'My bracelet says "I carry insulin and I have asthma" and I am allergic to penicillin'
    (found,) = read_safety(said)
    assert (found.text, found.quote in said, "insulin" in found.quote) == ("penicillin", True, True)
    assert read_safety("剧里男主角说“我有血友病，不能受伤”，太夸张了") == []
    kept = {each.text for each in read_safety("出院诊断“冠心病、高血压”，医生说“你以后不能用青霉素，会过敏”")}
    assert {"冠心病", "高血压"} <= kept, "a diagnosis in quotation marks is one"


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("您怀孕了吗？", "没怀孕"),
        ("您怀孕了吗？", "没有，孩子三个月了"),
        ("Are you pregnant?", "No, I had my baby two months ago"),
        ("Gout is common. Is your right foot swollen?", "Yes"),
        ("Amoxicillin helps here unless you have an allergy. Is your right ear still hurting?", "Yes"),
        ("You have no diabetes or asthma, correct?", "Yes"),
        ("您不对青霉素过敏，对吗？", "是的"),
        ("", "我怀疑我有糖尿病"),
        ("", "我担心我有高血压"),
    ],
)
def test_answers_and_fears_invent_nothing(before: str, text: str) -> None:
    assert [each for each in read_safety(text, before) if not each.denied] == []


@pytest.mark.parametrize(
    "text",
    [
        "我是12床的病人，我对青霉素过敏。",
        "At handover nobody noted that I'm allergic to penicillin.",
        "我公司做外贸的，我对青霉素过敏。",
        "The doctors say I am allergic to penicillin.",
        "The form asks about allergies and I'm allergic to penicillin.",
        'They call it "hayfever" but I am allergic to penicillin so "no meds" for me',
        "I'm 5'2\" and 60 kg, allergic to penicillin, my son is 3'1\" tall",
        "阿姨你好，青霉素我过敏",
        "I was bitten by a husky and the penicillin gave me hives",
    ],
)
def test_nothing_around_it_hides_an_allergy(text: str) -> None:
    found = {each.text for each in read_safety(text) if each.kind == "allergy" and each.subject == "user"}
    assert found & {"青霉素", "penicillin"}


def test_breast_feeding_is_of_her_who_does_it() -> None:
    hers = read_safety("My daughter is breastfeeding, can she take ibuprofen?")
    assert {each.subject for each in hers} == {"my daughter"}
    assert {each.subject for each in read_safety("娃才满月，纯母乳")} == {"user"}


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("我一喝牛奶就跑厕所，半杯都受不了", "allergy", "牛奶"),
        ("前年让蜜蜂蛰了一下，人都晕过去了", "allergy", "蜜蜂"),
        ("我就贴了半天膏药，揭下来全是水泡", "allergy", "膏药"),
        ("右髋置换，恢复得还行", "surgery", "右髋置换"),
        ("Plasters leave a square of blisters on me", "allergy", "adhesive (Plasters)"),
    ],
)
def test_what_no_frame_decides_is_possible(text: str, kind: str, name: str) -> None:
    found = [each for each in read_safety(text) if each.subject == "user"]
    assert [(each.kind, name in each.text) for each in found] == [(kind, True)]


@pytest.mark.parametrize(
    "text",
    [
        "喝牛奶会拉肚子吗？",
        "我喝牛奶从来不拉肚子",
        "我朋友喝牛奶就跑厕所",
        "医生说要做右髋置换",
        "这药能治蜜蜂蛰伤吗",
        "Can plasters cause blisters?",
        "Plasters never give me blisters",
        "My neighbour gets cramps from ice cream",
    ],
)
def test_what_is_asked_denied_planned_or_anothers_is_not_even_possible(text: str) -> None:
    assert [each for each in read_safety(text) if each.subject == "user" and not each.denied] == []


def test_operations_are_listed_under_their_heading_without_their_dates() -> None:
    text = "【基本情况】男 58\n【手术】2016 右髋置换、2019年阑尾切除\n【过敏】复方新诺明"
    found = {(each.kind, each.text) for each in read_safety(text)}
    assert found == {("surgery", "右髋置换"), ("surgery", "阑尾切除"), ("allergy", "复方新诺明")}


def test_the_patient_of_a_form_is_the_user() -> None:
    found = {(each.kind, each.subject) for each in read_safety("患者女，62岁。过敏：青霉素。高血压病3级。")}
    assert found == {("allergy", "user"), ("disease", "user")}
    assert read_safety("我同事接的患者，对青霉素过敏") == []


@pytest.mark.parametrize(
    "text",
    [
        "小时候医生说我对鸡蛋过敏，去年查了过敏原，根本没这回事",
        "县医院说我是癫痫，后来省里做了脑电图，排除了，说没事",
        "My notes said penicillin allergy for years, but it turned out I never had one.",
        "At twelve they told me I had asthma. The lung clinic said no, it never was.",
        "My flatmate reckons I'm bipolar, haha",
        "I'm writing a thriller. The detective has severe asthma.",
        "昨晚追剧，里头那个主任有冠心病还上台",
        "I'm on the list for a knee replacement next March.",
    ],
)
def test_what_proved_wrong_or_is_told_of_nobody_real_is_no_fact(text: str) -> None:
    assert [each for each in read_safety(text) if each.subject == "user" and not each.possible] == []


@pytest.mark.parametrize(
    ("text", "before", "kind", "name"),
    [
        ("my throat closes up if i eat prawns", "", "allergy", "prawns"),
        ("I wheeze really badly within minutes", "What happens when you take aspirin?", "allergy", "aspirin"),
        ("吃完浑身起红疹，喘不上气", "您吃阿莫西林有什么反应？", "allergy", "阿莫西林"),
        ("I'm lactose intolerant", "", "allergy", "lactose"),
        ("2018年行左侧腹股沟疝修补术", "", "surgery", "疝修补"),
        ("我有penicillin allergy", "", "allergy", "penicillin"),
    ],
)
def test_facts_told_in_other_ways(text: str, before: str, kind: str, name: str) -> None:
    (found,) = [each for each in read_safety(text, before) if each.subject == "user"]
    assert found.kind == kind
    assert name in found.text
    assert not found.possible


def test_what_something_only_looks_like_is_no_allergen() -> None:
    found = read_safety("我一吃虾嘴唇就肿得跟香肠似的")
    assert [each.text for each in found] == ["虾"]


def test_a_harm_belongs_to_the_substance_that_stands_nearer() -> None:
    found = read_safety("糖尿病，打诺和锐。做增强CT那次推完造影剂就全身发红喘不上气。")
    assert [each.text for each in found if each.kind == "allergy"] == ["造影剂"]


def test_a_cancer_that_was_cut_out_is_a_disease_and_an_operation() -> None:
    found = {each.kind for each in read_safety("右边乳房前年因为乳腺癌全切了")}
    assert found == {"disease", "surgery"}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I'm diabetic", [("diabetes (diabetic)", False)]),
        ("我糖尿病", [("糖尿病", False)]),
        ("高血压、糖尿病", [("高血压", False), ("糖尿病", False)]),
        ("asthma", [("asthma", True)]),
        ("糖尿病", [("糖尿病", True)]),
        ("糖尿病？", []),
    ],
)
def test_a_message_that_is_nothing_but_names_is_read(text: str, found: list[tuple[str, bool]]) -> None:
    assert [(each.text, each.possible) for each in read_safety(text)] == found


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("我對青黴素過敏", "allergy", "青霉素 (青黴素)"),
        ("我有高血壓，吃藥十年了", "disease", "高血压 (高血壓)"),
        ("前年做過膽囊切除手術", "surgery", "胆囊切除 (膽囊切除)"),
    ],
)
def test_traditional_characters_are_read_as_simplified_ones(text: str, kind: str, name: str) -> None:
    (found,) = read_safety(text)
    assert (found.kind, found.text) == (kind, name)
    assert found.quote in text
    assert read_safety("我沒有糖尿病，會不會是高血壓？") == []


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("【慢病】慢阻肺【过敏】阿司匹林【手术】无", "allergy", "阿司匹林"),
        ("花生我是碰都不能碰的", "allergy", "花生"),
        ("酒精我不耐受", "allergy", "酒精"),
        ("If I so much as lick a cashew my throat closes up", "allergy", "cashew"),
        ("I gave my left kidney to my brother in 2013", "surgery", "kidney"),
        ("2022年甲状腺癌做的全切", "surgery", "甲状腺癌做的全切"),
        ("高血压二十年了能喝酒吗", "disease", "高血压"),
        ("痛风石都长到手上了还能吃火锅吗", "disease", "痛风石"),
        ("备孕三年了，多囊嘛，月经想来就来", "disease", "多囊卵巢综合征"),
        ("小三阳带了二十多年，要不要用公筷", "disease", "小三阳"),
        ("查过血的，尘螨四级，一抖被子就喷嚏连天", "allergy", "尘螨"),
        ("小时候吃我外婆一把蚕豆尿成酱油色。另外磺胺类我吃出过一身皮疹", "allergy", "磺胺类"),
        ("21年查出甲癌，全切了，淋巴没事", "surgery", "甲癌，全切了"),
        ("肾就剩一个了，另一个捐给我弟了", "surgery", "肾"),
        ("bloody gout's back, big toe, third time this yr", "disease", "gout"),
        ("Am G6PD deficient (navy medic found it)", "disease", "g6pd"),
        ("My elbows look like cornflakes (psoriasis, had it since uni)", "disease", "psoriasis"),
        ("milk goes straight through me, always has", "allergy", "milk"),
        ("hair dye. whole face blew up like a balloon", "allergy", "hair dye"),
        ("they cut a foot of bowel out of me in 2021", "surgery", "bowel"),
    ],
)
def test_what_patients_say_of_themselves_in_their_own_way(text: str, kind: str, name: str) -> None:
    found = [each for each in read_safety(text) if each.kind == kind and not each.denied]
    assert [(name in each.text, each.subject, each.possible) for each in found] == [(True, "user", False)]


@pytest.mark.parametrize(
    "text",
    [
        "我外婆、我妈、我小姨都是糖尿病，我自己每年查都正常",
        "A friend texted me her blood results, it says hypothyroidism",
        "乳糖不耐受和牛奶蛋白过敏有什么区别？这道题老是选错",
        "我在内分泌科当护士，天天跟糖尿病、甲亢的打交道",
        "我偶像胃溃疡出血还带病上台",
        "放射科的人跟我说八成是肺癌",
        "医生说可以做，我计划国庆后把胆囊切了",
        "I'm having bunion surgery in January, already have the date",
        "省城查了，主任讲跟狼疮不沾边",
        "打诺和锐30，半夜老心慌出虚汗，起来找糖吃",
        "医生提了一嘴说实在不行可以把扁桃体切了，我还没想好",
        "whats the difference between lactose intolerance and a milk allergy",
        "our lab Biscuit has epilepsy and had his spleen out in May",
        "dentist keeps pushing me to get all 4 wisdom teeth out",
        "The gastro says it is nothing",
        "the allergy clinic says it was never the lidocaine!",
    ],
)
def test_relatives_friends_records_and_todays_complaint_are_no_allergies(text: str) -> None:
    assert [each for each in read_safety(text) if each.subject == "user"] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("磺胺过敏，别的没啥，就是肚子不舒服", "磺胺"),
        ("拆线的时候别戴乳胶手套，我过敏", "乳胶"),
        ("I carry an EpiPen because of tree nuts.", "tree nuts"),
        ("Allergic to latex, should I tell the dentist?", "latex"),
        ("对头孢过敏，这个消炎药可以吃么？", "头孢"),
        ("我正在哺乳，感冒了能吃药吗？", "哺乳"),
        ("please no latex gloves on me, i come up in welts", "latex"),
        ("not bactrim tho, last time it had me covered in hives", "bactrim"),
        ("The twins arrived by C-section at the end of August.", "C-section"),
    ],
)
def test_what_is_told_in_passing_is_the_speakers(text: str, name: str) -> None:
    firm = {each.text for each in read_safety(text) if each.subject == "user" and not each.possible}
    assert any(name in each for each in firm), firm


@pytest.mark.parametrize(
    "text",
    [
        "从小就讨厌香菜，一闻就恶心。",
        "上回吃小龙虾吃坏了，上吐下泻。",
        "Even the smell of curry turns my stomach.",
        "Had covid, I can't smell a thing. Coffee is like water to me.",
        "I'm on sertraline for anxiety. Still waking up with my heart pounding.",
    ],
)
def test_disgust_bad_food_and_what_was_there_before_are_no_allergies_yet(text: str) -> None:
    assert [each for each in read_safety(text) if each.kind == "allergy" and not each.possible] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("打了青霉素全身起疹子，送了急诊，我最讨厌打针了。", "青霉素"),
        ("I got hives all over after amoxicillin, I can't stand the taste of it either.", "amoxicillin"),
    ],
)
def test_what_is_disliked_as_well_is_an_allergy_where_the_harm_is_none_of_disgust(text: str, name: str) -> None:
    assert name in {each.text for each in read_safety(text) if not each.possible}


def test_what_is_not_wanted_for_no_harm_of_its_own_is_no_allergy() -> None:
    found = read_safety("Not penicillin, last time I was given strawberries and came up in hives.")
    assert "penicillin" not in {each.text for each in found if not each.denied and not each.possible}


@pytest.mark.parametrize("text", ["洗衣液换了以后，身上一点都不痒了。", "羽毛球不打了，膝盖疼。"])
def test_harm_that_is_over_and_a_game_are_no_allergies(text: str) -> None:
    assert [each for each in read_safety(text) if each.kind == "allergy"] == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("我有高血压，心脏病排除了。", "高血压"),
        ("我有糖尿病，以前误诊了好几年。", "糖尿病"),
        ("我对青霉素过敏，上次药房把药拿错了，弄错了剂量。", "青霉素"),
        ("我最近吃阿莫西林起了一身疹子。", "阿莫西林"),
        ("我有下列疾病：高血压、糖尿病。", "糖尿病"),
        ("朋友发给我的药我没吃，我对青霉素过敏。", "青霉素"),
        ("我上网查了很多，我有高血压。", "高血压"),
        ("I'm worried that my asthma is back.", "asthma"),
        ("I'm afraid my diabetes is out of control.", "diabetes"),
        ("I'm scared, I have asthma.", "asthma"),
        ("Good news: I'm off the inhaler, though I still have asthma.", "asthma"),
        ("I have asthma. I never had one of these rashes before.", "asthma"),
        ("I have diabetes. The dressing was wet so they took it off.", "diabetes"),
        ("I have celiac disease, I was misdiagnosed for years.", "celiac disease"),
        ("I'm allergic to penicillin. I asked for a taxi and they said no, so I walked.", "penicillin"),
    ],
)
def test_what_proved_wrong_of_something_else_takes_nothing_away(text: str, name: str) -> None:
    assert name in {each.text for each in read_safety(text) if not each.denied and not each.possible}
