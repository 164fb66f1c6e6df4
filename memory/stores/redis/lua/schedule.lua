#!lua flags=allow-oom
-- Let a conversation come due, delay_ms from now or earlier if it was to. Always changes the score, so that
-- a sweeper that is just about to drop the entry as settled does not.
-- KEYS: deadlines   ARGV: member, delay_ms
-- include now_ms.lua
local score = now_ms + ARGV[2]
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if known and tonumber(known) <= score then score = known - 1 end
redis.call('ZADD', KEYS[1], whole(score), ARGV[1])
return 1
