-- Version 4. Times are milliseconds since the epoch; texts are UTF-8; `messages` is a JSON array.
CREATE TABLE IF NOT EXISTS store (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS memunits (
  tenant         TEXT NOT NULL,
  unit_id        TEXT NOT NULL,
  conversation   TEXT NOT NULL,
  user_id        TEXT NOT NULL,
  session_number INTEGER NOT NULL,
  seq_from       INTEGER NOT NULL,
  seq_to         INTEGER NOT NULL,
  turn_from      INTEGER NOT NULL,
  turn_to        INTEGER NOT NULL,
  started_ms     INTEGER NOT NULL,
  ended_ms       INTEGER NOT NULL,
  subject        TEXT NOT NULL,
  summary        TEXT NOT NULL,
  narrative      TEXT NOT NULL,
  participants   TEXT NOT NULL,
  recent_turns   INTEGER NOT NULL,
  messages       BLOB NOT NULL,
  PRIMARY KEY (tenant, unit_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS memunits_by_conversation ON memunits (tenant, conversation, session_number, seq_to);

CREATE INDEX IF NOT EXISTS memunits_by_user ON memunits (tenant, user_id, conversation);

CREATE TABLE IF NOT EXISTS profiles (
  tenant           TEXT NOT NULL,
  user_id          TEXT NOT NULL,
  version          INTEGER NOT NULL,
  name             TEXT NOT NULL,
  allergies        TEXT NOT NULL,
  chronic_diseases TEXT NOT NULL,
  surgery_history  TEXT NOT NULL,
  preferences      TEXT NOT NULL,
  PRIMARY KEY (tenant, user_id)
) STRICT, WITHOUT ROWID;

-- A memory: `document` is the whole record as JSON, the columns are what is searched and sorted by.
CREATE TABLE IF NOT EXISTS memories (
  rid           INTEGER PRIMARY KEY,
  tenant        TEXT NOT NULL,
  user_id       TEXT NOT NULL,
  memory_id     TEXT NOT NULL,
  document      TEXT NOT NULL,
  kind          TEXT NOT NULL,
  category      TEXT NOT NULL,
  type          TEXT NOT NULL,
  conversation  TEXT NOT NULL,
  unit_id       TEXT NOT NULL,
  position      INTEGER NOT NULL,
  speaker       TEXT NOT NULL,
  subject       TEXT NOT NULL,
  predicate     TEXT NOT NULL,
  occurred_ms   INTEGER NOT NULL,
  valid_from_ms INTEGER,
  valid_to_ms   INTEGER,
  superseded_by TEXT NOT NULL,
  archived_ms   INTEGER,
  forget_ms     INTEGER,
  UNIQUE (tenant, user_id, memory_id)
) STRICT;

CREATE INDEX IF NOT EXISTS memories_in_order ON memories (tenant, user_id, unit_id, position);
CREATE INDEX IF NOT EXISTS memories_by_owner ON memories (tenant, memory_id, user_id);
CREATE INDEX IF NOT EXISTS memories_by_predicate ON memories (tenant, user_id, predicate) WHERE predicate <> '';
CREATE INDEX IF NOT EXISTS memories_by_live_fact ON memories (tenant, user_id, predicate, subject)
  WHERE predicate <> '' AND superseded_by = '' AND archived_ms IS NULL;
CREATE INDEX IF NOT EXISTS memories_by_speaker ON memories (tenant, user_id, speaker) WHERE speaker <> '';
CREATE INDEX IF NOT EXISTS created_memories ON memories (tenant, user_id) WHERE kind = 'created';
CREATE INDEX IF NOT EXISTS links_by_source ON memories (tenant, user_id, subject) WHERE kind = 'link';
CREATE INDEX IF NOT EXISTS links_by_target ON memories (tenant, user_id, json_extract(document, '$.object')) WHERE kind = 'link';
CREATE INDEX IF NOT EXISTS memories_by_text ON memories (tenant, user_id, json_extract(document, '$.text'));
CREATE INDEX IF NOT EXISTS memories_by_forget_ms ON memories (forget_ms) WHERE forget_ms IS NOT NULL;

-- Which question a memory asks, beside its record: few do. An older program that changes a record leaves this as it was.
CREATE TABLE IF NOT EXISTS reviews (
  rid       INTEGER PRIMARY KEY,
  tenant    TEXT NOT NULL,
  cause     TEXT NOT NULL,
  opened_ms INTEGER NOT NULL,
  memory_id TEXT NOT NULL,
  user_id   TEXT NOT NULL
) STRICT;

CREATE INDEX IF NOT EXISTS reviews_in_order ON reviews (tenant, cause, opened_ms, memory_id);

CREATE TRIGGER IF NOT EXISTS review_gone AFTER DELETE ON memories BEGIN
  DELETE FROM reviews WHERE rid = OLD.rid;
END;

-- Below which number a write is refused: raised when something is forgotten, or by an attempt that takes over.
CREATE TABLE IF NOT EXISTS fences (
  name   TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  at_s   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS fences_by_age ON fences (at_s);

-- An index generation: what its entries are made with. Its tables are in generation.sql, named by its number.
CREATE TABLE IF NOT EXISTS generations (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  space  TEXT NOT NULL,
  terms  INTEGER NOT NULL,
  ready  INTEGER NOT NULL,
  UNIQUE (space, terms)
) STRICT;
