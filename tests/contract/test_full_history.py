"""`full_history` comes page by page, whatever a session's size."""

from typing import Any

import pytest

from memory.errors import InvalidInput
from memory.limits import HISTORY_PAGE_BYTES_MAX
from memory.scope import ConversationScope
from tests.inprocess import World

LONG = "病" * 9_000
TURNS = 80


async def pages(here: World, **more: Any) -> list[str]:
    found, cursor = [], {}
    while True:
        context = await here.query(include=["full_history", "no_memories"], **cursor, **more)
        found.append(context["full_history"])
        if "full_history_cursor" not in context:
            return found
        cursor = {"full_history_cursor": context["full_history_cursor"]}


def lines(texts: list[str]) -> list[str]:
    return [line for text in texts for line in text.split("\n")]


async def write_long(here: World, turns: int = TURNS) -> list[str]:
    expected = []
    for number in range(turns):
        await here.write(f"{number} 好", f"{number} {LONG}", user_id="u")
        expected += [f"用户: {number} 好", f"AI: {number} {LONG}"]
    return expected


async def test_full_history_of_a_long_session_comes_in_pages_with_every_turn_once(here: World) -> None:
    expected = await write_long(here)

    found = await pages(here)

    assert len(found) > 1
    assert lines(found) == expected
    assert max(len(page.encode()) for page in found) <= HISTORY_PAGE_BYTES_MAX


async def test_full_history_pages_stay_right_while_a_checkpoint_moves_turns(here: World) -> None:
    expected = await write_long(here)
    first = await here.query(include=["full_history"])
    await here.checkpoint("摘要", recent_turns=3)
    rest = await pages_after(here, first["full_history_cursor"])

    assert lines([first["full_history"], *rest]) == expected


async def pages_after(here: World, cursor: str) -> list[str]:
    found = []
    while True:
        context = await here.query(include=["full_history"], full_history_cursor=cursor)
        found.append(context["full_history"])
        if "full_history_cursor" not in context:
            return found
        cursor = context["full_history_cursor"]


async def test_full_history_of_a_short_session_is_one_page_without_a_cursor(here: World) -> None:
    await here.write("头痛", "多久了")

    context = await here.query(include=["full_history"])

    assert context["full_history"] == "用户: 头痛\nAI: 多久了"
    assert "full_history_cursor" not in context


async def test_full_history_leaves_out_what_a_session_was_seeded_with(here: World) -> None:
    await here.write("以前", "好", user_id="u")
    await here.finalize()
    await here.write("现在", "好", user_id="u")

    assert await pages(here) == ["用户: 现在\nAI: 好"]


@pytest.mark.parametrize("cursor", ["x", "1.2.3", "-1.0", "1.99999999999", "１.２"])
async def test_full_history_cursor_that_no_answer_gave_is_refused(here: World, cursor: str) -> None:
    await here.write("头痛", "多久了")
    with pytest.raises(InvalidInput, match="full_history_cursor"):
        await here.query(include=["full_history"], full_history_cursor=cursor)


@pytest.mark.long
async def test_full_history_cursor_of_a_session_that_ended_is_refused(here: World) -> None:
    await write_long(here)
    cursor = (await here.query(include=["full_history"]))["full_history_cursor"]
    await here.finalize()
    with pytest.raises(InvalidInput, match="has ended"):
        await here.query(include=["full_history"], full_history_cursor=cursor)
    await here.write("现在", "好", user_id="u")
    with pytest.raises(InvalidInput, match="has ended"):
        await here.query(include=["full_history"], full_history_cursor=cursor)


async def test_full_history_cursor_without_its_include_is_refused(here: World) -> None:
    await here.write("头痛", "多久了")
    with pytest.raises(InvalidInput, match="include"):
        await here.query(full_history_cursor="1.0")


async def test_full_history_cursor_beyond_the_end_gives_nothing_more(here: World) -> None:
    await write_long(here)
    started = (await here.query(include=["full_history"]))["full_history_cursor"].partition(".")[0]

    context = await here.query(include=["full_history"], full_history_cursor=f"{started}.99999")

    assert context["full_history"] == ""
    assert "full_history_cursor" not in context


async def test_full_history_page_holds_what_fits_and_one_message_at_least(here: World) -> None:
    for number in range(3):
        await here.write(f"{number}", "好", user_id="u")
    place = ConversationScope("default", "c")
    whole = await here.sessions.page(place, 0, HISTORY_PAGE_BYTES_MAX)
    assert whole is not None
    two = sum(len(entry) for entry in whole.entries[:2])

    sizes = []
    for bytes_max in (0, two - 1, two, two + 1):
        page = await here.sessions.page(place, 0, bytes_max)
        assert page is not None
        sizes.append((len(page.entries), page.next_place))

    assert sizes == [(1, 1), (1, 1), (2, 2), (2, 2)]
    assert (len(whole.entries), whole.next_place) == (6, None)
