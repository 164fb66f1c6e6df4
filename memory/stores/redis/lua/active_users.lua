#!lua flags=no-writes
-- Users of a tenant, the last active first (of one moment by name, backwards), behind a place, with a prefix.
-- Of those whose name begins so all are looked at where they are few; else the list is walked, so far and no further.
-- KEYS: users by activity, users by name
-- ARGV: the place's ms ('' = from the beginning), its user, prefix, most to give, most to look at
-- Reply: {1 when there is nothing more behind, else 0; ms and user of where to go on if fewer were found; [user, ms]...}
local place_ms, place_user, prefix = ARGV[1], ARGV[2], ARGV[3]
local most, looks = tonumber(ARGV[4]), tonumber(ARGV[5])
local function ms(score) return string.format('%.0f', score) end
-- As the server orders members; Lua's own `<` goes by the locale of the server.
local function is_before(one, other)
  for index = 1, math.min(#one, #other) do
    local byte, than = string.byte(one, index), string.byte(other, index)
    if byte ~= than then return byte < than end
  end
  return #one < #other
end
local function is_behind(user, score)
  if place_ms == '' then return true end
  return score < tonumber(place_ms) or (score == tonumber(place_ms) and is_before(user, place_user))
end
local reply = {0, place_ms, place_user}
if prefix ~= '' then
  local first, last = '[' .. prefix, '(' .. prefix .. '\255'
  if redis.call('ZLEXCOUNT', KEYS[2], first, last) <= looks then
    local found = {}
    for _, user in ipairs(redis.call('ZRANGEBYLEX', KEYS[2], first, last)) do
      local score = tonumber(redis.call('ZSCORE', KEYS[1], user) or nil)
      if score and is_behind(user, score) then found[#found + 1] = {user, score} end
    end
    table.sort(found, function(a, b) return a[2] > b[2] or (a[2] == b[2] and is_before(b[1], a[1])) end)
    for index = 1, math.min(most, #found) do
      reply[#reply + 1] = found[index][1]
      reply[#reply + 1] = ms(found[index][2])
    end
    if #found <= most then reply[1] = 1 end
    return reply
  end
end
-- Where the place is in the order: by halves among those of its moment, as whoever stood there may have moved.
local rank = 0
if place_ms ~= '' then
  rank = redis.call('ZCOUNT', KEYS[1], '(' .. place_ms, '+inf')
  local high = redis.call('ZCOUNT', KEYS[1], place_ms, '+inf')
  while rank < high do
    local middle = math.floor((rank + high) / 2)
    local there = redis.call('ZREVRANGE', KEYS[1], middle, middle)[1]
    if is_before(there, place_user) then high = middle else rank = middle + 1 end
  end
end
local given, step = 0, math.min(prefix == '' and most or 500, looks)
while looks > 0 do
  local some = redis.call('ZREVRANGE', KEYS[1], rank, rank + step - 1, 'WITHSCORES')
  for index = 1, #some, 2 do
    if string.sub(some[index], 1, #prefix) == prefix then
      reply[#reply + 1] = some[index]
      reply[#reply + 1] = ms(some[index + 1])
      given = given + 1
      if given == most then return reply end
    end
  end
  if #some < 2 * step then
    reply[1] = 1
    return reply
  end
  reply[2], reply[3] = ms(some[#some]), some[#some - 1]
  rank, looks = rank + step, looks - step
end
return reply
