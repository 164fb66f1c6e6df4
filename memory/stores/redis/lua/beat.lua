#!lua flags=allow-oom
-- A worker says that it lives. Those that have not been heard of for as long as is kept are forgotten.
-- KEYS: workers   ARGV: its id, what it says of itself, kept_ms
-- include now_ms.lua
redis.call('HSET', KEYS[1], ARGV[1], whole(now_ms) .. ' ' .. ARGV[2])
local all = redis.call('HGETALL', KEYS[1])
for at = 1, #all, 2 do
  local heard_ms = tonumber(string.match(all[at + 1], '^%d+'))
  if now_ms - heard_ms > tonumber(ARGV[3]) then redis.call('HDEL', KEYS[1], all[at]) end
end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
