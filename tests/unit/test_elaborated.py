"""Answers that grant what was asked about without a yes, and answers that tell harm of what the question names."""

import pytest

from memory.clinical.findings import ALLERGY, DISEASE, SURGERY, Finding
from memory.clinical.people import USER
from memory.clinical.safety import read_safety

GRANTED = [
    ("Have you had a caesarean section before?", "3 of them", SURGERY, "cesarean section"),
    ("既往分娩中有过剖宫产吗？", "两次，都是横切口", SURGERY, "剖宫产"),
    ("您身上有心脏支架或者起搏器吗？", "后面那个，2021年装的", SURGERY, "起搏器"),
    ("您装过心脏起搏器吗？什么牌子、哪年装的？", "美敦力的 2023年", SURGERY, "起搏器"),
    ("您的心脏支架是哪一年放的？放了几个？", "19年俩 22年又一个", SURGERY, "心脏支架"),
    ("When was your pacemaker fitted?", "march 2022, battery check last summer", SURGERY, "pacemaker"),
    ("Have you had your appendix removed?", "Affirmative, burst when I was 19", SURGERY, "append"),
    ("请问您的胆囊还在吗？", "不在了，前年腹腔镜拿掉的", SURGERY, "胆囊切除"),
    ("您装过埋藏式除颤器(ICD)吗？", "装了，去年八月", SURGERY, "除颤器"),
    ("白内障手术做了哪只眼？", "右眼做了，左眼还没", SURGERY, "右眼"),
    ("Have you had a joint replacement?", "both knees", SURGERY, "knees"),
    ("How long have you had high blood pressure?", "since my second pregnancy, so 9 yrs", DISEASE, "hypertension"),
    ("Do you have sleep apnoea?", "diagnosed 2020, CPAP every night", DISEASE, "sleep apnea"),
    ("Do you have glaucoma?", "In the left, yes, drops at night", DISEASE, "glaucoma"),
    ("有哮喘吗？最近一次发作是什么时候？", "上个月还喷过药", DISEASE, "哮喘"),
    ("请问您的糖尿病是几型？用胰岛素吗？", "1型的，一天四针", DISEASE, "糖尿病"),
    ("Any history of asthma or COPD?", "COPD", DISEASE, "copd"),
    (
        "Which of these apply to you: asthma, high blood pressure, heart failure, none?",
        "the first two",
        DISEASE,
        "asthma",
    ),
    ("您患有以下哪种疾病：1哮喘 2癫痫 3心脏病 4都没有", "第二个", DISEASE, "癫痫"),
    ("您以往有过哪些疾病？请回复编号：1高血压 2糖尿病 3冠心病 0均无", "1和3", DISEASE, "冠心病"),
    ("Reply with all that apply: A) heart failure B) stroke C) angina D) none", "A & C", DISEASE, "angina"),
    ("Why do you take apixaban?", "AF", DISEASE, "atrial fibrillation"),
    ("Any long-term conditions?", "just the blood pressure. oh and gout", DISEASE, "high blood pressure"),
    ("过敏史请选择：A青霉素 B头孢 C磺胺 D无", "B", ALLERGY, "头孢"),
    ("Which antibiotic gave you the rash?", "the trimethoprim one", ALLERGY, "trimethoprim"),
    ("您说有一次吃药后全身脱皮，是哪种药？", "卡马西平", ALLERGY, "卡马西平"),
    ("请选择您腰果过敏的严重程度：轻度 / 中度 / 重度", "重度", ALLERGY, "腰果"),
    ("Our file shows an allergy to peanuts. Is that still correct?", "still is, sadly", ALLERGY, "peanut"),
    ("您以前做青霉素皮试结果怎么样？", "阳性的，每次都阳性", ALLERGY, "青霉素"),
    ("What happens when you take codeine?", "throwing up for two days straight", ALLERGY, "codeine"),
    ("Are you OK with aspirin?", "nope, sets off wheezing", ALLERGY, "aspirin"),
    ("医生拟给您开阿莫西林胶囊，可以吗？", "不可以！上次吃了一身红疹子", ALLERGY, "阿莫西林"),
    ("明天的增强CT要注射碘造影剂，您以前用过吗？", "用过，脖子上全是风团，推了地塞米松才退", ALLERGY, "碘造影剂"),
    ("您上次用头孢曲松以后出现了什么情况？", "脸肿，喘不上气，直接送急诊了", ALLERGY, "头孢曲松"),
    ("您为什么停用了辛伐他汀？", "大腿肌肉疼得下不了楼，一查肌酶高", ALLERGY, "辛伐他汀"),
    ("您糖尿病多少年了？", "十年了", DISEASE, "糖尿病"),
    ("什么时候做的搭桥？", "2019年", SURGERY, "搭桥"),
    ("1型还是2型糖尿病？", "2型", DISEASE, "2型糖尿病"),
    ("您以前打增强造影剂有过不舒服吗？", "有，喉咙发紧喘不上气", ALLERGY, "造影剂"),
    ("What are you allergic to?", "dogs, horses", ALLERGY, "dog"),
    ("系统里没有记录，您是否对青霉素过敏？", "是的 小时候皮试就阳性", ALLERGY, "青霉素"),
    ("您的慢阻肺是什么时候诊断的？", "前年冬天", DISEASE, "慢阻肺"),
    ("您吃核桃会过敏吗？", "会", ALLERGY, "核桃"),
    ("What year was your gallbladder removed?", "07", SURGERY, "cholecystectomy"),
    ("Which of your knees was replaced?", "the left", SURGERY, "knee"),
    ("换的是哪一侧髋关节？", "右边", SURGERY, "髋关节置换"),
    ("您装过心脏支架，一共装了几个？", "三个", SURGERY, "心脏支架"),
    ("您对链霉素过敏是什么时候发现的？", "七几年吧，当知青那会儿", ALLERGY, "链霉素"),
    ("Which of these foods give you a reaction? 1) sesame 2) egg 3) kiwi 4) none", "3", ALLERGY, "kiwi"),
    ("您切除过以下哪些器官？可多选：1胆囊 2阑尾 3扁桃体 4都没有", "23", SURGERY, "扁桃体切除"),
    ("Select what you have had removed: 1. Gallbladder 2. Thyroid 3. Appendix", "2", SURGERY, "thyroid removed"),
    ("Choose all that apply: 1 pacemaker 2 joint replacement 3 breast implants", "3, and 2 (hip)", SURGERY, "breast"),
    ("You said an antibiotic gave you hives. Which antibiotic was it?", "the cipro, the big ones", ALLERGY, "cipro"),
    ("您说被虫子蜇后抢救过，请问是什么虫子？", "马蜂", ALLERGY, "马蜂"),
    ("What happens to you when you eat peanuts?", "my tongue swells and I can't breathe", ALLERGY, "peanut"),
    ("Are you OK with iodine on the skin (Betadine)?", "no, blisters", ALLERGY, "iodine"),
    ("", "我背上埋了个脊髓刺激器，能做核磁吗", SURGERY, "脊髓刺激器"),
    ("您的克罗恩病现在稳定吗？", "还行吧，打着英夫利昔", DISEASE, "克罗恩病"),
    ("Last time you mentioned rheumatoid arthritis. How's it doing?", "got worse over winter", DISEASE, "rheumatoid"),
    ("您几岁查出癫痫的？", "12", DISEASE, "癫痫"),
    ("What stage is your kidney disease?", "3b", DISEASE, "kidney"),
    ("乙肝是大三阳还是小三阳？", "小", DISEASE, "乙肝"),
    ("心脏里放了几个支架？", "俩", SURGERY, "支架"),
    ("除了红斑狼疮，还有别的病吗？", "就这一个", DISEASE, "狼疮"),
    ("Apart from penicillin, are you allergic to anything else?", "clarithromycin too", ALLERGY, "penicillin"),
    ("Which apply to you? 1 eczema 2 asthma 3 nasal polyps", "all three", DISEASE, "eczema"),
    ("下面哪些您有？①高血压 ②糖尿病 ③房颤 ④癫痫", "除了④都有", DISEASE, "房颤"),
    ("Allergic to eggs? Y/N", "Y", ALLERGY, "egg"),
    ("鸡蛋过敏？是/否", "是", ALLERGY, "鸡蛋"),
    ("May we give you ibuprofen for the pain?", "no way my lips blow up", ALLERGY, "ibuprofen"),
    ("What sort of reaction did you have to amoxicillin?", "throat closed up, ended up in A&E", ALLERGY, "amoxicillin"),
    ("Our records say you're allergic to aspirin. Is that right?", "nah its naproxen", ALLERGY, "naproxen"),
    ("We have you down as having no allergies. Still true?", "not anymore. shellfish", ALLERGY, "shellfish"),
    ("Do you still have psoriasis?", "still do", DISEASE, "psoria"),
    ("您对花生过敏吗？", "可不是嘛", ALLERGY, "花生"),
    ("Any operations in the past?", "hysterectomy + gallbladder", SURGERY, "gallbladder"),
    ("痛风平时吃什么药？", "天天吃非布司他", DISEASE, "痛风"),
    ("", "there's an aneurysm clip in my head from 2012", SURGERY, "aneurysm clip"),
    ("", "我的造口袋快用完了", SURGERY, "造口"),
]
POSSIBLE = [
    ("Is your Crohn's disease active at the moment?", "thank god I have the weekend off", DISEASE, "crohn"),
    ("您的脾脏是什么时候切除的？", "车祸那次吧", SURGERY, "脾脏切除"),
    ("贴胶布或涂碘伏皮肤会有反应吗？", "会的，起泡", ALLERGY, "胶布"),
    ("What kind of hernia repair did you have?", "umbilical w mesh", SURGERY, "hernia repair"),
    ("Besides the gout, any other conditions?", "let me think", DISEASE, "gout"),
]
"""What a question takes for known, and the answer does not deny."""
NOT_GRANTED = [
    ("Do you have asthma?", "no"),
    ("Do you have asthma?", "fine thanks"),
    ("Do you have diabetes?", "my mum has it"),
    ("Do you have a thyroid condition?", "still waiting on the bloods so nobody knows"),
    ("Have you had your tonsils removed?", "still in there, sadly"),
    ("您做过心脏支架吗？", "没做过"),
    ("您有乙肝吗？", "两对半查过全阴，后来补了疫苗"),
    ("您说的哮喘是医生确诊的吗？", "当时怀疑，后来做了激发试验排除了"),
    ("家里人有什么慢性病吗？", "我妈和我舅都是糖尿病"),
    ("您的手术是哪天？", "下个月十二号，换膝盖"),
    ("Which operation is your question about?", "the knee replacement I'm down for in March"),
    ("您吃过阿莫西林吗？", "昨天吃了"),
    ("Have you had contrast dye before, and did you react to it?", "yes, twice, no problems at all"),
    ("您做头孢皮试的结果是？", "过敏试验做了，护士说阴性可以用"),
    ("Any foods you need to avoid?", "can't stand mushrooms but they do me no harm"),
    ("住院订餐有什么忌口吗？", "香菜不吃，嫌那个味儿"),
    ("档案里写您磺胺过敏、做过搭桥，对吗？", "弄错了，那是跟我同名的另一个人"),
    ("有没有过敏史？有没有鼻炎？", "他们说是过敏性咳嗽"),
    ("检查过幽门螺旋杆菌吗？", "之前有吃药，比如奥美拉唑"),
    ("在决定是否进行介入治疗时，医生会综合考虑各种因素。", "我明白了，谢谢您详细解答。"),
    ("建议做磁共振确诊是否存在肩袖损伤。", "如果确诊为肩袖损伤，这种情况需要怎么治疗呢？"),
    ("How many children do you have?", "2"),
    ("When did the pain start?", "yesterday"),
    ("有没有不能吃的东西？", "都能吃，不挑"),
    ("Can you take penicillin?", "last time it cleared my rash right up"),
    ("可以打头孢吗？", "怕起疹子，没打过"),
    ("Which one are you allergic to, penicillin or sulfa?", "neither"),
    ("对什么过敏？", "灰尘、螨虫都测过，阴性"),
    ("What are you allergic to?", "I eat nuts, eggs, everything"),
    ("How long have you had asthma?", "that was my brother, 10 years"),
    ("When did you have your stroke?", "It was ruled out in 2016"),
    ("When was your pacemaker put in?", "They decided against it in 2020"),
    ("When was your pacemaker put in?", "It's scheduled for March"),
    ("Do you have a pacemaker?", "fitted next month"),
    ("您的支架是哪年放的？", "明年才放"),
    ("When did you have your bypass?", "They're planning it for the autumn"),
    ("When did you have your bypass?", "I'm 67"),
    ("When did you have your kidney transplant?", "hopefully in 2026"),
    ("How many stents do you have?", "0"),
    ("How many stents do you have?", "2 kids and 0 stents"),
    ("您是哪年得的脑梗？", "1958年生的"),
    ("您是哪年得的脑梗？", "我属虎的"),
    ("您哪年得的心梗？", "我今年70"),
    ("How long have you had high blood pressure?", "Been smoking for 20 years"),
    ("How long have you had high blood pressure?", "It's always been 110 over 70"),
    ("How long have you had asthma?", "I've had this cough for 10 years"),
    ("When were you diagnosed with epilepsy?", "I'm seeing the neurologist in May"),
    ("有高血压吗？", "上次量130"),
    ("有高血压吗？", "吃着药呢，感冒药"),
    ("Do you have a pacemaker?", "Only a Fitbit"),
    ("Do you have a stent?", "only a hip"),
    ("做过手术吗？", "差点切了阑尾，保守治好的"),
    ("", "我想把胆切了"),
    ("", "差点把脾切了"),
    ("", "almost had my spleen out"),
    ("吃了布洛芬怎么样了？", "还在发烧，头疼"),
    ("阿莫西林吃了几天了，现在怎么样？", "还是咳嗽，有痰"),
    ("How did it go with the amoxicillin?", "still coughing and have a fever"),
    ("What happened after you took the paracetamol?", "headache is still there"),
    ("氯雷他定吃了怎么样？", "还是痒，起红疹"),
    ("蒙脱石散吃了怎么样？", "拉肚子好多了"),
    ("降压药能吃吗，有什么不舒服？", "头晕"),
    ("您吃布洛芬了吗？", "吃了，还是发烧"),
    ("您对青霉素过敏吗？有什么不舒服？", "喉咙痛，发烧三天"),
    ("您好，请问哪里不舒服？对头孢过敏吗？", "身上起疹子三天了"),
    ("Are you OK with penicillin?", "no, but I have a rash on my arm"),
    ("牙疼吃甲硝唑了吗，怎么样？", "脸肿了，牙疼"),
    ("Did you take the amoxicillin?", "took it last night, my throat is swollen and sore"),
    ("破伤风针打了吗？", "打了，胳膊肿"),
    ("奥美拉唑吃了吗？", "吃了，肚子疼还是老样子"),
    ("Do you have asthma?", "I've got a cough for 3 days"),
    ("您有高血压吗？", "头晕三天了"),
    ("Do you have diabetes?", "I had breakfast at 8"),
    ("您有糖尿病吗？", "我今天量了体温38度"),
    ("Are you allergic to latex?", "Not allergic to latex, no."),
    ("正在吃什么药？吃了有不舒服吗？", "连花清瘟和板蓝根，吃着没啥不得劲"),
    ("What painkiller did the pharmacist give you?", "naproxen i think"),
    ("What type of surgery will you have?", "left knee"),
    ("", "urine culture - E coli >100,000, sensitive to trimethoprim"),
    ("", "there's a tender pea sized lump in my armpit"),
    ("", "bruise on my shin from the coffee table"),
    ("", "胸口长了个疙瘩，黄豆大小"),
    ("", "他腿里打了钢板"),
]
NOTHING = [
    ("您的慢阻肺是什么时候诊断的？", "我没有慢阻肺"),
    ("您的慢阻肺是什么时候诊断的？", "你弄错了吧"),
    ("When were you diagnosed with epilepsy?", "never, who told you that"),
    ("Is your Crohn's disease active at the moment?", "I don't have Crohn's"),
    ("When will your hip be replaced?", "march I hope"),
    ("您打算什么时候换膝关节？", "开春吧"),
    ("Is your asthma under control?", "wrong person"),
    ("Do you have asthma?", "all good thanks"),
    ("Do you have asthma or diabetes?", "all clear"),
    ("How's your asthma?", "I don't have asthma"),
    ("How is your wife's asthma?", "worse in winter"),
    ("您的哮喘现在还有吗？", "没了，早好了"),
    ("心脏里放了几个支架？", "0"),
    ("哮喘怎么治？", "老样子"),
    ("Apart from penicillin, are you allergic to anything else?", "I'm not allergic to penicillin, that's a mistake"),
    ("I see a penicillin allergy recorded for you. Is that right?", "Penicillin was my brother's"),
]
"""Not even possible."""


def listed(text: str, before: str) -> list[Finding]:
    found = read_safety(text, before)
    return [each for each in found if each.subject == USER and not each.denied and not each.possible]


@pytest.mark.parametrize(("before", "text", "kind", "name"), GRANTED, ids=[text for _, text, *_ in GRANTED])
def test_what_an_answer_grants_is_listed(before: str, text: str, kind: str, name: str) -> None:
    told = [each.text for each in listed(text, before) if each.kind == kind]
    assert any(name in each for each in told), read_safety(text, before)


@pytest.mark.parametrize(("before", "text", "kind", "name"), POSSIBLE, ids=[text for _, text, *_ in POSSIBLE])
def test_what_is_taken_for_known_and_not_denied_is_possible(before: str, text: str, kind: str, name: str) -> None:
    told = [(each.text, each.possible) for each in read_safety(text, before) if each.kind == kind]
    assert any(name in each and possible for each, possible in told), told


@pytest.mark.parametrize(("before", "text"), NOTHING, ids=[text for _, text in NOTHING])
def test_what_is_denied_or_to_come_is_not_asked_about(before: str, text: str) -> None:
    found = [each for each in read_safety(text, before) if not each.denied and each.subject == USER]
    assert [each for each in found if each.kind in {ALLERGY, DISEASE, SURGERY}] == []


@pytest.mark.parametrize(("before", "text"), NOT_GRANTED, ids=[text for _, text in NOT_GRANTED])
def test_what_it_does_not_is_not(before: str, text: str) -> None:
    assert [each for each in listed(text, before) if each.kind in {ALLERGY, DISEASE, SURGERY}] == []


def test_of_options_only_those_that_are_chosen() -> None:
    asked = "Reply with all that apply: A) heart failure B) stroke C) angina D) none"
    assert sorted(each.text for each in listed("A & C", asked)) == ["angina", "heart failure"]
    assert listed("D", asked) == []
    assert [each.text for each in listed("2", "Is your diabetes type 1 or type 2?")] == ["type 2 diabetes"]
