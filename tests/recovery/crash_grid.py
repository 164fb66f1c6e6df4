"""Every call of a life, and what became of it when the gateway was killed there: for tests of crash_driver.py."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from processes import ROOT, scaled

Point = tuple[str, int, str]
"""A call by name and number, and whether the kill comes before or after it."""
TAKE_DUES: Final = 2  # an idle sweeper asks for ever; two of its questions are enough


def drive(folder: Path, scenarios: list[dict[str, Any]]) -> list[dict[str, Any]]:
    driver = Path(__file__).parent / "crash_driver.py"
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("ANAMNESIS_")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(driver), str(folder)],
        input=json.dumps(scenarios).encode(),
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env=inherited | {"PYTHONPATH": str(ROOT)},
        timeout=scaled(880),
        check=True,
    )
    return json.loads(done.stdout)


def calls_of(report: dict[str, Any]) -> list[tuple[str, int]]:
    assert "error" not in report, report["error"]
    calls = [(" ".join(name), int(number)) for *name, number in report["calls"]]
    return list(dict.fromkeys(calls))


def points_of(calls: list[tuple[str, int]]) -> list[Point]:
    return [
        (name, number, when)
        for name, number in calls
        for when in ("before", "after")
        if number <= TAKE_DUES or name != "script take_due"
    ]
