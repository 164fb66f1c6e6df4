-- name: put_memunit
INSERT INTO memunits (tenant, unit_id, conversation, user_id, session_number, seq_from, seq_to, turn_from, turn_to,
  started_ms, ended_ms, subject, summary, narrative, participants, recent_turns, messages)
VALUES (:tenant, :unit_id, :conversation, :user_id, :session_number, :seq_from, :seq_to, :turn_from, :turn_to,
  :started_ms, :ended_ms, :subject, :summary, :narrative, :participants, :recent_turns, :messages)
ON CONFLICT (tenant, unit_id) DO UPDATE SET
  user_id = excluded.user_id, started_ms = excluded.started_ms, ended_ms = excluded.ended_ms,
  subject = excluded.subject, summary = excluded.summary, narrative = excluded.narrative,
  participants = excluded.participants, recent_turns = excluded.recent_turns;

-- name: get_memunit
SELECT * FROM memunits WHERE tenant = :tenant AND unit_id = :unit_id AND conversation = :conversation;

-- name: latest_memunit
SELECT * FROM memunits WHERE tenant = :tenant AND conversation = :conversation
ORDER BY session_number DESC, seq_to DESC LIMIT 1;

-- name: get_profile
SELECT * FROM profiles WHERE tenant = :tenant AND user_id = :user_id;

-- name: put_profile
INSERT INTO profiles (tenant, user_id, version, name, allergies, chronic_diseases, surgery_history, preferences)
VALUES (:tenant, :user_id, :version, :name, :allergies, :chronic_diseases, :surgery_history, :preferences)
ON CONFLICT (tenant, user_id) DO UPDATE SET
  version = excluded.version, name = excluded.name, allergies = excluded.allergies,
  chronic_diseases = excluded.chronic_diseases, surgery_history = excluded.surgery_history,
  preferences = excluded.preferences;

-- name: get_setting
SELECT value FROM store WHERE key = :key;

-- name: put_setting
INSERT INTO store (key, value) VALUES (:key, :value) ON CONFLICT (key) DO NOTHING;
