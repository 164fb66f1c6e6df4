#!lua flags=allow-oom
-- KEYS: finalization   ARGV: fence
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return 0 end
return redis.call('HINCRBY', KEYS[1], 'attempts', -1)
