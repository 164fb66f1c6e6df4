#!lua flags=allow-oom
-- Ask that the files be written anew, and keep what is known of the erasure.
-- KEYS: open erasures, counts, record   ARGV: id, tenant, store files or '', record_ttl_ms, 1 when the files are ours
-- Reply: {number of the erasure or '', now in ms}
-- include now_ms.lua
local number = ''
if ARGV[5] == '1' then number = whole(redis.call('ZINCRBY', KEYS[2], 1, 'asked')) end
redis.call('HSET', KEYS[3], 'tenant', ARGV[2], 'at', whole(now_ms), 'session_files', number, 'store_files', ARGV[3])
redis.call('PEXPIRE', KEYS[3], ARGV[4])
redis.call('ZREM', KEYS[1], ARGV[1])
return {number, whole(now_ms)}
