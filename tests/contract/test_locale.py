"""`session.locale: auto`: labels follow the language of a conversation, chosen once, with exact token counts."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from memory.consolidation.boundaries import BoundarySettings
from memory.consolidation.memunit import UnitMaker, UnitSettings
from memory.language.choice import AUTO, LANGUAGES, language_of, spoken
from memory.model import requests as ask
from memory.model.finalization import FinalizationKey, SealedJournal
from memory.scope import ConversationScope
from memory.session.journal import LABELS
from tests.inprocess import EVERYONE, TiktokenCounter, World

MakeWorld = Callable[..., Awaitable[World]]


@pytest.fixture
async def here(make_world: MakeWorld) -> World:
    return await make_world(locale=AUTO, stamp=b"o200k_base:auto", recall=True)


async def exact(world: World, context: dict[str, Any], query: str = "") -> int:
    """What is sent, counted whole."""
    count, history = world.tokens.count, context["history"]
    summary = history.split("\n")[0] if context["summary"] else ""
    beside = context["context"].removesuffix(summary) if summary else context["context"]
    return await count(history) + await count(query) + (await count(beside) if beside else 0)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("我头痛三天了", "zh"),
        ("我做了CT和MRI", "zh"),
        ("我有COPD", "zh"),
        ("My name is 李雷", "en"),
        ("I have a headache", "en"),
        ("OK", ""),
        ("38.5", ""),
        ("120/80", ""),
        ("", ""),
        ("😀", ""),
    ],
)
def test_language_is_that_of_most_words_or_not_said(text: str, language: str) -> None:
    assert language_of(text) == language


def test_locale_is_never_auto_where_it_is_used() -> None:
    assert {spoken(locale, texts) for locale in ("zh", "en", AUTO) for texts in ((), ("OK",))} == set(LANGUAGES)
    assert spoken("zh", ("I have a headache",)) == "zh", "a locale that is set stays"


@pytest.mark.usefixtures("counter")
@pytest.mark.parametrize("name", ["o200k_base", "o200k_harmony", "cl100k_base"])
async def test_labels_of_speakers_cost_the_same_in_both_languages(name: str) -> None:
    """So a message's tokens can be counted before its session's language is chosen."""
    counter = TiktokenCounter(name)
    for role in ("user", "assistant", "system", *(("tool",) if name.startswith("o200k") else ())):
        zh, en = [await counter.count(f"{LABELS[locale][role]}: 头痛 x\n") for locale in LANGUAGES]
        assert zh == en


@pytest.mark.parametrize(
    ("said", "answered", "user", "summary"),
    [("我头痛三天了。", "体温多少？", "用户", "历史摘要"), ("I have had a headache.", "Any fever?", "User", "Summary")],
)
async def test_labels_are_of_the_language_that_is_spoken(
    here: World, said: str, answered: str, user: str, summary: str
) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["penicillin"]})
    await here.write(said, answered, user_id="u1")
    context = await here.query(query=said)
    assert context["history"] == f"{user}: {said}\nAI: {answered}"
    assert context["context"] == (
        "安全信息：过敏史：penicillin" if user == "用户" else "Safety facts: allergies: penicillin"
    )
    assert abs(context["estimated_tokens"] - await exact(here, context, said)) <= 2
    await here.checkpoint("penicillin, headache")
    context = await here.query(query=said)
    assert context["history"].startswith(f"{summary}: penicillin, headache\n{user}: ")
    assert abs(context["estimated_tokens"] - await exact(here, context, said)) <= 3


async def test_language_is_chosen_once_and_stays(here: World) -> None:
    await here.write("38.5", "OK", user_id="u1")
    assert (await here.query(query="I have a headache"))["history"].startswith("用户: "), "none was shown: the default"
    await here.write("I have had a headache for three days.", "Since when?", user_id="u1")
    for said, answered in (
        ("我头痛三天了，什么药都没吃", "体温多少？"),
        ("38.5", "好的"),
        ("发烧了，很难受", "知道了"),
    ):
        await here.write(said, answered, user_id="u1")
        assert (await here.query(query=said))["history"].startswith("User: 38.5\nAI: OK\nUser: I have had")


async def test_messages_of_one_write_choose_by_the_first_that_shows_a_language(here: World) -> None:
    messages = [
        {"role": "system", "content": "v1"},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello! How can I help you?"},
        {"role": "user", "content": "我头痛"},
    ]
    body = {"conversation_id": "c", "user_id": "u1", "messages": messages}
    await here.service.write_messages(EVERYONE, ask.WriteMessagesRequest.model_validate(body))
    assert (await here.query())["history"].startswith("System: v1\nUser: Hello\nAI: Hello!")


async def test_session_that_was_created_speaks_the_language_of_its_first_query(here: World) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["penicillin"]})
    await here.call("CreateShortMemory", conversation_id="c", user_id="u1")
    for query, title in (("I have a headache", "Safety facts"), ("我头痛", "安全信息")):
        assert (await here.query(query=query))["context"].startswith(title)
        assert (await here.query("new", user_id="u1", query=query))["context"].startswith(title)


async def test_next_session_goes_on_in_the_language_of_the_one_before(here: World) -> None:
    await here.write("I have had a headache for three days.", "Any fever?", user_id="u1")
    await here.finalize()
    looked = await here.query(query="38.5")
    assert "User: I have had" in looked["history"]
    assert looked["history"].startswith("Summary: User: ")
    await here.write("38.5", "OK", user_id="u1")
    resumed = await here.query()
    assert resumed["history"].startswith("Summary: User: ")
    assert resumed["history"].endswith("User: 38.5\nAI: OK")


async def test_what_a_session_leaves_is_worded_in_its_language(here: World) -> None:
    await here.write("I am allergic to penicillin. My name is Ann.", "Noted, thank you.", "en", user_id="u1")
    await here.finalize("en")
    await here.write("我对青霉素过敏。我叫小安。", "记下了，谢谢。", "zh", user_id="u2")
    await here.finalize("zh")
    for user, start, recalled in (("u1", "Profile: ", "Recalled from"), ("u2", "用户画像：", "以下是从以往对话")):
        (profile,) = (await here.call("ListMemories", user_id=user, kinds=["profile"]))["items"]
        assert profile["text"].startswith(start)
        query = "What am I allergic to, penicillin?" if user == "u1" else "青霉素"
        assert recalled in (await here.query("new", user_id=user, query=query))["context"]


async def test_session_of_other_settings_keeps_its_language_and_is_counted_anew(
    here: World, make_world: MakeWorld
) -> None:
    await here.write("I have had a headache for three days.", "Any fever?", user_id="u1")
    chinese = await make_world(locale="zh", stamp=b"o200k_base:zh", store=here.store)
    assert (await chinese.query())["history"].startswith("用户: I have had")
    await chinese.write("38.5", "OK", user_id="u1")
    context = await here.query()
    assert context["history"].startswith("User: I have had")
    assert abs(context["estimated_tokens"] - await exact(here, context)) <= 1


async def test_summary_that_a_long_session_leaves_is_worded_in_its_language_however_it_is_read(here: World) -> None:
    """A unit's words are those of the session up to its end, in pieces of whatever size its journal comes."""
    await here.write("38.5", "OK", user_id="u1")
    for day in range(6):
        await here.write(f"I am allergic to penicillin since day {day}.", "I have noted that for you.", user_id="u1")
    journal = await here.sessions.read(ConversationScope("default", "c"), None, whole=True, profile_stamp=b"")
    await here.finalize()
    unit = await here.store.latest_memunit(ConversationScope("default", "c"))
    assert unit is not None
    assert unit.summary.startswith(("User: ", "AI: "))
    records = SealedJournal(None, "u1", (), journal.records)
    settings = UnitSettings(12_000, AUTO, BoundarySettings(messages_max=4))
    made = []
    for size in (1, 3, 100):
        maker = UnitMaker(FinalizationKey(ConversationScope("default", "c"), 1), records, settings)
        pieces = [journal.live[first : first + size] for first in range(0, len(journal.live), size)]
        made.append([one.unit for piece in pieces for one in maker.add(piece)] + [one.unit for one in maker.end()])
    assert made[0] == made[1] == made[2]
    assert len(made[0]) > 2
