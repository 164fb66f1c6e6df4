#!lua flags=allow-oom
-- Of conversations on a user's list in which nothing was found that is not in memory: note that they are over. They stay
-- on it (scored by when, below 0) as long as anything of them may be here, so that all of a user's can be forgotten.
-- Not one that is only about to begin: it was listed after its latest session began (a session's number is when it
-- began), and a moment ago.
-- KEYS: conversations of the user   ARGV: grace_ms, keep_ms, [conversation, number of its latest session]
-- include now_ms.lua
for index = 3, #ARGV, 2 do
  local listed = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[index]))
  if listed and listed > 0 and (listed <= tonumber(ARGV[index + 1]) or now_ms - listed > tonumber(ARGV[1])) then
    redis.call('ZADD', KEYS[1], whole(-now_ms), ARGV[index])
  end
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. whole(ARGV[2] - now_ms), '(0')
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1
