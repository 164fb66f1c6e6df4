#!lua
-- List a user of a tenant: active then, if they were not later. Two that list them now never do so in the same ms.
-- KEYS: users by activity, users by name, names by digest   ARGV: user, when (ms; '' = now), the user's digest
-- Reply: when, where this put them on the list; '' where they were on it
-- include now_ms.lua
local listed = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil)
local at = ARGV[2]
if at == '' then at = whole(listed and listed >= now_ms and listed + 1 or now_ms) end
redis.call('ZADD', KEYS[1], 'GT', at, ARGV[1])
redis.call('ZADD', KEYS[2], 0, ARGV[1])
redis.call('HSET', KEYS[3], ARGV[3], ARGV[1])
return listed and '' or at
