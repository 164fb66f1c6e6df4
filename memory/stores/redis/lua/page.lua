#!lua flags=no-writes
-- A stretch of a living session's messages, from one place on, as many as fit into bytes_max, but one at least.
-- Places count through archive and journal, which hold the messages in order: a checkpoint moves none to another place.
-- KEYS: session, archive, journal   ARGV: place, bytes_max
-- Reply: {} when none lives, else {started, base, the place after the last of these or -1, entries}
-- include head.lua
local head = read_head(KEYS[1])
if not head then return {} end
local archived, total = redis.call('LLEN', KEYS[2]), 0
total = archived + redis.call('LLEN', KEYS[3])
local at, left, entries = tonumber(ARGV[1]), tonumber(ARGV[2]), {}
local function take(list, from, upto)
  for _, entry in ipairs(redis.call('LRANGE', list, from, upto)) do
    if #entries > 0 and #entry > left then return false end
    entries[#entries + 1], left, at = entry, left - #entry, at + 1
  end
  return true
end
while at < archived and take(KEYS[2], at, math.min(at + 63, archived - 1)) do end
if at >= archived then
  while at < total and take(KEYS[3], at - archived, at - archived + 63) do end
end
return {head.started, head.base, at < total and at or -1, entries}
