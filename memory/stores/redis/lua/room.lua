#!lua
-- Refused, like every script that may write, when Redis has no room. KEYS: any key of ours
return 1
