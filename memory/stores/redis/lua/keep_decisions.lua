#!lua flags=allow-oom
-- What was decided of one unit, kept once: whoever decides it again is told what was decided first.
-- KEYS: finalization   ARGV: fence, field, decisions
-- Reply: what is kept; nothing when the fence is an older one
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[1] then return false end
redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[3])
return redis.call('HGET', KEYS[1], ARGV[2])
