"""What answers rested on, judged over every store: the same of each, however often."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from memory.consolidation.curate import Curator
from memory.consolidation.fitting import fitting
from memory.language.terms import terms
from memory.model.memory import Kind, Source
from memory.model.memunit import MemUnit
from memory.model.search import Filter
from memory.ports import MemoryStore
from memory.providers.openai_judge import OpenAIJudge
from memory.retrieval.decay import SHOWN_COOLDOWN_MS, BoostSettings
from memory.scope import ConversationScope
from tests.contract.memory_stores import NOW_MS, U1, entry, key
from tests.openai_server import ScriptedServer

HOUR_MS = 3_600_000
ELSEWHERE = Source("before", "unit-0", (1,), "")
HERE = Source("later", "unit", (1,), "")


def unit(*turns: tuple[str, str], user: str = "u1", hours: int = 0) -> MemUnit:
    """A stretch of dialogue in which each turn is asked, and answered a second later, `hours` after the one before."""
    messages: list[dict[str, Any]] = []
    for number, (question, answer) in enumerate(turns):
        at = NOW_MS + number * hours * HOUR_MS
        messages.append({"seq": 2 * number + 1, "role": "user", "content": question, "at": at})
        messages.append({"seq": 2 * number + 2, "role": "assistant", "content": answer, "at": at + 1_000})
    return MemUnit(
        unit_id="unit", scope=ConversationScope(U1.tenant, "later"), user_id=user, session_number=1, seq_from=1,
        seq_to=len(messages), turn_from=1, turn_to=len(turns), started_ms=NOW_MS, ended_ms=int(messages[-1]["at"]),
        subject="", summary="", narrative="", participants=(), recent_turns=0, messages=json.dumps(messages).encode(),
    )  # fmt: skip


class Judge:
    """A curator whose units are given to it."""

    def __init__(self, store: MemoryStore, model: OpenAIJudge | None = None) -> None:
        self._store = store
        self._model = model

    async def judge(self, *units: MemUnit) -> int:
        kept = {each.unit_id: each for each in units}
        curator = Curator(self._store, Kept(kept), BoostSettings(), self._model)  # type: ignore[arg-type]
        return await curator.judge(U1, units[0].scope, list(kept))


class Kept:
    """The one method of a store of units that a curator uses."""

    def __init__(self, units: dict[str, MemUnit]) -> None:
        self._units = units

    async def get_memunit(self, _scope: ConversationScope, unit_id: str) -> MemUnit | None:
        return self._units.get(unit_id)


async def strengths(store: MemoryStore) -> dict[int, float]:
    found = {each.memory_id: each for each in await store.get(U1, [key(number) for number in range(1, 9)])}
    return {number: round(found[key(number)].strength, 6) for number in range(1, 9) if key(number) in found}


async def test_what_was_shown_and_is_named_is_stronger(store: MemoryStore) -> None:
    def told(number: int, text: str, *, seen_ms: int | None = NOW_MS - 60_000, **changes: Any) -> Any:
        return entry(number, text, text=text, source=ELSEWHERE, accessed_ms=seen_ms, **changes)

    await store.put(
        U1,
        [
            told(1, "I go bouldering on Fridays"),
            told(2, "My sister lives in Leeds"),
            told(3, "Bouldering hurt my wrist", seen_ms=None),
            told(4, "Bouldering with Ann", seen_ms=NOW_MS - SHOWN_COOLDOWN_MS - 1),
            told(5, "Bouldering with Bob", seen_ms=NOW_MS - SHOWN_COOLDOWN_MS),
            told(6, "Bouldering next week", seen_ms=NOW_MS + HOUR_MS),
            entry(7, "Bouldering again", text="Bouldering again", source=HERE, accessed_ms=NOW_MS),
            told(8, "Bouldering", kind=Kind.FACT, archived_ms=NOW_MS),
        ],
    )
    curator = Judge(store)
    stretch = unit(("What could I do on Friday?", "You could go bouldering, as you like to."))
    expected = {1: 1.3, 2: 1.0, 3: 1.0, 4: 1.0, 5: 1.3, 6: 1.0, 7: 1.0, 8: 1.0}
    for _ in range(3):
        assert await curator.judge(stretch) == 2
        assert await strengths(store) == expected


def given_with(stretch: MemUnit, **memories: list[int]) -> MemUnit:
    """The unit, in which answers say what was given for them: by `a<number of the message>`."""
    messages = json.loads(stretch.messages)
    for message in messages:
        if (named := memories.get(f"a{message['seq']}")) is not None:
            told = {"at": message["at"] - 500, "mode": "FULL_HISTORY", "tokens": 9}
            message["given"] = told | ({"memories": [key(number) for number in named]} if named else {})
    return replace(stretch, messages=json.dumps(messages).encode())


async def test_an_answer_that_says_what_it_was_given_rests_on_nothing_else(store: MemoryStore) -> None:
    texts = ("bouldering on Fridays", "bouldering with Ann", "chess with Bob", "chess in York", "an aunt in Leeds")
    for number, text in enumerate(texts, 1):
        await store.put(U1, [entry(number, text, text=text, source=ELSEWHERE, accessed_ms=NOW_MS)])
    stretch = unit(("And on Friday?", "Go bouldering."), ("And then?", "Then chess."), ("Who with?", "Your aunt."))
    assert await Judge(store).judge(given_with(stretch, a2=[1], a4=[])) == 2
    assert await strengths(store) == {1: 1.3, 2: 1.0, 3: 1.0, 4: 1.0, 5: 1.3}, "of the last one nothing was noted"


async def test_uses_count_at_the_times_of_the_answers(store: MemoryStore) -> None:
    await store.put(U1, [entry(1, "bouldering", text="I go bouldering", source=ELSEWHERE, accessed_ms=NOW_MS)])
    curator = Judge(store)
    far = unit(
        ("And today?", "Try bouldering."), ("And now?", "Then rest."), ("And later?", "Bouldering it is."), hours=2
    )
    assert await curator.judge(far) == 1
    assert await strengths(store) == {1: 1.3}, "a word counts where it is said first"
    (memory,) = await store.get(U1, [key(1)])
    assert (memory.boosted_ms, memory.accesses) == (NOW_MS + 1_000, 1)


async def test_what_fits_some_words_has_one_of_them(store: MemoryStore) -> None:
    texts = ("bouldering", "bouldering bouldering hall", "a walk in Leeds", "an aunt in York")
    await store.put(U1, [entry(number, text, text=text) for number, text in enumerate(texts, 1)])
    for most, numbers in ((10, {1, 2}), (0, set()), (1, {1, 2})):
        found = await fitting(store, U1, terms("bouldering"), Filter(), most)
        assert {each.memory_id for each in found} <= {key(number) for number in numbers}
        assert len(found) == min(most, 2)
    assert await fitting(store, U1, (), Filter(), 5) == []


async def test_a_unit_without_answers_of_its_own_costs_nothing(store: MemoryStore) -> None:
    await store.put(U1, [entry(1, "bouldering", text="I go bouldering", source=ELSEWHERE, accessed_ms=NOW_MS)])
    curator = Judge(store)
    assert await curator.judge(unit(("I love bouldering.", "Bouldering!"))) == 0
    assert await curator.judge(unit(("42?", "7."))) == 0
    assert await strengths(store) == {1: 1.0}


def using(*uses: tuple[str, int]) -> Callable[[Any], str]:
    """A model that names the memories with these texts, and what they are used for."""

    def answer(body: Any) -> str:
        content = body["messages"][1]["content"].removeprefix("<answers>\n").removesuffix("\n</answers>")
        numbers = {each["text"]: each["number"] for each in json.loads(content)["memories"]}
        named = [{"memory": numbers[text], "answer": seq} for text, seq in uses if text in numbers]
        return json.dumps({"used": named})

    return answer


async def afraid(store: MemoryStore) -> None:
    """Somebody of whom three things were shown, of which no answer says a word, and one was not."""
    texts = ("afraid of heights", "bouldering on Fridays", "an aunt in York", "a cat")
    for number, text in enumerate(texts, 1):
        seen_ms = None if number == 4 else NOW_MS - 60_000
        await store.put(U1, [entry(number, text, text=text, source=ELSEWHERE, accessed_ms=seen_ms)])


ASKED = unit(("Where to on Sunday?", "Skip the glass bridge, the wetland is nice."), ("And Friday?", "Bouldering."))


async def test_a_model_sees_what_no_word_says(
    store: MemoryStore, chat_server: ScriptedServer, judge: OpenAIJudge
) -> None:
    await afraid(store)
    chat_server.chat = using(("afraid of heights", 2), ("an aunt in York", 3), ("a cat", 2))
    curator = Judge(store, judge)
    for _ in range(2):
        assert await curator.judge(ASKED) == 1
        assert await strengths(store) == {1: 1.3, 2: 1.0, 3: 1.0, 4: 1.0}, "what the model does not name is not used"
    shown = json.dumps(chat_server.requests[0].body)
    assert "a cat" not in shown, "what was not shown is not asked about"
    (memory,) = await store.get(U1, [key(1)])
    assert memory.boosted_ms == NOW_MS + 1_000


async def test_a_model_that_names_what_was_not_given_is_not_believed(
    store: MemoryStore, chat_server: ScriptedServer, judge: OpenAIJudge
) -> None:
    await afraid(store)
    chat_server.chat = using(("afraid of heights", 2), ("an aunt in York", 2), ("an aunt in York", 4))
    assert await Judge(store, judge).judge(given_with(ASKED, a2=[1], a4=[2])) == 1
    assert await strengths(store) == {1: 1.3, 2: 1.0, 3: 1.0, 4: 1.0}


async def test_where_the_model_does_not_answer_the_rules_do(
    store: MemoryStore, chat_server: ScriptedServer, judge: OpenAIJudge
) -> None:
    await afraid(store)
    chat_server.chat = lambda _: "no idea"
    second = replace(ASKED, unit_id="unit-2")
    assert await Judge(store, judge).judge(ASKED, second) == 1
    assert await strengths(store) == {1: 1.0, 2: 1.3, 3: 1.0, 4: 1.0}
    assert len({request.body["messages"][1]["content"] for request in chat_server.requests}) == 1, (
        "asked of one unit only"
    )


async def test_a_model_is_asked_of_so_many_at_once(
    store: MemoryStore, chat_server: ScriptedServer, judge: OpenAIJudge
) -> None:
    many = [
        entry(number, text=f"thing {number}", source=ELSEWHERE, accessed_ms=NOW_MS, vector=False)
        for number in range(1, 121)
    ]
    await store.put(U1, many)
    chat_server.chat = using(("thing 7", 2), ("thing 120", 4))
    assert await Judge(store, judge).judge(ASKED) == 2
    assert len(chat_server.requests) == 3
    used = {each.text for each in await store.get(U1, [key(number) for number in range(1, 121)]) if each.accesses}
    assert used == {"thing 7", "thing 120"}
