"""What all tests share."""

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks

if TYPE_CHECKING:
    from pathlib import Path

settings.register_profile("untimed", settings.default, deadline=None)
settings.load_profile("untimed")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark what needs a Weaviate, so that the rest can be run while it is built."""
    if isinstance(item, pytest.Function) and ("weaviate" in item.fixturenames or "weaviate" in item.nodeid):
        item.add_marker("weaviate")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long tests come first."""
    items.sort(key=lambda item: item.path.parent.name != "recovery")


@pytest.fixture(scope="session")
def counter(tmp_path_factory: pytest.TempPathFactory) -> TiktokenCounter:
    """The default encoding, loaded once."""
    folder: Path = tmp_path_factory.mktemp("ranks")
    unpack_ranks(folder)
    return TiktokenCounter("o200k_base")
