#!lua flags=allow-oom
-- Note that an erasure begins: should its process die, somebody else asks for it.
-- KEYS: open erasures   ARGV: id
-- include now_ms.lua
return redis.call('ZADD', KEYS[1], whole(now_ms), ARGV[1])
