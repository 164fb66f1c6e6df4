#!lua
-- Append messages and state to a living session, once per idempotency key.
-- KEYS: session, journal, idempotency, conversation, idempotency as it was named before, what was given last
-- ARGV: digest ('' = no idempotency key), if_rev ('' = any), user, agent, stamp, session_ttl_ms,
--       idempotency_ttl_ms, journal_ttl_ms, most turns and bytes (`turns|bytes`; 0 = any number), most fields of state,
--       1 when the conversation is on the list of this user, message count, what was found of safety facts (a JSON array
--       or ''), time zone from here on ('' = as before), what tools gave (`tokens|JSON` or ''),
--       [starts_turn 0|1, tokens, fragment] per message, [field, value ('' deletes)] per state change
-- Reply: {'ok', rev, seq, turns, updated_ms, covers, tokens, fresh, summary_tokens, whose it is ('' = nobody's)}
--        {'replayed', rev, seq, turns, updated_ms, covers, 1 or 0 as it was then}
--        {'adopting'}: the session would have its user from now on, whose list does not have it; nothing was changed
--        {'absent'} {'revision', rev} {'idempotency'} {'user'} {'full'} {'states'}
-- include now_ms.lua
-- include head.lua
-- include said.lua
-- include given.lua
if ARGV[1] ~= '' then
  local seen = redis.call('GET', KEYS[3]) or redis.call('GET', KEYS[5])
  if seen then
    local digest, rev, seq, turns, updated, covers, owned = string.match(seen,
      '^(%x+)|(%d+)|(%d+)|(%d+)|(%d+)|(%d+)|?(%d?)$')
    if digest ~= ARGV[1] then return {'idempotency'} end
    return {'replayed', rev, seq, turns, updated, covers, owned == '0' and 0 or 1}
  end
end
local head = read_head(KEYS[1])
if not head then return {'absent'} end
if ARGV[2] ~= '' and ARGV[2] ~= head.rev then return {'revision', head.rev} end
if ARGV[3] ~= '' and head.user ~= '' and head.user ~= ARGV[3] then return {'user'} end
if ARGV[3] ~= '' and head.user == '' and ARGV[11] == '0' then return {'adopting'} end
local seq, turns, turn_base = tonumber(head.seq), tonumber(head.turns), tonumber(head.turn_base)
local tokens, fresh = tonumber(head.tokens), tonumber(head.fresh)
local count = tonumber(ARGV[12])
local turns_max, bytes_max = string.match(ARGV[9], '^(%d+)|(%d+)$')
local bytes = tonumber(redis.call('HGET', KEYS[1], 'bytes') or '0')
if turns_max ~= '0' and turns >= tonumber(turns_max) or bytes_max ~= '0' and bytes >= tonumber(bytes_max) then
  return {'full'}
end
local states = 0
for index = 16 + count * 3, #ARGV, 2 do
  if ARGV[index + 1] ~= '' and redis.call('HEXISTS', KEYS[1], ARGV[index]) == 0 then states = states + 1 end
end
if states > 0 and redis.call('HLEN', KEYS[1]) + states > tonumber(ARGV[10]) then return {'states'} end
local at = whole(now_ms)
if ARGV[14] ~= '' then redis.call('HSET', KEYS[1], 'zone', ARGV[14]) end
local zone = redis.call('HGET', KEYS[1], 'zone')
local zoned = zone and '"zone":"' .. zone .. '",' or ''
local entries = {}
local given, later
if count > 0 then
  given, later = given_for(KEYS[6], head.user ~= '' and head.user or ARGV[3], ARGV[4], tonumber(head.last))
end
local answered = false
for index = 1, count do
  local base = 15 + (index - 1) * 3
  local noted = ''
  if given and not answered and string.find(ARGV[base + 3], ',"role":"assistant","content":"', 1, true) then
    noted, answered = '"given":' .. given .. ',', true
  end
  if ARGV[base + 1] == '1' or turns == 0 then turns = turns + 1 end
  seq = seq + 1
  tokens = tokens + ARGV[base + 2]
  fresh = fresh + ARGV[base + 2]
  entries[index] = '{"seq":' .. whole(seq) .. ',"turn":' .. whole(turn_base + turns) .. ',"at":' .. at .. ',' .. zoned .. noted .. ARGV[base + 3]
end
if count > 0 then
  for _, entry in ipairs(entries) do bytes = bytes + #entry end
  redis.call('HSET', KEYS[1], 'bytes', whole(bytes))
  if head.first == '0' then head.first = whole(seq - count + 1) end
  head.last = whole(seq)
  if answered then
    redis.call('DEL', KEYS[6])
  elseif given then
    redis.call('SET', KEYS[6], later(head.last), 'KEEPTTL')
  end
  if ARGV[15] ~= '' then redis.call('HSET', KEYS[1], 'tools', ARGV[15]) else redis.call('HDEL', KEYS[1], 'tools') end
  if redis.call('RPUSH', KEYS[2], unpack(entries)) == count then redis.call('PEXPIRE', KEYS[2], ARGV[8]) end
end
if head.user == '' and ARGV[3] ~= '' then
  head.user = ARGV[3]
  redis.call('HSET', KEYS[4], 'user', ARGV[3])
  said_by(KEYS[4], head.no, ARGV[3])
end
if ARGV[13] ~= '' then note_said(KEYS[4], head.no, head.user, at, whole(seq - count + 1), ARGV[13]) end
if ARGV[4] ~= '' then head.agent = ARGV[4] end
-- What stands behind a slash is the session's language: the first one that is named stays.
local had, language = string.match(head.stamp, '^([^/]*)(.*)$')
local stamp, named = string.match(ARGV[5], '^([^/]*)(.*)$')
if had ~= stamp then had = 'mixed' end
head.stamp = had .. (language ~= '' and language or named)
head.rev, head.seq, head.turns = whole(head.rev + 1), whole(seq), whole(turns)
head.tokens, head.fresh, head.updated = whole(tokens), whole(fresh), at
write_head(KEYS[1], head, ARGV[6])
for index = 16 + count * 3, #ARGV, 2 do
  if ARGV[index + 1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[index])
  else
    redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1])
  end
end
local owned = head.user == '' and 0 or 1
if ARGV[1] ~= '' then
  local seen = table.concat({ARGV[1], head.rev, head.seq, head.turns, at, head.covers, owned}, '|')
  redis.call('SET', KEYS[3], seen, 'PX', ARGV[7])
end
return {'ok', head.rev, head.seq, head.turns, at, head.covers, head.tokens, head.fresh, head.summary_tokens,
  head.user}
