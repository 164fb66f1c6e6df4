#!lua flags=allow-oom
-- KEYS: finalization   ARGV: -
-- Reply: fence, or 0 when the session is not ENDING
if redis.call('HGET', KEYS[1], 'state') ~= 'ENDING' then return 0 end
redis.call('HINCRBY', KEYS[1], 'attempts', 1)
redis.call('HDEL', KEYS[1], 'steps')
return redis.call('HINCRBY', KEYS[1], 'fence', 1)
