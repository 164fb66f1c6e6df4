#!lua flags=allow-oom
-- KEYS: finalization   ARGV: -
-- Reply: fence, or 0 when the session is not ENDING. `counted` names the fences that `attempts` counts.
-- Steps that name what they made ("remembered:ID") stay taken.
if redis.call('HGET', KEYS[1], 'state') ~= 'ENDING' then return 0 end
redis.call('HINCRBY', KEYS[1], 'attempts', 1)
local kept = ''
for step in string.gmatch(redis.call('HGET', KEYS[1], 'steps') or '', '[^,]+') do
  if string.find(step, ':', 1, true) then kept = kept .. step .. ',' end
end
if kept == '' then redis.call('HDEL', KEYS[1], 'steps') else redis.call('HSET', KEYS[1], 'steps', kept) end
local fence = redis.call('HINCRBY', KEYS[1], 'fence', 1)
redis.call('HSET', KEYS[1], 'counted', (redis.call('HGET', KEYS[1], 'counted') or '') .. fence .. ',')
return fence
