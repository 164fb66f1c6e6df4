"""Asked for more of the same, and what comes to mind late: it stands at once, and when it has become memory."""

from collections.abc import Sequence

import pytest

from tests.inprocess import World

LISTS = ("allergies", "chronic_diseases", "surgery_history")
DIALOGUES: Sequence[tuple[str, Sequence[tuple[str, str]], set[str]]] = (
    (
        "anything else",
        [
            ("hi", "Any allergies?"),
            ("latex", "OK, latex. Anything else?"),
            ("penicillin", "Any others?"),
            ("nuts", "ok"),
        ],
        {"latex", "penicillin", "nuts"},
    ),
    ("还有吗", [("你好", "对什么过敏吗？"), ("青霉素", "嗯，还有吗？"), ("头孢", "好的")], {"青霉素", "头孢"}),
    ("还有别的吗", [("你好", "做过手术吗？"), ("剖腹产", "还有别的吗？"), ("阑尾", "好")], {"剖宫产 (剖腹产)", "阑尾"}),
    (
        "a yes says no yes to what the question before it named",
        [("hi", "Have you got asthma?"), ("no", "Any others?"), ("yeah, copd", "ok")],
        {"copd"},
    ),
    (
        "a yes goes on where it named nothing",
        [("hi", "Any allergies?"), ("nuts", "Anything else?"), ("yes actually, latex", "ok")],
        {"nuts", "latex"},
    ),
    (
        "help is not asked for allergies",
        [("hi", "Any allergies?"), ("nuts", "Is there anything else I can help with?"), ("ibuprofen", "ok")],
        {"nuts"},
    ),
    (
        "medicines are gone on with as medicines",
        [("hi", "Which tablets do you take?"), ("metformin", "Anything else?"), ("aspirin", "ok")],
        set(),
    ),
    (
        "an allergy that was forgotten",
        [("hi", "Any allergies?"), ("no", "Any operations?"), ("oh and penicillin, i forgot", "ok")],
        {"penicillin"},
    ),
    ("忘说了", [("你好", "有药物过敏吗？"), ("没有", "做过手术吗？"), ("哦忘说了，青霉素", "好")], {"青霉素"}),
    (
        "an operation that comes to mind behind a no",
        [
            ("hi", "Any operations?"),
            ("gallbladder out", "Do you smoke?"),
            ("no. and my appendix", "ok"),
        ],
        {"cholecystectomy (gallbladder out)", "appendix"},
    ),
    (
        "what was eaten",
        [("hi", "Any allergies?"), ("nuts", "What did you eat?"), ("also eggs and milk", "ok")],
        {"nuts"},
    ),
    (
        "what was forgotten to be taken",
        [("hi", "Any allergies?"), ("nuts", "Did you take your ramipril today?"), ("no, I forgot ramipril", "ok")],
        {"nuts"},
    ),
    (
        "more of another business",
        [
            ("hi", "Any allergies?"),
            ("nuts", "Your prescription is ready. Anything else?"),
            ("penicillin V as well", "ok"),
        ],
        {"nuts"},
    ),
    (
        "others, which are no he",
        [("我有高血压，我爸有糖尿病", "还有其他疾病吗？"), ("冠心病", "好")],
        {"高血压", "冠心病"},
    ),
    (
        "what comes late, and is no allergy",
        [("hi", "Any allergies?"), ("nuts", "Any medicines?"), ("and aspirin", "ok")],
        {"nuts"},
    ),
)


async def listed(here: World) -> set[str]:
    safety = (await here.query("other", user_id="u1"))["safety"]
    return {text for name in LISTS for text in safety[name]}


@pytest.mark.parametrize(("said", "wanted"), [row[1:] for row in DIALOGUES], ids=[row[0] for row in DIALOGUES])
async def test_more_of_the_same_is_what_was_asked_for(
    here: World, said: Sequence[tuple[str, str]], wanted: set[str]
) -> None:
    for text, answer in said:
        await here.write(text, answer, "c", user_id="u1")
    assert await listed(here) == wanted
    await here.finalize("c")
    assert await listed(here) == wanted


async def test_no_to_more_denies_nothing(here: World) -> None:
    for text, answer in [("hi", "Any allergies?"), ("latex", "Anything else?"), ("no", "ok")]:
        await here.write(text, answer, "c", user_id="u1")
    safety = (await here.query("other", user_id="u1"))["safety"]
    assert safety["allergies"] == ["latex"]
    assert not [each for each in safety["details"] if each.get("denied")]


@pytest.mark.parametrize(
    ("question", "answer"),
    [("Any allergies?", "no"), ("Do you have any allergies, like penicillin?", "no"), ("有药物过敏吗？", "没有")],
)
async def test_no_to_allergies_is_that_there_are_none(here: World, question: str, answer: str) -> None:
    await here.write("hi", question, "c", user_id="u1")
    await here.write(answer, "ok", "c", user_id="u1")
    assert (await here.query("other", user_id="u1"))["safety"]["no_known_allergies"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Are you allergic to penicillin?", "no"),
        ("您对海鲜过敏吗？", "不过敏，就是嫌腥"),
        ("Any allergies to latex?", "none"),
    ],
)
async def test_no_to_one_substance_says_nothing_of_others(here: World, question: str, answer: str) -> None:
    await here.write("hi", question, "c", user_id="u1")
    await here.write(answer, "ok", "c", user_id="u1")
    assert not (await here.query("other", user_id="u1"))["safety"]["no_known_allergies"]
    await here.finalize("c")
    assert not (await here.query("other", user_id="u1"))["safety"]["no_known_allergies"]
