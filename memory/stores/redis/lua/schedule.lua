#!lua flags=allow-oom
-- Let a conversation come due, delay_ms from now or earlier if it was to; but not within the next seconds, for
-- what it is scheduled for is only about to be there. Always changes the score, so that a sweeper that is just
-- about to drop the entry as settled does not.
-- KEYS: deadlines   ARGV: member, delay_ms
-- include now_ms.lua
local GRACE_MS = 5000
local score = now_ms + ARGV[2]
local known = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]))
if known then
  score = math.max(math.min(score, known - 1), now_ms + math.min(ARGV[2], GRACE_MS))
  if score == known then score = score + 1 end
end
redis.call('ZADD', KEYS[1], whole(score), ARGV[1])
return 1
