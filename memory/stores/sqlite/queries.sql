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

-- name: change_setting
INSERT INTO store (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: put_memory
INSERT INTO memories (tenant, user_id, memory_id, document, kind, category, type, conversation, unit_id, position,
  speaker, subject, predicate, occurred_ms, valid_from_ms, valid_to_ms, superseded_by, archived_ms, forget_ms)
VALUES (:tenant, :user_id, :memory_id, :document, :kind, :category, :type, :conversation, :unit_id, :position,
  :speaker, :subject, :predicate, :occurred_ms, :valid_from_ms, :valid_to_ms, :superseded_by, :archived_ms, :forget_ms)
ON CONFLICT (tenant, user_id, memory_id) DO NOTHING
RETURNING rid;

-- name: change_memory
UPDATE memories SET document = :document, kind = :kind, category = :category, type = :type,
  valid_from_ms = :valid_from_ms, valid_to_ms = :valid_to_ms, superseded_by = :superseded_by,
  archived_ms = :archived_ms, forget_ms = :forget_ms
WHERE tenant = :tenant AND user_id = :user_id AND memory_id = :memory_id;

-- name: put_review
INSERT INTO reviews (rid, tenant, cause, opened_ms, memory_id, user_id)
SELECT rid, tenant, :cause, :opened_ms, memory_id, user_id FROM memories
WHERE tenant = :tenant AND user_id = :user_id AND memory_id = :memory_id
ON CONFLICT (rid) DO UPDATE SET cause = excluded.cause, opened_ms = excluded.opened_ms;

-- name: drop_review
DELETE FROM reviews WHERE rid =
  (SELECT rid FROM memories WHERE tenant = :tenant AND user_id = :user_id AND memory_id = :memory_id);

-- name: open_reviews
SELECT opened_ms, memory_id, user_id FROM reviews
WHERE tenant = :tenant AND cause = :cause AND opened_ms <= :now_ms AND (opened_ms, memory_id) > (:after_ms, :after_id)
ORDER BY opened_ms, memory_id LIMIT :limit;

-- name: count_reviews
SELECT count(*) AS number FROM reviews WHERE tenant = :tenant AND cause = :cause AND opened_ms <= :now_ms;

-- name: get_memory
SELECT document FROM memories WHERE tenant = :tenant AND user_id = :user_id AND memory_id = :memory_id;

-- name: live_facts
SELECT document FROM memories
WHERE tenant = :tenant AND user_id = :user_id AND predicate = :predicate AND subject = :subject
  AND predicate <> '' AND superseded_by = '' AND archived_ms IS NULL  -- as the index says
ORDER BY rid;

-- name: saying
SELECT document FROM memories
WHERE tenant = :tenant AND user_id = :user_id AND json_extract(document, '$.text') = :text  -- as the index says
LIMIT 20;

-- name: links
SELECT memory_id, document FROM json_each(:ids) AS ids CROSS JOIN memories ON rid IN (
  SELECT rid FROM (
    SELECT rid FROM memories INDEXED BY links_by_source
    WHERE tenant = :tenant AND user_id = :user_id AND kind = 'link' AND subject = ids.value AND archived_ms IS NULL
    LIMIT :most_of_each
  )
  UNION
  SELECT rid FROM (
    SELECT rid FROM memories INDEXED BY links_by_target
    WHERE tenant = :tenant AND user_id = :user_id AND kind = 'link'
      AND json_extract(document, '$.object') = ids.value AND archived_ms IS NULL
    LIMIT :most_of_each
  )
)
LIMIT :most;

-- name: due_memories
SELECT tenant, user_id, memory_id FROM memories WHERE forget_ms <= :now_ms ORDER BY forget_ms LIMIT :limit;

-- name: owner_of_memory
SELECT user_id FROM memories WHERE tenant = :tenant AND memory_id = :memory_id LIMIT 1;

-- name: rids_by_id
SELECT rid FROM memories WHERE tenant = :tenant AND user_id = :user_id AND memory_id = :memory_id;

-- name: rids_by_conversation
SELECT rid FROM memories WHERE tenant = :tenant AND user_id = :user_id AND conversation = :conversation;

-- name: rids_by_user
SELECT rid FROM memories WHERE tenant = :tenant AND user_id = :user_id;

-- name: erase_memory
DELETE FROM memories WHERE rid = :rid;

-- name: any_memory
SELECT rid FROM memories LIMIT 1;

-- name: memory_users
SELECT DISTINCT tenant, user_id FROM memories WHERE (tenant, user_id) > (:tenant, :user_id)
ORDER BY tenant, user_id LIMIT :limit;

-- name: count_memory_users
SELECT count(*) AS number FROM (SELECT DISTINCT tenant, user_id FROM memories);

-- name: generations
SELECT number, space, terms, ready FROM generations ORDER BY number;

-- name: make_generation
INSERT INTO generations (space, terms, ready) VALUES (:space, :terms, :ready);

-- name: ready_generation
UPDATE generations SET ready = 1 WHERE number = :number;

-- name: drop_generation
DELETE FROM generations WHERE number = :number;

-- name: count_memories
SELECT count(*) AS number FROM memories WHERE tenant = :tenant AND user_id = :user_id;

-- name: count_created
SELECT count(*) AS number FROM memories INDEXED BY created_memories
WHERE tenant = :tenant AND user_id = :user_id AND kind = 'created';

-- name: count_links
SELECT count(*) AS number FROM memories INDEXED BY links_by_source
WHERE tenant = :tenant AND user_id = :user_id AND kind = 'link';

-- name: speakers
SELECT DISTINCT speaker FROM memories WHERE tenant = :tenant AND user_id = :user_id AND speaker <> '';

-- name: memunit_from
SELECT * FROM memunits WHERE tenant = :tenant AND conversation = :conversation AND seq_to >= :seq
ORDER BY seq_to LIMIT 1;

-- name: conversations
SELECT DISTINCT conversation FROM memunits WHERE tenant = :tenant AND user_id = :user_id;

-- name: last_ended
SELECT conversation, max(ended_ms) AS ended_ms FROM memunits WHERE tenant = :tenant AND user_id = :user_id
GROUP BY conversation;

-- name: erase_memunits
DELETE FROM memunits WHERE tenant = :tenant AND conversation = :conversation
AND user_id IN (SELECT value FROM json_each(:users));

-- name: erase_profile
DELETE FROM profiles WHERE tenant = :tenant AND user_id = :user_id;

-- name: memunits_after
SELECT * FROM memunits WHERE (tenant, unit_id) > (:tenant, :unit_id) ORDER BY tenant, unit_id LIMIT :limit;

-- name: profiles_after
SELECT * FROM profiles WHERE (tenant, user_id) > (:tenant, :user_id) ORDER BY tenant, user_id LIMIT :limit;

-- name: own_memunit
SELECT * FROM memunits WHERE tenant = :tenant AND user_id = :user_id AND unit_id = :unit_id;

-- name: own_memunits
SELECT * FROM memunits WHERE tenant = :tenant AND user_id = :user_id AND unit_id > :after
AND (:conversation = '' OR conversation = :conversation) ORDER BY unit_id LIMIT :limit;

-- name: count_memunits
SELECT count(*) AS number FROM memunits WHERE tenant = :tenant AND user_id = :user_id
AND (:conversation = '' OR conversation = :conversation);

-- name: count_erasure
INSERT INTO store (key, value) VALUES ('erased', '1')
ON CONFLICT (key) DO UPDATE SET value = CAST(CAST(value AS INTEGER) + 1 AS TEXT);

-- name: note_scrubbed
INSERT INTO store (key, value) VALUES ('scrubbed', :number) ON CONFLICT (key) DO UPDATE SET value = excluded.value
WHERE CAST(value AS INTEGER) < CAST(excluded.value AS INTEGER);

-- name: get_fence
SELECT number FROM fences WHERE name = :name;

-- name: put_fence
INSERT INTO fences (name, number, at_s) VALUES (:name, :number, CAST(strftime('%s', 'now') AS INTEGER))
ON CONFLICT (name) DO UPDATE SET number = excluded.number, at_s = excluded.at_s;

-- name: drop_old_fences
DELETE FROM fences WHERE name IN (
  SELECT name FROM fences WHERE at_s < CAST(strftime('%s', 'now') AS INTEGER) - :age_s LIMIT :limit);
