"""气喘 is asthma or a complaint; an animal is an allergen or somebody: what stands beside them says which."""

import pytest

from memory.clinical.languages import in_use
from memory.clinical.safety import read_safety
from tests.facts_told import facts_told, safety_told
from tests.growth import assert_grows

HAS_ASTHMA = [
    "我有气喘",
    "我有氣喘，天氣一冷就不舒服",
    "患有气喘十几年了",
    "我有氣喘病史",
    "醫生診斷我是氣喘",
    "既往史：氣喘、高血壓",
    "我气喘好多年了，一直在用吸入剂",
    "本人有气喘和过敏性鼻炎",
    "我從小就有氣喘",
    "我有高血壓跟氣喘",
    "我是气喘患者，想问感冒药能不能吃",
    "有氣喘，對阿斯匹靈過敏",
    "我之前被诊断过气喘",
    "我患有氣喘，可以打疫苗嗎",
    "我的气喘最近控制得不太好",
    "我得过气喘，现在还在用药",
    "我有氣喘跟鼻子過敏",
]
OUT_OF_BREATH = [
    "走路会气喘",
    "爬两层楼就气喘吁吁",
    "最近爬樓梯有點氣喘",
    "跑步之后气喘得厉害",
    "今天早上开始气喘，还咳嗽",
    "有气喘、胸闷的症状两天了",
    "晚上躺下有气喘，坐起来好些",
    "搬完東西氣喘吁吁的，休息一下就好",
    "我有气喘两天了",
    "我的气喘声很大，刚跑完步",
    "我有气喘，从昨天开始的",
    "我有点气喘，要不要去医院",
    "我现在有气喘，胸口闷",
]
NO_ASTHMA_OF_MINE = [
    "我妈有气喘",
    "我是不是得了气喘啊",
    "氣喘會遺傳嗎",
    "怎么知道自己有没有气喘",
    "我怕我有氣喘",
    "我同學有氣喘",
    "我家狗气喘得厉害",
    "如果我有氣喘可以吃布洛芬嗎",
    "医生说可能是气喘",
    "我爸患有气喘，我没有",
]


@pytest.mark.parametrize("text", HAS_ASTHMA)
def test_breathlessness_that_somebody_has_as_a_disease_is_asthma(text: str) -> None:
    diseases = [each.text for each in read_safety(text) if each.kind == "disease" and not each.possible]
    assert any(name.startswith("哮喘 (") for name in diseases)
    assert all(fact.predicate != "symptom" for fact in facts_told(text) if "喘" in fact.object)


@pytest.mark.parametrize("text", OUT_OF_BREATH)
def test_breathlessness_that_is_felt_is_a_complaint(text: str) -> None:
    assert safety_told(text) == set()
    assert all(each.kind != "disease" for each in read_safety(text))
    assert any(fact.predicate == "symptom" for fact in facts_told(text)) or "吁吁" in text or "要不要" in text


@pytest.mark.parametrize("text", NO_ASTHMA_OF_MINE)
def test_asthma_of_others_or_in_doubt_is_not_the_users(text: str) -> None:
    assert safety_told(text) == set()


@pytest.mark.parametrize(
    ("text", "kind"),
    [("我没有气喘", "disease"), ("我沒有氣喘病史", "disease"), ("没有气喘，就是咳嗽", "symptom")],
)
def test_denied_breathlessness_is_what_it_would_be(text: str, kind: str) -> None:
    assert ("-", kind) in {(fact.polarity, fact.predicate) for fact in facts_told(text)}


BORNE_NOT = [
    ("我对猫过敏", {"猫"}),
    ("我對貓過敏", {"猫 (貓)"}),
    ("过敏原：猫、尘螨", {"猫", "尘螨"}),
    ("过敏史：尘螨，狗，花粉", {"尘螨", "狗", "花粉"}),
    ("I have a cat allergy", {"cat"}),
    ("dog allergy", {"dog"}),
    ("I'm allergic to cats", {"cats"}),
    ("my cat allergy is playing up again", {"cat"}),
    ("i have a bad allergy to horses", {"horses"}),
    ("我對馬過敏，騎馬會全身癢", {"马 (馬)"}),
    ("对猫狗都过敏", {"猫", "狗"}),
    ("对我家猫过敏", {"猫"}),
    ("我對狗毛過敏", {"狗毛"}),
    ("我对青霉素和猫过敏", {"青霉素", "猫"}),
    ("我家猫对鸡肉过敏，我对虾过敏", {"虾"}),
    ("是我对猫过敏，不是猫对我过敏", {"猫"}),
    ("i have a rabbit allergy", {"rabbit"}),
    ("我对猫、狗和花粉都严重过敏", {"猫", "狗", "花粉"}),
    ("我对马齿苋过敏", {"马齿苋"}),
    ("我对狗尾草过敏", {"狗尾草"}),
]


@pytest.mark.parametrize(("text", "names"), BORNE_NOT)
def test_animal_that_somebody_is_allergic_to_is_an_allergen(text: str, names: set[str]) -> None:
    assert {each.text for each in read_safety(text) if each.kind == "allergy" and not each.possible} == names
    assert {fact.object for fact in facts_told(text) if fact.predicate == "allergy"} == names


def test_animal_that_is_an_answer_is_an_allergen() -> None:
    (found,) = read_safety("猫和狗毛", "您对什么过敏？")[:1]
    assert (found.kind, found.text) == ("allergy", "猫")


@pytest.mark.parametrize(
    "text",
    [
        "我家猫过敏了",
        "my cat is allergic to chicken",
        "my cat has an allergy",
        "我家狗对鸡肉过敏",
        "猫会过敏吗",
        "can you be allergic to cats?",
        "my dog's allergies are back",
        "我女儿对猫过敏",
        "我家狗对猫过敏",
        "the cat had an allergic reaction to its vaccine",
        "my husband has a dog allergy",
        "我家猫得了皮肤病，医生说是过敏",
        "我朋友對貓過敏",
        "the vet says my dog's allergic to beef",
        "我怕我对猫过敏，还没养",
        "how do i know if its a cat allergy",
        "不知道是猫过敏还是我过敏",
        "allergy shots for my horse are expensive",
        "我猫过敏了",
        "马上就肿了",
        "被狗咬了，手肿了",
        "猫抓了我一下，肿了",
        "对狗过敏吗",
        "我对狗年出生的人过敏",
        "我对马上要开会过敏",
        "过敏的是狗，不是我",
        "狗的过敏原：鸡肉、尘螨",
        "给猫查过敏原，鸡肉阳性",
        "do cats have allergies",
    ],
)
def test_pets_stay_pets(text: str) -> None:
    assert {each for each in safety_told(text) if each[1] == "allergy"} == set()
    assert [each for each in read_safety(text) if each.kind == "allergy" and each.subject == "user"] == []


@pytest.mark.parametrize(
    "text", ["我马上去骑马", "我养了一只猫和两只狗", "熊猫吃竹子", "老鼠药", "过敏原查了，猫阴性", "过敏原查了，猫没事"]
)
def test_animal_without_an_allergy_is_no_word_of_medicine(text: str) -> None:
    assert all(mention.term.tag != "animal" for mention in in_use().lexicon.mentions(text))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("过敏原：猫毛阴性", set()),
        ("过敏原：猫毛、尘螨，均阴性", set()),
        ("过敏原：猫阴性，尘螨也是阴性", set()),
        ("过敏原：沙丘草阴性", set()),
        ("过敏原：全阴性", set()),
        ("过敏史：青霉素（皮试阴性）", set()),
        ("过敏原：阴性：猫毛", set()),
        ("过敏原：猫毛（-），尘螨", {"尘螨"}),
        ("过敏原：猫毛（阴性）、花生（阳性）", {"花生"}),
        ("过敏原：尘螨 阴性 花粉 阳性", {"花粉"}),
        ("过敏原：花生，阴性的有猫毛", {"花生"}),
        ("Allergies: penicillin (tested negative), latex", {"latex"}),
        ("Allergies: penicillin, negative for latex", {"penicillin"}),
        ("Allergies: zorbalin negative", set()),
        ("过敏原查了，猫阴性", set()),
        ("过敏原查了，猫阳性", {"猫"}),
    ],
)
def test_what_was_tested_and_is_borne_is_no_allergy(text: str, names: set[str]) -> None:
    assert {each.text for each in read_safety(text) if each.kind == "allergy" and not each.possible} == names


@pytest.mark.parametrize(("text", "names"), [("猫我过敏", {"猫"}), ("我家猫我过敏", set()), ("那只猫我过敏", set())])
def test_animal_that_is_somebodys_is_no_allergen_before_who_is_allergic(text: str, names: set[str]) -> None:
    assert {each.text for each in read_safety(text) if each.kind == "allergy"} == names


@pytest.mark.parametrize(
    ("text", "is_had"),
    [
        ("患者气喘", False),
        ("患气喘", True),
        ("我有病史。气喘两天了", False),
        ("我有病史：气喘", True),
        ("血压高。有气喘", True),
        ("血压高，有气喘", False),
        ("血压高！有气喘", True),
    ],
)
def test_word_of_two_meanings_is_decided_by_what_stands_before_it_in_its_sentence(text: str, *, is_had: bool) -> None:
    (mention,) = [each for each in in_use().lexicon.mentions(text) if text[each.start :].startswith("气喘")]
    assert (mention.kind == "disease") == is_had


@pytest.mark.parametrize("piece", ["对猫", "过敏原：猫、", "猫、", "我有气喘、", "气喘多年", "狗我过敏"])
def test_words_of_two_meanings_are_decided_in_linear_time(piece: str) -> None:
    in_use()
    assert_grows(read_safety, lambda chars: (piece * chars)[:chars], 4_000)
