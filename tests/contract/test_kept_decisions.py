"""What was decided of a unit: the first opinion stays, until the session is closed; over every store of sessions."""

from tests.inprocess import World


async def test_the_first_opinion_stays_until_the_session_is_closed(here: World) -> None:
    await here.write("我喜欢喝茶。", "好的。", user_id="u1")
    await here.call("FinalizeSessionMemory", conversation_id="c")
    (key,) = here.jobs.waiting
    attempt = await here.sessions.start_attempt(key)
    assert attempt is not None
    kept = here.sessions.keep_decisions
    assert await here.sessions.decisions(key, "one") is None
    assert await kept(key, attempt.fence, "one", '["第一"]') == '["第一"]'
    assert await kept(key, attempt.fence, "one", '["second"]') == '["第一"]'
    assert await kept(key, attempt.fence, "two", "[]") == "[]", "that nothing was decided is kept, too"
    later = await here.sessions.start_attempt(key)
    assert later is not None
    assert await kept(key, attempt.fence, "three", "late") is None, "the fence is an older one"
    assert [await here.sessions.decisions(key, name) for name in ("one", "two", "three")] == ['["第一"]', "[]", None]
    assert await here.finaliser.run(key)
    assert await here.sessions.decisions(key, "one") is None
    here.jobs.waiting.clear()
