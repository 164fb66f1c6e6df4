"""A no that goes on, what is taken instead of an allergen, harm behind a test that was well, amounts that changed.

Half of the sentences stand beside a rule that must not read them.
"""

import pytest

from memory.clinical.corrections.held import held_of, put_right
from memory.clinical.corrections.reading import corrections
from memory.clinical.health.reading import read_health
from memory.clinical.safety import read_safety
from tests.readings import medicines_of, safety_of

READ: list[tuple[str, str, list[str], list[str]]] = [
    ("对什么过敏吗？", "没有，不过吃虾会肿嘴", ["?虾"], []),
    ("对什么药过敏吗？", "没有，就是吃芒果嘴会痒", ["?芒果"], []),
    ("对什么过敏吗？", "没有，但吃阿莫西林拉肚子", ["?阿莫西林"], ["阿莫西林"]),
    ("对什么过敏吗？", "没有，不过我在吃二甲双胍", ["-*", "?糖尿病"], ["二甲双胍"]),
    ("对什么过敏吗？", "没有，就是不爱吃鱼", ["-*"], []),
    ("有无食物过敏或忌口？", "不过敏，就是不吃羊肉，嫌膻", ["-*", "?羊肉"], []),
    ("", "没有过敏但在吃二甲双胍", ["-*"], ["二甲双胍"]),
    ("", "没有青霉素过敏但头孢过敏", ["头孢"], []),
    ("对什么过敏吗？", "没有但对虾", ["虾"], []),
    ("对什么过敏吗？", "没有但是我爸对虾过敏", ["-*", "虾@我爸"], []),
    ("Any allergies?", "no, but shrimp makes my lips swell", ["shrimp"], []),
    ("Any allergies?", "Nope, except I get hives from ibuprofen", ["ibuprofen"], []),
    ("Any allergies?", "no but I take aspirin daily", ["-*"], ["aspirin"]),
    ("Any allergies?", "no but my brother is allergic to nuts", ["-*", "nuts@my brother"], []),
    ("Any allergies?", "none but penicillin", ["penicillin"], []),
    ("Any allergies?", "nothing but peanuts", ["peanuts"], []),
    ("Any allergies?", "None. I've got asthma though", ["-*", "asthma"], []),
    ("Do you have any heart conditions?", "no but my brother does", [], []),
    ("Any allergies?", "no allergies but I take ramipril and it makes me cough", [], ["ramipril"]),
    ("", "no allergies to penicillin but I can't take codeine", ["codeine"], []),
    ("", "吃了头孢肿眼睛", ["头孢"], []),
    ("", "吃布洛芬消肿止痛", [], ["布洛芬"]),
    ("", "打肿脸充胖子吃海鲜", [], []),
    ("", "吃虾不太舒服", ["?虾"], []),
    ("", "我牛奶过敏 所以我喝豆浆", ["牛奶"], []),
    ("", "我对牛奶过敏 所以喝豆浆", ["牛奶"], []),
    ("", "我花生过敏 杏仁可以吃", ["花生"], []),
    ("", "酒精过敏，抽血别用酒精棉", ["酒精"], []),
    ("", "我酒精过敏，抽血请用碘伏消毒", ["酒精"], []),
    ("", "我青霉素过敏 平时感冒吃阿奇霉素", ["青霉素"], ["阿奇霉素"]),
    ("", "I'm allergic to penicillin so I take erythromycin", ["penicillin"], ["erythromycin"]),
    ("", "吃头孢过敏，吃阿奇也过敏", ["头孢", "阿奇霉素"], []),
    ("", "青霉素过敏，打头孢起疹子", ["头孢", "青霉素"], []),
    ("", "对海鲜过敏，吃了虾就不行", ["海鲜", "虾"], []),
    ("", "我过敏，吃了虾", ["?虾"], []),
    (
        "",
        "I'm allergic to penicillin. doctor reckons i might be allergic to doxycycline too, got a rash",
        ["?doxycycline", "penicillin"],
        [],
    ),
    ("", "医生怀疑我对头孢过敏，起了疹子", ["?头孢"], []),
    ("", "my GP suspects I'm allergic to latex", ["?latex"], []),
    ("", "I think I'm allergic to doxycycline", ["doxycycline"], []),
    ("", "查出来癌了", ["癌"], []),
    ("", "我爸得了癌", ["癌@我爸"], []),
    ("", "penicillin skin test was fine but my throat closed", ["penicillin"], []),
    ("", "skin test for penicillin was ok but i still got hives", ["penicillin"], []),
    ("", "penicillin skin test was fine", [], ["penicillin"]),
    ("", "青霉素皮试没事但是打了之后喉咙肿了", ["青霉素"], []),
    ("", "青霉素皮试没事，但是脚肿", [], []),
    ("Any allergies?", "does alcohol count? I go red all over", ["?alcohol"], []),
    ("", "does penicillin count if it just gives me the runs?", [], []),
    ("您家孩子有什么过敏吗？", "花生", ["花生@孩子"], []),
    ("", "我家孩子对花生过敏", ["花生@我家孩子"], []),
    ("", "血压高，医生说是高血压", ["高血压"], []),
    ("您做的是哪只眼睛的白内障手术？", "右眼", ["白内障手术 (右眼)"], []),
    ("Have you had cataract surgery?", "right eye done last yr", ["cataract surgery (right eye)"], []),
    ("Any allergies?", "nickel. belt buckles give me a weepy red patch every time", ["nickel"], []),
    ("Are you allergic to anything?", "nuts. no drug allergies", ["nuts"], []),
    ("Are you allergic to anything?", "nuts, but no drug allergies", ["nuts"], []),
    ("Any allergies?", "penicillin. no food allergies", ["penicillin"], []),
    (
        "Any allergies?",
        "metformin 1000 twice a day. no allergies. wait, i swelled up from shrimp",
        ["-*", "?diabetes", "shrimp"],
        ["metformin"],
    ),
    ("Are you allergic to penicillin?", "penicillin no", ["-penicillin"], []),
    ("Are you allergic to penicillin or latex?", "penicillin no latex yes", ["-penicillin", "latex"], []),
    ("Any allergies?", "cats, no penicillin", ["cats"], []),
    ("Any allergies?", "nuts, no meds", ["nuts"], []),
    ("Have you ever reacted to contrast or any drug?", "contrast no, ibuprofen yes", ["-contrast", "ibuprofen"], []),
    ("对酒精、胶布过敏吗？", "酒精不会 胶布会", ["-酒精", "胶布"], []),
    ("您对药物过敏吗？", "青霉素没用过", [], []),
    ("您对药物过敏吗？", "青霉素不知道", ["?青霉素"], ["青霉素"]),
    ("对什么过敏", "虾 没别的", ["虾"], []),
    (
        "目前在用什么药？",
        "秋水仙碱吃了两片 别嘌醇不敢吃 以前吃了脱皮 医生说是过敏 这辈子不能碰",
        ["别嘌醇"],
        ["秋水仙碱"],
    ),
    ("目前吃什么药？", "氨氯地平 阿司匹林过敏", ["阿司匹林"], ["氨氯地平"]),
    ("对什么过敏？", "阿莫西林 头孢过敏", ["头孢", "阿莫西林"], []),
    ("Any kidney problems?", "no", [], []),
    ("Any heart problems or other conditions?", "no", ["-*"], []),
    ("您有慢性病吗？", "没有", ["-*"], []),
    ("心脏有什么问题吗？", "没有", [], []),
    ("您平时有高血压、糖尿病这些慢性病吗？", "没有，啥慢性病都没有", ["-*"], []),
    ("Is that for blood pressure?", "no had a heart attack in feb", ["?myocardial infarction (heart attack)"], []),
    ("有哮喘吗？", "有 小时候就有", ["哮喘"], []),
    ("有哮喘吗？", "小时候有，后来好了", [], []),
    ("Do you have high blood pressure?", "yes. lisinopril 20mg a day, used to be 10", ["hypertension"], ["lisinopril"]),
    ("Any medical conditions?", "yes since i was a kid. asthma", ["asthma"], []),
    ("有慢性病吗？", "打算要孩子 有癫痫", ["癫痫"], []),
    ("", "没怀 打算下半年要孩子 正吃叶酸呢", [], ["叶酸"]),
    ("", "they said i might have asthma", ["?asthma"], []),
    ("", "I think I might have lupus", [], []),
    ("有没有脑梗、青光眼这些病史？", "脑梗没有 青光眼是我妹有", ["青光眼@我妹"], []),
    ("有没有糖尿病？", "糖尿病是我爸有 我没有", ["糖尿病@我爸"], []),
    (
        "Are you taking any blood thinners?",
        "Not anymore. I was on warfarin but they switched me to Eliquis 5 mg twice a day",
        ["-warfarin", "apixaban (Eliquis)"],
        ["-warfarin", "apixaban (Eliquis)"],
    ),
    ("左氧氟沙星还在吃吗？", "停了", [], ["-左氧氟沙星"]),
    ("二甲双胍还在吃吗？", "停了 大夫让停的", [], ["-二甲双胍"]),
    ("", "they switched me from ticagrelor to prasugrel cos i was breathless", [], ["-ticagrelor", "prasugrel"]),
    ("", "was on propranolol 40 twice daily but came off it made me wheezy", [], ["-propranolol"]),
    ("Have you tried anything for the throat?", "ibuprofen i stay away from cos of the asthma", ["asthma"], []),
    ("", "so is nurofen ok or not", [], []),
    (
        "Any allergies?",
        "Codeine makes me sick to my stomach but I wouldn't call it an allergy. Sulfa is the one I'm allergic to",
        ["?codeine", "sulfa"],
        [],
    ),
    ("Any allergies?", "ibuprofen gives me heartburn", ["?ibuprofen"], ["ibuprofen"]),
    ("喝酒吗？海鲜过敏吗？", "酒戒了", [], []),
    ("Any allergies?", "no, but the doctor told me to steer clear of penicillin", ["?penicillin"], []),
    ("对什么过敏吗？", "没有，但我不能打青霉素", ["?青霉素"], []),
    ("对什么过敏吗？", "没有，但是磺胺类的医生不让用", ["?磺胺类"], []),
    ("Any allergies?", "no, but I can't have penicillin", ["?penicillin"], []),
    ("Any allergies?", "no, but peanuts taste horrible", ["-*"], []),
    ("Any allergies?", "no, but I take aspirin", ["-*"], ["aspirin"]),
    ("Any allergies?", "No, I mean yes, penicillin", ["penicillin"], []),
    ("对什么过敏？", "不对不对，有，青霉素", ["青霉素"], []),
    ("对什么过敏？", "没有，什么药都能吃", ["-*"], []),
    ("", "The doctor said I might need surgery and I'm allergic to latex", ["latex"], []),
    ("", "the hospital said that could have been fatal because I'm allergic to bee stings", ["bee stings"], []),
    ("", "what's the difference between lactose intolerance and milk allergy", [], []),
    ("", "haven't stopped my metformin, just halved it", [], []),
    ("", "I didn't stop the aspirin but I did stop the ibuprofen", [], ["-ibuprofen"]),
    ("", "打了头孢，脸上的肿消了", [], ["头孢"]),
    ("", "吃了头孢，脸肿了", ["头孢"], []),
    ("", "我吃折耳根没得事，吃蚕蛹就遭了，喉咙管紧得出不到气", ["?蚕蛹"], []),
    ("", "Can't wear wool or use lanolin cream, both make me come up in welts", ["lanolin", "wool"], []),
    ("", "青霉素皮试没事，但我吃虾起疹子", ["虾"], []),
    ("", "penicillin skin test was fine, however cats make me wheeze", ["cats"], ["penicillin"]),
]
"""What was asked and said, what is read of safety (? possible, - denied, @ whose), and which medicines (- no more)."""
AMOUNTS = [
    ("降压药从半片加到一片半", "降压药", "一片半", ""),
    ("氨氯地平以前一片，现在加到两片", "氨氯地平", "两片", ""),
    ("氨氯地平，以前一天一片，现在两片", "氨氯地平", "两片", ""),
    ("阿司匹林一天一片加到两片", "阿司匹林", "两片", ""),
    ("阿司匹林一天一片", "阿司匹林", "一片", "一天一片"),
    ("二甲双胍一天两次，一次一片", "二甲双胍", "一次一片", "一天两次"),
    ("华法林从两片半减到两片", "华法林", "两片", ""),
    ("amlodipine used to be 5, now 10", "amlodipine", "10", ""),
    ("泼尼松之前吃六片，现在吃两片", "泼尼松", "两片", ""),
    ("二甲双胍一天三片，一次一片", "二甲双胍", "三片，一次一片", "一天三片"),
    ("I take warfarin, my INR used to be 3 now 2.5", "warfarin", "", ""),
    ("I take ramipril, BP used to be 160, now 130", "ramipril", "", ""),
]
"""What was said, the medicine, how much and how often."""
PUT_RIGHT = [
    ("Type 1 diabetes, sorry type 2", ["-type 1 diabetes", "type 2 diabetes"]),
    ("I have Crohn's, no sorry, ulcerative colitis", ["-crohn's disease", "ulcerative colitis"]),
    ("I'm allergic to penicillin, sorry, I mean amoxicillin", ["-penicillin", "amoxicillin"]),
    ("我对青霉素过敏，说错了，是头孢", ["-青霉素", "头孢"]),
    ("青霉素过敏，不对，是头孢过敏", ["-青霉素", "头孢"]),
    ("I have asthma, sorry to bother you", []),
    ("I have asthma. No, diabetes runs in my family", []),
    ("I have asthma, no, diabetes is my dad's", []),
    ("I'm allergic to penicillin. sorry, latex too", []),
    ("I'm allergic to penicillin, wait, codeine too", []),
    ("I'm allergic to nuts, no, shellfish I can eat", []),
]
"""What was said, and what is right of it, and what was wrong (-)."""


@pytest.mark.parametrize(("before", "text", "safety", "medicines"), READ, ids=[row[1][:48] for row in READ])
def test_what_a_sentence_says_is_read_to_its_end(
    before: str, text: str, safety: list[str], medicines: list[str]
) -> None:
    assert (safety_of(text, before), medicines_of(text, before)) == (safety, medicines)


@pytest.mark.parametrize(("text", "medicine", "dose", "frequency"), AMOUNTS, ids=[row[0] for row in AMOUNTS])
def test_the_amount_is_what_it_was_changed_to(text: str, medicine: str, dose: str, frequency: str) -> None:
    (found,) = (each for each in read_health(text) if each.kind == "medication")
    told = dict(found.attributes)
    assert (found.text, told.get("dose", ""), told.get("frequency", "")) == (medicine, dose, frequency)


@pytest.mark.parametrize("text", ["阿司匹林以前吃，现在一片也不吃", "refused metformin, my weight dropped to 80"])
def test_an_amount_of_something_else_makes_no_medicine_taken(text: str) -> None:
    assert [each for each in read_health(text) if each.kind == "medication" and not each.denied] == []


@pytest.mark.parametrize(("text", "right"), PUT_RIGHT, ids=[row[0] for row in PUT_RIGHT])
def test_a_slip_is_put_right_in_one_breath(text: str, right: list[str]) -> None:
    found = put_right(corrections(text), held_of(read_safety(text)))
    assert sorted("-" * each.denied + each.text for each in found) == right


def test_one_thing_by_two_names_is_told_once_with_its_harm() -> None:
    (told,) = read_safety("I get a rash from plasters, I'm allergic to the adhesive")
    assert (told.text, told.reaction) == ("adhesive", "rash")
