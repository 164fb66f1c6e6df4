#!lua flags=allow-oom
-- Put a taken entry back for later, or drop it ('' delay), unless somebody has changed it meanwhile.
-- KEYS: deadlines   ARGV: member, score as taken, delay_ms or ''
-- include now_ms.lua
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not known or tonumber(known) ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then return redis.call('ZREM', KEYS[1], ARGV[1]) end
redis.call('ZADD', KEYS[1], whole(now_ms + ARGV[3]), ARGV[1])
return 1
