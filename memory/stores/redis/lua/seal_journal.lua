local function last_seq(list)
  local entry = redis.call('LINDEX', list, -1)
  return entry and tonumber(string.match(entry, '^{"seq":(%d+)')) or 0
end
-- Move the journal out of the way of the next session, under the number of the one that ends.
-- An empty one (nothing after base) leaves no trace. Returns true when there was something to seal.
local function seal_journal(keys, number, cause, summary, recent_turns, journal_ttl_ms, at)
  local base = tonumber(redis.call('HGET', keys.conversation, 'base') or '0')
  local user = redis.call('HGET', keys.conversation, 'user') or ''
  redis.call('DEL', keys.session)
  if math.max(last_seq(keys.live), last_seq(keys.archive)) <= base then
    redis.call('DEL', keys.live, keys.archive, keys.records)
    return false
  end
  local top = math.max(last_seq(keys.live), last_seq(keys.archive), last_seq(keys.records))
  for name, sealed in pairs({live = 'journal', archive = 'archive', records = 'records'}) do
    if redis.call('EXISTS', keys[name]) == 1 then
      local target = keys.sealed_prefix .. number .. ':' .. sealed
      redis.call('RENAME', keys[name], target)
      redis.call('PEXPIRE', target, journal_ttl_ms)
    end
  end
  local finalization = keys.finalization_prefix .. number
  redis.call('HSET', finalization, 'state', 'ENDING', 'fence', '0', 'attempts', '0', 'cause', cause,
    'user', user, 'sealed', at, 'summary', summary, 'recent', recent_turns)
  redis.call('PEXPIRE', finalization, journal_ttl_ms)
  local pending = redis.call('HGET', keys.conversation, 'pending') or ''
  redis.call('HSET', keys.conversation, 'pending', pending .. number .. ',', 'ended', number, 'top', whole(top))
  if redis.call('PTTL', keys.conversation) > 0 then redis.call('PEXPIRE', keys.conversation, journal_ttl_ms) end
  return true
end
local function conversation_keys()
  return {session = KEYS[1], live = KEYS[2], archive = KEYS[3], records = KEYS[4], conversation = KEYS[5],
    sealed_prefix = KEYS[6], finalization_prefix = KEYS[7]}
end
