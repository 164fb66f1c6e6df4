#!lua flags=allow-oom
-- End a session when it is due: expired, too old, or asked for. The one place where a session ends.
-- KEYS: session, journal, archive, records, conversation, sealed key prefix, finalization key prefix
-- ARGV: force 0|1, cause, max_age_ms, journal_ttl_ms, summary, recent_turns, least turns (fewer: not forced)
-- Reply: {sealed number or '', pending numbers joined by ',', ms left to the living session or ''}
-- include now_ms.lua
-- include head.lua
-- include seal_journal.lua
local keys = conversation_keys()
local at = whole(now_ms)
local number = redis.call('HGET', keys.conversation, 'no')
local sealed, active = '', ''
local cause = ARGV[2]
local due = true
local head = read_head(keys.session)
if head then
  local left = math.min(redis.call('PTTL', keys.session), head.started + ARGV[3] - now_ms)
  local force = ARGV[1] == '1' and tonumber(head.turns) >= tonumber(ARGV[7])
  if not force and left > 0 then
    due, active = false, whole(left)
  elseif not force then
    cause = 'age'
  end
elseif redis.call('EXISTS', keys.live, keys.archive, keys.records) == 0 then
  due = false
else
  cause = 'idle'
end
if due and number then
  if seal_journal(keys, number, cause, ARGV[5], ARGV[6], ARGV[4], at) then sealed = number end
end
return {sealed, redis.call('HGET', keys.conversation, 'pending') or '', active}
