#!lua
-- Store a copy of a profile unless a newer one of the same server run is there, or one was dropped a moment ago:
-- who read the truth before it changed is late then. Who changed it puts all the same.
-- KEYS: profile   ARGV: version, stamp, copy, ttl_ms, changed (1 or 0)
local known = redis.call('GET', KEYS[1])
if known == 'dropped' then
  if ARGV[5] == '0' then return 0 end
elseif known then
  local version, stamp = string.match(known, '^(%d+)\n([^\n]*)\n')
  if stamp == ARGV[2] and tonumber(version) > tonumber(ARGV[1]) then return 0 end
end
redis.call('SET', KEYS[1], ARGV[3], 'PX', ARGV[4])
return 1
