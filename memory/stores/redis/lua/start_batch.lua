#!lua
-- Have a batch done, if it is as it was previewed: then it is kept for longer.
-- KEYS: batch, memory ids, failures, tenant's batches   ARGV: user, number, by, why, kept_ms
local user, total, state = unpack(redis.call('HMGET', KEYS[1], 'user', 'total', 'standing'))
if not state then return 0 end
if state ~= 'previewed' or user ~= ARGV[1] or total ~= ARGV[2] then return 1 end
redis.call('HSET', KEYS[1], 'standing', 'waiting', 'by', ARGV[3], 'why', ARGV[4])
for at = 1, 4 do redis.call('PEXPIRE', KEYS[at], ARGV[5]) end
return 1
