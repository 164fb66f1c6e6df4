#!lua flags=no-writes
-- What a user has said in a conversation and is not in memory yet: of the session that lives or has expired, and of
-- those that wait for their finalisation or failed. The newest first, within bounds. One moment of one conversation.
-- KEYS: session, journal, archive, conversation, sealed key prefix, finalization key prefix
-- ARGV: user, messages_max, bytes_max
-- Reply: {1 when there is such a session, else 0, number of the latest session, then for each
--         {number, complete 0|1, entries, newest first}}
-- include head.lua
local messages_left, bytes_left = tonumber(ARGV[2]), tonumber(ARGV[3])
local reply = {0, '0'}
local function take(number, base, lists)
  local complete, entries = 1, {}
  for _, list in ipairs(lists) do
    local at = -1
    while true do
      local entry = redis.call('LINDEX', list, at)
      if not entry or tonumber(string.match(entry, '^{"seq":(%d+)')) <= base then break end
      if messages_left == 0 then
        complete = 0
        break
      end
      if #entry <= bytes_left then
        entries[#entries + 1] = entry
        bytes_left = bytes_left - #entry
      else
        complete = 0
      end
      messages_left = messages_left - 1
      at = at - 1
    end
  end
  reply[1] = 1
  if #entries > 0 or complete == 0 then reply[#reply + 1] = {number, complete, entries} end
end
local about = redis.call('HMGET', KEYS[4], 'no', 'base', 'user', 'pending', 'failed')
reply[2] = about[1] or '0'
local head = read_head(KEYS[1])
if head then
  if head.user == ARGV[1] then take(head.no, tonumber(head.base), {KEYS[2], KEYS[3]}) end
elseif about[3] == ARGV[1] and redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then
  take(about[1], tonumber(about[2] or '0'), {KEYS[2], KEYS[3]})
end
local waiting = {}
for number in string.gmatch((about[4] or '') .. (about[5] or ''), '(%d+),') do waiting[#waiting + 1] = number end
table.sort(waiting, function(a, b) return tonumber(a) > tonumber(b) end)
for _, number in ipairs(waiting) do
  if redis.call('HGET', KEYS[6] .. number, 'user') == ARGV[1] then
    local sealed = KEYS[5] .. number
    local start = redis.call('LINDEX', sealed .. ':records', 0)
    local base = start and string.match(start, '"base_seq":(%d+)') or '0'
    take(number, tonumber(base), {sealed .. ':journal', sealed .. ':archive'})
  end
end
return reply
