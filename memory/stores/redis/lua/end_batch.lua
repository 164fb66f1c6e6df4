#!lua flags=allow-oom
-- A batch has ended, unless it is gone.
-- KEYS: batch, memory ids, failures, tenant's batches   ARGV: how it stands, now in ms, kept_ms
redis.call('DEL', KEYS[2])
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'standing', ARGV[1], 'ended', ARGV[2])
return redis.call('PEXPIRE', KEYS[1], ARGV[3])
