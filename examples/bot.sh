#!/usr/bin/env bash
# One turn of a bot that remembers, in curl and jq:  examples/bot.sh '38.5度，能吃阿莫西林吗？'
set -euo pipefail
question=$1 gateway=${ANAMNESIS_URL:-http://127.0.0.1:8077} model=${OPENAI_BASE_URL:-https://api.openai.com/v1}
ids='{"conversation_id": "conv_1", "user_id": "user_1"}' json='Content-Type: application/json'

# Before the model: what to send it.
known=$(jq -n --argjson ids "$ids" --arg q "$question" '$ids + {query: $q}' |
  curl -sf "$gateway/v1/QueryMemoryContext" -H "$json" -d @-)

# The model: system prompt + context, then messages, then the question, which stands in neither.
answer=$(jq --arg q "$question" --arg model "${OPENAI_MODEL:-gpt-4o-mini}" '{$model, messages: (
    [{role: "system", content: ("You are a nurse at the front desk.\n\n" + .context)}]
    + .messages + [{role: "user", content: $q}])}' <<<"$known" |
  curl -sf "$model/chat/completions" -H "$json" -H "Authorization: Bearer ${OPENAI_API_KEY:-}" -d @- |
  jq -r '.choices[0].message.content')

# After it: acknowledged means kept.
jq -n --argjson ids "$ids" --arg q "$question" --arg a "$answer" '$ids + {user_query: $q, agent_response: $a}' |
  curl -sf "$gateway/v1/WriteTurn" -H "$json" -d @- >/dev/null
echo "$answer"
