#!lua flags=allow-oom
-- Stop a batch: at once where nothing of it has begun, else whoever does it looks.
-- KEYS: batch, memory ids, failures, tenant's batches   ARGV: now in ms
local state = redis.call('HGET', KEYS[1], 'standing')
if state == 'waiting' then
  redis.call('HSET', KEYS[1], 'standing', 'cancelled', 'ended', ARGV[1])
  redis.call('DEL', KEYS[2])
elseif state == 'running' then
  redis.call('HSET', KEYS[1], 'stops', 1)
end
return 1
