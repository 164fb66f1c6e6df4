"""The second ways to operations: paths of their own, whose braces and query string are fields of the request.

What arrives by them goes through the same endpoint as by the first: the same reader, key, scope, limits and figures.
"""

import json
from collections.abc import Iterable
from typing import Final
from urllib.parse import parse_qsl, unquote_to_bytes, urlencode

from gateway.http.answers import UNKEPT, Answer, refusal, typed, unkept
from gateway.http.endpoints import Call, Endpoint
from gateway.http.request import Request
from memory.errors import FieldError, InvalidInput, MemoryGatewayError

_QUERY_FIELDS_MAX: Final = 20
_DRAWINGS: Final = {
    "mermaid": "text/plain; charset=utf-8",
    "graphml": "application/xml; charset=utf-8",
    "dot": "text/vnd.graphviz; charset=utf-8",
}
"""What a graph is shown as to somebody who looks at it by its path."""


class Ways:
    """By method and path."""

    def __init__(self, endpoints: Iterable[Endpoint]) -> None:
        self._posts: dict[bytes, Endpoint] = {}
        self._gets: dict[bytes, tuple[str, Endpoint]] = {}
        for endpoint in endpoints:
            if endpoint.operation.also is not None:
                method, path = endpoint.operation.also
                before, _, name = path.partition("{")
                if method == "POST":
                    self._posts[path.encode()] = endpoint
                else:
                    self._gets[before.encode()] = (name.rstrip("}"), endpoint)

    def method_of(self, path: bytes) -> str | None:
        """The method that a path is for; None: no such path."""
        if path in self._posts:
            return "POST"
        return "GET" if path.rpartition(b"/")[0] + b"/" in self._gets else None

    def admit(self, request: Request, path: bytes) -> "Call | _Asked | Answer":
        """Let it in, or answer at once. The method and the path fit."""
        if path in self._posts:
            return self._posts[path].admit(request)
        before, _, value = path.rpartition(b"/")
        name, endpoint = self._gets[before + b"/"]
        try:
            body = _body(name, value, request.target)
        except MemoryGatewayError as error:
            return endpoint.answered(refusal(error), 0.0)
        call = endpoint.admit(request, reads=True)
        return call if isinstance(call, Answer) else _Asked(call, body, name)


def _body(name: str, value: bytes, target: bytes) -> bytes:
    """The request as the operation's own way would have it."""
    return json.dumps(fields_of(target, (name, value))).encode()


def fields_of(target: bytes, *in_path: tuple[str, bytes]) -> dict[str, str]:
    """The fields of a request target's query, behind those of its path. Raises InvalidInput, also for one twice."""
    query = target.partition(b"?")[2].partition(b"#")[0]
    try:
        pairs = parse_qsl(query.decode(), keep_blank_values=True, errors="strict", max_num_fields=_QUERY_FIELDS_MAX)
        fields = [*((name, unquote_to_bytes(value).decode()) for name, value in in_path), *pairs]
    except ValueError:
        raise InvalidInput("the path and its query must be percent-encoded UTF-8") from None
    if len(fields) != len(dict(fields)):
        message = "is given twice"
        twice = next(key for key in dict(fields) if [one for one, _ in fields].count(key) > 1)
        raise InvalidInput(f"{twice} {message}", fields=(FieldError(twice, message),))
    return dict(fields)


class _Asked:
    """A call whose request stood in its path. A drawing is shown as what it is, not inside JSON."""

    __slots__ = ("_body", "_call", "_in_path")

    def __init__(self, call: Call, body: bytes, in_path: str) -> None:
        self._call = call
        self._body = body
        self._in_path = in_path

    async def answer(self, body: bytes) -> Answer:  # noqa: ARG002 - what is asked for stands in the path
        found = await self._call.answer(self._body)
        wanted = json.loads(self._body).get("format")
        if found.status != 200:  # noqa: PLR2004 - OK
            return found
        if wanted in _DRAWINGS:
            found.taken()
            shown = json.loads(found.body)
            return typed(shown["text"].encode(), _DRAWINGS[wanted], UNKEPT | self._next(shown["cursor"]))
        return unkept(found)

    def _next(self, cursor: str) -> dict[str, str]:
        """Where the next page is, as RFC 8288 says it: a drawing has no room for a cursor."""
        if not cursor:
            return {}
        asked = json.loads(self._body) | {"cursor": cursor}
        query = urlencode({name: value for name, value in asked.items() if name != self._in_path})
        return {"Link": f'<?{query}>; rel="next"'}

    def abandon(self) -> None:
        self._call.abandon()
