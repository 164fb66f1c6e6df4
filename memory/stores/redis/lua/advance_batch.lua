#!lua flags=allow-oom
-- So many of a batch's memories are done, of which some stayed as they were.
-- KEYS: batch, memory ids, failures, tenant's batches   ARGV: how many are done, kept_ms, memory id, why, memory id, ...
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
for at = 3, #ARGV, 2 do redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1]) end
if #ARGV > 2 then redis.call('PEXPIRE', KEYS[3], ARGV[2]) end
redis.call('HSET', KEYS[1], 'done', ARGV[1], 'failed', redis.call('HLEN', KEYS[3]))
return 1
