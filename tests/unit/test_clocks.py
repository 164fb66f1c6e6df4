"""Words like yesterday are read by the clock of whoever said them."""

import json
from datetime import timedelta, timezone

import pytest

from memory.extraction.rules_mind import extract
from memory.model.extraction import Dialogue, Said
from memory.providers.mind_answer import read_answer
from memory.providers.mind_prompt import load_prompt, request_messages
from memory.retrieval.plan import plan
from memory.session.times import moment_ms, offset_minutes


@pytest.mark.parametrize(
    ("occurred_at", "day", "begins"),
    [
        ("2026-10-08T07:30:00+08:00", "2026-10-07", "2026-10-07T00:00:00+08:00"),
        ("2026-10-07T23:30:00Z", "2026-10-06", "2026-10-06T00:00:00Z"),
        ("2026-10-07T23:30:00-05:00", "2026-10-06", "2026-10-06T00:00:00-05:00"),
        ("2026-10-08T04:30:00+05:45", "2026-10-07", "2026-10-07T00:00:00+05:45"),
    ],
)
def test_yesterday_is_the_day_before_on_the_speakers_clock(occurred_at, day, begins):
    at, offset = moment_ms(occurred_at), offset_minutes(occurred_at)
    said = Said(1, "user", own=True, text="我昨天做了阑尾炎手术。", at_ms=at, offset_minutes=offset)
    (event,) = extract(Dialogue([said], "", "zh")).events
    assert (event.text, event.occurred_ms) == (f"我昨天（{day}）做了阑尾炎手术。", moment_ms(begins))


def test_a_query_names_days_of_the_clock_it_is_asked_by():
    now = moment_ms("2026-10-08T07:30:00+08:00")
    (window,) = plan("我昨天做了什么？", [], now, timezone(timedelta(hours=8))).windows
    assert window.from_ms == moment_ms("2026-10-07T00:00:00+08:00")
    (window,) = plan("我昨天做了什么？", [], now).windows
    assert window.from_ms == moment_ms("2026-10-06T00:00:00Z")


def test_a_model_is_told_the_time_of_the_speakers_clock_and_its_days_are_those_of_that_clock():
    said = Said(1, "user", own=True, text="I fell.", at_ms=moment_ms("2026-10-07T23:30:00Z"), offset_minutes=480)
    asked = request_messages(load_prompt("en", "production"), (said,), "", "en")[1]["content"]
    assert '"at": "2026-10-08T07:30:00+08:00 Thursday"' in asked
    event = {"seq": 1, "text": "A fall", "date": "2026-10-08", "quote": "I fell", "importance": 0.5}
    answer = json.dumps({"facts": [], "events": [event], "episodes": []})
    (found,) = read_answer(answer, (said,)).events
    assert found.occurred_ms == moment_ms("2026-10-08T00:00:00+08:00")
