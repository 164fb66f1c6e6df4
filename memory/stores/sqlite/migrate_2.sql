-- From version 2 to 3: the words of a record lie beside it, instead of in one FTS5 index over all users.

-- name: put_aside
ALTER TABLE words_N RENAME TO old_words_N;

-- name: make_words
CREATE TABLE words_N (
  rid    INTEGER PRIMARY KEY,
  counts BLOB NOT NULL,
  words  TEXT NOT NULL
) STRICT;

-- name: fill_words
INSERT INTO words_N (rid, counts, words) SELECT rowid, word_counts(words), words FROM old_words_N;

-- name: drop_old
DROP TABLE old_words_N;

-- name: set_version
UPDATE store SET value = '3' WHERE key = 'schema_version';
