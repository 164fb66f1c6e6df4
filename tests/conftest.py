"""What all tests share."""

from typing import TYPE_CHECKING

import pytest

from memory.providers.tiktoken_counter import TiktokenCounter, unpack_ranks

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def counter(tmp_path_factory: pytest.TempPathFactory) -> TiktokenCounter:
    """The default encoding, loaded once."""
    folder: Path = tmp_path_factory.mktemp("ranks")
    unpack_ranks(folder)
    return TiktokenCounter("o200k_base")
