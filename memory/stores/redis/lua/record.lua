#!lua
-- Add a record that is no message to the journal of a living session.
-- KEYS: session, records   ARGV: kind, inside of a JSON object, session_ttl_ms, user
-- include now_ms.lua
-- include head.lua
local head = read_head(KEYS[1])
if not head or (head.user ~= '' and head.user ~= ARGV[4]) then return 0 end
head.seq = whole(head.seq + 1)
redis.call('RPUSH', KEYS[2], '{"seq":' .. head.seq .. ',"kind":"' .. ARGV[1] .. '","at":' .. whole(now_ms) .. ',' .. ARGV[2] .. '}')
write_head(KEYS[1], head, ARGV[3])
return head.seq
