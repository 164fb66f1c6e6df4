#!lua
-- List a conversation of a user by the start of its session: as one in which something may not be in memory yet. The list lives as long as the longest of its journals.
-- It counts among those that the user has begun.
-- KEYS: conversations of the user, numbers of those they have begun   ARGV: conversation, ttl_ms, its number ('' = it is not counted)
-- include now_ms.lua
redis.call('ZADD', KEYS[1], whole(now_ms), ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if ARGV[3] ~= '' then redis.call('SADD', KEYS[2], ARGV[3]) end
return 1
