#!lua flags=allow-oom
-- ENDING to FAILED, when the fence still holds. The journal is kept without a limit of time.
-- KEYS: finalization, conversation, sealed journal, sealed archive, sealed records   ARGV: fence, number, reason
-- include leave_pending.lua
local head = redis.call('HMGET', KEYS[1], 'state', 'fence')
if head[1] ~= 'ENDING' or head[2] ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', 'FAILED', 'reason', ARGV[3])
redis.call('HSET', KEYS[2], 'failed', (redis.call('HGET', KEYS[2], 'failed') or '') .. ARGV[2] .. ',')
for index = 1, 5 do redis.call('PERSIST', KEYS[index]) end
leave_pending(KEYS[2], ARGV[2])
return 1
