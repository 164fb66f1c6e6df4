-- Of each user two marks, by which a process sees whether what it keeps of the user's index is still so (kept.py).
-- They are drawn anew by whatever changes the user's records, in the same transaction, whoever does it: a program that
-- knows nothing of them too. Random instead of counted: the row goes with the user's last record, and a count that
-- began again could come to a number that somebody still remembers.

-- name: make
CREATE TABLE IF NOT EXISTS memory_versions (
  tenant    TEXT NOT NULL,
  user_id   TEXT NOT NULL,
  entries   INTEGER NOT NULL,
  documents INTEGER NOT NULL,
  PRIMARY KEY (tenant, user_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS memory_made AFTER INSERT ON memories BEGIN
  INSERT INTO memory_versions VALUES (NEW.tenant, NEW.user_id, random(), random())
  ON CONFLICT (tenant, user_id) DO UPDATE SET entries = excluded.entries, documents = excluded.documents;
END;

CREATE TRIGGER IF NOT EXISTS memory_erased AFTER DELETE ON memories BEGIN
  INSERT INTO memory_versions VALUES (OLD.tenant, OLD.user_id, random(), random())
  ON CONFLICT (tenant, user_id) DO UPDATE SET entries = excluded.entries, documents = excluded.documents;
  DELETE FROM memory_versions WHERE tenant = OLD.tenant AND user_id = OLD.user_id
  AND NOT EXISTS (SELECT 1 FROM memories WHERE tenant = OLD.tenant AND user_id = OLD.user_id);
END;

CREATE TRIGGER IF NOT EXISTS memory_changed AFTER UPDATE ON memories BEGIN
  INSERT INTO memory_versions VALUES (NEW.tenant, NEW.user_id, random(), random())
  ON CONFLICT (tenant, user_id) DO UPDATE SET documents = excluded.documents;
END;

-- What a search looks at: that a memory was recalled, by far the most common change, is none of it.
CREATE TRIGGER IF NOT EXISTS memory_moved AFTER UPDATE ON memories
WHEN (NEW.tenant, NEW.user_id, NEW.memory_id, NEW.kind, NEW.category, NEW.type, NEW.unit_id, NEW.position, NEW.speaker,
  NEW.occurred_ms, NEW.valid_from_ms, NEW.valid_to_ms, NEW.superseded_by, NEW.archived_ms, NEW.conversation)
IS NOT (OLD.tenant, OLD.user_id, OLD.memory_id, OLD.kind, OLD.category, OLD.type, OLD.unit_id, OLD.position, OLD.speaker,
  OLD.occurred_ms, OLD.valid_from_ms, OLD.valid_to_ms, OLD.superseded_by, OLD.archived_ms, OLD.conversation)
BEGIN
  UPDATE memory_versions SET entries = random() WHERE tenant = NEW.tenant AND user_id = NEW.user_id;
END;

-- A file in which records were before the marks.
INSERT INTO memory_versions
SELECT tenant, user_id, random(), random() FROM (SELECT DISTINCT tenant, user_id FROM memories)
WHERE NOT EXISTS (SELECT 1 FROM memory_versions);

-- name: version
SELECT entries, documents FROM memory_versions WHERE tenant = :tenant AND user_id = :user_id;

-- name: entries_changed
UPDATE memory_versions SET entries = random() WHERE tenant = :tenant AND user_id = :user_id;
