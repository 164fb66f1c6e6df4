
wrk.method="POST"; wrk.headers["Content-Type"]="application/json"
local n=0
request=function() n=n+1; return wrk.format("POST","/v1/WriteTurn",nil,'{"conversation_id":"hot","user_id":"hot","user_query":"我今天头痛'..n..'","agent_response":"好的"}') end
response=function(s,h,b) if s~=200 then bad=(bad or 0)+1 end end
