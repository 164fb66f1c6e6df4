#!lua flags=allow-oom
-- ENDING to ENDED, when the fence still holds: what was sealed is in memory now and leaves Redis. What says so stays
-- for a while; the conversation knows the numbers, so that it can be forgotten too.
-- KEYS: finalization, conversation, sealed journal, sealed archive, sealed records
-- ARGV: fence, number, memory ids (JSON), skipped, ttl_ms
-- include leave_pending.lua
-- include said.lua
local head = redis.call('HMGET', KEYS[1], 'state', 'fence')
if head[1] ~= 'ENDING' or head[2] ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'state', 'ENDED', 'memory_ids', ARGV[3], 'skipped', ARGV[4])
redis.call('HDEL', KEYS[1], 'summary')
for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
  if string.sub(field, 1, 8) == 'decided:' then redis.call('HDEL', KEYS[1], field) end
end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
redis.call('DEL', KEYS[3], KEYS[4], KEYS[5])
leave_pending(KEYS[2], ARGV[2])
unsay(KEYS[2], ARGV[2])
local prefix, closed = string.sub(KEYS[1], 1, -#ARGV[2] - 1), ''
for number in string.gmatch(redis.call('HGET', KEYS[2], 'closed') or '', '(%d+),') do
  if redis.call('EXISTS', prefix .. number) == 1 then closed = closed .. number .. ',' end
end
redis.call('HSET', KEYS[2], 'closed', closed .. ARGV[2] .. ',')
return 1
