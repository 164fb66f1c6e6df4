#!lua flags=allow-oom
-- KEYS: finalization   ARGV: fence, step
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'steps', (redis.call('HGET', KEYS[1], 'steps') or '') .. ARGV[2] .. ',')
return 1
