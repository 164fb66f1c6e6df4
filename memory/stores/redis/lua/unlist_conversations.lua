#!lua flags=allow-oom
-- Take conversations off a user's list in which nothing was found; not one that is only about to begin: it was listed
-- after its latest session began (a session's number is when it began), and a moment ago.
-- KEYS: conversations of the user   ARGV: grace_ms, [conversation, number of its latest session]
-- include now_ms.lua
for index = 2, #ARGV, 2 do
  local listed = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[index]))
  if listed and (listed <= tonumber(ARGV[index + 1]) or now_ms - listed > tonumber(ARGV[1])) then
    redis.call('ZREM', KEYS[1], ARGV[index])
  end
end
return 1
