-- Tables and queries of one index generation; _N stands for its number. Every record has an entry in every generation;
-- `pending`: whoever wrote it could not make all of it.

-- name: make_entries
CREATE TABLE entries_N (
  rid     INTEGER PRIMARY KEY,
  asks    INTEGER NOT NULL,
  timed   INTEGER NOT NULL,
  vector  BLOB,
  pending INTEGER NOT NULL
) STRICT;

-- name: make_words
-- Words by rid: `owner` is one word for each user, so that a match never leaves a user's own records.
CREATE VIRTUAL TABLE words_N USING fts5 (owner, words, tokenize = 'unicode61 remove_diacritics 0');

-- name: open_all
INSERT INTO entries_N (rid, asks, timed, pending) SELECT rid, 0, 0, 1 FROM memories;

-- name: put_entry
INSERT INTO entries_N (rid, asks, timed, vector, pending) VALUES (:rid, :asks, :timed, :vector, :pending)
ON CONFLICT (rid) DO UPDATE SET
  asks = excluded.asks, timed = excluded.timed, vector = excluded.vector, pending = excluded.pending;

-- name: put_words
INSERT INTO words_N (rowid, owner, words) VALUES (:rid, :owner, :words);

-- name: erase_entry
DELETE FROM entries_N WHERE rid = :rid;

-- name: erase_words
DELETE FROM words_N WHERE rowid = :rid;

-- name: optimize_words
INSERT INTO words_N (words_N) VALUES ('optimize');

-- name: merge_words
INSERT INTO words_N (words_N, rank) VALUES ('merge', :pages);

-- name: drop_entries
DROP TABLE entries_N;

-- name: drop_words
DROP TABLE words_N;

-- name: match_words
SELECT rowid AS rid, -bm25(words_N, 0.0, 1.0) AS score FROM words_N WHERE words_N MATCH :match;

-- name: match_words_with_text
SELECT rowid AS rid, -bm25(words_N, 0.0, 1.0) AS score, words FROM words_N WHERE words_N MATCH :match;

-- name: open_entry
SELECT rid, document FROM memories JOIN entries_N USING (rid)
WHERE tenant = :tenant AND user_id = :user_id AND memory_id = :memory_id AND pending;

-- name: open_entries
SELECT rid, memory_id, document FROM memories JOIN entries_N USING (rid)
WHERE tenant = :tenant AND user_id = :user_id AND memory_id > :after AND pending ORDER BY memory_id LIMIT :limit;

-- name: count_open
SELECT count(*) AS number FROM entries_N WHERE pending;

-- name: entries
SELECT memory_id, document, asks, timed, vector, words
FROM memories JOIN entries_N USING (rid) LEFT JOIN words_N ON words_N.rowid = memories.rid
WHERE tenant = :tenant AND user_id = :user_id AND memory_id > :after ORDER BY memory_id LIMIT :limit;

-- name: vector
SELECT vector FROM entries_N WHERE rid = :rid AND NOT pending;
