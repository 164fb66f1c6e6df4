#!lua flags=allow-oom
-- Whether a write may go on under a fence; one that is ahead raises it.
-- KEYS: fence   ARGV: number, ttl_ms
-- Reply: 1, or 0 when it was overtaken
local stands = tonumber(redis.call('GET', KEYS[1]) or '0')
if stands > tonumber(ARGV[1]) then return 0 end
if stands < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) end
return 1
