"""What a second nurse and a reviewer found: answers of any length, tests of something else, whose it is, pauses.

Half of the sentences stand beside a rule that must not read them.
"""

import pytest

from memory.clinical.health.reading import read_health
from memory.clinical.safety import read_safety

READ: list[tuple[str, str, list[str], list[str]]] = [
    ("", "I'm allergic to penicillin. I've been tested for COVID twice and it was negative.", ["penicillin"], []),
    ("", "I take warfarin, INR tested and it's fine", ["warfarin"], ["warfarin"]),
    ("", "I have type 1 diabetes, tested my ketones and it's fine", ["type 1 diabetes"], []),
    ("", "I'm allergic to peanuts, my son was tested and it was negative", ["?peanuts"], []),
    ("", "I was told I was allergic to penicillin as a child, tested last year and I'm not", [], []),
    ("Any allergies?", "they said penicillin when i was a kid but i got tested last year and im not", [], []),
    ("", "青霉素过敏，再做头孢皮试没问题", ["青霉素"], []),
    ("", "青霉素过敏，后来换头孢皮试没事，就用头孢", ["青霉素"], ["头孢"]),
    ("", "我花粉过敏。前年青霉素皮试没事", ["花粉"], []),
    ("", "我有哮喘，后来皮试没反应", ["哮喘"], []),
    ("", "我爸青霉素过敏，我后来皮试没事", ["青霉素@我爸"], []),
    ("", "小时候青霉素过敏，后来做皮试没事", [], []),
    ("", "头孢后来做皮试没事，打上去就休克了", ["头孢"], []),
    ("", "我有高血压，好了，先不聊了", ["高血压"], []),
    ("", "我有糖尿病。好了，谢谢", ["糖尿病"], []),
    ("", "HIV, hepatitis C, cured", ["hepatitis c", "hiv"], []),
    ("", "我有哮喘和胃溃疡，治好了", ["哮喘", "胃溃疡"], []),
    ("", "I had breast cancer, all gone", ["breast cancer"], []),
    ("", "gestational diabetes with my first, gone now", [], []),
    ("", "甲亢，治好了", [], []),
    ("", "asthma with infection has cleared up", ["asthma"], []),
    ("", "I have cirrhosis with ascites gone", ["cirrhosis"], []),
    ("", "I have diabetes with my husband, gone", ["diabetes"], []),
    ("", "had gestational diabetes with my first but its gone", [], []),
    ("", "I had penicillin as a kid and got hives", ["penicillin"], []),
    ("", "I took aspirin as directed and got hives", ["aspirin"], []),
    ("", "took bactrim because of a UTI - rash", ["trimethoprim/sulfamethoxazole (bactrim)"], []),
    ("", "I take codeine, since then rash", ["codeine"], []),
    ("", "I took penicillin, because of which I had a rash", ["penicillin"], []),
    ("", "吃了阿莫西林，是因为这个起疹子的", ["阿莫西林"], []),
    ("", "吃阿司匹林，因为起荨麻疹停了", ["阿司匹林"], []),
    ("", "I take ibuprofen because my back hurts.", [], ["ibuprofen"]),
    ("", "我吃布洛芬，因为背疼", [], ["布洛芬"]),
    ("", "打头孢没事，后来被蜜蜂蜇休克了", ["蜜蜂蜇"], ["头孢"]),
    ("", "amoxicillin I'm fine with, but peanuts sent me into anaphylactic shock", ["peanuts"], ["amoxicillin"]),
    ("", "头孢做皮试阴性，打上去就休克了", ["?头孢"], []),
    ("", "I'm on tamoxifen until my surgery", [], ["tamoxifen"]),
    ("", "I take statins and I've got an appointment for my procedure", ["?high cholesterol"], ["statins"]),
    ("", "I came off citalopram before my surgery and haven't needed it since", [], ["-citalopram"]),
    ("", "warfarin was paused and then stopped for good", [], ["-warfarin"]),
    ("", "I hold my inhaler like this", [], ["inhaler"]),
    ("Any allergies?", "no, also I'm diabetic", ["-*", "diabetes (diabetic)"], []),
    ("有过敏吗？", "没有，另外我有高血压", ["-*", "高血压"], []),
    ("Any drug allergies?", "no, and I've taken penicillin many times", ["-*"], ["penicillin"]),
    ("Any allergies?", "and ramipril 5mg daily", [], ["ramipril"]),
    ("I'd like to give you penicillin. Do you have allergies?", "no", ["-*"], []),
    ("打头孢前问下，有过敏吗", "没有", ["-*"], []),
    ("有过敏吗？青霉素？海鲜？", "没有", ["-*"], []),
    ("Are you allergic to penicillin?", "no, never had a reaction to anything", ["-*"], []),
    ("", "上过环球影城", [], []),
    ("", "我放了个环绕音响", [], []),
    ("", "我带了个环保袋", [], []),
    ("", "I have asthma, my son's eczema cleared up after the birth", ["asthma"], []),
    ("", "my wife is allergic to cats and dogs make me happy", ["cats@my wife", "dogs@my wife"], []),
    ("", "医生没说不让吃优甲乐，我一直吃", [], ["左甲状腺素 (优甲乐)"]),
    ("", "不准我再吃二甲双胍，但我还在吃", ["?糖尿病"], ["二甲双胍"]),
    ("", "氨氯地平吃完早饭就没吃了别的", [], ["氨氯地平"]),
    ("", "二甲双胍和格列齐特会低血糖，停了", [], ["-二甲双胍", "-格列齐特"]),
    ("", "I'm pretty sure I have diabetes, the doctor told me last year", ["diabetes"], []),
    ("", "she's worried I'll get diabetes", [], []),
    ("", "医生考虑糖尿病饮食", [], []),
    ("", "Cats! they have asthma", [], []),
    ("It's for a friend with HIV?", "yes", [], []),
    ("", "there's children's paracetamol at home", [], ["acetaminophen (paracetamol)"]),
    ("Any allergies?", "just sulfa, doxy is fine", ["sulfa"], []),
    ("Any allergies?", "just penicillin, amoxicillin is ok though", ["penicillin"], []),
    ("Any allergies?", "nope none, well nickel, belt buckles, thats it", ["nickel"], []),
    ("Any allergies?", "no, well, nickel actually", ["nickel"], []),
    ("Any allergies?", "no... oh wait penicillin yes", ["penicillin"], []),
    ("Any allergies?", "nope. actually yes, ibuprofen", ["ibuprofen"], []),
    ("Any allergies?", "no nothing... well penicillin", ["penicillin"], []),
    ("有过敏吗？", "没有 等下 磺胺好像有", ["?磺胺"], []),
    ("", "别漂醇不能吃，一吃就脱皮", ["别嘌醇 (别漂醇)"], []),
    ("", "Hep B they tested before the biologics, negative", [], []),
    ("", "乙肝查了 两对半全阴", [], []),
    ("", "HIV checked last month, negative", [], []),
    ("", "梅毒艾滋都查了 都是阴性", [], []),
    ("", "艾滋查过 没有", [], []),
    ("", "丙肝查过了 正常", [], []),
    ("", "糖尿病查过 没事", [], []),
    ("", "以前吃华法林 去年换成利伐沙班了", ["利伐沙班"], ["-华法林", "利伐沙班"]),
    ("", "华法林早停了", [], ["-华法林"]),
    ("", "i used to be on warfarin", [], ["-warfarin"]),
    ("", "finished my eliquis in june", [], ["-apixaban (eliquis)"]),
    ("", "not bad. sister's pregnant", ["pregnant@sister"], []),
    ("", "fine. hubby's got a pacemaker", ["pacemaker implantation (got a pacemaker)@hubby"], []),
    ("are you pregnant or nursing?", "still feeding my 14 month old at night", ["breast-feeding"], []),
    ("How is baby fed?", "exclusively breastfed", ["breast-feeding"], []),
    ("", "还没断奶呢", ["哺乳期"], []),
    ("目前哺乳吗", "夜里还喂两顿", ["哺乳期"], []),
    ("Are you breastfeeding?", "just at bedtime", ["breast-feeding"], []),
    ("有药物过敏吗", "青霉素过敏 都给我打阿奇霉素", ["青霉素"], ["阿奇霉素"]),
    (
        "",
        "doctor reckons i might be allergic to doxycycline too, got a rash but could of been the sun",
        ["?doxycycline"],
        [],
    ),
    ("Are you pregnant or could you be?", "hmm period is 3 weeks late so maybe, havent tested", ["?pregnant"], []),
    ("", "心内科说停五天 我从礼拜五就没吃了", [], []),
    ("", "told me to hold the methotrexate", [], []),
    ("", "metformin on hold", [], []),
    ("", "前列腺大", ["?前列腺增生 (前列腺大)"], []),
    ("", "心脏搭了俩桥", ["冠状动脉搭桥 (搭了俩桥)"], []),
    ("", "宫外孕做过一个", ["宫外孕手术 (宫外孕做过)"], []),
    ("", "mum has rheumatoid, aunt sjogrens", ["rheumatoid arthritis@mum", "sjogren's syndrome (sjogrens)@aunt"], []),
    ("", "mum diabetes, sister asthma", ["asthma@sister", "diabetes@mum"], []),
    ("", "青霉素过敏，哦不对，青霉素是我老公，我是头孢", ["-青霉素", "头孢", "青霉素@我老公"], []),
    ("", "花生过敏的是我老公。我是乳胶手套碰了就起水疱喘气", ["-花生", "乳胶手套", "花生@我老公"], []),
    ("Any allergies?", "penicillin is my son's, i'm fine", ["-penicillin", "penicillin@my son"], []),
    ("Any allergies?", "ibuprofen my wife gave me", ["ibuprofen"], []),
    ("", "青霉素是我爸给我买的", [], ["青霉素"]),
    ("", "i take amlodipine, was on ramipril before and my lips swelled up", ["ramipril"], ["amlodipine"]),
    ("", "非布司他吃着呢，以前吃别漂醇浑身脱皮住院了", ["别嘌醇 (别漂醇)"], ["非布司他"]),
]
"""What was asked and said, what is read of safety (? possible, - denied, @ whose), and which medicines (- no more)."""


@pytest.mark.parametrize(("before", "text", "safety", "medicines"), READ, ids=[row[1][:48] for row in READ])
def test_what_was_found_wrong_is_read(before: str, text: str, safety: list[str], medicines: list[str]) -> None:
    told = {
        "?" * each.possible + "-" * each.denied + each.text + ("" if each.subject == "user" else f"@{each.subject}")
        for each in read_safety(text, before)
    }
    taken = {
        "-" * each.denied + each.text
        for each in read_health(text, before)
        if each.kind == "medication" and each.subject == "user"
    }
    assert (sorted(told), sorted(taken)) == (safety, medicines)
