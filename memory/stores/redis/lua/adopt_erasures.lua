#!lua flags=allow-oom
-- Ask for the erasures whose process seems to have died on the way.
-- KEYS: open erasures, counts   ARGV: age_ms
-- Reply: how many erasures were asked for in all
-- include now_ms.lua
if redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', whole(now_ms - ARGV[1])) > 0 then
  redis.call('ZINCRBY', KEYS[2], 1, 'asked')
end
return whole(redis.call('ZSCORE', KEYS[2], 'asked') or '0')
