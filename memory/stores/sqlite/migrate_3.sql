-- From version 3 to 4: memories that tools create and links between memories, which an older program cannot read. The
-- tables are the same; schema.sql makes the new indexes.

-- name: set_version
UPDATE store SET value = '4' WHERE key = 'schema_version';
