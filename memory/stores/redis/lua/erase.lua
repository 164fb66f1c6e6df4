#!lua flags=allow-oom
-- Remove all that one user has in a conversation: the living session, or what an expired one left, when it is this
-- user's; of the ended ones this user's, and with them those of nobody. What others have in it stays.
-- An attempt that is under way finds a mark in place of its finalisation, and takes back what it has written.
-- KEYS: session, journal, archive, records, conversation, sealed key prefix, finalization key prefix, lease
-- ARGV: user, journal_ttl_ms, mark_ttl_ms
-- Reply: {1 when nothing is left of the conversation, else 0, sessions that are gone, numbers of those that had ended...}
-- include head.lua
local about = redis.call('HMGET', KEYS[5], 'user', 'ended', 'pending', 'failed')
local head = read_head(KEYS[1])
local owner = head and head.user or about[1] or ''
local owns, reply = owner == ARGV[1], {0, 0}
local function user_of(number) return redis.call('HGET', KEYS[7] .. number, 'user') end
local takes = owns
for number in string.gmatch((about[3] or '') .. (about[4] or '') .. (about[2] or '0') .. ',', '(%d+),') do
  takes = takes or user_of(number) == ARGV[1]
end
if not takes then return reply end
if owns then
  if redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4]) > 0 then reply[2] = 1 end
  redis.call('DEL', KEYS[8])
end
local left = false
for place, field in ipairs({'pending', 'failed'}) do
  local kept = ''
  for number in string.gmatch(about[place + 2] or '', '(%d+),') do
    local user = user_of(number)
    if user and user ~= ARGV[1] and user ~= '' then
      kept = kept .. number .. ','
    else
      local sealed = KEYS[6] .. number
      redis.call('DEL', sealed .. ':journal', sealed .. ':archive', sealed .. ':records', KEYS[7] .. number)
      redis.call('HSET', KEYS[7] .. number, 'erased', '1', 'user', user or '')
      redis.call('PEXPIRE', KEYS[7] .. number, ARGV[3])
      reply[2] = reply[2] + 1
      reply[#reply + 1] = number
    end
  end
  left = left or kept ~= ''
  if kept == '' then redis.call('HDEL', KEYS[5], field) else redis.call('HSET', KEYS[5], field, kept) end
end
if about[2] and redis.call('HGET', KEYS[7] .. about[2], 'state') == 'ENDED' and user_of(about[2]) == ARGV[1] then
  reply[2] = math.max(reply[2], redis.call('DEL', KEYS[7] .. about[2]))  -- in memory already: it counts when it is all
end
if owns and not left then
  redis.call('DEL', KEYS[5])
  reply[1] = 1
else
  if about[1] == ARGV[1] then redis.call('HSET', KEYS[5], 'user', '') end
  if redis.call('HEXISTS', KEYS[5], 'failed') == 0 then redis.call('PEXPIRE', KEYS[5], ARGV[2]) end
end
return reply
