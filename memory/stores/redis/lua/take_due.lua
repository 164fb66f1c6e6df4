#!lua flags=allow-oom
-- Take what is due, each for one taker; it comes due again after lease_ms, should the taker die.
-- KEYS: deadlines   ARGV: limit, lease_ms
-- Reply: {lag of the oldest in ms, new score, member...}
-- include now_ms.lua
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', whole(now_ms), 'WITHSCORES', 'LIMIT', 0, ARGV[1])
local lag = due[2] and (now_ms - due[2]) or 0
local score = whole(now_ms + ARGV[2])
local reply = {whole(lag), score}
for index = 1, #due, 2 do
  redis.call('ZADD', KEYS[1], score, due[index])
  reply[#reply + 1] = due[index]
end
return reply
