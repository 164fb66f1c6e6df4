#!lua
-- List a user of a tenant: active then, if they were not later.
-- KEYS: users by activity, users by name, names by digest   ARGV: user, when (ms; '' = now), the user's digest
-- include now_ms.lua
redis.call('ZADD', KEYS[1], 'GT', ARGV[2] == '' and whole(now_ms) or ARGV[2], ARGV[1])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
redis.call('HSET', KEYS[3], ARGV[3], ARGV[1])
return 1
