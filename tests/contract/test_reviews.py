"""What a person has to decide about memories, and what their word does: ListReviews, DecideReview, GetMemoryHistory."""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from gateway.work.background import SystemClock
from memory.consolidation.remember import Rememberer
from memory.consolidation.reviews import ReviewSettings
from memory.errors import AlreadyDecided, InvalidInput, NotFound
from memory.model.caller import Caller
from memory.model.memory import Category, Memory
from memory.retrieval.decay import DAY_MS, DecaySettings
from memory.scope import UserScope
from memory.service.confirmation import FactConfirmation
from memory.stores.sqlite.memories import SqliteMemoryStore
from tests.contract.lives import ON_ONE_STORE
from tests.inprocess import NO_RECALL, MovableClock, World

pytestmark = ON_ONE_STORE

U1 = UserScope("default", "u1")
TAKEN_BACK = ("我对青霉素过敏。", "说错了，不是青霉素，是头孢。")
HUMAN = ReviewSettings(by="human")
NURSE = Caller("default", frozenset({"admin"}), "nurse")


async def remembered(here: World, *texts: str, user: str = "u1", conversation: str = "") -> None:
    """What an ended conversation has said."""
    place = conversation or f"of_{user}_{len(texts)}"
    for text in texts:
        await here.write(text, "好的。", place, user_id=user)
    await here.finalize(place)


async def reviews(here: World, **asked: Any) -> list[dict[str, Any]]:
    return list((await here.call("ListReviews", **asked))["items"])


async def allergies(here: World, user: str = "u1") -> list[str]:
    return list((await here.query("another", user_id=user, query=""))["safety"]["allergies"])


async def test_what_somebody_took_back_is_asked_of_a_person(here: World) -> None:
    await remembered(here, *TAKEN_BACK)
    (item,) = await reviews(here)
    assert (item["cause"], item["user_id"], item["memory"]["object"]) == ("contradiction", "u1", "青霉素")
    assert [each["object"] for each in item["beside"]][:1] == ["青霉素"], "what is held stands beside it"
    assert "青霉素" in item["why"]
    assert "不是青霉素，是头孢" in item["why"]
    assert [each["verdict"] for each in item["verdicts"]] == ["APPLY", "REJECT"]
    assert sorted(await allergies(here)) == ["头孢", "青霉素"], "both, until somebody decides"
    english = (await reviews(here, locale="en"))[0]
    assert "on record" in english["why"]
    assert (await here.call("ListReviews"))["counts"] == {
        "contradiction": 1, "uncertain": 0, "fading": 0, "promote": 0
    }  # fmt: skip


@pytest.mark.parametrize(("verdict", "held"), [("APPLY", ["头孢"]), ("REJECT", ["头孢", "青霉素"])])
async def test_a_verdict_on_safety_holds_at_once_everywhere(here: World, verdict: str, held: list[str]) -> None:
    await remembered(here, *TAKEN_BACK)
    (item,) = await reviews(here)
    answer = await here.call("DecideReview", NURSE, item_id=item["item_id"], verdict=verdict, why="打电话问过")
    assert (answer["verdict"], answer["by"], answer["why"]) == (verdict, "nurse", "打电话问过")
    assert not answer["replayed"]
    assert sorted(await allergies(here)) == held
    context = (await here.query("another", user_id="u1", query=""))["context"]
    assert "改口" not in context
    assert await reviews(here) == []
    again = await here.call("DecideReview", item_id=item["item_id"], verdict=verdict)
    assert (again["replayed"], again["decided_at"], again["by"]) == (True, answer["decided_at"], "nurse")
    other = "REJECT" if verdict == "APPLY" else "APPLY"
    with pytest.raises(AlreadyDecided, match=f"nurse has decided {verdict}"):
        await here.call("DecideReview", item_id=item["item_id"], verdict=other)
    assert sorted(await allergies(here)) == held


async def test_what_is_applied_was_told_by_a_caller_too(here: World) -> None:
    triple = {"subject": "user", "predicate": "allergy", "object": "青霉素"}
    await here.call("UpsertFacts", user_id="u1", triples=[triple])
    await remembered(here, "其实我说错了，不是青霉素过敏，是头孢过敏。")
    (item,) = await reviews(here)
    await here.call("DecideReview", item_id=item["item_id"], verdict="APPLY")
    assert await allergies(here) == ["头孢"]


@pytest.mark.parametrize("said", ["我刚才说错了，不是青霉素过敏，是头孢过敏。", "我没有青霉素过敏。"])
async def test_what_a_record_system_told_is_asked_about_too(here: World, said: str) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["青霉素", "花生"]})
    await remembered(here, said)
    (item,) = await reviews(here)
    assert (item["cause"], item["memory"]["object"]) == ("contradiction", "青霉素")
    assert "青霉素（本人已改口，待确认）" in (await here.query("another", user_id="u1", query=""))["context"]
    await here.call("DecideReview", item_id=item["item_id"], verdict="APPLY")
    assert "青霉素" not in await allergies(here)
    assert "花生" in await allergies(here)
    assert await reviews(here) == []


async def test_who_takes_it_off_a_profile_closes_the_question(here: World) -> None:
    await here.call("UpsertFacts", user_id="u1", facts={"allergies": ["青霉素"]})
    await remembered(here, "我没有青霉素过敏。")
    assert len(await reviews(here)) == 1
    await here.call("UpsertFacts", user_id="u1", remove={"allergies": ["青霉素"]})
    assert await reviews(here) == []
    assert await allergies(here) == []


async def test_a_doubt_is_asked_about_until_it_is_settled(here: World) -> None:
    await remembered(here, "上次打了头孢之后有点恶心，不知道算不算过敏。")
    (item,) = await reviews(here, cause="uncertain")
    assert (item["memory"]["predicate"], item["memory"]["object"]) == ("possible_allergy", "头孢")
    await here.call("DecideReview", item_id=item["item_id"], verdict="APPLY")
    assert await allergies(here) == ["头孢"]
    assert await reviews(here) == []


async def test_who_says_it_for_sure_settles_a_doubt(here: World) -> None:
    await remembered(here, "上次打了头孢之后有点恶心，不知道算不算过敏。", conversation="a")
    assert len(await reviews(here)) == 1
    await remembered(here, "查过了，我对头孢过敏。", conversation="b")
    assert await reviews(here) == []


async def test_what_is_denied_while_it_is_held_is_asked_about(here: World) -> None:
    await remembered(here, "我对花生过敏。", conversation="a")
    await remembered(here, "我没有花生过敏。", conversation="b")
    (item,) = await reviews(here)
    assert (item["cause"], item["memory"]["polarity"]) == ("contradiction", "-")
    assert await allergies(here) == ["花生"], "until somebody decides it is held"
    assert "花生（本人已改口，待确认）" in (await here.query("another", user_id="u1", query=""))["context"]
    held = item["beside"][0]["memory_id"]
    await here.call("ForgetMemory", user_id="u1", memory_id=held)
    assert await reviews(here) == [], "nothing is held any more that it denies"
    (denial,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    history = await here.call("GetMemoryHistory", memory_id=denial["memory_id"])
    assert held not in str(history), "nor does anything name it"


@pytest.mark.parametrize(
    ("held", "denied"),
    [
        ("我对花生过敏。", "其实我对花生不过敏。"),
        ("我对青霉素过敏。", "医生问我，我说我对青霉素不过敏。"),
        ("我有哮喘。", "我没有哮喘病。"),
        ("我有2型糖尿病。", "我没有糖尿病。"),
        ("I'm allergic to peanuts.", "I don't have a peanut allergy."),
        ("I'm allergic to penicillin.", "I took the bus today and I'm not allergic to penicillin."),
        ("I have asthma.", "I do not have asthma."),
        ("I have high blood pressure.", "I don't have hypertension."),
    ],
)
async def test_a_plain_no_ends_nothing_and_is_asked_about(here: World, held: str, denied: str) -> None:
    await remembered(here, held, conversation="a")
    await remembered(here, denied, conversation="b")
    (item,) = await reviews(here, cause="contradiction")
    assert item["beside"][0]["polarity"] == "+"
    assert "valid_to" not in item["beside"][0]


@pytest.mark.parametrize(
    ("held", "denied"),
    [
        ("licorice", "I'm not allergic to rice."),
        ("licorice", "I had a skin test. The doctor says I'm not allergic to rice at all."),
        ("peanut", "I'm not allergic to peas."),
        ("eggplant", "I'm not allergic to egg, I had an egg and was fine."),
        ("oat milk", "I'm not allergic to milk."),
        ("花生", "我对花不过敏。"),
        ("鱼腥草", "我对鱼不过敏。"),
        ("鱼腥草", "做了皮试，医生说我对鱼根本不过敏。"),
        ("头孢曲松", "我对头孢不过敏。"),
    ],
)
@pytest.mark.parametrize("told", [True, False])
async def test_no_of_what_a_name_only_contains_takes_nothing_off(
    here: World, held: str, denied: str, *, told: bool
) -> None:
    if told:
        await here.call("UpsertFacts", user_id="u1", facts={"allergies": [held]})
    else:
        await remembered(here, f"我对{held}过敏。" if not held.isascii() else f"I'm allergic to {held}.")
    before = await allergies(here)
    await remembered(here, denied, conversation="b")
    assert await reviews(here) == []
    assert await allergies(here) == before


@pytest.mark.parametrize(
    ("held", "over"),
    [
        ("我对青霉素过敏。", "皮试阴性，我对青霉素不过敏。"),
        ("我对芒果过敏。", "芒果我已经不过敏了。"),
        ("我有哮喘。", "专家看过，说我没有哮喘，是慢阻肺。"),
        ("I'm allergic to penicillin.", "The allergist tested me: no penicillin allergy."),
        ("I'm allergic to eggs.", "I'm not allergic to eggs anymore."),
        ("I have asthma.", "Spirometry was normal, I don't have asthma after all."),
    ],
)
async def test_a_no_with_a_reason_ends_what_was_held(here: World, held: str, over: str) -> None:
    await remembered(here, held, conversation="a")
    await remembered(here, over, conversation="b")
    assert await reviews(here, cause="contradiction") == []
    listed = await here.call("ListMemories", user_id="u1", kinds=["fact"], states=["held"])
    claims = [
        each for each in listed["items"] if each["polarity"] == "+" and each["predicate"] in {"allergy", "disease"}
    ]
    assert all(each["source"]["conversation_id"] == "b" for each in claims), "only what was said with it"


async def test_a_verdict_that_is_forgotten_opens_the_question_again(here: World) -> None:
    await remembered(here, "我对花生过敏。", conversation="a")
    await remembered(here, "我没有花生过敏。", conversation="b")
    (item,) = await reviews(here)
    await here.call("DecideReview", item_id=item["item_id"], verdict="APPLY")
    assert await allergies(here) == []
    listed = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    (verdict,) = [each for each in listed if each["mind"] == "caller"]
    await here.call("ForgetMemory", user_id="u1", memory_id=verdict["memory_id"])
    assert await allergies(here) == ["花生"], "as before the verdict"
    (again,) = await reviews(here)
    answer = await here.call("DecideReview", item_id=again["item_id"], verdict="REJECT")
    assert not answer["replayed"]
    assert await allergies(here) == ["花生"]


@pytest.mark.parametrize("how", ["remove", "forget"])
async def test_what_is_held_no_longer_is_asked_about_no_longer(here: World, how: str) -> None:
    await remembered(here, *TAKEN_BACK)
    (item,) = await reviews(here)
    claim = item["beside"][0]["memory_id"]
    if how == "remove":
        await here.call("UpsertFacts", user_id="u1", remove={"allergies": ["青霉素"]})
    else:
        await here.call("ForgetMemory", user_id="u1", memory_id=claim)
    answer = await here.call("ListReviews")
    assert answer["items"] == []
    assert answer["counts"]["contradiction"] == 0
    assert await allergies(here) == ["头孢"]


async def test_what_was_taken_over_from_a_memory_goes_with_it(here: World) -> None:
    await remembered(here, "上次打了头孢之后有点恶心，不知道算不算过敏。", conversation="a")
    (item,) = await reviews(here)
    await here.call("DecideReview", item_id=item["item_id"], verdict="APPLY", why="CANARYWHY")
    await remembered(here, "我对头孢过敏。", conversation="b")
    listed = (await here.call("ListMemories", user_id="u1", kinds=["fact"], states=["held", "superseded"]))["items"]
    (told,) = [each for each in listed if each["mind"] == "caller"]
    await here.call("ForgetMemory", user_id="u1", memory_id=told["memory_id"])
    await here.call("ForgetMemory", user_id="u1", conversation_id="a")
    every = [entry.memory async for entry in here.memories.entries(U1)]
    assert every
    assert "CANARYWHY" not in str(every)
    assert "恶心" not in str(every)


async def test_confirming_the_facts_closes_the_question_too(here: World) -> None:
    await remembered(here, *TAKEN_BACK)
    (item,) = await reviews(here)
    claim = item["beside"][0]["memory_id"]
    await here.call("ConfirmFacts", user_id="u1", fact_ids=[claim], verdict="wrong")
    assert await reviews(here) == []
    with pytest.raises(AlreadyDecided, match="open no longer"):
        await here.call("DecideReview", item_id=item["item_id"], verdict="REJECT")


async def test_a_question_goes_with_its_memory_and_its_user(here: World) -> None:
    for user in ("u1", "u2"):
        await remembered(here, *TAKEN_BACK, user=user)
    items = await reviews(here)
    assert {each["user_id"] for each in items} == {"u1", "u2"}
    (of_u1,) = await reviews(here, user_id="u1")
    await here.call("ForgetMemory", user_id="u1")
    assert [each["user_id"] for each in await reviews(here)] == ["u2"]
    with pytest.raises(NotFound):
        await here.call("DecideReview", item_id=of_u1["item_id"], verdict="APPLY")
    stranger = Caller("elsewhere", frozenset({"admin"}))
    assert (await here.call("ListReviews", stranger))["items"] == []
    with pytest.raises(NotFound):
        await here.call("DecideReview", stranger, item_id=items[1]["item_id"], verdict="APPLY")


async def test_pages_are_in_order_and_miss_none(here: World) -> None:
    for number in range(7):
        await remembered(here, *TAKEN_BACK, user=f"u{number}")
    whole = await reviews(here)
    seen, cursor = list[str](), ""
    while True:
        page = await here.call("ListReviews", limit=3, cursor=cursor)
        seen += [each["item_id"] for each in page["items"]]
        cursor = page["cursor"]
        if not cursor:
            break
    assert seen == [each["item_id"] for each in whole]
    assert len(set(seen)) == 7
    assert [each["opened_at"] for each in whole] == sorted(each["opened_at"] for each in whole)
    for nonsense in ("nonsense", "99999999999999999999.x", "-1.x", "１.x"):
        with pytest.raises(InvalidInput):
            await here.call("ListReviews", cursor=nonsense)


async def test_two_persons_at_once_one_verdict(here: World) -> None:
    await remembered(here, *TAKEN_BACK)
    (item,) = await reviews(here)

    async def decide(verdict: str) -> str:
        try:
            return str((await here.call("DecideReview", item_id=item["item_id"], verdict=verdict))["verdict"])
        except AlreadyDecided:
            return "refused"

    outcomes = await asyncio.gather(*(decide(each) for each in ("APPLY", "REJECT") * 4))
    assert outcomes.count("refused") == 4
    assert len({each for each in outcomes if each != "refused"}) == 1


@pytest.mark.parametrize(
    ("part", "step", "after", "meanwhile"),
    [
        pytest.param(FactConfirmation, "confirm", 0, ["头孢", "青霉素"], id="before its own word is stored"),
        pytest.param(Rememberer, "_supersede", 0, ["头孢"], id="once it is"),
        pytest.param(SqliteMemoryStore, "change", 2, ["头孢"], id="while it takes the place of others"),
        pytest.param(SqliteMemoryStore, "change", 3, ["头孢"], id="before who said it is noted"),
    ],
)
async def test_a_verdict_whose_process_died_is_applied_by_the_next_try(
    here: World, monkeypatch: pytest.MonkeyPatch, part: type, step: str, after: int, meanwhile: list[str]
) -> None:
    await remembered(here, *TAKEN_BACK)
    (item,) = await reviews(here)
    method, calls = getattr(part, step), itertools.count()

    async def dies(*given: Any) -> Any:
        if next(calls) == after:
            raise ConnectionResetError
        return await method(*given)

    with monkeypatch.context() as death:
        death.setattr(part, step, dies)
        with pytest.raises(ConnectionResetError):
            await here.call("DecideReview", item_id=item["item_id"], verdict="APPLY")
    assert sorted(await allergies(here)) == meanwhile
    with pytest.raises(AlreadyDecided):
        await here.call("DecideReview", item_id=item["item_id"], verdict="REJECT")
    await here.call("DecideReview", item_id=item["item_id"], verdict="APPLY")
    assert await allergies(here) == ["头孢"]
    held = await here.pages("ListMemories", user_id="u1", kinds=["fact"], states=["held"])
    (verdict,) = [each for each in held if each["object"] == "青霉素"]
    changes = (await here.call("GetMemoryHistory", memory_id=verdict["memory_id"]))["changes"]
    assert (verdict["mind"], changes[-1]["op"]) == ("caller", "confirmed")
    assert await reviews(here) == []


async def test_bad_requests_change_nothing(here: World) -> None:
    await remembered(here, *TAKEN_BACK)
    (item,) = await reviews(here)
    for bad in ("nonsense", item["item_id"] + "0", "a.b.c", item["item_id"].replace("contradiction", "fading")):
        with pytest.raises((InvalidInput, AlreadyDecided, NotFound)):
            await here.call("DecideReview", item_id=bad, verdict="APPLY" if "fading" not in bad else "KEEP")
    with pytest.raises(InvalidInput, match="must be one of APPLY, REJECT"):
        await here.call("DecideReview", item_id=item["item_id"], verdict="KEEP")
    assert [each["item_id"] for each in await reviews(here)] == [item["item_id"]]


DECAYS = replace(NO_RECALL, decay=DecaySettings(forgets=True))


async def strong(here: World, strength: float = 2.6) -> Memory:
    """A fact that was used often, the last time now."""
    await remembered(here, "我喜欢跑步。")
    (item,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]

    def used(memory: Memory) -> Memory:
        return replace(memory, strength=strength, boosted_ms=memory.recorded_ms, accessed_ms=memory.recorded_ms)

    (memory,) = await here.memories.change(U1, [item["memory_id"]], used)
    return memory


@pytest.mark.parametrize(
    ("verdict", "category", "archived"),
    [("PROMOTE", "core", False), ("KEEP", "fact", False), ("DELETE", "fact", True)],
)
async def test_what_is_used_often_may_be_promoted(
    make_world: Callable[..., Any],
    verdict: str,
    category: str,
    archived: bool,  # noqa: FBT001 - a case
) -> None:
    here = await make_world(reviews=HUMAN, recall=DECAYS)
    memory = await strong(here)
    (item,) = await reviews(here)
    assert (item["cause"], item["memory"]["memory_id"]) == ("promote", memory.memory_id)
    answer = await here.call("DecideReview", NURSE, item_id=item["item_id"], verdict=verdict)
    assert answer["memory"]["category"] == category
    assert ("archived_at" in answer["memory"]) == archived
    assert await reviews(here) == []
    history = await here.call("GetMemoryHistory", user_id="u1", memory_id=memory.memory_id)
    change = history["changes"][-1]
    assert (change["by"], change["verdict"], change["item_id"]) == ("nurse", verdict, item["item_id"])


async def test_what_fades_is_asked_about_and_kept(make_world: Callable[..., Any]) -> None:
    clock = MovableClock()
    here = await make_world(reviews=HUMAN, recall=DECAYS, clock=clock)
    await remembered(here, "我喜欢跑步。")
    clock.at_ms = SystemClock().now_ms()
    assert await reviews(here) == []
    clock.at_ms += 110 * DAY_MS
    (item,) = [each for each in await reviews(here) if each["memory"]["kind"] == "fact"]
    assert item["cause"] == "fading"
    assert "forget_at" in item
    answer = await here.call("DecideReview", item_id=item["item_id"], verdict="KEEP")
    assert "kept_at" in answer["memory"]
    assert item["memory"]["memory_id"] not in {each["memory"]["memory_id"] for each in await reviews(here)}
    assert answer["memory"]["forget_at"] > item["forget_at"]
    clock.at_ms += 200 * DAY_MS
    again = [each for each in await reviews(here) if each["memory"]["kind"] == "fact"]
    assert [each["memory"]["memory_id"] for each in again] == [item["memory"]["memory_id"]]
    assert again[0]["item_id"] != item["item_id"], "asked anew it is another question"


async def test_rules_ask_nobody_about_what_fades(make_world: Callable[..., Any]) -> None:
    clock = MovableClock()
    here = await make_world(recall=DECAYS, clock=clock)
    await strong(here, 9.0)
    clock.at_ms = SystemClock().now_ms()
    clock.at_ms += 400 * DAY_MS
    assert await reviews(here) == []


async def test_a_history_tells_who_did_what_and_why(here: World) -> None:
    await remembered(here, "我住在北京。", conversation="a")
    (old,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    await here.call("UpdateMemory", NURSE, user_id="u1", memory_id=old["memory_id"], importance=0.9)
    await here.call("MarkUsed", NURSE, user_id="u1", memory_ids=[old["memory_id"]])
    await remembered(here, "我住在上海。", conversation="b")
    history = await here.call("GetMemoryHistory", memory_id=old["memory_id"])
    updated, used, superseded = history["changes"]
    assert (updated["op"], updated["by"], updated["before"], updated["after"]) == (
        "updated", "nurse", {"importance": 0.5}, {"importance": 0.9}
    )  # fmt: skip
    assert (used["op"], used["by"], used["before"]) == ("used", "nurse", {"strength": 1.0})
    assert (superseded["op"], superseded["by"]) == ("superseded", "rules")
    assert superseded["after"]["superseded_by"] == history["memory"]["superseded_by"]
    assert [each["number"] for each in history["changes"]] == [1, 2, 3]
    with pytest.raises(NotFound):
        await here.call("GetMemoryHistory", user_id="u2", memory_id=old["memory_id"])


async def test_what_replaced_a_memory_and_was_forgotten_leaves_no_trace(here: World) -> None:
    await remembered(here, "我住在北京。", conversation="a")
    (old,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    await remembered(here, "我住在上海。", conversation="b")
    await here.call("ForgetMemory", user_id="u1", conversation_id="b")
    history = await here.call("GetMemoryHistory", memory_id=old["memory_id"])
    assert history["changes"] == []
    assert "superseded_by" not in history["memory"]


async def test_a_record_keeps_its_newest_changes_and_lets_uses_go_first(here: World) -> None:
    await remembered(here, "我喜欢跑步。")
    (item,) = (await here.call("ListMemories", user_id="u1", kinds=["fact"]))["items"]
    memory_id = item["memory_id"]
    await here.call("MarkUsed", user_id="u1", memory_ids=[memory_id])
    for number in range(60):
        await here.call("UpdateMemory", user_id="u1", memory_id=memory_id, importance=number / 100)
    changes = (await here.call("GetMemoryHistory", memory_id=memory_id))["changes"]
    assert len(changes) == 50
    assert [each["number"] for each in changes] == list(range(12, 62))
    (memory,) = await here.memories.get(U1, [memory_id])
    assert memory.category is Category.FACT


async def test_uses_one_after_the_other_are_one_change_and_large_ones_make_room(here: World) -> None:
    made = await here.call("CreateMemory", user_id="u1", subject="用户", memory_type="事实", topic="跑步")
    memory_id = made["memory"]["memory_id"]
    for day in range(1, 20):
        at = f"2026-01-{day:02d}T08:00:00Z"
        await here.call("MarkUsed", user_id="u1", memory_ids=[memory_id], occurred_at=at)
    (used,) = (await here.call("GetMemoryHistory", memory_id=memory_id))["changes"]
    assert (used["number"], used["before"]) == (19, {"strength": 1.0})
    for number in range(60):
        attributes = {f"k{each}": f"{number}" * 200 for each in range(16)}
        await here.call("UpdateMemory", user_id="u1", memory_id=memory_id, attributes=attributes)
    (memory,) = await here.memories.get(U1, [memory_id])
    assert 0 < len(str(memory.changes)) < 60_000
    assert memory.changes[-1].number == 79
