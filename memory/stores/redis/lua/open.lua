#!lua
-- Start a session; seal what an expired one left, or a living one that is full and whose working state goes on in it.
-- KEYS: session, journal, archive, records, conversation, sealed key prefix, finalization key prefix, forgotten
-- ARGV: expected number (of a living one: `number|rev|seq`), user, agent, stamp, session_ttl_ms, journal_ttl_ms,
--       summary (JSON literal), summary_tokens, base_seq, turn_base, resumed 0|1, recent_turns, entry_tokens, entry count,
--       how often the conversation had been forgotten when it was looked back, covers_seq, time zone
--       ('' = none was said), entries...
-- Reply: {'ok', number} {'exists'} {'changed'}
-- include now_ms.lua
-- include head.lua
-- include seal_journal.lua
local OWN = {head = true, summary = true, bytes = true}
local keys = conversation_keys()
local expected, rev, seq_seen = string.match(ARGV[1], '^(%d+)|?(%d*)|?(%d*)$')
local living = read_head(keys.session)
if living and (living.rev ~= rev or living.seq ~= seq_seen) then return {'exists'} end
if not living and rev ~= '' then return {'changed'} end
local known = redis.call('HGET', keys.conversation, 'no') or '0'
if known ~= expected or (redis.call('GET', KEYS[8]) or '0') ~= ARGV[15] then return {'changed'} end
local at = whole(now_ms)
if redis.call('EXISTS', keys.live, keys.archive, keys.records) > 0 then
  local state = living and redis.call('HGETALL', keys.session) or {}
  seal_journal(keys, known, living and 'full' or 'idle', '', ARGV[12], ARGV[6], at)
  for index = 1, #state, 2 do
    if not OWN[state[index]] then redis.call('HSET', keys.session, state[index], state[index + 1]) end
  end
end
local number = whole(math.max(now_ms, known + 1))
local base = math.max(tonumber(ARGV[9]), tonumber(redis.call('HGET', keys.conversation, 'top') or '0'))
redis.call('HSET', keys.conversation, 'no', number, 'base', whole(base), 'user', ARGV[2])
if redis.call('HEXISTS', keys.conversation, 'failed') == 0 then redis.call('PEXPIRE', keys.conversation, ARGV[6]) end
local seq = base + 1
redis.call('RPUSH', keys.records, '{"seq":' .. whole(seq) .. ',"kind":"session","at":' .. at .. ',"number":' .. number
  .. ',"base_seq":' .. whole(base) .. ',"turn_base":' .. ARGV[10] .. ',"covers_seq":' .. ARGV[16] .. ',"summary":' .. ARGV[7] .. '}')
redis.call('PEXPIRE', keys.records, ARGV[6])
local first, last = '0', '0'
if tonumber(ARGV[14]) > 0 then
  first, last = string.match(ARGV[18], '^{"seq":(%d+)'), string.match(ARGV[#ARGV], '^{"seq":(%d+)')
  redis.call('RPUSH', keys.live, unpack(ARGV, 18))
  redis.call('PEXPIRE', keys.live, ARGV[6])
end
local summary = ARGV[7] ~= '""'
write_head(keys.session, {rev = '0', seq = whole(seq), turns = '0', tokens = ARGV[13], fresh = '0',
  covers = summary and whole(base) or '0', summary_tokens = ARGV[8], recent = ARGV[12], resumed = ARGV[11],
  base = whole(base), turn_base = ARGV[10], started = at, updated = at, first = first, last = last, no = number,
  stamp = ARGV[4], checkpoint = summary and 'resumed' or '', user = ARGV[2], agent = ARGV[3]}, ARGV[5])
if summary then redis.call('HSET', keys.session, 'summary', ARGV[7]) end
if ARGV[17] ~= '' then redis.call('HSET', keys.session, 'zone', ARGV[17]) end
return {'ok', number}
