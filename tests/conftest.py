"""What all tests share."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks
from tests.sampling import Dice

if TYPE_CHECKING:
    from pathlib import Path

settings.register_profile("untimed", settings.default, deadline=None)
settings.load_profile("untimed")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """One seed decides the order, the cases of long grids and the dice of the fault tests."""
    Dice.seed = config.getoption("randomly_seed")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say the seed."""
    terminalreporter.write_line(f"seed {Dice.seed} (again: make test SEED={Dice.seed})")


def pytest_itemcollected(item: pytest.Item) -> None:
    """What needs a Weaviate is long: it has to be built first."""
    if isinstance(item, pytest.Function) and ("weaviate" in item.fixturenames or "weaviate" in item.nodeid):
        item.add_marker("weaviate")
        item.add_marker("long")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long tests come first: those that are given more time, then those that break servers."""

    def rank(item: pytest.Item) -> tuple[float, bool]:
        given = item.get_closest_marker("timeout")
        return (-float(given.args[0]) if given else 0.0, item.path.parent.name != "recovery")

    items.sort(key=rank)


@pytest.fixture(scope="session")
def counter(tmp_path_factory: pytest.TempPathFactory) -> TiktokenCounter:
    """The default encoding, loaded once."""
    folder: Path = tmp_path_factory.mktemp("ranks")
    unpack_ranks(folder)
    return TiktokenCounter("o200k_base")
