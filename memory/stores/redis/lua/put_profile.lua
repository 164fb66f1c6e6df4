#!lua
-- Store a copy of a profile unless a newer one of the same server run is there, or it was erased a moment ago.
-- A copy in which something is known is kept longer under a second name, for when the long-term store does not answer.
-- KEYS: profile, kept profile   ARGV: version, stamp, copy, ttl_ms, kept_ms
if redis.call('GET', KEYS[2]) == 'erased' then return 0 end
local known = redis.call('GET', KEYS[1])
if known then
  local version, stamp = string.match(known, '^(%d+)\n([^\n]*)\n')
  if stamp == ARGV[2] and tonumber(version) > tonumber(ARGV[1]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
if tonumber(ARGV[1]) > 0 then redis.call('SET', KEYS[2], ARGV[3], 'PX', ARGV[5]) end
return 1
