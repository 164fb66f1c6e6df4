#!lua flags=allow-oom
-- Remove every copy of a profile; a copy of what was read before is not stored any more.
-- KEYS: profile, kept profile, kept profile as it was named before, forgotten   ARGV: forgotten_ttl_ms
redis.call('INCR', KEYS[4])
redis.call('PEXPIRE', KEYS[4], ARGV[1])
return redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
