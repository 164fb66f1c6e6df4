#!lua
-- Add a record that is no message to the journal of a living session.
-- KEYS: session, records   ARGV: kind, inside of a JSON object
-- include now_ms.lua
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local seq = redis.call('HINCRBY', KEYS[1], 'seq', 1)
redis.call('RPUSH', KEYS[2], '{"seq":' .. whole(seq) .. ',"kind":"' .. ARGV[1] .. '","at":' .. whole(now_ms) .. ',' .. ARGV[2] .. '}')
return seq
