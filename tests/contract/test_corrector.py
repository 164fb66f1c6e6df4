"""What a model says that somebody took back, over every store: how far it is believed, and that it is asked once."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from memory.consolidation.boundaries import BoundarySettings
from memory.consolidation.corrections import EFFECTS_MAX, Corrector, Decision
from memory.consolidation.finalise import Finaliser
from memory.consolidation.judging import Judging
from memory.consolidation.memunit import UnitSettings
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.errors import StoreUnavailable
from memory.extraction.rules_mind import RulesMind
from memory.model.requests import FinalizeSessionMemoryRequest
from memory.providers.openai_judge import OpenAIJudge
from memory.scope import UserScope
from tests.contract.test_settling import Near
from tests.inprocess import EVERYONE, World
from tests.openai_server import ScriptedServer

Shown = dict[str, Any]
LIKES = ("我喜欢吃寿司。", "我喜欢爬山。", "我喜欢听京剧。", "我喜欢下围棋。", "我喜欢看话剧。")


def shown_in(body: Any) -> Shown:
    """What the model is shown."""
    content = body["messages"][1]["content"]
    return json.loads(content.removeprefix("<held>\n").removesuffix("\n</held>"))


def correcting(said: str, *held: str, right: str = "") -> Callable[[Any], str]:
    """A model that says that these words take back what is held of these objects."""

    def answer(body: Any) -> str:
        shown = shown_in(body)
        seqs = [each["seq"] for each in shown["messages"] if said in each["text"]]
        numbers = [each["number"] for each in shown["held"] if each["object"] in held]
        found = [{"held": number, "message": seq, "quote": said, "right": right} for number in numbers for seq in seqs]
        return json.dumps({"corrections": found})

    return answer


class Ending:
    """Ends conversations with a judge that corrects."""

    def __init__(self, here: World, judge: OpenAIJudge, **boundaries: int) -> None:
        self.here = here
        self.rememberer = Rememberer(here.memories, Minds(RulesMind(), RulesMind(), Near(), "zh"))
        self.corrector = Corrector(here.memories, self.rememberer, judge)
        self.finaliser = Finaliser(
            here.sessions,
            here.store,
            rememberer=self.rememberer,
            units=UnitSettings(12_000, "zh", BoundarySettings(**boundaries)),
            attempts_max=3,
            judging=Judging(corrector=self.corrector),
        )

    async def said(self, conversation: str, *texts: str, answer: str = "好的。") -> None:
        """A conversation in which this is said, ended; not yet in memory."""
        for text in texts:
            await self.here.write(text, answer, conversation, user_id="u1")
        body = FinalizeSessionMemoryRequest(conversation_id=conversation)
        await self.here.service.finalize_session_memory(EVERYONE, body)

    async def work(self) -> None:
        while self.here.jobs.waiting:
            await self.finaliser.run(self.here.jobs.waiting[0])
            self.here.jobs.waiting.pop(0)

    async def remembered(self, conversation: str, *texts: str, **fields: str) -> None:
        await self.said(conversation, *texts, **fields)
        await self.work()

    async def held(self, predicate: str = "like") -> list[str]:
        return sorted(
            each["object"] for each in await self.facts() if (each["predicate"], each["polarity"]) == (predicate, "+")
        )

    async def denials(self) -> list[str]:
        return [each["object"] for each in await self.facts() if each["polarity"] == "-"]

    async def facts(self, *states: str) -> list[dict[str, Any]]:
        return await self.here.pages("ListMemories", user_id="u1", kinds=["fact"], states=list(states or ("held",)))


@pytest.fixture
def ending(over: World, judge: OpenAIJudge) -> Ending:
    return Ending(over, judge)


async def test_what_is_taken_back_without_a_form_ends_and_what_is_right_is_held(
    over: World, ending: Ending, chat_server: ScriptedServer
) -> None:
    await ending.remembered("before", "我喜欢吃寿司。", "我喜欢爬山。")
    assert await ending.held() == ["吃寿司", "爬山"]
    chat_server.chat = correcting("一看见寿司我就想起那次中毒，还是吃拉面香", "吃寿司", right="吃拉面")
    await ending.remembered("later", "一看见寿司我就想起那次中毒，还是吃拉面香。")
    assert await ending.held() == ["吃拉面", "爬山"]
    (over_now,) = [each for each in await ending.facts("superseded") if each["object"] == "吃寿司"]
    (denial,) = [each for each in await ending.facts() if each["polarity"] == "-"]
    assert over_now["superseded_by"] == denial["memory_id"]
    assert (denial["text"], denial["mind"]) == ("一看见寿司我就想起那次中毒，还是吃拉面香", "openai/a-model (judge 1)")
    assert denial["source"]["conversation_id"] == "later"
    history = await over.call("GetMemoryHistory", memory_id=over_now["memory_id"])
    assert [(each["op"], each["by"]) for each in history["changes"]] == [("superseded", "openai/a-model (judge 1)")]
    shown = shown_in(chat_server.requests[-1].body)
    assert [each["object"] for each in shown["held"]] == ["吃寿司", "爬山"]
    first = shown["messages"][0]
    assert (first["who"], first["text"]) == ("user", "一看见寿司我就想起那次中毒，还是吃拉面香。")


async def test_what_is_forgotten_corrects_nothing_any_more(
    over: World, ending: Ending, chat_server: ScriptedServer
) -> None:
    await ending.remembered("before", "我喜欢吃寿司。")
    chat_server.chat = correcting("一看见寿司我就想起那次中毒", "吃寿司")
    await ending.remembered("later", "一看见寿司我就想起那次中毒。")
    assert await ending.held() == []
    await over.call("ForgetMemory", user_id="u1", conversation_id="later")
    assert await ending.held() == ["吃寿司"]


async def test_of_safety_a_person_is_asked(over: World, ending: Ending, chat_server: ScriptedServer) -> None:
    await ending.remembered("before", "我对青霉素过敏。")
    chat_server.chat = correcting("上回那个过敏是护士录错人了，头孢才会让我起疹子", "青霉素", right="头孢")
    await ending.remembered("later", "上回那个过敏是护士录错人了，头孢才会让我起疹子。")
    assert "青霉素" in await ending.held("allergy")
    details = (await over.query("next", user_id="u1"))["safety"]["details"]
    stands = {(each["text"], bool(each.get("denied"))): each["status"] for each in details}
    assert ("青霉素", False) in stands
    assert ("青霉素", True) in stands
    assert stands["头孢", False] in {"possible", "remembered"}
    causes = [each["cause"] for each in (await over.call("ListReviews", user_id="u1"))["items"]]
    assert "contradiction" in causes


@pytest.mark.parametrize(
    ("chat", "why"),
    [
        (lambda _: json.dumps({"corrections": [{"held": 9, "message": 1, "quote": "寿司", "right": ""}]}), "unknown"),
        (lambda _: json.dumps({"corrections": [{"held": 0, "message": 1, "quote": "寿司", "right": ""}]}), "none"),
        (correcting("您不喜欢寿司了", "吃寿司"), "an agent's words"),
        (
            lambda _: json.dumps({"corrections": [{"held": 1, "message": 1, "quote": "不吃寿司了", "right": ""}]}),
            "unsaid",
        ),
        (lambda _: json.dumps({"corrections": [{"held": 1, "message": 1, "quote": " ", "right": ""}]}), "empty"),
        (lambda _: json.dumps({"corrections": [{"held": True, "message": 1, "quote": "寿司"}]}), "no number"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
async def test_what_is_not_said_by_the_person_corrects_nothing(
    ending: Ending, chat_server: ScriptedServer, chat: Callable[[Any], str], why: str
) -> None:
    await ending.remembered("before", "我喜欢吃寿司。")
    chat_server.chat = chat
    await ending.remembered("later", "今天的寿司不错。", answer="您不喜欢寿司了，我记下了。")
    assert len(chat_server.requests) == 1, why
    assert await ending.held() == ["吃寿司"]
    assert [each for each in await ending.facts() if each["polarity"] == "-"] == []


async def test_what_is_right_has_to_be_said_too(ending: Ending, chat_server: ScriptedServer) -> None:
    await ending.remembered("before", "我喜欢吃寿司。")
    chat_server.chat = correcting("一看见寿司我就想起那次中毒", "吃寿司", right="跳伞")
    await ending.remembered("later", "一看见寿司我就想起那次中毒。")
    assert await ending.held() == []


async def test_no_more_than_three_end_with_one_stretch(ending: Ending, chat_server: ScriptedServer) -> None:
    await ending.remembered("before", *LIKES)
    before = await ending.held()
    assert len(before) == len(LIKES)
    chat_server.chat = correcting("把我的喜好全删了", *before)
    await ending.remembered("later", "把我的喜好全删了。")
    assert len(await ending.held()) == len(LIKES) - EFFECTS_MAX


async def test_what_was_said_after_it_is_not_ended_by_it(ending: Ending, chat_server: ScriptedServer) -> None:
    await ending.remembered("before", "我喜欢爬山。")
    chat_server.chat = correcting("一看见寿司我就想起那次中毒", "吃寿司")
    await ending.remembered("one", "一看见寿司我就想起那次中毒。", "不过我喜欢吃寿司。")
    assert "吃寿司" in [each["object"] for each in shown_in(chat_server.requests[-1].body)["held"]]
    assert await ending.held() == ["吃寿司", "爬山"]
    assert await ending.denials() == []


async def test_what_another_person_says_takes_back_nothing_of_ones_own(
    over: World, ending: Ending, chat_server: ScriptedServer
) -> None:
    said = [{"role": "user", "name": "小红", "content": "我喜欢吃寿司。"}]
    await over.call("WriteMessages", conversation_id="before", user_id="u1", messages=said)
    await ending.remembered("before", "好。")
    assert await ending.held() == ["吃寿司"]
    chat_server.chat = correcting("小红早就不吃寿司了吧", "吃寿司")
    said = [
        {"role": "user", "name": "小红", "content": "大家好。"},
        {"role": "user", "name": "小明", "content": "小红早就不吃寿司了吧"},
    ]
    await over.call("WriteMessages", conversation_id="later", user_id="u1", messages=said)
    await ending.remembered("later", "嗯嗯。")
    assert chat_server.requests
    assert await ending.held() == ["吃寿司"]


async def test_what_rules_misread_in_the_very_message_is_taken_back_by_it(
    ending: Ending, chat_server: ScriptedServer
) -> None:
    said = "上回说的二甲双胍，我压根儿没吃过，那是我老伴儿的药"
    await ending.remembered("before", "我在吃二甲双胍。")
    chat_server.chat = correcting(said, "二甲双胍")
    await ending.remembered("later", f"{said}。")
    assert await ending.held("medication") == []


async def test_what_a_caller_told_is_not_a_judges(ending: Ending, chat_server: ScriptedServer) -> None:
    told = [{"subject": "user", "predicate": "knows", "object": "Ann"}]
    await ending.here.call("UpsertFacts", user_id="u1", triples=told)
    chat_server.chat = correcting("no idea who that Ann is", "Ann")
    await ending.remembered("later", "no idea who that Ann is")
    assert chat_server.requests
    assert await ending.held("knows") == ["Ann"]
    assert await ending.denials() == []


NAMED = [
    ("小红", "我住在北京。", "小明", "我早搬走了，如今在苏州", "北京", "苏州"),  # nobody else is in the later one
    ("", "我住在北京。", "小明", "我早搬走了，如今在苏州", "北京", "苏州"),
    ("小红", "我住在北京。", "", "我早搬走了，如今在苏州", "北京", "苏州"),
]


@pytest.mark.parametrize(("first", "told", "second", "said", "held", "right"), NAMED)
async def test_a_fact_is_taken_back_by_nobody_of_another_name(  # noqa: PLR0917 - a case
    ending: Ending, chat_server: ScriptedServer, first: str, told: str, second: str, said: str, held: str, right: str
) -> None:
    for conversation, name, text in (("before", first, told), ("later", second, said)):
        if conversation == "later":
            chat_server.chat = correcting(said, held, right=right)
        message = {"role": "user", "content": text} | ({"name": name} if name else {})
        await ending.here.call("WriteMessages", conversation_id=conversation, user_id="u1", messages=[message])
        await ending.here.call("FinalizeSessionMemory", conversation_id=conversation)
        await ending.work()
    assert chat_server.requests
    assert "北京" in await ending.held("residence")


async def test_an_agent_with_a_name_is_no_person(ending: Ending, chat_server: ScriptedServer) -> None:
    await ending.remembered("before", "我喜欢吃寿司。")
    chat_server.chat = correcting("您早就不吃寿司了", "吃寿司")
    said = [
        {"role": "user", "content": "你好。"},
        {"role": "assistant", "name": "小助手", "content": "您早就不吃寿司了，我记得。"},
    ]
    await ending.here.call("WriteMessages", conversation_id="later", user_id="u1", messages=said)
    await ending.here.call("FinalizeSessionMemory", conversation_id="later")
    await ending.work()
    assert [each["who"] for each in shown_in(chat_server.requests[-1].body)["messages"]] == ["user", "agent"]
    assert await ending.held() == ["吃寿司"]


async def test_what_an_agent_says_of_somebody_absent_takes_nothing_back(
    ending: Ending, chat_server: ScriptedServer
) -> None:
    await ending.remembered("before", "我妈妈住在北京。")
    assert set(await ending.held("residence")) == {"北京"}
    said = "您妈妈早就不住那儿了，她搬到苏州了"
    chat_server.chat = correcting(said, "北京", right="苏州")
    await ending.remembered("later", "你好。", answer=f"{said}。")
    assert chat_server.requests
    assert set(await ending.held("residence")) == {"北京"}
    assert await ending.denials() == []


@pytest.mark.parametrize("said", ["好", "嗯嗯", "是的", "OK", "没有"])
async def test_an_assent_takes_nothing_back(ending: Ending, chat_server: ScriptedServer, said: str) -> None:
    await ending.remembered("before", "我喜欢吃寿司。")
    chat_server.chat = correcting(said, "吃寿司")
    await ending.remembered("later", f"{said}。", answer="您说过您已经不吃寿司了。")
    assert await ending.held() == ["吃寿司"]


async def test_words_are_kept_as_the_message_has_them(ending: Ending, chat_server: ScriptedServer) -> None:
    await ending.remembered("before", "I love sushi.")
    assert await ending.held() == ["sushi"]
    quote = "Since that  Poisoning I cannot look at it"
    chat_server.chat = lambda body: correcting("since that poisoning", "sushi")(body).replace(
        "since that poisoning", quote
    )
    await ending.remembered("later", "since that poisoning I cannot look at it.")
    assert await ending.held() == []
    (denial,) = [each for each in await ending.facts() if each["polarity"] == "-"]
    assert denial["text"] == "since that poisoning I cannot look at it"


async def test_what_is_forgotten_goes_from_the_correction_that_did_not_say_it(
    over: World, ending: Ending, chat_server: ScriptedServer
) -> None:
    await ending.remembered("before", "我喜欢吃寿司。我喜欢爬山。")
    chat_server.chat = correcting("一看见它我就想起那次中毒", "吃寿司", "爬山")
    await ending.remembered("later", "一看见它我就想起那次中毒，爬山也爬不动了。")
    assert await ending.held() == []
    await over.call("ForgetMemory", user_id="u1", conversation_id="before")
    left = await over.pages("ListMemories", user_id="u1", states=["held", "ended", "superseded", "archived"])
    assert "寿司" not in json.dumps(left, ensure_ascii=False)


async def test_a_name_is_no_matter_of_a_judge(ending: Ending, chat_server: ScriptedServer) -> None:
    await ending.remembered("before", "我叫王芳。")
    chat_server.chat = correcting("以后别叫我这个了", "王芳")
    await ending.remembered("later", "以后别叫我这个了。")
    assert await ending.held("name") == ["王芳"]


async def test_what_was_decided_is_applied_after_a_crash_and_nothing_else(
    over: World, ending: Ending, chat_server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ending.remembered("before", *LIKES[:2])
    chat_server.chat = correcting("一看见寿司我就想起那次中毒", "吃寿司")
    await ending.said("later", "一看见寿司我就想起那次中毒。")
    (key,) = over.jobs.waiting
    asked = len(chat_server.requests)
    apply = Corrector.apply

    async def cut_off(*_: Any) -> None:
        raise StoreUnavailable("the store is gone")

    monkeypatch.setattr(Corrector, "apply", cut_off)
    with pytest.raises(StoreUnavailable):
        await ending.finaliser.run(key)
    assert await ending.held() == ["吃寿司", "爬山"]
    monkeypatch.setattr(Corrector, "apply", apply)
    chat_server.chat = correcting("一看见寿司我就想起那次中毒", "爬山")
    assert await ending.finaliser.run(key) is True
    assert await ending.held() == ["爬山"], "the first opinion is the one that counts"
    assert len(chat_server.requests) == asked + 1, "the model is not paid twice"
    (fields,) = await over.commands.run(("HKEYS", f"short_term_memory:finalization:{{default/later}}:{key.number}"))
    assert not [name for name in fields if name.startswith(b"decided:")], "a closed session keeps no words of it"
    unit = await over.store.latest_memunit(key.scope)
    assert unit is not None
    (gone,) = [each for each in await ending.facts("superseded") if each["object"] == "吃寿司"]
    decided = Decision(gone["memory_id"], 2, "一看见寿司我就想起那次中毒", 0, "a judge", right="吃面")
    facts = await ending.facts("held", "superseded", "ended")
    await ending.corrector.apply(UserScope("default", "u1"), unit, [decided])
    assert await ending.facts("held", "superseded", "ended") == facts, "what is held no longer is not taken back again"


async def test_a_model_that_makes_no_sense_is_not_asked_of_every_stretch(
    over: World, judge: OpenAIJudge, chat_server: ScriptedServer
) -> None:
    ending = Ending(over, judge, messages_max=2)
    await ending.remembered("before", "我喜欢吃寿司。")
    chat_server.requests.clear()
    chat_server.chat = lambda _: "no idea"
    await ending.remembered("later", "今天好热。", "明天呢？", "后天呢？")
    units = await over.pages("ListMemUnits", user_id="u1", conversation_id="later")
    assert len(units) == 3
    assert len({each.body["messages"][1]["content"] for each in chat_server.requests}) == 1


async def test_where_the_model_makes_no_sense_the_session_becomes_memory_all_the_same(
    ending: Ending, chat_server: ScriptedServer
) -> None:
    await ending.remembered("before", "我喜欢吃寿司。")
    chat_server.chat = lambda _: "no idea"
    await ending.remembered("later", "一看见寿司我就想起那次中毒。", "我喜欢爬山。")
    assert await ending.held() == ["吃寿司", "爬山"]


async def test_a_unit_before_which_nothing_is_held_costs_no_request(
    ending: Ending, chat_server: ScriptedServer
) -> None:
    await ending.remembered("first", "今天天气不错。")
    assert chat_server.requests == []
