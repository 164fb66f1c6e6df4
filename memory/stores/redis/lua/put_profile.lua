#!lua
-- Store a copy of a profile unless a newer one of the same server run is there, or it was erased a moment ago, or one was
-- dropped a moment ago: who read the truth before it changed is late then. Who changed it puts all the same.
-- A copy in which something is known is kept longer under a second name, for when the long-term store does not answer.
-- KEYS: profile, kept profile   ARGV: version, stamp, copy, ttl_ms, kept_ms (0: nothing is known), changed (1 or 0)
if redis.call('GET', KEYS[2]) == 'erased' then return 0 end
local known = redis.call('GET', KEYS[1])
if known == 'dropped' then
  if ARGV[6] == '0' then return 0 end
elseif known then
  local version, stamp = string.match(known, '^(%d+)\n([^\n]*)\n')
  if stamp == ARGV[2] and tonumber(version) > tonumber(ARGV[1]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
if ARGV[5] == '0' then redis.call('DEL', KEYS[2]) else redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[5]) end
return 1
