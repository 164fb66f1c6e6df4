"""The baseline: the smallest aiohttp server, as everybody would write it, on uvloop, without access log."""

import asyncio
import sys

import uvloop
from aiohttp import web

BASELINE = (
    "aiohttp hello world: GET /hello -> web.Response(text='hello'), uvloop, one process, no access log, "
    "no middleware, request body not read"
)


async def hello(_request: web.Request) -> web.Response:
    return web.Response(text="hello")


async def serve(port: int) -> None:
    app = web.Application()
    app.router.add_get("/hello", hello)
    app.router.add_post("/hello", hello)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port).start()
    await asyncio.Event().wait()


if __name__ == "__main__":
    uvloop.run(serve(int(sys.argv[1])))
