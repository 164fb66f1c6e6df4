"""Watches: streams of events that tell what changes, for as long as somebody reads them."""

import json
from collections import Counter
from collections.abc import Hashable
from contextlib import ExitStack
from functools import partial
from http import HTTPStatus
from typing import Final

from pydantic import BaseModel

from gateway.http.answers import Answer, Stream, watched
from gateway.http.endpoints import Call, Endpoint, expected
from gateway.http.events import MEDIA, Revised, changes
from gateway.http.refusals import StreamLimited
from gateway.http.request import Request
from gateway.http.rest_paths import fields_of
from gateway.observe.metrics import Metrics
from gateway.wire import read_request
from memory.errors import MemoryGatewayError

_SINCE: Final = "since"
"""The field of every watch that names the revision which is known."""


class Streams:
    """How many streams of events are open in this process. They stand for hours, so requests have other limits."""

    def __init__(self, most: int, of_key: int | None, metrics: Metrics) -> None:
        """`of_key`: how many one API key may have; None: as many as there may be."""
        self._most = most
        self._of_key = of_key
        self._metrics = metrics
        self._keys: Counter[Hashable] = Counter()

    def join(self, key: Hashable) -> None:
        """Count a stream, until it leaves. Raises StreamLimited, and counts nothing, when it is one too many."""
        if self._of_key is not None and self._keys[key] >= self._of_key:
            raise StreamLimited("this key has as many streams open as it may")
        if self._keys.total() >= self._most:
            raise StreamLimited("as many streams are open as may be")
        self._keys[key] += 1
        self._metrics.streams += 1

    def leave(self, key: Hashable) -> None:
        """Count a stream no longer."""
        self._keys[key] -= 1
        self._metrics.streams -= 1


class WatchEndpoint:
    """One watch over HTTP: a look, as any operation takes one, and a stream of what changes from then on."""

    def __init__(self, endpoint: Endpoint, streams: Streams) -> None:
        self.endpoint = endpoint
        self.streams = streams

    def admit(self, request: Request) -> "WatchCall | Answer":
        """Check all that the head tells: load, who asks, scope."""
        call = self.endpoint.admit(request, reads=True)
        return call if isinstance(call, Answer) else WatchCall(self, call, request)


class WatchCall:
    """One admitted watch. Its first look is a request like any other; the stream is none, and takes nobody's turn."""

    __slots__ = ("_call", "_request", "_watch")

    def __init__(self, watch: WatchEndpoint, call: Call, request: Request) -> None:
        self._watch = watch
        self._call = call
        self._request = request

    async def answer(self, body: bytes) -> Answer | Stream:  # noqa: ARG002 - what is asked for stands in the path
        """Answer with the stream, or as the first look is refused."""
        streams, caller = self._watch.streams, self._call.caller
        leave = partial(streams.leave, id(caller))
        with ExitStack() as undo:
            try:
                streams.join(id(caller))
                undo.callback(leave)
                asked = self._asked()
            except MemoryGatewayError as error:
                return self._watch.endpoint.refused(error, caller)
            first = await self._call.answer(asked.model_dump_json(exclude={_SINCE}, exclude_none=True).encode())
            if first.status != HTTPStatus.OK:
                return first
            first.taken()
            undo.pop_all()
        revision = json.loads(first.body)["revision"]
        told = b"" if revision == getattr(asked, _SINCE) else first.body
        name = self._watch.endpoint.operation.name.removeprefix("Watch").lower()
        return watched(changes(name, partial(self._look, asked), told, revision), MEDIA, leave)

    def _asked(self) -> BaseModel:
        """What the query asks for. A client that comes again says in a header what it was told last."""
        fields = dict(fields_of(self._request.target))
        last = self._request.header(b"last-event-id")
        if last is not None:
            fields[_SINCE] = last
        return read_request(self._watch.endpoint.operation.request, json.dumps(fields).encode())

    async def _look(self, asked: BaseModel, revision: str) -> Revised | None:
        endpoint = self._watch.endpoint
        known = asked.model_copy(update={_SINCE: revision})
        found: Revised | None = await expected(endpoint.method(self._call.caller, known), endpoint.operation.name)
        return found

    def abandon(self) -> None:
        """The body never came: nothing was taken for it."""
        self._call.abandon()
