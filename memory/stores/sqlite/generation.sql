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
-- The words of a record: `counts` are what a search reads (words.py), `words` are they themselves.
CREATE TABLE words_N (
  rid    INTEGER PRIMARY KEY,
  counts BLOB NOT NULL,
  words  TEXT NOT NULL
) STRICT;

-- name: open_all
INSERT INTO entries_N (rid, asks, timed, pending) SELECT rid, 0, 0, 1 FROM memories;

-- name: put_entry
INSERT INTO entries_N (rid, asks, timed, vector, pending) VALUES (:rid, :asks, :timed, :vector, :pending)
ON CONFLICT (rid) DO UPDATE SET
  asks = excluded.asks, timed = excluded.timed, vector = excluded.vector, pending = excluded.pending;

-- name: put_words
INSERT INTO words_N (rid, counts, words) VALUES (:rid, :counts, :words)
ON CONFLICT (rid) DO UPDATE SET counts = excluded.counts, words = excluded.words;

-- name: erase_entry
DELETE FROM entries_N WHERE rid = :rid;

-- name: erase_words
DELETE FROM words_N WHERE rid = :rid;

-- name: words_of
SELECT rid, words FROM words_N WHERE rid IN (SELECT value FROM json_each(:rids));

-- name: drop_entries
DROP TABLE entries_N;

-- name: drop_words
DROP TABLE words_N;

-- name: reopen_entry
UPDATE entries_N SET pending = 1 WHERE rid = :rid;

-- name: open_entry
SELECT rid, document FROM memories JOIN entries_N USING (rid)
WHERE tenant = :tenant AND user_id = :user_id AND memory_id = :memory_id AND pending;

-- name: open_entries
SELECT rid, memory_id, document FROM memories JOIN entries_N USING (rid)
WHERE tenant = :tenant AND user_id = :user_id AND memory_id > :after AND pending ORDER BY memory_id LIMIT :limit;

-- name: count_open
SELECT count(*) AS number FROM entries_N WHERE pending;

-- name: entries
SELECT memory_id, document, asks, timed, vector, pending, words
FROM memories JOIN entries_N USING (rid) LEFT JOIN words_N USING (rid)
WHERE tenant = :tenant AND user_id = :user_id AND memory_id > :after ORDER BY memory_id LIMIT :limit;

-- name: vector
SELECT vector FROM entries_N WHERE rid = :rid AND NOT pending;
