#!lua flags=allow-oom
-- Take a user off a tenant's list.
-- KEYS: users by activity, users by name, names by digest   ARGV: user, the user's digest
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HDEL', KEYS[3], ARGV[2])
return redis.call('ZREM', KEYS[2], ARGV[1])
