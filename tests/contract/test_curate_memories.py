"""CurateMemories: what a session says of memories from before it, shown without a trace, and applied once."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from memory.consolidation.corrections import Corrector
from memory.consolidation.curate import Curator
from memory.consolidation.judging import Judging
from memory.consolidation.remember import Rememberer
from memory.errors import ModelUnavailable, NotFound, StoreUnavailable
from memory.providers.openai_judge import OpenAIJudge
from memory.retrieval.decay import BoostSettings
from memory.service import Ports
from tests.contract.test_corrector import correcting
from tests.inprocess import FakeCommands, World, world
from tests.openai_server import ScriptedServer

MODEL = "openai/a-model (judge 1)"
SAID = "一看见寿司我就想起那次中毒，还是吃拉面香"


def by(judge: OpenAIJudge | None, ports: Ports) -> Judging:
    corrector = Corrector(ports.memories, Rememberer(ports.memories, ports.minds), judge) if judge else None
    return Judging(Curator(ports.memories, ports.store, BoostSettings(), judge), corrector)


@asynccontextmanager
async def judged_by(judge: OpenAIJudge | None, folder: Path, counter: Any) -> AsyncIterator[World]:
    """A service whose sessions are judged when somebody asks."""
    commands = FakeCommands()
    async with world(commands, folder, counter, recall=True, judging=partial(by, judge)) as here:
        yield here
    await commands.client.aclose()


@pytest.fixture
async def judged(tmp_path: Path, counter: Any, judge: OpenAIJudge) -> AsyncIterator[World]:
    async with judged_by(judge, tmp_path, counter) as here:
        yield here


async def two_sessions(here: World) -> None:
    """Somebody says what they like; later they take it back, and an answer rests on another thing."""
    await here.write("我喜欢吃寿司。我喜欢爬山。", "好的。", "before", user_id="u1")
    await here.finalize("before")
    await here.query("later", user_id="u1", query="我喜欢爬山，周末去哪？")
    await here.background.drain(5)
    await here.write(SAID + "。", "知道了。那周末去爬山吧。", "later", user_id="u1")
    await here.finalize("later")


def answering(**right: str) -> Any:
    """A model that corrects, and finds no uses."""

    def answer(body: Any) -> str:
        if body["messages"][1]["content"].startswith("<held>"):
            return correcting(SAID, "吃寿司", **right)(body)
        return json.dumps({"used": []})

    return answer


async def likes(here: World) -> list[str]:
    found = await here.pages("ListMemories", user_id="u1", kinds=["fact"], states=["held"])
    return sorted(each["object"] for each in found if (each["predicate"], each["polarity"]) == ("like", "+"))


async def everything(here: World) -> list[dict[str, Any]]:
    return await here.pages("ListMemories", user_id="u1")


async def test_a_dry_run_shows_and_changes_nothing(judged: World, chat_server: ScriptedServer) -> None:
    await two_sessions(judged)
    chat_server.chat = answering(right="吃拉面")
    before = await everything(judged)
    answer = await judged.call("CurateMemories", user_id="u1")
    assert (answer["conversation_id"], answer["dry_run"]) == ("later", True)
    (decision,) = answer["decisions"]
    assert (decision["op"], decision["quote"], decision["right"], decision["by"]) == ("UPDATE", SAID, "吃拉面", MODEL)
    assert (decision["applied"], decision["asks"]) == (False, False)
    assert await everything(judged) == before
    assert await likes(judged) == ["吃寿司", "爬山"]


async def test_what_is_decided_is_applied_and_once(judged: World, chat_server: ScriptedServer) -> None:
    await two_sessions(judged)
    chat_server.chat = answering(right="吃拉面")
    (decision,) = (await judged.call("CurateMemories", user_id="u1", dry_run=False))["decisions"]
    assert decision["applied"]
    assert await likes(judged) == ["吃拉面", "爬山"]
    (profile,) = [each for each in await everything(judged) if each["kind"] == "profile"]
    assert "拉面" in profile["text"]
    again = await judged.call("CurateMemories", user_id="u1", conversation_id="later", dry_run=False)
    assert again["decisions"] == [], "it is held no longer, so nobody is asked of it"
    assert await likes(judged) == ["吃拉面", "爬山"]


async def test_of_safety_it_says_that_a_person_decides(judged: World, chat_server: ScriptedServer) -> None:
    await judged.write("我对青霉素过敏。", "好的。", "before", user_id="u1")
    await judged.finalize("before")
    said = "上回那条过敏是护士录错人了"
    await judged.write(said + "。", "知道了。", "later", user_id="u1")
    await judged.finalize("later")
    chat_server.chat = correcting(said, "青霉素")
    (decision,) = (await judged.call("CurateMemories", user_id="u1", dry_run=False))["decisions"]
    assert (decision["op"], decision["asks"]) == ("DELETE", True)
    safety = (await judged.query("next", user_id="u1"))["safety"]
    assert "青霉素" in safety["allergies"]
    assert [each["cause"] for each in (await judged.call("ListReviews", user_id="u1"))["items"]] == ["contradiction"]


async def test_a_model_without_an_answer_changes_nothing_and_says_so(
    judged: World, chat_server: ScriptedServer
) -> None:
    await two_sessions(judged)
    before = await everything(judged)
    chat_server.chat = lambda _: "no idea"
    with pytest.raises(ModelUnavailable):
        await judged.call("CurateMemories", user_id="u1", dry_run=False)
    assert await everything(judged) == before


@pytest.mark.parametrize("asked", [{"user_id": "u2"}, {"user_id": "u2", "conversation_id": "later"},
                                   {"user_id": "u1", "conversation_id": "other"}])  # fmt: skip
async def test_what_is_not_there_or_anothers_is_not_found(judged: World, asked: dict[str, str]) -> None:
    await two_sessions(judged)
    with pytest.raises(NotFound):
        await judged.call("CurateMemories", **asked)


async def test_a_session_that_is_not_wholly_in_memory_is_not_judged(
    judged: World, chat_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await two_sessions(judged)
    chat_server.chat = answering(right="吃拉面")

    async def cut_off(*_: Any) -> None:
        raise StoreUnavailable("the store is gone")

    with monkeypatch.context() as broken:
        broken.setattr(Rememberer, "remember", cut_off)
        await judged.write("再见。", "再见。", "later", user_id="u1")
        with pytest.raises(StoreUnavailable):
            await judged.finalize("later")
    units = await judged.pages("ListMemUnits", user_id="u1", conversation_id="later")
    assert len(units) == 2, "the second is stored, and its session waits"
    (decision,) = (await judged.call("CurateMemories", user_id="u1", conversation_id="later"))["decisions"]
    assert decision["quote"] == SAID, "that of the session before it"


async def test_rules_say_what_answers_rested_on(tmp_path: Path, counter: Any) -> None:
    async with judged_by(None, tmp_path, counter) as here:
        await two_sessions(here)  # and its end has counted it
        (decision,) = (await here.call("CurateMemories", user_id="u1"))["decisions"]
        memory = await here.call("GetMemory", memory_id=decision["memory_id"])
        assert (decision["op"], decision["by"], decision["text"]) == ("BOOST", "rules", memory["text"])
        assert "爬山" in memory["text"]
        assert decision["applied"], "it was counted when the session became memory"
        assert memory["accesses"] == 1
        await here.call("CurateMemories", user_id="u1", dry_run=False)
        assert (await here.call("GetMemory", memory_id=decision["memory_id"])) == memory
