#!lua
-- Hold a lock that is still ours for longer.
-- KEYS: lock   ARGV: token, lease_ms
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0
