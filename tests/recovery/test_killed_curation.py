"""kill -9 at every step of judging, deciding, forgetting many and importing: nothing lost, doubled or asked again."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from crash_grid import Point, calls_of, drive, points_of
from processes import RedisServer, scaled

from memory.scope import UserScope
from memory.stores.weaviate.records import tenant_name
from tests.openai_server import ScriptedServer
from tests.sampling import Part
from tests.weaviate_server import WeaviateServer

JUDGED: Final = "<held>"
TAKEN_BACK: Final = "下围棋"
DECIDED: Final = ("script keep_decisions", 2)
"""What is decided of the second session is kept from here on."""
FROM: Final = ("script seal", 2)
"""All before it is in the lives of test_crashes.py."""
DRAWN: Final = scaled(30)
DRAWN_ON_WEAVIATE: Final = scaled(12)
"""Each costs five seconds of CPU; another run draws others. TEST_SCALE=60 tries all."""


def judge(body: dict[str, Any]) -> str:
    """One fact is taken back, in words that no rule knows; of what is worth keeping it has no idea."""
    content = _asked(body)
    if not content.startswith(JUDGED):
        return "no idea"
    shown = json.loads(content.removeprefix(f"{JUDGED}\n").removesuffix("\n</held>"))
    (number,) = [each["number"] for each in shown["held"] if each["object"] == TAKEN_BACK]
    (message,) = [each for each in shown["messages"] if "扔一边" in each["text"]]
    found = {"held": number, "message": message["seq"], "quote": "围棋那东西，我早就扔一边了", "right": ""}
    return json.dumps({"corrections": [found]})


class Lives:
    """Plays the life of a curated memory, each with a path of its own to the model."""

    def __init__(self, folder: Path, redis_server: RedisServer, model: ScriptedServer, **more: Any) -> None:
        self._folder = folder
        self._redis = redis_server
        self._model = model
        self._more = more

    async def played(self, points: list[Point]) -> list[dict[str, Any]]:
        """What became of a life that was killed at each of these points; number 0 has none."""
        scenarios = [self._scenario(number, point) for number, point in enumerate(points, 1)]
        return await asyncio.to_thread(drive, self._folder, scenarios)

    async def undisturbed(self) -> dict[str, Any]:
        """What becomes of it otherwise."""
        (report,) = await asyncio.to_thread(drive, self._folder, [self._scenario(0)])
        return report

    def asked(self, number: int) -> int:
        """How often the model was asked, in the life of this number, what was taken back."""
        paths = [each.path for each in self._model.requests if _asked(each.body).startswith(JUDGED)]
        return Counter(paths)[f"s{number}/chat/completions"]

    def _scenario(self, number: int, point: Point | None = None) -> dict[str, Any]:
        user = f"user-{number}"
        settings = {
            "CURATION__JUDGE": "openai",
            "MIND__PROVIDER": "openai",
            "MIND__MODEL": "a-model",
            "OPENAI__BASE_URL": f"{self._model.url}/s{number}",
            "OPENAI__API_KEY": "sk-test",
            "FINALIZATION__ATTEMPTS_MAX": "20",
        }
        return {
            "life": "curated",
            "conversation": f"life-{number}",
            "user": user,
            "tenant": tenant_name(UserScope("default", user)),
            "redis": f"{self._redis.url}/{number}",
            "data": str(self._folder / f"s{number}"),
            "settings": settings | self._more.get("settings", {}),
            **{name: value for name, value in self._more.items() if name != "settings"},
            **({"at": point} if point else {}),
        }


def problems_of(report: dict[str, Any], dry: dict[str, Any], asked: int) -> list[str]:
    if "error" in report:
        return [report["error"]]
    lost = {whose: Counter(lines) - Counter(report["kept"][whose]) for whose, lines in dry["kept"].items()}
    extra = {whose: Counter(report["kept"][whose]) - Counter(lines) for whose, lines in dry["kept"].items()}
    decided = DECIDED in calls_of(report)[:-1] or not report["struck"]
    told = {
        f"lost {lost}": not any(lost.values()),
        f"extra {extra}": not any(extra.values()),
        f"half visible: {report['half_visible']}": not report["half_visible"],
        f"not at rest: {report['waiting']}": not report["waiting"] and report["quiet"],
        f"the model was asked {asked} times": asked == 1 if decided else asked in {1, 2},
    }
    return [problem for problem, holds in told.items() if not holds]


async def ends_alike(lives: Lives, number: int) -> None:
    dry = await lives.undisturbed()
    calls = calls_of(dry)
    assert lives.asked(0) == 1
    assert DECIDED in calls
    theirs, copied = dry["kept"]["theirs"], dry["kept"]["copied"]
    assert len(theirs) == len(copied) > 10
    assert dry["kept"]["open"] == []
    assert "drop" not in "".join(theirs)
    assert any('"op": "superseded"' in each and "judge" in each and TAKEN_BACK in each for each in theirs)
    points = Part.DRAWN.of(points_of(calls[calls.index(FROM) :]), number)
    reports = await lives.played(points)
    struck, problems = 0, []
    for index, (point, report) in enumerate(zip(points, reports, strict=True), 1):
        struck += report.get("struck", 0)
        problems += [(point, problem) for problem in problems_of(report, dry, lives.asked(index))]
    print(f"{struck} of {len(points)} crash points of {len(calls)} calls struck; problems {len(problems)}")
    assert not problems, "\n".join(f"{point}: {text}" for point, text in problems)
    assert struck >= len(points) * 0.9 - 1


@pytest.mark.long
@pytest.mark.timeout(scaled(900))
@pytest.mark.integration
async def test_a_kill_at_any_step_of_curation_ends_as_if_there_had_been_none(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    async with ScriptedServer(chat=judge) as model:
        await ends_alike(Lives(tmp_path, redis_server, model), DRAWN)


@pytest.mark.integration
async def test_a_kill_at_any_step_of_curation_in_weaviate_ends_as_if_there_had_been_none(
    redis_server: RedisServer, weaviate: WeaviateServer, tmp_path: Path
) -> None:
    async with ScriptedServer(chat=judge) as model:
        settings = weaviate.gateway_settings()
        lives = Lives(tmp_path, redis_server, model, ports=weaviate.ports, settings=settings)
        await ends_alike(lives, DRAWN_ON_WEAVIATE)


def _asked(body: dict[str, Any]) -> str:
    return str(body["messages"][-1]["content"])
