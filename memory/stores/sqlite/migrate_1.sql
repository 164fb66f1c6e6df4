-- From version 1 to 2: index entries leave the table of records, and become the first index generation.

-- name: make_first_generation
INSERT INTO generations (number, space, terms, ready)
SELECT 1, coalesce((SELECT value FROM store WHERE key = 'vector_space'), ''), 1, 1;

-- name: make_entries
CREATE TABLE entries_1 (
  rid     INTEGER PRIMARY KEY,
  asks    INTEGER NOT NULL,
  timed   INTEGER NOT NULL,
  vector  BLOB,
  pending INTEGER NOT NULL
) STRICT;

-- name: fill_entries
INSERT INTO entries_1 (rid, asks, timed, vector, pending)
SELECT rid, asks, timed, vector, vector IS NULL AND EXISTS (SELECT 1 FROM store WHERE key = 'vector_space')
FROM memories;

-- name: take_words
ALTER TABLE memory_words RENAME TO words_1;

-- name: drop_asks
ALTER TABLE memories DROP COLUMN asks;

-- name: drop_timed
ALTER TABLE memories DROP COLUMN timed;

-- name: drop_vector
ALTER TABLE memories DROP COLUMN vector;

-- name: drop_space
DELETE FROM store WHERE key = 'vector_space';

-- name: set_version
UPDATE store SET value = '2' WHERE key = 'schema_version';
