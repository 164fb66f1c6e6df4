#!lua flags=allow-oom
-- KEYS: unfinished   ARGV: member, session number
return redis.call('ZADD', KEYS[1], 'NX', ARGV[2], ARGV[1])
