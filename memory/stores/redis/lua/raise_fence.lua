#!lua flags=allow-oom
-- KEYS: fence   ARGV: ttl_ms
local stands = redis.call('INCR', KEYS[1])
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return stands
