"""What an endpoint is not shown: nothing of it in any request, and answers as if it had been."""

import json
from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memory.consolidation.derive import derive, dialogue_of
from memory.consolidation.minds import Minds
from memory.consolidation.remember import Rememberer
from memory.extraction.rules_mind import RulesMind
from memory.model.extraction import Dialogue, Extraction, FoundEpisode, FoundEvent, FoundFact, Said
from memory.model.memory import Kind
from memory.model.memunit import MemUnit
from memory.privacy.policy import KINDS
from memory.privacy.withheld import Hidden, Withheld
from memory.providers.budget import Budget, BudgetLimits, InMemoryLedger
from memory.providers.openai_calls import OpenAIEndpoint
from memory.providers.openai_embedder import OpenAIEmbedder, OpenAIEmbedderSettings
from memory.providers.openai_mind import OpenAIMind, OpenAIMindSettings
from memory.scope import ConversationScope
from memory.stores.sqlite.database import Database
from memory.stores.sqlite.memories import SqliteMemoryStore
from tests.contract.test_privacy import CANARIES, TOLD, in_clear
from tests.openai_server import DIMENSION, ScriptedServer, answer, chat_answer, status

ALL = frozenset(KINDS)
AT_MS = 1_763_764_800_000


@pytest.fixture
async def server() -> AsyncIterator[ScriptedServer]:
    async with ScriptedServer() as running:
        yield running


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteMemoryStore]:
    database = Database(tmp_path / "memories.sqlite3")
    await database.start()
    made = SqliteMemoryStore(database, "", 0, lambda _: None)
    await made.start()
    yield made
    await database.close()


def unit_of(texts: list[str], name: str = "") -> MemUnit:
    named = {"name": name} if name else {}
    entries = [{"seq": seq, "role": "user", "content": text, "at": AT_MS} | named for seq, text in enumerate(texts, 1)]
    return MemUnit(
        unit_id="unit",
        scope=ConversationScope("t1", "c1"),
        user_id="u1",
        session_number=1,
        seq_from=1,
        seq_to=len(texts),
        turn_from=1,
        turn_to=1,
        started_ms=AT_MS,
        ended_ms=AT_MS,
        subject="",
        summary="",
        narrative="",
        participants=("user",),
        recent_turns=1,
        messages=json.dumps(entries).encode(),
    )


Make = Callable[..., OpenAIMind]


@pytest.fixture
async def mind_of(server: ScriptedServer) -> AsyncIterator[Make]:
    made: list[OpenAIMind] = []

    def make(withheld: Withheld, **settings: Any) -> OpenAIMind:
        point = OpenAIEndpoint(server.url, "sk-test", deadline_s=10.0, retries_max=0, backoff_s=0.001)
        chosen = replace(OpenAIMindSettings("m", point, withheld=withheld), **settings)
        budget = Budget(BudgetLimits(), InMemoryLedger(), lambda: "2025-11-22")
        made.append(OpenAIMind(chosen, budget, RulesMind(), len))
        return made[-1]

    yield make
    for mind in made:
        await mind.close()


def data_in(sent: Mapping[str, Any]) -> dict[str, Any]:
    content = sent["messages"][1]["content"]
    data: dict[str, Any] = json.loads(content.removeprefix("<dialogue>\n").removesuffix("\n</dialogue>"))
    return data


def reads_name_and_mobile(sent: dict[str, Any]) -> str:
    """A model that finds a fact and an event in what it is shown, by the words that it is shown."""
    data = data_in(sent)
    name = data["messages"][0]["text"].split("我叫")[1].split("，")[0]
    text = data["messages"][1]["text"]
    number = text.split("手机")[1].split("，")[0]
    fact = {"seq": 1, "subject": "user", "predicate": "name", "object": name, "polarity": "+", "importance": 1}
    event = {"seq": 2, "text": f"2025-11-22：号码{number}", "date": "2025-11-22", "quote": f"手机{number}"}
    episode = {"participant": data["participants"][0], "title": "T", "content": f"{name}，{number}"}
    return json.dumps(
        {
            "facts": [fact | {"quote": f"我叫{name}"}],
            "events": [event | {"importance": 0.5}],
            "episodes": [episode],
        }
    )


async def test_endpoint_never_receives_what_is_withheld_and_facts_come_back_as_they_were_said(
    server: ScriptedServer, mind_of: Make, store: SqliteMemoryStore
) -> None:
    counts: Counter[str] = Counter()
    server.chat = reads_name_and_mobile
    mind = mind_of(Withheld(ALL, counts.update))
    stored = await Rememberer(store, Minds(mind, RulesMind(), None, "zh")).remember(unit_of(TOLD))
    sent = json.dumps([request.body for request in server.requests], ensure_ascii=False)
    assert server.requests
    assert in_clear(sent.encode()) == []
    assert set(counts) == ALL
    (fact,) = [memory for memory in stored if memory.kind is Kind.FACT and memory.mind != "rules"]
    assert (fact.object, fact.source.quote, fact.mind) == ("李雷", "我叫李雷", "openai/m (zh production prompt 4)")
    (event,) = [memory for memory in stored if memory.kind is Kind.EVENT]
    assert event.text == "2025-11-22：号码138 1234 5678"
    assert "T\n李雷，138 1234 5678" in [memory.text for memory in stored]


async def test_repeated_and_repaired_requests_hold_nothing_of_it_either(server: ScriptedServer, mind_of: Make) -> None:
    server.chat = reads_name_and_mobile
    server.script = [status(400), answer(chat_answer({"role": "assistant", "content": "a poem"}))]
    mind = mind_of(Withheld(ALL), part_tokens=400)
    await mind.extract(dialogue_of(unit_of(TOLD[:2]), "zh"))
    assert len(server.requests) == 3
    sent = json.dumps([request.body for request in server.requests], ensure_ascii=False)
    assert in_clear(sent.encode()) == []


async def test_endpoint_sees_what_is_kept_and_one_placeholder_for_one_value(
    server: ScriptedServer, mind_of: Make
) -> None:
    server.chat = lambda _: json.dumps({"facts": [], "events": [], "episodes": []})
    mind = mind_of(Withheld(frozenset({"mobile"})))
    await mind.extract(dialogue_of(unit_of([*TOLD, "还有13987654321"]), "zh"))
    (request,) = server.requests
    texts = [message["text"] for message in data_in(request.body)["messages"]]
    assert "我叫李雷" in texts[0]
    assert texts[1].startswith("手机[mobile_1]，")
    assert "[mobile_1]打不通" in texts[4]
    assert texts[5] == "还有[mobile_2]"
    assert "[mobile_1]" in request.body["messages"][0]["content"], "the prompt says what a placeholder is"


async def test_prompt_is_as_it_was_when_nothing_is_withheld(server: ScriptedServer, mind_of: Make) -> None:
    server.chat = lambda _: json.dumps({"facts": [], "events": [], "episodes": []})
    mind = mind_of(Withheld(ALL))
    await mind.extract(dialogue_of(unit_of(["我对青霉素过敏，上周三去做了检查。"]), "zh"))
    assert server.requests[0].body["messages"][0]["content"] == mind.prompts["zh"][0].text


async def test_rules_that_go_on_without_the_model_read_what_was_said(server: ScriptedServer, mind_of: Make) -> None:
    server.script = [status(500)] * 5
    mind = mind_of(Withheld(ALL), when_down="rules")
    found = await mind.extract(dialogue_of(unit_of(TOLD[:1]), "zh"))
    assert ("name", "李雷") in {(fact.predicate, fact.object) for fact in found.facts}


async def test_embeddings_endpoint_is_told_the_kind_alone(server: ScriptedServer) -> None:
    point = OpenAIEndpoint(server.url, "sk-test", deadline_s=10.0)
    chosen = OpenAIEmbedderSettings(model="m", endpoint=point, dimensions=DIMENSION, withheld=Withheld(ALL))
    embedder = OpenAIEmbedder(chosen)
    await embedder.passages([text.replace("昨天李雷", "昨天我") for text in TOLD])  # a text alone needs its cue
    await embedder.queries([f"{CANARIES['mobile']}是谁的"])
    sent = [text for request in server.requests for text in request.body["input"]]
    assert in_clear("".join(sent).encode()) == []
    assert "[mobile]是谁的" in sent
    await embedder.close()


def said(*texts: str, speaker: str = "user") -> Dialogue:
    return Dialogue(
        [Said(seq, speaker, own=True, text=text, at_ms=AT_MS) for seq, text in enumerate(texts, 1)], "", "zh"
    )


def fact(quote: str, thing: str) -> FoundFact:
    return FoundFact(1, "user", "state", thing, "+", quote)


@pytest.mark.parametrize("thing", ["mobile_1", "[mobile_9]", "[Mobile_1]", "【mobile_1】", "[mobile_1"])
def test_fact_whose_placeholder_came_back_broken_is_lost_and_counted(thing: str) -> None:
    hidden = Hidden.of(said("我的手机是13812345678"), ALL)
    found = hidden.restored(Extraction(facts=[fact("我的手机", thing), fact("我的手机", "[mobile_1]")]))
    assert [one.object for one in found.facts] == ["13812345678"]
    assert sum(found.dropped.values()) == 1
    events = [FoundEvent(1, f"打{thing}", AT_MS, "手机"), FoundEvent(1, "打[mobile_1]", AT_MS, "手机")]
    assert [one.text for one in hidden.restored(Extraction(events=events)).events] == ["打13812345678"]


def test_lost_fact_is_counted_among_what_was_dropped() -> None:
    unit = unit_of(["我的手机是13812345678"])
    dialogue = dialogue_of(unit, "zh")
    hidden = Hidden.of(dialogue, ALL)
    found = hidden.restored(Extraction(facts=[fact("手机是[mobile_1", "x"), fact("手机是[mobile_1]", "[mobile_7]")]))
    assert sum(derive(unit, dialogue, found, "m").dropped.values()) == 2


def test_placeholders_that_people_wrote_themselves_are_not_taken_for_ours() -> None:
    dialogue = said("我写的是[mobile_1]和card_7", "手机13812345678")
    hidden = Hidden.of(dialogue, ALL)
    assert hidden.dialogue.messages[1].text == "手机[mobile_8]"
    found = hidden.restored(Extraction(facts=[fact("我写的是[mobile_1]", "[mobile_1]"), fact("手机", "[mobile_8]")]))
    assert [one.object for one in found.facts] == ["[mobile_1]", "13812345678"]
    assert not sum(found.dropped.values())


def test_people_who_speak_are_names_and_come_back() -> None:
    hidden = Hidden.of(said("我有高血压", "李雷说他好了", speaker="李雷"), frozenset({"name"}))
    assert [(one.speaker, one.text) for one in hidden.dialogue.messages] == [
        ("[name_1]", "我有高血压"),
        ("[name_1]", "[name_1]说他好了"),
    ]
    assert hidden.restored(Extraction(episodes=[FoundEpisode("[name_1]", "[name_1]好了")])).episodes == [
        FoundEpisode("李雷", "李雷好了")
    ]
    shown = Hidden.of(said("我有高血压", speaker="李雷"), frozenset({"mobile"}))
    assert shown.dialogue.messages[0].speaker == "李雷"


def test_nothing_withheld_is_the_dialogue_itself() -> None:
    dialogue = said(*TOLD)
    assert Hidden.of(dialogue, frozenset()).dialogue is dialogue
    found = Extraction(facts=[fact("我叫李雷", "李雷")])
    assert Hidden.of(dialogue, frozenset()).restored(found) is found
