local function leave_pending(conversation, number)
  local pending = redis.call('HGET', conversation, 'pending') or ''
  local kept = {}
  for other in string.gmatch(pending, '(%d+),') do
    if other ~= number then kept[#kept + 1] = other .. ',' end
  end
  redis.call('HSET', conversation, 'pending', table.concat(kept))
end
