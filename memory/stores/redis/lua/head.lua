-- The counters of a session are one field, `head`: values joined by '|' in this order (none of them can
-- hold a '|'). One short field instead of twenty is what makes a read cheap. Python reads it by position too.
local HEAD = {'rev', 'seq', 'turns', 'tokens', 'fresh', 'covers', 'summary_tokens', 'recent', 'resumed', 'base',
  'turn_base', 'started', 'updated', 'first', 'last', 'no', 'stamp', 'checkpoint', 'user', 'agent'}
local function read_head(key)
  local text = redis.call('HGET', key, 'head')
  if not text then return nil end
  local head, index = {}, 1
  for part in string.gmatch(text .. '|', '([^|]*)|') do
    head[HEAD[index]] = part
    index = index + 1
  end
  return head
end
local function write_head(key, head, ttl_ms)
  local parts = {}
  for index, name in ipairs(HEAD) do parts[index] = head[name] end
  redis.call('HSET', key, 'head', table.concat(parts, '|'))
  redis.call('PEXPIRE', key, ttl_ms)
end
