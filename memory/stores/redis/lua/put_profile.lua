#!lua
-- Store a copy of a profile unless a newer one of the same server run is there, or something of the user was forgotten
-- since what it was made of was read, or one was dropped a moment ago: who read the truth before it changed is late
-- then. Who changed it puts it in place of the mark that its own drop has left; when that is gone, somebody else has
-- changed the truth too, or it took too long.
-- A copy in which something is known is kept longer under a second name, for when the long-term store does not answer.
-- KEYS: profile, kept profile, kept profile as it was named before, forgotten
-- ARGV: version, stamp, copy, ttl_ms, kept_ms (0: nothing is known), own mark or '', how often forgotten when it was read
if (redis.call('GET', KEYS[4]) or '0') ~= ARGV[7] then return 0 end
local known = redis.call('GET', KEYS[1])
local function keep()
  redis.call('DEL', KEYS[3])
  if ARGV[5] == '0' then redis.call('DEL', KEYS[2]) else redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[5]) end
end
if ARGV[6] ~= '' then
  if known ~= ARGV[6] then
    keep()  -- it is older than the truth at most, which whoever is shown it is told
    return 0
  end
elseif known then
  if string.sub(known, 1, 8) == 'dropped:' then return 0 end
  local version, stamp = string.match(known, '^(%d+)\n([^\n]*)\n')
  if stamp == ARGV[2] and tonumber(version) > tonumber(ARGV[1]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
keep()
return 1
