#!lua flags=allow-oom
-- Take batches out of what there is to do, but for those that were put there, or put there again, since then.
-- KEYS: open batches   ARGV: since when (ms), batch, batch, ...
for at = 2, #ARGV do
  local put_ms = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[at]) or nil)
  if put_ms and put_ms < tonumber(ARGV[1]) then redis.call('ZREM', KEYS[1], ARGV[at]) end
end
return 1
