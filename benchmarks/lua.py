"""The baseline of the hot conversation: what 64 writers reach when each appends with a Lua call of its own.

That is how a bot would write without a gateway: redis-py's asyncio client with hiredis and uvloop, a pool of
64 connections, one EVALSHA for each turn.
"""

import asyncio
import time

from redis.asyncio import BlockingConnectionPool, Redis

from benchmarks.jobs import CONNECTIONS, WARM_UP_S, Job, Outcome, Tally, Window, serve
from benchmarks.texts import Texts

TTL_MS = 1_800_000
APPEND = """
redis.call('RPUSH', KEYS[1], ARGV[1], ARGV[2])
local rev = redis.call('HINCRBY', KEYS[2], 'rev', 1)
redis.call('HINCRBY', KEYS[2], 'seq', 2)
redis.call('HINCRBY', KEYS[2], 'turns', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[3])
return rev
"""


async def write(client: Redis, sha: str, job: Job, index: int, tally: Tally) -> None:
    texts = Texts(job.seed, f"lua:{job.name}:{index}")
    keys = (f"{{{job.name}}}:log", f"{{{job.name}}}:meta")
    while not tally.stopping:
        entries = texts.take(job.user_characters), texts.take(job.answer_characters)
        sent_at = time.perf_counter()
        await client.evalsha(sha, 2, *keys, *entries, TTL_MS)
        tally.answered(time.perf_counter() - sent_at)


async def run(job: Job) -> Outcome:
    pool = BlockingConnectionPool(host="127.0.0.1", port=job.port, max_connections=CONNECTIONS)
    tally = Tally()
    async with Redis(connection_pool=pool) as client:
        sha = await client.script_load(APPEND)
        writers = [asyncio.create_task(write(client, sha, job, n, tally)) for n in range(CONNECTIONS)]
        await asyncio.sleep(WARM_UP_S)
        window = Window(tally, job.pids)
        await asyncio.sleep(job.seconds)
        window.close()
        tally.stopping = True
        await asyncio.gather(*writers)
        counted = await client.hget(f"{{{job.name}}}:meta", "turns")
    await pool.disconnect()
    if int(counted or 0) != tally.acknowledged:
        tally.failed(f"Lua baseline: {tally.acknowledged} acknowledged, {counted!r} counted")
    return window.outcome()


if __name__ == "__main__":
    serve(run)
