-- What the cloud's journal held, by its own hashes, after the change hashes_at: by these both prove to each other that they speak of one history.
ALTER TABLE mirrors ADD COLUMN hashes TEXT;
ALTER TABLE mirrors ADD COLUMN hashes_at INTEGER;

-- Fills that were removed, as when an import is undone, or stand again since: facts with a stamp, so that a cloud that went back brings none of them to life. import_id is the import that was undone here.
CREATE TABLE removed_fills (
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  removed INTEGER NOT NULL CHECK (removed IN (0, 1)),
  stamp TEXT NOT NULL,
  import_id TEXT,
  PRIMARY KEY (user_id, name)
) STRICT, WITHOUT ROWID;

-- The outbox again, for the new kind of record; what waits goes on waiting, in its order.
CREATE TABLE outbox_of_all (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id TEXT NOT NULL,
  entity TEXT NOT NULL CHECK (entity IN ('profile', 'account', 'balance', 'spec', 'contract', 'commission', 'point', 'finance', 'picture', 'removal', 'fill', 'trade', 'edit', 'day', 'stop', 'rules', 'pair')),
  entity_id TEXT NOT NULL,
  noted_at INTEGER NOT NULL,
  set_aside INTEGER NOT NULL DEFAULT 0 CHECK (set_aside IN (0, 1)),
  UNIQUE (user_id, entity, entity_id)
) STRICT;
INSERT INTO outbox_of_all SELECT seq, user_id, entity, entity_id, noted_at, set_aside FROM outbox;
DROP TABLE outbox;
ALTER TABLE outbox_of_all RENAME TO outbox;
CREATE INDEX outbox_set_aside ON outbox (user_id) WHERE set_aside = 1;
