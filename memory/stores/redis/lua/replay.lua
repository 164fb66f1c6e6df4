#!lua
-- FAILED to ENDING: one more round of attempts.
-- KEYS: finalization, conversation, sealed journal, sealed archive, sealed records   ARGV: number, journal_ttl_ms
if redis.call('HGET', KEYS[1], 'state') ~= 'FAILED' then return 0 end
redis.call('HSET', KEYS[1], 'state', 'ENDING', 'attempts', '0')
redis.call('HDEL', KEYS[1], 'reason', 'counted')
local failed = ''
for other in string.gmatch(redis.call('HGET', KEYS[2], 'failed') or '', '(%d+),') do
  if other ~= ARGV[1] then failed = failed .. other .. ',' end
end
if failed == '' then redis.call('HDEL', KEYS[2], 'failed') else redis.call('HSET', KEYS[2], 'failed', failed) end
redis.call('HSET', KEYS[2], 'pending', (redis.call('HGET', KEYS[2], 'pending') or '') .. ARGV[1] .. ',')
for index = 1, 5 do
  if index ~= 2 or failed == '' then redis.call('PEXPIRE', KEYS[index], ARGV[2]) end
end
return 1
