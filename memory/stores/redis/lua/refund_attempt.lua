#!lua flags=allow-oom
-- Once for each attempt, also for one that a later attempt has overtaken: it did not take its worker down.
-- KEYS: finalization   ARGV: fence
local head = redis.call('HMGET', KEYS[1], 'state', 'counted')
if head[1] ~= 'ENDING' or not head[2] then return 0 end
local left, found = '', false
for fence in string.gmatch(head[2], '(%d+),') do
  if fence == ARGV[1] then found = true else left = left .. fence .. ',' end
end
if not found then return 0 end
redis.call('HSET', KEYS[1], 'counted', left)
return redis.call('HINCRBY', KEYS[1], 'attempts', -1)
