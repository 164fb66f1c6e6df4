-- What was found of safety facts in a conversation's sessions that are not in memory yet: the field `said` of its hash.
-- A line for each write that held some: `number|user|at|first seq|JSON array`. (Neither ids nor JSON have line breaks.)
local SAID_BYTES_MAX = 65536
local NO_ROOM = '0|!|0|0|[]'  -- stands first when something was left out
local function each_said(conversation, keep)
  local said = redis.call('HGET', conversation, 'said')
  if not said then return end
  local kept = {}
  for line in string.gmatch(said, '[^\n]+') do
    local number, user, rest = string.match(line, '^(%d+)|([^|]*)|(.*)$')
    local stays = line == NO_ROOM and line or keep(number, user, rest)
    if stays then kept[#kept + 1] = stays end
  end
  if #kept == 0 or (#kept == 1 and kept[1] == NO_ROOM) then
    redis.call('HDEL', conversation, 'said')
  else
    redis.call('HSET', conversation, 'said', table.concat(kept, '\n'))
  end
end
local function said_by(conversation, number, user)
  each_said(conversation, function(of, by, rest)
    return of .. '|' .. (of == number and by == '' and user or by) .. '|' .. rest
  end)
end
local function unsay(conversation, number)
  each_said(conversation, function(of, by, rest) return of ~= number and of .. '|' .. by .. '|' .. rest end)
end
local function note_said(conversation, number, user, at, seq, found)
  local said = redis.call('HGET', conversation, 'said') or ''
  local line = table.concat({number, user, at, seq, found}, '|')
  if #said + #line > SAID_BYTES_MAX then
    if string.sub(said, 1, #NO_ROOM) ~= NO_ROOM then redis.call('HSET', conversation, 'said', NO_ROOM .. '\n' .. said) end
  else
    redis.call('HSET', conversation, 'said', said == '' and line or said .. '\n' .. line)
  end
end
