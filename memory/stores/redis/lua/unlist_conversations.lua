#!lua flags=allow-oom
-- Take conversations off a user's list in which nothing was found; not one that is only about to begin.
-- KEYS: conversations of the user   ARGV: grace_ms, conversation...
-- include now_ms.lua
for index = 2, #ARGV do
  local listed = redis.call('ZSCORE', KEYS[1], ARGV[index])
  if listed and now_ms - listed > tonumber(ARGV[1]) then redis.call('ZREM', KEYS[1], ARGV[index]) end
end
return 1
