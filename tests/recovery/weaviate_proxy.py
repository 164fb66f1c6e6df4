"""Between a gateway and a real Weaviate: passes calls on, or fails them as an overloaded server does.

Writes of objects come by gRPC in batches, changes and the schema by REST, so it listens to both. A call fails before it
was passed on, or after: then it has its effect, and the caller doesn't know. Of a batch single objects may be refused.
"""

import random
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import aiohttp
from aiohttp import web
from weaviate.proto.v1 import batch_pb2

from memory.stores.weaviate.driver import grpc
from tests.ports import free_ports
from tests.weaviate_server import WeaviateServer

BATCH: Final = "/weaviate.v1.Weaviate/BatchObjects"
READS: Final = ("GET", "HEAD")
STATUSES: Final = (429, 500, 502, 503)
CODES: Final = (grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.INTERNAL)
REFUSALS: Final = ("429 too many requests", "503 service unavailable", "store is read-only due to: resource pressure",
                   "put local object: shard is not ready")  # fmt: skip
HOP: Final = ("host", "content-length", "transfer-encoding", "connection", "content-encoding")


@dataclass
class FaultyWeaviate(grpc.GenericRpcHandler):
    """`writes` and `reads`: the share of calls that fail. `objects`: the share of objects refused in a batch."""

    server: WeaviateServer
    dice: random.Random
    writes: float = 0.0
    reads: float = 0.0
    objects: float = 0.0
    failed: Counter[str] = field(default_factory=Counter)
    """Calls that failed, by what they got."""
    passed: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    """Ids of objects, as often as they were refused."""
    acknowledged: dict[str, Any] = field(default_factory=dict)
    """Objects by id, that the server took, and the caller was told so."""
    again: Counter[str] = field(default_factory=Counter)
    """Ids of objects that were sent although they had been acknowledged, and say nothing new."""

    async def start(self) -> "FaultyWeaviate":
        """Listen."""
        self.port, self.grpc_port = free_ports(2)
        self._session = aiohttp.ClientSession(auto_decompress=True)
        self._channel = grpc.aio.insecure_channel(f"127.0.0.1:{self.server.ports['grpc']}")
        self._listener = grpc.aio.server()
        self._listener.add_generic_rpc_handlers((self,))
        self._listener.add_insecure_port(f"127.0.0.1:{self.grpc_port}")
        await self._listener.start()
        app = web.Application(client_max_size=2**26)
        app.router.add_route("*", "/{path:.*}", self._rest)
        self._runner = web.AppRunner(app)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", self.port).start()
        return self

    async def stop(self) -> None:
        """Stop listening."""
        await self._listener.stop(0)
        await self._channel.close()
        await self._runner.cleanup()
        await self._session.close()

    def trouble(self, *, writes: float = 0.0, reads: float = 0.0, objects: float = 0.0) -> None:
        """From now on these shares fail."""
        self.writes, self.reads, self.objects = writes, reads, objects

    def gateway_settings(self) -> dict[str, str]:
        """What a gateway is told, as environment names without `ANAMNESIS_`."""
        return {"WEAVIATE__URL": f"http://127.0.0.1:{self.port}", "WEAVIATE__GRPC_PORT": str(self.grpc_port)}

    def service(self, handler_call_details: Any) -> Any:
        """The handler of any method: bytes in, bytes out."""
        method = handler_call_details.method

        async def call(request: bytes, context: Any) -> bytes:
            return await self._called(method, request, context)

        return grpc.unary_unary_rpc_method_handler(call)

    async def _called(self, method: str, request: bytes, context: Any) -> bytes:
        send = self._channel.unary_unary(method)
        metadata = [(key, value) for key, value in context.invocation_metadata() if not key.startswith("grpc-")]

        async def forward(data: bytes) -> bytes:
            return await send(data, metadata=metadata)

        write = method == BATCH
        if self._strikes(write=write):
            code = self.dice.choice(CODES)
            self.failed[code.name] += 1
            if write and self.dice.random() < 0.5:
                await self._batch(request, forward, told=False)
            await context.abort(code, "the server is busy")
        self.passed += 1
        try:
            return await (self._batch(request, forward) if write else forward(request))
        except grpc.aio.AioRpcError as error:
            await context.abort(error.code(), error.details() or "")
            raise

    def _is_again(self, sent: Any) -> bool:
        """A profile is a view: it may have something new to say under its id. Nothing else has."""
        known = self.acknowledged.get(sent.uuid)
        is_view = sent.properties.non_ref_properties.fields["kind"].string_value == "profile"
        return known is not None and (known == sent or not is_view)

    async def _batch(self, data: bytes, forward: Callable[[bytes], Awaitable[bytes]], *, told: bool = True) -> bytes:
        """Refuse some of the objects, and pass the others on."""
        request = batch_pb2.BatchObjectsRequest.FromString(data)
        self.again.update(each.uuid for each in request.objects if self._is_again(each))
        kept, refused = [], []
        for index, each in enumerate(request.objects):
            (refused if self.dice.random() < self.objects else kept).append((index, each))
        reply = batch_pb2.BatchObjectsReply()
        if kept:
            del request.objects[:]
            request.objects.extend(each for _, each in kept)
            reply = batch_pb2.BatchObjectsReply.FromString(await forward(request.SerializeToString()))
        bad = {error.index for error in reply.errors}
        for error in reply.errors:
            error.index = kept[error.index][0]
        if told:
            self.acknowledged |= {each.uuid: each for place, (_, each) in enumerate(kept) if place not in bad}
        self.refused.update(each.uuid for _, each in refused)
        for index, _ in refused:
            reply.errors.add(index=index, error=self.dice.choice(REFUSALS))
        return bytes(reply.SerializeToString())

    async def _rest(self, request: web.Request) -> web.Response:
        body = await request.read()
        strikes = self._strikes(write=request.method not in READS)
        status = self.dice.choice(STATUSES)
        if strikes:
            self.failed[str(status)] += 1
        else:
            self.passed += 1
        if strikes and self.dice.random() < 0.5:
            return web.json_response({"error": [{"message": "the server is busy"}]}, status=status)
        headers = {name: value for name, value in request.headers.items() if name.lower() not in HOP}
        async with self._session.request(
            request.method, self.server.url + request.path_qs, data=body, headers=headers
        ) as answer:
            content = await answer.read()
            if strikes:
                return web.json_response({"error": [{"message": "the server is busy"}]}, status=status)
            kept = {name: value for name, value in answer.headers.items() if name.lower() not in HOP}
            return web.Response(status=answer.status, body=content, headers=kept)

    def _strikes(self, *, write: bool) -> bool:
        return self.dice.random() < (self.writes if write else self.reads)
