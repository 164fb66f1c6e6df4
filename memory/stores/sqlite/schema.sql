-- Version 1. Times are milliseconds since the epoch; texts are UTF-8; `messages` is a JSON array.
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
