"""Log lines as an operator reads them: one a change, with time, request and whom it is about, never by name."""

import hashlib
import json
import logging
import re
from collections.abc import Callable, Iterator

import pytest

from gateway.observe import logs
from gateway.observe.correlation import Correlation, enter
from gateway.observe.subjects import digest, work_on

RFC_3339_MS = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
LOG = logging.getLogger("anamnesis.test")


Written = Callable[[], str]


@pytest.fixture
def written(capsys: pytest.CaptureFixture[str]) -> Iterator[Written]:
    """What was logged since it was last asked for."""
    root = logging.getLogger()
    before = root.level, root.handlers[:]
    yield lambda: capsys.readouterr().err
    root.setLevel(before[0])
    root.handlers[:] = before[1]


def lines(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def refused() -> None:
    raise ConnectionError("Error 2 connecting to unix://secret.sock")


def raise_key_error() -> None:
    raise KeyError("patient-zhang")


def test_line_has_its_time_in_utc_with_milliseconds(written: Written) -> None:
    for style in ("json", "text"):
        logs.configure("info", style)
        LOG.info("something")
    first, second = written().splitlines()
    assert RFC_3339_MS.match(str(json.loads(first)["time"]))
    assert RFC_3339_MS.match(second)


async def test_line_about_a_conversation_has_digests_and_no_names(written: Written) -> None:
    work_on("clinic", "patient-zhang")
    for style in ("json", "text"):
        logs.configure("info", style)
        LOG.info("something")
    text = written()
    assert text.count(digest("clinic")) == text.count(digest("patient-zhang")) == 2
    assert "clinic" not in text
    assert "zhang" not in text
    assert digest("clinic") == hashlib.sha256(b"clinic").hexdigest()[:12]


async def test_line_within_a_request_has_its_id(written: Written) -> None:
    logs.configure("info", "json")
    enter(Correlation("req-1", None))
    LOG.info("something")
    assert lines(written())[0]["request_id"] == "req-1"


def test_text_shows_the_fields(written: Written) -> None:
    logs.configure("info", "text")
    LOG.warning("redis connection lost", extra={"reason": "it does not answer", "tries": 3, "role": "serve"})
    assert written().endswith(
        'WARNING anamnesis.test: redis connection lost reason="it does not answer" tries=3 role=serve\n'
    )


def test_line_is_one_line_and_nothing_in_it_is_obeyed(written: Written) -> None:
    logs.configure("info", "text")
    LOG.info("a\nforged line \x1b[2J", extra={"name_given": "x\u202ey\nz"})
    text = written()
    assert text.count("\n") == 1
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_same_trouble_again_is_counted_instead_of_told(written: Written, monkeypatch: pytest.MonkeyPatch) -> None:
    logs.configure("info", "json")
    seconds = [0.0]
    once = next(each for each in logging.getLogger().handlers[0].filters if isinstance(each, logs._Once))
    once._now = lambda: seconds[0]
    for _ in range(100):
        LOG.info("nothing recalled", extra={"reason": "StoreUnavailable"})
    LOG.info("nothing recalled", extra={"reason": "DeadlineExceeded"})
    seconds[0] = 61.0
    LOG.info("nothing recalled", extra={"reason": "StoreUnavailable"})
    assert [(line["reason"], line.get("repeated")) for line in lines(written())] == [
        ("StoreUnavailable", None),
        ("DeadlineExceeded", None),
        ("StoreUnavailable", 99),
    ]


def test_state_of_redis_is_told_once_by_whichever_connection(written: Written) -> None:
    logs.configure("info", "json")
    redis = logging.getLogger("anamnesis.redis")
    for _ in range(2):
        for _ in range(3):
            redis.warning("redis connection lost", extra={"reason": "the connection was lost"})
            redis.warning("redis connection lost", extra={"reason": "it does not answer"})
        for _ in range(3):
            redis.warning("redis connection restored")
    told = [line["message"] for line in lines(written())]
    assert told == ["redis connection lost", "redis connection restored"] * 2


def test_lines_that_tell_no_trouble_are_all_told(written: Written) -> None:
    logs.configure("info", "json")
    for _ in range(3):
        LOG.info("request", extra={"operation": "WriteTurn", "status": 200})
    assert len(lines(written())) == 3


def test_library_tells_its_errors_without_traceback_and_without_keys(written: Written) -> None:
    logs.configure("info", "json")
    borrowed = logging.getLogger("docket.worker")
    for _ in range(50):
        try:
            refused()
        except ConnectionError:
            borrowed.warning("Redis is unavailable, retrying in %s...", 1, exc_info=True)
            borrowed.exception("Error sending worker heartbeat")
        borrowed.warning("Redis error in cancellation listener, reconnecting...")
        try:
            raise_key_error()
        except KeyError:
            borrowed.exception("Error in scheduler loop", extra={"docket.worker": "vm#1"})
    borrowed.warning("🗙 %s", "finalise('clinic/patient-zhang')")
    text = written()
    assert [(line["message"], line["error"]) for line in lines(text)] == [
        ("Error in scheduler loop", "KeyError"),
        ("🗙", "none"),
    ]
    assert not {"exception", "docket.worker"} & set(lines(text)[0])
    assert "zhang" not in text


def test_state_is_told_when_it_changes(written: Written) -> None:
    logs.configure("info", "json")
    state = logs.State(LOG, "sweeping")
    state.works()
    for _ in range(20):
        state.fails("store_unavailable")
    state.works()
    state.works()
    state.fails("store_unavailable")
    assert [line["message"] for line in lines(written())] == [
        "sweeping fails; it is tried again",
        "sweeping works again",
        "sweeping fails; it is tried again",
    ]
