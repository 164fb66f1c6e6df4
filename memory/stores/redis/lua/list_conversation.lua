#!lua
-- List a conversation of a user by the start of its session: as one in which something may not be in memory yet. The list lives as long as the longest of its journals.
-- KEYS: conversations of the user   ARGV: conversation, ttl_ms
-- include now_ms.lua
redis.call('ZADD', KEYS[1], whole(now_ms), ARGV[1])
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 1
