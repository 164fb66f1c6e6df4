#!lua flags=allow-oom
-- Take a user off a tenant's list; where a time is given, only if nobody has listed them since.
-- KEYS: users by activity, users by name, names by digest   ARGV: user, the user's digest, when they were listed ('' = any)
if ARGV[3] ~= '' and tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil) ~= tonumber(ARGV[3]) then return 0 end
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[2])
return redis.call('ZREM', KEYS[2], ARGV[1])
