#!lua
-- Write a checkpoint; keep the last N turns that it covers, and all after it, in the window.
-- KEYS: session, journal, archive, records, lease
-- ARGV: expected checkpoint id, covers_seq ('' = all), recent_turns, summary (JSON literal), summary_tokens,
--       session_ttl_ms, journal_ttl_ms, number of the session
-- Reply: {'ok', checkpoint id, covers, rev, window tokens} {'absent'} {'changed'} {'range', low, high}
-- include now_ms.lua
-- include head.lua
local head = read_head(KEYS[1])
if not head then return {'absent'} end
if head.checkpoint ~= ARGV[1] or head.no ~= ARGV[8] then return {'changed'} end
local seq = tonumber(head.seq)
local covers = tonumber(ARGV[2]) or seq
if covers < tonumber(head.covers) or covers > seq then return {'range', head.covers, head.seq} end
local recent = tonumber(ARGV[3])

local function numbers(entry)
  local s, t, tok = string.match(entry, '^{"seq":(%d+),"turn":(%d+),.-"tok":(%d+),"')
  return tonumber(s), tonumber(t), tonumber(tok)
end

-- Walk back from the end: what is after `covers` stays, then `recent` turns more; the rest leaves.
local live = redis.call('LRANGE', KEYS[2], 0, -1)
local tokens, fresh, turns, turn = 0, 0, 0, nil
local first = #live + 1
local oldest = nil
for index = #live, 1, -1 do
  local s, t, tok = numbers(live[index])
  if s <= covers and t ~= turn then
    if turns == recent then break end
    turns, turn = turns + 1, t
  end
  tokens = tokens + tok
  if s > covers then fresh = fresh + tok end
  first, oldest = index, live[index]
end
for from = 1, first - 1, 1000 do
  redis.call('RPUSH', KEYS[3], unpack(live, from, math.min(from + 999, first - 1)))
end
if first > 1 then
  redis.call('LTRIM', KEYS[2], first - 1, -1)
  if redis.call('PTTL', KEYS[3]) < 0 then redis.call('PEXPIRE', KEYS[3], ARGV[7]) end
else
  -- A wider window than the last checkpoint's: fetch turns back. (A list is never looked at again after its last entry
  -- is gone: in a slot of a cluster that is on its way to another node, that would end the script halfway.)
  for _ = 1, redis.call('LLEN', KEYS[3]) do
    local entry = redis.call('LINDEX', KEYS[3], -1)
    local _, t, tok = numbers(entry)
    if t ~= turn then
      if turns == recent then break end
      turns, turn = turns + 1, t
    end
    redis.call('RPOP', KEYS[3])
    redis.call('LPUSH', KEYS[2], entry)
    oldest = entry
    tokens = tokens + tok
  end
  if redis.call('PTTL', KEYS[2]) == -1 then redis.call('PEXPIRE', KEYS[2], ARGV[7]) end
end
seq = seq + 1
local id = 'cp_' .. whole(seq)
redis.call('RPUSH', KEYS[4], '{"seq":' .. whole(seq) .. ',"kind":"checkpoint","at":' .. whole(now_ms) .. ',"checkpoint_id":"' .. id
  .. '","covers_seq":' .. whole(covers) .. ',"recent_turns":' .. whole(recent) .. ',"tok":' .. ARGV[5] .. ',"summary":' .. ARGV[4] .. '}')
head.first = oldest and string.match(oldest, '^{"seq":(%d+)') or '0'
if not oldest then head.last = '0' end
head.rev, head.seq, head.covers, head.checkpoint = whole(head.rev + 1), whole(seq), whole(covers), id
head.recent, head.summary_tokens = whole(recent), ARGV[5]
head.tokens, head.fresh, head.updated = whole(tokens), whole(fresh), whole(now_ms)
redis.call('HSET', KEYS[1], 'summary', ARGV[4])
write_head(KEYS[1], head, ARGV[6])
redis.call('DEL', KEYS[5])
return {'ok', id, head.covers, head.rev, head.tokens}
