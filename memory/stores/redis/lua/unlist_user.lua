#!lua flags=allow-oom
-- Take a user off a tenant's list.   KEYS: users by activity, users by name   ARGV: user
redis.call('ZREM', KEYS[1], ARGV[1])
return redis.call('ZREM', KEYS[2], ARGV[1])
