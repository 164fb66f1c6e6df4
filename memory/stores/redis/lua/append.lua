#!lua
-- Append messages and state to a living session, once per idempotency key.
-- KEYS: session, journal, idempotency, conversation
-- ARGV: digest ('' = no idempotency key), if_rev ('' = any), user, agent, stamp, session_ttl_ms,
--       idempotency_ttl_ms, journal_ttl_ms, message count,
--       [starts_turn 0|1, tokens, fragment] per message, [field, value ('' deletes)] per state change
-- Reply: {'ok'|'replayed', rev, seq, turns, updated_ms, covers, tokens, fresh, summary_tokens}
--        {'absent'} {'revision', rev} {'idempotency'} {'user'}
-- include now_ms.lua
if ARGV[1] ~= '' then
  local seen = redis.call('GET', KEYS[3])
  if seen then
    local digest, rev, seq, turns, updated, covers = string.match(seen, '^(%x+)|(%d+)|(%d+)|(%d+)|(%d+)|(%d+)$')
    if digest ~= ARGV[1] then return {'idempotency'} end
    return {'replayed', rev, seq, turns, updated, covers}
  end
end
local head = redis.call('HMGET', KEYS[1], 'rev', 'seq', 'turns', 'turn_base', 'tokens', 'fresh', 'user', 'stamp', 'covers', 'summary_tokens')
if not head[1] then return {'absent'} end
if ARGV[2] ~= '' and ARGV[2] ~= head[1] then return {'revision', head[1]} end
if ARGV[3] ~= '' and head[7] ~= '' and head[7] ~= ARGV[3] then return {'user'} end
local rev, seq, turns, turn_base = head[1] + 1, tonumber(head[2]), tonumber(head[3]), tonumber(head[4])
local tokens, fresh = tonumber(head[5]), tonumber(head[6])
local count = tonumber(ARGV[9])
local at = whole(now_ms)
local entries = {}
for index = 1, count do
  local base = 9 + (index - 1) * 3
  if ARGV[base + 1] == '1' or turns == 0 then turns = turns + 1 end
  seq = seq + 1
  tokens = tokens + ARGV[base + 2]
  fresh = fresh + ARGV[base + 2]
  entries[index] = '{"seq":' .. whole(seq) .. ',"turn":' .. whole(turn_base + turns) .. ',"at":' .. at .. ',' .. ARGV[base + 3]
end
for first = 1, count, 1000 do
  redis.call('RPUSH', KEYS[2], unpack(entries, first, math.min(first + 999, count)))
end
if count > 0 and redis.call('LLEN', KEYS[2]) == count then redis.call('PEXPIRE', KEYS[2], ARGV[8]) end
local stamp = head[8]
if stamp ~= ARGV[5] then stamp = 'mixed' end
local user = head[7]
if user == '' and ARGV[3] ~= '' then
  user = ARGV[3]
  redis.call('HSET', KEYS[4], 'user', user)
end
redis.call('HSET', KEYS[1], 'rev', whole(rev), 'seq', whole(seq), 'turns', whole(turns), 'tokens', whole(tokens),
  'fresh', whole(fresh), 'updated', at, 'user', user, 'stamp', stamp)
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'agent', ARGV[4]) end
for index = 10 + count * 3, #ARGV, 2 do
  if ARGV[index + 1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[index])
  else
    redis.call('HSET', KEYS[1], ARGV[index], ARGV[index + 1])
  end
end
redis.call('PEXPIRE', KEYS[1], ARGV[6])
if ARGV[1] ~= '' then
  local outcome = table.concat({ARGV[1], whole(rev), whole(seq), whole(turns), at, head[9]}, '|')
  redis.call('SET', KEYS[3], outcome, 'PX', ARGV[7])
end
return {'ok', whole(rev), whole(seq), whole(turns), at, head[9], whole(tokens), whole(fresh), head[10]}
