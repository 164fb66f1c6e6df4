-- What was given for the answer that is written now. The note: `last message it could know of|whose|agent|JSON`.
-- `whose` stands for a user whom it must not name, as memory/session/given.py makes it.
local function whose(user)
  local first, second = 0, 0
  for index = 1, #user do
    first = (first * 257 + string.byte(user, index)) % 2147483647
    second = (second * 263 + string.byte(user, index)) % 2147483629
  end
  return whole(first) .. '.' .. whole(second)
end
-- Returns the JSON, and the note for an answer that is written later, when `last` is the last message. Nothing where
-- other messages came in between, or the answer is another agent's or in another user's session.
local function given_for(key, user, agent, last)
  local note = redis.call('GET', key)
  if not note then return nil end
  local known, of, asked, given = string.match(note, '^(%d+)|([^|]*)|([^|]*)|(.*)$')
  if tonumber(known) < last or of ~= whose(user) or (asked ~= '' and agent ~= '' and asked ~= agent) then return nil end
  return given, function(now_last) return table.concat({now_last, of, asked, given}, '|') end
end
