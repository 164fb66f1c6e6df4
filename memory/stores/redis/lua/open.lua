#!lua
-- Start a session; seal what an expired one left.
-- KEYS: session, journal, archive, records, conversation, sealed key prefix, finalization key prefix
-- ARGV: expected number, user, agent, stamp, session_ttl_ms, journal_ttl_ms, summary (JSON literal),
--       summary_tokens, base_seq, turn_base, resumed 0|1, recent_turns, entry_tokens, entry count, entries...
-- Reply: {'ok', number} {'exists'} {'changed'}
-- include now_ms.lua
-- include seal_journal.lua
local keys = conversation_keys()
if redis.call('EXISTS', keys.session) == 1 then return {'exists'} end
local known = redis.call('HGET', keys.conversation, 'no') or '0'
if known ~= ARGV[1] then return {'changed'} end
local at = whole(now_ms)
if redis.call('EXISTS', keys.live, keys.archive, keys.records) > 0 then
  seal_journal(keys, known, 'idle', '', ARGV[12], ARGV[6], at)
end
local number = whole(math.max(now_ms, known + 1))
local base = math.max(tonumber(ARGV[9]), tonumber(redis.call('HGET', keys.conversation, 'top') or '0'))
redis.call('HSET', keys.conversation, 'no', number, 'base', whole(base), 'user', ARGV[2])
if redis.call('HEXISTS', keys.conversation, 'failed') == 0 then redis.call('PEXPIRE', keys.conversation, ARGV[6]) end
local seq = base + 1
redis.call('RPUSH', keys.records, '{"seq":' .. whole(seq) .. ',"kind":"session","at":' .. at .. ',"number":' .. number
  .. ',"base_seq":' .. whole(base) .. ',"turn_base":' .. ARGV[10] .. ',"summary":' .. ARGV[7] .. '}')
redis.call('PEXPIRE', keys.records, ARGV[6])
if tonumber(ARGV[14]) > 0 then
  redis.call('RPUSH', keys.live, unpack(ARGV, 15))
  redis.call('PEXPIRE', keys.live, ARGV[6])
end
local covers, checkpoint = '0', ''
if ARGV[7] ~= '""' then covers, checkpoint = whole(base), 'resumed' end
redis.call('HSET', keys.session, 'no', number, 'user', ARGV[2], 'agent', ARGV[3], 'stamp', ARGV[4], 'started', at,
  'updated', at, 'rev', '0', 'seq', whole(seq), 'turns', '0', 'turn_base', ARGV[10], 'tokens', ARGV[13], 'fresh', '0',
  'base', whole(base), 'covers', covers, 'checkpoint', checkpoint, 'recent', ARGV[12], 'resumed', ARGV[11])
if ARGV[7] ~= '""' then redis.call('HSET', keys.session, 'summary', ARGV[7], 'summary_tokens', ARGV[8]) end
redis.call('PEXPIRE', keys.session, ARGV[5])
return {'ok', number}
