"""That a file of weights is what its sentences teach: made anew on any machine, it says the same."""

from pathlib import Path


def _stored(path: Path) -> dict[str, float]:
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {run: float(weight) for run, weight in (line.rsplit("\t", 1) for line in lines)}


def assert_taught(path: Path, weights: dict[str, float]) -> None:
    """Raise AssertionError if a hundredth of the runs is another, or a weight by a twentieth."""
    there = _stored(path)
    assert len(there.keys() & weights.keys()) >= 0.99 * len(there)
    assert max(abs(there[run] - weights[run]) for run in there.keys() & weights.keys()) < 0.05
