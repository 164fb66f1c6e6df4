#!lua flags=allow-oom
-- Remove all that one user has in a conversation: the living session, or what an expired one left, when it is this
-- user's; of the ended ones this user's, and with them those of nobody. What others have in it stays.
-- Whoever read before and writes after finds that the conversation was forgotten meanwhile (KEYS[9] has moved on).
-- KEYS: session, journal, archive, records, conversation, sealed key prefix, finalization key prefix, lease, forgotten,
--       what was given last
-- ARGV: user, journal_ttl_ms, forgotten_ttl_ms, dry 0|1 (only count)
-- Reply: {1 when nothing is left of the conversation, else 0, sessions that are gone, numbers of those that had ended...}
-- include head.lua
-- include said.lua
local dry = ARGV[4] == '1'
local function change(...) if not dry then redis.call(...) end end
change('INCR', KEYS[9])
change('PEXPIRE', KEYS[9], ARGV[3])
local about = redis.call('HMGET', KEYS[5], 'user', 'ended', 'pending', 'failed', 'closed')
local head = read_head(KEYS[1])
local owner = head and head.user or about[1] or ''
local owns, reply = owner == ARGV[1], {0, 0}
local function user_of(number) return redis.call('HGET', KEYS[7] .. number, 'user') end
local takes = owns
for number in string.gmatch((about[3] or '') .. (about[4] or '') .. (about[5] or '') .. (about[2] or '0') .. ',', '(%d+),') do
  takes = takes or user_of(number) == ARGV[1]
end
if not takes then return reply end
if owns then
  if redis.call('EXISTS', KEYS[1], KEYS[2], KEYS[3], KEYS[4]) > 0 then reply[2] = 1 end
  change('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[8], KEYS[10])
end
local function is_ours(number)
  local user = user_of(number)
  return not user or user == ARGV[1] or user == ''
end
local ended = about[2] and user_of(about[2]) == ARGV[1] and redis.call('HGET', KEYS[7] .. about[2], 'state') == 'ENDED'
if ended then change('DEL', KEYS[7] .. about[2]) end
local left = false
for place, field in ipairs({'pending', 'failed', 'closed'}) do
  local kept = ''
  for number in string.gmatch(about[place + 2] or '', '(%d+),') do
    if not is_ours(number) then
      kept = kept .. number .. ','
    elseif field == 'closed' then
      change('DEL', KEYS[7] .. number)  -- in memory already
    else
      local sealed = KEYS[6] .. number
      change('DEL', sealed .. ':journal', sealed .. ':archive', sealed .. ':records', KEYS[7] .. number)
      reply[2] = reply[2] + 1
      reply[#reply + 1] = number
    end
  end
  left = left or (kept ~= '' and field ~= 'closed')
  if kept == '' then change('HDEL', KEYS[5], field) else change('HSET', KEYS[5], field, kept) end
end
if ended then reply[2] = math.max(reply[2], 1) end  -- in memory already: it counts when it is all
if owns and not left then
  change('DEL', KEYS[5])
  reply[1] = 1
else
  if not dry then
    each_said(KEYS[5], function(of, by, rest)
      local lives = by == '' and not owns and head and of == head.no
      return (lives or (by ~= ARGV[1] and by ~= '')) and of .. '|' .. by .. '|' .. rest
    end)
  end
  if about[1] == ARGV[1] then change('HSET', KEYS[5], 'user', '') end
  if redis.call('HEXISTS', KEYS[5], 'failed') == 0 then change('PEXPIRE', KEYS[5], ARGV[2]) end
end
return reply
