-- What was found of safety facts in a conversation's sessions that are not in memory yet: the field `said` of its hash.
-- A line for each write that held some: `number|user|at|first seq|JSON array`. (Neither ids nor JSON have line breaks.)
local SAID_BYTES_MAX = 65536
local function each_said(conversation, keep)
  local said = redis.call('HGET', conversation, 'said')
  if not said then return end
  local kept = {}
  for line in string.gmatch(said, '[^\n]+') do
    local number, user, rest = string.match(line, '^(%d+)|([^|]*)|(.*)$')
    local stays = keep(number, user, rest)
    if stays then kept[#kept + 1] = stays end
  end
  if #kept == 0 then
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
  each_said(conversation, function(of, by, rest)
    return of ~= number and of .. '|' .. by .. '|' .. rest
  end)
end
-- Beyond the bound nothing is added: a reader sees that it is reached.
local function note_said(conversation, number, user, at, seq, found)
  local said = redis.call('HGET', conversation, 'said')
  if said and #said > SAID_BYTES_MAX then return end
  local line = table.concat({number, user, at, seq, found}, '|')
  redis.call('HSET', conversation, 'said', said and said .. '\n' .. line or line)
end
