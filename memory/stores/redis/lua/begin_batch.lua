#!lua
-- A batch that waits runs from now on; one that was cancelled meanwhile, or is gone, does not.
-- KEYS: batch, memory ids, failures, tenant's batches   ARGV: erasure id, now in ms, kept_ms
if redis.call('HGET', KEYS[1], 'standing') ~= 'waiting' then return 0 end
redis.call('HSET', KEYS[1], 'standing', 'running', 'erasure', ARGV[1], 'started', ARGV[2])
return redis.call('PEXPIRE', KEYS[1], ARGV[3])
