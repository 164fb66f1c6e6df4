"""The console's files as they were built (`make console`), read once; without them a page that says how to get them."""

import gzip
import hashlib
import mimetypes
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple

from gateway.http.answers import SECURITY_HEADERS, Answer, refusal, typed
from gateway.http.request import Request
from memory.errors import NotFound

HOME: Final = "/console/"
_INDEX: Final = "index.html"
_FOREVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"
_NONE_OF_IT: Final = re.compile(r"q\s*=\s*0(?:\.0*)?")
_NOT_BUILT: Final = "not_built.html"


class _File(NamedTuple):
    """One file, both ways that it is sent."""

    media: str
    plain: bytes
    zipped: bytes
    tag: str
    cached: str


class Assets:
    """Answers GET and HEAD below /console/."""

    def __init__(self, files: Mapping[str, bytes] | None = None) -> None:
        """`files`: by path below /console/; None: those that were built, if they were."""
        found = dict(_built()) if files is None else files
        if _INDEX not in found:
            found = {_INDEX: resources.files("gateway.console").joinpath(_NOT_BUILT).read_bytes()}
        self._files = {name: _file(name, content) for name, content in found.items()}

    def answer(self, request: Request, path: str) -> Answer:
        """The file, or 304 where the browser has it, or 404. `/console` leads to `/console/`."""
        if path == HOME.rstrip("/"):
            return typed(b"", "text/plain", {"Location": HOME, "Cache-Control": _ASK_AGAIN}, 308)
        file = self._files.get(path.removeprefix(HOME) or _INDEX)
        if file is None:
            return refusal(NotFound("there is no such path"))
        headers = SECURITY_HEADERS | {"Vary": "Accept-Encoding", "ETag": file.tag, "Cache-Control": file.cached}
        content = file.plain
        if _takes_gzip(request.header(b"accept-encoding") or ""):
            content = file.zipped
            headers["Content-Encoding"] = "gzip"
        known = [each.strip().removeprefix("W/") for each in (request.header(b"if-none-match") or "").split(",")]
        return typed(content, file.media, headers, 304 if file.tag.removeprefix("W/") in known or "*" in known else 200)


def _file(name: str, content: bytes) -> _File:
    media = mimetypes.guess_type(name)[0] or "application/octet-stream"
    text = "; charset=utf-8" if media.startswith("text/") or media.endswith("svg+xml") else ""
    tag = f'W/"{hashlib.sha256(content).hexdigest()[:32]}"'
    cached = _FOREVER if name.startswith("assets/") else _ASK_AGAIN  # those alone have another name when they change
    return _File(media + text, content, gzip.compress(content, mtime=0), tag, cached)


def _takes_gzip(accepted: str) -> bool:
    """Whether an Accept-Encoding lets it in (RFC 9110, 12.5.3)."""
    for each in accepted.lower().split(","):
        coding, _, weight = each.partition(";")
        if coding.strip() == "gzip":
            return not _NONE_OF_IT.fullmatch(weight.strip())
    return False


def _built() -> Iterator[tuple[str, bytes]]:
    page = resources.files("gateway.console").joinpath("page")
    return _below(page, "") if page.is_dir() else iter(())


def _below(folder: Traversable, before: str) -> Iterator[tuple[str, bytes]]:
    for one in folder.iterdir():
        if one.is_dir():
            yield from _below(one, f"{before}{one.name}/")
        elif not one.name.startswith("."):  # what the build says of itself
            yield before + one.name, one.read_bytes()
