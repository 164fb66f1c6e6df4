#!lua flags=allow-oom
-- Remove the ended sessions that one user left in a conversation which is another's by now.
-- KEYS: conversation, sealed key prefix, finalization key prefix   ARGV: user, journal_ttl_ms
-- Reply: the numbers that are gone
local gone = {}
for _, field in ipairs({'pending', 'failed'}) do
  local kept = ''
  for number in string.gmatch(redis.call('HGET', KEYS[1], field) or '', '(%d+),') do
    if redis.call('HGET', KEYS[3] .. number, 'user') == ARGV[1] then
      local sealed = KEYS[2] .. number
      redis.call('DEL', sealed .. ':journal', sealed .. ':archive', sealed .. ':records', KEYS[3] .. number)
      gone[#gone + 1] = number
    else
      kept = kept .. number .. ','
    end
  end
  if kept == '' then redis.call('HDEL', KEYS[1], field) else redis.call('HSET', KEYS[1], field, kept) end
end
if #gone > 0 and redis.call('HEXISTS', KEYS[1], 'failed') == 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return gone
