"""Of whom a whole dialogue is: what stands at once is what stands when it has become memory."""

from collections.abc import Sequence
from typing import Any

import pytest

from memory.clinical.findings import Finding
from memory.clinical.people import USER
from memory.clinical.safety import read_safety
from memory.service import hearing
from tests.inprocess import World

Known = dict[str, set[str]]
"""What stands in the three lists and the states of the user ("user"), and of each relative."""

DIALOGUES: Sequence[tuple[str, Sequence[tuple[str, str]], Known]] = (
    (
        "an answer of more than a line is read with its question, and with whom the dialogue is of",
        [
            ("I'm writing for my son Leo, he's 6. He's been wheezing since last night.", "Any allergies?"),
            (
                "He's allergic to cashews - anaphylaxis at nursery, he carries an EpiPen. I react to latex myself.",
                "Does he have other conditions?",
            ),
            ("Asthma since he was two", "Thanks."),
        ],
        {"user": {"latex"}, "my son": {"cashews", "asthma"}},
    ),
    (
        "who fears for themselves, beside what a relative has, goes on about themselves",
        [
            ("我妈有乳腺癌，我有点担心自己", "有什么症状吗？"),
            ("左边乳房有个硬块", "对什么过敏吗？"),
            ("另外吃了虾以后嘴麻", "好的。"),
        ],
        {"user": {"虾"}, "我妈": {"乳腺癌"}},
    ),
    (
        "who is asked about themselves answers for themselves",
        [
            ("My mum has epilepsy", "And you yourself, any illnesses?"),
            ("asthma since I was a kid", "Any allergies?"),
            ("penicillin", "Thanks."),
        ],
        {"user": {"asthma", "penicillin"}, "my mum": {"epilepsy"}},
    ),
    (
        "who writes for a child is asked about themselves",
        [("我儿子发烧", "您自己有药物过敏吗？"), ("青霉素", "好的。")],
        {"user": {"青霉素"}},
    ),
    (
        "who has told of their father in an aside is asked for other diseases of their own",
        [("我头痛", "以前有高血压吗？"), ("没有 我爸有高血压", "有没有其他病？"), ("糖尿病", "好的。")],
        {"user": {"糖尿病"}, "我爸": {"高血压"}},
    ),
    (
        "what a mother tells of her child's childhood is not hers",
        [("您好", "有药物过敏吗？"), ("我妈刚才说阿司匹林也不行，小时候吃了喘", "好的。")],
        {"user": {"阿司匹林"}},
    ),
    (
        "who answers for the family has none of it, whichever relative is named behind it",
        [("您好", "家族里有人得癌症吗？"), ("有 乳腺癌 我妈和我小姨", "好的。")],
        {"user": set(), "我妈": {"乳腺癌"}},
    ),
    (
        "who gives a child a medicine is not the one who is ill",
        [
            ("My daughter Maya is 14 months and came up in hives after peanut butter", "Has she had anything for it?"),
            ("I gave her 2.5 ml of cetirizine ten minutes ago.", "Other conditions?"),
            ("She's got bad eczema.", "Any medicines?"),
            ("Hydrocortisone cream twice a day on the eczema. Nothing else.", "Thank you."),
        ],
        {"user": set(), "my daughter": {"peanut butter", "eczema"}},
    ),
    (
        "a message that begins with I and goes on about him",
        [
            ("im writing for my dad, Frank, 81. he had a nosebleed", "Any allergies?"),
            ("sorry i got that wrong, its doxycycline he had. hes allergic to aspirin", "Thanks, corrected."),
        ],
        {"user": set(), "my dad": {"aspirin"}},
    ),
    (
        "who says whose daughter they are",
        [
            ("我是陈先生的女儿，他65岁，帕金森病", "有过敏吗？"),
            ("他对青霉素过敏，休克过。我自己对花生过敏。", "好的。"),
        ],
        {"user": {"花生"}, "我爸": {"帕金森病", "青霉素"}},
    ),
    (
        "a wife who was sent to ask",
        [
            ("你好,我丈夫最近老咳嗽,他让我来问问", "他有别的病吗?"),
            ("一天一包,抽了20年。高血压,吃依那普利10毫克一天一次", "有药物过敏吗?"),
            ("没有。哦等等,他去年打破伤风皮试过敏", "记下了。"),
        ],
        {"user": set(), "我丈夫": {"高血压", "破伤风抗毒素 (破伤风皮试)"}},
    ),
    (
        "what the speaker says of themselves in passing does not turn the dialogue",
        [
            ("Hello my son Oliver is 4 and has earache since yesterday", "Any long-term conditions?"),
            ("no. Im allergic to codeine myself", "Is he drowsy, or does he have asthma?"),
            ("asthma yes", "Thanks."),
        ],
        {"user": {"codeine"}, "my son": {"asthma"}},
    ),
    (
        "she is asked about, and the speaker tells of themselves behind her",
        [
            ("I've got asthma. my daughter has a cough", "And her allergies?"),
            ("Penicillin. I'm allergic to brazil nuts", "Thanks."),
        ],
        {"user": {"asthma", "brazil nuts"}, "my daughter": {"penicillin"}},
    ),
    (
        "she is asked about, and he was spoken of",
        [
            ("my son has asthma, I have a cough", "Does she take anything?"),
            ("diabetes", "Any allergies?"),
            ("nuts", "ok"),
        ],
        {"user": {"nuts"}, "my son": {"asthma"}},
    ),
    (
        "one of two children, and a grandfather",
        [("there's grandad, he has parkinsons", "Does anyone else?"), ("dd has eczema", "Thanks.")],
        {"user": set(), "grandad": {"parkinson's disease (parkinsons)"}, "dd": {"eczema"}},
    ),
    (
        "whose it is after all, and what is one's own",
        [
            ("我最近嘴肿", "您对什么过敏吗？"),
            ("磺胺过敏 不对不对 磺胺是我妹 我是芒果 吃了嘴肿成香肠", "好的，您妹妹对磺胺过敏。您想问什么？"),
            ("说了磺胺不是我", "好的。"),
        ],
        {"user": {"芒果"}, "我妹": {"磺胺"}},
    ),
    (
        "who has caught it from a relative answers for themselves",
        [("老公感冒传染我了", "您有药物过敏吗？"), ("阿莫西林", "好的。")],
        {"user": {"阿莫西林"}},
    ),
    (
        "what a mother has not done is nothing of hers",
        [("我儿子发烧，我没有带他去医院", "您知道有药物过敏吗？"), ("青霉素", "好的。")],
        {"user": set(), "我儿子": {"青霉素"}},
    ),
    (
        "what a father has given, and fears",
        [
            ("I'm sick with worry, my son has a fever and i have given him calpol", "Do you know of any allergies?"),
            ("penicillin", "Thanks."),
        ],
        {"user": set(), "my son": {"penicillin"}},
    ),
    (
        "who says that a relative has it, asked whether they do",
        [
            ("hi", "Do you have diabetes?"),
            ("Dad's the diabetic.", "Any allergies?"),
            ("Heparin. My platelets crashed on it", "Thanks."),
        ],
        {"user": {"heparin"}, "dad": {"diabetes (diabetic)"}},
    ),
    (
        "what a bot repeats of a relative is not what it asks about",
        [
            ("hi", "您有药物过敏吗？"),
            ("我妹对磺胺过敏", "好的，您妹妹对磺胺过敏。您做过手术吗？"),
            ("小时候割过扁桃体", "好的。"),
        ],
        {"user": {"扁桃体"}, "我妹": {"磺胺"}},
    ),
    (
        "one relative by two words",
        [
            ("我替我爸问一下,他今年76,房颤", "您父亲有药物过敏吗?"),
            ("他对碘造影剂过敏", "好的。"),
        ],
        {"user": set(), "我爸": {"房颤", "碘造影剂"}},
    ),
)


def known(context: Any) -> Known:
    own = {text for name in ("allergies", "chronic_diseases", "surgery_history") for text in context["safety"][name]}
    found: Known = {"user": own}
    for each in context["relatives"]:
        if not each.get("denied"):
            found.setdefault(each["subject"], set()).add(each["text"])
    return found


@pytest.mark.parametrize(("said", "wanted"), [row[1:] for row in DIALOGUES], ids=[row[0] for row in DIALOGUES])
async def test_what_stands_at_once_is_whose_it_is_and_stays_so(
    here: World, said: Sequence[tuple[str, str]], wanted: Known
) -> None:
    for text, answer in said:
        await here.write(text, answer, "c", user_id="u1")
    assert known(await here.query("other", user_id="u1")) == wanted
    await here.finalize("c")
    assert known(await here.query("other", user_id="u1")) == wanted


async def test_line_names_a_relative_once_by_whatever_word(here: World) -> None:
    await here.write("我爸有房颤", "您父亲吃什么药？", "c", user_id="u1")
    await here.write("我父亲吃华法林", "好的。", "c", user_id="u1")
    assert "家人：我爸（房颤、华法林）" in (await here.query("other", user_id="u1"))["context"]


async def test_thinner_of_a_relative_that_was_stopped_stands_no_more(here: World) -> None:
    await here.write("我爸有房颤，吃华法林", "好的。", "c", user_id="u1")
    await here.finalize("c")
    await here.write("我爸的华法林停了，换成阿哌沙班2.5毫克一天两次", "好的。", "d", user_id="u1")
    await here.finalize("d")
    found = known(await here.query("other", user_id="u1"))
    assert "华法林" not in found["我爸"]
    assert "房颤" in found["我爸"]


async def test_message_is_read_once_unless_it_proves_to_be_of_somebody_else(
    here: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[str, str]] = []

    def noted(text: str, question: str = "", about: str = USER) -> list[Finding]:
        read.append((text, about))
        return read_safety(text, question, about)

    monkeypatch.setattr(hearing, "read_safety", noted)
    await here.write("我有高血压", "还有别的吗？", "c", user_id="u1")
    await here.write("对青霉素过敏", "好的。", "c", user_id="u1")
    assert read == [("我有高血压", USER), ("对青霉素过敏", USER)]
    read.clear()
    await here.write("我妈有房颤", "她对什么过敏？", "d", user_id="u2")
    await here.write("青霉素", "好的。", "d", user_id="u2")
    assert read == [("我妈有房颤", USER), ("青霉素", USER), ("青霉素", "我妈")]
